"""All schemas of a cohort's documents, by the kind of document."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tallystick.records.cohort.cohort import COHORT
from tallystick.records.cohort.evaluator_plan import OWN_PLAN, OWN_VERSION, PLAN_0_2, PLAN_0_3, PLAN_0_4
from tallystick.records.cohort.result_manifest import RESULT_MANIFEST
from tallystick.records.cohort.shapes import Schema
from tallystick.records.cohort.verification_result import VERIFICATION_RESULT
from tallystick.records.cohort.work_unit import WORK_UNIT

__all__ = ["PLAN_KINDS", "SCHEMAS", "DocumentKind"]


class DocumentKind(StrEnum):
    """A kind of document in one version, named as its file in docs/spec/schema/cohort."""

    COHORT = "benchmark-cohort.v0.1"
    WORK_UNIT = "work-unit.v0.2"
    PLAN_0_2 = "evaluator-plan.v0.2"
    PLAN_0_3 = "evaluator-plan.v0.3"
    PLAN_0_4 = "evaluator-plan.v0.4"
    OWN_PLAN = "evaluator-plan.tallystick-0.1"
    RESULT_MANIFEST = "result-manifest.v0.1"
    VERIFICATION_RESULT = "verification-result.v0.1"


SCHEMAS: Final[Mapping[DocumentKind, Schema]] = MappingProxyType(
    {
        DocumentKind.COHORT: COHORT,
        DocumentKind.WORK_UNIT: WORK_UNIT,
        DocumentKind.PLAN_0_2: PLAN_0_2,
        DocumentKind.PLAN_0_3: PLAN_0_3,
        DocumentKind.PLAN_0_4: PLAN_0_4,
        DocumentKind.OWN_PLAN: OWN_PLAN,
        DocumentKind.RESULT_MANIFEST: RESULT_MANIFEST,
        DocumentKind.VERIFICATION_RESULT: VERIFICATION_RESULT,
    }
)

PLAN_KINDS: Final[Mapping[str, DocumentKind]] = MappingProxyType(
    {
        "0.2": DocumentKind.PLAN_0_2,
        "0.3": DocumentKind.PLAN_0_3,
        "0.4": DocumentKind.PLAN_0_4,
        OWN_VERSION: DocumentKind.OWN_PLAN,
    }
)
"""The kind of an EvaluatorPlan by its `schema_version`; the original knows all but our own."""
