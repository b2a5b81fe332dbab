"""Does the instruction say what the hidden check needs? Words that a check uses and the agent can find nowhere.

A name that the agent could neither read in the instruction nor find in the workspace can only be guessed. Some needs are sure:
modules and names that hidden tests import from the submitted code, attributes and keyword arguments of these, arguments of
programs that a grader starts, files it reads, messages of exceptions it matches, paths and symbols of assertions. Other literal
strings that look like names are listed as advice: they may be data of the grader.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tallystick.flows.task_tests import parse
from tallystick.records.base import UnsetType
from tallystick.records.task import Command, Contains, DocstringContains, Grader, Matches, Task
from tallystick.records.tree import Tree
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.stdlib_names import STDLIB_NAMES

__all__ = ["Need", "needs"]

TEXT_BYTES: Final = 8 * 1024 * 1024
"""Bytes of the workspace that are searched."""
_OURS: Final = frozenset({"tally_grader", "pytest", "checks"})
_BUILTIN_NAMES: Final = frozenset(
    name
    for kind in (
        str,
        bytes,
        bytearray,
        int,
        float,
        list,
        dict,
        set,
        tuple,
        range,
        slice,
        BaseException,
        type,
        type(re.compile("")),
    )
    for name in dir(kind)
)
_PROGRAMS: Final = frozenset(
    {"python3", "python", "sh", "bash", "-c", "-m", "-I", "-B", "-E", "-s", "-u", "-q", "-O", "-", "--", "env"}
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").fullmatch
_LOOKS_NAMED = re.compile(r"--[a-z][a-z0-9-]+|[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*\.[a-z]{1,5}").fullmatch
"""Options and names of files."""
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9 ,:;'\"_/-]+").fullmatch


@dataclass(frozen=True, slots=True)
class Need:
    """A word the check needs that is neither in the instruction nor in the workspace. `where`: `file:line`, or an assertion."""

    word: str
    where: str
    sure: bool


def needs(suite: LoadedSuite, task: Task) -> tuple[Need, ...]:
    """Everything of that kind, each word once, the sure ones first."""
    seen = _Visible(suite, task)
    found: dict[str, Need] = {}
    every = [*_of_assertions(task), *_of_graders(suite, task)]
    for need in sorted(every, key=lambda need: not need.sure):
        if need.word not in found and not seen.has(need.word):
            found[need.word] = need
    return tuple(found.values())


class _Visible:
    """What the agent can read: the instruction, and the paths and texts of the workspace."""

    def __init__(self, suite: LoadedSuite, task: Task) -> None:
        tree = suite.tree(task.workspace)
        self._text = "\n".join([instruction(task), *(record.path for record in tree.records), *_texts(suite, tree)])
        self._lower = " ".join(self._text.lower().split())

    def has(self, word: str) -> bool:
        """Whether the word stands there by itself; a phrase in any case and with any white space."""
        if " " in word:
            return " ".join(word.lower().split()) in self._lower
        return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", self._text) is not None


def _texts(suite: LoadedSuite, tree: Tree) -> Iterator[str]:
    left = TEXT_BYTES
    for record in tree.records:
        if isinstance(record.digest, UnsetType) or isinstance(record.size, UnsetType) or record.size > left:
            continue
        left -= record.size
        yield suite.blobs.read(record.digest).decode("utf-8", "replace")


def _of_assertions(task: Task) -> Iterator[Need]:
    for check in task.assertions:
        where = f"assertion {check.id}"
        if isinstance(check, Grader):
            continue
        if isinstance(check, Command):
            yield from (Need(word, where, sure=False) for word in check.argv if _LOOKS_NAMED(word) and word not in _PROGRAMS)
            continue
        for path in (*getattr(check, "paths", ()), *filter(None, [getattr(check, "path", None)])):
            yield Need(path, where, sure=True)
        symbol = getattr(check, "symbol", "")
        yield from (Need(part, where, sure=True) for part in symbol.split(".") if part)
        if isinstance(check, Contains | DocstringContains):
            yield Need(" ".join(check.text.split()), where, sure=False)
        elif isinstance(check, Matches) and _PLAIN_TEXT(check.pattern):
            yield Need(check.pattern, where, sure=False)


def _of_graders(suite: LoadedSuite, task: Task) -> Iterator[Need]:
    if isinstance(task.grader, UnsetType):
        return
    tree = suite.tree(task.grader)
    own = (
        {record.path.removesuffix(".py").split("/")[-1] for record in tree.records}
        if task.grading.mode == "separate"
        else set()
    )
    ids = {test for check in task.assertions if isinstance(check, Grader) for test in check.tests}
    for record in tree.records:
        generated = record.path.startswith("tally_hidden/")
        if isinstance(record.digest, UnsetType) or not record.path.endswith(".py") or generated:
            continue
        module = parse(suite.blobs.read(record.digest))
        if module is not None:
            yield from _File(record.path, module, frozenset(own), frozenset(ids)).needs()


class _File:
    """One Python file of a grader."""

    def __init__(self, path: str, module: ast.Module, own: frozenset[str], ids: frozenset[str]) -> None:
        self._path, self._module, self._ids = path, module, ids
        self._foreign = STDLIB_NAMES | _OURS | own
        self._bound: set[str] = set()
        """Names that stand for something of the submitted code."""

    def needs(self) -> Iterator[Need]:
        """Sure needs, then strings that look like names."""
        yield from self._imports(self._module)
        self._assignments()
        for node in ast.walk(self._module):
            if isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.Attribute) and self._is_theirs(node):
                yield self._need(node.attr, node)
        yield from self._strings()

    def _is_theirs(self, node: ast.Attribute) -> bool:
        """Whether an attribute belongs to the submitted code: directly of something it defines, or further on no built-in's."""
        root = _root(node)
        if root not in self._bound or root == f"self.{node.attr}" or node.attr.startswith("__"):
            return False
        direct = isinstance(node.value, ast.Name) or _root(node.value) == f"self.{getattr(node.value, 'attr', '')}"
        return direct or node.attr not in _BUILTIN_NAMES

    def _assignments(self) -> None:
        """What is assigned from something of the submitted code stands for it too: `cart = Cart()`, `self.cart = Cart()`."""
        for _ in range(2):
            for node in ast.walk(self._module):
                if isinstance(node, ast.Assign) and _root(node.value) in self._bound:
                    self._bound.update(filter(None, map(_root, node.targets)))
                elif isinstance(node, ast.withitem) and node.optional_vars and _root(node.context_expr) in self._bound:
                    self._bound.add(_root(node.optional_vars))

    def _need(self, word: str, node: ast.AST, *, sure: bool = True) -> Need:
        return Need(word, f"{self._path}:{getattr(node, 'lineno', 1)}", sure)

    def _imports(self, module: ast.Module) -> Iterator[Need]:
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._import(node, alias.name, (alias.asname or alias.name.partition(".")[0],), ())
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = tuple(alias.name for alias in node.names)
                bound = tuple(alias.asname or alias.name for alias in node.names)
                yield from self._import(node, node.module or "", bound, names)

    def _import(self, node: ast.AST, module: str, bound: Iterable[str], names: Iterable[str]) -> Iterator[Need]:
        if module.partition(".")[0] in self._foreign:
            return
        self._bound.update(bound)
        yield from (self._need(part, node) for part in (*module.split("."), *names) if part != "*")

    def _call(self, node: ast.Call) -> Iterator[Need]:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "run" and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
            yield from self._argv(node.args[0])
        elif name == "read" and _root(node.func) == "subject":
            yield from (self._need(text, node) for text in _constants(node.args[:1]))
        elif name in {"assertRaisesRegex", "assertWarnsRegex"}:
            yield from (self._need(text, node) for text in _constants(node.args[1:2]) if _PLAIN_TEXT(text))
        elif name == "raises":
            matched = [each.value for each in node.keywords if each.arg == "match"]
            yield from (self._need(text, node) for text in _constants(matched) if _PLAIN_TEXT(text))
        elif _root(node.func) in self._bound:
            yield from (self._need(each.arg, node) for each in node.keywords if each.arg)

    def _argv(self, words: ast.List | ast.Tuple) -> Iterator[Need]:
        """What a grader starts in the workspace; code after `-c` is looked at for imports."""
        texts = [(each, each.value) for each in words.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        for index, (node, text) in enumerate(texts):
            if text in _PROGRAMS or text.startswith("tally_hidden"):
                continue
            if index and texts[index - 1][1] == "-c":
                code = parse(text.encode())
                yield from () if code is None else _File(self._path, code, self._foreign, self._ids).needs()
            elif text not in STDLIB_NAMES and (_NAME(text) or _LOOKS_NAMED(text)):
                before = texts[index - 1][1] if index else ""
                program = index == 0 or before == "-m" or (index == 1 and before in _PROGRAMS)
                yield self._need(text, node, sure=program or text.startswith("--"))

    def _strings(self) -> Iterator[Need]:
        """Names of files, options, and keys that are looked up; ids of tests and short strings are the grader's own."""
        keys = {id(node.slice) for node in ast.walk(self._module) if isinstance(node, ast.Subscript)}
        keys |= {
            id(node.args[0]) for node in ast.walk(self._module) if isinstance(node, ast.Call) and node.args and _is_get(node)
        }
        for node in ast.walk(self._module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in self._ids:
                text = node.value
                key = id(node) in keys and _NAME(text) is not None
                if key or (_LOOKS_NAMED(text) and len(text) > 3):  # noqa: PLR2004  # shorter ones are data
                    yield self._need(text, node, sure=False)


def _is_get(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "get"


def _root(node: ast.expr) -> str:
    """`a` of `a.b().c`, `self.a` of `self.a.b()`, empty where it is no name."""
    last = ""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        last = node.attr if isinstance(node, ast.Attribute) else last
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        return ""
    return f"self.{last}" if node.id == "self" and last else node.id


def _constants(nodes: Iterable[ast.expr]) -> Iterator[str]:
    return (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value)
