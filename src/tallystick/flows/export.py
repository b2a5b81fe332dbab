"""A bundle as data for other programs: one row for each attempt, as the submitter states it; nothing is verified here.

| format | for | what of others' text is escaped |
|---|---|---|
| csv | spreadsheets | unprintable characters; a cell that a spreadsheet would run as a formula begins with `'` |
| ndjson | programs | unprintable characters, as JSON escapes: reading gives the text itself |
| junit | CI servers | unprintable characters and markup |
| markdown | comments | everything stands in code spans; a row for each task, not for each attempt |

The columns are described in docs/viewing.md; a test compares them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, Literal, get_args

from tallystick.core import c1
from tallystick.core.digest import Digest
from tallystick.core.exact import Num
from tallystick.core.visible import written_out
from tallystick.flows.junit import junit
from tallystick.flows.markup import visible
from tallystick.flows.verify import open_file
from tallystick.flows.words import percent, plural
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Bundle, Observed, TaskResult
from tallystick.records.containers import BundleFile, open_bundle

__all__ = ["COLUMNS", "FORMATS", "Format", "Row", "bundle_markdown", "code", "export", "rows"]

Format = Literal["csv", "ndjson", "junit", "markdown"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
_MARKDOWN_TASKS: Final = 200
"""Rows of a Markdown table: a comment on GitHub holds 65,536 characters."""
_FAILED_IDS: Final = 6
_CLAIMED: Final = ("As the submitter states it.", "; `tally verify` derives the numbers again")


@dataclass(frozen=True, slots=True)
class Row:
    """One attempt. The members are the columns, in this order; None where the bundle says nothing."""

    bundle_hash: Digest
    suite: str
    suite_hash: Digest
    agent: str
    agent_version: str | None
    adapter: str
    self_test: bool
    submitter: str | None
    submitted_at: int
    task_id: str
    task_hash: Digest
    attempt: int
    attempts: int
    passed: bool
    score: Num
    outcome: str
    failed: tuple[str, ...]
    limit: str | None
    cause: str | None
    wall_ms: int | None
    cpu_ms: int | None
    grade_wall_ms: int | None
    max_rss_kb: int | None
    cost_usd: Num | None
    tries: int
    receipt_hash: Digest


COLUMNS: Final = tuple(each.name for each in fields(Row))
_NOTHING_SEEN: Final = Observed(wall_ms=0)
Cell = str | int | bool | Num | tuple[str, ...] | None


def rows(bundle: Bundle) -> Iterator[Row]:
    """The attempts of a bundle in its order."""
    for result in bundle.task_results:
        yield _row(bundle, result)


def _row(bundle: Bundle, result: TaskResult) -> Row:
    agent, output = bundle.agent, result.harness_output
    seen = None if result.observed is UNSET else result.observed
    measured = seen or _NOTHING_SEEN
    return Row(
        bundle_hash=bundle.bundle_hash,
        suite=bundle.suite_version,
        suite_hash=bundle.suite_hash,
        agent=agent.name,
        agent_version=_or_none(agent.version),
        adapter=agent.adapter,
        self_test=agent.self_test,
        submitter=None if bundle.submitter is UNSET else bundle.submitter.kid,
        submitted_at=bundle.submitted_at,
        task_id=result.task_id,
        task_hash=result.task_hash,
        attempt=result.attempt.index,
        attempts=result.attempt.of,
        passed=result.passed,
        score=result.score,
        outcome=output.outcome,
        failed=output.failed,
        limit=_or_none(output.limit),
        cause=_or_none(output.cause),
        wall_ms=None if seen is None else seen.wall_ms,
        cpu_ms=None if measured.cpu_ms is UNSET else measured.cpu_ms,
        grade_wall_ms=None if measured.grade_wall_ms is UNSET else measured.grade_wall_ms,
        max_rss_kb=None if measured.max_rss_kb is UNSET else measured.max_rss_kb,
        cost_usd=None if measured.cost_usd is UNSET else measured.cost_usd,
        tries=len(result.tries),
        receipt_hash=result.receipt_hash,
    )


def _or_none(text: str | UnsetType) -> str | None:
    return None if isinstance(text, UnsetType) else text


def export(path: Path, form: Format) -> Iterator[bytes]:
    """The bytes of a bundle file in another form, in pieces.

    Raises:
        InputError: the file cannot be read as a bundle.
    """
    with open_file(path) as stream:
        file = open_bundle(stream)
        for piece in _pieces(file, form):
            yield piece.encode()


def _pieces(file: BundleFile, form: Format) -> Iterator[str]:
    match form:
        case "csv":
            return _csv(file.bundle)
        case "ndjson":
            return _ndjson(file.bundle)
        case "junit":
            return junit(file)
        case "markdown":
            return bundle_markdown(file.bundle)


def _cells(row: Row) -> Iterator[tuple[str, Cell]]:
    return ((name, getattr(row, name)) for name in COLUMNS)


# --- csv ---

_FORMULA: Final = re.compile(r"[=+\-@\t\r]")


def _csv(bundle: Bundle) -> Iterator[str]:
    yield _csv_line(COLUMNS)
    for row in rows(bundle):
        yield _csv_line(_csv_cell(value) for _, value in _cells(row))


def _csv_line(cells: Iterator[str] | tuple[str, ...]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _csv_cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | tuple):
        return str(value)
    text = one_line(value if isinstance(value, str) else " ".join(value))
    return f"'{text}" if _FORMULA.match(text) else text


def one_line(text: str) -> str:
    """`text` with every unprintable character, line feeds and tabs too, as an escape."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


