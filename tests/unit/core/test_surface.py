"""What core and records offer is what their modules list, sorted, and nothing else is imported from them across rooms."""

import ast
import importlib
import pkgutil
from functools import cache
from types import ModuleType

import pytest

import tallystick
from tallystick import core, records
from tests.repo.project import PACKAGE

MODULES = sorted(
    found.name for package in (core, records) for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
)


def loaded(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_all_is_sorted_complete_and_real(name: str) -> None:
    module = loaded(name)
    listed = list(module.__all__)
    assert listed == sorted(listed, key=lambda item: (not item.isupper(), not item[:1].isupper(), item))
    assert len(set(listed)) == len(listed)
    assert [item for item in listed if not hasattr(module, item)] == []


@cache
def imported_across_rooms() -> dict[str, set[str]]:
    """Names that modules of other rooms import, by the module of core or records that they come from."""
    taken: dict[str, set[str]] = {name: set() for name in MODULES}
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        if {"packaged", "parts"} & set(path.parts):  # files of tasks, and what they are drawn from
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in taken and node.module.split(".")[1] != room:
                taken[node.module].update(alias.name for alias in node.names)
    return taken


@pytest.mark.parametrize("name", MODULES)
def test_what_other_rooms_import_is_listed(name: str) -> None:
    hidden = {item for item in imported_across_rooms()[name] if f"{name}.{item}" not in MODULES}
    assert hidden <= set(loaded(name).__all__)


def test_the_package_has_a_version() -> None:
    assert tallystick.__version__
