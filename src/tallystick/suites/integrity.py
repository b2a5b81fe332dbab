"""What holds of every suite however it was made, beyond the shape of its document: trees, paths and plain text."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.core.digest import Digest, short
from tallystick.records.base import UNSET
from tallystick.records.paths import link_problem, parents, suite_path_problem
from tallystick.records.task import Command, Partial, Suite, Task
from tallystick.records.tree import Tree
from tallystick.suites.loaded import SuiteError, index_trees
from tallystick.suites.reading import control_character

__all__ = ["check_suite", "named_trees", "partials_of", "spelling_clash", "trees_of"]


def check_suite(document: Suite) -> dict[Digest, Tree]:
    """The trees of a suite by digest, after checking that they are exactly those it names, and every path and text in it.

    Raises:
        SuiteError: naming the first offence.
    """
    trees = index_trees(document.trees)
    problem = _trees_problem(document, trees) or next(_problems(document), None)
    if problem:
        raise SuiteError(f"suite {document.version}: {problem}")
    return trees


def _trees_problem(document: Suite, trees: dict[Digest, Tree]) -> str | None:
    wanted = sorted(set(named_trees(document)))
    missing = next((digest for digest in wanted if digest not in trees), None)
    if missing:
        return f"the tree {short(missing)} is named and not there"
    if list(trees) != wanted or len(document.trees) != len(wanted):
        return "`trees` is not exactly the trees it names, sorted by digest"
    for digest, tree in trees.items():
        problem = _tree_problem(tree)
        if problem:
            return f"tree {short(digest)}: {problem}"
    return None


def _problems(document: Suite) -> Iterator[str]:
    """What is wrong with tasks and cheats."""
    ids = {task.id for task in document.tasks}
    yield from (f"the cheat {c.name} is of no task here ({c.task_id})" for c in document.cheats if c.task_id not in ids)
    partials = partials_of(document)
    yield from (f"the partial solution {p.name} is of no task here ({p.task_id})" for p in partials if p.task_id not in ids)
    for task in document.tasks:
        if any(control_character(text) for text in _texts(task)):
            yield f"task {task.id}: a text holds a control character"
    for place, path in _paths(document):
        problem = suite_path_problem(path)
        if problem:
            yield f"{place}: the path {path[:80]!r} {problem}"


def named_trees(document: Suite) -> Iterator[Digest]:
    """The digests of all trees that tasks and cheats name."""
    for task in document.tasks:
        yield from trees_of(task)
    yield from (cheat.overlay.tree for cheat in document.cheats)
    yield from (partial.overlay.tree for partial in partials_of(document))


def partials_of(document: Suite) -> tuple[Partial, ...]:
    """The partial solutions of a suite."""
    return () if document.partials is UNSET else document.partials


def trees_of(task: Task) -> Iterator[Digest]:
    """The digests of the trees that a task names: workspace, grader and solution."""
    yield task.workspace
    if task.grader is not UNSET:
        yield task.grader
    if task.solution is not UNSET:
        yield task.solution.tree


def _tree_problem(tree: Tree) -> str | None:
    for record in tree.records:
        problem = suite_path_problem(record.path)
        if problem is None and record.target is not UNSET:
            problem = link_problem(record.path, record.target)
        if problem:
            return f"{record.path[:80]!r} {problem}"
    return spelling_clash([record.path for record in tree.records])


def spelling_clash(paths: list[str]) -> str | None:
    """Two paths, or folders of them, that differ only in upper and lower case: one file on some machines."""
    seen: dict[str, str] = {}
    for path in paths:
        for part in (path, *parents(path)):
            known = seen.setdefault(part.lower(), part)
            if known != part:
                return f"{known!r} and {part!r} differ only in upper and lower case"
    return None


def _texts(task: Task) -> Iterator[str]:
    """What is shown to people and agents, or handed to programs."""
    yield from (task.title, task.description, *task.steps)
    for check in task.assertions:
        if isinstance(check, Command):
            yield from check.argv


def _paths(document: Suite) -> Iterator[tuple[str, str]]:
    """(place, path) of every path outside trees that the document's shape does not check."""
    for task in document.tasks:
        yield from _task_paths(task)
    for cheat in document.cheats:
        yield from ((f"cheat {cheat.name} of {cheat.task_id}", path) for path in cheat.overlay.removes)
    for partial in partials_of(document):
        yield from ((f"partial solution {partial.name} of {partial.task_id}", path) for path in partial.overlay.removes)


def _task_paths(task: Task) -> Iterator[tuple[str, str]]:
    if task.solution is not UNSET:
        yield from ((f"solution of {task.id}", path) for path in task.solution.removes)
    for check in task.assertions:
        place = f"assertion {check.id} of {task.id}"
        single = getattr(check, "path", None) or getattr(check, "script", None)
        several = tuple(path.removesuffix("/") for path in getattr(check, "paths", ()))  # `data/` means all below data
        yield from ((place, path) for path in ((single,) if single else ()) + several)
