"""`tally verify`: derive a claim again, and say how much of it was checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from tallystick.cli.key import signer_policy
from tallystick.cli.progress import Regrading, open_display
from tallystick.cli.replaying import agent_at_hand
from tallystick.cli.run import AgentCommand, argv_of
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.verify_view import report_lines
from tallystick.cli.words import naming
from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.flows.verify import VerifyRequest, Watching, open_file, verify_path
from tallystick.records.base import write
from tallystick.records.containers import SHARD_START
from tallystick.records.report import Level, Report, Status
from tallystick.suites.loading import load_suite
from tallystick.trust.policy import SignerPolicy

__all__ = [
    "RECEIPT",
    "RUNNING",
    "SuiteOption",
    "TrustedKeyOption",
    "TrustedOnlyOption",
    "app",
    "other_document",
    "perform",
    "replay",
    "trusting",
    "verify",
    "watched",
]

app: Final = typer.Typer()

LevelName = Literal["intact", "rederived", "regraded", "replayed"]
"""The levels that this version can reach."""
RUNNING: Final = "running the suite's tests on the submitted files, sandboxed"
_RUNNING_BARE: Final = "running the suite's tests on the submitted files, WITHOUT a sandbox: they can do all that you can"

SuiteOption = Annotated[
    str | None, typer.Option(help="The suite to judge by. Default: the packaged one of that name.", metavar="SUITE")
]
TrustedOnlyOption = Annotated[
    bool, typer.Option("--require-trusted-signer", help="Refuse a signer who is neither you nor trusted.")
]
TrustedKeyOption = Annotated[
    list[Path] | None,
    typer.Option(help="Trust this public key (JWK) for now; may be given again. Default: none.", metavar="FILE"),
]
_Json = Annotated[bool, typer.Option("--json", help="Print the report as one line of JSON.")]


@app.command(cls=AgentCommand)
def verify(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="What tally run wrote, or another file of tally.", metavar="FILE")],
    *,
    suite: SuiteOption = None,
    level: Annotated[
        LevelName | None,
        typer.Option(help="Exit 1 below this one: intact, rederived, regraded or replayed. Default: none.", metavar="LEVEL"),
    ] = None,
    agent_home: Annotated[
        Path | None,
        typer.Option(help="For replayed: the folder that the run had as --agent-home. Default: none.", metavar="DIR"),
    ] = None,
    no_exec: Annotated[bool, typer.Option("--no-exec", help="Run nothing; stops at rederived.")] = False,
    require_trusted_signer: TrustedOnlyOption = False,
    trusted_key: TrustedKeyOption = None,
    sandbox: Annotated[Literal["bwrap", "none"], typer.Option(help="none runs submitted files unguarded.")] = "bwrap",
    json: _Json = False,
) -> None:
    """Derive a bundle's score again from the evidence in it.

    Checks bytes and arithmetic, then runs the suite's tests again on the
    submitted files, in this machine's sandbox. With --level replayed it also
    runs the agent again on its recorded answers; an agent of your own is
    named after --, as for tally run. Needs no network and no key.
    Exit code: 0 verified, 1 not verified, 2 could not be read.
    """
    if no_exec and level in {"regraded", "replayed"}:
        raise InputError(f"--level {level} needs programs to run, which --no-exec forbids; give one of them")
    argv = argv_of(ctx)
    if level != "replayed" and (argv or agent_home):
        raise InputError("the agent runs again only with --level replayed; add it, or leave out what speaks of the agent")
    wanted = VerifyRequest(
        path=file,
        suite=None if suite is None else load_suite(suite),
        execute=not no_exec,
        demand=Level.claimed if level is None else Level[level],
        require_trusted_signer=require_trusted_signer,
        policy=trusting(trusted_key or []),
        sandbox=sandbox,
        replay=agent_at_hand(argv, agent_home) if level == "replayed" else None,
    )
    raise typer.Exit(perform(wanted, open_screen(), json=json))


def replay(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A bundle that carries recorded answers.", metavar="FILE")],
    *,
    suite: SuiteOption = None,
    agent_home: Annotated[
        Path | None, typer.Option(help="What the run had as --agent-home. Default: none.", metavar="DIR")
    ] = None,
    json: _Json = False,
) -> None:
    """Run a bundle's agent again on its recorded answers.

    The same as tally verify FILE --level replayed: every step before it is
    done too. Needs the agent's program, and no key and no network. An agent
    of your own is named after --, as for tally run.
    """
    wanted = VerifyRequest(
        path=file,
        suite=None if suite is None else load_suite(suite),
        demand=Level.replayed,
        policy=trusting([]),
        replay=agent_at_hand(argv_of(ctx), agent_home),
    )
    raise typer.Exit(perform(wanted, open_screen(), json=json))


def perform(request: VerifyRequest, screen: Screen, *, json: bool) -> int:
    """Verify one file and show the report; returns the exit code. Raises as `flows.verify.verify_path`."""
    other = other_document(request.path)
    if other == _SHARD:
        from tallystick.cli.documents import verify_shard  # noqa: PLC0415  # rarely needed

        return verify_shard(request.path, screen, json=json)
    if other == RECEIPT:
        from tallystick.cli.reliability import verify_receipt  # noqa: PLC0415  # rarely needed

        return verify_receipt(request, screen, json=json)
    if other is not None:
        from tallystick.cli.documents import verify_document  # noqa: PLC0415  # rarely needed

        return verify_document(request.path, other, request.demand, screen, json=json)

    try:
        with watched(screen, quiet=json, sandbox=request.sandbox) as told:
            report = verify_path(request, before_running=told.before_running, regraded=told.regraded)
    except InputError as error:
        raise naming(request.path, error) from None
    if json:
        screen.data(write(report))
    else:
        screen.say(report_lines(report, screen.style))
    return exit_code(report)


@contextmanager
def watched(screen: Screen, *, quiet: bool, sandbox: Literal["bwrap", "none"] = "bwrap") -> Iterator[Watching]:
    """Says that tests are run again, and shows how far they are."""
    with open_display(screen, quiet=quiet or not screen.live) as display:
        yield Watching(
            before_running=lambda: screen.note(RUNNING if sandbox == "bwrap" else _RUNNING_BARE),
            regraded=lambda done, total: display(Regrading(done=done, total=total)),
        )


def exit_code(report: Report) -> int:
    """0 exactly where nothing failed and nothing that was demanded is lacking."""
    return 0 if report.status is Status.MATCH else 1


def trusting(files: list[Path]) -> SignerPolicy:
    """Whom the reader knows, and for this call whoever is in `files`."""
    policy = signer_policy()
    if not files:
        return policy
    from tallystick.trust.keys import read_jwk  # noqa: PLC0415  # rarely needed

    kids = set()
    for file in files:
        with open_file(file) as stream:
            data = stream.read(limits.KEY_BYTES + 1)
        try:
            kids.add(read_jwk(data).kid)
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
    return SignerPolicy(own=policy.own, trusted=policy.trusted | kids)


_HEAD: Final = b'{"_type":"tallystick/'
_BUNDLE: Final = b"bundle/"
RECEIPT: Final = "tallystick/reliability/v1"
_SHARD: Final = "tallystick/shard/v1"


def other_document(path: Path) -> str | None:
    """The `_type` of a document of ours that is no bundle; None for a bundle and for whatever the bundle reader refuses.

    In C1 a document's `_type` comes first, after members with upper-case names, of which ours have none.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        return None  # a pipe gives its bytes once
    with open_file(path) as stream:
        start = stream.read(len(_HEAD) + 64)
    if start.startswith(SHARD_START):
        return _SHARD
    if start.startswith(b'{"crv":'):
        raise InputError(f"{path} is a public key; to trust its owner: tally key trust {path}")
    if not start.startswith(_HEAD) or start[len(_HEAD) :].startswith(_BUNDLE):
        return None
    kind, quote, _ = start[len(b'{"_type":"') :].partition(b'"')
    return kind.decode("ascii", "replace") if quote else None
