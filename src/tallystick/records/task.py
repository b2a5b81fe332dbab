"""Tasks, assertions and suites: what an agent is asked, and when it has done it."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.records.base import UNSET, Id, Num, Record, Sha, Slug, UnsetType, parse, write
from tallystick.records.judgement import StaticRubric
from tallystick.records.paths import suite_path_problem
from tallystick.records.tree import Overlay, Tree

__all__ = [
    "SEED",
    "TIERS",
    "Assertion",
    "Cheat",
    "Command",
    "Contains",
    "ContentEq",
    "DocstringContains",
    "DrawnFamily",
    "DrawnFrom",
    "Executed",
    "FileAbsent",
    "FileExists",
    "GradeMode",
    "Grader",
    "Grading",
    "HasDocstring",
    "Inspected",
    "JsonEquals",
    "LineCountDelta",
    "Matches",
    "NoSymbol",
    "NoUnusedImport",
    "NotContains",
    "OnlyChanged",
    "Partial",
    "Point",
    "Portable",
    "Suite",
    "SuiteId",
    "SymbolPresent",
    "SyntaxValid",
    "Task",
    "TaskLimits",
    "Tier",
    "Unchanged",
    "assertion_class",
    "hash_suite",
    "hash_task",
    "parse_suite",
]

Path = Annotated[str, msgspec.Meta(min_length=1, max_length=limits.PATH_BYTES)]
Tier = Literal["smoke", "standard", "stretch", "adversarial"]
TIERS: Final[tuple[Tier, ...]] = get_args(Tier)
"""In the order in which a suite has them."""
Positive = Annotated[int, msgspec.Meta(ge=1)]
SEED: Final = r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$(?!\n)"
"""The pattern of a seed that suites are drawn with."""


class _Check(Record, tag_field="kind"):
    """Base of an assertion; `id` is unique in its task."""

    id: Slug


class FileExists(_Check, tag="file_exists"):
    """A regular file is at `path`."""

    path: Path


class FileAbsent(_Check, tag="file_absent"):
    """Nothing is at `path`."""

    path: Path


class ContentEq(_Check, tag="content_eq"):
    """The file holds exactly the UTF-8 bytes of `content`."""

    path: Path
    content: str


class Contains(_Check, tag="contains"):
    """The file's bytes contain the UTF-8 bytes of `text`."""

    path: Path
    text: Annotated[str, msgspec.Meta(min_length=1)]


class NotContains(_Check, tag="not_contains"):
    """A file is there and its bytes do not contain the UTF-8 bytes of `text`."""

    path: Path
    text: Annotated[str, msgspec.Meta(min_length=1)]


class JsonEquals(_Check, tag="json_equals"):
    """The file is JSON (RFC 8259, no duplicate names) and equals the JSON text `value`; numbers compare by exact value."""

    path: Path
    value: str


class LineCountDelta(_Check, tag="line_count_delta"):
    """Lines of the file now minus in the base workspace lie in `min_delta` .. `max_delta`. A last line without LF counts."""

    path: Path
    min_delta: int | UnsetType = UNSET
    max_delta: int | UnsetType = UNSET


class Unchanged(_Check, tag="unchanged"):
    """Every path has the same mode and content as in the base workspace."""

    paths: tuple[Path, ...]


class OnlyChanged(_Check, tag="only_changed"):
    """Nothing but `paths` was added, changed or removed, and the seal refused nothing."""

    paths: tuple[Path, ...]


class SyntaxValid(_Check, tag="syntax_valid"):
    """The file parses as Python source."""

    path: Path


class SymbolPresent(_Check, tag="symbol_present"):
    """The dotted name `symbol` is defined in the Python file."""

    path: Path
    symbol: str


class NoSymbol(_Check, tag="no_symbol"):
    """The identifier `symbol` occurs nowhere in the Python file's syntax tree."""

    path: Path
    symbol: str


class HasDocstring(_Check, tag="has_docstring"):
    """The function, class or method `symbol` has a docstring."""

    path: Path
    symbol: str


class DocstringContains(_Check, tag="docstring_contains"):
    """The docstring of `symbol` contains `text`."""

    path: Path
    symbol: str
    text: str


class NoUnusedImport(_Check, tag="no_unused_import"):
    """No name bound by an import of the Python file stays unread (pyflakes F401)."""

    path: Path


