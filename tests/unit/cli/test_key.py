"""`tally key`: what a person or a program sees."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tallystick.cli.key import app, signer_policy
from tallystick.cli.settings import config_folder
from tallystick.core.errors import InputError, TallyError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "tallystick" / "keys"


def tally_key(*arguments: str, stdin: bytes | None = None) -> Any:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def said(*arguments: str, stdin: bytes | None = None) -> str:
    done = tally_key(*arguments, stdin=stdin)
    assert done.exit_code == 0, done.exception
    return done.stdout


def test_the_way_of_a_key_from_its_owner_to_a_reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kid = json.loads(said("new", "--json"))["kid"]
    exported = said("show", "--json")
    assert json.loads(exported)["kid"] == kid
    (tmp_path / "alice.jwk.json").write_text(exported)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "reader"))
    assert signer_policy().judge(kid) == "unknown"
    assert kid in said("trust", str(tmp_path / "alice.jwk.json"), "--label", "Alice")
    assert signer_policy().judge(kid) == "trusted"
    assert said("list") == f"trusted  {kid}  Alice\n"
    said("untrust", "--", kid)
    assert signer_policy().judge(kid) == "unknown"


def test_a_public_key_from_standard_input() -> None:
    said("new")
    exported = said("show", "--json").encode()
    assert json.loads(said("trust", "-", "--json", stdin=exported))["kid"] == json.loads(exported)["kid"]


def test_new_says_where_the_key_is_and_what_to_do_next(folder: Path) -> None:
    text = said("new", "work")
    assert str(folder / "work.pem") in text
    assert "tally key show --json work" in text


def test_list_of_nothing_names_the_next_step() -> None:
    assert "tally key new" in said("list")
    assert json.loads(said("list", "--json")) == {"keys": []}


def test_no_output_holds_the_private_key(folder: Path) -> None:
    outputs = said("new") + said("show") + said("show", "--json") + said("list") + said("list", "--json")
    secret = (folder / "default.pem").read_text().splitlines()[1]
    assert secret not in outputs
    assert '"d"' not in outputs


BAD = {
    "no file": ("trust", "absent.jwk.json"),
    "a folder": ("trust", "/"),
    "a name": ("new", "../x"),
    "no key": ("show",),
    "no such key": ("show", "absent"),
    "not trusted": ("untrust", "x"),
    "an endless file": ("trust", "/dev/zero"),
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    error = tally_key(*arguments).exception
    assert isinstance(error, TallyError)
    assert error.exit_code == 2
    assert "\n" not in str(error)


def test_the_config_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert config_folder() == tmp_path / "config" / "tallystick"
    monkeypatch.setenv("HOME", str(tmp_path))
    for ignored in ("", "relative/path"):
        monkeypatch.setenv("XDG_CONFIG_HOME", ignored)
        assert config_folder() == tmp_path / ".config" / "tallystick"


def test_without_a_home_nobody_is_trusted_and_no_key_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "")
    assert signer_policy().judge("x") == "unknown"
    with pytest.raises(InputError, match="HOME"):
        config_folder()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "it is a pipe, socket or device and no file" in str(tally_key("trust", str(tmp_path / "pipe")).exception)
