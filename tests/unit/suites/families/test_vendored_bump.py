"""The family of a vendored library: what has changed breaks its callers, and adapted callers answer as before."""

import ast
import copy
import json
import re
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.vendored_bump import _STAGES, FAMILY
from tallystick.suites.families.vendored_bump.features import CHANGED, MODULES, draw_features

SEEDS = range(25)
Ask = Callable[[Mapping[str, str]], dict[str, list[str]]]


def made(seed: int) -> dict[str, str]:
    return dict(FAMILY.make(Draws("task", FAMILY.name, str(seed), "1")))


def constant(grader: str, name: str) -> Any:
    """A constant of a grader, whose numbers may be sums."""
    for node in ast.parse(grader).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            return eval(ast.unparse(node.value))
    raise KeyError(name)


def sources(files: Mapping[str, str], folder: str = "") -> dict[str, str]:
    """The library and the program by module, as they are with what a folder puts over the workspace."""
    found: dict[str, str] = {}
    for below in ("workspace", folder):
        for path, text in files.items():
            match = re.fullmatch(rf"{below}/(\w+)/(\w+)\.py", path)
            if below and match and match[1] != "tests" and match[2] != "__init__":
                found[f"{match[1]}.{match[2]}"] = text
    return dict(sorted(found.items(), key=lambda item: not item[0].startswith("vendor.")))


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], None]:
    """Puts modules in place of those of the same packages; a module that cannot be run is empty."""

    def put(modules: Mapping[str, str]) -> None:
        for package in {name.partition(".")[0] for name in modules}:
            monkeypatch.setitem(sys.modules, package, types.ModuleType(package))
        for name, source in modules.items():
            module = types.ModuleType(name)
            monkeypatch.setitem(sys.modules, name, module)
            setattr(sys.modules[name.partition(".")[0]], name.partition(".")[2], module)
            exec(source, module.__dict__)

    return put


def told(package: str, probes: Mapping[str, list[tuple[str, list[Any]]]]) -> dict[str, list[str]]:
    """Answers by group, with the arguments as they are after the call."""
    found: dict[str, list[str]] = {}
    for group, rows in probes.items():
        found[group] = []
        for name, arguments in rows:
            module, _, function = name.partition(".")
            given = copy.deepcopy(arguments)
            try:
                answer = getattr(sys.modules[f"{package}.{module}"], function)(*given)
                found[group].append(json.dumps([answer, given]))
            except Exception as error:  # noqa: BLE001  # what is raised is an answer
                found[group].append(type(error).__name__)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_each_stage_answers_as_before_in_its_groups_and_not_in_the_others(load: Any, seed: int) -> None:
    files = made(seed)
    probes = constant(files["grader/grade.py"], "PROBES")
    reference = constant(files["grader/grade.py"], "REFERENCE")
    package = next(name.partition(".")[0] for name in reference if not name.startswith("vendor."))
    load(reference)
    wanted = told(package, probes)
    for folder, groups in (*_STAGES.items(), ("", ())):
        load(sources(files, folder))
        answers = told(package, probes)
        assert [group for group in CHANGED if answers[group] == wanted[group]] == [
            group for group in CHANGED if group in groups
        ]


def test_visible_tests_hold_with_the_old_version_and_with_the_new_names_alone(load: Any) -> None:
    for seed in range(5):
        files = made(seed)
        reference = constant(files["grader/grade.py"], "REFERENCE")
        for modules in (reference, sources(files, "partials/names"), sources(files, "solution")):
            load(modules)
            package = next(name.partition(".")[0] for name in modules if not name.startswith("vendor."))
            lines = re.findall(r"self\.assertEqual\(.*\)", files["workspace/tests/test_program.py"])
            assert len(lines) == 13
            names = {name: sys.modules[f"{package}.{name}"] for name in MODULES}
            for line in lines:
                node = ast.parse(line, mode="eval").body
                assert isinstance(node, ast.Call)
                assert eval(ast.unparse(node.args[0]), dict(names)) == eval(ast.unparse(node.args[1]))


def test_the_changelog_names_every_change_and_no_other() -> None:
    for seed in SEEDS:
        features = draw_features(Draws(str(seed)), "kit")
        assert {group: sum(each.changed for each in features if each.group == group) for group in CHANGED} == CHANGED
        for each in features:
            assert (each.library["old"] != each.library["new"]) == each.changed == bool(each.changelog)


def test_seeds_make_different_versions() -> None:
    assert len({made(seed)["workspace/vendor/CHANGELOG.md"] for seed in range(100)}) == 100
