"""What the evidence of a failed attempt shows, for `scoring.taxonomy`: one rule per category, each a function of bytes.

An attempt's rules read its journal, its grade, the trees, and where there is one the recording of its model traffic; the grade
of the untouched workspace (`baseline`) tells what passed before. Without a baseline no regression is known: none is invented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.evidence import Grade, GradeResult
from tallystick.records.task import Executed, FileExists, OnlyChanged, Portable, SyntaxValid, Task, Unchanged
from tallystick.records.tree import Tree, TreeRecord, compare_trees
from tallystick.scoring.portable import Workspaces, holds, is_portable
from tallystick.scoring.taxonomy import Clues

__all__ = ["Attempted", "clues_of_attempt", "regressions"]

TEXT_BYTES: Final = 256 * 1024
"""Bytes of one file or output that is looked at."""
FILES: Final = 500
"""Files that are looked at."""
_SHOWN: Final = 3
_BY_PRODUCT: Final = re.compile(r"(^|/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)(/|$)|\.pyc$").search
"""What tools leave behind when they run: no work of the agent's."""
_IMPORT: Final = re.compile(
    rb"^(?:import[ \t]+([A-Za-z_]\w*)(?:\.[.\w]*)?[ \t]*(?:#|,|as\b|$)"
    rb"|from[ \t]+([A-Za-z_]\w*)(?:\.[.\w]*)?[ \t]+import\b)",
    re.MULTILINE,
)
"""An import that stands at the beginning of a line, and so runs whenever the file does."""
_INVENTED: Final = re.compile(
    rb"^(?:SyntaxError|IndentationError|TabError|ModuleNotFoundError): .*"
    rb"|^ImportError: cannot import name .*|^AttributeError: (?:partially initialized )?module .* has no attribute .*",
    re.MULTILINE,
)
_OURS: Final = re.compile(rb"^<{7}(?: |$)", re.MULTILINE).search
_THEIRS: Final = re.compile(rb"^>{7}(?: |$)", re.MULTILINE).search


@dataclass(frozen=True)
class Attempted:
    """The evidence of one attempt that did not pass.

    `at` and `grade` are None where nothing was graded; `cause` says then why. `failed` are the assertions that do not hold.
    `reference` is the workspace with the reference solution, `outputs` raw output of the grade pass, `traffic` what was said in
    recorded calls after the first request (None where nothing was recorded), `library` the modules that come with Python.
    """

    task: Task
    at: Workspaces | None
    grade: Grade | None
    failed: tuple[str, ...] = ()
    limit: str | None = None
    exit: int | None = None
    signal: int | None = None
    cause: str | None = None
    baseline: Grade | None = None
    reference: Tree | None = None
    outputs: tuple[tuple[str, bytes], ...] = ()
    traffic: Sequence[bytes] | None = None
    library: frozenset[str] = frozenset()

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Paths that differ from the untouched workspace, by-products left out."""
        return () if self.at is None else _changes(self.at.base, self.at.final)

    @cached_property
    def present(self) -> frozenset[str]:
        """Changed paths at which something still is."""
        return frozenset() if self.at is None else frozenset(self.changed) & self.at.final.by_path().keys()

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """Paths that the reference solution changes; none where the task has no such solution."""
        return () if self.at is None or self.reference is None else _changes(self.at.base, self.reference)


def _changes(before: Tree, after: Tree) -> tuple[str, ...]:
    found = compare_trees(before, after)
    return tuple(path for path in (*found.added, *found.modified, *found.removed) if not _BY_PRODUCT(path))


def clues_of_attempt(of: Attempted) -> Clues:
    """Everything that the evidence shows, by category."""
    return Clues(**{name: tuple(rule(of)) for name, rule in _RULES.items()})


def broken(of: Attempted) -> Iterator[str]:
    """What passes in the untouched workspace and not after it."""
    if of.baseline is not None and of.grade is not None:
        for name in regressions(of.task, of.baseline, of.grade):
            yield f"{name} passed before"


def regressions(task: Task, before: Grade, after: Grade) -> Iterator[str]:
    """Executed assertions, or tests of theirs, that pass in `before` and not in `after`: `assertion` or `assertion/test`."""
    run = {check.id for check in task.assertions if isinstance(check, Executed)}
    now = {result.assertion: result for result in after.results}
    for old in before.results:
        if old.assertion not in run:
            continue
        new = now.get(old.assertion)
        if old.tests is UNSET or not old.tests:
            if old.outcome == "pass" and (new is None or new.outcome != "pass"):
                yield old.assertion
        else:
            still = _passing(new)
            yield from (f"{old.assertion}/{test.id}" for test in old.tests if test.outcome == "pass" and test.id not in still)


def _passing(result: GradeResult | None) -> frozenset[str]:
    if result is None or result.tests is UNSET:
        return frozenset()
    return frozenset(test.id for test in result.tests if test.outcome == "pass")


def timeout(of: Attempted) -> Iterator[str]:
    """The task's wall clock ended the agent."""
    if of.limit == "wall":
        yield f"the task's {of.task.limits.wall_ms / 1000:g} s ran out"


