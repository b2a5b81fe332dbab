"""The act behind `tally run`: check what was asked, run, sign, write, say what came of it."""

from __future__ import annotations

import dataclasses
import os
import shlex
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from tallystick.cli import settings
from tallystick.cli.key import key_store
from tallystick.cli.progress import open_display
from tallystick.cli.run import RunOptions
from tallystick.cli.run_view import (
    Plan,
    Written,
    heading,
    plan_lines,
    result_json,
    result_lines,
    shard_json,
    shard_lines,
    stopped_lines,
)
from tallystick.cli.screen import Screen
from tallystick.cli.stopping import stop_in_order
from tallystick.cli.targets import Target, check_writable, file_name, planned_target
from tallystick.cli.text import safe
from tallystick.cli.ways import model_ways, provider_keys, way_lines
from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.flows.adapters import AgentRequest, make_adapter
from tallystick.flows.harness.folders import own_tasks_folder
from tallystick.flows.publishing import publish, set_aside
from tallystick.flows.reliability import Published, publish_reliability
from tallystick.flows.run import RunDone, RunRequest, check_counts, run
from tallystick.flows.shard import publish_shard
from tallystick.flows.writing import check_apart
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle
from tallystick.records.containers import Container
from tallystick.records.evidence import Attempt
from tallystick.records.shard import Shard
from tallystick.runner.adapters import Adapter, Launch
from tallystick.runner.byte_code import is_compiled
from tallystick.runner.executor import ProgressListener
from tallystick.sandbox.drivers import probe
from tallystick.suites.compiled import SUITE_FILE
from tallystick.suites.loading import LoadedSuite, load_for_running
from tallystick.trust.signing import Signer

if TYPE_CHECKING:
    from tallystick.flows.models import ModelWays
    from tallystick.flows.opinions import JudgeWays

__all__ = [
    "EXIT_REFUSED",
    "FLOWS",
    "Flows",
    "adapter_of",
    "asked_for",
    "known_signer",
    "new_signer",
    "perform",
    "request_of",
]

EXIT_REFUSED: Final = 2
COHORT: Final = "cohort:"
"""Before the folder of a cohort, where a suite is asked for."""


class Flows(Protocol):
    """The acts that `tally run` calls; tests hand in others."""

    def run(
        self, request: RunRequest, *, listener: ProgressListener | None = None, cancel: threading.Event | None = None
    ) -> RunDone:
        """As `flows.run.run`."""
        ...

    def publish(
        self, done: RunDone, signer: Signer | None, out: Path, container: Container | None = None
    ) -> tuple[Bundle, Path]:
        """As `flows.publishing.publish`."""
        ...

    def publish_reliability(self, done: RunDone, signer: Signer | None, out: Path) -> Published:
        """As `flows.reliability.publish_reliability`."""
        ...

    def publish_shard(self, done: RunDone, out: Path) -> tuple[Shard, Path]:
        """As `flows.shard.publish_shard`."""
        ...


class _RealFlows:
    run = staticmethod(run)
    publish = staticmethod(publish)
    publish_reliability = staticmethod(publish_reliability)
    publish_shard = staticmethod(publish_shard)


FLOWS: Final[Flows] = _RealFlows()


def perform(options: RunOptions, screen: Screen, flows: Flows) -> int:
    """Run what `options` ask for; returns the exit code.

    Raises:
        InputError: something is wrong with what was asked, found before anything runs.
        TallyError: the sandbox, the state folder or the disk failed.
    """
    options, suite = _resolved(options)
    request = _asked(options, suite)
    adapter = request.adapter
    target = planned_target(options, suite, adapter)
    plan = _plan(request, target, options)
    if options.dry_run:
        screen.say(plan_lines(plan, screen.style, problem=_sandbox_problem(options)))
        return 0
    signer = known_signer(options.key) if options.sign and options.share is None else None
    if not options.quiet:
        screen.note(*heading(plan))
        if request.models is not None and not is_compiled(adapter, request.models.cache):
            screen.note(f"compiling {adapter.agent.name} first, which takes a minute and is done once")
    cancel = threading.Event()
    with open_display(screen, quiet=options.quiet) as display, stop_in_order(cancel) as stop:
        done = flows.run(request, listener=display, cancel=cancel)
    for line in done.executed.notes:
        screen.note(f"models: {safe(line, 500)}")
    if done.executed.stopped:
        screen.note(*stopped_lines(len(done.executed.attempts), done.folder))
        return stop.code
    if done.share is not None:
        return _finish_shard(options, screen, done, flows.publish_shard(done, target.path))
    return _publish(options, screen, done, target, _Publisher(flows, signer, _suite_option(suite, options)))


