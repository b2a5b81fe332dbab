"""What a bundle holds, for people: per attempt what was asked, what changed, what was checked, and why it passed or not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tallystick.core.errors import InputError
from tallystick.flows.groups import TaskGroup, group
from tallystick.flows.verify import open_file, suite_for
from tallystick.flows.words import agent_end
from tallystick.records.base import UnsetType, digest_of
from tallystick.records.blobs import BlobReader, ChainedBlobs, MissingBlobError
from tallystick.records.bundle import Bundle, Observed, TaskResult
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.evidence import Grade, GradeResult, Receipt, parse_grade
from tallystick.records.journal import WorkspaceSealed
from tallystick.records.judgement import Judgement, parse_judgement
from tallystick.records.opinion import Opinion
from tallystick.records.task import Assertion, Command, Grader, Task
from tallystick.records.tree import Tree, TreeRecord, compare_trees, parse_tree
from tallystick.scoring.differ import unified
from tallystick.scoring.portable import Workspaces, holds, is_portable
from tallystick.scoring.verdict import event_of
from tallystick.suites.instruction import instruction
from tallystick.suites.loading import LoadedSuite

__all__ = [
    "DERIVED",
    "SUBMITTED",
    "Bounds",
    "Shown",
    "ShownAttempt",
    "ShownCheck",
    "ShownFile",
    "SideBySide",
    "chosen",
    "describe",
    "lay_out",
    "side_by_side",
    "why",
]

DERIVED: Final = "derived"
SUBMITTED: Final = "the submitter's grade pass"
"""Where the outcome of a check comes from: evaluated here from bytes, or read from the grade in the bundle."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of an attempt is laid out: lines of all its diffs, bytes of a text to compare, bytes of one output.

    `word_chars` are the characters of one member of an assertion.
    """

    diff_lines: int = 400
    text_bytes: int = 256 * 1024
    output_bytes: int = 8 * 1024
    word_chars: int = 60


@dataclass(frozen=True, slots=True)
class ShownCheck:
    """One assertion: what it demands in words, how it came out, and its evidence."""

    id: str
    demand: str
    outcome: str
    evidence: str
    provenance: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A path that differs from the base workspace. `note` says why there are no lines, or not all of them."""

    path: str
    change: Literal["added", "changed", "removed"]
    lines: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One attempt at one task. Everything here but `asked` comes from the submitter and is untrusted text."""

    task_id: str
    attempt: int
    of: int
    passed: bool
    why: str
    asked: str
    files: tuple[ShownFile, ...]
    excluded: tuple[str, ...]
    refused: tuple[str, ...]
    checks: tuple[ShownCheck, ...]
    outputs: tuple[tuple[str, str], ...]
    observed: Observed | None
    tries: int
    receipt: Receipt
    judgement: Judgement | None = None
    opinion: Opinion | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A bundle as it says it is; nothing of it was verified here."""

    bundle: Bundle
    attempts: tuple[ShownAttempt, ...]


