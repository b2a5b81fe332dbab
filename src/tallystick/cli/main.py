"""The entry point `tally`, and the one place where errors end: one line on standard error and an exit code, never a trace."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import typer

from tallystick.cli import settings
from tallystick.cli.front import build
from tallystick.cli.screen import fill_closed_streams, silence
from tallystick.cli.stopping import EXIT_STOPPED, unwinding
from tallystick.cli.text import safe
from tallystick.core.errors import TallyError, os_reason

__all__ = ["main", "run"]

# typer brings its own copy of click's exceptions, or click's own, depending on its release.
_USAGE_ERROR: Final = typer.BadParameter.__mro__[1]
_ANY_CLICK_ERROR: Final = typer.BadParameter.__mro__[2]

COMPLETE: Final = "__complete"
"""The hidden word by which the scripts of `tally completion` ask; no command, so that no page lists it."""

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_BUG: Final = 70
LONGEST_LINE: Final = 2000
"""Characters of an error line: paths and lists of names are long, a file's content in a message is not wanted."""


def main() -> None:
    """Run `tally` with the arguments of this process and exit."""
    stop = unwinding()
    fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    sys.exit(stop.code if code == EXIT_STOPPED else code)


def run(args: Sequence[str]) -> int:
    """Run `tally` with `args`; returns its exit code. Every error ends here."""
    try:
        if args and args[0] == COMPLETE:
            return _complete(args[1:])
        code = build().main(args=list(args), prog_name="tally", standalone_mode=False)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  # the last catch: whatever it is, the user gets one line
        return _end(error)
    return code if isinstance(code, int) else 0


def _complete(args: Sequence[str]) -> int:
    """Answer a shell's completion."""
    from tallystick.cli.completing import answer  # noqa: PLC0415  # only when TAB is pressed

    sys.stdout.write(answer(args))
    sys.stdout.flush()
    return 0


def _end(error: BaseException) -> int:
    """Say what happened in one line; the exit code."""
    if isinstance(error, BrokenPipeError):
        silence(sys.stdout)
        code = EXIT_FAILED
    elif isinstance(error, KeyboardInterrupt | typer.Abort):
        code = _fail("stopped", EXIT_STOPPED)
    elif isinstance(error, TallyError):
        code = _fail(str(error), error.exit_code)
    elif isinstance(error, _ANY_CLICK_ERROR):
        code = _usage(error)
    elif isinstance(error, OSError):
        code = _fail(_os_line(error), EXIT_FAILED)
        _drop_unwritten()
    else:
        code = _bug(error)
    return code


def _fail(message: str, code: int) -> int:
    """One line on standard error, whatever the message holds."""
    line = safe(" ".join(message.split("\n")), LONGEST_LINE)
    _tell(f"tally: {line}\n")
    return code


def _tell(text: str) -> None:
    """Standard error, as far as somebody reads it: the exit code tells the rest."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def _usage(error: BaseException) -> int:
    """What is wrong with the command line, in our manner, and where to read on; a noun alone shows its help."""
    message = str(error.format_message()) if hasattr(error, "format_message") else str(error)
    if type(error).__name__ == "NoArgsIsHelpError":
        _tell(f"{message}\n")
        return EXIT_USAGE
    message = " ".join(message.split()).rstrip(".").replace("Value error, ", "")
    possible = getattr(error, "possibilities", None)
    if possible:
        import difflib  # noqa: PLC0415  # only for people who mistyped

        wrong = str(getattr(error, "option_name", ""))
        nearest = max(possible, key=lambda name: difflib.SequenceMatcher(None, wrong, str(name)).ratio())
        message = f"no such option: {wrong}; did you mean {nearest}?"
    context = getattr(error, "ctx", None) if isinstance(error, _USAGE_ERROR) else None
    where = getattr(context, "command_path", None) or "tally"
    return _fail(f"{message[:1].lower()}{message[1:]} (see: {where} --help)", EXIT_USAGE)


def _drop_unwritten() -> None:
    """What standard output refused once, such as on a full disk, it would refuse again at exit, with a trace."""
    try:
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)


def _os_line(error: OSError) -> str:
    """What the system refused. Errors that tally foresees say more; this is a full disk or a file taken away meanwhile."""
    what = os_reason(error)
    return f"{error.filename}: {what}" if error.filename else f"the system refused: {what}"


def _bug(error: BaseException) -> int:
    if settings.debug():
        import traceback  # noqa: PLC0415  # for the rare case

        traceback.print_exception(error)
        return EXIT_BUG
    where = _place(error)
    what = f"{type(error).__name__}: {safe(str(error), 300)}" if str(error) else type(error).__name__
    return _fail(f"this is a bug in tally ({what}, {where}); set TALLY_DEBUG=1 to see the trace, and report it", EXIT_BUG)


def _place(error: BaseException) -> str:
    """File and line of the innermost frame, below the package where there is one."""
    place, trace = "no place", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        _, inside, rest = name.rpartition(f"{os.sep}tallystick{os.sep}")
        if inside:
            place = f"{rest}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
