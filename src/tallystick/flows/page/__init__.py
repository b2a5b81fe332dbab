"""`tally show --html`: one or two bundles as one HTML file that needs nothing else, neither network nor server.

What others wrote is escaped in `markup`; the policy in the page (CSP) allows the one script and the one style sheet that are in
it, by their hashes, and nothing else. What an attempt left behind is carried compressed, and unpacked by the script when it is
opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import tallystick
from tallystick.core.errors import InputError
from tallystick.flows.groups import TaskGroup, group
from tallystick.flows.markup import Markup, el, join
from tallystick.flows.page.details import details_of, pack
from tallystick.flows.page.head import page_asset, page_head
from tallystick.flows.page.overview import facts, headlines, not_proven, numbers, verification
from tallystick.flows.page.sides import Side
from tallystick.flows.page.tasks import Line, lines_of, matrix, sections
from tallystick.flows.verify import Regraded, VerifyRequest, open_file, suite_for, verify_open
from tallystick.flows.words import plural
from tallystick.flows.writing import write_whole
from tallystick.records.containers import open_bundle
from tallystick.records.report import Level, Report
from tallystick.suites.loading import LoadedSuite
from tallystick.trust.policy import SignerPolicy

if TYPE_CHECKING:
    from tallystick.sandbox.drivers import SandboxName  # a name of types only

__all__ = ["PageDone", "PageRequest", "write_page", "write_sides"]

ATTEMPTS: Final = 20_000
"""Attempts of one page: each takes a line, and a browser lays out some ten thousand lines in a second."""
PAGE_BYTES: Final = 192 * 1024 * 1024
"""Bytes of the packed details of one page; attempts beyond are listed, and say that they are left out."""

BeforeRunning = Callable[[], None]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What is to be on a page. `verify` is the level to try for, None to verify nothing; `made_at` in seconds since 1970."""

    paths: tuple[Path, ...]
    made_at: int
    suite: LoadedSuite | None = None
    task: str | None = None
    verify: Level | None = Level.rederived
    policy: SignerPolicy = field(default_factory=SignerPolicy)
    sandbox: SandboxName = "bwrap"


@dataclass(frozen=True, slots=True)
class PageDone:
    """A written page: its size in bytes, and what the verifier found of each bundle."""

    size: int
    reports: tuple[Report | None, ...]


def write_page(
    request: PageRequest,
    out: Path,
    *,
    before_running: BeforeRunning | None = None,
    regraded: Regraded | None = None,
) -> PageDone:
    """Write the page of one bundle, or of two side by side, to `out`, whole or not at all.

    Raises:
        InputError: a bundle or its suite cannot be read, the two are about unlike suites, or there is too much for a page.
        WriteError: `out` cannot be written.
    """
    if not 1 <= len(request.paths) <= 2:  # noqa: PLR2004  # one, or two side by side
        raise InputError(f"a page shows one bundle or two, not {len(request.paths)}")
    with ExitStack() as stack:
        opened = [open_bundle(stack.enter_context(open_file(path))) for path in request.paths]
        suite = suite_for(opened[0], request.suite)
        groups = group([file.bundle for file in opened], suite, request.task)
        marks = ("A", "B") if len(opened) > 1 else ("",)
        sides = [Side(*parts, suite, None) for parts in zip(marks, request.paths, opened, strict=True)]
        sides = [_verified(side, request, before_running, regraded) for side in sides]
        return PageDone(write_sides(sides, groups, request.made_at, out), tuple(side.report for side in sides))


def write_sides(
    sides: Sequence[Side], groups: Sequence[TaskGroup], made_at: int, out: Path, found: Markup | None = None
) -> int:
    """Write the page of bundles that are open, with what was `found` about them above their headlines; its size in bytes.

    Raises:
        InputError: there is too much for a page.
        WriteError: `out` cannot be written.
    """
    _bounded(groups)
    return write_whole(out, _page(sides, groups, made_at, found), [side.path for side in sides])


def _bounded(groups: Sequence[TaskGroup]) -> None:
    total = sum(len(results) for each in groups for results in each.results)
    if total > ATTEMPTS:
        raise InputError(f"{total} attempts are more than one page can show ({ATTEMPTS}); choose a task with --task")


