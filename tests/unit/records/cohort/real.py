"""Real cohort files, which lie beside the project, with the original schema of each."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tallystick.core import pyjson
from tallystick.records.cohort.schemas import PLAN_KINDS, DocumentKind
from tests.vectors import DATA

ROOT: Final = DATA / "idkmesh"
SCHEMA_FILES: Final = {
    DocumentKind.COHORT: "benchmark-cohort-v0.1",
    DocumentKind.WORK_UNIT: "work-unit-v0.2",
    DocumentKind.PLAN_0_2: "evaluator-plan-v0.2",
    DocumentKind.PLAN_0_3: "evaluator-plan-v0.3",
    DocumentKind.PLAN_0_4: "evaluator-plan-v0.4",
    DocumentKind.RESULT_MANIFEST: "result-manifest-v0.1",
    DocumentKind.VERIFICATION_RESULT: "verification-result-v0.1",
}

needed = pytest.mark.skipif(not ROOT.is_dir(), reason=f"no real cohorts in {ROOT}")


def load(path: str) -> Any:
    return pyjson.read((ROOT / path).read_bytes(), strict=True)


def original_schema(kind: DocumentKind) -> Any:
    return json.loads((ROOT / "schemas" / f"{SCHEMA_FILES[kind]}.schema.json").read_bytes())


def kind_of(path: Path) -> DocumentKind | None:
    """What a real file is, by its name and, if it is a plan, by its version; None for files that cohorts do not read."""
    if path.name == "cohort.json":
        return DocumentKind.COHORT
    if path.name.endswith(".work-unit.json"):
        return DocumentKind.WORK_UNIT
    if "evaluator-plan" in path.name and "schema" not in path.name:
        return PLAN_KINDS[json.loads(path.read_bytes())["schema_version"]]
    if path.name == "result-manifest.json":
        return DocumentKind.RESULT_MANIFEST
    return DocumentKind.VERIFICATION_RESULT if path.name.endswith("verification-result.json") else None


FILES: Final = {
    path.relative_to(ROOT).as_posix(): kind for path in sorted(ROOT.rglob("*.json")) if (kind := kind_of(path)) is not None
}