class Matches(_Check, tag="matches"):
    """The regular expression `pattern` (Python `re.search`, multi-line) is found in the file's text."""

    path: Path
    pattern: str


class Command(_Check, tag="command"):
    """`argv`, run in the subject's sandbox on the grade workspace, exits with `exit`."""

    argv: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    exit: int = 0


class Grader(_Check, tag="grader"):
    """The script `script` of the grader tree reports every test of `tests` as passed and none as failed."""

    script: Path
    tests: Annotated[tuple[Id, ...], msgspec.Meta(min_length=1)]


Portable = FileExists | FileAbsent | ContentEq | Contains | NotContains | JsonEquals | LineCountDelta | Unchanged | OnlyChanged
"""Functions of bytes with one meaning in every language: any verifier evaluates them without running anything."""
Inspected = SyntaxValid | SymbolPresent | NoSymbol | HasDocstring | DocstringContains | NoUnusedImport | Matches
"""They parse code, so they run in the grade sandbox."""
Executed = Command | Grader
"""They run code of the workspace."""
Assertion = Portable | Inspected | Executed


def assertion_class(kind: str) -> type[_Check] | None:
    """The class of the assertion called `kind`, or None."""
    classes: tuple[type[_Check], ...] = get_args(Assertion)
    return next((cls for cls in classes if cls.__struct_config__.tag == kind), None)


class TaskLimits(Record):
    """What one attempt may use."""

    wall_ms: Positive
    cost_usd: Num
    memory_mb: Positive
    disk_mb: Positive
    files: Positive
    processes: Positive
    output_kb: Positive


GradeMode = Literal["separate", "in_process", "none"]


class Grading(Record):
    """How the grade pass runs: grader and subject in two sandboxes, in one process (labelled), or nothing to execute."""

    mode: GradeMode
    policy: Literal["v1"]
    python: Annotated[str, msgspec.Meta(pattern=r"^3\.[0-9]{1,2}$(?!\n)")]
    wall_ms: Positive


class Point(Record):
    """Partial points: earned where the assertion holds, or where its grader reports `test` as passed."""

    assertion: Slug
    points: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    test: Id | UnsetType = UNSET


class Task(Record):
    """One task of a suite. `task_hash` is the digest of the document without that member.

    `points` say what part of a task an attempt has done that does not pass it. They count only where every assertion without
    points holds: those are its conditions.
    """

    id: Id
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    description: Annotated[str, msgspec.Meta(max_length=limits.DESCRIPTION_CHARS)]
    steps: tuple[str, ...]
    assertions: Annotated[tuple[Assertion, ...], msgspec.Meta(min_length=1, max_length=500)]
    category: Slug
    tier: Tier
    workspace: Sha
    limits: TaskLimits
    grading: Grading
    task_hash: Sha
    grader: Sha | UnsetType = UNSET
    solution: Overlay | UnsetType = UNSET
    owned_files: tuple[Path, ...] | UnsetType = UNSET
    protected_files: tuple[Path, ...] = ()
    points: Annotated[tuple[Point, ...], msgspec.Meta(min_length=1, max_length=1000)] | UnsetType = UNSET
    judge: StaticRubric | UnsetType = UNSET
    """The rubric of the static judge; absent: it does not look at attempts."""
    rubric: Sha | UnsetType = UNSET
    """Digest of the rubric by which a model may be asked; absent: none may."""

    def __post_init__(self) -> None:
        """Refuse doubled assertion ids, paths outside the grammar of suites, and points for nothing."""
        ids = [check.id for check in self.assertions]
        if len(set(ids)) != len(ids):
            raise ValueError(f"task {self.id}: two assertions have one id")
        owned = () if self.owned_files is UNSET else self.owned_files
        for path in (*owned, *self.protected_files):
            problem = suite_path_problem(path.rstrip("/"))
            if problem:
                raise ValueError(f"task {self.id}: the path {path[:80]!r} {problem}")
        needs = any(isinstance(check, Grader) for check in self.assertions)
        if needs and self.grader is UNSET:
            raise ValueError(f"task {self.id}: an assertion of kind grader needs a grader folder")
        problem = None if self.points is UNSET else _points_problem(self.points, self.assertions)
        if problem:
            raise ValueError(f"task {self.id}: {problem}")


