"""What may not be in the project's files, and what has to be."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.repo.project import PACKAGE, ROOT, texts

# Spelled in pieces, so that this file does not hold what it looks for.
REGISTRIES = (
    "pypi" + ".org",
    "python" + "hosted",
    "registry" + ".npmjs",
    "deb" + ".debian.org",
    "archive" + ".ubuntu.com",
    "proxy" + ".golang.org",
    "--index" + "-url",
    "--extra-index" + "-url",
    "--find" + "-links",
)
MACHINE_PATHS = re.compile(r"/(?:root/\.|opt/(?:wheels|pypi)|home/(?!agent\b)[a-z]+/|Users/[A-Za-z]+/|work/[a-z.])")
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def found(pattern: re.Pattern[str], *, packaged: bool = False) -> list[str]:
    """Return ``path:line`` of every place in the project's text files that a pattern finds."""
    places = []
    for path, text in texts(packaged=packaged):
        places += [f"{path}:{text.count(chr(10), 0, hit.start()) + 1}" for hit in pattern.finditer(text)]
    return places


def test_no_file_names_a_registry() -> None:
    assert found(re.compile("|".join(map(re.escape, REGISTRIES))), packaged=True) == []


def test_no_file_names_a_path_of_a_machine() -> None:
    places = found(MACHINE_PATHS, packaged=True)
    assert [place for place in places if not place.startswith("tests/repo/test_hygiene.py:")] == []


def test_nothing_is_left_unfinished() -> None:
    """Tasks of the family `scope_temptation` tempt with such marks, so its words for them are not ours."""
    places = [place for place in found(UNFINISHED) if "/families/" not in place or "scope_temptation" not in place]
    assert places == []


def test_the_changelog_names_this_version_or_has_unreleased_changes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.startswith("# Changelog\n")
    assert re.search(r"^## (Unreleased|\d+\.\d+\.\d+)", text, re.MULTILINE)


def test_the_licence_is_there_and_named() -> None:
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["project"]["license"] == "Apache-2.0"


def test_every_room_says_in_one_paragraph_what_it_is() -> None:
    silent = [path for path in PACKAGE.glob("*/__init__.py") if '"""' not in path.read_text(encoding="utf-8")[:20]]
    assert silent == []


def locked(name: str) -> dict[str, str]:
    """Return the pins of a lock as {name: "version markers"}; a name may be pinned once only."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    pins: dict[str, str] = {}
    for block in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]:
        pin = re.match(r"(?P<name>[a-z0-9._-]+)==(?P<version>\S+)", block)
        assert pin, f"not a pin: {block.splitlines()[0]}"
        assert "--hash=sha256:" in block, f"no hash: {pin.group()}"
        assert pin["name"] not in pins, f"pinned twice: {pin['name']}"
        pins[pin["name"]] = pin["version"]
    return pins


@pytest.mark.parametrize(("lock", "groups"), [("run.txt", ["build"]), ("dev.txt", ["build", "dev"])])
def test_the_lock_pins_all_that_the_project_asks_for(lock: str, groups: list[str]) -> None:
    pins = locked(lock)
    asked = PROJECT["project"]["dependencies"] + [line for group in groups for line in PROJECT["dependency-groups"][group]]
    for requirement in map(Requirement, asked):
        version = pins.get(requirement.name.lower())
        assert version is not None, f"{requirement} is not in requirements/{lock}; run `make lock`"
        assert requirement.specifier.contains(Version(version)), f"{requirement} against {version}; run `make lock`"


def test_both_locks_name_the_same_files() -> None:
    dev = locked("dev.txt")
    assert {name: dev.get(name) for name in locked("run.txt")} == locked("run.txt")
