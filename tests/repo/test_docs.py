"""The specification and the code name the same members, kinds, statuses, levels, limits and options."""

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import pytest

from tallystick.cli.front import build
from tallystick.core import limits, pyjson
from tallystick.records.base import Record, UnsetType
from tallystick.records.cohort.schemas import SCHEMAS
from tallystick.records.evidence import SELF_TEST_ADAPTERS, Excluded
from tallystick.records.journal import LANES, Event, RefusedPath
from tallystick.records.paths import STEERING_NAMES
from tallystick.records.report import LEVELS, Status
from tallystick.records.task import Assertion, Executed, Inspected, Portable
from tallystick.records.traffic.rules import Rule
from tallystick.suites.taskfile import KEYS, TIERS
from tallystick.trust.jws import BUNDLE_TYP
from tests.repo.docs import DOCS, Section, anchors, codes, links, pages, prose, sections
from tests.repo.project import ROOT

SPEC = DOCS / "spec"
ROOMS = (
    "tree",
    "task",
    "evidence",
    "journal",
    "judgement",
    "opinion",
    "bundle",
    "report",
    "reliability",
    "shard",
    "state",
    "eval_run",
    "cohort_history",
    "telemetry",
    "traffic.cassette",
    "traffic.prices",
    "traffic.rules",
)
NEVER_WRITTEN = {"Difference"}  # the answer of a function, no part of a document
UNITS = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}


def records() -> Iterator[type[Record]]:
    """Every record that stands in a document, but events, assertions and rules, which have tables of kinds."""
    kinds = {*get_args(Event), *get_args(Assertion), *get_args(Rule)}
    for room in ROOMS:
        module = importlib.import_module(f"tallystick.records.{room}")
        for name, cls in vars(module).items():
            own = inspect.isclass(cls) and issubclass(cls, Record) and cls.__module__ == module.__name__
            if own and cls not in kinds and name not in NEVER_WRITTEN and not name.startswith("_"):
                yield cls


RECORDS = {cls.__name__: cls for cls in records()}


def is_union(kind: Any) -> bool:
    return get_origin(kind) in {Union, UnionType}


def written(cls: type[Record], *, without: frozenset[str] = frozenset()) -> set[str]:
    """The members of a record as the tables write them: a name, with ``?`` where it may be absent."""
    names = set() if cls.__struct_config__.tag_field is None else {cls.__struct_config__.tag_field}
    for item in msgspec.structs.fields(cls):
        optional = is_union(item.type) and UnsetType in get_args(item.type)
        names.add(item.encode_name + ("?" if optional else ""))
    return names - without


def words(kind: Any) -> set[str]:
    """The strings of every closed choice in a type."""
    if get_origin(kind) is Literal:
        return {value for value in get_args(kind) if isinstance(value, str)}
    if get_origin(kind) is Annotated or is_union(kind):
        return set().union(*(words(part) for part in get_args(kind)))
    return set()


def spec_sections() -> dict[str, Section]:
    """Sections with a table of members, by the record in their heading."""
    found = {}
    for path in sorted(SPEC.glob("*.md")):
        for section in sections(path):
            if section.table("member"):
                name = section.title.partition(":")[0]
                assert name not in found, f"{path.name}: {name} is described twice"
                found[name] = section
    return found


def rows_of(page: Path, first: str, *heads: str) -> dict[str, tuple[str, ...]]:
    """The rows of all tables of a page whose head starts with these words, by the code in the first cell."""
    found = {}
    for section in sections(page):
        for table in section.tables:
            if table.head[: 1 + len(heads)] == (first, *heads):
                found.update({codes(row[0])[0]: row for row in table.rows if codes(row[0])})
    return found


def test_every_record_is_described_and_nothing_else() -> None:
    assert set(spec_sections()) == set(RECORDS)


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_members_of_a_record(name: str) -> None:
    cls, section = RECORDS[name], spec_sections()[name]
    table = section.table("member")
    assert table is not None
    rows = {codes(row[0])[0]: " ".join(row) for row in table.rows}
    assert set(rows) == written(cls)
    for item in msgspec.structs.fields(cls):
        row = rows.get(item.encode_name) or rows[item.encode_name + "?"]
        assert words(item.type) <= set(codes(row)), f"{name}.{item.encode_name}"
    tag = cls.__struct_config__.tag
    assert codes(section.title.partition(":")[2]) == ([tag] if tag else [])
    assert tag is None or tag in codes(rows[str(cls.__struct_config__.tag_field)])


def test_event_kinds_with_their_lanes_and_members() -> None:
    rows = rows_of(SPEC / "journal-and-receipt.md", "kind", "lane")
    events = {str(cls.__struct_config__.tag): cls for cls in get_args(Event)}
    assert set(rows) == set(events)
    for kind, cls in events.items():
        assert codes(rows[kind][1]) == [LANES[kind]]
        assert set(codes(rows[kind][2])) == written(cls, without=frozenset({"kind", "seq"}))


def test_closed_choices_of_events_are_named() -> None:
    text = codes(prose(SPEC / "journal-and-receipt.md"))
    for cls in get_args(Event):
        for item in msgspec.structs.fields(cls):
            assert words(item.type) <= set(text), item.name