# --- ndjson ---


def _ndjson(bundle: Bundle) -> Iterator[str]:
    for row in rows(bundle):
        # Every line has every column, null where there is nothing: readers take the columns from the first lines.
        line = c1.encode({name: list(value) if isinstance(value, tuple) else value for name, value in _cells(row)})
        yield written_out(line.decode(), spell=_json_escape) + "\n"


def _json_escape(char: str) -> str:
    r"""A character of a JSON text that hides, which can only stand in a string, as `\uXXXX`, above U+FFFF as two."""
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


# --- markdown ---


def bundle_markdown(bundle: Bundle, *, verified: bool = False) -> Iterator[str]:
    """A bundle as Markdown, and whose word it is."""
    totals, interval = bundle.totals, bundle.interval
    spread = f"95 % interval {percent(interval.low)} to {percent(interval.high)}"
    yield f"{code(bundle.suite_version)}, agent {code(bundle.agent.name)}: "
    yield f"**{totals.passed}/{totals.attempts}** attempts passed, {spread}\n\n"
    yield "| | task | passed | what did not hold |\n|---|---|---|---|\n"
    by_task: dict[str, list[TaskResult]] = {}
    for result in bundle.task_results:
        by_task.setdefault(result.task_id, []).append(result)
    for task, results in list(by_task.items())[:_MARKDOWN_TASKS]:
        yield _markdown_row(task, results)
    if len(by_task) > _MARKDOWN_TASKS:
        yield f"\n{plural(len(by_task) - _MARKDOWN_TASKS, 'task')} more are in the bundle.\n"
    if bundle.agent.self_test:
        yield "\nA self-test: it proves suite and harness and measures no agent.\n"
    word, more = ("Derived again from its evidence.", "") if verified else _CLAIMED
    yield f"\n{word} Bundle {code(bundle.bundle_hash)}{more}.\n"


def _markdown_row(task: str, results: list[TaskResult]) -> str:
    passed = sum(result.passed for result in results)
    sign = "✅" if passed == len(results) else "❌" if passed == 0 else "🟡"
    why = dict.fromkeys(reason for result in results if not result.passed for reason in _reasons(result))
    shown = ", ".join(code(reason) for reason in list(why)[:_FAILED_IDS])
    more = f" and {len(why) - _FAILED_IDS} more" if len(why) > _FAILED_IDS else ""
    return f"| {sign} | {code(task)} | {passed}/{len(results)} | {shown}{more} |\n"


def _reasons(result: TaskResult) -> Iterator[str]:
    output = result.harness_output
    yield from output.failed
    if output.limit is not UNSET:
        yield f"limit on {output.limit}"
    if output.outcome != "failed":
        yield output.outcome if output.cause is UNSET else output.cause


def code(text: str) -> str:
    """`text` in a code span, where Markdown has no markup, links or mentions.

    No character closes a span but a backtick, nor a cell but a bar, and in a cell neither can be escaped under every reader, so
    an apostrophe and a broken bar stand for them.
    """
    plain = one_line(text).replace("`", "'").replace("|", "¦").strip()
    return f"`{plain}`" if plain else ""