@dataclass(frozen=True, slots=True)
class _Publisher:
    """By whom a finished run is signed and written, and what its readers have to name beside the file."""

    flows: Flows
    signer: Signer | None
    suite_option: str


def _publish(options: RunOptions, screen: Screen, done: RunDone, target: Target, by: _Publisher) -> int:
    """Sign and write a finished run, and say what came of it."""
    signer, flows = by.signer, by.flows
    if signer is None and options.sign:
        signer = new_signer(screen)
    if options.out is None and done.bundle is not None:
        for former, aside in set_aside(target.path, done.bundle):
            screen.note(f"{former} was of another run; it is now {aside}")
    if options.reliability:
        return _finish_floor(options, screen, done, flows.publish_reliability(done, signer, target.path), by.suite_option)
    bundle, path = flows.publish(done, signer, target.path, target.container)
    return _finish(options, screen, done, Written(bundle, path, done.executed.resumed, by.suite_option))


def asked_for(options: RunOptions) -> RunRequest:
    """What the line asks for, checked; nothing runs yet. Raises `InputError`."""
    return _asked(*_resolved(options))


def _asked(options: RunOptions, suite: LoadedSuite) -> RunRequest:
    request = request_of(options, suite, adapter_of(options, suite))
    check_counts(request)
    return request


def _resolved(options: RunOptions) -> tuple[RunOptions, LoadedSuite]:
    """The suite that is named; of a cohort its own suite, with the tasks that it still has, and nothing that overrides them."""
    if not options.suite.startswith(COHORT):
        if options.out is not None:
            check_apart(options.out, (Path(options.suite), Path(options.suite) / SUITE_FILE))
        return options, load_for_running(options.suite, own_tasks_folder(options.state))
    from tallystick.flows.cohort.opening import where_at  # noqa: PLC0415  # most runs are of suites
    from tallystick.flows.cohort.running import suite_to_run  # noqa: PLC0415  # as above

    found = suite_to_run(where_at(Path(), Path(options.suite.removeprefix(COHORT))), options.tasks)
    if options.out is not None:
        check_apart(options.out, found.sources)
    return dataclasses.replace(options, suite=str(found.path), tasks=found.tasks), found.suite


def _suite_option(suite: LoadedSuite, options: RunOptions) -> str:
    return "" if suite.origin == "packaged" else f" --suite {shlex.quote(options.suite)}"


def adapter_of(options: RunOptions, suite: LoadedSuite) -> Adapter:
    """How the agent of a command line is started; raises `InputError` where none can be."""
    if options.agent is None and not options.argv:
        raise InputError(
            f"no agent: give its command line, as in: tally run {shlex.quote(options.suite)} -- my-agent '{{instruction}}'; "
            "or try the suite itself with --agent oracle"
        )
    if options.argv and options.agent not in {None, "command"}:
        raise InputError(f"either --agent {options.agent} or a command line after --, not both")
    if not options.argv and (options.mounts or options.name or options.agent_version):
        raise InputError("--mount, --name and --agent-version speak of the command line after --, and there is none")
    if options.argv and options.agent_home:
        raise InputError("--agent-home is for the agents of tally agent list; show your own agent its files with --mount")
    wanted = AgentRequest(
        name=options.agent or "command",
        argv=options.argv,
        cwd=Path.cwd(),
        search_path=settings.search_path(),
        mounts=options.mounts,
        seed=options.seed,
        label=options.name,
        version=options.agent_version,
        never=settings.homes(),
        hidden=settings.hidden_from_agents(options.state),
        model=options.models.model,
        agent_home=options.agent_home,
        state=options.state,
        secrets=provider_keys(),
    )
    return make_adapter(wanted, suite)


def _models(options: RunOptions, adapter: Adapter) -> ModelWays | None:
    """The ways to models, where the agent asks any; refused where options speak of models and it does not."""
    if adapter.agent.rules is not UNSET:
        return model_ways(options.models, settings.cache_folder())
    if options.models.said and options.judge_model is None:
        raise InputError(
            "options such as --upstream and --max-calls are about models, and this agent asks none; give --model NAME"
            if options.argv
            else f"{adapter.agent.name} asks no models; leave out --model and what belongs to it"
        )
    return None