def _points_problem(points: tuple[Point, ...], assertions: tuple[Assertion, ...]) -> str | None:
    """Why partial points do not fit the assertions, or None. A grader has them for each of its tests, or for none."""
    checks = {check.id: check for check in assertions}
    wanted = {(check.id, test) for check in assertions for test in (check.tests if isinstance(check, Grader) else (UNSET,))}
    places = [(point.assertion, point.test) for point in points]
    if len(set(places)) != len(places):
        return "points are given twice for one thing"
    for point in points:
        if (point.assertion, point.test) not in wanted:
            said = point.assertion if point.test is UNSET else f"{point.assertion}.{point.test}"
            known = point.assertion in checks
            return f"points for {said}: {'a grader has points for its tests by name' if known else 'no such assertion'}"
    for check in assertions:
        tests = check.tests if isinstance(check, Grader) else ()
        given = sum((check.id, test) in places for test in tests)
        if given not in {0, len(tests)}:
            return f"points for {check.id}: give them for each of its tests, or for none"
    return None


class Cheat(Record):
    """A wrong or dishonest solution and the assertions that must fail because of it."""

    task_id: Id
    name: Slug
    overlay: Overlay
    fails: Annotated[tuple[Slug, ...], msgspec.Meta(min_length=1)]


class Partial(Record):
    """A solution that does part of a task, and the score that it must get."""

    task_id: Id
    name: Slug
    overlay: Overlay
    score: Num

    def __post_init__(self) -> None:
        """Below 1: what passes is no partial solution."""
        if not 0 <= self.score < 1:
            raise ValueError(f"partial {self.name} of {self.task_id}: a score of {self.score}; it lies from 0 up to below 1")


class DrawnFamily(Record):
    """`count` tasks of a family; `family` is the digest of its generator's files."""

    name: Slug
    family: Sha
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)]


class DrawnFrom(Record):
    """How a suite was drawn: anybody with the same families draws the same tasks again.

    `beacon` is the digest of the file that the seed comes from, where it is public randomness.
    """

    seed: Annotated[str, msgspec.Meta(pattern=SEED)]
    families: Annotated[tuple[DrawnFamily, ...], msgspec.Meta(min_length=1, max_length=100)]
    beacon: Sha | UnsetType = UNSET


class Suite(Record, tag_field="_type", tag="tallystick/suite/v1"):
    """A compiled suite: tasks in order, the trees they name, and what proves them (no file contents).

    Cheats must fail, partial solutions reach their score.
    """

    version: Id
    suite_hash: Sha
    tasks: Annotated[tuple[Task, ...], msgspec.Meta(min_length=1, max_length=limits.TASKS)]
    trees: tuple[Tree, ...]
    cheats: tuple[Cheat, ...] = ()
    partials: tuple[Partial, ...] | UnsetType = UNSET
    drawn_from: DrawnFrom | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Recompute every hash; refuse doubled ids."""
        ids = [task.id for task in self.tasks]
        if len(set(ids)) != len(ids):
            double = next(name for name in ids if ids.count(name) > 1)
            raise ValueError(f"the task id {double} stands twice")
        for task in self.tasks:
            if hash_task(task) != task.task_hash:
                raise ValueError(f"task {task.id}: task_hash does not follow from the task")
        if hash_suite(self.tasks) != self.suite_hash:
            raise ValueError("suite_hash does not follow from the tasks")


class SuiteId(Record, tag_field="_type", tag="tallystick/suite-id/v1"):
    """What `suite_hash` is the digest of."""

    tasks: tuple[Sha, ...]


def hash_suite(tasks: tuple[Task, ...]) -> Digest:
    """Digest of `{_type: tallystick/suite-id/v1, tasks: [task hashes in order]}`."""
    return sha256(write(SuiteId(tasks=tuple(task.task_hash for task in tasks))))


def hash_task(task: Task) -> Digest:
    """Digest of the task's C1 document: all members but `task_hash`, with `_type` `tallystick/task/v1`."""
    tree = msgspec.to_builtins(task, builtin_types=(Decimal,))
    del tree["task_hash"]
    tree["_type"] = "tallystick/task/v1"
    return sha256(c1.encode(tree))


def parse_suite(data: bytes) -> Suite:
    """Read a compiled suite; hashes are recomputed. Errors as `records.base.parse`."""
    return parse(data, Suite, limits.SUITE_BYTES)
