"""Functions with clauses that just hold together, or just do not; each knows which of its clauses can hold together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["MAKERS", "Asked", "Section"]

Asked = Sequence[tuple[list[int] | list[str] | list[int | str], object]]
"""Arguments and answer; where many answers are right, a mapping that tells the grader how to see it."""


@dataclass(frozen=True, slots=True)
class Section:
    """One function. `clauses` by role; `holds` tells whether a set of roles can hold together for all arguments.

    `body` is the function's code where all can hold, `pretence` one that keeps most of them. `asked` and `ends` are
    what the grader asks; `easy` is what the visible tests ask, as Python.
    """

    name: str
    arguments: str
    heading: str
    clauses: Mapping[str, str]
    holds: Callable[[AbstractSet[str]], bool]
    body: str
    pretence: str
    asked: Asked
    ends: Asked
    easy: Sequence[tuple[str, str]]

    def contradiction(self) -> set[str]:
        """The one smallest set of roles that cannot hold together; empty where all can.

        Raises:
            RuntimeError: there are two such sets; a mistake in the section.
        """
        roles = list(self.clauses)
        broken = [
            set(some) for size in range(1, len(roles) + 1) for some in combinations(roles, size) if not self.holds(set(some))
        ]
        least = [some for some in broken if not any(other < some for other in broken)]
        if len(least) > 1:
            raise RuntimeError(f"{self.name}: two contradictions, {least}")
        return least[0] if least else set()


def _split(draws: Draws, *, broken: bool) -> Section:
    most, low, how = draws.between(5, 9), draws.between(300, 900), draws.pick(("equal", "least"))
    least = -(-low // most) + draws.between(1, 9) if broken and how == "least" else low // most
    equal = broken and how == "equal"
    high = low + draws.between(2000, 9000)
    same = "All shares are equal." if equal else "No two shares differ by more than 1 cent."

    def holds(kept: AbstractSet[str]) -> bool:
        return not ({"sum", "even"} <= kept and equal) and not ({"sum", "least"} <= kept and low < least * most)

    def shares(total: int, people: int) -> list[int]:
        return [total // people + (at < total % people) for at in range(people)]

    some = [(draws.between(low, high), draws.between(2, most)) for _ in range(12)]
    return Section(
        draws.pick(("split", "shares", "divided")),
        "total, people",
        f"For `total` from {low} to {high} (cents) and `people` from 2 to {most}: a list of `people` whole numbers (cents).",
        {
            "sum": "The shares add up to `total`.",
            "even": same,
            "least": f"No share is below {least} cents.",
            "order": "No share is above the one before it.",
        },
        holds,
        "return [total // people + (at < total % people) for at in range(people)]",
        "return [total // people] * people",
        [([total, people], shares(total, people)) for total, people in some],
        [([total, people], shares(total, people)) for total in (low, low + 1, high) for people in (2, most)],
        [(f"{low + low % 2}, 2", repr([(low + low % 2) // 2] * 2))],
    )


def _delays(draws: Draws, *, broken: bool) -> Section:
    first, most, how = draws.between(15, 90), draws.between(6, 9), draws.pick(("total", "cap"))
    last, total = first << (most - 1), first * ((1 << most) - 1)
    cap = last - draws.between(1, first) if broken and how == "cap" else last + draws.between(0, first)
    allowed = total - draws.between(1, first) if broken and how == "total" else total + draws.between(0, first)

    def holds(kept: AbstractSet[str]) -> bool:
        if not {"first", "double"} <= kept:
            return True
        return not ("cap" in kept and last > cap) and not ("total" in kept and total > allowed)

    def waits(attempts: int) -> list[int]:
        return [first << at for at in range(attempts)]

    asked = [([attempts], waits(attempts)) for attempts in range(1, most)]
    return Section(
        draws.pick(("delays", "waits", "pauses")),
        "attempts",
        f"For `attempts` from 1 to {most}: a list of `attempts` whole numbers, 0 or more (milliseconds).",
        {
            "first": f"The first one is {first}.",
            "double": "Each one but the first is twice the one before it.",
            "total": f"All together are at most {allowed}.",
            "cap": f"None is above {cap}.",
        },
        holds,
        f"return [{first} << at for at in range(attempts)]",
        f"return [min({first} << at, {min(cap, last - 1)}) for at in range(attempts)]",
        asked,
        [([most], waits(most))],
        [("1", repr(waits(1))), ("2", repr(waits(2)))],
    )


def _code(draws: Draws, *, broken: bool) -> Section:
    alphabet = "".join(sorted(draws.sample("ABCDEFGHJKLMNPRSTUVWXYZ2345679", draws.between(6, 9))))
    length, how = draws.between(4, 5), draws.pick(("repeated", "both"))
    size = len(alphabet)
    both, repeated = (size - 1) * size ** (length - 2), size ** (length - 1)
    limits = (repeated + 1, (size - 1) * repeated // 2) if how == "repeated" else (both + 1, repeated)
    count = draws.between(*limits) if broken else draws.between(both - size, both)

    def holds(kept: AbstractSet[str]) -> bool:
        if not {"signs", "length", "distinct"} <= kept:
            return True
        firsts = size - ("start" in kept)
        return count <= int(firsts * size ** (length - 1 - ("repeated" in kept)))

    rule = {"kind": "codes", "alphabet": alphabet, "length": length, "first": alphabet[0], "last": alphabet[-1]}
    numbers = sorted({draws.between(1, count - 2) for _ in range(60)})
    return Section(
        draws.pick(("code", "ticket", "label_of")),
        "number",
        f"For `number` from 0 to {count - 1}: a text.",
        {
            "signs": f"Only the characters {' '.join(alphabet)} stand in it.",
            "length": f"It has exactly {length} characters.",
            "distinct": "Different numbers have different texts.",
            "repeated": "Its last character is its first one again.",
            "start": f"It does not begin with {alphabet[0]}.",
            "zero": f"For 0 there is no {alphabet[-1]} in it.",
        },
        holds,
        _spelled(alphabet, length, "number + 1"),
        _spelled(alphabet, length, f"number % {size - 1} + 1"),
        [([number], rule) for number in numbers],
        [([number], rule) for number in range(count - 40, count)] + [([0], rule)],
        [],
    )


def _spelled(alphabet: str, length: int, first: str) -> str:
    """The body of a function that spells a number; `first` is the place of its first sign."""
    lines = [
        f"signs, found = {alphabet!r}, []",
        f"for _ in range({length - 2}):",
        f"    number, at = divmod(number, {len(alphabet)})",
        "    found.append(signs[at])",
        f"first = signs[{first}]",
        'return first + "".join(found) + first',
    ]
    return "\n".join(lines)


def _label(draws: Draws, *, broken: bool) -> Section:
    head, tail, mark = draws.between(5, 12), draws.between(4, 9), draws.pick(("...", "~", " - ", "[..]", ">>"))
    width = head + tail + len(mark) - (draws.between(1, len(mark)) if broken else 0)

    def holds(kept: AbstractSet[str]) -> bool:
        return not {"width", "head", "tail", "mark"} <= kept or width >= head + tail + len(mark)

    def shown(text: str) -> str:
        return text if len(text) <= width else text[:head] + mark + text[-tail:]

    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = ["".join(draws.pick(letters) for _ in range(draws.between(width - 3, 60))) for _ in range(12)]
    ends = ["".join(draws.pick(letters) for _ in range(size)) for size in (width, width + 1, 60, 1)]
    return Section(
        draws.pick(("label", "short", "shown")),
        "text",
        "For a `text` of 1 to 60 small letters: a text.",
        {
            "width": f"It has at most {width} characters.",
            "head": f"Where `text` is longer than {width}, it begins with the first {head} characters of `text`.",
            "tail": f"Where `text` is longer than {width}, it ends with the last {tail} characters of `text`.",
            "mark": f"Where `text` is longer than {width}, `{mark}` stands once, after what is kept of the beginning and "
            "before what is kept of the end; these parts do not overlap, and there is nothing else.",
            "same": f"Where `text` has at most {width} characters, it is `text`.",
        },
        holds,
        f"return text if len(text) <= {width} else text[:{head}] + {mark!r} + text[-{tail}:]",
        f"return text if len(text) <= {width} else (text[:{head}] + {mark!r} + text[-{tail - 1}:])[:{width}]",
        [([text], shown(text)) for text in texts],
        [([text], shown(text)) for text in ends],
        [('"abc"', '"abc"')],
    )


def _slots(draws: Draws, *, broken: bool) -> Section:
    grid = draws.pick((10, 15, 20))
    takes, rest = grid + draws.between(2, grid - 4), 0
    rest = 2 * grid - takes + draws.between(2, grid // 2)
    step, most = 3 * grid, draws.between(6, 9)
    opens = 60 * draws.between(7, 9) // grid * grid
    needed = (most - 1) * step + takes
    closes = opens + needed - (draws.between(1, grid // 2) if broken else 0)

    def holds(kept: AbstractSet[str]) -> bool:
        return not {"open", "close", "grid", "gap"} <= kept or closes - opens >= needed

    rule = {"kind": "visits", "opens": opens, "closes": closes, "grid": grid, "step": takes + rest, "takes": takes}
    single = opens + grid
    return Section(
        draws.pick(("slots", "visits", "starts")),
        "count",
        f"For `count` from 1 to {most}: a list of `count` whole numbers from 0 to 1439, rising (minutes after midnight). They "
        f"are the starts of visits of {takes} minutes.",
        {
            "open": f"No visit starts before {opens}.",
            "close": f"Every visit is over by {closes}.",
            "grid": f"Visits start at multiples of {grid}.",
            "gap": f"From the end of a visit to the start of the next one in the list there are at least {rest} minutes.",
            "single": f"Where `count` is 1, the visit starts at {single}.",
        },
        holds,
        f"if count == 1:\n    return [{single}]\nreturn [{opens} + at * {step} for at in range(count)]",
        f"if count == 1:\n    return [{single}]\nreturn [{opens} + at * {takes + rest} for at in range(count)]",
        [([count], rule) for count in range(2, most)],
        [([1], [single]), ([most], rule)],
        [("1", repr([single]))],
    )


MAKERS: Final = (_split, _delays, _code, _label, _slots)
