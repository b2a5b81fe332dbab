"""Making a task: a place for it in a suite, and a skeleton that runs at once.

A task is built in a temporary folder and proven readable there; it enters the suite by one rename, so a refusal leaves nothing
behind.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import yaml

from tallystick.core.errors import InputError, os_reason
from tallystick.recording.passing import passing_folder
from tallystick.records.base import Id
from tallystick.records.task import TIERS
from tallystick.suites.loading import compile_suite, looks_authored

__all__ = ["NewTask", "TaskExistsError", "build_skeleton", "building", "new_skeleton", "template", "title_of"]

_DATA: Final = Path(__file__).parents[1] / "suites" / "skeleton"
_ENDING: Final = ".in"
"""Files of the skeleton are templates: their Python is no part of this package."""


class TaskExistsError(InputError):
    """A task of that name is in the suite; nothing is ever overwritten."""


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task that was written. `notes` are lines for a person: what was left out and why."""

    task_id: str
    suite: Path
    folder: Path
    notes: tuple[str, ...] = ()


def new_skeleton(name: str, suite: Path, tier: str) -> NewTask:
    """Write a small task that passes `tally task check`, every line of its task.md explained.

    Raises:
        TaskExistsError: the suite has a task of that name.
        InputError: the name or tier cannot be used, or the suite folder is something else.
    """
    with building(name, suite, tier) as draft:
        build_skeleton(draft.folder, name)
    return NewTask(name, suite, draft.target)


def build_skeleton(folder: Path, name: str) -> None:
    """Write the files of the skeleton task into `folder`."""
    top = _DATA / "task"
    for source in sorted(path for path in top.rglob(f"*{_ENDING}") if path.is_file()):
        target = folder / source.relative_to(top).with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        target.write_text(text.replace("{title}", title_of(name)) if target.name == "task.md" else text, encoding="utf-8")


def template(name: str) -> str:
    """The text of a file of the skeleton, such as `hidden/run.py`."""
    return (_DATA / f"{name}{_ENDING}").read_text(encoding="utf-8")


def title_of(name: str) -> str:
    """`mend_the_clock` as `Mend the clock`."""
    words = re.sub(r"[._-]+", " ", name).strip() or name
    return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class Draft:
    """A task under construction: `folder` is a task's folder in a temporary suite, `target` its place in the real one."""

    suite: Path
    folder: Path
    target: Path


@contextlib.contextmanager
def building(name: str, suite: Path, tier: str) -> Iterator[Draft]:
    """A folder to build a task in. On leaving it is compiled and moved into `suite`, which is made where it is missing.

    Raises:
        InputError: as `new_skeleton`; or what was built is no task.
    """
    _check_names(name, suite, tier)
    with passing_folder("task") as scratch:
        draft = Draft(scratch / "suite", scratch / "suite" / tier / name, suite / tier / name)
        draft.folder.mkdir(parents=True)
        try:
            yield draft
            compile_suite(draft.suite)
        except InputError as error:  # the folder in a message is gone by the time it is read
            if str(scratch) not in str(error):
                raise
            raise InputError(str(error).replace(f"{draft.suite}{os.sep}", "")) from None
        _make_suite(suite)
        _move(draft)
        _add_to_order(suite / "suite.yaml", name)


def _check_names(name: str, suite: Path, tier: str) -> None:
    try:
        msgspec.convert(name, Id)
    except msgspec.ValidationError:
        raise InputError(f"{name[:80]!r} cannot name a task: {_instead(name)}") from None
    if tier not in TIERS:
        raise InputError(f"--tier {tier[:40]!r}: it is one of {', '.join(TIERS)}")
    if os.path.lexists(suite) and not suite.is_dir():
        raise InputError(f"{suite} is no folder; name the folder of a suite with --suite")
    if (suite / "suite.json").exists() and not looks_authored(suite):
        raise InputError(f"{suite} is a compiled suite; tasks are added to its authoring form")
    for each in TIERS:
        for place in (suite / each / name, suite / each / f"{name}.md"):
            if os.path.lexists(place):
                raise TaskExistsError(f"{place} exists and is not overwritten; choose another name, or remove it first")


def _instead(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode()
    near = re.sub(r"[^A-Za-z0-9._-]+", "_", plain).strip("._-")[:128]
    return f"use letters, digits and . _ -, such as {near}" if near else "use letters, digits and . _ -"


def _make_suite(suite: Path) -> None:
    """The suite's folder, with a suite.yaml where it is new."""
    fresh = not suite.exists() or not any(suite.iterdir())
    suite.mkdir(parents=True, exist_ok=True)
    if fresh:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", suite.resolve().name).strip("._-") or "tasks"
        (suite / "suite.yaml").write_text(template("suite.yaml").replace("{version}", f'"{name}"'), encoding="utf-8")


def _move(draft: Draft) -> None:
    """Into the suite under a hidden name, which compilers pass over, then by one rename to its own."""
    draft.target.parent.mkdir(parents=True, exist_ok=True)
    temporary = draft.target.with_name(f".{draft.target.name}.{secrets.token_hex(4)}")
    try:
        shutil.copytree(draft.folder, temporary, symlinks=True)
        temporary.rename(draft.target)
    except OSError as error:
        raise TaskExistsError(f"{draft.target} cannot be written: {os_reason(error)}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _add_to_order(path: Path, name: str) -> None:
    """Add the task to `order:` of suite.yaml where there is one; comments and layout stay."""
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, yaml.MappingNode):
        return
    order = next((value for key, value in node.value if key.value == "order"), None)
    if not isinstance(order, yaml.SequenceNode):
        return
    path.write_text(_inserted(text, order, name), encoding="utf-8")


def _inserted(text: str, order: yaml.SequenceNode, name: str) -> str:
    if order.flow_style:
        at = order.end_mark.index - 1
        last = order.value[-1].end_mark.index if order.value else at
        return text[:last] + (", " if order.value else "") + name + text[last:]
    last = order.value[-1].end_mark.index
    indent = " " * order.start_mark.column
    return f"{text[:last]}\n{indent}- {name}{text[last:]}"
