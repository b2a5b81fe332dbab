"""`tally cohort commit|seal|reveal`: evaluators that nobody knows while outcomes come in, and everybody afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli.cohort import CohortArgument, CohortOption, RootOption
from tallystick.cli.cohort_acts import JsonOption, KeyOption, said, signer_of, where_of
from tallystick.cli.cohort_lifecycle import app
from tallystick.cli.screen import open_screen
from tallystick.cli.text import flat, safe
from tallystick.core import c1
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.records.cohort.opening import Opening
    from tallystick.suites.cohorts.reporting import Finding

__all__ = ["app", "commit", "reveal", "seal"]

EXIT_REFUSED: Final = 2
_LONGEST: Final = 2000


@app.command()
def commit(
    *,
    plan: Annotated[Path, typer.Option(help="The EvaluatorPlan to hide.", metavar="FILE")],
    out: Annotated[Path, typer.Option(help="The opening to write: plan and salt, for your eyes only.", metavar="FILE")],
    json: JsonOption = False,
) -> None:
    """Commit to a hidden evaluator by a salted digest.

    The digest tells nothing of the plan, not even to who guesses it. Keep
    the opening: without it the plan can never be revealed.
    """
    from tallystick.flows.cohort.hidden import commit as act  # noqa: PLC0415  # not for --help

    _said(act(plan, out), [f"wrote {safe(str(out), 4096)}"], {"opening": safe(str(out), 4096)}, json=json)


@app.command()
def seal(
    *,
    opening: Annotated[Path, typer.Option(help="The opening, from tally cohort commit.", metavar="FILE")],
    out: Annotated[Path, typer.Option(help="The escrow to write: the opening, encrypted.", metavar="FILE")],
    key_file: Annotated[Path, typer.Option(help="The key to write, which opens the escrow.", metavar="FILE")],
    json: JsonOption = False,
) -> None:
    """Encrypt an opening, to deposit it with somebody.

    Hand out the escrow and keep the key apart, or give each to another
    person.
    """
    from tallystick.flows.cohort.hidden import seal as act  # noqa: PLC0415  # not for --help

    wrote = {"escrow": safe(str(out), 4096), "key_file": safe(str(key_file), 4096)}
    found = act(opening, out, key_file)
    _said(found, [f"wrote {wrote['escrow']}", f"wrote {wrote['key_file']}: keep it apart, and secret"], wrote, json=json)


def _said(opening: Opening, lines: Sequence[str], paths: dict[str, str], *, json: bool) -> None:
    """What was written, and what the options of tally cohort add take of it."""
    screen = open_screen()
    plan_id, backend = str(opening.plan["id"]), str(opening.plan["backend"]["type"])
    if json:
        tree: dict[str, c1.Tree] = {
            "backend": safe(backend, 200),
            "commitment": opening.commitment,
            "plan_id": safe(plan_id, 200),
        }
        screen.data(c1.dumps({**tree, **paths}))
        return
    facts = [
        f"  commitment  {opening.commitment}",
        f"  plan id     {flat(plan_id, 200)}",
        f"  backend     {flat(backend, 200)}",
    ]
    screen.say([*lines, *facts])


@app.command()
def reveal(
    cohort_file: CohortArgument = None,
    *,
    task: Annotated[str, typer.Option(help="The task whose evaluator is revealed.", metavar="ID")],
    opening: Annotated[
        Path | None, typer.Option(help="Its opening, from tally cohort commit. Default: that in --escrow.", metavar="FILE")
    ] = None,
    escrow: Annotated[
        Path | None, typer.Option(help="Its escrow, from tally cohort seal. Default: none, see --opening.", metavar="FILE")
    ] = None,
    key_file: Annotated[Path | None, typer.Option(help="The key of the escrow; required with it.", metavar="FILE")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be found, and write nothing.")] = False,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Reveal a hidden evaluator: its plan lies open then.

    Only what was committed to can be revealed, and once. With --dry-run, at
    any stage: exit code 2 if the plan does not fit to its task.
    """
    from tallystick.flows.cohort.hidden import reveal as act  # noqa: PLC0415  # not for --help
    from tallystick.flows.cohort.hidden import try_opening  # noqa: PLC0415  # as above

    where = where_of(cohort_file, cohort, root)
    found = _opening(opening, escrow, key_file)
    if dry_run:
        _tried(try_opening(where, task, found), json=json)
        return
    done = act(where, task, found, signer_of(key))
    said(done.entry, where, json=json)
    open_screen().note(*(f"WARNING: {flat(one.message, _LONGEST)} [{one.code}]" for one in done.findings))


def _opening(opening: Path | None, escrow: Path | None, key_file: Path | None) -> Opening:
    from tallystick.flows.cohort.hidden import read_opening, unsealed  # noqa: PLC0415  # not for --help

    if opening is not None and escrow is None and key_file is None:
        return read_opening(opening)
    if opening is None and escrow is not None and key_file is not None:
        return unsealed(escrow, key_file)
    raise InputError("give either --opening FILE, or --escrow FILE with --key-file FILE")


def _tried(findings: Sequence[Finding], *, json: bool) -> None:
    screen = open_screen()
    if json:
        rows: list[c1.Tree] = [{"code": one.code.value, "message": safe(one.message, _LONGEST)} for one in findings]
        screen.data(c1.dumps({"findings": rows, "ok": not findings}))
    elif not findings:
        screen.say(["the opening is what the task commits to, and its plan fits"])
    if findings:
        screen.note(*(f"ERROR: {flat(one.message, _LONGEST)} [{one.code}]" for one in findings))
        raise typer.Exit(EXIT_REFUSED)
