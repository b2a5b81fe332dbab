"""Honest bundles for the whole session, of real attempts: what every lie starts from."""

from __future__ import annotations

import dataclasses
import io
import tarfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tallystick.flows.publishing import publish
from tallystick.flows.replay import ReplayRequest
from tallystick.flows.run import RunRequest, run
from tallystick.recording.runs import new_run
from tallystick.records.evidence import Agent, Attempt, Config, run_id_of
from tallystick.records.state import RunState
from tallystick.records.task import Task
from tallystick.records.tree import Overlay
from tallystick.runner.adapters import Launch, OracleAdapter
from tallystick.sandbox.drivers import probe
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer
from tests.attacks.kit import ALL, DOC, FILES, GEN, LINT, REFACTOR
from tests.support.judged import judge_run, judged_suite
from tests.support.recorded import RECORDED, Asking, record

CHEATS = {(REFACTOR, 2): "lookup_forgotten", (LINT, 2): "noqa_comments"}
SLOPPY = (FILES, 1)
"""Writes two files that nobody asked for in this form, and that no suite holds."""
TALKATIVE = (DOC, 2)
"""Does all that was asked, and is stopped at the limit of its output."""


@dataclass(frozen=True)
class Honest:
    """Files of honest runs, and what they hold."""

    json: bytes
    tally: bytes
    donor: bytes
    kid: str
    suite: LoadedSuite | None = field(default=None, compare=False)
    """The reader's suite, where it is none of the packaged ones."""
    replay: ReplayRequest | None = field(default=None, compare=False)


class MixedAgent:
    """Solves most tasks, cheats or fails at some, and talks too much once. It says of itself that it is scripted."""

    agent = Agent(adapter="scripted", name="mixed", self_test=True)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay | Launch:
        assert isinstance(task.solution, Overlay)
        key = (task.id, attempt.index)
        if key == SLOPPY:
            return Launch(("sh", "-c", "mkdir out && echo nothing > out/report.csv && echo '{}' > out/summary.json"))
        if key == TALKATIVE:
            return Launch(("sh", "-c", "tar -x && yes"), stdin=_tar(suite, task.solution))
        if key in CHEATS:
            return next(one.overlay for one in suite.cheats if (one.task_id, one.name) == (task.id, CHEATS[key]))
        return task.solution


def _tar(suite: LoadedSuite, overlay: Overlay) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for record in suite.tree(overlay.tree).records:
            assert isinstance(record.digest, str)
            info = tarfile.TarInfo(record.path)
            info.size = int(record.size)  # type: ignore[arg-type]
            tar.addfile(info, io.BytesIO(suite.blobs.read(record.digest)))
    return packed.getvalue()


def _begin_and_die(suite: LoadedSuite, state: Path) -> None:
    """Leave what a killed process leaves: a run in which the first attempt at one task was begun and never ended."""
    config = Config(sandbox="bwrap", network="none", policy="v1")
    run_state = RunState(
        run_id=run_id_of(suite.suite_hash, MixedAgent.agent, config),
        suite_hash=suite.suite_hash,
        suite_version=suite.version,
        agent=MixedAgent.agent,
        config=config,
        tasks=tuple(task.id for task in suite.tasks),
        attempts=2,
        ordinal=1,
        started_at=int(time.time()),
    )
    new_run(state, run_state).begin(GEN, Attempt(index=1, of=2))


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Honest:
    """golden-v1, two attempts, in the sandbox: six of ten passed, one attempt cut off before and tried again."""
    seen = probe()
    if not seen.works:
        pytest.skip(f"bubblewrap cannot start here: {seen.problem}")
    folder, suite, signer = tmp_path_factory.mktemp("honest"), load_suite("golden-v1"), Signer.generate()
    _begin_and_die(suite, folder / "state")
    done = run(RunRequest(suite, MixedAgent(), folder / "state", attempts=2))
    other = run(RunRequest(suite, OracleAdapter(), folder / "state", sandbox="none"))
    assert done.bundle is not None
    passed = {(one.task_id, one.attempt.index) for one in done.bundle.task_results if one.passed}
    assert set(ALL) - passed == {*CHEATS, SLOPPY, TALKATIVE}, "an honest attempt failed here: is this machine overloaded?"
    publish(done, signer, folder / "honest.json", "json")
    publish(done, signer, folder / "honest.tally", "tally")
    publish(other, signer, folder / "donor.json", "json")
    return Honest(
        json=(folder / "honest.json").read_bytes(),
        tally=(folder / "honest.tally").read_bytes(),
        donor=(folder / "donor.json").read_bytes(),
        kid=signer.public.kid,
    )


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Honest:
    """Two tasks, two attempts, an agent that asks a model through the gateway: three of four passed."""
    seen = probe()
    if not seen.works:
        pytest.skip(f"bubblewrap cannot start here: {seen.problem}")
    folder, signer = tmp_path_factory.mktemp("recorded"), Signer.generate()
    done = record(folder)
    assert done.bundle is not None
    assert [one.passed for one in done.bundle.task_results] == [True, False, True, True]
    files = {}
    for container in ("json", "tally"):
        path = folder / f"recorded.{container}"
        publish(done, signer, path, container)  # type: ignore[arg-type]
        files[container] = path.read_bytes()
    again = ReplayRequest(lambda agent, suite: Asking(), folder / "cache")  # noqa: ARG005 - the Protocol's shape
    return Honest(files["json"], files["tally"], files["json"], signer.public.kid, RECORDED, again)


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Honest:
    """One task, three attempts, the static judge and a model's opinion of each: two of three passed."""
    seen = probe()
    if not seen.works:
        pytest.skip(f"bubblewrap cannot start here: {seen.problem}")
    folder, signer = tmp_path_factory.mktemp("judged"), Signer.generate()
    suite = judged_suite(folder / "suite")
    done = judge_run(folder, suite)
    assert done.bundle is not None
    assert [one.passed for one in done.bundle.task_results] == [True, True, False]
    done = dataclasses.replace(done, secrets=())  # the third attempt's file holds what looks like a key; nobody's
    files = {}
    for container in ("json", "tally"):
        path = folder / f"judged.{container}"
        publish(done, signer, path, container)  # type: ignore[arg-type]
        files[container] = path.read_bytes()
    return Honest(files["json"], files["tally"], files["json"], signer.public.kid, suite)
