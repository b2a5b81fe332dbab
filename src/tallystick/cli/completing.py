"""What can stand at the cursor of a command line: asked by the shell's completion, on every press of TAB.

All knowledge is here and none in the scripts, which only hand on the line. An answer is lines: what else the shell offers
(`files`, `folders`, `commands`, or `words` for nothing else), then a word each, with a tab and an explanation where there is
one.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from tallystick.cli import settings
from tallystick.cli.layers import SELF_TESTS
from tallystick.core.errors import TallyError
from tallystick.flows.harness.folders import evaluations_folder, own_tasks_folder

if TYPE_CHECKING:
    from tallystick.records.task import Tier
    from tallystick.runner.ladder import Rung

__all__ = ["answer"]

_MOST: Final = 500
"""Words in an answer: nobody reads more."""
_LONGEST: Final = 70

# typer brings its own copy of click, or click itself, depending on its release.
AnyCommand = Any
AnyParam = Any
Word = tuple[str, str]
"""A word and its explanation, maybe empty."""


@dataclass(frozen=True, slots=True)
class _Answer:
    words: Iterable[Word] = ()
    besides: Literal["words", "files", "folders", "commands"] = "words"


@dataclass(frozen=True, slots=True)
class _Line:
    """A command that is being typed: its name, the words after it up to the cursor, and the word at the cursor."""

    path: tuple[str, ...]
    command: AnyCommand
    words: tuple[str, ...]
    current: str


def answer(args: Sequence[str]) -> str:
    """What a script prints to its shell. Nothing at all where something is wrong: TAB is no place for messages.

    `args`: `words` and the words after `tally`, the last one at the cursor; or `line`, the characters at which the shell ends
    a word, and the whole line up to the cursor.
    """
    breaks = ""
    if args and args[0] == "line":
        breaks, words = args[1], _split(args[2])
    else:
        words = list(args[1:])
    current = words.pop() if words else ""
    try:
        found = _at(words, current)
        fitting = [(word, says) for word, says in itertools.islice(found.words, _MOST) if word.startswith(current)]
    except (TallyError, OSError):
        return ""
    typed = max((current.rfind(char) for char in breaks), default=-1) + 1
    lines = [found.besides, *(f"{word[typed:]}\t{says[:_LONGEST]}".rstrip("\t") for word, says in fitting)]
    return "".join(f"{line}\n" for line in lines)


def _split(line: str) -> list[str]:
    """The words after the program's name; the last one is at the cursor, and empty after a space."""
    for ending in ("", '"', "'", "\\"):
        try:
            words = shlex.split(line + ending)
        except ValueError:
            continue
        at_space = not ending and line[-1:].isspace() and not line.endswith("\\ ")
        return [*words[1:], ""] if at_space else words[1:]
    return []


def _at(words: list[str], current: str) -> _Answer:
    from tallystick.cli import front  # noqa: PLC0415  # typer; a script that only wants a file need not wait for it

    entries = {name: entry for group in front.COMMANDS.values() for name, entry in group.items()}
    if not words:
        options = [("--help", ""), ("--version", "")] if current.startswith("-") else []
        return _Answer([*((name, entry.says) for name, entry in entries.items()), *options])
    if words[0] == "help":
        return _help_topics(words[1:], entries, front)
    if words[0] not in entries:
        return _Answer()
    command, rest = front.load(words[0], entries[words[0]]), words[1:]
    path: tuple[str, ...] = (words[0],)
    while hasattr(command, "list_commands"):
        if not rest:
            return _Answer(_commands_of(command))
        command, path, rest = command.get_command(None, rest[0]), (*path, rest[0]), rest[1:]
        if command is None:
            return _Answer()
    return _in_command(_Line(path, command, tuple(rest), current))


def _commands_of(group: AnyCommand) -> Iterator[Word]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if not command.hidden:
            yield name, command.get_short_help_str(_LONGEST)


def _help_topics(words: list[str], entries: dict[str, Any], front: Any) -> _Answer:  # noqa: ANN401  # a module
    if not words:
        return _Answer(
            [("compat", "what other tools' verbs are here"), *((name, entry.says) for name, entry in entries.items())]
        )
    command = front.load(words[0], entries[words[0]]) if words[0] in entries else None
    return _Answer(_commands_of(command) if len(words) == 1 and hasattr(command, "list_commands") else ())


