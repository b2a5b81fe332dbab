"""A task from a repository: the base is the parent of a commit that mends something, the hidden tests are those of that commit.

The workspace is the parent's tree without history. What the commit changes in its tests becomes the grader, the rest of the
change the solution. Nothing of the repository runs outside the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError
from tallystick.flows.task_git import Commit, Entry, Repository, open_repository
from tallystick.flows.task_hidden import FOLDER, Chosen, choose, write_grader
from tallystick.flows.task_new import Draft, NewTask, building
from tallystick.flows.task_tests import is_test_file, is_test_part, unrunnable
from tallystick.flows.task_text import task_text
from tallystick.flows.task_words import needs
from tallystick.records.paths import link_problem, parents, suite_path_problem
from tallystick.sandbox.drivers import open_sandbox
from tallystick.suites.allowed import steers
from tallystick.suites.fairness import MOST_BYTES, MOST_FILES
from tallystick.suites.folders import REMOVES_FILE
from tallystick.suites.loading import LoadedSuite, compile_suite

__all__ = ["RepositoryRequest", "UnsuitableCommitError", "new_from_repository"]

_LINK, _SUBMODULE, _EXECUTABLE = "120000", "160000", "100755"
_LFS: Final = b"version https://git-lfs.github.com/spec/"
_SHOWN: Final = 3
"""Examples in a refusal."""


class UnsuitableCommitError(InputError):
    """A commit that cannot become a task: the reason, and what to do."""


@dataclass(frozen=True, slots=True)
class RepositoryRequest:
    """What to make a task of. `without` are files and folders (with or without a final `/`) that stay out of it."""

    name: str
    source: str
    fix: str
    suite: Path
    tier: str
    without: tuple[str, ...] = ()
    cwd: Path = Path()
    search_path: str = ""


@dataclass(frozen=True, slots=True)
class _Parts:
    """A commit taken apart. `before` and `after` are whole trees; the others are paths that the commit changes."""

    commit: Commit
    before: Mapping[str, Entry]
    after: Mapping[str, Entry]
    tests: tuple[str, ...]
    rest: tuple[str, ...]


def new_from_repository(request: RepositoryRequest) -> NewTask:
    """Write the task of a commit into a suite.

    Raises:
        UnsuitableCommitError, NoHiddenTestError: the commit cannot become a task.
        GitError: the repository or the commit cannot be read.
        InputError: as for `new_skeleton`.
        SandboxUnavailableError: this machine cannot run the tests apart.
    """
    with (
        building(request.name, request.suite, request.tier) as draft,
        open_repository(request.source, request.search_path, cwd=request.cwd) as repository,
    ):
        parts = _take_apart(repository, request)
        contents = repository.read([entry.oid for entry in _wanted(parts)])
        _refuse_contents(parts, contents)
        files, notes = _runnable(parts, contents)
        _write_trees(draft, parts, contents)
        chosen = _choose(draft, parts, files)
        notes += [f"{path}: its change is left out of the solution, since its name steers Python" for path in _steering(parts)]
        _write_task(draft, parts, chosen)
    return NewTask(request.name, request.suite, draft.target, (*notes, *chosen.notes))


def _take_apart(repository: Repository, request: RepositoryRequest) -> _Parts:
    commit = repository.commit(request.fix)
    before, after = (_without(repository.entries(oid), request.without) for oid in (commit.parent, commit.oid))
    _refuse_entries(before, after)
    changed = sorted(path for path in before.keys() | after.keys() if _differs(before.get(path), after.get(path)))
    tests = tuple(path for path in changed if is_test_part(path))
    rest = tuple(path for path in changed if not is_test_part(path))
    short = commit.oid[:12]
    if not changed:
        raise UnsuitableCommitError(f"commit {short} changes nothing that is left; choose another one")
    if not rest:
        raise UnsuitableCommitError(
            f"commit {short} touches tests only ({_some(tests)}): no solution is left for an agent to find; choose the commit "
            "that changes the code"
        )
    if not any(is_test_file(path) and path in after for path in tests):
        found = f"it changes {_some(tests)}, and" if tests else "it changes"
        raise UnsuitableCommitError(
            f"commit {short} has no tests in Python ({found} {_some(rest)}): nothing would tell a fix from the base; choose a "
            "commit with tests (test_*.py, *_test.py), or write the grader yourself: tally task new NAME"
        )
    return _Parts(commit, before, after, tests, rest)


def _differs(one: Entry | None, other: Entry | None) -> bool:
    return one is None or other is None or (one.oid, one.mode) != (other.oid, other.mode)


def _without(entries: Mapping[str, Entry], left_out: Iterable[str]) -> dict[str, Entry]:
    names = tuple(path.strip().rstrip("/") for path in left_out)
    return {
        path: each for path, each in entries.items() if not any(path == name or path.startswith(f"{name}/") for name in names)
    }


def _some(paths: Iterable[str]) -> str:
    listed = sorted(paths)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return ", ".join(path[:120] for path in listed[:_SHOWN]) + more


def _refuse_entries(before: Mapping[str, Entry], after: Mapping[str, Entry]) -> None:
    """Refuse what a listing shows that no suite can hold."""
    both = {**before, **after}
    modules = [path for entries in (before, after) for path, entry in entries.items() if entry.mode == _SUBMODULE]
    if modules:
        raise UnsuitableCommitError(
            f"submodules ({_some(set(modules))}): their files are in other repositories, and a task holds everything it needs; "
            f"commit the files in their place, or leave them out: --without {min(modules)}"
        )
    for path in both:
        problem = suite_path_problem(path)
        if problem:
            raise UnsuitableCommitError(
                f"the path {path[:120]!r} {problem}; rename it in a branch, or leave it out with --without"
            )
        above = next(
            (part for entries in (before, after) for part in parents(path) if path in entries and part in entries), None
        )
        if above:
            raise UnsuitableCommitError(f"the repository has both {above} and {path}; its trees are broken")
    if any(path == FOLDER or path.startswith(f"{FOLDER}/") for path in both):
        raise UnsuitableCommitError(
            f"the repository has a {FOLDER}, where the runner of hidden tests goes; rename it in a branch"
        )
    for entries in (before, after):
        size = sum(entry.size for entry in entries.values())
        if len(entries) > MOST_FILES or size > MOST_BYTES:
            raise UnsuitableCommitError(
                f"{len(entries)} files of {size} bytes; a workspace has at most {MOST_FILES} files and {MOST_BYTES} bytes: "
                "leave out what the tests do not need with --without PATH"
            )


def _wanted(parts: _Parts) -> list[Entry]:
    """What is read: the base, what the commit changes, and the tests of the fix."""
    tests = [entry for path, entry in parts.after.items() if is_test_part(path)]
    return [*parts.before.values(), *tests, *(parts.after[path] for path in parts.rest if path in parts.after)]


def _refuse_contents(parts: _Parts, contents: Mapping[str, bytes]) -> None:
    entries = _wanted(parts)
    pointers = sorted({entry.path for entry in entries if contents[entry.oid].startswith(_LFS)})
    if pointers:
        raise UnsuitableCommitError(
            f"Git LFS pointers in place of files ({_some(pointers)}): a task holds everything it needs; commit the files "
            "themselves (in a copy: git lfs migrate export --include='*' --everything), or leave them out: "
            f"--without {pointers[0]}"
        )
    for entry in entries:
        if entry.mode == _LINK:
            target = contents[entry.oid].decode("utf-8", "surrogateescape")
            problem = link_problem(entry.path, target) or (None if target.isprintable() else "is not printable text")
            if problem:
                raise UnsuitableCommitError(
                    f"the link {entry.path} {problem} ({target[:80]!r}); put a file in its place, or leave it out: "
                    f"--without {entry.path}"
                )


def _runnable(parts: _Parts, contents: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
    """The test files of the fix that can run, those that the commit changes first; and notes on others.

    Raises:
        UnsuitableCommitError: a test file that the commit changes needs pytest.
    """
    every = [path for path in parts.after if is_test_file(path) and parts.after[path].mode != _LINK]
    touched = [path for path in every if path in parts.tests]
    problems = [problem for path in touched for problem in unrunnable(path, contents[parts.after[path].oid])]
    if problems:
        raise UnsuitableCommitError(
            f"hidden tests that only pytest can run: {'; '.join(problems[:_SHOWN])}"
            f"{f' and {len(problems) - _SHOWN} more' if len(problems) > _SHOWN else ''}. No package is installed where graders "
            "run. Rewrite them with unittest in a branch (tests without arguments, pytest.raises and pytest.fail are fine), or "
            f"leave a file out: --without {problems[0].partition(':')[0]}"
        )
    files, notes = list(touched), list[str]()
    for path in (each for each in every if each not in parts.tests):
        found = unrunnable(path, contents[parts.after[path].oid])
        if found:
            notes.append(f"{found[0]}; the file's tests are not part of the check")
        else:
            files.append(path)
    return files, notes


def _steering(parts: _Parts) -> list[str]:
    """Changes that the grade workspace would leave out, whoever makes them."""
    return [path for path in parts.rest if steers(path)]


def _write_trees(draft: Draft, parts: _Parts, contents: Mapping[str, bytes]) -> None:
    rest = [path for path in parts.rest if not steers(path)]
    hidden = [parts.after[path] for path in parts.tests if path in parts.after]
    _write(draft.folder / "workspace", parts.before.values(), contents)
    _write(draft.folder / "solution", (parts.after[path] for path in rest if path in parts.after), contents)
    _write(draft.folder / "grader", hidden, contents)
    removed = [path for path in rest if path not in parts.after]
    if removed:
        (draft.folder / "solution" / REMOVES_FILE).write_text("".join(f"{path}\n" for path in removed), encoding="utf-8")
    write_grader(draft.folder / "grader", None)


def _write(folder: Path, entries: Iterable[Entry], contents: Mapping[str, bytes]) -> None:
    """Files first and links last, so that no file is written through a link."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in sorted(entries, key=lambda entry: entry.mode == _LINK):
        path = folder / entry.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if entry.mode == _LINK:
            path.symlink_to(contents[entry.oid].decode("utf-8"))
        else:
            path.write_bytes(contents[entry.oid])
            path.chmod(0o755 if entry.mode == _EXECUTABLE else 0o644)


