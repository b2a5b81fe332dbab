"""Which packages of npm a program needs, as Node would find them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.runner import closure_npm
from tallystick.runner.closure_npm import find_package, needed_packages
from tests.support.installed import npm_package, npm_program, put


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    return tmp_path / "prefix/lib/node_modules"


def needed(modules: Path, command: str = "bot", name: str = "bot") -> dict[str, Path]:
    package = find_package(modules / ".bin" / command, name)
    assert package is not None
    return needed_packages(package)


def test_a_link_leads_to_its_package(modules: Path) -> None:
    npm_package(modules, "@org/bot", "2.1.0", files={"bin/bot.js": b"//"})
    npm_program(modules, "bot", "@org/bot/bin/bot.js")
    package = find_package(modules / ".bin/bot", "@org/bot")
    assert package is not None
    assert (package.name, package.version, package.modules) == ("@org/bot", "2.1.0", modules)
    assert package.folder == modules / "@org/bot"
    assert find_package(modules / ".bin/bot", "bot") is None


def test_a_program_that_is_no_package(tmp_path: Path) -> None:
    assert find_package(put(tmp_path / "bot", run=True), "bot") is None
    put(tmp_path / "src/package.json", '{"name": "bot", "version": "1"}')  # a checkout, in no node_modules
    assert find_package(put(tmp_path / "src/bot.js", run=True), "bot") is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": 1}', '{"name": "bot", "dependencies": []}', "[" * 10_000])
def test_a_broken_manifest_is_none(modules: Path, text: str) -> None:
    put(modules / "bot/package.json", text)
    put(modules / "bot/bot.js", run=True)
    npm_program(modules, "bot", "bot/bot.js")
    assert find_package(modules / ".bin/bot", "bot") is None


def test_only_what_it_needs_is_named(modules: Path) -> None:
    npm_package(modules, "bot", needs=("left", "@a/b", "missing"))
    npm_package(modules, "left", needs=("deep",))
    npm_package(modules, "@a/b")
    npm_package(modules, "deep", needs=("left", "bot"))  # a circle
    npm_package(modules, "another-program")
    npm_program(modules, "bot", "bot/index.js")
    assert set(needed(modules)) == {"node_modules/bot", "node_modules/left", "node_modules/@a/b", "node_modules/deep"}


def test_what_lies_in_a_package_comes_with_it(modules: Path) -> None:
    npm_package(modules, "bot", needs=("left",))
    npm_package(modules / "bot/node_modules", "left", needs=("deep",))
    npm_package(modules, "left", "9.0.0")
    npm_package(modules, "deep")
    npm_program(modules, "bot", "bot/index.js")
    assert needed(modules) == {"node_modules/bot": modules / "bot", "node_modules/deep": modules / "deep"}


def test_packages_of_a_store_behind_links(tmp_path: Path) -> None:
    store = tmp_path / "store"
    npm_package(store / "bot@1/node_modules", "bot", needs=("left",))
    npm_package(store / "left@1/node_modules", "left")
    (store / "bot@1/node_modules/left").symlink_to("../../left@1/node_modules/left")
    npm_program(tmp_path / "node_modules", "bot", "../store/bot@1/node_modules/bot/index.js")
    found = needed(tmp_path / "node_modules")
    assert found == {
        "node_modules/bot": store / "bot@1/node_modules/bot",
        "node_modules/left": store / "left@1/node_modules/left",
    }


def test_names_that_lead_elsewhere_are_no_dependencies(modules: Path, tmp_path: Path) -> None:
    npm_package(modules, "bot", needs=("../../../secret", "/etc", ".", ""))
    put(tmp_path / "secret/package.json", '{"name": "secret"}')
    npm_program(modules, "bot", "bot/index.js")
    assert set(needed(modules)) == {"node_modules/bot"}


def test_their_number_is_bounded(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closure_npm, "_PACKAGES", 2)
    npm_package(modules, "bot", needs=("a", "b"))
    npm_package(modules, "a")
    npm_package(modules, "b")
    npm_program(modules, "bot", "bot/index.js")
    with pytest.raises(InputError, match="needs more than 2 packages"):
        needed(modules)
