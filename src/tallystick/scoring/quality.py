"""What a judgement is worth: four scores of 0 to 5 by the rules of its rubric, their sum over 20, exact.

`static-v1`, every score at least 0 and at most 5; "more" means after against before, never below 0:

| score | rule |
|---|---|
| correctness | 5; 0 where more changed files are no Python 3.11 (or too large to be looked at); 3 less where tests were added \
and do not pass |
| style | 5; 1 less for each unused import more, 1 less for each unused name more; 1 less where the most complex function \
passes 10 and is more complex than before, 1 more less where it passes 20; 1 less where the change is over 2 times as long \
as the reference solution's, 1 more less over 4 times |
| test_coverage | 0 where more tests went than came, or where added tests do not pass; 2 without added tests where Python \
code changed; else 5 without mutants, and with mutants 1 + 4 x killed / mutants, rounded down |
| safety | 5; 0 where a secret was added; 1 less for each path that was left out as protected, steering or leading out |

All four are 0 where no file of the grade workspace changed: there is no work whose quality could be told.

Judges are evidence: no rule here is read by whoever derives a verdict. Specification: docs/spec/judgement.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.exact import to_fraction
from tallystick.records.base import UNSET
from tallystick.records.judgement import CodeMeasures, Judgement, StaticRubric, TestMeasures
from tallystick.records.opinion import ModelScores, Opinion
from tallystick.records.task import Task

__all__ = ["FULL", "RUBRICS", "Scores", "StaticRules", "judged_quality", "opinion_quality", "quality", "scores_of"]

FULL: Final = 5
"""The most that one of the four scores can be."""


@dataclass(frozen=True, slots=True)
class StaticRules:
    """Thresholds of a rubric of the static judge."""

    failing_tests: int
    """Points of correctness that added tests cost which do not pass."""
    complexities: tuple[int, ...]
    """McCabe numbers of the most complex function, each of which costs a point once it is passed."""
    ratios: tuple[int, ...]
    """Lengths of the change in reference solutions, likewise."""
    untested: int
    """Coverage of a change of code to which no test was added: nothing is shown, either way."""


RUBRICS: Final[dict[StaticRubric, StaticRules]] = {
    "static-v1": StaticRules(failing_tests=3, complexities=(10, 20), ratios=(2, 4), untested=2),
}


@dataclass(frozen=True, slots=True)
class Scores:
    """Four whole numbers from 0 to 5."""

    correctness: int
    style: int
    test_coverage: int
    safety: int

    @property
    def quality(self) -> Fraction:
        """Their sum over 20."""
        return Fraction(self.correctness + self.style + self.test_coverage + self.safety, 4 * FULL)


def opinion_quality(scores: ModelScores) -> Fraction:
    """What a model's scores are worth: their sum over 20."""
    return Scores(scores.correctness, scores.style, scores.test_coverage, scores.safety).quality


def quality(judgement: Judgement) -> Fraction:
    """The quality of what was judged, from 0 to 1."""
    return scores_of(judgement).quality


def judged_quality(task: Task, judgement: Judgement | None, opinion: Opinion | None) -> Fraction | None:
    """What counts as the quality of an attempt, or None for an unjudged one.

    Where the task names the static judge its measures count, and a model's scores stand beside them; a model's count where the
    task names nothing else to be judged by.
    """
    if task.judge is not UNSET:
        return None if judgement is None else quality(judgement)
    return None if opinion is None or opinion.scores is UNSET else opinion_quality(opinion.scores)


def scores_of(judgement: Judgement) -> Scores:
    """The four scores by the judgement's own rubric."""
    if not judgement.size.files:
        return Scores(correctness=0, style=0, test_coverage=0, safety=0)
    rules = RUBRICS[judgement.rubric]
    return Scores(
        correctness=_correctness(judgement, rules),
        style=_style(judgement, rules),
        test_coverage=_test_coverage(judgement, rules),
        safety=0 if judgement.secrets else _within(FULL - judgement.excluded),
    )


def _within(score: int) -> int:
    return max(0, min(score, FULL))


def _correctness(judgement: Judgement, rules: StaticRules) -> int:
    if judgement.code is UNSET or judgement.tests is UNSET:
        return FULL
    if _unread(judgement.code.after) > _unread(judgement.code.before):
        return 0
    return FULL - (rules.failing_tests if _failing(judgement.tests) else 0)


def _unread(side: CodeMeasures) -> int:
    return side.unparsed + side.skipped


def _failing(tests: TestMeasures) -> bool:
    return tests.added > 0 and not tests.passing


def _style(judgement: Judgement, rules: StaticRules) -> int:
    less = 0
    if judgement.code is not UNSET:
        before, after = judgement.code.before, judgement.code.after
        less += max(0, after.unused_imports - before.unused_imports)
        less += max(0, after.unused_names - before.unused_names)
        if after.worst > before.worst:
            less += sum(after.worst > bound for bound in rules.complexities)
    if judgement.ratio is not UNSET:
        less += sum(to_fraction(judgement.ratio) > bound for bound in rules.ratios)
    return _within(FULL - less)


def _test_coverage(judgement: Judgement, rules: StaticRules) -> int:
    if judgement.code is UNSET or judgement.tests is UNSET:
        return FULL
    tests = judgement.tests
    if tests.removed > tests.added or _failing(tests):
        return 0
    if not tests.added:
        return rules.untested
    return FULL if not tests.mutants else 1 + (FULL - 1) * tests.killed // tests.mutants
