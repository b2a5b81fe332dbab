"""The pages on cohorts say what the program does: every code with its step, and what real files are refused for."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from tallystick.suites.cohorts.files import open_files
from tallystick.suites.cohorts.reporting import STEPS, Code
from tallystick.suites.cohorts.validating import Options, validate
from tests.repo.docs import DOCS, codes, sections
from tests.support.cohorts import FIRST_FIVE, REAL, SUCCESSOR_FIVE, needed

PAGES: Final = DOCS / "cohorts"


def rows(page: str, *heads: str) -> list[tuple[str, ...]]:
    return [
        row
        for section in sections(PAGES / page)
        for table in section.tables
        if table.head[: len(heads)] == heads
        for row in table.rows
    ]


def test_every_code_is_described_once_in_the_order_of_the_steps() -> None:
    listed = rows("validating.md", "step", "code")
    assert [codes(row[1])[0] for row in listed] == [code.value for code in Code]
    steps = [int(row[0]) for row in listed]
    assert steps == sorted(steps)
    assert set(steps) == set(STEPS)


@needed
@pytest.mark.parametrize("require_evidence", [False, True])
def test_why_real_files_fail_strict(*, require_evidence: bool) -> None:
    listed = rows("why-real-files-fail-strict.md", "cohort", "code")
    for path in (FIRST_FIVE, SUCCESSOR_FIVE):
        with open_files(REAL, compat=False) as files:
            report = validate(files, path, Options(require_evidence=require_evidence))
        found = Counter(finding.code.value for finding in report.findings)
        name = path.split("/")[1]
        said = {codes(row[1])[0]: int(row[2 + require_evidence]) for row in listed if codes(row[0]) == [name] and codes(row[1])}
        assert {code: number for code, number in said.items() if number} == found