def _judge(options: RunOptions) -> JudgeWays | None:
    """The model that is asked for its opinion, if one is."""
    if options.judge_model is None:
        return None
    ways = model_ways(options.models, settings.cache_folder())
    from tallystick.flows.opinions import judge_of  # noqa: PLC0415  # loads the gateway

    return judge_of(options.judge_model, ways)


def request_of(options: RunOptions, suite: LoadedSuite, adapter: Adapter) -> RunRequest:
    """What a command line asks to run, with its ways to models."""
    check_writable(options.state, "--state")
    return RunRequest(
        suite=suite,
        adapter=adapter,
        state=options.state,
        attempts=options.attempts,
        tasks=options.tasks,
        limit=options.limit,
        workers=options.workers,
        budget=options.budget,
        fresh=options.fresh,
        sandbox=options.sandbox,
        share=options.share,
        models=_models(options, adapter),
        judge=_judge(options),
    )


def _plan(request: RunRequest, target: Target, options: RunOptions) -> Plan:
    suite = request.suite
    named = {suite.task(name).id for name in request.tasks}
    tasks = tuple(task for task in suite.tasks if not named or task.id in named)[: request.limit]
    launch = request.adapter.plan(suite, tasks[0], Attempt(index=1, of=request.attempts)) if tasks else None
    mounts = launch.mounts if isinstance(launch, Launch) else ()
    return Plan(
        suite=suite.version,
        tasks=tasks,
        all_tasks=len(suite.tasks),
        attempts=request.attempts,
        agent=request.adapter.agent,
        workers=request.workers,
        sandbox=request.sandbox,
        budget=request.budget,
        mounts=tuple(f"{mount.source} as {mount.target}" for mount in mounts),
        unmounted=tuple(_unmounted(options.argv, [Path(mount.source) for mount in mounts])),
        out=file_name(target, request),
        signed=options.sign,
        share=request.share,
        models=() if request.models is None else tuple(way_lines(request.models)),
    )


def _unmounted(argv: tuple[str, ...], sources: list[Path]) -> Iterator[str]:
    """Files and folders here that the command line names (or `--option=PATH` does) and the sandbox does not show."""
    for word in argv[1:]:
        named = word.partition("=")[2] if word.startswith("-") else word
        if not named or len(named) > limits.PATH_BYTES or "\0" in named:
            continue
        path = Path(os.path.normpath(Path.cwd() / named))
        hidden = not any(path.is_relative_to(place) for place in (Path("/usr"), *sources))
        if hidden and path.exists():
            yield named


def _sandbox_problem(options: RunOptions) -> str | None:
    return probe().problem if options.sandbox == "bwrap" else None


def known_signer(key: str | None) -> Signer | None:
    """The key of this name that will sign, opened before anything runs; None where there is none yet and none is named."""
    store = key_store()
    if key is None and not any(entry.standing == "self" for entry in store.entries()):
        return None
    return store.signer(key)


def new_signer(screen: Screen) -> Signer:
    """The first key, made when it is needed; told of, whatever else is quiet."""
    store = key_store()
    signer, is_new = store.signer_or_new()
    if is_new:
        screen.note(
            f"made a signing key: {signer.public.kid}",
            f"it is in {store.folder}; keep a copy: who has it can sign as you",
        )
    return signer


def _finish(options: RunOptions, screen: Screen, done: RunDone, written: Written) -> int:
    if options.json:
        screen.data(result_json(written))
    elif options.quiet:
        screen.say([str(written.path)])
    else:
        screen.say(result_lines(written, screen.style))
    return EXIT_REFUSED if done.executed.refused else 0


def _finish_floor(options: RunOptions, screen: Screen, done: RunDone, published: Published, suite_option: str) -> int:
    """1 where attempts of a task were not made under one coordination: nobody verifies such a floor."""
    from tallystick.cli.reliability_view import published_json, published_lines  # noqa: PLC0415  # other runs need none

    if options.json:
        screen.data(published_json(published, done.executed.resumed))
    elif options.quiet:
        screen.say([str(published.path)])
    else:
        screen.say(published_lines(published, suite_option, screen.style, done.executed.resumed))
    if done.executed.refused:
        return EXIT_REFUSED
    return 0 if published.receipt.coordination_ok else 1


def _finish_shard(options: RunOptions, screen: Screen, done: RunDone, made: tuple[Shard, Path]) -> int:
    shard, path = made
    if options.json:
        screen.data(shard_json(shard, path, done.executed.resumed))
    elif options.quiet:
        screen.say([str(path)])
    else:
        screen.say(shard_lines(shard, path, done.executed.resumed))
    return EXIT_REFUSED if done.executed.refused else 0
