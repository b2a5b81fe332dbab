"""Functions with their description, two right versions, mistakes to plant, and tests that find them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import filled

__all__ = ["BLOCKS", "GROUPS", "Block", "Mutant", "draw_values", "module", "read_block"]

BLOCKS: Final = ("price", "code", "merge", "rank", "split", "gate")
GROUPS: Final = ("usual", "refusals", "bounds", "order", "state")
"""What mistakes, and the tests that find them, are about. Each group has mistakes in every four of the blocks."""

_NAMES: Final = {
    "price": ("price", "charge", "cost"),
    "code": ("read_code", "parse_label", "decode_tag"),
    "merge": ("merge", "join_spans", "fuse"),
    "rank": ("rank", "standings", "placing"),
    "split": ("split", "share_out", "allot"),
    "gate": ("Gate", "Turnstile", "Limiter"),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A text of one version and what a mistake makes of it."""

    group: str
    version: str
    right: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Block:
    """One function or class. `versions` are `original` and `rewritten`; `tests` are methods by group, may be empty."""

    spec: str
    versions: Mapping[str, str]
    mutants: tuple[Mutant, ...]
    tests: Mapping[str, str]


def read_block(name: str, values: Mapping[str, str]) -> Block:
    """The block of a name, filled in.

    Raises:
        RuntimeError: a mistake that is planted in a text which is not there.
    """
    text = filled((Path(__file__).parent / f"blocks/{name}.txt").read_text(encoding="utf-8"), values)
    pieces = dict(re.findall(r"^--- (\w+)\n(.*?)(?=^--- |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    versions = {version: pieces[version] for version in ("original", "rewritten")}
    mutants = tuple(_mutant(line) for line in pieces["mutants"].splitlines())
    for mutant in mutants:
        if mutant.right not in versions[mutant.version]:
            raise RuntimeError(f"{name}: {mutant.right!r} is not in {mutant.version}")
    return Block(pieces["spec"], versions, mutants, {group: pieces[group].strip("\n") for group in GROUPS})


def _mutant(line: str) -> Mutant:
    group, version, change = line.split(" | ", 2)
    right, wrong = change.split(" ==>")
    return Mutant(group, version, right, wrong.strip())


def module(title: str, sources: Sequence[str]) -> str:
    """A module of some sources."""
    body = "".join(f"\n\n{source}" for source in sources)
    head = f'"""{title}"""\n' + ("\nimport re\n" if "re." in body else "")
    return head + body


def draw_values(draws: Draws) -> dict[str, str]:
    """Names and numbers of all blocks."""
    names = {block: draws.pick(found) for block, found in _NAMES.items()}
    return (
        names
        | _price(draws)
        | _code(draws)
        | _rank(draws)
        | _split(draws)
        | {
            "gap": str(draws.between(2, 20)),
            "most_calls": str(draws.between(2, 5)),
            "window": str(draws.between(30, 90)),
        }
    )


def _price(draws: Draws) -> dict[str, str]:
    """Numbers of `price`: among them quantities whose price for members is rounded down, and up."""
    unit = 10 * draws.between(30, 90) + draws.pick((1, 3, 7, 9))
    low, percent = unit - draws.pick((20, 30, 40)), draws.pick((3, 7, 9, 11, 13, 17))
    start = draws.between(6, 15)
    most = start + draws.between(20, 60)
    hundredths = {count: count * (low if count >= start else unit) * (100 - percent) for count in range(1, most + 1)}
    down = draws.sample([count for count, cents in hundredths.items() if 0 < cents % 100 < 50], 2)  # noqa: PLR2004  # half a cent
    up = draws.pick([count for count, cents in hundredths.items() if cents % 100 >= 50])  # noqa: PLR2004
    numbers = {"unit_cents": unit, "low_cents": low, "percent": percent, "from_count": start, "most_count": most}
    told = {"even": down[0], "down": down[1], "up": up}
    numbers |= {f"{name}_count": count for name, count in told.items()}
    numbers |= {f"{name}_cents": (hundredths[count] + 50) // 100 for name, count in told.items()}
    return {name: str(number) for name, number in numbers.items()}


def _code(draws: Draws) -> dict[str, str]:
    """Numbers of `code`: among them two codes in which each of the weights counts."""
    letters = "".join(draws.sample("ABCDEFGHJKLMNPRSTUVWXY", 2))
    weights, modulus = draws.sample((1, 2, 3, 4, 5, 6), 4), draws.pick((7, 9))

    def code(digits: str) -> str:
        return f"{letters}-{digits}-{_check(digits, weights) % modulus}"

    every = [f"{number:04d}" for number in range(100, 9900)]
    telling = [each for each in every if (_check(each, weights) - _check(each, [weights[0]] * 4)) % modulus]
    sample, other = draws.sample(telling, 2)
    return {
        "letters": letters,
        "weights": repr(tuple(weights)),
        "weights_told": f"{weights[0]}, {weights[1]}, {weights[2]} and {weights[3]}",
        "modulus": str(modulus),
        "sample_code": code(sample),
        "sample_number": str(int(sample)),
        "other_code": code(other),
        "other_number": str(int(other)),
        "short_code": code(sample[:3]),
        "least_code": code("0000"),
        "highest_code": code("9999"),
    }


def _check(digits: str, weights: Sequence[int]) -> int:
    return sum(weight * int(digit) for weight, digit in zip(weights, digits, strict=False))


def _rank(draws: Draws) -> dict[str, str]:
    skipping = ("at + 1", "len(ranked) + 1", "the place after them counts all of them (1, 2, 2, 4)", "5")
    dense = (
        "(ranked[-1][0] + 1 if ranked else 1)",
        "levels.index(level) + 1",
        "the place after them is the next number (1, 2, 2, 3)",
        "3",
    )
    mine, other = draws.shuffled((skipping, dense))
    names = ("next_original", "next_rewritten", "places_told", "place_after")
    return dict(zip(names, mine, strict=True)) | {"wrong_original": other[0], "wrong_rewritten": other[1]}


def _split(draws: Draws) -> dict[str, str]:
    first = ("at", "rests.index(max(rests))", "the one that stands first", "[4, 3, 3]", "[2, 2, 1, 5]")
    last = (
        "-at",
        "len(rests) - 1 - rests[::-1].index(max(rests))",
        "the one that stands last",
        "[3, 3, 4]",
        "[1, 2, 2, 5]",
    )
    mine, other = draws.shuffled((first, last))
    names = ("tie_original", "tie_rewritten", "tie_told", "tie_shares", "tie_more_shares")
    return dict(zip(names, mine, strict=True)) | {"tie_wrong": other[0]}