def scope_creep(of: Attempted) -> Iterator[str]:
    """Changes outside of what the task allows."""
    for each in () if of.grade is None else of.grade.excluded:
        if each.reason != "protected" and not _BY_PRODUCT(each.path):
            yield f"changed {each.path} ({each.reason})"
    if of.at is not None and of.at.refused_total:
        yield f"left {of.at.refused_total} names that cannot be recorded"
    yield from _failing(of, OnlyChanged, "changed more than allowed")


def conflict(of: Attempted) -> Iterator[str]:
    """Changes against what the task holds fixed, and merges that were not finished."""
    for each in () if of.grade is None else of.grade.excluded:
        if each.reason == "protected":
            yield f"changed {each.path}, which is protected"
    yield from _failing(of, Unchanged, "changed what must stay")
    for path, data in _texts(of):
        if _OURS(data) and _THEIRS(data):
            yield f"merge markers in {path}"


def hallucination(of: Attempted) -> Iterator[str]:
    """Source that does not parse, and what is imported and exists nowhere."""
    for check in of.task.assertions:
        if isinstance(check, SyntaxValid) and check.id in of.failed and check.path in of.present:
            yield f"{check.path} does not parse"
    yield from _absent_modules(of)
    for _, data in of.outputs:
        for line in _INVENTED.findall(data[-TEXT_BYTES:]):
            yield line.decode("utf-8", "replace").strip()


def orientation_miss(of: Attempted) -> Iterator[str]:
    """It worked, or looked, somewhere else than the reference solution does."""
    if not of.wanted or set(of.changed) & set(of.wanted):
        return
    if of.changed:
        yield f"changed {_some(of.changed)}; the reference solution changes {_some(of.wanted)}"
    elif of.traffic is not None and of.at is not None:
        there = [path for path in of.wanted if path in of.at.base_records]
        if there and not any(_names(of.traffic, path) for path in there):
            yield f"its recording names none of {_some(there)}"


def incomplete(of: Attempted) -> Iterator[str]:
    """It ended before the work did, or only part of it came to hold."""
    if of.cause is not None:
        yield f"not graded: {of.cause}"
    if of.limit is not None and of.limit != "wall":
        yield f"the limit {of.limit} ended it"
    if of.signal is not None and of.limit is None:
        yield f"it ended by signal {of.signal}"
    if of.exit:
        yield f"it ended with exit {of.exit}"
    if of.at is not None and not of.changed:
        yield "it left the workspace as it was"
    missing = [check.path for check in of.task.assertions if isinstance(check, FileExists) and check.id in of.failed]
    if missing:
        yield f"{_some(missing)} is missing"
    gained = list(_gained(of))
    if gained:
        yield f"only part holds: {_some(gained)}"


def context_miss(of: Attempted) -> Iterator[str]:
    """Why the rest failed, as far as a recording shows it."""
    if of.traffic is None or of.at is None:
        return
    unread = [path for path in of.wanted if path in of.at.base_records and not _names(of.traffic, path)]
    if unread:
        yield f"its recording never names {_some(unread)}"


