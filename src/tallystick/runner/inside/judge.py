"""The static judge's look at changed Python files: what it can count without running any of them.

`python3 -I -B judge.py` reads one JSON document on stdin, `{"files": [{path,
before?: base64, after?: base64}], "mutants": n}`, and writes one on stdout:
`{"before": {...}, "after": {...}, "tests": {added, removed, files: [paths]},
"mutants": [{path, source: base64}]}`. It parses and never imports. The answer
is the same under every Python from 3.11 on; see judge_source.py for how.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any

# `python3 -I` leaves the script's folder out of the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import judge_measures as measures  # type: ignore[import-not-found]
import judge_mutants as mutants  # type: ignore[import-not-found]
import judge_source as source  # type: ignore[import-not-found]

MAX_INPUT_BYTES = 16 << 20
# Frames for trees of the depth that judge_source lets pass; the visitors use about three per level.
RECURSION_LIMIT = 3000


class Changed:
    """One changed file, each side parsed once."""

    def __init__(self, row: dict[str, str]) -> None:
        self.path = row["path"]
        self.before = self._side(row.get("before"))
        self.after = self._side(row.get("after"))

    @staticmethod
    def _side(encoded: str | None) -> Any:
        return None if encoded is None else source.Source(base64.b64decode(encoded))

    @property
    def tests(self) -> bool:
        return bool(measures.is_test_file(self.path))


def tests(changed: list[Changed]) -> dict[str, Any]:
    """Test functions that came and went, by path and name, and the files in which some came."""
    old = {(one.path, name) for one in changed if one.tests for name in measures.test_names(one.before)}
    new = {(one.path, name) for one in changed if one.tests for name in measures.test_names(one.after)}
    files = sorted({path for path, _ in new - old})
    return {"added": len(new - old), "removed": len(old - new), "files": files}


def mutated(changed: list[Changed], most: int) -> list[dict[str, str]]:
    """At most `most` mutants of the changed lines, spread evenly over all that there are."""
    places = [(one, place) for one in changed if not one.tests for place in mutants.places(one.before, one.after)]
    chosen = [places[at * len(places) // most] for at in range(most)] if len(places) > most else places
    return [{"path": one.path, "source": base64.b64encode(mutants.apply(one.after, place)).decode()} for one, place in chosen]


def answer(document: dict[str, Any]) -> dict[str, Any]:
    changed = [Changed(row) for row in document["files"]]
    came = tests(changed)
    return {
        "before": measures.summed([one.before for one in changed]),
        "after": measures.summed([one.after for one in changed]),
        "tests": came,
        "mutants": mutated(changed, document["mutants"]) if came["added"] else [],
    }


def main() -> int:
    """Exit 0 with an answer, 2 when the document cannot be read."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(data) > MAX_INPUT_BYTES:
        print(f"judge: the document is over {MAX_INPUT_BYTES} bytes", file=sys.stderr)
        return 2
    json.dump(answer(json.loads(data)), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
