"""What the page holds of one attempt beyond its line: a document that the page's script lays out when the attempt is opened.

Members of the tree are described in `page.js`, which reads them; they live in one page and are no format of ours.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Final

from tallystick.core import c1
from tallystick.core.errors import TallyError
from tallystick.flows.markup import visible_tree
from tallystick.flows.page.sides import Side
from tallystick.flows.show import DERIVED, Bounds, ShownAttempt, ShownCheck, ShownFile, lay_out
from tallystick.flows.words import seconds
from tallystick.records.base import UNSET
from tallystick.records.bundle import Observed, TaskResult
from tallystick.records.journal import LANES, Event, kind_of
from tallystick.records.judgement import Judgement
from tallystick.records.opinion import Opinion
from tallystick.scoring.quality import FULL, opinion_quality, scores_of

__all__ = ["BOUNDS", "LINE_CHARS", "details_of", "pack", "unpack"]

BOUNDS: Final = Bounds(diff_lines=5_000, text_bytes=1024 * 1024, output_bytes=256 * 1024, word_chars=1_000)
LINE_CHARS: Final = 2_000
"""Characters of one line of a diff or an output: browsers take seconds over a line of a megabyte."""
_FACT_CHARS: Final = 200


def pack(tree: c1.Tree) -> str:
    """A tree as the page carries it: JSON, raw deflate, base64."""
    engine = zlib.compressobj(6, wbits=-15)
    return base64.b64encode(engine.compress(c1.dumps(tree)) + engine.flush()).decode("ascii")


def unpack(chunk: str) -> c1.Tree:
    """The tree of `pack`."""
    return c1.loads(zlib.decompress(base64.b64decode(chunk), wbits=-15), 2**30)


def details_of(side: Side, result: TaskResult) -> c1.Tree:
    """Everything about one attempt; of one whose evidence cannot be read, why."""
    row = side.row(result)
    found: dict[str, c1.Tree] = {"verdict": side.verdict(result)}
    if row is not None and row.reason:
        found["finding"] = f"{row.status.value}: {row.reason}"
    if row is not None and row.equals_reference is True:
        found["note"] = "The final workspace equals the reference solution byte for byte."
    try:
        shown = lay_out(side.file, side.suite, result, BOUNDS)
    except TallyError as error:
        return visible_tree({**found, "problem": str(error)})
    return visible_tree({**found, **_evidence(side, result, shown)})


def _evidence(side: Side, result: TaskResult, shown: ShownAttempt) -> dict[str, c1.Tree]:
    executed, seen = side.executed(result), shown.observed
    return {
        "checks": [_check(check, "derived here" if check.provenance == DERIVED else executed) for check in shown.checks],
        "files": [_file(each) for each in shown.files],
        "excluded": list(shown.excluded),
        "refused": list(shown.refused),
        "outputs": [{"name": name, "text": _clipped(text)} for name, text in shown.outputs],
        "events": [_event(event) for event in shown.receipt.events],
        "measured": [
            *_judged(shown.judgement, executed),
            *_opinion(shown.opinion),
            *([] if seen is None else _measured(seen, shown.tries)),
        ],
        "hashes": _hashes(result, shown),
    }


def _check(check: ShownCheck, origin: str) -> c1.Tree:
    return {
        "id": check.id,
        "outcome": check.outcome,
        "demand": check.demand,
        "evidence": check.evidence,
        "from": "" if check.outcome in {"unknown", "not checked"} else origin,
    }


def _file(shown: ShownFile) -> c1.Tree:
    return {
        "path": shown.path,
        "change": shown.change,
        "note": shown.note,
        "text": "\n".join(_line(line) for line in shown.lines),
    }


def _clipped(text: str) -> str:
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    return line if len(line) <= LINE_CHARS else f"{line[:LINE_CHARS]} (+{len(line) - LINE_CHARS} characters)"


def _event(event: Event) -> c1.Tree:
    kind = kind_of(event)
    facts = [(name, getattr(event, name)) for name in event.__struct_fields__ if name != "seq"]
    return {
        "seq": event.seq,
        "kind": kind,
        "lane": LANES[kind],
        "facts": [f"{name} {_fact(value)}" for name, value in facts if value is not UNSET and value != ()],
    }


def _fact(value: object) -> str:
    if isinstance(value, tuple):
        return _fact(", ".join(f"{each.path} ({each.reason})" for each in value))
    text = str(value)
    return text if len(text) <= _FACT_CHARS else f"{text[:_FACT_CHARS]}..."


def _measured(seen: Observed, tries: int) -> list[c1.Tree]:
    """What the submitter measured: declared, signed, derived from nothing."""
    rows: list[tuple[str, object]] = [
        ("wall time", seconds(seen.wall_ms)),
        ("processor time", UNSET if seen.cpu_ms is UNSET else seconds(seen.cpu_ms)),
        ("largest process", UNSET if seen.max_rss_kb is UNSET else f"{seen.max_rss_kb / 1024:.0f} MiB"),
        ("cost", UNSET if seen.cost_usd is UNSET else f"{seen.cost_usd} USD"),
        ("wall time of the grade pass", UNSET if seen.grade_wall_ms is UNSET else seconds(seen.grade_wall_ms)),
        ("processes left behind", seen.orphans),
        ("Python of the grade pass", seen.python),
        ("limits held by", ", ".join(f"{name}: {by}" for name, by in seen.enforced) or UNSET),
        ("earlier tries that did not finish", tries or UNSET),
    ]
    return [{"what": what, "value": str(value), "from": "declared"} for what, value in rows if value is not UNSET]


def _judged(judgement: Judgement | None, origin: str) -> Iterator[c1.Tree]:
    """The scores of the static judge: evidence that decides nothing."""
    if judgement is None:
        return
    scores = scores_of(judgement)
    for name in ("correctness", "style", "test_coverage", "safety"):
        what = f"{judgement.rubric}: {name.replace('_', ' ')}"
        yield {"what": what, "value": f"{getattr(scores, name)} of {FULL}", "from": origin}


def _opinion(opinion: Opinion | None) -> Iterator[c1.Tree]:
    """What a model said of the attempt: recorded, and the submitter's word."""
    if opinion is None:
        return
    said = opinion.unjudged if opinion.scores is UNSET else f"{int(20 * opinion_quality(opinion.scores))} of 20"
    yield {"what": f"opinion of {opinion.model}", "value": str(said), "from": "declared"}


def _hashes(result: TaskResult, shown: ShownAttempt) -> list[c1.Tree]:
    receipt = shown.receipt
    rows = [
        ("receipt", result.receipt_hash),
        ("journal head", receipt.journal_head),
        ("spine head", receipt.spine_head),
        *((entry.role, entry.digest) for entry in receipt.spine),
    ]
    return [{"what": what, "value": value} for what, value in rows]
