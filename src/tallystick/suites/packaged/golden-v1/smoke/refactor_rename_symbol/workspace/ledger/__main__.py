"""`python3 -m ledger COMMAND FILE`"""

import sys

from ledger.commands import COMMANDS, find
from ledger.entries import read_entries


def main(argv: list) -> int:
    if len(argv) != 2 or argv[0] not in COMMANDS:
        print("usage: ledger " + "|".join(COMMANDS) + " FILE", file=sys.stderr)
        return 2
    if argv[1] == "-":
        rows = read_entries(sys.stdin)
    else:
        with open(argv[1], encoding="utf-8") as file:
            rows = read_entries(file)
    result = find(argv[0])(rows)
    print("\n".join(result) if isinstance(result, list) else result)
    return 0


sys.exit(main(sys.argv[1:]))
