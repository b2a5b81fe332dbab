"""What a stream can show is found out, not assumed."""

import io
import sys

import pytest

from tallystick.cli.screen import Screen, Style, open_screen


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal(encoding: str = "utf-8") -> Terminal:
    return Terminal(io.BytesIO(), encoding=encoding)


def test_a_terminal_gets_colours_unless_they_are_unwanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", terminal())
    monkeypatch.setattr(sys, "stderr", terminal())
    assert open_screen().style == Style(color=True, unicode=True)
    assert open_screen().live
    monkeypatch.setenv("NO_COLOR", "1")
    assert open_screen().style == Style(color=False, unicode=True)
    assert not open_screen().live


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_an_encoding_without_ticks_gets_plain_letters(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", terminal(encoding))
    style = open_screen().style
    assert not style.unicode
    assert style.mark(ok=True) + style.mark(ok=False) + style.ellipsis == "+x..."
    assert style.digest("sha256:" + "ab" * 32) == "abababab..."


def test_a_file_gets_no_colours() -> None:
    assert Style().good("MATCH") == "MATCH"
    assert Style(color=True).bad("x") == "\x1b[31;1mx\x1b[0m"


def test_json_is_utf_8_whatever_the_terminal_reads() -> None:
    out = terminal("latin-1")
    Screen(out, terminal()).data('{"a":"✓"}'.encode())
    assert out.buffer.getvalue() == '{"a":"✓"}\n'.encode()  # type: ignore[attr-defined]
