"""The act of running: what is refused before anything runs, resuming, partial runs, and the file that comes out."""

from __future__ import annotations

import stat
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.recording.durable import StoreError
from tallystick.recording.runs import RunBusyError
from tallystick.records.containers import open_bundle
from tallystick.runner.mock import MockAdapter, StochasticMockAdapter
from tallystick.trust.signing import Signer
from tests.support.fake_sandbox import TINY


def asked(state: Path, **members: Any) -> RunRequest:
    return RunRequest(**({"suite": TINY, "adapter": MockAdapter(), "state": state} | members))


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"attempts": 0}, "-k"),
        ({"attempts": 10_001}, "-k"),
        ({"workers": 0}, "--workers"),
        ({"limit": 0}, "--limit"),
        ({"budget": 0}, "--budget"),
        ({"budget": Decimal("-0.5")}, "--budget"),
        ({"budget": 1, "sandbox": "none"}, "cannot be held"),
        ({"tasks": ("write_file", "write_fil")}, "has no task 'write_fil'"),
    ],
)
def test_a_bad_request_is_refused_before_anything_is_written(members: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        run(asked(tmp_path / "state", **members))
    assert not (tmp_path / "state").exists()


def test_a_whole_run(tmp_path: Path) -> None:
    done = run(asked(tmp_path, attempts=2))
    assert done.bundle is not None
    assert [(row.task_id, row.attempt.index) for row in done.bundle.task_results] == [
        (task.id, index) for task in TINY.tasks for index in (1, 2)
    ]
    assert not done.partial
    assert (done.executed.resumed, done.executed.stopped) == (0, False)


def test_the_same_request_resumes_and_another_does_not(tmp_path: Path) -> None:
    first = run(asked(tmp_path))
    again = run(asked(tmp_path))
    assert (again.folder, again.executed.resumed) == (first.folder, 3)
    assert again.executed.attempts == first.executed.attempts
    for other in ({"attempts": 2}, {"tasks": ("fix_bug",)}, {"adapter": StochasticMockAdapter(3)}):
        assert run(asked(tmp_path, **other)).executed.resumed == 0
    anew = run(asked(tmp_path, fresh=True))
    assert anew.folder != first.folder
    assert run(asked(tmp_path)).folder == anew.folder


def test_workers_and_budget_do_not_make_another_run(tmp_path: Path) -> None:
    first = run(asked(tmp_path, workers=1))
    assert run(asked(tmp_path, workers=3, budget=5)).folder == first.folder


def test_some_tasks_make_a_partial_run(tmp_path: Path) -> None:
    for members, tasks in (({"tasks": ("fix_bug", "write_file")}, ["write_file", "fix_bug"]), ({"limit": 1}, ["write_file"])):
        done = run(asked(tmp_path, **members))
        assert done.partial
        assert done.bundle is not None
        assert [row.task_id for row in done.bundle.task_results] == tasks


def test_a_stopped_run_has_no_bundle_and_resumes(tmp_path: Path) -> None:
    cancel = threading.Event()
    stopped = run(asked(tmp_path, workers=1), listener=lambda progress: cancel.set() if progress.done else None, cancel=cancel)
    assert stopped.executed.stopped
    assert stopped.bundle is None
    with pytest.raises(RuntimeError):
        publish(stopped, None, tmp_path / "b.json")
    assert run(asked(tmp_path)).executed.resumed == len(stopped.executed.attempts) == 1


def test_a_run_that_another_holds(tmp_path: Path) -> None:
    from tallystick.recording.runs import RunFolder  # noqa: PLC0415

    done = run(asked(tmp_path))
    state = RunFolder(done.folder, done_state(done))
    with state.locked(), pytest.raises(RunBusyError):
        run(asked(tmp_path))


def done_state(done: RunDone) -> Any:
    from tallystick.records.state import parse_run_state  # noqa: PLC0415

    return parse_run_state((done.folder / "run.json").read_bytes())


@pytest.mark.parametrize(("name", "container"), [("b.json", "json"), ("b.tally", "tally"), ("plain", "json"), ("v1.2", "json")])
def test_the_published_file_opens_as_what_was_made(name: str, container: str, tmp_path: Path) -> None:
    done = run(asked(tmp_path / "state"))
    wanted = "tally" if container == "tally" else None
    bundle, path = publish(done, Signer.generate(), tmp_path / "new folder" / name, wanted)
    assert path.name.startswith(name)
    with path.open("rb") as stream:
        file = open_bundle(stream)
        assert (file.container, file.bundle.bundle_hash) == (container, bundle.bundle_hash)
        assert file.bundle.signature == bundle.signature
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_publishing_replaces_a_file_and_refuses_a_folder(tmp_path: Path) -> None:
    done = run(asked(tmp_path / "state"))
    target = tmp_path / "b.json"
    target.write_text("old")
    publish(done, None, target)
    assert target.read_bytes().startswith(b"{")
    assert stat.S_IMODE(target.stat().st_mode) & 0o400
    with pytest.raises(InputError, match="is a folder"):
        publish(done, None, tmp_path)


def test_a_place_that_cannot_be_written_keeps_the_run(tmp_path: Path) -> None:
    done = run(asked(tmp_path / "state"))
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="--out"):
        publish(done, None, tmp_path / "file" / "b.json")
    assert run(asked(tmp_path / "state")).executed.resumed == 3
