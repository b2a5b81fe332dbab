"""The act of running: suite and agent in, attempts stored, a bundle out."""

from __future__ import annotations

import contextlib
import dataclasses
import platform
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import tallystick
from tallystick.attest.bundle import BundleInputs, build
from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.core.exact import Num
from tallystick.flows.finished import evidence_of
from tallystick.recording.blobs import BlobStore
from tallystick.recording.runs import RunFolder, find_run, new_run
from tallystick.records.base import UnsetType, write
from tallystick.records.bundle import Bundle
from tallystick.records.evidence import Attempt, Config, run_id_of
from tallystick.records.shard import Share
from tallystick.records.state import RunState
from tallystick.records.task import Task
from tallystick.records.traffic.cassette import Call
from tallystick.records.traffic.secrets import find_secrets
from tallystick.runner.adapters import Adapter, rules_of
from tallystick.runner.attempt import Workbench
from tallystick.runner.byte_code import compiled
from tallystick.runner.executor import Executed, ProgressListener, execute
from tallystick.runner.grading import GradePasser, SandboxGrader
from tallystick.runner.mock import MockGrader
from tallystick.sandbox.drivers import SandboxName, open_sandbox
from tallystick.sandbox.spec import Sandbox
from tallystick.suites.loaded import LoadedSuite

if TYPE_CHECKING:
    from tallystick.flows.models import Keeping, ModelWays
    from tallystick.flows.opinions import JudgeWays
    from tallystick.flows.secret_scan import SecretFound
    from tallystick.sandbox.pinning import Launcher

__all__ = ["RunDone", "RunRequest", "check_counts", "keys_of", "make_bench", "run", "with_models"]

MOST = limits.ATTEMPTS
"""Attempts, workers or tasks that a user can ask for."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run, and where to keep it."""

    suite: LoadedSuite
    adapter: Adapter
    state: Path
    attempts: int = 1
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    workers: int = 2
    budget: Num | None = None
    fresh: bool = False
    sandbox: SandboxName = "bwrap"
    share: Share | None = None
    models: ModelWays | None = None
    """How models are reached; None where the agent asks none."""
    judge: JudgeWays | None = None
    """The model that is asked for its opinion of each graded attempt; None for none."""


@dataclass(frozen=True, slots=True)
class RunDone:
    """What came of it. `inputs` is None when the run was stopped before its last attempt.

    Of one share of a run there is no `bundle`; `flows.shard.publish_shard` writes what there is.
    """

    folder: Path
    executed: Executed
    inputs: BundleInputs | None
    bundle: Bundle | None
    partial: bool
    share: Share | None = None
    secrets: tuple[SecretFound, ...] = ()
    """Keys, or what looks like one, in what would be published."""


def run(request: RunRequest, *, listener: ProgressListener | None = None, cancel: threading.Event | None = None) -> RunDone:
    """Run what is not finished yet and derive the bundle.

    Raises:
        InputError: nothing to run, bad counts, a budget that cannot be held.
        SandboxUnavailableError: this machine cannot start the sandbox.
        RunBusyError, StoreError: another process has the run, or the state folder failed.
    """
    tasks = _chosen(request)
    _check_judge(request, tasks)
    for task in tasks:  # what an adapter cannot do is said before anything runs
        request.adapter.plan(request.suite, task, Attempt(index=1, of=request.attempts))
    _check_agent(request)
    store = BlobStore(request.state / "blobs")
    bench, found = make_bench(request, store, cancel or threading.Event())
    folder = _folder(request, bench, tasks)
    with folder.locked(), with_models(request, bench, found, folder) as ready:
        _keep_documents(bench, store)
        executed = execute(
            ready,
            folder,
            tasks,
            workers=request.workers,
            budget=request.budget,
            listener=listener,
            share=request.share,
        )
        if request.judge is not None and not executed.stopped:
            executed = _with_opinions(request.judge, request.suite, folder, executed, bench)
    partial = len(tasks) < len(request.suite.tasks)
    if executed.stopped:
        return RunDone(folder.path, executed, None, None, partial)
    inputs = _inputs(request, bench, tasks, executed, store)
    secrets = _secrets(inputs, request)
    if request.models is not None and request.models.withhold_secrets:
        inputs = dataclasses.replace(inputs, withheld=frozenset(found.blob for found in secrets if found.blob is not None))
        secrets = tuple(found for found in secrets if found.blob is None)
    if request.share is not None:
        return RunDone(folder.path, executed, inputs, None, partial, request.share, secrets)
    return RunDone(folder.path, executed, inputs, build(inputs), partial, secrets=secrets)


