"""`tally show`: what each task asked, what the agent changed, what was checked, and why it passed or not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from tallystick.cli.judged import judgement_lines, opinion_lines
from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.text import block, clip, flat, named, safe, wrapped
from tallystick.cli.words import headline, naming, plural, self_test_line
from tallystick.core.errors import InputError
from tallystick.flows.groups import Change, TaskGroup, changes, passed
from tallystick.flows.show import SUBMITTED, Shown, ShownAttempt, ShownCheck, ShownFile, SideBySide, describe, side_by_side
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle
from tallystick.records.report import Level, Report, Status, level_of
from tallystick.suites.loading import LoadedSuite, load_suite

__all__ = ["app", "beside_lines", "show", "shown_lines"]

app: Final = typer.Typer()

_INSTRUCTION_LINES: Final = 60
_DIFF_LINES: Final = 500
_OUTPUT_LINES: Final = 20
_TASK_WIDTH: Final = 44
_SIGNS: Final[dict[Change, str]] = {"more": "+", "fewer": "-", "same": "=", "only in A": "A", "only in B": "B"}


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="The bundle that tally run wrote.", metavar="FILE")],
    other: Annotated[
        Path | None,
        typer.Argument(help="Another one of the same suite, to compare it with.", metavar="[OTHER]", show_default=False),
    ] = None,
    *,
    task: Annotated[str | None, typer.Option(help="Show this task only. Default: all.", metavar="ID")] = None,
    suite: Annotated[
        str | None, typer.Option(help="The suite of the bundle. Default: the packaged one of that name.", metavar="SUITE")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page to this file instead. Default: none.", metavar="FILE")] = None,
    verify: Annotated[
        Literal["no", "rederived", "regraded"] | None,
        typer.Option(help="For a page: how far to verify. Default: rederived, which runs nothing.", metavar="LEVEL"),
    ] = None,
) -> None:
    """Show what each task asked, what changed, why it passed or not.

    With a second bundle of the same suite, both side by side. With --html, a
    page that needs no network and says whether it was verified when made.
    """
    screen = open_screen()
    own = None if suite is None else load_suite(suite)
    if html is not None:
        _write_page([file] if other is None else [file, other], html, (own, task, verify or "rederived"), screen)
        return
    if verify is not None:
        raise InputError(f"--verify is for a page (--html FILE); to verify: tally verify {file}")
    try:
        if other is not None:
            screen.say(beside_lines(side_by_side(file, other, own, task), (file, other), screen.style))
            return
        shown = describe(file, own, task)
    except InputError as error:
        raise naming(file, error) if other is None else error from None
    screen.say(shown_lines(shown, file, screen.style))


def _write_page(files: list[Path], out: Path, asked: tuple[LoadedSuite | None, str | None, str], screen: Screen) -> None:
    from tallystick.cli.key import signer_policy  # noqa: PLC0415  # only for a page that is verified
    from tallystick.cli.verify import RUNNING  # noqa: PLC0415
    from tallystick.flows.page import PageRequest, write_page  # noqa: PLC0415

    suite, task, level = asked
    request = PageRequest(
        paths=tuple(files),
        made_at=int(time.time()),
        suite=suite,
        task=task,
        verify=None if level == "no" else Level[level],
        policy=signer_policy(),
    )
    try:
        done = write_page(request, out, before_running=lambda: screen.note(RUNNING))
    except InputError as error:
        raise naming(files[0], error) if len(files) == 1 else error from None
    verified = (f"  {safe(file.name)}: {_verified(report)}" for file, report in zip(files, done.reports, strict=True))
    screen.wrote(out, f"wrote {safe(str(out))} ({_size(done.size)})", *verified)


def _size(size: int) -> str:
    return f"{size / 2**20:.1f} MiB" if size >= 2**20 else f"{size / 1024:.0f} KiB"


def _verified(report: Report | None) -> str:
    if report is None:
        return "not verified, and the page says so"
    if report.status is Status.MATCH:
        graded = level_of(report.level) >= Level.regraded
        return f"verified, {report.level}" if graded else "checked: arithmetic only, graders not re-run"
    return f"NOT verified: {report.status.value}, and the page says why"


def beside_lines(both: SideBySide, files: tuple[Path, Path], style: Style) -> Iterator[str]:
    """Two bundles side by side for a person."""
    yield style.bold(named(both.bundles[0].suite_version))
    for mark, bundle in zip("AB", both.bundles, strict=True):
        yield from _side(mark, bundle)
    yield ""
    yield f"    {'':<{_TASK_WIDTH}}  {'A':>9}  {'B':>9}"
    for each in both.groups:
        yield _compared(each, style)
    yield ""
    yield from wrapped(f"{changes(both.groups)}.")
    yield "as the submitters tell it; to check it:"
    yield from (f"  tally verify {safe(str(file))}" for file in files)


def _side(mark: str, bundle: Bundle) -> Iterator[str]:
    version = "" if bundle.agent.version is UNSET else f" {named(bundle.agent.version)}"
    yield from wrapped(f"{mark}: agent {named(bundle.agent.name)}{version}", rest="   ")
    yield f"   claimed: {headline(bundle.totals.passed, bundle.totals.attempts, bundle.interval)}"
    if bundle.agent.self_test:
        yield f"   {self_test_line(bundle.agent.name)}"


def _compared(each: TaskGroup, style: Style) -> str:
    change = each.change or "same"
    paint = {"more": style.good, "fewer": style.bad}.get(change, str)
    counts = [f"{passed(results)}/{len(results)}" if results else "-" for results in each.results]
    name = clip(named(each.task.id, 128), _TASK_WIDTH, style.ellipsis)
    return paint(f"  {_SIGNS[change]} {name:<{_TASK_WIDTH}}  {counts[0]:>9}  {counts[1]:>9}")


def shown_lines(shown: Shown, file: Path, style: Style) -> Iterator[str]:
    """The page for a person."""
    bundle = shown.bundle
    title = wrapped(f"{named(bundle.suite_version)}, agent {named(bundle.agent.name)}", rest="  ")
    yield from (style.bold(line) for line in title)
    yield f"claimed: {headline(bundle.totals.passed, bundle.totals.attempts, bundle.interval)}"
    if bundle.agent.self_test:
        yield self_test_line(bundle.agent.name)
    yield f"as the submitter tells it; to check it: tally verify {safe(str(file))}"
    for attempt in shown.attempts:
        yield ""
        yield from _attempt(attempt, style)


def _attempt(attempt: ShownAttempt, style: Style) -> Iterator[str]:
    which = f", attempt {attempt.attempt} of {attempt.of}" if attempt.of > 1 else ""
    yield f"{style.mark(ok=attempt.passed)} {style.bold(named(attempt.task_id, 128))}{which}: " + (
        "passed" if attempt.passed else "not passed"
    )
    yield from wrapped(flat(attempt.why), first="  ")
    yield ""
    yield "  asked"
    yield from (f"    {line}" for line in block(attempt.asked, lines=_INSTRUCTION_LINES))
    yield "  changed"
    yield from _changed(attempt, style)
    yield "  checked"
    for check in attempt.checks:
        yield from _check(check, style)
    yield from judgement_lines(attempt.judgement, SUBMITTED)
    yield from opinion_lines(attempt.opinion)
    yield from _outputs(attempt)
    yield from _measured(attempt)


def _changed(attempt: ShownAttempt, style: Style) -> Iterator[str]:
    if not attempt.files:
        yield "    nothing"
    for each in attempt.files:
        yield f"    {each.change} {safe(each.path, 1100)}" + (f": {safe(each.note, 200)}" if each.note else "")
    for path in attempt.excluded:
        yield f"    left out of the check: {safe(path, 1100)}"
    for path in attempt.refused:
        yield f"    could not be sealed: {safe(path, 1100)}"
    lines = [line for each in attempt.files for line in _diff(each)]
    if lines:
        yield ""
    for line in lines[:_DIFF_LINES]:
        yield f"    {_painted(safe(line.replace(chr(9), '    '), 400), style)}"
    if len(lines) > _DIFF_LINES:
        yield f"    (+{len(lines) - _DIFF_LINES} lines)"


def _diff(each: ShownFile) -> Iterator[str]:
    if each.lines:
        yield f"--- {'/dev/null' if each.change == 'added' else f'a/{each.path}'}"
        yield f"+++ {'/dev/null' if each.change == 'removed' else f'b/{each.path}'}"
        yield from each.lines


def _painted(line: str, style: Style) -> str:
    if line.startswith("+"):
        return style.good(line)
    return style.bad(line) if line.startswith("-") else line


def _check(check: ShownCheck, style: Style) -> Iterator[str]:
    mark = style.mark(ok=check.outcome == "pass") if check.outcome in {"pass", "fail", "error"} else "?"
    yield f"    {mark} {safe(check.id, 64)}: {check.outcome}" + (f" ({check.provenance})" if check.provenance else "")
    yield from wrapped(safe(check.demand, 600), first="        ")
    if check.evidence:
        yield from wrapped(safe(check.evidence, 600), first="        ")


def _outputs(attempt: ShownAttempt) -> Iterator[str]:
    for name, text in attempt.outputs:
        if not text.strip():
            continue
        yield f"  output: {safe(name, 64)}"
        lines = text.rstrip("\n").split("\n")
        if len(lines) > _OUTPUT_LINES:
            yield f"    ({len(lines) - _OUTPUT_LINES} lines before)"
        yield from (f"    {line}" for line in block("\n".join(lines[-_OUTPUT_LINES:]), lines=_OUTPUT_LINES))


def _measured(attempt: ShownAttempt) -> Iterator[str]:
    """What the submitter measured; declared, and derived from nothing."""
    seen = attempt.observed
    if seen is None:
        return
    parts = [f"{seen.wall_ms / 1000:.1f} s"]
    if seen.cpu_ms is not UNSET:
        parts.append(f"{seen.cpu_ms / 1000:.1f} s of processor")
    if seen.max_rss_kb is not UNSET:
        parts.append(f"{seen.max_rss_kb / 1024:.0f} MiB")
    if seen.cost_usd is not UNSET:
        parts.append(f"{seen.cost_usd} USD")
    if seen.calls is not UNSET:
        parts.append(f"{plural(seen.calls, 'call')} to models")
    if seen.input_tokens is not UNSET and seen.output_tokens is not UNSET:
        parts.append(f"{seen.input_tokens:,} tokens read and {seen.output_tokens:,} written")
    if attempt.tries:
        parts.append(f"{attempt.tries} earlier tries")
    yield from wrapped(", ".join(parts), first="  declared: ")
    if seen.hosts:
        yield from wrapped(safe(", ".join(seen.hosts), 500), first="  tried to reach: ")