@pytest.mark.parametrize(("title", "group"), [("Portable", Portable), ("Inspected", Inspected), ("Executed", Executed)])
def test_assertion_kinds_with_their_members(title: str, group: Any) -> None:
    section = next(each for each in sections(SPEC / "suite.md") if each.title == f"{title} assertions")
    table = section.table("kind")
    assert table is not None
    classes = {str(cls.__struct_config__.tag): cls for cls in get_args(group)}
    found = {codes(row[0])[0]: set(codes(row[1])) for row in table.rows}
    assert found == {kind: written(cls, without=frozenset({"kind", "id"})) for kind, cls in classes.items()}


def test_rule_kinds_with_their_members() -> None:
    rows = rows_of(SPEC / "cassette.md", "kind", "members")
    rules = {str(cls.__struct_config__.tag): cls for cls in get_args(Rule)}
    assert {kind: set(codes(row[1])) for kind, row in rows.items()} == {
        kind: written(cls, without=frozenset({"kind"})) for kind, cls in rules.items()
    }


def test_statuses_and_levels() -> None:
    page = SPEC / "report.md"
    assert list(rows_of(page, "status")) == [status.value for status in Status]
    assert list(rows_of(page, "level")) == list(LEVELS)


def test_limits_with_their_values() -> None:
    rows = rows_of(SPEC / "c1.md", "limit")
    assert set(rows) == set(limits.__all__)
    for name, row in rows.items():
        number, _, unit = row[1].replace(",", "").partition(" ")
        assert int(number) * UNITS.get(unit, 1) == getattr(limits, name), name


def test_documents_of_cohorts() -> None:
    page = SPEC / "cohort-documents.md"
    kinds = {kind: codes(row[1]) for kind, row in rows_of(page, "kind").items()}
    schemas: dict[str, Any] = {str(kind): schema for kind, schema in SCHEMAS.items()}
    assert kinds == {kind: [schema["properties"]["schema_version"]["const"]] for kind, schema in schemas.items()}
    assert {path.stem for path in (SPEC / "schema" / "cohort").iterdir()} == set(kinds)


def test_numbers_of_the_foreign_rule() -> None:
    numbers = rows_of(SPEC / "cohort-documents.md", "number in the file")
    assert numbers
    for text, row in numbers.items():
        assert pyjson.canonical(pyjson.read(text.encode(), strict=True)).decode() == codes(row[1])[0]


def test_reasons_of_refusals_and_exclusions() -> None:
    fields: dict[str, type[Record]] = {"tree.md": RefusedPath, "suite.md": Excluded}
    for page, cls in fields.items():
        reasons = {
            word
            for section in sections(SPEC / page)
            for table in section.tables
            if table.head[0] == "reason"
            for row in table.rows
            for word in codes(row[0])
        }
        wanted = next(words(item.type) for item in msgspec.structs.fields(cls) if item.name == "reason")
        assert reasons == wanted, page


def test_keys_of_the_authoring_form() -> None:
    assert set(rows_of(SPEC / "suite.md", "key", "value")) == KEYS
    text = set(codes(prose(SPEC / "suite.md")))
    assert text >= {*TIERS, *STEERING_NAMES}


def test_names_that_other_programs_need() -> None:
    assert f'"typ":"{BUNDLE_TYP}"' in (SPEC / "bundle.md").read_text(encoding="utf-8")
    assert SELF_TEST_ADAPTERS.issubset(codes(prose(SPEC / "journal-and-receipt.md")))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        target, _, anchor = link.partition("#")
        place = page.parent / target if target else page
        assert place.exists(), link
        assert not anchor or anchor in anchors(place), link


def test_every_decision_is_in_the_index() -> None:
    adr = DOCS / "adr"
    listed = [row[1] for section in sections(adr / "README.md") for table in section.tables for row in table.rows]
    titles = {path: sections(path)[1].title.partition(": ")[2] for path in sorted(adr.glob("[0-9]*.md"))}
    assert listed == list(titles.values())
    assert [path.name[:4] for path in titles] == [f"{number:04}" for number in range(1, len(titles) + 1)]


def commands() -> dict[str, set[str]]:
    """The options of every command that runs something, by its words."""
    found: dict[str, set[str]] = {}

    def visit(command: Any, name: str) -> None:
        if hasattr(command, "list_commands"):
            for each in command.list_commands(None):
                visit(command.get_command(None, each), f"{name} {each}")
            if name == "tally" or not command.invoke_without_command:
                return
        shown = (item for item in command.params if not getattr(item, "hidden", False) and item.param_type_name == "option")
        found[name] = {word for item in shown for word in (*item.opts, *item.secondary_opts)} - {"--help"}

    visit(build(), "tally")
    return found


def test_commands_and_their_options() -> None:
    page = {section.title: section for section in sections(DOCS / "commands.md") if section.title.startswith("tally ")}
    found = commands()
    again = {
        name: f"tally {name.removeprefix('tally bench ')}"
        for name in found
        if name in {"tally bench run", "tally bench verify", "tally bench compare"}
    }
    assert {name: found[name] for name in again} == {name: found[other] for name, other in again.items()}
    assert set(page) == set(found)
    for name, options in found.items():
        if name in again:
            continue  # the page says that they have the options of the other name
        table = page[name].table("option")
        assert {word for row in (table.rows if table else ()) for word in codes(row[0])} == options, name
