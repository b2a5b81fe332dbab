"""What core and records offer is what their modules list, sorted, and nothing else is imported from them across rooms."""

import ast
import importlib
import pkgutil
from pathlib import Path
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


@pytest.mark.parametrize("name", MODULES)
def test_public_classes_and_functions_are_listed_or_stay_in_their_room(name: str) -> None:
    """A name that another room imports must be in `__all__`."""
    room = name.split(".")[1]
    taken: set[str] = set()
    for path in Path(PACKAGE).rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] == room or "packaged" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == name:
                taken.update(f"{alias.name}" for alias in node.names)
    hidden = {item for item in taken if f"{name}.{item}" not in MODULES} - set(loaded(name).__all__)
    assert hidden == set()


def test_the_package_has_a_version() -> None:
    assert tallystick.__version__
