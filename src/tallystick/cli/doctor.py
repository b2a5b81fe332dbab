"""`tally doctor`: what this machine can do, and the one command that mends what it cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.text import safe, wrapped
from tallystick.core import c1
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.flows.doctor import Fixed
    from tallystick.flows.findings import Finding, Surroundings

__all__ = ["app", "doctor", "finding_lines"]

app: Final = typer.Typer()

_NAME: Final = 12
"""Columns of a check's name and the mark before it."""
_MOST: Final = 1000
"""Characters of a finding: paths in it may be long."""


@app.command()
def doctor(
    fix: Annotated[
        bool, typer.Option("--fix", help="Run the mends that touch only tally's own folders; name the others.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """See whether this machine can run agents, and what mends it.

    Starts a real sandbox and runs one task in it. Changes nothing without
    --fix, and with it nothing that needs root. Exit code: 0 runs are
    possible, 1 they are not.
    """
    from tallystick.flows.doctor import can_run, examine  # noqa: PLC0415  # the whole machinery; not for --help

    screen = open_screen()
    around = _surroundings()
    findings = examine(around, None if json else lambda each: screen.say(finding_lines(each, screen.style)))
    fixed: tuple[Fixed, ...] = ()
    if fix:
        from tallystick.flows.doctor import fix as mend  # noqa: PLC0415  # as above

        fixed = mend(findings)
        if not json:
            screen.say(_fixed_lines(fixed))
        if any(each.ran for each in fixed):
            findings = examine(around)
    if json:
        screen.data(c1.dumps(_tree(findings, fixed, ok=can_run(findings))))
    else:
        _sum_up(findings, screen)
    raise typer.Exit(0 if can_run(findings) else 1)


def _surroundings() -> Surroundings:
    from tallystick.flows.findings import Surroundings  # noqa: PLC0415  # as in `doctor`
    from tallystick.flows.programs import PROVIDER_VARIABLES  # noqa: PLC0415  # as above

    given = settings.layers(project=True)
    try:
        config = settings.config_folder()
    except InputError:
        config = None
    try:
        cache = settings.cache_folder()
    except InputError:
        cache = None
    wanted = given.text("key_variable")
    return Surroundings(
        search_path=settings.search_path(),
        state=settings.default_state(given),
        config=config,
        temporary=settings.temporary_folder(),
        workers=settings.workers(None, given),
        variables=settings.variables((*PROVIDER_VARIABLES, *([wanted] if wanted else []))),
        cache=cache,
        key_variable=wanted,
    )


def finding_lines(finding: Finding, style: Style) -> Iterator[str]:
    """A finding, and below it the command that mends it, unbroken, since people copy it."""
    ok = finding.standing == "ok"
    mark = "!" if finding.standing == "advice" else style.mark(ok=ok)
    first, *rest = wrapped(safe(finding.says, _MOST), first=f"x {finding.check:<{_NAME}}")
    yield f"{mark}{first[1:]}"
    yield from rest
    if finding.mend is not None and not ok:
        yield f"{'':{_NAME + 2}}mend: {safe(finding.mend.command, _MOST)}"


def _fixed_lines(fixed: Sequence[Fixed]) -> Iterator[str]:
    yield ""
    if not fixed:
        yield "nothing to mend"
    for each in fixed:
        yield f"{'ran' if each.ran else 'not run'}: {safe(each.command, _MOST)} ({safe(each.outcome, _MOST)})"


def _sum_up(findings: Sequence[Finding], screen: Screen) -> None:
    """The last lines: yes, or the first problem as every other command says it."""
    style = screen.style
    worst = next((each for each in findings if each.standing == "problem"), None)
    if worst is None:
        advice = sum(each.standing == "advice" for each in findings)
        screen.say(["", style.good("runs are possible") + (f"; advice: {advice}" if advice else "")])
        return
    mend = f"; run: {worst.mend.command}" if worst.mend else ""
    screen.say(["", f"{style.bad('runs are not possible')}: {safe(worst.says + mend, _MOST)}"])


def _tree(findings: Sequence[Finding], fixed: Sequence[Fixed], *, ok: bool) -> dict[str, c1.Tree]:
    rows: list[c1.Tree] = []
    for each in findings:
        row: dict[str, c1.Tree] = {"check": each.check, "says": each.says, "standing": each.standing}
        if each.mend is not None and each.standing != "ok":
            row |= {"mend": each.mend.command, "mend_by": each.mend.by}
        rows.append(row)
    ran: list[c1.Tree] = [{"command": each.command, "outcome": each.outcome, "ran": each.ran} for each in fixed]
    return {"findings": rows, "fixed": ran, "ok": ok}
