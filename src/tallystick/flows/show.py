"""What a bundle holds, for people: per attempt what was asked, what changed, what was checked, and why it passed or not."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tallystick.core.errors import InputError
from tallystick.flows.verify import open_file, suite_for
from tallystick.records.base import UnsetType, digest_of
from tallystick.records.blobs import BlobReader, ChainedBlobs, MissingBlobError
from tallystick.records.bundle import Bundle, Observed, TaskResult
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.evidence import Grade, GradeResult, Receipt, parse_grade
from tallystick.records.journal import WorkspaceSealed
from tallystick.records.task import Assertion, Command, Grader, Task
from tallystick.records.tree import Tree, TreeRecord, compare_trees, parse_tree
from tallystick.scoring.portable import Workspaces, holds, is_portable
from tallystick.suites.instruction import instruction
from tallystick.suites.loading import LoadedSuite

__all__ = ["Shown", "ShownAttempt", "ShownCheck", "describe"]

DIFF_LINES = 400
TEXT_BYTES = 256 * 1024
OUTPUT_BYTES = 8 * 1024
WORD_CHARS = 60


@dataclass(frozen=True, slots=True)
class ShownCheck:
    """One assertion: what it demands in words, how it came out, and its evidence."""

    id: str
    demand: str
    outcome: str
    evidence: str
    provenance: str


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One attempt at one task. Everything here but `asked` comes from the submitter and is untrusted text."""

    task_id: str
    attempt: int
    of: int
    passed: bool
    why: str
    asked: str
    changes: tuple[str, ...]
    diff: tuple[str, ...]
    excluded: tuple[str, ...]
    refused: tuple[str, ...]
    checks: tuple[ShownCheck, ...]
    outputs: tuple[tuple[str, str], ...]
    observed: Observed | None
    tries: int


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
        chosen = [result for result in file.bundle.task_results if task in (None, result.task_id)]
        if not chosen:
            raise InputError(
                f"{path} has no task {task!r}; it has {', '.join(sorted({r.task_id for r in file.bundle.task_results}))}"
            )
        return Shown(file.bundle, tuple(_attempt(file, known, result) for result in chosen))


def _attempt(file: BundleFile, suite: LoadedSuite, result: TaskResult) -> ShownAttempt:
    task = suite.task(result.task_id)
    receipt = file.receipt(result.receipt_hash)
    blobs = ChainedBlobs(file, suite.blobs)
    base = suite.tree(task.workspace)
    final, grade = _trees(file, receipt)
    changed = compare_trees(base, final) if final else None
    sealed = next((event for event in receipt.events if isinstance(event, WorkspaceSealed)), None)
    return ShownAttempt(
        task_id=task.id,
        attempt=result.attempt.index,
        of=result.attempt.of,
        passed=result.passed,
        why=_why(result),
        asked=instruction(task),
        changes=() if changed is None else _changes(changed.added, changed.modified, changed.removed),
        diff=() if final is None else tuple(_diff(base, final, blobs)),
        excluded=() if grade is None else tuple(f"{each.path} ({each.reason})" for each in grade.excluded),
        refused=() if sealed is None else tuple(f"{each.path} ({each.reason})" for each in sealed.refused),
        checks=tuple(_checks(task, grade, _workspaces(base, final, grade, sealed, file, blobs))),
        outputs=tuple(_outputs(result, file)),
        observed=None if isinstance(result.observed, UnsetType) else result.observed,
        tries=len(result.tries),
    )


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


def _why(result: TaskResult) -> str:
    output = result.harness_output
    if output.outcome == "passed":
        return "every assertion holds"
    if output.failed:
        return f"does not hold: {', '.join(output.failed)}"
    return str(output.cause or output.limit or output.outcome)


def _changes(added: tuple[str, ...], modified: tuple[str, ...], removed: tuple[str, ...]) -> tuple[str, ...]:
    return (
        *(f"added {path}" for path in added),
        *(f"changed {path}" for path in modified),
        *(f"removed {path}" for path in removed),
    )


def _text(record: TreeRecord | None, blobs: BlobReader) -> list[str] | None:
    """Lines of a file, [] for none, None for what is no text or too long for the screen."""
    if record is None:
        return []
    if isinstance(record.target, str):
        return [f"link to {record.target}"]
    if isinstance(record.digest, UnsetType) or isinstance(record.size, UnsetType) or record.size > TEXT_BYTES:
        return None
    try:
        return blobs.read(record.digest).decode().splitlines()
    except (UnicodeDecodeError, MissingBlobError):
        return None


def _diff(base: Tree, final: Tree, blobs: BlobReader) -> Iterator[str]:
    old, new = base.by_path(), final.by_path()
    left = DIFF_LINES
    for path in sorted(old.keys() | new.keys(), key=str.encode):
        if old.get(path) == new.get(path):
            continue
        before, after = _text(old.get(path), blobs), _text(new.get(path), blobs)
        if before is None or after is None:
            yield f"{path}: no text, or not in the file"
            continue
        names = (f"a/{path}" if path in old else "/dev/null", f"b/{path}" if path in new else "/dev/null")
        for line in difflib.unified_diff(before, after, *names, lineterm="", n=2):
            yield line
            left -= 1
            if left == 0:
                yield f"(cut after {DIFF_LINES} lines)"
                return


def _checks(task: Task, grade: Grade | None, at: Workspaces | None) -> Iterator[ShownCheck]:
    results = {} if grade is None else {result.assertion: result for result in grade.results}
    for check in task.assertions:
        if is_portable(check) and at is not None:
            try:
                outcome = "pass" if holds(check, at) else "fail"
            except MissingBlobError:
                outcome = "unknown"
            yield ShownCheck(check.id, _demand(check), outcome, "", "derived")
        else:
            result = results.get(check.id)
            outcome = "not checked" if result is None else result.outcome
            yield ShownCheck(check.id, _demand(check), outcome, _evidence(result), "the submitter's grade pass")


def _demand(check: Assertion) -> str:
    if isinstance(check, Command):
        return f"command {' '.join(check.argv)} exits with {check.exit}"
    if isinstance(check, Grader):
        return f"grader {check.script}: {', '.join(check.tests)}"
    kind = str(check.__struct_config__.tag)
    members = [(name, getattr(check, name)) for name in check.__struct_fields__ if name != "id"]
    return " ".join([kind, *(f"{name}={_short(value)}" for name, value in members if not isinstance(value, UnsetType))])


def _short(value: object) -> str:
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    text = text.replace("\n", "\\n")
    return text if len(text) <= WORD_CHARS else text[: WORD_CHARS - 3] + "..."


def _evidence(result: GradeResult | None) -> str:
    if result is None:
        return ""
    if not isinstance(result.tests, UnsetType):
        bad = [f"{test.id} {test.outcome}" for test in result.tests if test.outcome != "pass"]
        return "; ".join(bad) or f"{len(result.tests)} tests passed"
    return "" if isinstance(result.exit, UnsetType) else f"exit {result.exit}"


def _outputs(result: TaskResult, file: BundleFile) -> Iterator[tuple[str, str]]:
    if isinstance(result.observed, UnsetType):
        return
    for name, digest in result.observed.outputs:
        try:
            data = file.read(digest)
        except MissingBlobError:
            continue
        tail = data[-OUTPUT_BYTES:].decode("utf-8", "replace")
        yield name, tail if len(data) <= OUTPUT_BYTES else f"(last {OUTPUT_BYTES} of {len(data)} bytes)\n{tail}"