def _in_command(line: _Line) -> _Answer:
    """An option's value, an option, or the next argument."""
    if "--" in line.words and hasattr(line.command, "collect_usage_pieces") and _takes_agent(line):
        return _Answer(besides="commands" if line.words[-1] == "--" else "files")
    options = {name: param for param in line.command.params for name in (*param.opts, *param.secondary_opts) if name[:1] == "-"}
    waiting = options.get(line.words[-1]) if line.words else None
    if waiting is not None and _takes_value(waiting):
        return _values(waiting, line)
    name, equals, value = line.current.partition("=")
    if equals and name in options and _takes_value(options[name]):
        inner = _values(options[name], _Line(line.path, line.command, line.words, value))
        return _Answer(((f"{name}={word}", says) for word, says in inner.words), inner.besides)
    if line.current.startswith("-"):
        agent = [("--", "the agent's command line follows")] if _takes_agent(line) else []
        return _Answer(
            [*((each, _first_line(param)) for each, param in options.items() if not param.hidden), *agent, ("--help", "")]
        )
    arguments = [param for param in line.command.params if param.param_type_name == "argument"]
    given = _positional(line.words, options)
    if len(given) < len(arguments):
        return _values(arguments[len(given)], line)
    repeated = arguments and arguments[-1].nargs == -1
    return (
        _values(arguments[-1], line) if repeated else _Answer([(each, _first_line(param)) for each, param in options.items()])
    )


def _takes_agent(line: _Line) -> bool:
    from tallystick.cli.run import AgentCommand  # noqa: PLC0415  # loaded already where it matters

    return isinstance(line.command, AgentCommand)


def _first_line(param: AnyParam) -> str:
    return str(getattr(param, "help", "") or "").partition("\n")[0]


def _takes_value(param: AnyParam) -> bool:
    return param.param_type_name == "option" and not param.is_flag and not param.count


def _positional(words: Sequence[str], options: dict[str, AnyParam]) -> list[str]:
    """The words that are neither options nor their values."""
    given, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = word in options and _takes_value(options[word])
        else:
            given.append(word)
    return given


def _values(param: AnyParam, line: _Line) -> _Answer:
    """What may stand for a parameter: by its type, or by its name, which means one thing in all commands."""
    choices = getattr(param.type, "choices", None)
    if choices:
        return _Answer([(str(getattr(choice, "value", choice)), "") for choice in choices])
    match param.name:
        case "suite":
            found = _suite_words(line)
        case "tier" | "run_id" | "source" | "sources":
            found = _eval_values(param.name, line)
        case "task":
            found = _Answer(_tasks_for(line))
        case "agent":
            found = _Answer(_agents(line))
        case "name" if line.path[0] == "agent":
            found = _Answer(_presets())
        case "name" if line.path[0] == "task" and line.path[-1] != "new":
            found = _Answer(_tasks(line))
        case "rung":
            found = _Answer((name, rung.says) for name, rung in _rungs().items())
        case "key" | "kid" | "key_variable" | "name":
            found = _Answer((name, "") for name in _names_of(param.name, line))
        case _:
            found = _Answer(besides=_path_kind(param))
    return found


def _tasks_for(line: _Line) -> Iterable[Word]:
    """Tasks of what the command is about: a tier, a cohort or a suite."""
    if line.path[0] == "eval":
        return _tier_tasks(line)
    return _cohort_tasks(line) if line.path[0] == "cohort" and line.path[-1] != "from-suite" else _tasks(line)


def _suite_words(line: _Line) -> _Answer:
    """Packaged suites and files; after `cohort:`, the cohorts below the working directory."""
    from tallystick.cli.running import COHORT  # noqa: PLC0415  # not for every press of TAB

    if line.path[0] == "run" and line.current.startswith(COHORT):
        return _Answer((f"{COHORT}{path.parent.as_posix()}", "a cohort") for path in _cohorts())
    return _Answer([(name, "comes with tally") for name in _packaged()], "files")


def _cohorts() -> Iterator[Path]:
    """Cohort files not far below the working directory."""
    for pattern in ("*/cohort.json", "*/*/cohort.json"):
        yield from sorted(itertools.islice(Path().glob(pattern), _MOST))


def _cohort_tasks(line: _Line) -> Iterator[Word]:
    """Ids of the tasks of the cohort that the line names, with their families."""
    from tallystick.flows.cohort.folder import COHORT as FILE  # noqa: PLC0415  # only for these words
    from tallystick.flows.cohort.opening import Where, look  # noqa: PLC0415  # as above

    for word in line.words:
        path = Path(word) if Path(word).name == FILE else Path(word, FILE)
        if path.is_file():
            yield from ((task.id, task.family.value) for task in look(Where(Path(), str(path))).cohort.tasks)
            return