def _with_opinions(judge: JudgeWays, suite: LoadedSuite, folder: RunFolder, executed: Executed, bench: Workbench) -> Executed:
    from tallystick.flows.opinions import add_opinions  # noqa: PLC0415  # for runs with a model judge

    return add_opinions(judge, suite, folder, executed, bench)


def _check_judge(request: RunRequest, tasks: tuple[Task, ...]) -> None:
    if request.judge is None:
        return
    if request.share is not None:
        raise InputError("--judge-model asks about a whole run, and --shard runs a part of one; leave out one of them")
    if all(isinstance(task.rubric, UnsetType) for task in tasks):
        raise InputError(f"no task of {request.suite.version} names a rubric for a model; leave out --judge-model")


def _check_agent(request: RunRequest) -> None:
    """Refuse a command line with a key in it: it stands in every file about the run, and nothing can be withheld of it."""
    found = find_secrets(write(request.adapter.agent), keys_of(request.models))
    if found:
        raise InputError(
            f"the agent's command line holds what looks like a key ({found[0].kind}), and it would be published; "
            "set the provider's variable instead: tally adds the key outside the sandbox"
        )


def keys_of(models: ModelWays | None) -> tuple[bytes, ...]:
    """The keys that a run holds."""
    return () if models is None else tuple(way.key.encode() for way in models.ways.values() if way.key)


def _secrets(inputs: BundleInputs, request: RunRequest) -> tuple[SecretFound, ...]:
    if request.models is None and request.judge is None:
        return ()
    from tallystick.flows.secret_scan import find_in_evidence  # noqa: PLC0415  # for runs with keys

    judge = None if request.judge is None else request.judge.ways
    return find_in_evidence(inputs, (*keys_of(request.models), *keys_of(judge)))


def _chosen(request: RunRequest) -> tuple[Task, ...]:
    check_counts(request)
    known = {task.id for task in request.suite.tasks}
    for name in request.tasks:
        if name not in known:
            raise InputError(f"{request.suite.version} has no task {name!r}; it has {', '.join(sorted(known))}")
    tasks = tuple(task for task in request.suite.tasks if not request.tasks or task.id in request.tasks)
    return tasks if request.limit is None else tasks[: request.limit]


def check_counts(request: RunRequest) -> None:
    """Refuse numbers that cannot be meant; `run` does it too, a caller may want it before saying anything.

    Raises:
        InputError: naming the option.
    """
    for name, value in (("-k", request.attempts), ("--workers", request.workers), ("--limit", request.limit)):
        if value is not None and not 1 <= value <= MOST:
            raise InputError(f"{name} {value}: give a number from 1 to {MOST}")
    _check_share(request)
    if request.budget is not None and request.budget <= 0:
        raise InputError(f"--budget {request.budget}: give US dollars above 0")
    if request.budget is not None and request.sandbox == "none":
        raise InputError("--budget cannot be held in the sandbox 'none': what an agent spends there cannot be seen")
    if request.models is not None and request.sandbox == "none":
        raise InputError("models are asked through a door that only the sandbox 'bwrap' has; leave out --sandbox none")


def _check_share(request: RunRequest) -> None:
    if request.share is None:
        return
    if request.tasks or request.limit is not None:
        raise InputError("--shard divides the whole suite; --task and --limit choose a part of it: give either")
    count = len(request.suite.tasks) * request.attempts
    if request.share.of > count:
        raise InputError(f"--shard: {count} attempts make {count} shards at most, not {request.share.of}")


class _NoSandbox:
    """Stands where the mocks need no sandbox: whoever starts a program with it made a mistake."""

    def run(self, *_: object, **__: object) -> NoReturn:
        raise RuntimeError("a mock starts no program")


