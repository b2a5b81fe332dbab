"""Steps 9 and 12 for a row's judgement: it is here, speaks of this attempt's files, and says what their bytes say.

What follows from bytes is derived again here. What parses code or runs tests is derived by whoever runs the graders again
(step 16): until then those measures are as good as the outcomes of the graders beside them.
"""

from __future__ import annotations

from tallystick.core.digest import Digest, short
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.judgement import Judgement, parse_judgement
from tallystick.records.report import Status
from tallystick.suites.changed import is_python, python_records
from tallystick.verify.state import Evidence, RefusedError, Verification

__all__ = ["check_judgement", "read_judgement"]


def read_judgement(at: Verification, digest: Digest) -> Judgement:
    """The judgement of a grade whose blob was checked; raises `RefusedError`."""
    try:
        return parse_judgement(at.file.read(digest))
    except InputError as error:
        raise RefusedError(Status.MALFORMED_RECEIPT, f"judgement: {error}") from None


def check_judgement(at: Verification, evidence: Evidence) -> None:
    """Step 12: the judgement is by the task's rubric, of this attempt's files, and its measures of bytes are theirs.

    Raises:
        RefusedError: FABRICATED_SCORE, or WITHHELD where a changed file is not here.
    """
    found, task, sealed = evidence.judgement, evidence.facts.task, evidence.sealed
    if found is None or sealed is None:
        return
    if task.judge is UNSET:
        raise _forged("the grade names a judgement, but the suite's task names no judge")
    if found.rubric != task.judge:
        raise _forged(f"judged by {found.rubric}, where the suite's task says {task.judge}")
    if (found.task_hash, found.graded) != (task.task_hash, sealed.graded_digest):
        raise _forged(f"the judgement is that of another task or workspace ({short(found.graded)})")
    try:
        wanted = sealed.byte_measures(at.contents)
    except MissingBlobError as error:
        raise RefusedError(Status.WITHHELD, f"{error}, so no judgement follows") from None
    for name, value in wanted.items():
        if getattr(found, name) != value:
            raise _forged(f"judgement.{name} does not follow from the files")
    _check_code(found, evidence)


def _check_code(found: Judgement, evidence: Evidence) -> None:
    """Code is measured exactly where a Python file changed, and in as many files as did."""
    assert evidence.sealed is not None  # as the caller has looked
    pairs = python_records(evidence.facts.base, evidence.sealed.graded)
    if found.code is UNSET:
        if pairs:
            raise _forged("the judgement measures no code, but Python files changed")
        return
    counts = sum(is_python(before) for before, _ in pairs), sum(is_python(after) for _, after in pairs)
    if counts != (found.code.before.files, found.code.after.files) or not pairs:
        raise _forged("judgement.code counts other files than the trees show")


def _forged(reason: str) -> RefusedError:
    return RefusedError(Status.FABRICATED_SCORE, reason)
