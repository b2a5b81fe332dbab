"""Nothing that others wrote can move the cursor, colour, hide or reorder what stands on the screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.cli.text import WIDTH, block, clip, flat, named, safe, wrapped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb", "a\\rb"),
        ("a\nb", "a\\nb"),
        ("\u202etxt", "\\u202etxt"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\ud800", "\\ud800"),
        ("a\u3164b\ufe0f", "a\\u3164b\\ufe0f"),
        ("\u0301leading", "\\u0301leading"),
        ("\x9b31m", "\\x9b31m"),
        ("grün ✓ 日本", "grün ✓ 日本"),
    ],
)
def test_what_is_not_printable_is_written_out(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(st.text(alphabet=st.characters(exclude_categories=[])), st.integers(0, 50))
def test_safe_text_is_printable_and_short(text: str, limit: int) -> None:
    shown = safe(text, limit)
    assert shown.isprintable()
    assert len(shown) <= 10 * limit + len(f" (+{len(text)} characters)")


@given(st.text(), st.integers(1, 5))
def test_a_block_has_no_more_lines_than_asked_for(text: str, lines: int) -> None:
    shown = list(block(text, lines=lines))
    assert len(shown) <= lines + 1
    assert all(line.isprintable() for line in shown)


def test_a_block_says_how_much_is_left_out() -> None:
    assert list(block("a\nb\nc\n", lines=2)) == ["a", "b", "(+1 lines)"]
    assert list(block("a\tb\r\n", lines=2)) == ["a    b"]


def test_clip_marks_the_cut() -> None:
    assert clip("abcdef", 4, "…") == "abc…"
    assert clip("abcd", 4, "…") == "abcd"


def test_wrapping_breaks_no_word() -> None:
    name = "a" * 100
    assert wrapped(f"x {name} y", first="  - ") == ["  - x", "    " + name, "    y"]
    assert wrapped("", first="  label  ") == ["  label"]
    assert all(len(line) <= WIDTH for line in wrapped("word " * 60, first="  "))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("my-agent_1.2", "my-agent_1.2"),
        ("my agent", '"my agent"'),
        ("cheat:always_green", '"cheat:always_green"'),
        ("x" + " " * 70 + "overall     : MATCH", '"x overall : MATCH"'),
        ("x\n\toverall\u2003: MATCH", '"x overall : MATCH"'),
        ('x" (declared)', '"x\\" (declared)"'),
        ("x\\", '"x\\\\"'),
        ("\u202eevil", '"\\u202eevil"'),
        ("a" * 100, "a" * 60 + " (+40 characters)"),
        ("a b" * 40, '"' + "a b" * 20 + '" (+60 characters)'),
        ("", '""'),
    ],
)
def test_a_declared_name_is_short_and_cannot_be_taken_for_words_of_ours(text: str, shown: str) -> None:
    assert named(text) == shown


def test_padding_moves_nothing_to_a_line_of_its_own() -> None:
    assert flat("a" + " " * 100 + "b\n c") == "a b c"
