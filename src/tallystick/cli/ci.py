"""`tally ci`: one bundle judged for a CI server, alone or against a baseline; the exit code repeats the conclusion."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import safe, wrapped
from tallystick.cli.verify import SuiteOption, TrustedKeyOption, TrustedOnlyOption, trusting, watched
from tallystick.cli.words import self_test_line
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.core.exact import Num, to_num
from tallystick.flows.ci import EXIT_CODES, CiRequest, Outputs, Verdict, check_bundle
from tallystick.flows.compare.said import figures, headline
from tallystick.flows.verified import Terms
from tallystick.suites.loading import load_suite

__all__ = ["app", "ci", "verdict_lines"]

app: Final = typer.Typer()


@app.command()
def ci(
    bundle: Annotated[Path, typer.Argument(help="The bundle to judge.", metavar="BUNDLE")],
    *,
    baseline: Annotated[
        Path | None, typer.Option(help="The bundle to hold it against. Default: none; it is verified only.", metavar="FILE")
    ] = None,
    max_drop: Annotated[
        str | None,
        typer.Option(help="Fail when the pass rate is lower by more, such as 0.05. Required with --baseline.", metavar="RATE"),
    ] = None,
    suite: SuiteOption = None,
    rerun: Annotated[bool, typer.Option("--exec", help="Run the suite's tests again first, sandboxed.")] = False,
    require_trusted_signer: TrustedOnlyOption = False,
    trusted_key: TrustedKeyOption = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file. Default: none.", metavar="FILE")] = None,
    sarif: Annotated[Path | None, typer.Option(help="Write SARIF 2.1.0 to this file. Default: none.", metavar="FILE")] = None,
    summary: Annotated[
        Path | None, typer.Option(help="Write a Markdown summary to this file. Default: none.", metavar="FILE")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Judge a bundle for a CI server, with or without a baseline.

    Verifies both, and compares them as tally compare does. Exit code: 0
    success; 1 failure: the bundle does not verify, or its pass rate dropped by
    more than is allowed; 2 neutral: that could not be judged.
    """
    if (baseline is None) != (max_drop is None):
        raise InputError("--baseline and --max-drop go together; give both, or neither to verify only")
    _check_outputs(junit, sarif, summary)
    most = None if max_drop is None else _rate(max_drop)
    screen = open_screen()
    request = CiRequest(
        bundle=bundle,
        baseline=baseline,
        max_drop=Fraction(most or 0),
        terms=Terms(
            suite=None if suite is None else load_suite(suite),
            execute=rerun,
            require_trusted_signer=require_trusted_signer,
            policy=trusting(trusted_key or []),
        ),
        outputs=Outputs(junit=junit, sarif=sarif, summary=summary),
    )
    with watched(screen, quiet=json) as watching:
        verdict = check_bundle(request, watching)
    if json:
        from tallystick.flows.ci.outputs import verdict_tree  # noqa: PLC0415  # one form of several

        screen.data(c1.dumps(verdict_tree(verdict, most)))
    else:
        screen.say(verdict_lines(verdict, screen.style))
    raise typer.Exit(EXIT_CODES[verdict.conclusion])


def _check_outputs(*files: Path | None) -> None:
    """No output takes the place of another; a terminal, pipe or device takes all of them."""
    places = [file.resolve() for file in files if file is not None and (file.is_file() or not file.exists())]
    double = next((place for number, place in enumerate(places) if place in places[:number]), None)
    if double is not None:
        raise InputError(f"{double}: --junit, --sarif and --summary are three files; name another for one of them")


def _rate(text: str) -> Num:
    """A share from 0 to 1 with at most six decimal places."""
    try:
        value = Decimal(text)
        if text.isascii() and value.is_finite() and 0 <= value <= 1 and Fraction(to_num(value)) == Fraction(value):
            return to_num(value)
    except (InvalidOperation, ValueError):
        pass
    raise InputError(f"--max-drop {text[:40]!r}: give a rate from 0 to 1, such as 0.05 for five points")


def verdict_lines(verdict: Verdict, style: Style) -> Iterator[str]:
    """The verdict for a person; the first line is the conclusion."""
    paint = {"success": style.good, "failure": style.bad, "neutral": style.bold}[verdict.conclusion]
    for line in wrapped(safe(verdict.headline, 600)):
        yield paint(line)
    yield ""
    for check in verdict.checks:
        mark = "?" if check.state == "not judged" else style.mark(ok=check.state == "ok")
        yield f"  {mark} {check.name}: {check.state}"
        yield from wrapped(safe(check.says, 600), first="      ")
    if verdict.compared is not None:
        yield ""
        yield "A is the baseline, B the bundle."
        yield from wrapped(headline(verdict.compared.paired))
        for name, value in figures(verdict.compared.paired):
            yield from wrapped(f"  {name}: {value}", rest="      ")
        for note in verdict.compared.notes:
            yield from wrapped(safe(note, 400), first="note: ")
    elif verdict.side.bundle.agent.self_test:
        yield f"note: {self_test_line(verdict.side.bundle.agent.name)}"
