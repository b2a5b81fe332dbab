"""Drawn tasks, and their Python files as modules in memory."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from types import ModuleType
from typing import Any, NamedTuple

import yaml

from tallystick.suites.families import load_family
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.varying import below


def made(family: str, seed: int) -> Mapping[str, str]:
    """The files of the first task of a family and seed."""
    return load_family(family).make(Draws("task", family, str(seed), "1"))


def front(files: Mapping[str, str]) -> dict[str, Any]:
    """The frontmatter of a drawn task."""
    return dict(yaml.safe_load(files["task.md"].split("---\n")[1]))


def workspace(files: Mapping[str, str], overlay: str = "") -> dict[str, str]:
    """The workspace with the files of an overlay laid over it."""
    return below("workspace", files) | (below(overlay, files) if overlay else {})


class _Result(NamedTuple):
    stdout: bytes
    stderr: bytes
    exit: int = 0


class _Subject:
    """Answers a grader's questions in this process: its `python3 -c` programs, and files."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def run(self, argv: Sequence[str], stdin: bytes = b"", timeout_s: float = 10) -> _Result:
        assert list(argv[:2]) == ["python3", "-c"]
        out, kept = io.StringIO(), sys.stdin
        sys.stdin = io.StringIO(stdin.decode())
        try:
            with redirect_stdout(out):
                exec(argv[2], {"__name__": "__main__"})
        except Exception as error:  # noqa: BLE001  # whatever drawn code raises is its answer
            return _Result(out.getvalue().encode(), repr(error).encode(), 1)
        finally:
            sys.stdin = kept
        return _Result(out.getvalue().encode(), b"")

    def read(self, path: str) -> bytes | None:
        return self.files[path].encode() if path in self.files else None


def judged(files: Mapping[str, str], overlay: str = "", script: str = "grade.py") -> dict[str, str]:
    """What the task's grader says of the workspace with an overlay: by test, "" or why it does not pass."""
    said: dict[str, str] = {}

    class test:  # noqa: N801  # as in tally_grader
        def __init__(self, name: str) -> None:
            self.name = name

        def __enter__(self) -> None:
            said[self.name] = ""

        def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
            said[self.name] = "" if error is None else f"{type(error).__name__}: {error}"
            return True

    submitted, hidden = workspace(files, overlay), below("grader", files)
    fake = ModuleType("tally_grader")
    fake.__dict__.update(subject=_Subject(submitted), test=test)
    with importable({**submitted, **hidden}):
        sys.modules["tally_grader"] = fake
        try:
            exec(compile(hidden[script], script, "exec"), {"__name__": "grade"})
        finally:
            del sys.modules["tally_grader"]
    return said


def failing(files: Mapping[str, str], overlay: str = "", script: str = "grade.py") -> set[str]:
    """Names of the tests that an overlay does not pass."""
    return {name for name, why in judged(files, overlay, script).items() if why}


class _Memory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def _path(self, name: str) -> str | None:
        base = name.replace(".", "/")
        return next((path for path in (f"{base}/__init__.py", f"{base}.py") if path in self.files), None)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        found = self._path(fullname)
        if found is None:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=found.endswith("__init__.py"))

    def exec_module(self, module: ModuleType) -> None:
        path = self._path(module.__name__)
        assert path is not None
        exec(compile(self.files[path], path, "exec"), module.__dict__)


@contextmanager
def importable(files: Mapping[str, str]) -> Iterator[None]:
    """Within, the Python files of a workspace can be imported, before any others of their names."""
    finder = _Memory(files)
    before = dict(sys.modules)
    names = {path.split("/")[0].removesuffix(".py") for path in files if path.endswith(".py")}
    for name in [name for name in sys.modules if name.split(".")[0] in names]:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] in names]:
            del sys.modules[name]
        sys.modules.update({name: module for name, module in before.items() if name.split(".")[0] in names})
