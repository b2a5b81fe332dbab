"""`tally cohort`: whether tasks, evaluators and evidence belong together, and what was fixed before outcomes existed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import flat, safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import pyjson
from tallystick.core.errors import InputError
from tallystick.core.visible import written_out
from tallystick.records.cohort.vocabulary import Stage

if TYPE_CHECKING:
    from tallystick.records.cohort.cohort import Cohort
    from tallystick.suites.cohorts.chain import Demands
    from tallystick.suites.cohorts.reporting import Finding, Report
    from tallystick.suites.cohorts.validating import Options

__all__ = [
    "EXIT_REFUSED",
    "CohortArgument",
    "CohortOption",
    "CompatOption",
    "RootOption",
    "app",
    "chosen_path",
    "report_lines",
]

app: Final = typer.Typer(no_args_is_help=True, help="Cohorts: tasks frozen before outcomes exist, and evidence bound to them.")

EXIT_REFUSED: Final = 2
_LONGEST: Final = 2000
"""Characters of a finding on screen; --json has all of them."""

CohortArgument = Annotated[str | None, typer.Argument(help="The cohort file or its folder, below the root.", metavar="COHORT")]
CohortOption = Annotated[str | None, typer.Option("--cohort", help="The cohort file. Default: the argument.", metavar="COHORT")]
RootOption = Annotated[
    Path,
    typer.Option(
        help="The folder that all paths are relative to. Default: the working directory.", metavar="DIR", show_default=False
    ),
]
CompatOption = Annotated[bool, typer.Option("--compat", help="Decide exactly as idkmesh's validator does, no stricter.")]


@dataclass(frozen=True, slots=True)
class _Where:
    """Which cohort, below which root, read how."""

    root: Path
    path: str
    compat: bool


@app.command()
def validate(
    cohort_file: CohortArgument = None,
    *,
    cohort: CohortOption = None,
    require_evidence: Annotated[
        bool, typer.Option("--require-evidence", help="Refuse pending tasks, and results without a verified negative.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Follow its history too, and the commits of the repository it lies in.")
    ] = False,
    author: Annotated[
        str | None, typer.Option(help="With --history: the author's thumbprint. Default: any.", metavar="KID")
    ] = None,
    contains: Annotated[
        str | None, typer.Option(help="With --history: an entry that must be there. Default: none.", metavar="DIGEST")
    ] = None,
    root: RootOption = Path(),
    compat: CompatOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the facts, or the findings, as JSON.")] = False,
) -> None:
    """Check a cohort and every document it names.

    Strict unless --compat is given. Every failure is listed, the first one
    after ERROR. Exit code: 0 if there is none, else 2.
    """
    from tallystick.suites.cohorts.files import open_files  # noqa: PLC0415  # what is judged with, after the options
    from tallystick.suites.cohorts.validating import Options, validate  # noqa: PLC0415  # as above

    where, screen = _where(cohort_file, cohort, root, compat=compat), open_screen()
    if history:
        from tallystick.suites.cohorts.chain import Demands  # noqa: PLC0415  # most validations follow no history

        _validate_with_history(screen, where, Options(compat, require_evidence), Demands(author, contains), json=json)
        return
    if author is not None or contains is not None:
        raise InputError("--author and --contains mean nothing without --history")
    with open_files(where.root, compat=compat) as files:
        report = validate(files, where.path, Options(compat, require_evidence))
    if json and not report.ok:
        screen.data(pyjson.pretty(_failure(report)).encode())
    elif report.ok and (json or compat):
        screen.data(pyjson.pretty(report.summary()).encode())
    elif report.ok:
        screen.say(report_lines(report))
    _refuse(screen, report, compat=compat)


def _validate_with_history(screen: Screen, where: _Where, options: Options, demands: Demands, *, json: bool) -> None:
    """Snapshot and history of the same moment, judged together; ends the command where either does not hold."""
    from tallystick.cli.cohort_history_view import fact_lines, finding_line, history_tree  # noqa: PLC0415  # as in `validate`
    from tallystick.cli.key import signer_policy  # noqa: PLC0415  # as above
    from tallystick.flows.cohort.history import validate_history  # noqa: PLC0415  # as above
    from tallystick.flows.cohort.opening import Where, validated  # noqa: PLC0415  # as above

    place, policy = Where(where.root, where.path), signer_policy()
    lived = validate_history(place, settings.search_path(), demands)
    report = validated(place, lived.cohort, options)
    if json:
        facts = report.summary() if report.ok else _failure(report)
        screen.data(pyjson.pretty({**facts, "history": history_tree(lived, policy)}).encode())
    elif report.ok and lived.ok:
        screen.say([*report_lines(report), *fact_lines(lived, policy)])
    if not lived.ok:
        screen.note("ERROR: the history does not hold", *map(finding_line, lived.findings))
    _refuse(screen, report, compat=options.compat)
    if not lived.ok:
        raise typer.Exit(EXIT_REFUSED)


@app.command("definition-digest")
def definition_digest(
    cohort_file: CohortArgument = None,
    *,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    compat: CompatOption = False,
) -> None:
    """Print the digest of the pre-outcome definition.

    Checks the cohort file alone. Warns when the file records another digest;
    then the exit code is 2, or 0 with --compat.
    """
    from tallystick.suites.cohorts.definition import definition_digest as digest_of  # noqa: PLC0415  # after the options

    screen = open_screen()
    loaded = _loaded(screen, _where(cohort_file, cohort, root, compat=compat))
    digest = digest_of(loaded)
    screen.say([digest])
    if loaded.definition_digest not in {None, digest}:
        screen.note(f"WARNING: the cohort records another definition digest: {safe(str(loaded.definition_digest))}")
        if not compat:
            raise typer.Exit(EXIT_REFUSED)


@app.command("definition-json")
def definition_json(
    cohort_file: CohortArgument = None,
    *,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    compat: CompatOption = False,
    canonical: Annotated[bool, typer.Option("--canonical", help="The bytes that are hashed, with nothing after them.")] = False,
) -> None:
    """Print the pre-outcome definition.

    It is what a freeze fixes: tasks, what judges them, what is measured.
    With --canonical its SHA-256 is what definition-digest prints. A terminal
    is shown these bytes only if it shows every character of them.
    """
    from tallystick.suites.cohorts.definition import definition  # noqa: PLC0415  # after the options

    screen = open_screen()
    value = definition(_loaded(screen, _where(cohort_file, cohort, root, compat=compat)))
    if canonical:
        screen.raw([_shown_whole(screen, pyjson.canonical(value))])
    else:
        screen.data(pyjson.pretty(value).encode())


def _shown_whole(screen: Screen, data: bytes) -> bytes:
    """These bytes, which cannot be escaped.

    Raises:
        InputError: they would go to a terminal, and hold what it obeys or hides.
    """
    text = data.decode()
    if screen.out.isatty() and written_out(text) != text:
        raise InputError(
            "these bytes hold characters that a terminal obeys or hides; write them to a file with >, or leave out --canonical"
        )
    return data


@app.command("self-test")
def self_test() -> None:
    """Try the validator on cohorts made in memory.

    Exit code: 0 if every case comes out as it must, else 2.
    """
    from tallystick.suites.cohorts.self_test import self_test as outcomes  # noqa: PLC0415  # after the options

    screen = open_screen()
    cases = list(outcomes())
    failed = [case for case in cases if not case.ok]
    if failed:
        screen.note(*(f"ERROR: does not hold: {case.shows}" for case in failed))
        raise typer.Exit(EXIT_REFUSED)
    screen.say([f"OK: {plural(len(cases), 'case')} of cohort validation came out as they must"])


def chosen_path(positional: str | None, option: str | None) -> str:
    """The one cohort that a command line names, as it is spelled there."""
    if (positional is None) == (option is None):
        raise InputError("name one cohort file, as the argument or with --cohort")
    return (option or "") if positional is None else positional


def report_lines(report: Report) -> Iterator[str]:
    """A cohort that validates, for a person."""
    yield f"valid: {safe(report.cohort_id or '')}"
    counts = f"{report.verified_tasks} verified, {report.pending_tasks} pending, {report.excluded_tasks} excluded"
    yield f"  stage       {report.stage}"
    yield f"  tasks       {report.task_count}: {counts}"
    yield f"  definition  {report.definition_digest}"
    if report.stage is Stage.FROZEN and report.verified_tasks:
        yield ""
        yield from wrapped("Outcomes are attached: for tuning, this cohort is no longer held-out evidence.")


def _where(positional: str | None, option: str | None, root: Path, *, compat: bool) -> _Where:
    """An absolute path below the root is taken as relative to it, and a folder for its file; the original takes neither."""
    text = chosen_path(positional, option)
    path = Path(text)
    if compat and text and (root / path).is_dir():
        file = safe(str(path / "cohort.json"), 400)
        raise InputError(f"{safe(text, 400)} is a folder; with --compat name the file, such as {file}")
    if compat or not text:
        return _Where(root, text, compat)
    if path.is_absolute():
        below = root.absolute()
        path = path.relative_to(below) if path.is_relative_to(below) else path
    if (root / path).is_dir():
        path /= "cohort.json"
    return _Where(root, str(path), compat)


def _loaded(screen: Screen, where: _Where) -> Cohort:
    """The cohort, checked by its schema; ends the command where that finds something."""
    from tallystick.suites.cohorts.files import open_files  # noqa: PLC0415  # after the options
    from tallystick.suites.cohorts.reading import Reader  # noqa: PLC0415  # as above
    from tallystick.suites.cohorts.reporting import Report, Sheet  # noqa: PLC0415  # as above
    from tallystick.suites.cohorts.validating import load_cohort  # noqa: PLC0415  # as above

    with open_files(where.root, compat=where.compat) as files:
        reader = Reader(files, Sheet(), where.compat)
        cohort = load_cohort(reader, where.path)
    _refuse(screen, Report(reader.sheet.findings(), reader.sheet.left_out), compat=where.compat)
    if cohort is None:
        raise RuntimeError("a cohort that is not there without a finding")
    return cohort


def _refuse(screen: Screen, report: Report, *, compat: bool) -> None:
    """The findings on standard error, the first as the original says it, and exit code 2; nothing if there are none."""
    if report.ok:
        return
    first, *others = report.findings
    screen.note(f"ERROR: {flat(first.message, _LONGEST)}{'' if compat else f' [{first.code}]'}")
    screen.note(*_detail(first))
    screen.note(*(line for other in others for line in (_line(other), *_detail(other))))
    if report.left_out:
        screen.note(f"  and {plural(report.left_out, 'finding')} more")
    if not compat:
        screen.note(*_remedies(report))
    raise typer.Exit(EXIT_REFUSED)


def _line(finding: Finding) -> str:
    return f"  {finding.code}: {flat(finding.message, _LONGEST)}"


def _detail(finding: Finding) -> list[str]:
    return [f"    {flat(finding.detail, _LONGEST)}"] if finding.detail else []


def _remedies(report: Report) -> Iterator[str]:
    """What to do, once for all findings of a kind."""
    from tallystick.suites.cohorts.reporting import WORK_UNIT_STEP, Code  # noqa: PLC0415  # after the options

    gone = (each for each in report.findings if (each.code, each.step) == (Code.FILE_MISSING, WORK_UNIT_STEP))
    missing = {finding.task for finding in gone}
    if report.task_count and len(missing) == report.task_count:
        yield from wrapped(
            "No WorkUnit of the cohort is there. Its paths are relative to the folder that --root names, by default the "
            "working directory: start in the folder that they are relative to, or name it with --root."
        )
    if any(finding.code in {Code.DIGEST_DRIFT, Code.DEFINITION_DRIFT} for finding in report.findings):
        yield from wrapped(
            "A file changed after its digest was written down. Put it back as it was, from Git for instance; for a change "
            "that is meant, make a new cohort with: tally cohort supersede"
        )


def _failure(report: Report) -> dict[str, pyjson.Json]:
    return {**report.summary(), "findings": [finding.tree() for finding in report.findings], "left_out": report.left_out}
