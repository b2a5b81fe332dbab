"""Canonical JSON: writing and strictly reading a document the size of a large bundle."""

from __future__ import annotations

from typing import Any

import orjson
import rfc8785

from benchmarks.measure import Row, Scale, interleaved
from tallystick.core import c1
from tallystick.core.digest import sha256

GOAL_RATIO = 8
GOAL_MB_S = 60


def measure(scale: Scale) -> list[Row]:
    """C1 beside rfc8785, orjson and SHA-256. No decimals in the document: rfc8785 knows none."""
    tree: Any = _document(scale.document_bytes)
    data = c1.dumps(tree)
    taken = interleaved(
        {
            "write": lambda: c1.dumps(tree),
            "rfc8785": lambda: rfc8785.dumps(tree),
            "orjson": lambda: orjson.dumps(tree, option=orjson.OPT_SORT_KEYS),
            "read": lambda: c1.loads(data, len(data)),
            "orjson read": lambda: orjson.loads(data),
            "sha256": lambda: sha256(data),
        },
        scale.rounds,
    )
    # By processor time: nothing here waits, and the clock also counts what else the machine does.
    speed = {name: len(data) / 1e6 / max(one.cpu, 1e-6) for name, one in taken.items()}
    ratio = speed["write"] / speed["rfc8785"]
    size = f"{len(data) / 1e6:.1f} MB"
    return [
        Row(
            f"C1: write {size}, checked",
            f"{speed['write']:.0f} MB/s",
            f"{ratio:.0f} x rfc8785 ({speed['rfc8785']:.0f} MB/s); orjson {speed['orjson']:.0f}; SHA-256 {speed['sha256']:.0f}",
            f"{GOAL_RATIO} x rfc8785",
            ratio >= GOAL_RATIO,
        ),
        Row(
            f"C1: strict read of {size}",
            f"{speed['read']:.0f} MB/s",
            f"orjson.loads, which checks nothing: {speed['orjson read']:.0f} MB/s",
            f"{GOAL_MB_S} MB/s",
            speed["read"] >= GOAL_MB_S,
        ),
    ]


def _document(size: int) -> c1.Tree:
    """Something like the results of a run, of about `size` bytes."""
    results: list[c1.Tree] = []
    made = 0
    while made < size:
        result = _result(len(results))
        results.append(result)
        made += len(c1.dumps(result))
    return {"_type": "tallystick/bench/v1", "results": results}


def _result(number: int) -> c1.Tree:
    links: list[c1.Tree] = [
        {"role": role, "digest": sha256(f"{role}{number}".encode())} for role in ("suite", "task", "agent", "config", "grade")
    ]
    return {
        "task_id": f"task_{number}",
        "attempt": {"index": number + 1, "of": 10_000},
        "passed": number % 3 == 0,
        "note": f"the grader said: expected {number}, found “{number + 1}”\n",
        "observed": {"wall_ms": number * 7919 % 100_000, "max_rss_kb": number * 104_729 % 10_000_000, "orphans": 0},
        "spine": links,
    }
