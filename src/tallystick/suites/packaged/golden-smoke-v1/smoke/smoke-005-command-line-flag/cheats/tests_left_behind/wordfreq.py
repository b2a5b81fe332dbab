"""Count the words of a text on standard input."""

import argparse
import re
import sys
from collections import Counter


def count(text, min_length=1):
    """Words of at least `min_length` characters in lower case with how often they occur."""
    words = re.findall(r"[A-Za-z]+", text)
    return Counter(word.lower() for word in words if len(word) >= min_length)


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
    parser.add_argument("--min-length", type=positive, default=1, help="count words of N characters and more only")
    options = parser.parse_args(argv)
    for word, number in ranked(count(sys.stdin.read(), options.min_length), options.top):
        print(f"{number:>5} {word}")


if __name__ == "__main__":
    main()
