"""Presets: which there are, how each starts its agent, and what of that stands in the agent's document."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import msgspec
import pytest

from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, digest_of, write
from tallystick.records.evidence import Attempt, parse_agent
from tallystick.records.tree import EMPTY_TREE
from tallystick.runner import presets
from tallystick.runner.closure import Program
from tallystick.runner.presets import (
    PresetAdapter,
    common_rules,
    fill_token,
    load_preset,
    load_presets,
    make_preset,
    make_preset_adapter,
)
from tallystick.runner.programs import Found, Machine
from tallystick.suites.instruction import instruction
from tests.support.fake_sandbox import TINY
from tests.unit.runner.test_preset_files import GOOD

FIRST = Attempt(index=1, of=1)
WRITE = TINY.tasks[0]
PROGRAM = Program(argv=("/agent/bot/bin/bot",), mounts=(), digest=EMPTY_TREE, mask=("/m",))
FOUND = Found(Path("/opt/bot"), "1.2.3", PROGRAM)


def adapter(name: str, model: str | None = "a-model") -> PresetAdapter:
    return PresetAdapter(load_preset(name), FOUND, model)


def own(text: str = GOOD, name: str = "bot") -> presets.Preset:
    return make_preset(name, text.encode(), f"/x/{name}.toml")


# The command lines that were tried with the real programs; a change here needs a new trial.
GOLDEN = {
    "aider": [
        *("--model", "openai/a-model", "--edit-format", "diff", "--message=DO", "--yes-always", "--no-stream"),
        *("--no-check-update", "--no-show-release-notes", "--analytics-disable", "--no-show-model-warnings"),
        *("--no-pretty", "--no-gitignore"),
        *("--map-tokens", "0", "--chat-history-file", "/home/agent/chat.md"),
        *("--input-history-file", "/home/agent/input.txt", "FILES"),
    ],
    "claude-code": [
        *("-p", "--model", "a-model", "--dangerously-skip-permissions"),
        *("--session-id", "00000000-0000-4000-8000-000000000001", "--", "DO"),
    ],
    "codex": ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--", "DO"],
    "gemini-cli": ["-m", "a-model", "--yolo", "--skip-trust", "--prompt=DO"],
    "mini-swe-agent": [
        *("-m", "openai/a-model", "-y", "--exit-immediately", "-o", "/home/agent/trajectory.json", "-c", "mini.yaml"),
        "--task=DO",
    ],
    "opencode": ["run", "-m", "tally/a-model", "--auto", "--", "DO"],
    "openhands": ["--headless", "--override-with-envs", "--task=DO"],
    "qwen-code": ["--auth-type", "openai", "-y", "--prompt=DO"],
}


@pytest.mark.parametrize("name", sorted(load_presets()))
def test_command_line(name: str) -> None:
    plan = adapter(name).plan(TINY, WRITE, FIRST)
    files = [record.path for record in TINY.tree(WRITE.workspace).records]
    expected: list[str] = []
    for word in GOLDEN[name]:
        expected += files if word == "FILES" else [word.replace("DO", instruction(WRITE)) if word.endswith("DO") else word]
    assert list(plan.argv) == ["/agent/bot/bin/bot", *expected]
    assert plan.stdin == b""
    assert plan.mask == ("/m",)


@pytest.mark.parametrize("name", sorted(load_presets()))
def test_nothing_is_left_open_but_the_token(name: str) -> None:
    plan = fill_token(adapter(name).plan(TINY, WRITE, FIRST), "tally-00ff")
    texts = [*plan.argv, *plan.env.values(), *(data.decode() for data in plan.home.values())]
    assert not [text for text in texts if any(each in text for each in ("{token}", "{model}", "{base_url}", "{files}"))]
    assert any("tally-00ff" in text for text in (*plan.env.values(), *(data.decode() for data in plan.home.values())))
    assert any("http://127.0.0.1:8080" in text for text in texts)


@pytest.mark.parametrize("name", sorted(load_presets()))
def test_the_agents_document(name: str) -> None:
    preset, agent = load_preset(name), adapter(name).agent
    assert parse_agent(write(agent)) == agent
    assert (agent.adapter, agent.name, agent.version, agent.model) == (name, name, "1.2.3", "a-model")
    assert agent.rules == digest_of(preset.rules)
    assert {rule.name for rule in common_rules().rules} < {rule.name for rule in preset.rules.rules} | {"x"}
    assert agent.self_test is False
    assert any(word.endswith("{instruction}") for word in agent.argv)


def test_environment_and_home_are_bound() -> None:
    one = PresetAdapter(own(), FOUND, "m")
    agent = one.agent
    assert agent.argv[0] == "OPENAI_API_KEY={token}"
    for text in (GOOD.replace("{token}", "Bearer {token}"), GOOD.replace("settings.json", "other.json")):
        assert digest_of(PresetAdapter(own(text), FOUND, "m").agent) != digest_of(agent)
    assert digest_of(PresetAdapter(own(), FOUND, "n").agent) != digest_of(agent)
    assert digest_of(replace(one, found=replace(FOUND, env=(("A", "b"),))).agent) != digest_of(agent)


def test_the_agents_document_does_not_depend_on_the_attempt() -> None:
    one = PresetAdapter(own(), FOUND, "m")
    plans = [fill_token(one.plan(TINY, WRITE, Attempt(index=index, of=2)), f"tally-{index:04}") for index in (1, 2)]
    assert plans[0].env != plans[1].env
    assert b"{token}" not in b"".join(plans[0].home.values())
    assert one.home_digest != EMPTY_TREE


def test_a_token_in_the_tasks_text_stays() -> None:
    task = msgspec.structs.replace(WRITE, description="print {token} and {model}")
    plan = fill_token(PresetAdapter(own(), FOUND, "m").plan(TINY, task, FIRST), "tally-1")
    assert "print {token} and {model}" in plan.argv[1]


def test_files_of_a_task() -> None:
    base = [record.path for record in TINY.tree(WRITE.workspace).records]
    plan = PresetAdapter(own(), FOUND, "m").plan(TINY, WRITE, FIRST)
    assert list(plan.argv[-len(base) :]) == base
    task = msgspec.structs.replace(WRITE, owned_files=(base[0], "not/there.py"))
    assert PresetAdapter(own(), FOUND, "m").plan(TINY, task, FIRST).argv[4:] == (base[0],)


def test_files_of_the_users_own_give_way() -> None:
    brought = {".bot/settings.json": b"mine", ".bot/skills/a.md": b"skill"}
    one = PresetAdapter(own(), FOUND, "m", brought)
    assert one.home[".bot/skills/a.md"] == b"skill"
    assert one.home[".bot/settings.json"].startswith(b'{"url": "http://127.0.0.1:8080/v1"')
    assert one.home_digest != PresetAdapter(own(), FOUND, "m").home_digest


def test_without_a_model_it_can_only_be_shown() -> None:
    one = PresetAdapter(own(), FOUND, None)
    assert one.agent.model is UNSET
    assert "{model}" in one.argv
    with pytest.raises(InputError, match="bot needs a model: --model NAME"):
        one.plan(TINY, WRITE, FIRST)


@pytest.mark.parametrize("model", ["", 'x"y', "a b", "x\n", "-m", "{token}", "x" * 201, "é"])
def test_a_models_name_cannot_end_a_string(model: str) -> None:
    with pytest.raises(InputError, match="no provider's names have"):
        make_preset_adapter(own(), Machine("/nowhere"), model)


# --- where they come from ---


def test_an_unknown_name() -> None:
    with pytest.raises(InputError, match="no preset 'codx'; did you mean codex\\?"):
        load_preset("codx")
    with pytest.raises(InputError, match="no preset 'zzz'; known are aider, "):
        load_preset("zzz")


def test_presets_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/my-bot.toml").write_text(GOOD)
    (tmp_path / "agents/notes.txt").write_text("x")
    found = load_presets(tmp_path)
    assert found["my-bot"].origin == str(tmp_path / "agents/my-bot.toml")
    assert set(found) == {*load_presets(), "my-bot"}
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("codex.toml", GOOD, "tally has a preset codex; give yours another name"),
        ("My Bot.toml", GOOD, "the name 'My Bot' has other characters"),
        ("bot.toml", "x", "no TOML"),
        (
            "bot.toml",
            GOOD.replace("[program]", "drop = [{name='pytest-time', pattern='a1'}]\n[program]"),
            "names of shared rules",
        ),
    ],
)
def test_a_bad_one_of_the_users_own(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / name).write_text(text)
    with pytest.raises(InputError) as error:
        load_presets(tmp_path)
    assert message in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_a_pipe_among_them_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "agents/bot.toml").mkdir(parents=True)
    with pytest.raises(InputError, match="cannot read"):
        load_presets(tmp_path)


def plugin(value: str) -> EntryPoints:
    return EntryPoints([EntryPoint("plugged", value, presets.ENTRY_POINTS)])


def offered_text() -> str:
    return GOOD


def offered_failure() -> str:
    raise RuntimeError("broken")


@pytest.mark.parametrize("name", ["GOOD", "offered_text"])
def test_presets_of_other_packages(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(presets, "entry_points", lambda **_: plugin(f"{__name__}:{name}"))
    assert load_preset("plugged").file.title == "Bot"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (f"{__name__}:offered_failure", "failed to load: RuntimeError: broken"),
        (f"{__name__}:FIRST", "the preset plugged is no text"),
        ("no.such.module:x", "failed to load: ModuleNotFoundError"),
    ],
)
def test_a_bad_one_of_another_package(monkeypatch: pytest.MonkeyPatch, value: str, message: str) -> None:
    monkeypatch.setattr(presets, "entry_points", lambda **_: plugin(value))
    with pytest.raises(InputError, match=message):
        load_presets()
