"""`tally agent`: which known agents there are, which are installed here, and what starting one does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import safe, wrapped
from tallystick.core import c1

if TYPE_CHECKING:
    from tallystick.flows.agents import AgentPage, AgentRow
    from tallystick.records.traffic.rules import Rule
    from tallystick.runner.preset_files import Measured

__all__ = ["app"]

app: Final = typer.Typer(no_args_is_help=True, help="Known agents: list them, show how one is started.")

_Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]
_MOST: Final = 4096
"""Characters of one value on screen."""
_LABEL: Final = 12
"""Columns of a label."""


@app.command("list")
def list_agents(*, json: _Json = False) -> None:
    """Known agents, and which of them are installed here. Runs none of them."""
    from tallystick.flows.agents import agent_rows  # noqa: PLC0415  # loads the runner

    rows = agent_rows(settings.search_path(), settings.default_state())
    screen = open_screen()
    if json:
        screen.data(c1.dumps({"agents": [_row_tree(row) for row in rows]}))
    else:
        screen.say(_row_line(row) for row in rows)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="The agent's name, from tally agent list.", metavar="NAME")],
    model: Annotated[
        str | None, typer.Option(help="Fill this model in. Default: its place is shown as {model}.", metavar="NAME")
    ] = None,
    *,
    json: _Json = False,
) -> None:
    """All about one: command line, files, rules, what is mounted.

    Reads and hashes its program, and runs nothing.
    """
    from tallystick.flows.agents import agent_page  # noqa: PLC0415  # as above
    from tallystick.runner.programs import Machine  # noqa: PLC0415  # as above

    state = settings.default_state()
    machine = Machine(settings.search_path(), never=settings.homes(), hidden=settings.hidden_from_agents(state))
    page = agent_page(name, machine, state, model)
    screen = open_screen()
    if json:
        screen.data(c1.dumps(_page_tree(page)))
    else:
        screen.say(_page_lines(page, screen.style))


# --- for people ---


def _row_line(row: AgentRow) -> str:
    file = row.preset.file
    where = "not installed" if row.path is None else safe(row.version or "version unknown", 24)
    own = "" if row.preset.origin == "tally" else f"  ({safe(row.preset.origin)})"
    return f"{row.preset.name:<16} {where:<16} {file.api:<18} {_rate(file.measured)}{own}"


def _rate(measured: Measured | None) -> str:
    if measured is None:
        return "not measured"
    exact = f", {measured.raw} byte for byte" if measured.raw else ""
    return f"replays equal {measured.equal}/{measured.replays}{exact} (release {safe(measured.version, 24)})"


def _page_lines(page: AgentPage, style: Style) -> Iterator[str]:
    file, adapter = page.preset.file, page.adapter
    yield style.bold(f"{page.preset.name}: {safe(file.title)}")
    yield from _field("preset of", page.preset.origin)
    if adapter is None:
        yield from _field("program", page.problem or "")
        words, env, home = file.argv, dict(file.env), {each.path: each.text.encode() for each in file.home}
    else:
        yield from _field("program", f"{adapter.found.path} ({adapter.found.version or 'version unknown'})")
        words, env, home = adapter.argv, adapter.env, adapter.home
    yield from _field("speaks", file.api)
    yield from _field("keys", ", ".join(file.keys) + " (they stay outside of the sandbox)")
    yield from _field("replay", _rate(file.measured))
    if file.note:
        yield from _field("note", file.note)
    yield from _list("starts as", words)
    yield from _list("environment", [f"{name}={value}" for name, value in env.items()])
    for path, data in home.items():
        yield from _list(f"~/{safe(path)}", data.decode("utf-8", "replace").strip("\n").split("\n"))
    yield from _list("pins", [", ".join(file.pins)])
    yield from _list("also asks", file.hosts)
    yield from _list("may leave", file.leaves)
    yield from _list("rules", [_rule_line(rule) for rule in page.preset.rules.rules])
    if adapter is not None:
        mounts = [f"{mount.target} from {mount.source}" for mount in adapter.found.program.mounts]
        yield from _list("mounts", mounts)
        for label, digest in _digests(page).items():
            yield from _field(label, digest)


def _field(label: str, value: str) -> Iterator[str]:
    yield from wrapped(safe(value, _MOST), first=f"{label:<{_LABEL}} ")


def _list(label: str, values: Iterator[str] | tuple[str, ...] | list[str]) -> Iterator[str]:
    shown = [safe(value, _MOST) for value in values]
    if any(shown):
        yield label
        yield from (f"  {value}" for value in shown)


def _rule_line(rule: Rule) -> str:
    from tallystick.records.traffic.rules import Rename, Sort  # noqa: PLC0415  # loaded by the flow

    kind = str(rule.__struct_config__.tag)
    match rule:
        case Sort():
            says = f"{rule.path} by {rule.key}"
        case Rename(handle=True):
            says = f"{rule.pattern} (the model quotes it)"
        case _:
            says = rule.pattern
    return f"{kind} {rule.name}: {says}"


def _digests(page: AgentPage) -> Mapping[str, str]:
    """Digests of what decides whether a replay is of the same agent."""
    from tallystick.records.base import UNSET, digest_of  # noqa: PLC0415  # loaded by the flow

    if page.adapter is None:
        return {}
    agent = page.adapter.agent
    found = {"program is": agent.program, "home is": agent.home, "rules are": digest_of(page.preset.rules)}
    return found if agent.model is UNSET else {**found, "agent is": digest_of(agent)}


# --- for programs ---


def _row_tree(row: AgentRow) -> dict[str, c1.Tree]:
    tree: dict[str, c1.Tree] = {
        "api": row.preset.file.api,
        "installed": row.path is not None,
        "name": row.preset.name,
        "origin": safe(row.preset.origin, _MOST),
        "title": row.preset.file.title,
    }
    if row.path is not None:
        tree["path"] = safe(str(row.path), _MOST)
    if row.version is not None:
        tree["version"] = row.version
    measured = row.preset.file.measured
    return tree if measured is None else {**tree, "measured": _measured_tree(measured)}


def _measured_tree(measured: Measured) -> dict[str, c1.Tree]:
    return {
        "date": measured.date,
        "equal": measured.equal,
        "raw": measured.raw,
        "replays": measured.replays,
        "version": measured.version,
    }


def _page_tree(page: AgentPage) -> dict[str, c1.Tree]:
    from tallystick.flows.agents import AgentRow  # noqa: PLC0415  # loaded by the flow

    file, adapter = page.preset.file, page.adapter
    found = None if adapter is None else adapter.found
    row = AgentRow(page.preset, None if found is None else found.path, None if found is None else found.version)
    env = dict(file.env) if adapter is None else adapter.env
    home = {each.path: each.text for each in file.home}
    if adapter is not None:
        home = {path: data.decode("utf-8", "replace") for path, data in adapter.home.items()}
    tree: dict[str, c1.Tree] = {
        **_row_tree(row),
        "argv": list(file.argv if adapter is None else adapter.argv),
        "env": [{"name": name, "value": value} for name, value in env.items()],
        "home": [{"path": path, "text": text} for path, text in home.items()],
        "hosts": list(file.hosts),
        "keys": list(file.keys),
        "leaves": list(file.leaves),
        "note": file.note,
        "pins": list(file.pins),
        "rules": [_rule_line(rule) for rule in page.preset.rules.rules],
    }
    if found is None:
        return {**tree, "problem": safe(page.problem or "", _MOST)}
    mounts: list[c1.Tree] = [
        {"source": safe(str(mount.source), _MOST), "target": mount.target} for mount in found.program.mounts
    ]
    digests: dict[str, c1.Tree] = {label.partition(" ")[0]: digest for label, digest in _digests(page).items()}
    return {**tree, "digests": digests, "mounts": mounts}
