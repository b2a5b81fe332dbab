"""`tally bench reliability-verify` and `reliability-check`: a floor derived again, and its attempts made again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from tallystick.cli import settings
from tallystick.cli.options import SandboxOption
from tallystick.cli.run import RunOptions, UpstreamOption, argv_of
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import flat, named, safe, wrapped
from tallystick.cli.verify import RECEIPT, SuiteOption, TrustedKeyOption, TrustedOnlyOption, other_document, trusting, watched
from tallystick.cli.ways import ModelOptions, model_ways
from tallystick.cli.words import naming, plural
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.verify import VerifyRequest
from tallystick.records.base import UNSET, write
from tallystick.records.evidence import SELF_TEST_KINDS
from tallystick.records.report import Status
from tallystick.suites.loading import load_suite

if TYPE_CHECKING:
    from tallystick.flows.reliability_check import Checked
    from tallystick.flows.run import RunRequest
    from tallystick.records.bundle import Bundle
    from tallystick.records.evidence import Agent
    from tallystick.runner.adapters import Adapter
    from tallystick.suites.loaded import LoadedSuite

__all__ = ["reliability_check", "reliability_verify", "run_floor", "verify_receipt"]

_WORDS: Final = {True: "identical", False: "DIFFERS"}


def reliability_verify(
    file: Annotated[Path, typer.Argument(help="What tally run --reliability wrote.", metavar="FILE")],
    *,
    suite: SuiteOption = None,
    no_exec: Annotated[bool, typer.Option("--no-exec", help="Run nothing; stops at rederived.")] = False,
    require_trusted_signer: TrustedOnlyOption = False,
    trusted_key: TrustedKeyOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as one line of JSON.")] = False,
) -> None:
    """Derive a receipt's reliability floor again.

    Every step of tally verify is done on the bundle inside, then every
    number of the receipt is derived again. tally verify FILE does the same.
    Exit code: 0 verified, 1 not verified, 2 could not be read.
    """
    _check_kind(file)
    request = VerifyRequest(
        path=file,
        suite=None if suite is None else load_suite(suite),
        execute=not no_exec,
        require_trusted_signer=require_trusted_signer,
        policy=trusting(trusted_key or []),
    )
    raise typer.Exit(verify_receipt(request, open_screen(), json=json))


def _check_kind(file: Path) -> None:
    """Refuse another document than a receipt, by its first bytes."""
    kind = other_document(file)
    if (
        kind is not None
        and kind.startswith("tallystick/")
        and kind != RECEIPT
        and not kind.startswith("tallystick/reliability/")
    ):
        raise InputError(f"{file} is a {safe(kind, 60)}, no reliability receipt; to check it: tally verify {file}")


def verify_receipt(request: VerifyRequest, screen: Screen, *, json: bool) -> int:
    """Verify one receipt and show the report; returns the exit code.

    Raises:
        InputError: the file cannot be read as a receipt, or its suite is not known here.
    """
    from tallystick.cli.reliability_view import floor_lines  # noqa: PLC0415  # not for --help
    from tallystick.flows.reliability import verify_reliability_path  # noqa: PLC0415  # as above

    try:
        with watched(screen, quiet=json, sandbox=request.sandbox) as told:
            report = verify_reliability_path(request, before_running=told.before_running, regraded=told.regraded)
    except InputError as error:
        raise naming(request.path, error) from None
    if json:
        screen.data(write(report))
    else:
        screen.say(floor_lines(report, screen.style))
    return 0 if report.status is Status.MATCH else 1


def run_floor(
    k: int, suite: str, agent: str | None, argv: tuple[str, ...] = (), out: Path | None = None, *, fresh: bool = False
) -> int:
    """Run `k` attempts at every task of a suite and write the receipt about them; returns the exit code.

    With neither agent nor command line the suite itself is tried, with its reference solutions. Raises as `running.perform`.
    """
    from tallystick.cli.running import FLOWS, perform  # noqa: PLC0415  # not for --help

    given = settings.layers(project=True)
    options = RunOptions(
        suite=suite,
        agent=agent if agent or argv else "oracle",
        argv=argv,
        attempts=settings.number("--reliability", k),
        reliability=True,
        workers=settings.workers(None, given),
        out=out,
        fresh=fresh,
        state=settings.default_state(given),
        key=given.text("key"),
    )
    return perform(options, open_screen(), FLOWS)


def reliability_check(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="What tally run --reliability wrote.", metavar="FILE")],
    *,
    suite: SuiteOption = None,
    task: Annotated[
        list[str] | None, typer.Option(help="Make this task's attempt again; may be given again. Default: all.", metavar="ID")
    ] = None,
    attempt: Annotated[int, typer.Option(help="Which attempt of each task, from 1.", metavar="N")] = 1,
    agent: Annotated[
        str | None,
        typer.Option(help="For a scripted agent: scripted:FILE. Default: what the receipt names.", metavar="NAME"),
    ] = None,
    agent_home: Annotated[
        Path | None, typer.Option(help="What the run had as --agent-home. Default: none.", metavar="DIR")
    ] = None,
    upstream: UpstreamOption = None,
    sandbox: SandboxOption = "bwrap",
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Make attempts of a receipt again, live.

    The receipt must verify. Coordination must come out the same; whether the
    whole receipt does, byte for byte, is told beside it: a model need not
    answer the same twice. An agent of your own is named after --, as for
    tally run. Exit code: 0 the same coordination, 1 another, or the receipt
    does not verify, 2 could not be done.
    """
    from tallystick.flows.reliability_check import CheckRequest, check_reliability  # noqa: PLC0415  # not for --help

    _check_kind(file)
    screen, argv = open_screen(), argv_of(ctx)

    def again(bundle: Bundle, loaded: LoadedSuite, state: Path) -> RunRequest:
        return _again(bundle, loaded, state, _Hand(agent, argv, agent_home, upstream, sandbox))

    wanted = CheckRequest(
        path=file,
        again=again,
        suite=None if suite is None else load_suite(suite),
        tasks=tuple(task or ()),
        attempt=attempt,
    )
    try:
        found = list(check_reliability(wanted, listener=None if json else lambda line: screen.note(safe(line))))
    except InputError as error:
        raise naming(file, error) from None
    if json:
        screen.data(_check_json(found))
    else:
        screen.say(_check_lines(found))
    raise typer.Exit(0 if all(one.coordination is None for one in found) else 1)