def _verified(side: Side, request: PageRequest, before_running: BeforeRunning | None, regraded: Regraded | None) -> Side:
    if request.verify is None:
        return side
    asked = VerifyRequest(
        path=side.path, execute=request.verify >= Level.regraded, policy=request.policy, sandbox=request.sandbox
    )
    report = verify_open(side.file, side.suite, asked, before_running=before_running, regraded=regraded)
    return Side(side.mark, side.path, side.file, side.suite, report)


def _page(sides: Sequence[Side], groups: Sequence[TaskGroup], made_at: int, found: Markup | None) -> Iterator[bytes]:
    """The page in pieces, so that memory holds one attempt at a time."""
    lines = lines_of(groups, sides)
    yield _head(sides).encode()
    yield from (piece.encode() for piece in _body(sides, groups, lines, made_at, found))
    yield from (chunk.encode() for chunk in _data(lines))
    yield b"</body>\n</html>\n"


def _head(sides: Sequence[Side]) -> Markup:
    title = " and ".join(side.bundle.agent.name for side in sides)
    return page_head(f"{sides[0].bundle.suite_version}: {title}", page_asset("page.css"), page_asset("page.js"))


def _body(
    sides: Sequence[Side],
    groups: Sequence[TaskGroup],
    lines: Mapping[str, tuple[tuple[Line, ...], ...]],
    made_at: int,
    found: Markup | None,
) -> Iterator[Markup]:
    yield Markup("<body>\n")
    yield el("a", "Skip to the tasks", href="#tasks", class_="skip")
    links = (
        el("li", el("a", said, href=f"#{there}"))
        for there, said in (("tasks", "Tasks"), ("numbers", "Numbers"), ("facts", "What was run"))
    )
    yield el(
        "header",
        el("p", _LOGO, el("span", sides[0].bundle.suite_version, class_="suite"), class_="brand"),
        el("h1", "Two runs side by side" if len(sides) > 1 else "What a run did"),
        el("nav", el("ul", *links), aria_label="Sections"),
        found or "",
        headlines(sides),
        verification(sides, made_at),
    )
    yield Markup("<main>\n")
    yield Markup('<section id="tasks" aria-labelledby="tasks-title">')
    yield el("h2", "Tasks", id="tasks-title", tabindex="-1")
    yield _controls(len(groups))
    yield matrix(groups, sides, lines)
    yield from sections(groups, lines)
    yield Markup("</section>\n")
    yield _named("numbers", "Numbers", numbers(sides))
    yield _named("facts", "What was run", facts(sides), not_proven())
    yield Markup("</main>\n")
    yield el("footer", el("p", f"Made by tally {tallystick.__version__}. This file needs no network and sends nothing."))


def _named(name: str, title: str, *held: Markup) -> Markup:
    return el("section", el("h2", title, id=f"{name}-title"), *held, id=name, aria_labelledby=f"{name}-title")


def _controls(tasks: int) -> Markup:
    """Filled with life by the script; without one they stay hidden."""
    return join(
        (
            el(
                "noscript",
                el("p", "Without scripts the attempts cannot be opened; the tables are complete.", class_="finding open"),
            ),
            el(
                "div",
                el("label", "Find a task ", el("input", type="search", id="find", autocomplete="off", spellcheck="false")),
                el("label", el("input", type="checkbox", id="attention"), " only what did not pass or differs"),
                el("button", "Open all shown", type="button", id="open"),
                el("button", "Close all", type="button", id="close"),
                el("p", plural(tasks, "task"), id="shown", role="status"),
                class_="controls",
                hidden=True,
                role="search",
            ),
        )
    )


def _data(lines: Mapping[str, tuple[tuple[Line, ...], ...]]) -> Iterator[str]:
    """What each attempt left behind, as blocks of data that no browser runs."""
    left = PAGE_BYTES
    for sides in lines.values():
        for line in (line for own in sides for line in own):
            if left > 0:
                chunk = pack(details_of(line.side, line.result))
            else:
                chunk = pack({"verdict": "claimed", "problem": "left out: the page is full; show this task alone with --task"})
            left -= len(chunk)
            yield f'<script type="text/plain" id="data-{line.id}">{chunk}</script>\n'


_LOGO: Final = Markup(
    '<svg class="logo" width="28" height="22" viewBox="0 0 28 22" aria-hidden="true">'
    '<path d="M5 2v18M11 2v18M17 2v18M23 2v18M1 17 27 5"/></svg><span>tally</span>'
)
