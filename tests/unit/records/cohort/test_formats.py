"""Times as the original takes them, and URIs by their grammar."""

import pytest
from rfc3339_validator import validate_rfc3339

from tallystick.records.cohort.formats import FORMATS, STRICT_FORMATS, is_date_time, is_uri
from tests.unit.records.cohort.mutations import TIMES


@pytest.mark.parametrize("text", TIMES)
def test_times_are_those_of_the_library(text: str) -> None:
    assert is_date_time(text) is bool(validate_rfc3339(text.upper()))


def test_both_outcomes_stand_in_the_list() -> None:
    assert {is_date_time(text) for text in TIMES} == {True, False}


def test_a_line_feed_after_a_time_passes_only_without_strict() -> None:
    time = "2026-01-31T00:00:00Z"
    assert FORMATS["date-time"](time + "\n")
    assert STRICT_FORMATS["date-time"](time)
    assert not STRICT_FORMATS["date-time"](time + "\n")
    assert not FORMATS["date-time"](time + "\n\n")


@pytest.mark.parametrize(
    "text",
    [
        "https://github.com/owner/name",
        "ssh://git@example.org:22/a.git",
        "https://[2001:db8::1]:8080/?q=/?#x?/",
        "https://[v1.a:b]/",
        "file:///a%20b",
        "urn:isbn:0-486-27557-4",
        "mailto:a@b",
        "x:",
        "x:/a//b",
        "http://",
        "a+b-c.1://h:/",
    ],
)
def test_uris(text: str) -> None:
    assert is_uri(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org/a",
        "//example.org",
        "1x:a",
        "https://a b",
        "https://é/",
        "https://a/%2",
        "https://a/%zz",
        "https://a\n",
        "\nhttps://a",
        "https://a/[b]",
        "https://[a",
        "https://[g]/",
        "https://a:b/",
        "https://a/#b#c",
        "https://a/<b>",
        "https://a@b@c/",
        "x:\\a",
        "://a",
        "git@example.org:a/b",
    ],
)
def test_what_is_no_uri(text: str) -> None:
    assert FORMATS["uri"](text)
    assert not is_uri(text)


def test_long_strings_take_no_longer_than_they_are() -> None:
    for long in ("https://" + "a" * 2_000_000 + " ", "https://" + "a@" * 1_000_000, "x:" + "%20" * 700_000 + "%"):
        assert not is_uri(long)
