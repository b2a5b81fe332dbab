"""The format of presets: what a file may say, and the one line for each thing it may not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.records.traffic.rules import RuleSet
from tallystick.runner.preset_files import PRESET_BYTES, read_common, read_preset
from tests.repo.project import PACKAGE

FOLDER = PACKAGE / "runner/agents"
FILES = sorted(path for path in FOLDER.glob("*.toml") if path.stem != "common")
PINS = {"names", "locale", "tmpfs", "no-resolver", "ids", "clock", "kernel", "random", "addresses"}

GOOD = """
title = "Bot"
api = "openai.chat"
argv = ["--task={instruction}", "--model", "{model}", "{files}"]
keys = ["OPENAI_API_KEY"]
[program]
find = ["bot"]
kind = "node"
package = "bot"
entry = ["bot.js"]
[env]
OPENAI_API_KEY = "{token}"
[[home]]
path = ".bot/settings.json"
text = '{"url": "{base_url}/v1", "other": "{unknown}"}'
"""


def test_a_good_file() -> None:
    preset = read_preset(GOOD.encode(), "bot.toml")
    assert (preset.title, preset.api, preset.pins, preset.version) == ("Bot", "openai.chat", (), ("--version",))
    assert preset.rules == ()
    assert preset.measured is None


BAD = {
    "no TOML": ("title = ", "bot.toml: no TOML"),
    "unknown member": ('title = "Bot"\ncolour = "red"', "bot.toml: Object contains unknown field `colour`"),
    "unknown api": ('api = "openai.assistants"', "Invalid enum value 'openai.assistants' - at `api`"),
    "no instruction": ('argv = ["--yes"]', "no word of argv holds {instruction}"),
    "unknown placeholder": ('argv = ["{instruction}", "{prompt}"]', "unknown placeholder {prompt}; known are"),
    "token in argv": ('argv = ["{instruction}", "{token}"]', "argv may not hold {token}"),
    "files in a word": ('argv = ["{instruction}", "--files={files}"]', "{files} stands for several words"),
    "a pin twice": ('pins = ["clock", "clock"]', "a pin stands twice"),
    "unknown pin": ('pins = ["weather"]', "Invalid enum value 'weather'"),
    "a key with a value": ('keys = ["OPENAI_API_KEY=sk-1"]', "matching regex"),
    "no key": ("keys = []", "length >= 1"),
    "instruction in env": ('env = {TASK = "{instruction}"}', "TASK: only words of argv may hold {instruction}"),
    "a path that leaves": ('home = [{path = "../.bashrc", text = ""}]', "the path '../.bashrc' is not a plain relative path"),
    "an absolute path": ('home = [{path = "/etc/passwd", text = ""}]', "is not a plain relative path"),
    "a home file twice": ('home = [{path = "a", text = ""}, {path = "a", text = ""}]', "a home file stands twice"),
    "a rule without bounds": ("drop = [{name = 'x', pattern = '.*'}]", "is not bounded"),
    "a rule that drops all": ("drop = [{name = 'x', pattern = '\\w{1,999}'}]", "more than"),
    "a rule twice": ("drop = [{name='x', pattern='a1'}, {name='x', pattern='b2'}]", "two rules have the same name"),
    "a bad count": ("measured = {version='1', date='2026-11-30', replays=2, equal=3, raw=0}", "raw <= equal <= replays"),
    "a bad date": ("measured = {version='1', date='today', replays=2, equal=2, raw=0}", "matching regex"),
    "a wrong type": ("title = 7", "Expected `str`, got `int`"),
}


@pytest.mark.parametrize(("line", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_one_line(line: str, message: str) -> None:
    key = line.partition(" =")[0].partition("=")[0]
    kept = [each for each in GOOD.split("\n") if not each.startswith(f"{key} =")]
    text = "\n".join([line, *kept])
    for table in ("home", "env"):
        if key == table:
            text = text.replace(text[text.index(f"[{table}]") if table == "env" else text.index("[[home]]") :], "")
    with pytest.raises(InputError) as error:
        read_preset(text.encode(), "bot.toml")
    assert message in str(error.value)
    assert str(error.value).startswith("bot.toml: ")
    assert "\n" not in str(error.value)


PROGRAMS = {
    "python with an entry": ('kind = "python"\nentry = ["x.py"]', "a program of kind python may have module; it has entry"),
    "node without one": ('kind = "node"', "a program of kind node needs entry and may have without; it has none of them"),
    "native without folders": (
        'kind = "native"\nentry = ["x"]',
        "a program of kind native needs entry, folders and may have parts; it has entry",
    ),
    "an entry that leaves": ('kind = "node"\nentry = ["../x.js"]', "is not a plain relative path"),
    "no command name": ('kind = "node"\nentry = ["x.js"]\nfind = ["/usr/bin/x"]', "matching regex"),
}


@pytest.mark.parametrize(("lines", "message"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_bad_program_is_one_line(lines: str, message: str) -> None:
    start, end = GOOD.index("[program]"), GOOD.index("[env]")
    find = "" if "find" in lines else 'find = ["bot"]\n'
    text = f'{GOOD[:start]}[program]\n{find}package = "bot"\n{lines}\n{GOOD[end:]}'
    with pytest.raises(InputError, match=re.escape(message)):
        read_preset(text.encode(), "bot.toml")


def test_bytes_are_bounded_and_text() -> None:
    with pytest.raises(InputError, match="more than"):
        read_preset(b"#" * (PRESET_BYTES + 1), "bot.toml")
    with pytest.raises(InputError, match="not UTF-8 at byte 1"):
        read_preset(b"#\xff", "bot.toml")
    with pytest.raises(InputError, match="no TOML"):
        read_preset(b"a = " + b"[" * 100_000, "bot.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_packaged_file(path: Path) -> None:
    preset = read_preset(path.read_bytes(), path.name)
    common = read_common((FOLDER / "common.toml").read_bytes(), "common.toml")
    RuleSet(rules=(*common.rules, *preset.rules))
    assert preset.pins, "every agent needs something held still"
    assert set(preset.pins) <= PINS
    assert preset.title
    text = path.read_text(encoding="utf-8")
    assert "{token}" in text, "without it no agent could use the gateway"
    assert "{base_url}" in text
    assert "{model}" in text
    # A braced word that is no placeholder would reach the agent as it stands.
    known = {"{instruction}", "{model}", "{base_url}", "{token}", "{files}", "{arch}", "{cpu}"}
    assert set(re.findall(r"\{[a-z_]+\}", text)) <= known


def test_there_are_the_agents_people_ask_for() -> None:
    assert {path.stem for path in FILES} == {
        "aider",
        "claude-code",
        "codex",
        "gemini-cli",
        "mini-swe-agent",
        "opencode",
        "openhands",
        "qwen-code",
    }
