"""Compiling a suite from its authoring form: a folder per task, or a single Markdown file.

    <suite>/suite.yaml             {version, order: [task ids]}; without it the folder's name, and tasks sorted by id
    <suite>/<tier>/<task>.md       frontmatter + instruction (suites.taskfile), maybe with a folder <task> beside it, or
    <suite>/<tier>/<task>/task.md  the same; in the folder
                         /workspace/      files the agent starts from
                         /grader/         what only the grade pass sees
                         /solution/       laid over the workspace by the oracle agent
                         /cheats/<name>/  wrong solutions that must fail; each has an entry in the frontmatter's `cheats`
                         /partials/<name>/  solutions that do part of the task; each has a score in the frontmatter's `partials`

`README.md`, names with a leading dot, and bytecode are passed over. The result depends on nothing but names, modes and bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, Id, Slug, UnsetType, write
from tallystick.records.task import TIERS, Cheat, Grader, Partial, Suite, Task, hash_suite, hash_task, parse_suite
from tallystick.records.tree import Overlay, Tree, tree_digest
from tallystick.suites.folders import REMOVES_FILE, Folder, is_litter, read_folder, read_removes
from tallystick.suites.integrity import check_suite, named_trees
from tallystick.suites.loaded import FileBlobs, LoadedSuite, Proofs, SuiteError
from tallystick.suites.taskfile import TaskFile, read_task_file, read_text
from tallystick.suites.yaml_values import AuthoringError, Value, parse_yaml, suggestion

__all__ = ["assemble", "compile_suite"]

PARTS: Final = ("workspace", "grader", "solution", "cheats", "partials")
_ZERO: Final = Digest("sha256:" + "0" * 64)


@dataclass(slots=True)
class _Gathered:
    """What compiling has met so far: trees by digest, and a file for each content."""

    trees: dict[Digest, Tree] = field(default_factory=dict)
    files: dict[Digest, Path] = field(default_factory=dict)

    def keep(self, folder: Folder) -> Digest:
        """Remember a folder's tree and files; return the tree's digest."""
        digest = tree_digest(folder.tree)
        self.trees[digest] = folder.tree
        self.files |= folder.files
        return digest


def compile_suite(folder: Path) -> LoadedSuite:
    """Compile the authoring form in `folder`.

    Raises:
        AuthoringError: a file or key that cannot be read as meant.
        SuiteError: no task at all, or a whole that breaks a rule of suites.
    """
    if not folder.is_dir():
        raise SuiteError(f"{folder}: not a folder")
    _refuse_odd_folders(folder)
    gathered = _Gathered()
    tasks: dict[str, Task] = {}
    proofs: dict[str, Proofs] = {}
    for tier in TIERS:
        for name, place in _task_places(folder / tier):
            task, proof = _task(name, place, tier, gathered)
            if task.id in tasks:
                raise SuiteError(f"{place}: another task has the id {task.id}")
            tasks[task.id], proofs[task.id] = task, proof
    if not tasks:
        raise SuiteError(f"{folder}: no task; expected files such as smoke/my-task.md or smoke/my-task/task.md")
    version, order = _suite_file(folder, tasks)
    document = assemble(version, [tasks[name] for name in order], gathered.trees, sum((proofs[n] for n in order), Proofs()))
    return LoadedSuite(document, FileBlobs(gathered.files, str(folder)), "reader", check_suite(document))


def assemble(version: str, tasks: list[Task], trees: dict[Digest, Tree], proofs: Proofs) -> Suite:
    """A suite document of hashed tasks; keeps those of `trees` that they name.

    Raises:
        InputError: an id that stands twice, or a document that breaks its own schema.
    """
    ordered = tuple(tasks)
    ids = [task.id for task in tasks]
    double = next((name for name in ids if ids.count(name) > 1), None)
    if double is not None:
        raise SuiteError(f"{version}: two tasks have the id {double}")
    suite = Suite(
        version=version,
        suite_hash=hash_suite(ordered),
        tasks=ordered,
        trees=(),
        cheats=proofs.cheats,
        partials=proofs.partials or UNSET,
    )
    suite = msgspec.structs.replace(suite, trees=tuple(trees[digest] for digest in sorted(set(named_trees(suite)))))
    return parse_suite(write(suite, limits.SUITE_BYTES))


def _is_passed_over(path: Path) -> bool:
    return path.name.startswith(".") or is_litter(path.name) or path.name == "README.md"


def _refuse_odd_folders(folder: Path) -> None:
    """A folder of tasks under a name that is no tier would silently be no part of the suite."""
    for place in sorted(folder.iterdir()):
        if place.name in TIERS or _is_passed_over(place) or not place.is_dir():
            continue
        if suggestion(place.name, TIERS) or any(place.glob("*/task.md")):
            raise AuthoringError(f"{place}: no tier has this name; tiers are {', '.join(TIERS)}")


def _task_places(tier: Path) -> list[tuple[str, Path]]:
    """(default id, path) of the tasks of a tier, sorted by name. A folder without task.md may belong to the file NAME.md."""
    if not tier.is_dir():
        return []
    places = []
    for place in sorted(tier.iterdir()):
        if _is_passed_over(place) or _beside(tier / f"{place.name}.md") == place:
            continue
        if place.is_dir():
            places.append((place.name, place))
        elif place.suffix == ".md":
            places.append((place.stem, place))
        else:
            raise AuthoringError(f"{place}: expected a task: a file NAME.md or a folder NAME with task.md in it")
    return places


def _beside(file: Path) -> Path | None:
    """The folder that holds the parts of the task in the single file `file`."""
    folder = file.with_suffix("")
    return folder if file.is_file() and folder.is_dir() and not (folder / "task.md").exists() else None


def _task(name: str, place: Path, tier: str, gathered: _Gathered) -> tuple[Task, Proofs]:
    folder = place if place.is_dir() else _beside(place)
    said = read_task_file(place / "task.md" if place.is_dir() else place, name, tier)
    if folder is not None:
        _refuse_odd_parts(folder)
    else:
        for kind in ("cheats", "partials"):
            if getattr(said, kind):
                raise AuthoringError(f"{place}: {kind} need a folder {name}/{kind}/<name> each")
    workspace = read_folder(folder / "workspace") if folder else Folder(Tree(records=()))
    grader = read_folder(folder / "grader") if folder else None
    members: dict[str, Any] = {
        **said.members,
        "id": said.id,
        "assertions": said.assertions,
        "workspace": gathered.keep(workspace),
        "grader": gathered.keep(grader) if grader and grader.tree.records else UNSET,
        "solution": _solution(folder, workspace.tree, gathered) if folder else UNSET,
    }
    _check_scripts(said, grader.tree if grader else Tree(records=()))
    proofs = _proofs(said, folder, workspace.tree, gathered) if folder else Proofs()
    return _hashed(members, said.file), proofs


def _hashed(members: dict[str, Any], file: str) -> Task:
    """The task with its hash."""
    try:
        draft = Task(**members, task_hash=_ZERO)
        return msgspec.structs.replace(draft, task_hash=hash_task(draft))
    except ValueError as error:
        raise AuthoringError(f"{file}: {error}") from None


def _refuse_odd_parts(place: Path) -> None:
    for part in sorted(place.iterdir()):
        if part.name == "task.md" or _is_passed_over(part):
            continue
        if part.name not in PARTS or not part.is_dir():
            known = f"expected task.md and folders {', '.join(PARTS)}"
            raise AuthoringError(f"{part}: {known}{suggestion(part.name, PARTS)}")
    for name in ("workspace", "grader"):
        if (place / name / REMOVES_FILE).exists():
            raise AuthoringError(f"{place / name / REMOVES_FILE}: only a solution or a cheat removes files")


def _check_scripts(said: TaskFile, grader: Tree) -> None:
    scripts = {record.path for record in grader.records}
    for check in said.assertions:
        if isinstance(check, Grader) and check.script not in scripts:
            near = suggestion(check.script, scripts)
            raise AuthoringError(f"{said.file}: {check.id}: the grader folder has no {check.script!r}{near}")


def _solution(task: Path, base: Tree, gathered: _Gathered) -> Overlay | UnsetType:
    folder = task / "solution"
    return _overlay(folder, base, gathered) if folder.exists() else UNSET


def _overlay(folder: Path, base: Tree, gathered: _Gathered) -> Overlay:
    return Overlay(tree=gathered.keep(read_folder(folder)), removes=read_removes(folder, base))


def _proofs(said: TaskFile, folder: Path, base: Tree, gathered: _Gathered) -> Proofs:
    cheats = _overlays(said, folder, "cheats", base, gathered)
    partials = _overlays(said, folder, "partials", base, gathered)
    return Proofs(
        tuple(
            Cheat(task_id=said.id, name=name, overlay=cheats[name], fails=fails) for name, fails in sorted(said.cheats.items())
        ),
        tuple(
            Partial(task_id=said.id, name=name, overlay=partials[name], score=score) for name, score in said.partials.items()
        ),
    )


_ENTRIES: Final = {"cheats": "{fails: [assertion ids]}", "partials": "SCORE"}


def _overlays(said: TaskFile, task: Path, kind: str, base: Tree, gathered: _Gathered) -> dict[str, Overlay]:
    """The overlays in the folder `kind` of a task by name, which are those that its frontmatter speaks of."""
    named: Iterable[str] = getattr(said, kind)
    folder = task / kind
    there = sorted(place.name for place in folder.iterdir() if not _is_passed_over(place)) if folder.is_dir() else []
    for name in there:
        if name not in named:
            raise AuthoringError(f"{said.file}: {kind}: expected an entry {name}: {_ENTRIES[kind]}")
    overlays = {}
    for name in sorted(named):
        if name not in there:
            raise AuthoringError(f"{said.file}: {kind}.{name}: there is no folder {kind}/{name}{suggestion(name, there)}")
        try:
            msgspec.convert(name, Slug)
        except msgspec.ValidationError:
            raise AuthoringError(f"{said.file}: {kind}.{name}: expected lower-case letters, digits, - and _") from None
        overlays[name] = _overlay(folder / name, base, gathered)
    return overlays


def _suite_file(folder: Path, tasks: dict[str, Task]) -> tuple[str, list[str]]:
    """Version and order of a suite."""
    path = folder / "suite.yaml"
    if not path.exists():
        return _version(folder.resolve().name, f"{folder}: the folder's name"), sorted(tasks)
    members = parse_yaml(read_text(path), str(path)).members({"version", "order"})
    version = members.get("version")
    name = version.text() if version else folder.resolve().name
    checked = _version(name, f"{path}: version")
    return checked, _order(members["order"], tasks) if "order" in members else sorted(tasks)


def _version(name: str, where: str) -> str:
    try:
        version: str = msgspec.convert(name, Id)
    except msgspec.ValidationError:
        raise AuthoringError(f"{where}: {name[:40]!r} cannot name a suite; expected letters, digits and . _ -") from None
    return version


def _order(value: Value, tasks: dict[str, Task]) -> list[str]:
    order = list(value.texts())
    for item in value.items():
        if item.text() not in tasks:
            raise item.error(f"no task has the id {item.text()[:40]!r}{suggestion(item.text(), tasks)}")
        if order.count(item.text()) > 1:
            raise item.error(f"{item.text()!r} stands twice")
    missing = sorted(tasks.keys() - set(order))
    if missing:
        raise value.error(f"the task {missing[0]!r} is missing")
    return order
