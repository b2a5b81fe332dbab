"""One task file: YAML between two lines `---`, then the instruction in Markdown.

| key | value | default |
|---|---|---|
| `title` | text of at most 200 characters | required |
| `id` | letters, digits, `._-` | name of the folder or file |
| `tier` | `smoke`, `standard`, `stretch` or `adversarial` | name of the folder above |
| `category` | lower-case letters, digits, `_-` | `general` |
| `steps` | texts; become a numbered list in the instruction | none |
| `owned_files` | paths (a folder ends in `/`): nothing else of what an agent changes is checked | all but steering names |
| `protected_files` | paths: no change to them is checked | none |
| `max_duration_s` | seconds for the agent, at most 86,400 | 300 |
| `max_cost_usd` | US dollars of model calls | 1 |
| `memory_mb` | MiB for all processes together | 2048 |
| `grader` | `separate` or `in_process` | `separate` |
| `python` | least Python the grader needs, `3.11` | `3.11` |
| `judge` | `static-v1`, `model:<rubric>`, or both in a list: who looks at attempts; it decides nothing | none |
| `cheats` | `{name: {fails: [assertion ids]}}`, the exact set that fails | none |
| `points` | `{assertion: n}`, of a grader's tests `{assertion.test: n}`: what does not pass scores the part earned | none |
| `partials` | `{name: score}`, least first: solutions that do part of the task, below 1 | none |
| `assertions`, `completion_signals`, `expected_files_modified`, `expected_test_outcomes` | see `suites.checks` | one needed |
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from tallystick.core import limits
from tallystick.core.exact import Num, to_num
from tallystick.records.base import UNSET, Id, Slug, UnsetType, digest_of
from tallystick.records.judgement import StaticRubric
from tallystick.records.task import TIERS, Assertion, GradeMode, Grader, Grading, Point, Portable, TaskLimits
from tallystick.suites.checks import compile_checks, read_paths
from tallystick.suites.reading import control_character, open_regular
from tallystick.suites.rubrics import load_rubric, rubric_names
from tallystick.suites.yaml_values import AuthoringError, Value, parse_yaml, suggestion

__all__ = ["TIERS", "TaskFile", "read_task_file", "read_text"]

CHECK_KEYS: Final = ("assertions", "completion_signals", "expected_files_modified", "expected_test_outcomes")
KEYS: Final = frozenset(
    {
        *CHECK_KEYS,
        "category",
        "cheats",
        "grader",
        "id",
        "judge",
        "max_cost_usd",
        "max_duration_s",
        "memory_mb",
        "owned_files",
        "partials",
        "points",
        "protected_files",
        "python",
        "steps",
        "tier",
        "title",
    }
)
FILE_BYTES: Final = 4 * limits.DESCRIPTION_CHARS + 1024 * 1024
"""Bytes of a task file: the longest instruction in UTF-8, and the frontmatter."""

_MODES: Final = ("separate", "in_process")
_MAX_DURATION_S: Final = 86_400
_GRADE_WALL_MS: Final = 120_000
_MAX_MEMORY_MB: Final = 1024 * 1024
_MAX_POINTS: Final = 1000


@dataclass(frozen=True, slots=True)
class TaskFile:
    """What a task file says, before its folders are looked at. `members` are the fields of `records.task.Task`."""

    file: str
    id: str
    members: dict[str, Any]
    assertions: tuple[Assertion, ...]
    cheats: dict[str, tuple[str, ...]] = field(default_factory=dict)
    partials: dict[str, Num] = field(default_factory=dict)


def read_text(path: Path) -> str:
    """The text of a small UTF-8 file, line ends as LF, without a byte order mark.

    Raises:
        AuthoringError: no file, too long, not UTF-8, or with control characters.
    """
    try:
        with open_regular(path) as stream:
            data = stream.read(FILE_BYTES + 1)
    except OSError as error:
        raise AuthoringError(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > FILE_BYTES:
        raise AuthoringError(f"{path}: more than {FILE_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise AuthoringError(f"{path}: not UTF-8 at byte {error.start}") from None
    control = control_character(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise AuthoringError(f"{path}:{line}: a control character ({control[0]!r})")
    return text


def read_task_file(path: Path, name: str, tier: str) -> TaskFile:
    """Read the task file at `path`; `name` and `tier` are the defaults of `id` and `tier`.

    Raises:
        AuthoringError: naming file, line and key, and what is expected there.
    """
    front, body = _split(path)
    top = parse_yaml(front, str(path), first_line=2)
    members = top.members(KEYS)
    if "title" not in members:
        raise AuthoringError(f"{path}: expected a `title`")
    if not any(key in members for key in CHECK_KEYS):
        raise AuthoringError(f"{path}: expected something to check: one of {', '.join(CHECK_KEYS)}")
    assertions = compile_checks(members)
    if not assertions:
        raise AuthoringError(f"{path}: expected something to check; the lists are empty")
    task_id = _typed(members["id"], Id) if "id" in members else _default_id(path, name)
    return TaskFile(
        file=str(path),
        id=task_id,
        members={
            "title": _title(members["title"]),
            "description": body,
            "category": _typed(members["category"], Slug) if "category" in members else "general",
            "tier": _word(members.get("tier"), TIERS, tier),
            "limits": _limits(members),
            "grading": _grading(members, assertions),
            "points": _points(members),
            **_touched(members),
        },
        assertions=assertions,
        cheats=_cheats(members, assertions),
        partials=_partials(members),
    )


def _split(path: Path) -> tuple[str, str]:
    """The YAML and the instruction of a task file; the instruction without empty lines around it."""
    lines = read_text(path).split("\n")
    if lines[0].rstrip() != "---":
        raise AuthoringError(f"{path}:1: expected a line --- before the YAML of the task")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise AuthoringError(f"{path}: expected a second line --- after the YAML of the task")
    body = "\n".join(lines[end + 1 :]).strip("\n").rstrip()
    if len(body) > limits.DESCRIPTION_CHARS:
        raise AuthoringError(f"{path}: an instruction of {len(body)} characters; at most {limits.DESCRIPTION_CHARS}")
    return "\n".join(lines[1:end]) + "\n", body + "\n" if body else ""


def _typed(value: Value, kind: Any) -> str:  # noqa: ANN401  # an Annotated type is no class
    text = value.text()
    try:
        read: str = msgspec.convert(text, kind)
    except msgspec.ValidationError:
        raise value.error(f"{text[:40]!r} is no name here: letters, digits, and - or _ between them") from None
    return read


def _default_id(path: Path, name: str) -> str:
    try:
        read: str = msgspec.convert(name, Id)
    except msgspec.ValidationError:
        raise AuthoringError(f"{path}: the name {name[:40]!r} cannot be an id; give one with `id:`") from None
    return read


def _title(value: Value) -> str:
    title = value.text().strip()
    if not title or "\n" in title or len(title) > 200:  # noqa: PLR2004  # as records.task.Task says
        raise value.error("expected one line of 1 to 200 characters")
    return title


def _word(value: Value | None, known: tuple[str, ...], default: str) -> str:
    if value is None:
        return default
    word = value.text()
    if word not in known:
        raise value.error(f"expected one of {', '.join(known)}, found {word[:40]!r}{suggestion(word, known)}")
    return word


def _touched(members: dict[str, Value]) -> dict[str, Any]:
    owned = members.get("owned_files")
    protected = members.get("protected_files")
    return {
        "steps": members["steps"].texts() if "steps" in members else (),
        "owned_files": UNSET if owned is None else read_paths(owned, folder=True),
        "protected_files": () if protected is None else read_paths(protected, folder=True),
        **_judges(members.get("judge")),
    }


def _judges(value: Value | None) -> dict[str, Any]:
    """The static judge's rubric and the digest of that for a model, whichever are named."""
    found: dict[str, Any] = {}
    for item in () if value is None else value.items() if value.kind == "seq" else (value,):
        word = item.text()
        name = word.removeprefix("model:")
        known: tuple[str, ...] = get_args(StaticRubric) if name == word else rubric_names()
        if name not in known:
            choices = (*get_args(StaticRubric), *(f"model:{each}" for each in rubric_names()))
            raise item.error(f"expected one of {', '.join(choices)}, found {word[:40]!r}{suggestion(word, choices)}")
        member, read = ("judge", name) if name == word else ("rubric", digest_of(load_rubric(name)))
        if member in found:
            raise item.error("one judge of a kind")
        found[member] = read
    return found


