"""The program: python3 -m @{prog}."""

import sys

from @{prog} import groups, options, records
from @{prog}.problems import Stop


def main():
    """Run the program; returns its exit status."""
    messages = []
    try:
        settings = options.read(sys.argv[1:])
        rows, status = records.read(settings, messages)
        out = groups.report(rows, settings)
    except Stop as stop:
        out, status = stop.out, stop.status
        messages += stop.messages
    sys.stdout.write(out)
    for message in messages:
        sys.stderr.write(f"@{prog}: {message}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
