"""What `tally ci` leaves for a CI server: JUnit, SARIF, and a step summary in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.core import c1
from tallystick.core.exact import Num, to_num
from tallystick.flows.ci import Check, CiRequest, Verdict
from tallystick.flows.ci.sarif import sarif
from tallystick.flows.compare.markdown import comparison_markdown
from tallystick.flows.compare.tree import comparison_tree
from tallystick.flows.export import bundle_markdown, code
from tallystick.flows.junit import Checked, junit
from tallystick.flows.writing import write_whole

__all__ = ["summary", "verdict_tree", "write_outputs"]

_TAGS: Final = {"ok": "", "failed": "failure", "not judged": "error"}
_EXCUSED: Final = "did not pass; the gate holds"
"""What is said of an attempt that the gate does not fail by: a server must not go red where the exit code is 0."""
_SIGNS: Final = {"ok": "✅", "failed": "❌", "not judged": "❔"}


def write_outputs(verdict: Verdict, request: CiRequest) -> None:
    """Write the files that are asked for, each whole or not at all. Raises `InputError` and `WriteError`."""
    outputs = request.outputs
    sources = [request.bundle, *([] if request.baseline is None else [request.baseline])]
    if outputs.junit is not None:
        pieces = junit(
            verdict.side.file,
            _said(verdict),
            _checked(verdict),
            attempts=verdict.verified,
            excused=_EXCUSED if verdict.conclusion == "success" else "",
        )
        write_whole(outputs.junit, (piece.encode() for piece in pieces), sources)
    if outputs.sarif is not None:
        write_whole(outputs.sarif, sarif(verdict), sources)
    if outputs.summary is not None:
        write_whole(outputs.summary, (piece.encode() for piece in summary(verdict)), sources)


def _said(verdict: Verdict) -> str:
    return f"tally ci: {verdict.headline}"


def _checked(verdict: Verdict) -> tuple[Checked, ...]:
    return tuple(Checked(check.name, _TAGS[check.state], check.says) for check in verdict.checks)


def summary(verdict: Verdict) -> Iterator[str]:
    """The step summary in pieces. Text of others stands in code spans."""
    yield f"## tally ci: {verdict.conclusion}\n\n"
    yield "| | check | |\n|---|---|---|\n"
    yield from (_row(check) for check in verdict.checks)
    yield "\n"
    if verdict.compared is not None:
        yield "A is the baseline, B the bundle.\n\n"
        yield from comparison_markdown(verdict.compared)
        yield "\n"
    if verdict.verified:
        yield from bundle_markdown(verdict.side.bundle, verified=True)


def _row(check: Check) -> str:
    return f"| {_SIGNS[check.state]} | {check.name} | {code(check.says)} |\n"


def verdict_tree(verdict: Verdict, max_drop: Num | None) -> dict[str, c1.Tree]:
    """The verdict as one JSON value; members are described in docs/eval/ci.md."""
    checks: list[c1.Tree] = [{"name": check.name, "says": check.says, "state": check.state} for check in verdict.checks]
    tree: dict[str, c1.Tree] = {"checks": checks, "conclusion": verdict.conclusion, "headline": verdict.headline}
    if max_drop is not None:
        tree["max_drop"] = max_drop
    if verdict.compared is not None:
        tree["comparison"] = comparison_tree(verdict.compared)
        tree["drop"] = to_num(-verdict.compared.paired.difference)
    return tree