@dataclass(frozen=True, slots=True)
class _Hand:
    """What the reader has at hand of the agent."""

    agent: str | None
    argv: tuple[str, ...]
    home: Path | None
    upstream: str | None
    sandbox: Literal["bwrap", "none"]


def _again(bundle: Bundle, suite: LoadedSuite, state: Path, hand: _Hand) -> RunRequest:
    """The run of a bundle as this machine would make it: the same agent, the same config as far as it can be had here."""
    from tallystick.flows.run import RunRequest  # noqa: PLC0415  # not for --help

    config = bundle.config
    if config.network == "host" and hand.sandbox != "none":  # a file of others never takes the sandbox away
        raise InputError("the attempts were made with --sandbox none; to make them again so, give that")
    models = None
    if config.network == "gateway":
        options = ModelOptions(
            model=None if bundle.agent.model is UNSET else bundle.agent.model,
            upstream=hand.upstream,
            cassette=config.recording == "cassette",
            hosts=config.hosts,
            calls=None if config.limits.calls is UNSET else config.limits.calls,
            tokens=None if config.limits.tokens is UNSET else config.limits.tokens,
        )
        models = model_ways(options, settings.cache_folder())
    return RunRequest(
        suite=suite,
        adapter=_adapter(bundle.agent, suite, hand),
        state=state,
        attempts=bundle.scheduler_config.attempts,
        workers=1,
        sandbox=hand.sandbox,
        models=models,
    )


def _adapter(agent: Agent, suite: LoadedSuite, hand: _Hand) -> Adapter:
    from tallystick.cli.replaying import adapter_of  # noqa: PLC0415  # as above

    if agent.adapter == "scripted" and hand.agent is None:
        raise InputError("the agent played a script; name it with --agent scripted:FILE")
    return adapter_of(agent, suite, hand.argv, hand.home, hand.agent or _name_of(agent))


def _name_of(agent: Agent) -> str:
    """An adapter's name as --agent takes it; which cheat, partial solution or rung it is stands in the agent's."""
    if agent.adapter not in SELF_TEST_KINDS:
        return agent.adapter
    return f"{agent.adapter}:{agent.name.removeprefix(f'{agent.adapter}-')}"


def _check_lines(found: Sequence[Checked]) -> Iterator[str]:
    for one in found:
        yield f"  {named(one.task_id, 128):<40}  attempt {one.attempt}  coordination {_WORDS[one.coordination is None]}"
        if one.coordination is not None:
            parted = one.coordination
            text = f"decision {parted.position}: the receipt has {parted.one}, now {parted.other}"
            yield from wrapped(flat(text), first="      ")
        bytes_ = f"another: {flat(one.receipt)}" if one.receipt else "byte for byte the same"
        yield from wrapped(f"receipt {bytes_}", first="      ")
    bad = sum(one.coordination is not None for one in found)
    yield ""
    if bad:
        yield f"{Status.COORDINATION_DIVERGED.value}: {bad} of {plural(len(found), 'attempt')}"
    else:
        same = sum(not one.receipt for one in found)
        yield f"coordination identical in {plural(len(found), 'attempt')}; whole receipt in {same} of {len(found)}"


def _check_json(found: Sequence[Checked]) -> bytes:
    attempts: list[c1.Tree] = []
    for one in found:
        tree: dict[str, c1.Tree] = {
            "attempt": one.attempt,
            "coordination_identical": one.coordination is None,
            "receipt_difference": one.receipt,
            "receipt_identical": not one.receipt,
            "task_id": one.task_id,
        }
        if one.coordination is not None:
            parted = one.coordination
            tree |= {"position": parted.position, "recorded": parted.one, "now": parted.other}
        attempts.append(tree)
    same = all(one.coordination is None for one in found)
    return c1.dumps({"attempts": attempts, "status": (Status.MATCH if same else Status.COORDINATION_DIVERGED).value})
