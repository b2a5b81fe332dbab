"""`tally task`: make a task, sit where its agent sits, and find out whether it is fair."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import block, safe, wrapped
from tallystick.core import c1
from tallystick.core.errors import InputError, os_reason

if TYPE_CHECKING:
    from tallystick.flows.task_try import Tried
    from tallystick.records.task import Task
    from tallystick.suites.loaded import LoadedSuite

__all__ = ["app", "suite_folder"]

app: Final = typer.Typer(no_args_is_help=True, help="Tasks of your own: make, try and check them.")

SuiteOption = Annotated[
    Path | None, typer.Option(help="Folder of the suite. Default: this folder if it is one, else tasks.", metavar="DIR")
]
Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]

_DEFAULT: Final = "tasks"
_TIERS: Final = ("smoke", "standard", "stretch", "adversarial")


def suite_folder(given: Path | None) -> Path:
    """The suite a command means: the one given, the working directory where that is one, else `tasks`."""
    if given is not None:
        return given
    here = Path()
    own = (here / "suite.yaml").is_file() or any((here / tier).is_dir() for tier in _TIERS)
    return here if own else Path(_DEFAULT)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Id of the task: letters, digits and . _ -", metavar="NAME")],
    suite: SuiteOption = None,
    tier: Annotated[
        Literal["smoke", "standard", "stretch", "adversarial"], typer.Option(help="Folder of the suite to put it in.")
    ] = "smoke",
    from_repo: Annotated[
        str | None,
        typer.Option(
            help="Make it of a commit of this repository; --fix is required with it. Default: a skeleton.", metavar="DIR|URL"
        ),
    ] = None,
    fix: Annotated[
        str | None, typer.Option(help="The commit that mends something. Required with --from-repo.", metavar="COMMIT")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Leave this path of the repository out. May be given again. Default: none.", metavar="PATH"),
    ] = None,
    json: Json = False,
) -> None:
    """Make a task that can be run and checked at once.

    With --from-repo the workspace is the commit's parent without history, the
    commit's tests are hidden, and the rest of it is the solution. Its tests
    run in the sandbox to find out which of them tell.
    """
    from tallystick.flows.task_new import new_skeleton  # noqa: PLC0415  # the other commands need none of it
    from tallystick.flows.task_repo import RepositoryRequest, new_from_repository  # noqa: PLC0415  # as above

    folder = suite_folder(suite)
    if from_repo is None:
        if fix is not None or without:
            raise InputError("--fix and --without mean nothing without --from-repo")
        made = new_skeleton(name, folder, tier)
    elif fix is None:
        raise InputError("--from-repo needs --fix COMMIT: the commit that mends what the task asks for")
    else:
        request = RepositoryRequest(
            name, from_repo, fix, folder, tier, tuple(without or ()), cwd=Path(), search_path=settings.search_path()
        )
        made = new_from_repository(request)
    screen = open_screen()
    if json:
        notes: list[c1.Tree] = [safe(note, 2000) for note in made.notes]
        screen.data(c1.dumps({"folder": safe(str(made.folder), 4096), "notes": notes, "task_id": name}))
        return
    screen.say(
        [
            f"made {safe(str(made.folder), 4096)}",
            *(line for note in made.notes for line in wrapped(safe(note, 600), first="note: ", rest="      ")),
            f"read   {safe(str(made.folder / 'task.md'), 4096)}",
            f"check  tally task check {name}{_option(suite)}",
            f"try    tally task try {name} --shell{_option(suite)}",
        ]
    )


def _option(suite: Path | None) -> str:
    import shlex  # noqa: PLC0415  # for this line

    return "" if suite is None else f" --suite {shlex.quote(safe(str(suite), 4096))}"


@app.command("try")
def try_task(
    name: Annotated[str, typer.Argument(help="Id of the task.", metavar="NAME")],
    suite: Annotated[
        str | None,
        typer.Option(help="A packaged name or a path. Default: this folder if it is one, else tasks.", metavar="SUITE"),
    ] = None,
    shell: Annotated[bool, typer.Option("--shell", help="Work in a shell; leaving it grades what is there.")] = False,
    script: Annotated[
        Path | None,
        typer.Option(help="Run this shell script in place of a person. Needs no terminal. Default: none.", metavar="FILE"),
    ] = None,
) -> None:
    """Sit where the agent sits: its sandbox, its files, its check.

    Needs --shell or --script. Exit code: 0 passed, 1 not.
    """
    from tallystick.cli.task_view import tried_lines  # noqa: PLC0415  # the other commands need none of it
    from tallystick.flows.task_try import try_script  # noqa: PLC0415  # as above
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    if shell == (script is not None):
        raise InputError("give either --shell, to work in the sandbox, or --script FILE")
    loaded = load_suite(suite if suite is not None else suite_folder(None))
    loaded.task(name)
    screen = open_screen()
    tried = _in_shell(loaded, name, screen) if script is None else try_script(loaded, name, _read(script))
    screen.say(tried_lines(tried, screen.style))
    raise typer.Exit(0 if tried.passed else 1)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {os_reason(error)}") from None


def _in_shell(loaded: LoadedSuite, name: str, screen: Screen) -> Tried:
    from tallystick.cli.terminal import open_terminal  # noqa: PLC0415  # termios is not everywhere
    from tallystick.flows.task_try import SHELL_HOURS, try_shell  # noqa: PLC0415  # loads what runs
    from tallystick.suites.instruction import instruction  # noqa: PLC0415  # as above

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("--shell needs a terminal; without one, use --script FILE")

    def ready(task: Task) -> None:
        screen.note("", *(f"  {line}" for line in block(instruction(task), lines=200)), "")
        screen.note(
            f"an agent has {task.limits.wall_ms / 1000:g} s for this; you have {SHELL_HOURS} hours.",
            "leave the shell (exit, or Ctrl-D) and what is in /workspace is graded.",
        )

    return try_shell(loaded, name, open_terminal(sys.stdin.fileno(), sys.stdout.fileno()), ready)
