"""Cohorts for tests: real ones as samples that can be changed, and samples as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tallystick.suites.cohorts.reporting import Report
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Sample
from tallystick.suites.cohorts.validating import Options, validate
from tests.vectors import DATA

__all__ = ["FIRST_FIVE", "REAL", "SUCCESSOR_FIVE", "judged", "needed", "real", "told", "write"]

REAL: Final = DATA / "idkmesh"
FIRST_FIVE: Final = "benchmarks/phase-b2-first-five/cohort.json"
SUCCESSOR_FIVE: Final = "benchmarks/phase-b2-successor-five/cohort.json"

needed = pytest.mark.skipif(not REAL.is_dir(), reason=f"no real cohorts in {REAL}")


def real(path: str) -> Sample:
    """A real cohort with all JSON documents around it, ready to be changed and refitted."""
    documents: dict[str, Any] = {}
    for file in sorted(REAL.rglob("*.json")):
        documents[file.relative_to(REAL).as_posix()] = json.loads(file.read_bytes())
    return Sample(documents.pop(path), documents, {})


def judged(made: Sample, *, compat: bool = False, require_evidence: bool = False) -> Report:
    """What validation says of a sample."""
    return validate(MemoryFiles(made.files()), COHORT_PATH, Options(compat, require_evidence))


def told(report: Report) -> list[str]:
    """The codes of its findings, in order."""
    return [finding.code.value for finding in report.findings]


def write(made: Sample, root: Path) -> Path:
    """Write a sample below a folder; returns the path of the cohort file."""
    for path, data in made.files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root / COHORT_PATH
