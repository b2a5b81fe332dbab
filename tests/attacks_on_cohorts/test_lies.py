"""Every lie about a cohort, told of a sample and of a real cohort: the original accepts it, strict validation names it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tallystick.suites.cohorts.files import open_files
from tallystick.suites.cohorts.reporting import Code, Report
from tallystick.suites.cohorts.samples import COHORT_PATH, Sample, sample
from tallystick.suites.cohorts.validating import Options, validate
from tests.attacks_on_cohorts.kit import COMPLETE, PENDING, Lie
from tests.support.cohorts import SUCCESSOR_FIVE, needed, real

HERE: Final = Path(__file__).parent
LIES: Final[dict[str, Lie]] = {
    folder.name: import_module(f"tests.attacks_on_cohorts.{folder.name}.lie").LIE
    for folder in sorted(HERE.iterdir())
    if (folder / "lie.py").is_file()
}
OF_REAL: Final = [name for name, lie in LIES.items() if lie.real]
FOUND_IN_REAL: Final = frozenset({Code.ARTIFACT_MISSING, Code.NEGATIVE_NAMES_ACCEPTED_ATTEMPT})
"""What strict validation finds in the real cohort as it is (docs/cohorts/why-real-files-fail-strict.md)."""
NOT_BY_LIES: Final = frozenset({Code.LONE_SURROGATE})
"""What cannot be hashed, so that the original refuses it too, unless it stands where nothing is hashed."""


def told(lie: Lie, made: Sample, root: Path) -> None:
    """The lie, written below a folder."""
    lie.tell(made)
    if lie.refit:
        made.refit()
    files = made.files()
    lie.spell(files)
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    lie.move(root)


def judged(root: Path, *, compat: bool, require_evidence: bool) -> Report:
    with open_files(root, compat=compat) as files:
        return validate(files, COHORT_PATH, Options(compat, require_evidence))


def codes(report: Report) -> set[Code]:
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_about_a_sample(name: str, tmp_path: Path) -> None:
    lie = LIES[name]
    told(lie, sample(lie.shape), tmp_path)
    compatible = judged(tmp_path, compat=True, require_evidence=lie.shape.evidence)
    assert compatible.findings == ()
    assert codes(judged(tmp_path, compat=False, require_evidence=lie.complete)) == lie.codes


@needed
@pytest.mark.parametrize("name", OF_REAL)
def test_a_lie_about_a_real_cohort(name: str, tmp_path: Path) -> None:
    lie = LIES[name]
    told(lie, real(SUCCESSOR_FIVE), tmp_path)
    assert judged(tmp_path, compat=True, require_evidence=True).findings == ()
    assert codes(judged(tmp_path, compat=False, require_evidence=False)) == lie.codes | FOUND_IN_REAL


@pytest.mark.parametrize("shape", [COMPLETE, PENDING])
def test_the_honest_sample_is_found_nothing_in(shape: object, tmp_path: Path) -> None:
    assert isinstance(shape, type(COMPLETE))
    told(Lie(frozenset()), sample(shape), tmp_path)
    for compat in (True, False):
        assert judged(tmp_path, compat=compat, require_evidence=shape.evidence).ok


def test_every_strict_code_has_a_lie() -> None:
    strict = list(Code)[list(Code).index(Code.MEMBER_TWICE) :]
    seen = set[Code]().union(*(lie.codes for lie in LIES.values()))
    assert set(strict) - seen - NOT_BY_LIES == set()


def test_every_lie_says_what_it_is() -> None:
    for name in LIES:
        lines = (HERE / name / "README.md").read_text(encoding="utf-8").splitlines()
        assert lines[0] == f"# {name.replace('_', ' ').capitalize()}", name
        assert len(lines) >= 3, name
