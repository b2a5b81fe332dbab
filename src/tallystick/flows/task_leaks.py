"""What in a task gives the answer away or makes it heavier than it must be: history, answers in sight, size, network.

Everything here reads bytes; nothing runs. Findings are (code, message) pairs as in `suites.fairness`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tallystick.flows.task_tests import parse
from tallystick.records.base import UnsetType
from tallystick.records.task import Task
from tallystick.records.tree import Tree
from tallystick.suites.fairness import Finding
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.stdlib_names import STDLIB_NAMES

__all__ = ["find_history", "find_leaks", "find_weight"]

HEAVY_BYTES: Final = 8 * 1024 * 1024
SEARCHED_BYTES: Final = 1024 * 1024
"""A larger file is not searched for lines of the solution."""
FEWEST_LINES: Final = 3
SHORTEST_LINE: Final = 12
_SHARE: Final = 0.8
_HEADS: Final = (
    (b"PACK\0\0\0", "is a pack of git objects"),
    (b"\xfftOc\0\0\0\x02", "is the index of a pack of git objects"),
    (b"# v2 git bundle\n", "is a git bundle"),
    (b"# v3 git bundle\n", "is a git bundle"),
    (b"# pack-refs with:", "lists refs of a repository"),
    (b"ref: refs/", "is the HEAD of a repository"),
)
_LOOSE = re.compile(r"(?:.*/)?objects/[0-9a-f]{2}/[0-9a-f]{38,62}").fullmatch
_NETWORK = re.compile(
    r"\b(pip3? install|npm (?:install|ci)|yarn add|apt(?:-get)? install|cargo (?:install|add)|go get|git clone|curl|wget)\b"
).search
_CLIENTS: Final = frozenset({"urllib.request", "http.client", "socket", "ftplib", "smtplib", "requests", "httpx", "aiohttp"})


def find_history(folder: Path) -> Iterator[tuple[str, str]]:
    """Parts of git in the folders of an authored task, which would not even compile: what each of them gives away."""
    for part in ("workspace", "grader", "solution", "cheats"):
        for place in sorted((folder / part).rglob("*")):
            if place.name.lower() == ".git" and not any(
                above.name.lower() == ".git" for above in place.relative_to(folder).parents
            ):
                yield "git_history", f"{place.relative_to(folder).as_posix()} {_holds(place)}"


def _holds(place: Path) -> str:
    if not place.is_dir():
        return "points to a repository elsewhere"
    refs = sum(path.is_file() for path in (place / "refs").rglob("*"))
    packs = len(list((place / "objects" / "pack").glob("*.pack")))
    loose = sum(path.is_file() and path.parent.name != "pack" for path in (place / "objects").rglob("*"))
    logs = " and a log of what HEAD was" if (place / "logs").exists() else ""
    return f"is a repository with {refs} refs, {packs} packs and {loose} loose objects{logs}; the fix may be among them"


def find_leaks(suite: LoadedSuite, task: Task) -> Iterator[Finding]:
    """History under other names, and files that hold the solution's new lines."""
    base = suite.tree(task.workspace)
    for record in base.records:
        if isinstance(record.digest, UnsetType):
            continue
        head = suite.blobs.read(record.digest)[:32]
        what = next((says for start, says in _HEADS if head.startswith(start)), None)
        if what is None and _LOOSE(record.path) and head[:1] == b"\x78":
            what = "is an object of a git repository"
        if what:
            yield Finding(task.id, "git_history", f"workspace file {record.path} {what}")
    for path, solved in _near_answers(suite, task, base):
        yield Finding(task.id, "answer_visible", f"workspace file {path} holds the new lines of solution file {solved}")


def _near_answers(suite: LoadedSuite, task: Task, base: Tree) -> Iterator[tuple[str, str]]:
    """(workspace file, solution file) where the one holds most lines that the other adds: a patch, a backup, an answer key."""
    if isinstance(task.solution, UnsetType):
        return
    files = base.by_path()
    known = {path: _lines(suite, base, path) for path in files}
    for record in suite.tree(task.solution.tree).records:
        new = _lines(suite, suite.tree(task.solution.tree), record.path) - known.get(record.path, frozenset())
        new = frozenset(line for line in new if len(line) >= SHORTEST_LINE)
        if len(new) < FEWEST_LINES:
            continue
        for path, lines in known.items():
            same = files[path].digest == record.digest  # that is said by suites.fairness
            if path != record.path and not same and len(new & lines) >= _SHARE * len(new):
                yield path, record.path


def _lines(suite: LoadedSuite, tree: Tree, path: str) -> frozenset[str]:
    """Stripped lines of a text, without the sign that a patch puts before them."""
    record = tree.by_path()[path]
    if isinstance(record.digest, UnsetType) or isinstance(record.size, UnsetType) or record.size > SEARCHED_BYTES:
        return frozenset()
    text = suite.blobs.read(record.digest).decode("utf-8", "replace")
    return frozenset(form for line in text.splitlines() for form in (line.strip(), line.strip().removeprefix("+").strip()))


def find_weight(suite: LoadedSuite, task: Task) -> Iterator[Finding]:
    """Advice: a heavy workspace, packages and network that no sandbox has."""
    size = sum(record.size for record in suite.tree(task.workspace).records if not isinstance(record.size, UnsetType))
    if size > HEAVY_BYTES:
        yield Finding(task.id, "heavy", f"the workspace has {size // 1024 // 1024} MiB, copied for every question of a grader")
    found = _NETWORK(instruction(task))
    if found:
        yield Finding(task.id, "network", f"the instruction speaks of {found[0]!r}, and a sandbox has no network")
    yield from (Finding(task.id, "network", message) for message in _foreign(suite, task))


def _foreign(suite: LoadedSuite, task: Task) -> Iterator[str]:
    """Modules that Python files of workspace and grader import and nothing provides; optional imports are passed over."""
    trees = [("workspace", suite.tree(task.workspace))]
    trees += [] if isinstance(task.grader, UnsetType) else [("grader", suite.tree(task.grader))]
    local = {part for _, tree in trees for record in tree.records for part in record.path.removesuffix(".py").split("/")}
    if not isinstance(task.solution, UnsetType):
        local |= {part for each in suite.tree(task.solution.tree).records for part in each.path.removesuffix(".py").split("/")}
    told = set()
    for name, tree in trees:
        for record in tree.records:
            if isinstance(record.digest, UnsetType) or not record.path.endswith(".py"):
                continue
            for module in _imported(suite.blobs.read(record.digest)):
                top = module.partition(".")[0]
                if module in _CLIENTS and name == "grader":
                    yield f"grader file {record.path} imports {module}, and a sandbox has no network"
                elif top not in local and top not in STDLIB_NAMES and top not in {"tally_grader", "pytest"} and top not in told:
                    told.add(top)
                    yield f"{name} file {record.path} imports {top}, which no sandbox has; vendor it, or do without it"


def _imported(source: bytes) -> Iterator[str]:
    """Modules that must be there: imports inside a `try` are optional."""
    module = parse(source)
    waiting: list[ast.AST] = [] if module is None else [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Try):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
        waiting += ast.iter_child_nodes(node)
