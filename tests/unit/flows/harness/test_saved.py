"""Saved evaluations: names that are free, nothing replaced, damaged ones named."""

from __future__ import annotations

import threading
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.harness.saved import load, newest, run_ids, save
from tests.unit.records.samples import EVAL_RUN


def test_two_of_one_second_do_not_replace_each_other(tmp_path: Path) -> None:
    names = [save(tmp_path, EVAL_RUN).run_id for _ in range(3)]
    assert names == ["eval_run_20251009_085320", "eval_run_20251009_085320_2", "eval_run_20251009_085320_3"]
    assert run_ids(tmp_path) == tuple(reversed(names))
    assert newest(tmp_path) == load(tmp_path, names[2])


def test_many_at_once_all_stay(tmp_path: Path) -> None:
    threads = [threading.Thread(target=save, args=(tmp_path, EVAL_RUN)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(run_ids(tmp_path)) == 12
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.json" for name in run_ids(tmp_path)}, "no scratch file stays"


def test_order_is_that_of_numbers(tmp_path: Path) -> None:
    for _ in range(11):
        save(tmp_path, EVAL_RUN)
    later = save(tmp_path, msgspec.structs.replace(EVAL_RUN, timestamp=EVAL_RUN.timestamp + 1))
    assert run_ids(tmp_path)[:2] == (later.run_id, "eval_run_20251009_085320_11")


@pytest.mark.parametrize("given", ["eval_run_20251009_085320", "20251009_085320", "eval_run_20251009_085320.json"])
def test_a_run_id_may_be_short(tmp_path: Path, given: str) -> None:
    save(tmp_path, EVAL_RUN)
    assert load(tmp_path, given).run == EVAL_RUN


@pytest.mark.parametrize("given", ["nope", "../x", "20251009_085321", ""])
def test_an_unknown_run_id_names_those_that_are_there(tmp_path: Path, given: str) -> None:
    save(tmp_path, EVAL_RUN)
    with pytest.raises(InputError, match="newest: eval_run_20251009_085320"):
        load(tmp_path, given)


def test_none_at_all(tmp_path: Path) -> None:
    assert newest(tmp_path / "nothing") is None
    with pytest.raises(InputError, match="newest: none"):
        load(tmp_path / "nothing", "20251009_085320")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"score":0.45', b'"score":0.95', "does not follow from its parts"),
        (b'"passed":1', b'"passed":2', "failures are not"),
        (b'"level":"rederived"', b'"level":"certain"', "no level"),
        (b'"attempts":2', b'"attempts":3', "are not 3 attempts"),
        (b'"task_success":0.5', b'"task_success":0.6', "task_success is 0.6"),
        (b'"regressions":0', b'"regressions":1', "1 regressions are not those among the failures"),
        (b'"judged":0', b'"judged":3', "3 judged"),
        (b'"duration_seconds":1.25', b'"duration_seconds":-1.25', "negative"),
        (b'"smoke":0.5', b'"smoke":1', "per_tier does not follow"),
        (b'"tier":"full"', b'"tier":"\\u001b[2J"', "names no tiers"),
        (b'"tasks_evaluated":2', b'"tasks_evaluated":9', "do not have 9 tasks"),
        (b'"level":"rederived"', b'"level":"live"', "no level"),
        (b'"level":"rederived","missing"', b'"level":"regraded","missing"', "is not the lowest of the sources"),
        (b'"self_test":false,"sources"', b'"self_test":true,"sources"', "self_test"),
        (b'{"attempts":2,"passed":1,"tasks":2', b'{"attempts":0,"passed":0,"tasks":0', "a tier without attempts"),
        (b'{"agent":"an agent","attempts":2', b'{"agent":"an agent","attempts":9', "the sources do not have 2 attempts"),
        (b"}", b"", "not JSON"),
        (b"eval-run/v1", b"eval-run/v2", "newer tally"),
    ],
)
def test_a_damaged_file_gets_one_line(tmp_path: Path, old: bytes, new: bytes, says: str) -> None:
    saved = save(tmp_path, EVAL_RUN)
    data = saved.path.read_bytes()
    assert old in data
    saved.path.write_bytes(data.replace(old, new))
    with pytest.raises(InputError, match="is damaged") as caught:
        newest(tmp_path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parts_may_be_rounded(tmp_path: Path) -> None:
    parts = msgspec.structs.replace(EVAL_RUN.components, efficiency=Decimal("0.333333"))
    run = msgspec.structs.replace(EVAL_RUN, components=parts, multiplicative_components=parts, score=Decimal("0.3167"))
    assert newest_of(tmp_path, run) == run


def newest_of(folder: Path, run: object) -> object:
    (folder / "eval_run_20260101_000000.json").write_bytes(c1.encode(run))
    found = newest(folder)
    return None if found is None else found.run