def _limits(members: dict[str, Value]) -> TaskLimits:
    return TaskLimits(
        wall_ms=_milliseconds(members.get("max_duration_s")),
        cost_usd=to_num(members["max_cost_usd"].number()) if "max_cost_usd" in members else 1,
        memory_mb=_memory(members.get("memory_mb")),
        disk_mb=1024,
        files=20_000,
        processes=256,
        output_kb=1024,
    )


def _milliseconds(value: Value | None) -> int:
    if value is None:
        return 300_000
    seconds = value.number()
    if not 0 < seconds <= _MAX_DURATION_S or seconds * 1000 != int(seconds * 1000):
        raise value.error(f"expected seconds above 0, at most {_MAX_DURATION_S}, with at most three decimals")
    return int(seconds * Decimal(1000))


def _memory(value: Value | None) -> int:
    if value is None:
        return 2048
    if not 1 <= value.integer() <= _MAX_MEMORY_MB:
        raise value.error(f"expected 1 to {_MAX_MEMORY_MB} (MiB)")
    return value.integer()


def _grading(members: dict[str, Value], assertions: tuple[Assertion, ...]) -> Grading:
    mode: GradeMode = "in_process" if _word(members.get("grader"), _MODES, "separate") == "in_process" else "separate"
    if mode == "in_process" and not any(isinstance(check, Grader) for check in assertions):
        raise members["grader"].error("in_process means nothing without an assertion of kind grader")
    if all(isinstance(check, Portable) for check in assertions):
        mode = "none"
    return Grading(mode=mode, policy="v1", python=_python(members.get("python")), wall_ms=_GRADE_WALL_MS)


