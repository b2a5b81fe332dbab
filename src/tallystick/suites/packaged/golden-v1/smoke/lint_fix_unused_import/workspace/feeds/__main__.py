"""`python3 -m feeds FORMAT text|json`, the feed on standard input."""

import sys

from feeds.api import FeedError, convert


def main(argv):
    if len(argv) != 2 or argv[1] not in ("text", "json"):
        print("usage: feeds FORMAT text|json", file=sys.stderr)
        return 2
    try:
        print(convert(argv[0], sys.stdin.read(), argv[1]))
    except FeedError as error:
        print(f"feeds: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
