"""What the static judge measured of an attempt's files (`tallystick/judgement/v1`): counts, from which quality is derived.

No captured output, no time, no path and no text of a submission stands in it. `size`, `reference`, `ratio`, `secrets` and
`excluded` are functions of bytes that any verifier derives again; `code` is what our inspector says of the changed Python
files, `tests` what came of running the added tests: whoever runs the graders again derives these too.
Specification: docs/spec/judgement.md.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from tallystick.records.base import UNSET, Count, Num, Record, Sha, UnsetType, parse

__all__ = ["MUTANTS", "CodeDelta", "CodeMeasures", "Judgement", "Size", "StaticRubric", "TestMeasures", "parse_judgement"]

StaticRubric = Literal["static-v1"]
"""Names of rubrics of the static judge; each stands for rules and thresholds that never change (`scoring.quality`)."""
MUTANTS: Final = 8
"""Mutants at most: each costs a start of the subject's sandbox when an attempt is graded, and again at every regrade."""


class Size(Record):
    """Files that differ from the base workspace, and their lines with something in them that were added and removed.

    Lines are compared as a multiset per file: a line that only moved was neither added nor removed.
    """

    files: Count = 0
    added: Count = 0
    removed: Count = 0


class CodeMeasures(Record):
    """What the inspector counts in Python files. `complexity` sums McCabe's number over functions, `worst` is the largest.

    `unparsed` files are no Python 3.11, `skipped` ones too large to be looked at; both are left out of the other counts.
    """

    files: Count = 0
    unparsed: Count = 0
    skipped: Count = 0
    unused_imports: Count = 0
    unused_names: Count = 0
    functions: Count = 0
    complexity: Count = 0
    worst: Count = 0


class CodeDelta(Record):
    """The changed Python files before (as in the base workspace) and after."""

    before: CodeMeasures
    after: CodeMeasures


class TestMeasures(Record):
    """Test functions that came and went, and what the files with added ones did to mutants of the other changed lines.

    `passing`: they pass in the graded workspace. Mutants are made of changed lines of Python files that are no tests;
    without added tests, or with ones that do not pass, none is run, and `killed` is 0.
    """

    __test__ = False  # not a test class, whatever pytest thinks of the name

    added: Count = 0
    removed: Count = 0
    passing: bool = False
    mutants: Annotated[int, msgspec.Meta(ge=0, le=MUTANTS)] = 0
    killed: Annotated[int, msgspec.Meta(ge=0, le=MUTANTS)] = 0

    def __post_init__(self) -> None:
        """Refuse counts that no run of the judge can give."""
        if self.killed > self.mutants:
            raise ValueError(f"{self.killed} mutants killed of {self.mutants}")
        if self.passing and not self.added:
            raise ValueError("added tests pass, but none was added")
        if self.killed and not self.passing:
            raise ValueError("mutants are run only where the added tests pass")


class Judgement(Record, tag_field="_type", tag="tallystick/judgement/v1"):
    """The measures of the static judge over one grade workspace (`graded`), for one task.

    `reference` is the size of the task's reference solution and `ratio` the changed lines over its changed lines; both are
    absent without one. `excluded` counts paths that the grade workspace left out because they steer tools, are protected, or
    lead out. `code` and `tests` are absent where no Python file changed.
    """

    rubric: StaticRubric
    task_hash: Sha
    graded: Sha
    size: Size
    secrets: Count
    excluded: Count
    reference: Size | UnsetType = UNSET
    ratio: Num | UnsetType = UNSET
    code: CodeDelta | UnsetType = UNSET
    tests: TestMeasures | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Code and tests are measured together, a ratio needs something to compare with."""
        if (self.code is UNSET) != (self.tests is UNSET):
            raise ValueError("code and tests stand together or not at all")
        if (self.ratio is UNSET) != (self.reference is UNSET) or (self.ratio is not UNSET and self.ratio < 0):
            raise ValueError("ratio and reference stand together or not at all, and no ratio is below 0")


def parse_judgement(data: bytes) -> Judgement:
    """Read a judgement; errors as `records.base.parse`."""
    return parse(data, Judgement)