def _names_of(kind: str, line: _Line) -> Sequence[str]:
    """Names of keys and of variables with keys; a name that is yet to be given has no candidates."""
    if kind == "kid":
        return _trusted()
    if kind == "key_variable":
        return _provider_variables()
    return _keys() if kind == "key" or line.path == ("key", "show") else ()


def _path_kind(param: AnyParam) -> Literal["words", "files", "folders"]:
    if param.type.name not in {"path", "file", "directory", "filename"}:
        return "words"
    return "folders" if param.metavar == "DIR" else "files"


def _packaged() -> tuple[str, ...]:
    from tallystick.suites.loading import packaged_names  # noqa: PLC0415  # only where a suite may stand

    return packaged_names()


def _suites(line: _Line) -> tuple[str, ...]:
    """The suite that the line or tally.toml names; where neither does, all that come with tally."""
    options = {name: param for param in line.command.params for name in param.opts}
    named = [value for option, value in itertools.pairwise(line.words) if option == "--suite"]
    first = next((param for param in line.command.params if param.param_type_name == "argument"), None)
    if first is not None and first.name == "suite":
        named += _positional(line.words, options)[:1]
    if not named and line.path[0] == "task":
        from tallystick.cli.task import suite_folder  # noqa: PLC0415  # loaded already where it matters

        named = [str(suite_folder(None))]
    if not named and line.path[-1] == "run":
        named = [settings.layers(project=True).text("suite") or ""]
    return (named[0],) if named and named[0] else _packaged()


def _tasks(line: _Line) -> Iterator[Word]:
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    for name in _suites(line):
        yield from ((task.id, task.title) for task in load_suite(name).tasks)


def _eval_values(name: str, line: _Line) -> _Answer:
    if name == "tier":
        return _Answer((tier, "") for tier in _tiers())
    if name == "run_id":
        return _Answer((each, "") for each in _evaluations(line))
    return _Answer(((each, "a saved run") for each in _runs(line)), "files")


def _state_of(line: _Line) -> Path:
    given = [value for option, value in itertools.pairwise(line.words) if option == "--state"]
    return Path(given[-1]) if given else settings.default_state(settings.layers(project=True))


def _tiers() -> tuple[Tier, ...]:
    from tallystick.records.task import TIERS  # noqa: PLC0415  # 100 ms, for the one option that asks

    return TIERS


def _evaluations(line: _Line) -> tuple[str, ...]:
    from tallystick.flows.harness.saved import run_ids  # noqa: PLC0415  # only where an evaluation may stand

    return run_ids(evaluations_folder(_state_of(line)))


def _runs(line: _Line) -> list[str]:
    return sorted(path.parent.name for path in (_state_of(line) / "runs").glob("[!.]*/run.json"))


def _tier_tasks(line: _Line) -> Iterator[Word]:
    from tallystick.flows.harness.suites import KnownSuites  # noqa: PLC0415  # only for a task of `eval`

    known = KnownSuites(own_tasks_folder(_state_of(line)))
    for tier in _tiers():
        suite = known.tier(tier)
        if suite is not None:
            yield from ((task.id, task.title) for task in suite.tasks)


def _presets() -> Iterator[Word]:
    from tallystick.runner.presets import load_presets  # noqa: PLC0415  # only where an agent may stand

    yield from ((name, preset.file.title) for name, preset in load_presets(settings.default_state()).items())


def _agents(line: _Line) -> Iterator[Word]:
    yield from ((name, "self-test") for name in SELF_TESTS)
    yield from ((f"ladder:{name}", f"self-test: {rung.says}") for name, rung in _rungs().items())
    yield "scripted:", "plays a shell script"
    yield from _presets()
    if line.path == ("init",):
        return
    if line.current.startswith("c"):
        from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

        for suite in _suites(line):
            yield from ((name, "cheat") for name in sorted({f"cheat:{cheat.name}" for cheat in load_suite(suite).cheats}))


def _rungs() -> Mapping[str, Rung]:
    from tallystick.runner.ladder import RUNGS  # noqa: PLC0415  # as in _presets

    return RUNGS


def _keys() -> list[str]:
    return sorted(path.stem for path in (settings.config_folder() / "keys").glob("*.pem"))


def _trusted() -> list[str]:
    folder: Path = settings.config_folder() / "keys" / "trusted"
    return sorted(path.name.removesuffix(".jwk.json") for path in folder.glob("*.jwk.json"))


def _provider_variables() -> tuple[str, ...]:
    from tallystick.flows.programs import PROVIDER_VARIABLES  # noqa: PLC0415  # rarely needed

    return PROVIDER_VARIABLES