def _python(value: Value | None) -> str:
    if value is None:
        return "3.11"
    version = value.raw()  # unquoted, YAML takes 3.10 for a number; the text says what is meant
    if not re.fullmatch(r"3\.(?:1[1-9]|[2-9][0-9])", version):
        raise value.error(f"expected a version such as 3.11 (the least there is), found {version[:20]!r}")
    return version


def _cheats(members: dict[str, Value], assertions: tuple[Assertion, ...]) -> dict[str, tuple[str, ...]]:
    if "cheats" not in members:
        return {}
    known = {check.id for check in assertions}
    cheats: dict[str, tuple[str, ...]] = {}
    for name, value in members["cheats"].mapping().items():
        fails = value.members({"fails"}).get("fails")
        if fails is None or not fails.texts():
            raise value.error("expected `fails: [assertion ids]`")
        for item in fails.items():
            if item.text() not in known:
                raise item.error(f"no assertion has the id {item.text()[:40]!r}{suggestion(item.text(), known)}")
        cheats[name] = tuple(sorted(set(fails.texts())))
    return cheats


def _points(members: dict[str, Value]) -> tuple[Point, ...] | UnsetType:
    """Partial points in the order they are written; `records.task.Task` checks that they fit the assertions."""
    if "points" not in members:
        return UNSET
    points = []
    for name, value in members["points"].mapping().items():
        assertion, _, test = name.partition(".")
        if not 1 <= value.integer() <= _MAX_POINTS:
            raise value.error(f"expected 1 to {_MAX_POINTS} points")
        points.append(Point(assertion=assertion, test=test or UNSET, points=value.integer()))
    if not points:
        raise members["points"].error("expected points for at least one assertion")
    return tuple(points)


def _partials(members: dict[str, Value]) -> dict[str, Num]:
    if "partials" not in members:
        return {}
    if "points" not in members:
        raise members["partials"].error("a task without `points` has no partial solutions")
    partials: dict[str, Num] = {}
    last = Decimal(-1)
    for name, value in members["partials"].mapping().items():
        score = value.number()
        if not last < score < 1:
            raise value.error("expected scores below 1, each above the one before it")
        partials[name], last = to_num(score), score
    return partials