def _choose(draft: Draft, parts: _Parts, files: list[str]) -> Chosen:
    """Run the hidden tests; for this the task is compiled with the runner as its only script."""
    text = task_text(
        parts.commit,
        _protected(parts.before),
        "  - {kind: grader, id: fixed, script: tally_hidden/checks.py, tests: [none]}\n",
        "",
    )
    (draft.folder / "task.md").write_text(text, encoding="utf-8")
    suite = compile_suite(draft.suite)
    return choose(suite, suite.tasks[0], files, open_sandbox("bwrap"))


def _write_task(draft: Draft, parts: _Parts, chosen: Chosen) -> None:
    """The scripts and the text; what the tests need and nothing tells is named at the end of the instruction."""
    write_grader(draft.folder / "grader", chosen)
    checks = "".join(
        f"  - {{kind: grader, id: {name}, script: {FOLDER}/{name}.py, tests: [{', '.join(_ids(plan))}]}}\n"
        for name, plan in (("fixed", chosen.fixed), ("kept", chosen.kept))
        if plan
    )
    path = draft.folder / "task.md"
    path.write_text(task_text(parts.commit, _protected(parts.before), checks, ""), encoding="utf-8")
    untold = _untold(compile_suite(draft.suite))
    if untold:
        path.write_text(
            task_text(parts.commit, _protected(parts.before), checks, f"\nThe check uses these words: {', '.join(untold)}.\n"),
            encoding="utf-8",
        )


def _ids(plan: Mapping[str, Mapping[str, str]]) -> list[str]:
    return [test_id for tests in plan.values() for test_id in tests.values()]


def _untold(suite: LoadedSuite) -> list[str]:
    return list(dict.fromkeys(f"`{need.word}`" for need in needs(suite, suite.tasks[0]) if need.sure))


def _protected(before: Mapping[str, Entry]) -> list[str]:
    """Folders of tests (with a final `/`), and test files elsewhere."""
    folders, files = set(), set()
    for path in filter(is_test_part, before):
        top = next(
            (part for part in reversed(list(parents(path))) if part.rpartition("/")[2].lower() in {"test", "tests"}), None
        )
        if top is not None:
            folders.add(f"{top}/")
        else:
            files.add(path)
    return sorted(folders | files)