_RULES: Final[dict[str, Callable[[Attempted], Iterator[str]]]] = {
    "test_regression": broken,
    "timeout": timeout,
    "scope_creep": scope_creep,
    "conflict": conflict,
    "hallucination": hallucination,
    "orientation_miss": orientation_miss,
    "incomplete": incomplete,
    "context_miss": context_miss,
}


def _failing(of: Attempted, kind: type, says: str) -> Iterator[str]:
    for check in of.task.assertions:
        if isinstance(check, kind) and check.id in of.failed:
            yield f"{check.id}: {says}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _texts(of: Attempted) -> Iterator[tuple[str, bytes]]:
    """What the agent's changed files hold now, as far as they are here and not too long."""
    if of.at is None:
        return
    now = of.at.final.by_path()
    for path in of.changed[:FILES]:
        yield from _content(of.at, now, path)


def _content(at: Workspaces, tree: Mapping[str, TreeRecord], path: str) -> Iterator[tuple[str, bytes]]:
    record = tree.get(path)
    if record is None or record.digest is UNSET or record.size is UNSET or record.size > TEXT_BYTES:
        return
    try:
        yield path, at.blobs.read(record.digest)
    except MissingBlobError:
        return


def _absent_modules(of: Attempted) -> Iterator[str]:
    """Imports of changed Python files of which neither Python, the workspace nor an import that was there before knows."""
    if of.at is None or not of.library:
        return
    known = of.library | _modules(of.at.final)
    new = [(path, name) for path, data in _texts(of) if path.endswith(".py") for name in _imported(data) if name not in known]
    before = _imported_before(of.at) if new else frozenset()
    yield from (f"{path} imports {name}, which is nowhere" for path, name in new if name not in before)


def _imported(data: bytes) -> list[str]:
    return sorted({(one or other).decode() for one, other in _IMPORT.findall(data)})


def _modules(tree: Tree) -> frozenset[str]:
    """Every name under which a file or folder of the tree could be imported, wherever it lies."""
    parts = (part for record in tree.records for part in record.path.split("/"))
    return frozenset(part.partition(".")[0] for part in parts)


def _imported_before(at: Workspaces) -> frozenset[str]:
    base = at.base.by_path()
    paths = [path for path in base if path.endswith(".py")][:FILES]
    return frozenset(name for path in paths for _, data in _content(at, base, path) for name in _imported(data))


def _names(traffic: Sequence[bytes], path: str) -> bool:
    """Whether the conversation names the file: without that no agent opens or changes it through its tools."""
    name = path.rpartition("/")[2].encode()
    return any(name in said for said in traffic)


def _gained(of: Attempted) -> Iterator[str]:
    """Assertions and tests that hold now and do not in the untouched workspace."""
    if of.at is None or of.grade is None:
        return
    base = Workspaces(base=of.at.base, final=of.at.base, graded=of.at.base, refused_total=0, blobs=of.at.blobs)
    before = {result.assertion: result for result in of.baseline.results} if of.baseline is not None else {}
    now = {result.assertion: result for result in of.grade.results}
    for check in of.task.assertions:
        if is_portable(check):
            if check.id not in of.failed and _fails(check, base):
                yield check.id
        elif of.baseline is not None:
            yield from _gained_result(before.get(check.id), now.get(check.id))
        elif (passing := _passing(now.get(check.id))) and check.id in of.failed:
            yield f"{check.id}/{min(passing)}"


def _fails(check: Portable, at: Workspaces) -> bool:
    """Whether a portable assertion is known not to hold."""
    try:
        return not holds(check, at)
    except MissingBlobError:
        return False


def _gained_result(before: GradeResult | None, now: GradeResult | None) -> Iterator[str]:
    if now is None or before is None:
        return
    if before.outcome != "pass" and now.outcome == "pass":
        yield now.assertion
    else:
        yield from (f"{now.assertion}/{name}" for name in sorted(_passing(now) - _passing(before)))
