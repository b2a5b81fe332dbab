"""How a program inside bubblewrap ended: what process 1 reports, and how far that is believed.

The report comes through a pipe that process 1 holds. The program cannot reach that pipe (`layout.SHELL`). Should a kernel
let it do so (with fs.suid_dumpable=1), there are two reports, or one that contradicts the end of bubblewrap, and none counts.
"""

from __future__ import annotations

import re
import signal
from typing import Final

from tallystick.sandbox.process import Ended
from tallystick.sandbox.spec import Captured

__all__ = ["INIT", "KEEP_BYTES", "decode"]

KEEP_BYTES: Final = 4096
"""Bytes kept of the status stream: a shell's line on a signal and the report have two hundred."""

INIT: Final = """read -r go <&7 || exit 125; exec 7<&-; umask 022; exec 8>&2 2>&9; command set +o posix 2>/dev/null
(exec 2>&8 8>&- 9>&-; exec "$@")
c=$?; n=0
for f in /proc/[0-9]*/status; do
  while read -r k v; do
    case $k in State:) case $v in [ZX]*) ;; *) n=$((n + 1)) ;; esac; break ;; esac
  done <"$f"
done 2>/dev/null
echo "$c $((n - 1))" >&9
exit $c
"""
"""Process 1 inside: waits for a line from us (where we are gone it starts nothing), runs the program, counts what is alive
after it, passes its exit code on. Descriptor 8 is the program's stderr, 9 leads to us; the shell's own stderr goes there too,
because shells print there which signal killed a command, and nothing else tells `kill -9` from `exit 137`. Bash prints it only
when it is not in its POSIX mode; other shells have no such mode and go on."""

_LINE: Final = re.compile(rb"^(\d{1,3}) (\d{1,7})\n", re.MULTILINE)
_SILENT: Final = (signal.SIGINT, signal.SIGPIPE)  # shells print nothing for these two
_BASE: Final = 128  # shells: 128 and the signal's number


def decode(ended: Ended, status: Captured) -> tuple[int | None, int | None, int | None]:
    """(exit, signal, orphans) from bubblewrap's own end and the status stream; orphans is None where nobody credible counted.

    Bubblewrap ends as process 1 did, and that as the program. What only the stream can tell is whether 137 was a signal.
    """
    code = ended.exit if ended.exit is not None else _BASE + (ended.signal or 0)
    by_signal = code - _BASE in signal.valid_signals()
    report = _report(code, status)
    if report is None:  # killed before it could tell, or somebody else told
        return (None, code - _BASE, None) if by_signal else (code, None, None)
    said = report.start() > 0 or code - _BASE in _SILENT
    orphans = int(report[2])
    return (None, code - _BASE, orphans) if by_signal and said else (code, None, orphans)


def _report(code: int, status: Captured) -> re.Match[bytes] | None:
    """The one report of a stream that ends with it, speaks of this exit code and was not cut; else None."""
    found = list(_LINE.finditer(status.data))
    credible = len(found) == 1 and found[0].end() == status.total and int(found[0][1]) == code
    return found[0] if credible else None
