"""The act of comparing two runs: both verified, found alike, their verdicts paired, and a rank only where it was shown."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.flows.compare.likeness import UnlikeRunsError, check_alike, check_suites, notes
from tallystick.flows.groups import TaskGroup, group
from tallystick.flows.page.sides import Side
from tallystick.flows.verified import NotVerifiedError, Terms, judge, open_at, refusal, suite_of
from tallystick.flows.verify import UNWATCHED, Watching
from tallystick.records.bundle import Bundle
from tallystick.scoring.paired import Paired, TaskPair, compare_paired

__all__ = ["CompareRequest", "Compared", "UnlikeRunsError", "compare", "compare_sides"]


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """Two files, and on which terms they are believed. With `html` the comparison is written there as a page too."""

    a: Path
    b: Path
    terms: Terms = field(default_factory=Terms)
    html: Path | None = None
    made_at: int = 0


@dataclass(frozen=True, slots=True)
class Compared:
    """Two verified runs, their tasks side by side, and what their verdicts show. `size` is that of the page in bytes."""

    sides: tuple[Side, Side]
    groups: tuple[TaskGroup, ...]
    paired: Paired
    notes: tuple[str, ...]
    size: int = 0

    @property
    def bundles(self) -> tuple[Bundle, Bundle]:
        """The two claims, A first."""
        return self.sides[0].bundle, self.sides[1].bundle


def compare(request: CompareRequest, watching: Watching = UNWATCHED) -> Compared:
    """Verify and compare two bundle files.

    Raises:
        UnlikeRunsError: the runs are about other tasks, or were made under other conditions.
        NotVerifiedError: a file does not verify on these terms.
        InputError: a file cannot be read as a bundle, or its suite is not known here.
        WriteError: the page cannot be written.
    """
    with ExitStack() as stack:
        paths = (request.a, request.b)
        files = [open_at(stack, path) for path in paths]
        check_suites(files[0].bundle, files[1].bundle)
        suite = suite_of(paths[0], files[0], request.terms)
        a, b = (
            judge(mark, path, file, suite, request.terms, watching) for mark, path, file in zip("AB", paths, files, strict=True)
        )
        for side in (a, b):
            _check_verified(side)
        compared = compare_sides(a, b)
        if request.html is None:
            return compared
        from tallystick.flows.compare.page import write_comparison  # noqa: PLC0415  # only where a page is asked for

        size = write_comparison(compared, request.made_at, request.html)
        return Compared(compared.sides, compared.groups, compared.paired, compared.notes, size)


def _check_verified(side: Side) -> None:
    problem = None if side.report is None else refusal(side.report)
    if problem is not None:
        raise NotVerifiedError(f"{side.mark}, {side.path}, does not verify: {problem}; see: tally verify {side.path}")


def compare_sides(a: Side, b: Side) -> Compared:
    """Compare two bundles that verify, by one suite.

    Raises:
        UnlikeRunsError: they were made under other conditions.
    """
    check_suites(a.bundle, b.bundle)
    check_alike(a.bundle, b.bundle)
    groups = group([a.bundle, b.bundle], a.suite)
    pairs = [TaskPair(*(tuple(result.passed for result in results) for results in each.results)) for each in groups]
    return Compared((a, b), groups, compare_paired(pairs), tuple(notes(a.bundle, b.bundle)))