def make_bench(request: RunRequest, store: BlobStore, stop: threading.Event) -> tuple[Workbench, Launcher | None]:
    """The bench of a run, still without its way to models, and the launcher that holds the pins of its config."""
    mock = request.adapter.agent.adapter in {"mock", "stochastic-mock"}
    sandbox: Sandbox = _NoSandbox() if mock else open_sandbox(request.sandbox)
    grader: GradePasser = MockGrader() if mock else SandboxGrader(sandbox, stop)
    config, found = _config(request, mock=mock)
    bench = Workbench(
        suite=request.suite,
        adapter=request.adapter,
        config=config,
        sandbox=sandbox,
        grader=grader,
        store=store,
        python=platform.python_version(),
        cancel=stop,
    )
    return bench, found


def _config(request: RunRequest, *, mock: bool) -> tuple[Config, Launcher | None]:
    if request.models is not None:
        from tallystick.flows.models import config_for, pins_here  # noqa: PLC0415  # where no models are asked, not loaded

        pins, found, _ = pins_here(request.models.cache)
        return config_for(request.models, pins), found
    inside = mock or request.sandbox == "bwrap"
    return Config(sandbox="none" if mock else request.sandbox, network="none" if inside else "host", policy="v1"), None


@contextlib.contextmanager
def with_models(request: RunRequest, bench: Workbench, found: Launcher | None, folder: RunFolder | None) -> Iterator[Workbench]:
    """The bench with its way to models open, where the run has one.

    What a cut-off try has paid for is not paid for again; without a folder nothing is known of earlier tries, and nothing kept.
    """
    if request.models is None:
        yield bench
        return
    from tallystick.flows.models import open_models  # noqa: PLC0415  # as in _config

    opened = open_models(request.models, rules_of(request.adapter), bench.store, found, _keeping(bench, folder))
    with opened as models:
        adapter = compiled(bench.adapter, bench.sandbox, request.models.cache)
        yield dataclasses.replace(bench, models=models, adapter=adapter)


def _keeping(bench: Workbench, folder: RunFolder | None) -> Keeping:
    from tallystick.flows.models import Keeping  # noqa: PLC0415  # as in _config

    if folder is None:
        return Keeping()

    def note(task: Task, attempt: Attempt, call: Call) -> None:
        bench.store.flush()  # first the blobs, then the line that names them
        folder.note_call(task.id, attempt, call)

    return Keeping(
        paid=lambda task, attempt: folder.paid_calls(task.id, attempt),
        note=note,
    )


def _folder(request: RunRequest, bench: Workbench, tasks: tuple[Task, ...]) -> RunFolder:
    names = tuple(task.id for task in tasks)
    run_id = run_id_of(request.suite.suite_hash, bench.adapter.agent, bench.config)
    place = request.state
    if request.share is not None:  # shards of one run on one disk neither wait for each other nor see each other's attempts
        place = place / "shards" / f"{request.share.index}-of-{request.share.of}"
    found = None if request.fresh else find_run(place, run_id, request.suite.version, names, request.attempts)
    if found is not None:
        return found
    state = RunState(
        run_id=run_id,
        suite_hash=request.suite.suite_hash,
        suite_version=request.suite.version,
        agent=bench.adapter.agent,
        config=bench.config,
        tasks=names,
        attempts=request.attempts,
        ordinal=1,
        started_at=int(time.time()),
    )
    return new_run(place, state)


def _keep_documents(bench: Workbench, store: BlobStore) -> None:
    store.put(write(bench.adapter.agent))
    store.put(write(bench.config))
    store.flush()


def _inputs(
    request: RunRequest, bench: Workbench, tasks: tuple[Task, ...], executed: Executed, store: BlobStore
) -> BundleInputs:
    return BundleInputs(
        suite=request.suite.document,
        agent=bench.adapter.agent,
        config=bench.config,
        evidence=tuple(evidence_of(finished, store) for finished in executed.attempts),
        attempts=request.attempts,
        submitted_at=int(time.time()),
        harness_version=tallystick.__version__,
        blobs=store,
        suite_blobs=request.suite.blobs,
        tasks=tuple(task.id for task in tasks),
    )
