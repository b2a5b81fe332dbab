"""Every digest that the real cohorts record comes out here: of whole documents, and of what was frozen."""

from collections.abc import Iterator
from typing import Any

import pytest

from tallystick.core import pyjson
from tests.unit.records.cohort import real

FIRST_FIVE = "benchmarks/phase-b2-first-five/cohort.json"
SUCCESSOR_FIVE = "benchmarks/phase-b2-successor-five/cohort.json"
COHORTS = {
    FIRST_FIVE: "4fdec8a2768e32dc223b218ed70aec3a67aefcd87c64b72c5675c9921a4eab5c",
    SUCCESSOR_FIVE: "3182d8710e1239c19cb95daddd0677241c0cd9123614786fd919b036922dbdd9",
}

pytestmark = real.needed


def recorded(cohort: Any) -> Iterator[tuple[str, str]]:
    """Path and digest of every document that a cohort refers to."""
    for task in cohort["tasks"]:
        negative = task["negative_case"]
        yield task["work_unit"]["path"], task["work_unit"]["digest"]
        yield task["evaluator"]["plan_path"], task["evaluator"]["plan_digest"]
        if negative["evidence_status"] == "verified":
            yield negative["evidence_path"], negative["evidence_digest"]
        for attempt in task["evidence"]["attempts"]:
            yield attempt["result_manifest"]["path"], attempt["result_manifest"]["digest"]
            yield attempt["verification_result"]["path"], attempt["verification_result"]["digest"]


@pytest.mark.parametrize(("path", "count"), [(FIRST_FIVE, 10), (SUCCESSOR_FIVE, 25)])
def test_documents(path: str, count: int) -> None:
    pairs = list(recorded(real.load(path)))
    assert len(pairs) == count
    for document, digest in pairs:
        assert pyjson.digest(real.load(document)) == digest, document


def test_the_work_unit_of_the_original_self_test() -> None:
    value = real.load("examples/work-units/patch-verifier-smoke.work-unit.json")
    assert pyjson.digest(value).startswith("sha256:3f8b78df")


def test_zero_as_a_float_is_what_rfc_8785_would_lose() -> None:
    path = "results/benchmarks/phase-b2-successor-five/task-001/attempt-001/result-manifest.json"
    data = (real.ROOT / path).read_bytes()
    assert pyjson.digest(pyjson.read(data, strict=True)).startswith("sha256:44ae2105")
    assert pyjson.digest(pyjson.read(data.replace(b": 0.0", b": 0"), strict=True)).startswith("sha256:a6eb1e33")


def projection(cohort: Any) -> Any:
    """What the recorded definition digests are of, written here a second time from the description of the format."""
    tasks = []
    for task in sorted(cohort["tasks"], key=lambda each: each["id"]):
        kept = {name: task[name] for name in ("id", "family", "difficulty", "split", "source")}
        kept["work_unit"] = {name: task["work_unit"][name] for name in ("id", "version", "digest")}
        kept["evaluator"] = {name: task["evaluator"][name] for name in ("visibility", "plan_id", "plan_digest", "backend")}
        kept["declared_structural_signatures"] = sorted(task["declared_structural_signatures"])
        kept["negative_case"] = {name: task["negative_case"][name] for name in ("description", "expected_category")}
        kept["accounting"] = {"required_metrics": sorted(task["accounting"]["required_metrics"])}
        tasks.append(kept)
    names = ("schema_version", "id", "title", "minimum_final_tasks", "taxonomy_frozen_before_outcomes", "authority")
    top = {name: cohort[name] for name in names}
    return {**top, "required_families": sorted(cohort["required_families"]), "tasks": tasks}


@pytest.mark.parametrize(("path", "digest"), COHORTS.items())
def test_definitions(path: str, digest: str) -> None:
    cohort = real.load(path)
    assert pyjson.digest(projection(cohort)) == cohort["definition_digest"] == f"sha256:{digest}"
