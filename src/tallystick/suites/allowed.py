"""The grade workspace: the base plus the changes a task allows, computed from records alone.

| a changed path is left out because | when |
|---|---|
| `protected` | it is, or lies below, a path of `protected_files` |
| `steering` | its name steers Python or its test tools, and `owned_files` does not name it exactly |
| `not_owned` | the task has `owned_files`, and neither names it nor, with a trailing `/`, a folder above it |
| `leaves` | it is a link that may lead out of the workspace |

Added, changed and removed are treated alike; a path left out stays as it is in the base. The first row that holds gives
the reason. Where an allowed file stands in the way of a base file that stays, it is left out for that file's reason.
Specification: docs/spec/suite.md, grade workspace (policy v1).
"""

from __future__ import annotations

from collections.abc import Callable

from tallystick.records.base import UNSET
from tallystick.records.evidence import Excluded, ExcludedReason
from tallystick.records.paths import STEERING_NAMES, link_problem, parents
from tallystick.records.task import Task
from tallystick.records.tree import Tree, TreeRecord, make_tree
from tallystick.suites.stdlib_names import STDLIB_NAMES

__all__ = ["grade_tree", "steers"]

Rule = Callable[[str, bool], ExcludedReason | None]
"""From a changed path, and whether a link is or was there, to why the change is left out."""


def grade_tree(task: Task, base: Tree, final: Tree) -> tuple[Tree, tuple[Excluded, ...]]:
    """The tree that is checked, and what it left out of `final`, sorted by the bytes of the paths."""
    why = _rule(task)
    before, after = base.by_path(), final.by_path()
    graded = dict(before)
    excluded: dict[str, ExcludedReason] = {}
    carried: list[TreeRecord] = []
    for path in before.keys() | after.keys():
        record, old = after.get(path), before.get(path)
        if record == old:
            continue
        reason = why(path, _is_link(record) or _is_link(old)) or _leaving(record)
        if reason is not None:
            excluded[path] = reason
            continue
        graded.pop(path, None)
        if record is not None:
            carried.append(record)
    excluded |= _carry(graded, carried, excluded)
    order = sorted(excluded, key=str.encode)
    return make_tree(list(graded.values())), tuple(Excluded(path=path, reason=excluded[path]) for path in order)


def _carry(
    kept: dict[str, TreeRecord], carried: list[TreeRecord], excluded: dict[str, ExcludedReason]
) -> dict[str, ExcludedReason]:
    """Add `carried` to `kept` where no kept record stands in the way; the others with the reason of what stands there.

    Only a base record whose removal was not allowed can stand in the way, and it is in `excluded`.
    """
    folders = {parent: path for path in sorted(kept, reverse=True) for parent in parents(path)}
    in_the_way = {record.path: _blocker(record.path, kept, folders) for record in carried}
    refused = {path: excluded[blocker] for path, blocker in in_the_way.items() if blocker is not None}
    kept.update({record.path: record for record in carried if record.path not in refused})
    return refused


def _blocker(path: str, kept: dict[str, TreeRecord], folders: dict[str, str]) -> str | None:
    return folders.get(path) or next((parent for parent in parents(path) if parent in kept), None)


def _is_link(record: TreeRecord | None) -> bool:
    return record is not None and record.mode == "link"


def _leaving(record: TreeRecord | None) -> ExcludedReason | None:
    if record is None or record.target is UNSET:
        return None
    return "leaves" if link_problem(record.path, record.target) else None


def _rule(task: Task) -> Rule:
    """Why a changed path of this task is left out, or None."""
    protected = frozenset(path.rstrip("/") for path in task.protected_files)
    owned = None if task.owned_files is UNSET else frozenset(task.owned_files)
    folders = frozenset(path.rstrip("/") for path in owned or () if path.endswith("/"))

    def why(path: str, link: bool) -> ExcludedReason | None:  # noqa: FBT001  # the shape of a Rule
        if path in protected or any(parent in protected for parent in parents(path)):
            return "protected"
        if owned is not None and path in owned:
            return None
        if steers(path, link=link):
            return "steering"
        if owned is not None and not any(parent in folders for parent in parents(path)):
            return "not_owned"
        return None

    return why


def steers(path: str, *, link: bool = False) -> bool:
    """Whether the name steers Python or its test tools without being asked for.

    At any depth: the names of `STEERING_NAMES`, `*.pth`, `*.pyc`. At the top: what is imported in place of a module of the
    standard library, that is `json.py`, `json.so`, `json.cpython-311-x86_64-linux-gnu.so`, a link `json`, and
    `json/__init__.py` with its like. A folder without `__init__` shadows nothing: the library's module wins over it.
    """
    parts = path.split("/")
    if any(part in STEERING_NAMES for part in parts) or parts[-1].endswith((".pth", ".pyc")):
        return True
    module, _, rest = parts[0].partition(".")
    if module not in STDLIB_NAMES:
        return False
    if len(parts) == 1:
        return rest.rpartition(".")[2] in {"py", "so", "pyd"} or (link and not rest)
    return not rest and parts[1].partition(".")[0] == "__init__"
