"""Diffs of texts that others wrote: right, shortest where that is cheap, and never slow."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from tallystick.scoring.differ import EDITS, opcodes, unified

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=14)


def common(a: list[str], b: list[str]) -> int:
    """Length of a longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        above = row[:]
        for j, y in enumerate(b):
            row[j + 1] = above[j] + 1 if x == y else max(above[j + 1], row[j])
    return row[-1]


@given(LINES, LINES)
def test_a_script_makes_the_second_text_of_the_first_and_is_shortest(before: list[str], after: list[str]) -> None:
    made, kept = [], 0
    at = (0, 0)
    for tag, a, b, c, d in opcodes(before, after):
        assert (a, c) == at
        at = (b, d)
        assert (tag == "equal") == (before[a:b] == after[c:d])
        made += after[c:d]
        kept += b - a if tag == "equal" else 0
    assert at == (len(before), len(after))
    assert made == after
    assert kept == common(before, after)


@given(LINES, LINES)
def test_a_diff_is_laid_out_as_others_lay_it_out(before: list[str], after: list[str]) -> None:
    ours = list(unified(before, after))
    assert bool(ours) == (before != after)
    removed, added = [line[1:] for line in ours if line[0] == "-"], [line[1:] for line in ours if line[0] == "+"]
    assert len(before) - len(removed) == len(after) - len(added)
    theirs = [line.rstrip("\n") for line in difflib.unified_diff(before, after)][2:]
    if _edits(ours) == _edits(theirs):  # there may be several shortest ways, and each has its own layout
        assert sum(line.startswith("@@") for line in theirs) == sum(line.startswith("@@") for line in ours)


def _edits(diff: list[str]) -> list[str]:
    return [line for line in diff if line[0] in " +-"]


def test_ranges_are_written_as_diff_writes_them() -> None:
    before, after = list("abcdefgh"), list("abcXefghi")
    assert list(unified(before, after, 1)) == ["@@ -3,3 +3,3 @@", " c", "-d", "+X", " e", "@@ -8 +8,2 @@", " h", "+i"]
    assert next(unified([], ["a"])) == "@@ -0,0 +1 @@"


def test_texts_that_repeat_themselves_are_given_up_and_shown_as_replaced() -> None:
    before = ["same", *(str(n % 90) for n in range(30_000)), "end"]
    after = ["same", *(str(n * 7 % 90) for n in range(30_000)), "end"]
    assert [tag for tag, *_ in opcodes(before, after)] == ["equal", "replace", "equal"]
    assert len(before) > EDITS
