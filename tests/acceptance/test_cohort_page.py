"""The report of a cohort as a page, in a real browser: whatever others have named things, nothing of it runs or is loaded."""

from __future__ import annotations

import contextlib
import dataclasses
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tallystick.flows.cohort.opening import Where
from tallystick.flows.cohort.report import CohortReport, make_report
from tallystick.flows.cohort.report_page import write_report
from tallystick.suites.cohorts.samples import COHORT_PATH, Sample, Shape, sample
from tests.acceptance.support import CHROMIUM, needs_browser
from tests.support.browser import Browser, Page, start
from tests.support.cohorts import write

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), needs_browser]

RUN: Final = "document.title='pwned'"
SIGNATURES: Final = (
    f"<script>{RUN}</script>\u202e",
    f'"\'><img src=x onerror="{RUN}"><svg/onload={RUN}>',
)
"""Of the two structures: in tables, in a plot with its titles, and in the labels of strategies."""
URL: Final = f'<a href="javascript:{RUN}" onclick="{RUN}" autofocus onfocus="{RUN}">javascript:{RUN}</a>'
BREAK: Final = (
    f"</title></style></svg></main><script>{RUN}</script><style>*{{background:url(http://127.0.0.1:9/x)}}</style><!--"
)
ALL: Final = BREAK + URL + SIGNATURES[1]
TAKEN: Final = "script, img, iframe, a, form, link, object, embed, base, [onload], [onerror], [onclick], [onfocus]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with start(str(CHROMIUM)) as running:
        yield running


@pytest.fixture(scope="module")
def page(browser: Browser, report: Path) -> Page:
    return browser.open(report)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write(hostile(), folder)
    made = make_report(Where(folder, COHORT_PATH), compare=True, compat=True)
    assert made.compared is not None
    write_report(with_hostile_ids(made), folder / "report.html")
    return folder / "report.html"


def hostile() -> Sample:
    """A cohort that the original's rules accept: names, reasons and paths of others, each an attack."""
    made = sample(Shape(attempts=2, tasks=6))
    made.cohort["title"] = made.cohort["description"] = ALL
    new: dict[str, str] = {}
    for number in range(6):
        task = made.task(number)
        new |= dict(zip(task["declared_structural_signatures"], SIGNATURES, strict=True))
        task["declared_structural_signatures"] = list(SIGNATURES)
        for index, attempt in enumerate(task["evidence"]["attempts"]):
            attempt["structural_signature"] = new[attempt["structural_signature"]]
            attempt["attempt_id"] += URL
            manifest = made.manifest(number, index)
            manifest["worker"] |= {"type": "system", "adapter": URL}
            manifest["extensions"] = {"tallystick": {"receipt_hash": ALL}}
        unit = task["work_unit"]
        path = f"{unit['path']}{SIGNATURES[1].replace('/', '')}"
        made.documents[path], unit["path"] = made.documents.pop(unit["path"]), path
    exclude(made)
    made.refit()
    return made


def exclude(made: Sample) -> None:
    """The last task, after outcomes were seen."""
    task = made.task(5)
    kept = [dict(attempt) for attempt in task["evidence"]["attempts"]]
    task["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": ALL}
    case = task["negative_case"]
    task["negative_case"] = {"description": ALL, "expected_category": case["expected_category"], "evidence_status": "pending"}
    made.cohort["extensions"] = {"tallystick": {"excluded_attempts": {task["id"]: kept}}}


def with_hostile_ids(made: CohortReport) -> CohortReport:
    """The same with ids that no schema lets through."""
    tasks = (
        dataclasses.replace(each, task=dataclasses.replace(each.task, id=f"{ALL}{number}"))
        for number, each in enumerate(made.tasks)
    )
    return dataclasses.replace(made, cohort=dataclasses.replace(made.cohort, id=ALL), tasks=tuple(tasks))


def ran(page: Page) -> bool:
    """Whether a line of others was run, also by what somebody does with the mouse, or later."""
    page.run("for (const each of document.querySelectorAll('main *')) { each.dispatchEvent(new MouseEvent('click')); }")
    page.run("new Promise((done) => setTimeout(done, 50))")
    return bool(page.run("document.title === 'pwned'"))


def test_text_of_others_is_text(page: Page) -> None:
    text: str = page.run("document.body.textContent")
    for part in (ALL, *(name.replace("\u202e", "\\u202e") for name in SIGNATURES)):
        assert text.count(part) >= 2, part
    assert "\u202e" not in text
    assert page.run("document.title") == f"Cohort {ALL}"
    assert page.run(f"document.querySelectorAll({TAKEN!r}).length") == 0
    assert page.run("document.querySelectorAll('style').length") == 1


def test_nothing_runs_and_nothing_is_loaded(page: Page) -> None:
    assert not ran(page)
    assert page.complaints() == []


def test_the_plots_are_there(page: Page) -> None:
    assert page.run("document.querySelectorAll('svg.plot polyline').length") == 2
    assert page.run("document.querySelectorAll('svg.plot title').length") == 2


SLIPPED_IN: Final = {
    "script": f"<script>{RUN}</script>",
    "handler": f'<img src="data:," onerror="{RUN}">',
    "url": f'<a id="bad" href="javascript:{RUN}">x</a>',
    "picture": '<img src="http://HERE/x.png">',
    "style": "<style>@import 'http://HERE/x.css'; body { display: none }</style>",
    "frame": f'<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>',
    "form": '<form id="bad" action="http://HERE/"></form>',
    "base": '<base href="http://HERE/"><link rel="stylesheet" href="x.css">',
}


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A door of this machine at which nobody should knock."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        yield listening


def heard(server: socket.socket) -> bytes:
    """What was sent to the door. Chromium may open a connection ahead of a form that it then does not send."""
    found = b""
    with contextlib.suppress(BlockingIOError):
        while True:
            with server.accept()[0] as caller, contextlib.suppress(TimeoutError):
                caller.settimeout(0.2)
                found += caller.recv(1000)
    return found


@pytest.mark.parametrize("name", SLIPPED_IN)
def test_what_others_slipped_in_would_not_run(
    browser: Browser, report: Path, server: socket.socket, tmp_path: Path, name: str
) -> None:
    """Were the escaping ever to fail, the policy would still hold."""
    bad = SLIPPED_IN[name].replace("HERE", f"127.0.0.1:{server.getsockname()[1]}")
    broken = report.read_text(encoding="utf-8").replace("<main>", f"<main>{bad}", 1)
    (tmp_path / "broken.html").write_text(broken, encoding="utf-8")
    page = browser.open(tmp_path / "broken.html")
    page.run("{ const bad = document.getElementById('bad'); if (bad) { bad.submit ? bad.submit() : bad.click(); } }")
    assert not ran(page)
    assert page.run("getComputedStyle(document.body).display") == "block"
    assert heard(server) == b""
    page.wait_for_complaint("Content Security Policy")
