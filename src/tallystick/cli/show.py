"""`tally show`: what each task asked, what the agent changed, what was checked, and why it passed or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import block, safe, wrapped
from tallystick.cli.words import headline, naming, self_test_line
from tallystick.core.errors import InputError
from tallystick.flows.show import Shown, ShownAttempt, ShownCheck, describe
from tallystick.records.base import UNSET
from tallystick.suites.loading import load_suite

__all__ = ["app", "show", "shown_lines"]

app: Final = typer.Typer()

_INSTRUCTION_LINES: Final = 60
_DIFF_LINES: Final = 500
_OUTPUT_LINES: Final = 20


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="The bundle that tally run wrote.", metavar="FILE")],
    task: Annotated[str | None, typer.Option(help="Show this task only.", metavar="ID")] = None,
    suite: Annotated[
        str | None, typer.Option(help="The suite of the bundle. Default: the packaged one of that name.", metavar="SUITE")
    ] = None,
) -> None:
    """Show what each task asked, what changed, why it passed or not.

    Reads the bundle as its submitter wrote it and verifies nothing.
    """
    screen = open_screen()
    try:
        shown = describe(file, None if suite is None else load_suite(suite), task)
    except InputError as error:
        raise naming(file, error) from None
    screen.say(shown_lines(shown, file, screen.style))


def shown_lines(shown: Shown, file: Path, style: Style) -> Iterator[str]:
    """The page for a person."""
    bundle = shown.bundle
    yield style.bold(f"{safe(bundle.suite_version)}, agent {safe(bundle.agent.name)}")
    yield f"claimed: {headline(bundle.totals.passed, bundle.totals.attempts, bundle.interval)}"
    if bundle.agent.self_test:
        yield self_test_line(bundle.agent.name)
    yield f"as the submitter tells it; to check it: tally verify {safe(str(file))}"
    for attempt in shown.attempts:
        yield ""
        yield from _attempt(attempt, style)


def _attempt(attempt: ShownAttempt, style: Style) -> Iterator[str]:
    which = f", attempt {attempt.attempt} of {attempt.of}" if attempt.of > 1 else ""
    yield f"{style.mark(ok=attempt.passed)} {style.bold(safe(attempt.task_id, 128))}{which}: " + (
        "passed" if attempt.passed else "not passed"
    )
    yield from wrapped(safe(attempt.why, 600), first="  ")
    yield ""
    yield "  asked"
    yield from (f"    {line}" for line in block(attempt.asked, lines=_INSTRUCTION_LINES))
    yield "  changed"
    yield from _changed(attempt, style)
    yield "  checked"
    for check in attempt.checks:
        yield from _check(check, style)
    yield from _outputs(attempt)
    yield from _measured(attempt)


def _changed(attempt: ShownAttempt, style: Style) -> Iterator[str]:
    if not attempt.changes:
        yield "    nothing"
    for change in attempt.changes:
        yield f"    {safe(change, 1100)}"
    for path in attempt.excluded:
        yield f"    left out of the check: {safe(path, 1100)}"
    for path in attempt.refused:
        yield f"    could not be sealed: {safe(path, 1100)}"
    if attempt.diff:
        yield ""
    for line in attempt.diff[:_DIFF_LINES]:
        yield f"    {_painted(safe(line.replace(chr(9), '    '), 400), style)}"
    if len(attempt.diff) > _DIFF_LINES:
        yield f"    (+{len(attempt.diff) - _DIFF_LINES} lines)"


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
    if attempt.tries:
        parts.append(f"{attempt.tries} earlier tries")
    yield f"  declared: {', '.join(parts)}"
