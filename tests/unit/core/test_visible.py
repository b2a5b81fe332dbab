"""Nothing in a text hides, on terminals and pages alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.visible import escape_char, written_out

# Default_Ignorable_Code_Point of Unicode 16, DerivedCoreProperties.txt
IGNORABLE = [
    *[0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010)],
    *[*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9)],
    *[*range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)],
]
BLANK = [0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800, 0x3000]


def test_what_shows_nothing_is_written_out() -> None:
    for code in [*IGNORABLE, *BLANK]:
        char = chr(code)
        assert written_out(f"a{char}b") == f"a{escape_char(char)}b"
        assert written_out(f"日{char}本") == f"日{escape_char(char)}本"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("e\u0301", "e\u0301"),
        ("\u0301e", "\\u0301e"),
        (" \u0301", " \\u0301"),
        ('"\u0301', '"\\u0301'),
        ("\u200b\u0301", "\\u200b\\u0301"),
        ("z" + "\u0336" * 6, "z" + "\u0336" * 4 + "\\u0336" * 2),
        ("हिन्दी", "हिन्दी"),
        ("Tiếng Việt", "Tiếng Việt"),
        (unicodedata.normalize("NFD", "Tiếng Việt"), unicodedata.normalize("NFD", "Tiếng Việt")),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("❤\ufe0f", "❤\\ufe0f"),
        ("grün ✓ 日本 🟡", "grün ✓ 日本 🟡"),
        ("\ud800", "\\ud800"),
        ("a\tb\n", "a\\tb\\n"),
    ],
)
def test_marks_stand_on_something(text: str, shown: str) -> None:
    assert written_out(text) == shown


def test_lines_may_stay_lines() -> None:
    assert written_out("a\tb\n\u0301c\r", lines=True) == "a\tb\n\\u0301c\\r"


@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    once = written_out(text)
    assert once.isprintable()
    assert written_out(once) == once
    assert written_out(text, spell=lambda _: "?").count("?") >= text.count("?")
