"""The program: python3 -m @{prog}."""

import sys


def main():
    """Run the program; returns its exit status."""
    raise NotImplementedError("see docs/@{prog}.1.txt")


if __name__ == "__main__":
    sys.exit(main())
