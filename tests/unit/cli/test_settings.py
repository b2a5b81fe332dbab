"""What the environment can say."""

from pathlib import Path

import pytest

from tallystick.cli import settings
from tallystick.core.errors import InputError


@pytest.mark.parametrize("given", ["0", "-1", "x", "10001", "1e3", "\uff19", "9" * 5000])
def test_workers_from_the_environment_must_be_a_number(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLY_WORKERS", given)
    with pytest.raises(InputError, match=r"^TALLY_WORKERS: give a number"):
        settings.workers(None)


def test_a_flag_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLY_WORKERS", "7")
    assert settings.workers(None) == 7
    assert settings.workers(3) == 3
    monkeypatch.setenv("TALLY_WORKERS", "")
    assert 1 <= settings.workers(None) <= 4


def test_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.default_state() == Path(".tally")
    monkeypatch.setenv("TALLY_STATE", "/elsewhere")
    assert settings.default_state() == Path("/elsewhere")


@pytest.mark.parametrize(("name", "value", "plain"), [("NO_COLOR", "1", True), ("NO_COLOR", "", False), ("TERM", "dumb", True)])
def test_plain_output(name: str, value: str, *, plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    assert settings.plain_terminal() is plain
