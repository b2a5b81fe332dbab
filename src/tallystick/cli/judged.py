"""What is shown of judges: the four scores, the measures behind them, and where each comes from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from tallystick.cli.text import wrapped
from tallystick.cli.words import plural
from tallystick.core.exact import Num, to_fraction, to_num
from tallystick.records.base import UNSET
from tallystick.records.judgement import CodeMeasures, Judgement, Size
from tallystick.records.opinion import CRITERIA, Opinion, Unjudged
from tallystick.records.report import Level, Report, level_of
from tallystick.scoring.golden import UNJUDGED_MOST
from tallystick.scoring.quality import FULL, scores_of

__all__ = ["judged_lines", "judgement_lines", "opinion_lines", "unjudged"]

_COUNTS: Final = (
    ("not Python 3.11", "unparsed"),
    ("too large", "skipped"),
    ("unused imports", "unused_imports"),
    ("unused names", "unused_names"),
    ("complexity", "complexity"),
    ("most complex function", "worst"),
)


def unjudged() -> str:
    """What nobody's judgement means for the golden score."""
    return f"unjudged: at most {to_num(UNJUDGED_MOST)} of the golden score is possible"


def judgement_lines(judgement: Judgement | None, provenance: str) -> Iterator[str]:
    """A judgement of one attempt. `provenance` says who took the measures that need a sandbox."""
    if judgement is None:
        return
    scores = scores_of(judgement)
    total = scores.correctness + scores.style + scores.test_coverage + scores.safety
    yield (
        f"  judged by {judgement.rubric}: {total} of {4 * FULL} (correctness {scores.correctness}, style {scores.style}, "
        f"test coverage {scores.test_coverage}, safety {scores.safety}); it decides nothing"
    )
    yield from wrapped("; ".join(_bytes(judgement)) + " (derived)", first="    ")
    if judgement.code is not UNSET:
        yield from wrapped("; ".join(_code(judgement)) + f" ({provenance})", first="    ")


def _bytes(judgement: Judgement) -> Iterator[str]:
    yield _size(judgement.size)
    if judgement.ratio is not UNSET and judgement.reference is not UNSET:
        yield f"{_short(judgement.ratio)} times the reference solution ({_size(judgement.reference)})"
    yield f"{plural(judgement.secrets, 'secret')} added"
    yield f"{plural(judgement.excluded, 'path')} left out that steer tools, are protected or lead out"


def _size(size: Size) -> str:
    return f"{plural(size.files, 'file')}, {size.added} lines added and {size.removed} removed"


def _short(ratio: Num) -> str:
    return f"{float(ratio):.2f}".rstrip("0").rstrip(".")


def _code(judgement: Judgement) -> Iterator[str]:
    assert judgement.code is not UNSET  # code and tests stand together
    assert judgement.tests is not UNSET
    yield from _delta(judgement.code.before, judgement.code.after)
    tests = judgement.tests
    yield f"{plural(tests.added, 'test')} added and {tests.removed} removed"
    if tests.added:
        yield "the added ones pass" if tests.passing else "the added ones do not pass"
    if tests.passing:
        yield f"they notice {tests.killed} of {plural(tests.mutants, 'mutant')} of the changed lines"


def _delta(before: CodeMeasures, after: CodeMeasures) -> Iterator[str]:
    for name, member in _COUNTS:
        old, new = getattr(before, member), getattr(after, member)
        if old or new:
            yield f"{name} {old} -> {new}"


_REASONS: Final[dict[Unjudged, str]] = {
    "no_answer": "no scores: no usable answer came",
    "no_scores": "no scores: what it answered, asked twice, was not four scores",
}


def opinion_lines(opinion: Opinion | None) -> Iterator[str]:
    """A model's opinion of one attempt; that a model said so is the submitter's word."""
    if opinion is None:
        return
    if opinion.unjudged is not UNSET:
        said = _REASONS[opinion.unjudged]
    else:
        assert opinion.scores is not UNSET  # there is either
        parts = ", ".join(f"{name.replace('_', ' ')} {getattr(opinion.scores, name)}" for name in CRITERIA)
        said = f"{sum(getattr(opinion.scores, name) for name in CRITERIA)} of {4 * FULL} ({parts})"
    cost = "" if opinion.cost_usd is UNSET else f", {opinion.cost_usd} USD"
    used = f"{plural(opinion.calls, 'call')}, {opinion.input_tokens + opinion.output_tokens:,} tokens{cost}"
    yield from wrapped(f"opinion of {opinion.model}: {said}; it decides nothing", first="  ")
    yield from wrapped(f"declared: recorded answers, which nobody can ask for again; {used}, not the agent's", first="    ")


def judged_lines(report: Report) -> Iterator[str]:
    """What a verification found of judges, beside the score."""
    if report.code_quality is UNSET:
        return
    yield from _quality(report)
    opinions = [to_fraction(row.opinion) for row in report.rows if row.opinion is not UNSET]
    if opinions:
        mean = to_num(sum(opinions, Fraction(0)) / len(opinions))
        scored = plural(len(opinions), "attempt")
        yield f"opinion: {mean}, the mean of {scored} that a model scored (declared: its recorded answers)"


def _quality(report: Report) -> Iterator[str]:
    if not report.judged:
        yield f"quality: {unjudged()}"
        return
    some = "" if report.judged == report.attempts else f", the other {report.attempts - report.judged} count 0"
    yield f"quality: {report.code_quality}, the mean of {report.attempts} attempts; judged: {report.judged}{some}"
    regraded = level_of(report.level) >= Level.regraded
    yield (
        "         judged again here, static measures only; a judge decides nothing"
        if regraded
        else "         size and secrets derived here; lint and tests as the submitter's grade pass says"
    )
