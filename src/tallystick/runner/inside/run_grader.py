"""Bootstrap of a grader: `python3 -I -B run_grader.py SCRIPT`.

Takes the protocol's two ends away from stdin and stdout before the script
starts, so that a stray print or a child process cannot write into the channel.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
from typing import Any, BinaryIO


def take_channel() -> tuple[BinaryIO, BinaryIO]:
    """Move fds 0 and 1 away: stdin becomes empty, stdout writes to stderr."""
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr
    return reader, writer


def failure_note(error: BaseException, script: str) -> str:
    """One line: what ended the script, and at which of its lines."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == script:
            line = trace.tb_lineno
        trace = trace.tb_next
    text = f"{type(error).__name__}: {error}"
    return f"{text} (line {line} of the grader script)" if line else text


def run_script(script: str, library: Any, channel: Any) -> None:
    """Run the script; whatever ends it early becomes the failing test `grader`."""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as error:
        if error.code not in (None, 0):
            _report_error(channel, f"the grader script exited with {error.code!r}", library)
    except library.ChannelError as error:
        print(f"tally: {error}", file=sys.stderr)
        sys.exit(3)
    except Exception as error:  # noqa: BLE001 - a grader's bug must be reported, whatever its type
        _report_error(channel, failure_note(error, script), library)


def _report_error(channel: Any, note: str, library: Any) -> None:
    bounded = note[: library.MAX_NOTE_CHARS]
    channel.send({"op": "test", "id": "grader", "outcome": "error", "note": bounded})


def main(argv: list[str]) -> int:
    """Exit 0 when the script ran and `done` was sent, 2 on wrong use, 3 on a broken channel."""
    if len(argv) != len(["run_grader.py", "SCRIPT"]):
        print("usage: run_grader.py SCRIPT", file=sys.stderr)
        return 2
    reader, writer = take_channel()
    script = os.path.abspath(argv[1])
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    library = importlib.import_module("tally_grader")
    # Last, so that a helper beside the script never hides a standard module.
    sys.path.append(os.path.dirname(script))
    channel = library.Channel(reader, writer)
    library.connect(channel)
    sys.argv = [script]
    try:
        run_script(script, library, channel)
        channel.send({"op": "done"})
    except library.ChannelError as error:
        print(f"tally: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
