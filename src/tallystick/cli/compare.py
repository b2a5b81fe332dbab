"""`tally compare`: two runs of a suite held against each other, and a rank only where the difference was shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.text import clip, named, safe, wrapped
from tallystick.cli.verify import SuiteOption, TrustedKeyOption, TrustedOnlyOption, trusting, watched
from tallystick.cli.words import self_test_line
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.compare import Compared, CompareRequest, compare
from tallystick.flows.compare.said import figures, headline
from tallystick.flows.groups import TaskGroup, passed
from tallystick.flows.page.sides import Side
from tallystick.flows.verified import Terms
from tallystick.flows.words import percent, plural
from tallystick.suites.loading import load_suite

__all__ = ["app", "comparison", "comparison_lines"]

app: Final = typer.Typer()

_TASK: Final = 52
_TASKS: Final = 60
"""Tasks that differ, on screen; the other forms have more."""


@app.command("compare")
def comparison(
    a: Annotated[Path, typer.Argument(help="The bundle to compare with, such as the older one.", metavar="A")],
    b: Annotated[Path, typer.Argument(help="The bundle that is compared.", metavar="B")],
    *,
    suite: SuiteOption = None,
    rerun: Annotated[bool, typer.Option("--exec", help="Run the suite's tests again on both, sandboxed, first.")] = False,
    require_trusted_signer: TrustedOnlyOption = False,
    trusted_key: TrustedKeyOption = None,
    html: Annotated[Path | None, typer.Option(help="Write a page to this file too. Default: none.", metavar="FILE")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Compare two runs of a suite, attempt by attempt.

    Both files are verified first. Says who passes more only where the
    difference is more than noise, and else how large one would have to be.
    Exit code: 0 compared, 1 a file does not verify, 2 the two runs are unlike
    or cannot be read.
    """
    if markdown and json:
        raise InputError("--markdown and --json are two forms of one output; give one of them")
    screen = open_screen()
    terms = Terms(
        suite=None if suite is None else load_suite(suite),
        execute=rerun,
        require_trusted_signer=require_trusted_signer,
        policy=trusting(trusted_key or []),
    )
    request = CompareRequest(a, b, terms, html=html, made_at=int(time.time()))
    with watched(screen, quiet=json or markdown) as watching:
        compared = compare(request, watching)
    _show(compared, screen, markdown=markdown, json=json)
    if html is not None:
        screen.note(f"wrote {safe(str(html))} ({compared.size} bytes)")


def _show(compared: Compared, screen: Screen, *, markdown: bool, json: bool) -> None:
    if json:
        from tallystick.flows.compare.tree import comparison_tree  # noqa: PLC0415  # one form of three

        screen.data(c1.dumps(comparison_tree(compared)))
    elif markdown:
        from tallystick.flows.compare.markdown import comparison_markdown  # noqa: PLC0415  # as above

        screen.raw(piece.encode() for piece in comparison_markdown(compared))
    else:
        screen.say(comparison_lines(compared, screen.style))


def comparison_lines(compared: Compared, style: Style) -> Iterator[str]:
    """The comparison for a person."""
    paired = compared.paired
    for line in wrapped(headline(paired)):
        yield style.bold(line)
    yield ""
    yield f"{named(compared.bundles[0].suite_version)}: {plural(paired.tasks, 'task')} x {plural(paired.attempts, 'attempt')}"
    for side in compared.sides:
        yield from _side(side)
    yield ""
    for name, value in figures(paired):
        yield from wrapped(f"{name}: {value}", rest="    ")
    yield ""
    yield from _tasks(compared, style)
    if compared.notes:
        yield ""
        for note in compared.notes:
            yield from wrapped(safe(note, 400), first="note: ")


def _side(side: Side) -> Iterator[str]:
    bundle, report = side.bundle, side.report
    yield from wrapped(f"{side.mark}: agent {named(bundle.agent.name)}, {safe(str(side.path), 400)}", rest="   ")
    if bundle.agent.self_test:
        yield f"   {self_test_line(bundle.agent.name)}"
    yield f"   passed {bundle.totals.passed}/{bundle.totals.attempts}, {percent(bundle.pass_rate)}"
    if report is not None:
        yield f"   verified, level {report.level}; signer {report.signer}"


def _tasks(compared: Compared, style: Style) -> Iterator[str]:
    changed = [each for each in compared.groups if each.change != "same"]
    if changed:
        yield f"    {'':<{_TASK}}  {'A':>9}  {'B':>9}"
    yield from (_task(each, style) for each in changed[:_TASKS])
    if len(changed) > _TASKS:
        yield f"    and {plural(len(changed) - _TASKS, 'task')} more that differ; --json has all"
    yield f"the same at {plural(len(compared.groups) - len(changed), 'task')}"


def _task(each: TaskGroup, style: Style) -> str:
    more = each.change == "more"
    counts = [f"{passed(results)}/{len(results)}" for results in each.results]
    name = clip(named(each.task.id, 128), _TASK, style.ellipsis)
    line = f"  {'+' if more else '-'} {name:<{_TASK}}  {counts[0]:>9}  {counts[1]:>9}"
    return style.good(line) if more else style.bad(line)
