"""The act behind `tally suite stats`: item statistics of a suite's tasks, from bundles that verify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.compare.likeness import UnlikeRunsError
from tallystick.flows.verified import NotVerifiedError, Terms, judge, open_at, refusal, suite_of
from tallystick.flows.words import plural
from tallystick.records.base import UNSET, digest_of
from tallystick.records.bundle import Bundle
from tallystick.scoring.items import Item, item_statistics
from tallystick.scoring.passk import TaskCount
from tallystick.suites.loaded import LoadedSuite

__all__ = ["StatsRequest", "SuiteStats", "suite_stats"]


@dataclass(frozen=True, slots=True)
class StatsRequest:
    """Bundles of one suite. Self-tests are no agents, and are left out unless `self_tests`."""

    paths: Sequence[Path]
    terms: Terms = field(default_factory=Terms)
    self_tests: bool = False


@dataclass(frozen=True, slots=True)
class SuiteStats:
    """What was measured: a statistic for each task of `suite`, in its order. `left_out` counts bundles of self-tests."""

    suite: LoadedSuite
    bundles: int
    agents: int
    attempts: int
    self_tests: int
    left_out: int
    items: Mapping[str, Item]


def suite_stats(request: StatsRequest) -> SuiteStats:
    """Verify the bundles and count.

    Raises:
        InputError: a file cannot be read, stands twice, is a partial run, or nothing but self-tests is there.
        UnlikeRunsError: the bundles are about different suites.
        NotVerifiedError: one does not verify.
    """
    seen: dict[Digest, Path] = {}
    counted: list[Bundle] = []
    suite: LoadedSuite | None = None
    left_out = 0
    for path in request.paths:
        with ExitStack() as stack:
            file = open_at(stack, path)
            suite = suite or suite_of(path, file, request.terms)
            _check_suite(path, file.bundle, suite)
            side = judge("", path, file, suite, request.terms)
            problem = None if side.report is None else refusal(side.report)
        if problem is not None:
            raise NotVerifiedError(f"{path} does not verify: {problem}; see: tally verify {path}")
        _check_new(path, file.bundle, seen)
        if file.bundle.agent.self_test and not request.self_tests:
            left_out += 1
        else:
            counted.append(file.bundle)
    if suite is None or not counted:
        raise InputError("only self-tests are here, which are no agents; give bundles of agents, or --self-tests to count them")
    return _stats(suite, counted, left_out)


def _check_suite(path: Path, bundle: Bundle, suite: LoadedSuite) -> None:
    if bundle.suite_hash != suite.suite_hash:
        raise UnlikeRunsError(
            f"{path} is about suite {bundle.suite_version} {bundle.suite_hash}, the others are judged by {suite.version} "
            f"{suite.suite_hash}; give bundles of one suite"
        )


def _check_new(path: Path, bundle: Bundle, seen: dict[Digest, Path]) -> None:
    """The same evidence counts once: the same run in two files would be twice as many attempts."""
    again = next((result for result in bundle.task_results if result.receipt_hash in seen), None)
    if again is not None:
        before = seen[again.receipt_hash]
        raise InputError(f"{before} and {path} hold the same attempt ({again.task_id}); give each run once")
    seen.update((result.receipt_hash, path) for result in bundle.task_results)
    if bundle.partial is not UNSET:
        raise InputError(f"{path} is a partial run of {plural(len(bundle.partial), 'task')}; give runs of the whole suite")


def _stats(suite: LoadedSuite, bundles: Sequence[Bundle], left_out: int) -> SuiteStats:
    agents: dict[Digest, dict[str, TaskCount]] = {}
    for bundle in bundles:
        counts = agents.setdefault(digest_of(bundle.agent), {task.id: TaskCount(0, 0) for task in suite.tasks})
        for task, passed in _verdicts(bundle):
            counts[task] = TaskCount(counts[task].attempts + 1, counts[task].passes + passed)
    return SuiteStats(
        suite=suite,
        bundles=len(bundles),
        agents=len(agents),
        attempts=sum(len(bundle.task_results) for bundle in bundles),
        self_tests=sum(bundle.agent.self_test for bundle in bundles),
        left_out=left_out,
        items=item_statistics(list(agents.values())),
    )


def _verdicts(bundle: Bundle) -> Iterator[tuple[str, bool]]:
    return ((result.task_id, result.passed) for result in bundle.task_results)