def describe(path: Path, suite: LoadedSuite | None = None, task: str | None = None) -> Shown:
    """Read a bundle file and lay out its attempts (of one task, if named).

    Raises:
        InputError: the file cannot be read as a bundle, its suite is unknown here, or it has no such task.
    """
    with open_file(path) as stream:
        file = open_bundle(stream)
        known = suite_for(file, suite)
        results = chosen(file.bundle, task, path)
        return Shown(file.bundle, tuple(lay_out(file, known, result) for result in results))


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two bundles of one suite as they say they are; nothing of them was verified here."""

    bundles: tuple[Bundle, Bundle]
    groups: tuple[TaskGroup, ...]


def side_by_side(a: Path, b: Path, suite: LoadedSuite | None = None, task: str | None = None) -> SideBySide:
    """Read two bundle files and lay their tasks side by side. Errors as `describe`, and `UnlikeSuitesError`."""
    with open_file(a) as first, open_file(b) as second:
        files = open_bundle(first), open_bundle(second)
        bundles = files[0].bundle, files[1].bundle
        return SideBySide(bundles, group(bundles, suite_for(files[0], suite), task))


def chosen(bundle: Bundle, task: str | None, path: Path) -> tuple[TaskResult, ...]:
    """The results of one task, or all of them where none is named; raises `InputError` when there is no such task."""
    results = tuple(result for result in bundle.task_results if task in {None, result.task_id})
    if not results:
        known = ", ".join(dict.fromkeys(result.task_id for result in bundle.task_results))
        raise InputError(f"{path} has no task {task!r}; it has {known}")
    return results


def lay_out(file: BundleFile, suite: LoadedSuite, result: TaskResult, bounds: Bounds = Bounds()) -> ShownAttempt:
    """One attempt of an opened bundle.

    Raises:
        TallyError: its evidence is missing or cannot be read, or the suite has no such task.
    """
    task = suite.task(result.task_id)
    receipt = file.receipt(result.receipt_hash)
    blobs = ChainedBlobs(file, suite.blobs)
    base = suite.tree(task.workspace)
    final, grade = _trees(file, receipt)
    sealed = event_of(receipt, WorkspaceSealed)
    return ShownAttempt(
        task_id=task.id,
        attempt=result.attempt.index,
        of=result.attempt.of,
        passed=result.passed,
        why=_because(result, receipt),
        asked=instruction(task),
        files=() if final is None else tuple(_files(base, final, blobs, bounds)),
        excluded=() if grade is None else tuple(f"{each.path} ({each.reason})" for each in grade.excluded),
        refused=() if sealed is None else tuple(f"{each.path} ({each.reason})" for each in sealed.refused),
        checks=tuple(_checks(task, grade, _workspaces(base, final, grade, sealed, file, blobs), bounds)),
        outputs=tuple(_outputs(result, file, bounds)),
        observed=None if isinstance(result.observed, UnsetType) else result.observed,
        tries=len(result.tries),
        receipt=receipt,
        judgement=None if grade is None else _judgement(file, grade),
        opinion=None if isinstance(result.opinion, UnsetType) else result.opinion,
    )


def _judgement(file: BundleFile, grade: Grade) -> Judgement | None:
    """The judgement that a grade names; None without one, and where the bundle withholds it."""
    if isinstance(grade.judgement, UnsetType) or grade.judgement in file.bundle.withheld:
        return None
    return parse_judgement(file.read(grade.judgement))


def _trees(file: BundleFile, receipt: Receipt) -> tuple[Tree | None, Grade | None]:
    tree, grade = receipt.link("workspace.final"), receipt.link("grade")
    return (
        None if tree is None else parse_tree(file.read(tree)),
        None if grade is None else parse_grade(file.read(grade)),
    )


def _workspaces(
    base: Tree, final: Tree | None, grade: Grade | None, sealed: WorkspaceSealed | None, file: BundleFile, blobs: BlobReader
) -> Workspaces | None:
    if final is None or grade is None:
        return None
    graded = final if grade.graded == digest_of(final) else parse_tree(file.read(grade.graded))
    refused = 0 if sealed is None else sealed.refused_total
    return Workspaces(base=base, final=final, graded=graded, refused_total=refused, blobs=blobs)


def why(result: TaskResult) -> str:
    """Why an attempt passed or not, as the bundle says."""
    output = result.harness_output
    if output.outcome == "passed":
        return "every assertion holds"
    parts = [f"does not hold: {', '.join(output.failed)}"] if output.failed else []
    if result.score:
        parts.append(f"{result.score} of its points")
    if not isinstance(output.limit, UnsetType):
        parts.append(f"ended by the limit on {output.limit}")
    if not isinstance(output.cause, UnsetType):
        parts.append(output.cause)
    return "; ".join(parts) or output.outcome


def _because(result: TaskResult, receipt: Receipt) -> str:
    """Why, and how the agent ended where that explains it."""
    ended = agent_end(receipt)
    return why(result) if ended is None else f"{why(result)}; the agent {ended}"


def _text(record: TreeRecord | None, blobs: BlobReader, most: int) -> list[str] | str:
    """Lines of a file, [] for none; or why they cannot be shown."""
    if record is None:
        return []
    if isinstance(record.digest, UnsetType) or isinstance(record.size, UnsetType):
        return [f"link to {record.target}"]
    if record.size > most:
        return f"{record.size} bytes, too long to compare"
    try:
        return _lines(blobs.read(record.digest).decode())
    except UnicodeDecodeError:
        return f"{record.size} bytes, no text"
    except MissingBlobError:
        return "its bytes are not in the bundle"


def _lines(text: str) -> list[str]:
    """Lines without their LF; a carriage return stays, and a missing last LF is a line of its own, as `diff` says it."""
    lines = text.split("\n")
    if lines[-1]:
        return [*lines, "\\ No newline at end of file"]
    return lines[:-1]


def _files(base: Tree, final: Tree, blobs: BlobReader, bounds: Bounds) -> Iterator[ShownFile]:
    """What differs, in the order of paths; once `bounds.diff_lines` are used up, without lines."""
    old, new = base.by_path(), final.by_path()
    changed = compare_trees(base, final)
    left = bounds.diff_lines
    for path in sorted([*changed.added, *changed.modified, *changed.removed], key=str.encode):
        change: Literal["added", "changed", "removed"] = (
            "added" if path not in old else "removed" if path not in new else "changed"
        )
        if left <= 0:
            yield ShownFile(path, change, note=f"left out after {bounds.diff_lines} lines")
            continue
        shown = _diff(path, change, (old.get(path), new.get(path)), blobs, (bounds.text_bytes, left))
        left -= len(shown.lines)
        yield shown


def _diff(
    path: str,
    change: Literal["added", "changed", "removed"],
    records: tuple[TreeRecord | None, TreeRecord | None],
    blobs: BlobReader,
    most: tuple[int, int],
) -> ShownFile:
    """One file; `most` bytes of its text, and lines of the diff."""
    before, after = (_text(record, blobs, most[0]) for record in records)
    for side in (after, before):
        if isinstance(side, str):
            return ShownFile(path, change, note=side)
    modes = [record.mode for record in records if record is not None]
    note = f"mode {modes[0]} to {modes[1]}" if len(set(modes)) == 2 else ""  # noqa: PLR2004  # before and after
    lines = tuple(itertools.islice(unified(before, after), most[1] + 1))
    if len(lines) > most[1]:
        note = f"cut after {most[1]} lines"
    return ShownFile(path, change, lines[: most[1]], note)


def _checks(task: Task, grade: Grade | None, at: Workspaces | None, bounds: Bounds) -> Iterator[ShownCheck]:
    results = {} if grade is None else {result.assertion: result for result in grade.results}
    for check in task.assertions:
        if is_portable(check) and at is not None:
            try:
                outcome = "pass" if holds(check, at) else "fail"
            except MissingBlobError:
                outcome = "unknown"
            yield ShownCheck(check.id, _demand(check, bounds.word_chars), outcome, "", DERIVED)
        else:
            result = results.get(check.id)
            outcome = "not checked" if result is None else result.outcome
            yield ShownCheck(check.id, _demand(check, bounds.word_chars), outcome, _evidence(result), SUBMITTED)


def _demand(check: Assertion, most: int) -> str:
    if isinstance(check, Command):
        return f"command {' '.join(check.argv)} exits with {check.exit}"
    if isinstance(check, Grader):
        return f"grader {check.script}: {', '.join(check.tests)}"
    kind = str(check.__struct_config__.tag)
    members = [(name, getattr(check, name)) for name in check.__struct_fields__ if name != "id"]
    return " ".join([kind, *(f"{name}={_short(value, most)}" for name, value in members if not isinstance(value, UnsetType))])


def _short(value: object, most: int) -> str:
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    text = text.replace("\n", "\\n")
    return text if len(text) <= most else text[: most - 3] + "..."


def _evidence(result: GradeResult | None) -> str:
    if result is None:
        return ""
    if not isinstance(result.tests, UnsetType):
        bad = [f"{test.id} {test.outcome}" for test in result.tests if test.outcome != "pass"]
        return "; ".join(bad) or f"{len(result.tests)} tests passed"
    return "" if isinstance(result.exit, UnsetType) else f"exit {result.exit}"


def _outputs(result: TaskResult, file: BundleFile, bounds: Bounds) -> Iterator[tuple[str, str]]:
    if isinstance(result.observed, UnsetType):
        return
    for name, digest in result.observed.outputs:
        try:
            data = file.read(digest)
        except MissingBlobError:
            continue
        most = bounds.output_bytes
        tail = data[-most:].decode("utf-8", "replace")
        yield name, tail if len(data) <= most else f"(last {most} of {len(data)} bytes)\n{tail}"
