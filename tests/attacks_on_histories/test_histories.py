"""Every lie about the history of a cohort: the original accepts the file that it leaves, `validate --history` names the lie."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path
from typing import Final, get_args

import pytest

from tallystick.flows.cohort.opening import validated
from tallystick.suites.cohorts.history_codes import HISTORY_CODES, HISTORY_STEPS, HistoryCode
from tallystick.suites.cohorts.samples import Shape, sample
from tallystick.suites.cohorts.validating import Options
from tests.attacks_on_histories.kit import Begin, HistoryLie, Life, begin, commit

HERE: Final = Path(__file__).parent
LIES: Final[dict[str, HistoryLie]] = {
    folder.name: import_module(f"tests.attacks_on_histories.{folder.name}.lie").LIE
    for folder in sorted(HERE.iterdir())
    if (folder / "lie.py").is_file()
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie(name: str, tmp_path: Path) -> None:
    lie = LIES[name]
    if lie.git and shutil.which("git") is None:
        pytest.skip("needs another program: git")
    life = begin(Life(tmp_path, sample(Shape())), lie.begin)
    assert life.judge().findings == ()
    if lie.git:
        commit(tmp_path)
    demands = lie.demands(life)
    lie.tell(life)
    assert validated(life.where, life.cohort_file.read_bytes(), Options(compat=True)).findings == ()
    found = life.judge(demands)
    assert {finding.code for finding in found.findings} == lie.codes
    assert {finding.step for finding in found.findings} <= HISTORY_STEPS.keys()


@pytest.mark.parametrize("how", get_args(Begin))
def test_nothing_is_found_in_an_honest_cohort(how: Begin, tmp_path: Path) -> None:
    life = begin(Life(tmp_path, sample(Shape())), how)
    commit(tmp_path)
    assert life.judge().findings == ()


def test_every_code_has_a_lie_and_a_meaning() -> None:
    seen = frozenset[HistoryCode]().union(*(lie.codes for lie in LIES.values()))
    assert set(HistoryCode) - seen == set()
    assert set(HISTORY_CODES) == set(HistoryCode)


def test_every_lie_says_what_it_is() -> None:
    for name in LIES:
        lines = (HERE / name / "README.md").read_text(encoding="utf-8").splitlines()
        assert lines[0] == f"# {name.replace('_', ' ').capitalize()}", name
        assert len(lines) >= 3, name


def test_the_page_lists_every_code() -> None:
    page = (HERE.parents[1] / "docs" / "cohorts" / "lifecycle.md").read_text(encoding="utf-8")
    for code, means in HISTORY_CODES.items():
        assert f"| `{code.value}` | {means} |" in page
