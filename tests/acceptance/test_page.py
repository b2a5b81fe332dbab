"""Pages in a real browser: hostile text does nothing, nothing is asked of a network, and everybody can use them.

Chromium is driven without a package; axe-core, which checks what screen readers and keyboards need, comes from npm by the lock
in `browser/`. `scripts/setup.sh dev` installs Chromium and npm on Debian; elsewhere these tests are skipped.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from tallystick.flows.page import PageRequest, write_page
from tests.acceptance.support import CHROMIUM, needs_browser
from tests.repo.project import ROOT
from tests.support.browser import Browser, Page, start
from tests.support.hostile import NAME, hostile_run, write_bundle_of
from tests.support.synthetic import honest_run
from tests.support.tiny import SUITE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]
Scheme = Literal["light", "dark"]
FIRST: Final = "document.querySelector('details.attempt')"
OPEN_ALL: Final = "document.getElementById('open').click()"
FILLED: Final = "document.querySelectorAll('details.attempt .part').length"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with start(str(CHROMIUM)) as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of a hostile run, one of two runs side by side, and one of a run that nobody verified."""
    folder = tmp_path_factory.mktemp("pages")
    hostile, honest = folder / "hostile.json", folder / "honest.json"
    write_bundle_of(hostile_run(), hostile)
    write_bundle_of(honest_run(3, failing=("fix_bug",)), honest)
    asked: dict[str, tuple[tuple[Path, ...], dict[str, Any]]] = {
        "one": ((hostile,), {}),
        "two": ((hostile, honest), {}),
        "unverified": ((honest,), {"verify": None}),
    }
    for name, (paths, more) in asked.items():
        write_page(PageRequest(paths, 1_790_000_000, suite=SUITE, **more), folder / f"{name}.html")  # type: ignore[arg-type]
    return {name: folder / f"{name}.html" for name in asked}


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs a browser: no npm to fetch axe-core with")
    folder = tmp_path_factory.mktemp("axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "tests" / "acceptance" / "browser" / name, folder)
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("needs a browser: npm could not fetch axe-core")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def wait(page: Page, condition: str) -> None:
    """Until a condition holds; the page looks again at every frame, and the test's own limit ends it."""
    page.run(f"new Promise((done) => {{ const look = () => ({condition}) ? done() : setTimeout(look, 5); look(); }})")


def opened(page: Page) -> Page:
    """The page with every attempt open and laid out."""
    wait(page, "!document.querySelector('.controls').hidden")
    page.run(OPEN_ALL)
    wait(page, "[...document.querySelectorAll('details.attempt')].every((each) => each.querySelector('.part'))")
    return page


def test_hostile_text_is_text_and_nothing_leaves_the_page(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["one"])
    title = page.run("document.title")
    opened(page)
    assert page.complaints() == []
    assert page.run("document.title") == title
    assert "pwned" not in title
    assert page.run("document.querySelectorAll('img, iframe, b, [onclick], [onerror]').length") == 0
    text = page.run("document.querySelector('main').textContent")
    for part in (NAME, "\\u202egnp.exe", "<img src=x onerror=", "last line", "-import os"):
        assert part in text
    assert "\u202e" not in text


def test_a_script_that_others_slipped_in_would_not_run(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    """Were the escaping ever to fail, the policy would still hold."""
    broken = pages["one"].read_text(encoding="utf-8").replace("<main>", "<main><script>document.title='pwned'</script>", 1)
    (tmp_path / "broken.html").write_text(broken, encoding="utf-8")
    page = browser.open(tmp_path / "broken.html")
    assert page.run("document.title") != "pwned"
    page.wait_for_complaint("Content Security Policy")


def test_an_attempt_is_unpacked_when_it_is_opened(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["one"])
    wait(page, "!document.querySelector('.controls').hidden")
    assert page.run(FILLED) == 0
    page.run(f"{FIRST}.open = true")
    wait(page, f"{FIRST}.querySelector('.part')")
    assert (
        page.run("[...document.querySelectorAll('details.attempt')].filter((each) => each.querySelector('.part')).length") == 1
    )
    assert page.run(f"{FIRST}.querySelector('h4').textContent") == "Checks behind the verdict"


def test_an_address_leads_to_its_attempt(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["two"])
    page.run("location.hash = '#t3b-2'")
    wait(page, "document.getElementById('t3b-2').querySelector('.part')")
    assert page.run("document.activeElement.parentElement.id") == "t3b-2"


def test_the_keyboard_reaches_everything(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["one"])
    wait(page, "!document.querySelector('.controls').hidden")
    page.press("Tab")
    assert page.run("document.activeElement.className") == "skip"
    assert page.run("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.press("Enter", "\r")
    wait(page, "location.hash === '#tasks'")
    for _ in range(40):
        page.press("Tab")
        if page.run("document.activeElement.matches('.attempt > summary')"):
            break
    page.press("Enter", "\r")
    wait(page, "document.activeElement.parentElement.open && document.activeElement.parentElement.querySelector('.part')")


def test_finding_and_filtering(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.open(pages["two"])
    wait(page, "!document.querySelector('.controls').hidden")
    shown = "[...document.querySelectorAll('section.task:not([hidden]) code')].map((each) => each.textContent)"
    type_in = (
        "(() => {{ const at = document.getElementById('find'); at.value = '{}'; at.dispatchEvent(new Event('input')); }})()"
    )
    page.run(type_in.format("FIX"))
    assert page.run(shown) == ["fix_bug"]
    assert page.run("document.getElementById('shown').textContent") == "1 of 3 tasks"
    page.run(type_in.format(""))
    page.run("document.getElementById('attention').click()")
    assert page.run(shown) == ["shorten", "fix_bug"]
    assert page.run("document.querySelectorAll('tr[data-task]:not([hidden])').length") == 2


def test_it_says_what_was_verified(browser: Browser, pages: dict[str, Path]) -> None:
    said = "[...document.querySelectorAll('.finding strong')].map((each) => each.textContent)"
    assert browser.open(pages["one"]).run(said) == ["Checked: arithmetic only, graders not re-run."]
    assert browser.open(pages["two"]).run(said) == ["Checked: arithmetic only, graders not re-run."] * 2
    assert browser.open(pages["unverified"]).run(said) == ["Not verified."]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", ["one", "two", "unverified"])
def test_everybody_can_use_it(
    name: str, width: int, scheme: Scheme, browser: Browser, pages: dict[str, Path], axe: str
) -> None:
    page = opened(browser.open(pages[name], width=width, scheme=scheme))
    assert page.run("document.documentElement.scrollWidth") <= width
    page.run(axe)
    violations = page.run("axe.run().then((found) => found.violations)")
    assert [(each["impact"], each["id"], each["nodes"][0]["html"][:200]) for each in violations] == []
