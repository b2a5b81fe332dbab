"""`tally cohort from-suite|negatives|attach`: from a suite to a cohort, and from bundles back to its evidence."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from tallystick.cli import settings
from tallystick.cli.cohort import CohortArgument, CohortOption, RootOption
from tallystick.cli.cohort_acts import JsonOption, KeyOption, said, signer_of, where_of
from tallystick.cli.cohort_hidden import app
from tallystick.cli.options import WorkersOption
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import safe
from tallystick.core.errors import InputError
from tallystick.records.cohort.vocabulary import Difficulty, Family, Metric, Split

if TYPE_CHECKING:
    from tallystick.flows.cohort.attaching import Attached
    from tallystick.flows.cohort.negatives import NegativesDone

__all__ = ["app", "attach", "from_suite", "negatives"]

_MINUTES: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?").fullmatch
_Word = TypeVar("_Word", Family, Difficulty)


@app.command("from-suite")
def from_suite(
    suite: Annotated[str, typer.Argument(help="A packaged suite, or a path.", metavar="SUITE")],
    *,
    out: Annotated[Path, typer.Option(help="The folder to make, below the root.", metavar="DIR")],
    id: Annotated[  # noqa: A002  # the option's name
        str | None, typer.Option(help="Id of the cohort. Default: cohort/ and the folder's name.", metavar="ID")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Its title. Default: how many tasks of which suite.", metavar="TEXT")
    ] = None,
    repository: Annotated[
        str | None, typer.Option(help="Where DIR/source.git will be published. Default: a urn of the id.", metavar="URI")
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option(help="Take this task; may be given again. Default: all.", metavar="ID")
    ] = None,
    hide: Annotated[
        list[str] | None,
        typer.Option(help="Hide this task's evaluator in DIR.private; may be given again. Default: none.", metavar="ID"),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(help="Family of a task; may be given again. Default: by its category.", metavar="ID=FAMILY"),
    ] = None,
    difficulty: Annotated[
        list[str] | None,
        typer.Option(help="Difficulty of a task; may be given again. Default: by its tier.", metavar="ID=DIFFICULTY"),
    ] = None,
    split: Annotated[Split, typer.Option(help=f"What the tasks are for: {', '.join(Split)}.", metavar="NAME")] = Split.PILOT,
    signature: Annotated[
        list[str] | None,
        typer.Option(
            help="A structural signature, which says how agents work together; may be given again. Default: single-agent-v1.",
            metavar="NAME",
        ),
    ] = None,
    metric: Annotated[
        list[Metric] | None,
        typer.Option(
            help=f"A metric evidence must have: {', '.join(Metric)}; may be given again. Default: wall_seconds and tokens.",
            metavar="NAME",
        ),
    ] = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Make a cohort of a suite's tasks, with its history.

    Workspaces become commits of a Git repository, DIR/source.git. Tasks and
    graders of --hide stay in DIR.private, which you keep to yourself.
    """
    from tallystick.flows.cohort.from_suite import FromSuite, make_from_suite  # noqa: PLC0415  # not for --help
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    chosen = FromSuite(
        suite=load_suite(suite),
        out=root / out,
        root=root,
        id=id,
        title=title,
        repository=repository,
        tasks=tuple(task or ()),
        hide=tuple(hide or ()),
        families=_by_task("--family", family, Family),
        difficulties=_by_task("--difficulty", difficulty, Difficulty),
        signatures=tuple(dict.fromkeys(signature or ["single-agent-v1"])),
        metrics=tuple(dict.fromkeys(metric or [Metric.WALL_SECONDS, Metric.TOKENS])),
        split=split,
    )
    made = make_from_suite(chosen, signer_of(key))
    screen = open_screen()
    if made.private is not None:
        screen.note(f"{safe(str(made.private), 4096)} holds what is hidden: keep a copy, and publish nothing of it")
    screen.note(*(safe(note, 400) for note in made.notes))
    said(made.entry, made.where, json=json)


def _by_task(option: str, given: list[str] | None, words: type[_Word]) -> dict[str, _Word]:
    """Task ids with a word of a closed list each."""
    found: dict[str, _Word] = {}
    for text in given or ():
        name, _, word = text.partition("=")
        if word not in set(words):
            raise InputError(f"{option} {text[:120]!r}: give TASK=WORD with one of {', '.join(words)}")
        found[name] = words(word)
    return found


@app.command()
def negatives(
    cohort_file: CohortArgument = None,
    *,
    workers: WorkersOption = None,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Run and attach the seeded negative of every task.

    Each is a wrong answer that must be refused, a cheat of the suite. It runs
    in the sandbox and is graded again. Exit code: 0 when every one is
    rejected for its reason; else 1, and nothing is attached.
    """
    from tallystick.flows.cohort.negatives import NegativesRequest, run_negatives  # noqa: PLC0415  # not for --help

    where, screen = where_of(cohort_file, cohort, root), open_screen()
    request = NegativesRequest(where, signer_of(key), settings.workers(workers, settings.layers(project=False)))
    done = run_negatives(request, lambda name: screen.note(f"running the cheat {safe(name, 200)}"))
    said(done.entry, where, json=json)
    if not json:
        _say_rejected(done, screen)


def _say_rejected(done: NegativesDone, screen: Screen) -> None:
    screen.say([f"  rejected    {safe(one.task_id, 200)}: {safe(one.cheat, 200)} ({one.category})" for one in done.rejected])


@app.command()
def attach(
    cohort_file: CohortArgument = None,
    *,
    bundle: Annotated[Path, typer.Option(help="A bundle that another key signed.", metavar="FILE")],
    signature: Annotated[
        str | None,
        typer.Option(
            help="The structural signature of its attempts: how agents worked together. Default: the only one declared.",
            metavar="NAME",
        ),
    ] = None,
    human_minutes: Annotated[
        str | None, typer.Option(help="Minutes that a person gave to each attempt. Default: not said.", metavar="N")
    ] = None,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Grade a bundle's attempts again and attach them.

    Your key signs the results, and has to be another one than the bundle's.
    An attempt counts once, and an agent has one signature, whatever it is
    called.
    Exit code: 0 attached, 1 the bundle does not verify at the level regraded,
    2 it cannot be attached.
    """
    from tallystick.cli.verify import watched  # noqa: PLC0415  # not for --help
    from tallystick.flows.cohort import attaching  # noqa: PLC0415  # as above

    where, screen = where_of(cohort_file, cohort, root), open_screen()
    request = attaching.AttachRequest(where, bundle, signer_of(key), signature, _minutes(human_minutes))
    with watched(screen, quiet=json) as watching:
        done = attaching.attach(request, watching)
    said(done.entry, where, json=json)
    screen.note(*(safe(note, 400) for note in done.notes))
    if not json:
        _say_attached(done, screen)


def _say_attached(done: Attached, screen: Screen) -> None:
    screen.say(
        [
            f"  {each.outcome:<11} {safe(each.task_id, 200)} {each.attempt_id} ({safe(each.signature, 256)})"
            for each in done.attempts
        ]
    )


def _minutes(text: str | None) -> Fraction | None:
    if text is None:
        return None
    if _MINUTES(text) is None:
        raise InputError(f"--human-minutes {text[:40]!r}: give minutes, such as 2.5")
    return Fraction(text)
