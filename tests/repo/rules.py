"""Rules about the source that import contracts cannot express, as functions from a parsed module to its offences."""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tests.repo.project import PACKAGE

PURE_ROOMS: Final = ("core", "records", "scoring", "verify")
INSIDE: Final = "runner/inside/"
FREE: Final = "runner/free/"
# What may be imported inside a sandbox: the scripts lie side by side there.
SCRIPTS: Final = [path for place in (INSIDE, FREE) for path in (PACKAGE / place).glob("*.py")]
INSIDE_MODULES: Final = sys.stdlib_module_names | {path.stem for path in SCRIPTS}


def dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` for a chain of names, and ``?.c`` where its start is another expression."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "?"


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of everything a module imports or reads; imported names in full."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module or ''}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Name | ast.Attribute):
            yield node.lineno, dotted(node)


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.lineno, dotted(node.func)


def named(tree: ast.AST, *wanted: str) -> Iterator[int]:
    """Yield the lines that name one of ``wanted`` or something below it."""
    for line, name in names(tree):
        if any(name == want or name.startswith(f"{want}.") for want in wanted):
            yield line


def called(tree: ast.AST, *wanted: str) -> Iterator[int]:
    """Yield the lines that call one of ``wanted``; ``.now`` stands for a method of anything."""
    for line, name in calls(tree):
        if any(name == want or (want.startswith(".") and name.endswith(want)) for want in wanted):
            yield line


def second_codec(tree: ast.AST) -> Iterable[int]:
    """Find JSON written by anything but C1: equal trees must be equal bytes."""
    return named(
        tree, "json.dumps", "json.dump", "json.JSONEncoder", "orjson", "msgspec.json.encode", "msgspec.json.Encoder", "rfc8785"
    )


def second_digest(tree: ast.AST) -> Iterable[int]:
    """Find digests made by anything but core's digest type."""
    return named(tree, "hashlib", "cryptography.hazmat.primitives.hashes", "Crypto")


def opening(tree: ast.AST) -> Iterable[int]:
    """Find builtin and stream functions that open something."""
    return called(tree, "open", "io.open", "io.FileIO", "input", "codecs.open", "tarfile.open", "importlib.import_module")


def clock(tree: ast.AST) -> Iterable[int]:
    """Find clock readings that need no import of ``time``."""
    return called(tree, ".now", ".utcnow", ".today", ".fromtimestamp", "time.time", "?.time")


def environment(tree: ast.AST) -> Iterable[int]:
    """Find readings of the environment: settings arrive as arguments."""
    yield from named(tree, "os.environ", "os.environb", "os.getenv", "os.getenvb", "os.path.expanduser")
    yield from called(tree, "Path.home", "pathlib.Path.home", ".expanduser", ".expandvars")


def private_key(tree: ast.AST) -> Iterable[int]:
    """Find private keys outside the one module that may touch them."""
    for line, name in names(tree):
        if "PrivateKey" in name or name.endswith(("load_pem_private_key", "load_der_private_key")):
            yield line


def evaluation(tree: ast.AST) -> Iterable[int]:
    """Find code made from data, and formats that run code when read."""
    yield from called(tree, "eval", "exec", "compile", "__import__", "yaml.load", "yaml.unsafe_load", "yaml.full_load")
    yield from named(tree, "pickle", "marshal", "shelve", "dill")


def beyond_stdlib(tree: ast.AST) -> Iterable[int]:
    """Find imports of anything but the standard library and the scripts beside it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = ["tallystick" if node.level else node.module or ""]
        else:
            continue
        if any(module.partition(".")[0] not in INSIDE_MODULES for module in modules):
            yield node.lineno


@dataclass(frozen=True)
class Rule:
    """A check and where it holds; paths are relative to the package and compared by their beginning."""

    check: Callable[[ast.AST], Iterable[int]]
    example: str  # a line that breaks it
    only: tuple[str, ...] = ("",)
    but: tuple[str, ...] = ()

    def holds_for(self, path: str) -> bool:
        """Tell whether the module at ``path`` has to keep this rule."""
        return path.startswith(self.only) and not path.startswith(self.but)

    def offences(self, path: str, source: str) -> list[str]:
        """Return ``path:line: why`` for each offence."""
        if not self.holds_for(path):
            return []
        why = (self.check.__doc__ or "").partition("\n")[0].removeprefix("Find ").rstrip(".")
        lines = sorted(set(self.check(ast.parse(source, path))))
        return [f"{path}:{line}: {why}" for line in lines]


# Messages between the host and a sandbox live for one exchange: nothing hashes them, and they may hold null.
WIRE: Final = ("runner/conversation.py", "runner/grading.py", "runner/judging.py", INSIDE)
# The driver without walls hands on the host's PATH.
WALL_LESS: Final = "sandbox/direct.py"
PURE: Final = tuple(f"{room}/" for room in PURE_ROOMS)

RULES: Final = {
    "one-codec": Rule(second_codec, "import json; json.dumps({})", but=("core/", *WIRE)),
    "one-digest": Rule(second_digest, "from hashlib import sha256", but=("core/", INSIDE)),
    "pure-rooms-open-nothing": Rule(opening, "open('x')", only=PURE),
    "pure-rooms-read-no-clock": Rule(clock, "import datetime; datetime.datetime.now()", only=PURE),
    "environment-only-in-cli": Rule(environment, "import os; os.environ['HOME']", but=("cli/", INSIDE, WALL_LESS)),
    "private-keys-in-one-module": Rule(
        private_key,
        "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey",
        but=("trust/signing.py",),
    ),
    "data-is-never-code": Rule(evaluation, "eval('1')", but=(INSIDE,)),
    "inside-is-standard-library-only": Rule(beyond_stdlib, "import msgspec", only=(INSIDE, FREE)),
}
