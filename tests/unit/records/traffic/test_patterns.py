"""Patterns are a bounded language: what it takes, and what it refuses."""

import re

import pytest

from tallystick.records.traffic.patterns import PatternError, compile_pattern, literal_of, pattern_problem
from tests.unit.records.traffic.requests import ONE, UUID


def matched(pattern: str, text: str) -> list[str]:
    compiled = compile_pattern(pattern)
    return [found[compiled.groups] for found in compiled.finditer(text)]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (UUID, f"x {ONE}, {ONE}0", [ONE]),
        (r"Ran \d{1,6} tests? in (\d{1,6}\.\d{3}s)", "Ran 2 tests in 0.003s\nRan 1 test in 1.1s", ["0.003s"]),
        (r"^(\d{2}) x$", "12 x\n34 x y\n56 x", ["12", "56"]),
        (r"^a", "a\0a", ["a", "a"]),
        (r"[a-c_]{2,3}", "ab_d abcabc", ["ab_", "abc", "abc"]),
        (r"a(?:b|cd){2}e", "abcde abbe abe", ["abcde", "abbe"]),
        (r"(?:\d{1,2}h )?\d{1,2}m", "1h 30m 5m", ["1h 30m", "5m"]),
        (r"\.\*\[\]\(\)\|\$\^\?\+\{\}\\\/\-", ".*[]()|$^?+{}\\/-", [".*[]()|$^?+{}\\/-"]),
        (r"\w\s\t\n", "é\t\t\na \t\n", ["a \t\n"]),
        (r"took (\d{1,3}) ?m?s", "took 12ms took 3 s", ["12", "3"]),
    ],
)
def test_what_matches(pattern: str, text: str, found: list[str]) -> None:
    assert pattern_problem(pattern) is None
    assert matched(pattern, text) == found


def test_nothing_that_was_taken_is_given_back() -> None:
    assert matched(r"\d{1,4}5", "1235") == []
    assert matched(r"(?:a|ab)c", "abc ac") == ["ac"]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("a*", "not bounded"),
        ("a+", "not bounded"),
        (".", "not bounded"),
        (r"\S", "escape"),
        (r"\D", "escape"),
        (r"\1", "escape"),
        (r"a\0", "escape"),
        ("a\\", "escape"),
        ("[^a]", "class"),
        ("[]", "class"),
        ("[a", "class"),
        ("[ -~]", "range"),
        ("[a-Z]", "range"),
        ("[z-a]", "range"),
        ("(?=a)b", "backslash"),
        ("(?<a>b)", "backslash"),
        ("(?i)a", "backslash"),
        ("(a", "not closed"),
        ("a)", "not opened"),
        ("(a)(b)", "one group"),
        ("(?:(a))", "one group"),
        ("(a){2}", "repeated"),
        ("(a)?b", "repeated"),
        ("(a)|b", "alternative"),
        ("b|(a)", "alternative"),
        ("a{2}{3}", "repetition is repeated"),
        ("a{2}?", "repetition is repeated"),
        ("a??", "repetition is repeated"),
        ("a{3,2}", "repeats nothing"),
        ("a{0}", "repeats nothing"),
        ("(?:a?){0,5}b", "repeats nothing"),
        ("{2}", "backslash"),
        ("a{2,}", "backslash"),
        ("é", "ASCII"),
        ("a\0", "ASCII"),
        ("", "nothing stands"),
        ("a|", "nothing stands"),
        ("()", "nothing stands"),
        ("a?", "no character"),
        (r"\b^$", "no character"),
        ("a(b?)", "no character"),
        ("a{201}", "more than 200"),
        ("a{200}(?:b|c){128}", "more than 200"),
        (f"{'(?:a|b){100}' * 2}(c)" + "d{200}", "steps"),
        ("(?:" * 9 + "a" + ")" * 9, "deeper"),
        ("a" * 257, "longer"),
    ],
)
def test_what_is_refused_and_why(pattern: str, why: str) -> None:
    problem = pattern_problem(pattern)
    assert problem is not None
    assert why in problem
    assert "\n" not in problem
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"\bRan \d{1,6} tests? in (\d{1,6}\.\d{3})s", " test"),
        (r"\b(?:passed|failed) in (\d{1,3}s)", " in "),
        (r"a{2}b?c(def)g", "def"),
        (r"(?:abc)?d", "d"),
        (r"a|b", ""),
        (r"\d{3}", ""),
        (r"x\n\ty\.z", "x\n\ty.z"),
        (r"(?:ab){2}", "ab"),
        (r"^\bab$", "ab"),
        (r"[a]b", "b"),
    ],
)
def test_the_text_that_every_match_holds(pattern: str, literal: str) -> None:
    assert literal_of(pattern) == literal


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\bab", "ab cab ab", ["ab", "ab"]),
        (r"\b-a", "x-a -a", ["-a"]),
        (r"\b[a-c]{2}", "xab ab b", ["ab"]),
        (r"\b(?:ab|c)", "ab xc c", ["ab", "c"]),
        (r"\b\d{1,3}\b", "12 a3 4b 567", ["12", "567"]),
        (r"\b(\d{2})", "12 345 6", ["12", "34"]),
        (r"\ba?b", "ab b xb", ["ab", "b"]),
    ],
)
def test_a_word_begins_where_it_begins(pattern: str, text: str, found: list[str]) -> None:
    assert matched(pattern, text) == found


@pytest.mark.parametrize("pattern", [UUID, r"(?:a{1,3}|b?c){2,4}(d|ef{2}) ?x", r"\d{1,6}(?: ms|s)?"])
def test_every_repetition_and_choice_is_possessive(pattern: str) -> None:
    """Whatever could give something back, and so cost more than a constant, is absent from what Python runs."""
    regex = compile_pattern(pattern).pattern
    assert re.findall(r"\}(?!\+)", regex) == []
    assert regex.count("|") <= sum(regex.count(opening) for opening in ("(?>",)) * 2
    assert not re.search(r"(?<!\\)[*?](?![>:<])", regex)
