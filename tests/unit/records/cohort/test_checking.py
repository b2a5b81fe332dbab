"""What the check lists: every offence, in order, each with its place and one short line; and what strict adds."""

import copy
from typing import Any

import jsonschema
import pytest

from tallystick.core import limits
from tallystick.records.cohort.checking import ROOT, SchemaError, check
from tallystick.records.cohort.deciding import Decider
from tallystick.records.cohort.schemas import PLAN_KINDS, SCHEMAS, DocumentKind
from tests.unit.records.cohort.samples import COHORT, DIGEST, DOCUMENTS, RESULT_MANIFEST


def changed(document: Any, place: str, value: Any) -> Any:
    """A copy with one more or another value at a dotted place."""
    document = copy.deepcopy(document)
    *way, last = (int(part) if part.isdigit() else part for part in place.split("."))
    inner = document
    for part in way:
        inner = inner[part]
    inner[last] = value
    return document


@pytest.mark.parametrize("kind", DocumentKind)
def test_samples_are_valid_and_hold_every_member(kind: DocumentKind) -> None:
    assert check(kind, DOCUMENTS[kind], strict=True) == []
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[kind])
    assert set(DOCUMENTS[kind]) == set(SCHEMAS[kind]["properties"])


@pytest.mark.parametrize("kind", DocumentKind)
def test_no_required_member_may_be_missing_and_no_other_one_there(kind: DocumentKind) -> None:
    document = DOCUMENTS[kind]
    for name in SCHEMAS[kind]["required"]:
        rest = {key: value for key, value in document.items() if key != name}
        assert SchemaError(ROOT, f"the member {name} is missing") in check(kind, rest, strict=False)
    assert check(kind, {**document, "more": 1}, strict=False) == [SchemaError(ROOT, "unknown members: 'more'")]


def test_a_plan_is_of_the_kind_of_its_version() -> None:
    for version, kind in PLAN_KINDS.items():
        assert DOCUMENTS[kind]["schema_version"] == version
        others = [other for other in PLAN_KINDS.values() if check(other, DOCUMENTS[kind], strict=False) == []]
        assert others == [kind]


def test_every_offence_is_listed_in_the_order_of_places() -> None:
    cohort = changed(COHORT, "tasks.1.id", "X")
    cohort["tasks"][0]["source"] = {"repository": 1, "branch": "main"}
    cohort["stage"] = "thawed"
    del cohort["title"]
    assert check(DocumentKind.COHORT, cohort, strict=False) == [
        (ROOT, "the member title is missing"),
        ("stage", "'thawed' is not one of scaffold, collecting, frozen, burned"),
        ("tasks.0.source", "unknown members: 'branch'"),
        ("tasks.0.source", "the member revision is missing"),
        ("tasks.0.source.repository", "1 is not of type string"),
        ("tasks.1.id", "'X' does not match ^[a-z0-9][a-z0-9._/-]{2,127}$"),
    ]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("stage", None, "null is not one of scaffold, collecting, frozen, burned"),
        ("authority.merge", True, "true is not false"),
        ("authority.merge", 0, "0 is not false"),
        ("taxonomy_frozen_before_outcomes", 1, "1 is not true"),
        ("schema_version", 0.1, "0.1 is not '0.1'"),
        ("minimum_final_tasks", 4, "4 is less than 5"),
        ("minimum_final_tasks", 1001, "1001 is more than 1000"),
        ("minimum_final_tasks", 5.5, "5.5 is not of type integer"),
        ("minimum_final_tasks", True, "true is not of type integer"),
        ("required_families", ["refactor", "refactor"], "an array has equal items"),
        ("required_families", [], "an array has fewer than 1 item"),
        ("tasks", {}, "an object is not of type array"),
        ("title", "", "'' is shorter than 1 character"),
        ("tasks.0.declared_structural_signatures.0", "x" * 257, f"'{'x' * 40}'... is longer than 256 characters"),
        ("tasks.1.evaluator.plan_path", "plan.json", "the member plan_path may not stand here"),
        ("tasks.0.work_unit.path", "../secret", r"'../secret' does not match ^(?!/)(?!.*(?:^|/)\.\.(?:/|$)).+$"),
    ],
)
def test_messages(place: str, value: Any, message: str) -> None:
    at = place.removesuffix(".plan_path")
    assert check(DocumentKind.COHORT, changed(COHORT, place, value), strict=False) == [(at, message)]


def test_what_hangs_together_in_a_cohort() -> None:
    for place, name in {
        "definition_digest": "definition_digest",
        "tasks.0.evaluator.plan_path": "plan_path",
        "tasks.0.negative_case.evidence_type": "evidence_type",
        "tasks.1.evidence.exclusion_reason": "exclusion_reason",
    }.items():
        cohort = changed(COHORT, place, None)
        *way, last = (int(part) if part.isdigit() else part for part in place.split("."))
        inner: Any = cohort
        for part in way:
            inner = inner[part]
        del inner[last]
        where = place.rpartition(".")[0] or ROOT
        assert check(DocumentKind.COHORT, cohort, strict=False) == [(where, f"the member {name} is missing")]
        cohort["stage"] = "collecting"
        assert (check(DocumentKind.COHORT, cohort, strict=False) == []) is (name == "definition_digest")


@pytest.mark.parametrize(
    ("kind", "place", "value", "message"),
    [
        (DocumentKind.COHORT, "id", "example/cohort\n", r"'example/cohort\n' holds a line feed"),
        (DocumentKind.COHORT, "definition_digest", DIGEST + "\n", rf"'{DIGEST[:40]}'... holds a line feed"),
        (DocumentKind.COHORT, "tasks.0.work_unit.path", "a/b\n", r"'a/b\n' holds a line feed"),
        (DocumentKind.COHORT, "tasks.0.source.repository", "example", "'example' is not a uri"),
        (DocumentKind.RESULT_MANIFEST, "started_at", "2026-01-31T12:00:00Z\n", r"'2026-01-31T12:00:00Z\n' is not a date-time"),
        (DocumentKind.RESULT_MANIFEST, "resources.wall_seconds", float("nan"), "nan is not a finite number"),
        (DocumentKind.RESULT_MANIFEST, "metrics.lines", float("-inf"), "-inf is not a finite number"),
    ],
)
def test_what_only_strict_refuses(kind: DocumentKind, place: str, value: Any, message: str) -> None:
    document = changed(DOCUMENTS[kind], place, value)
    assert check(kind, document, strict=False) == []
    assert check(kind, document, strict=True) == [(place, message)]


def test_whole_floats_are_integers() -> None:
    document = changed(changed(RESULT_MANIFEST, "attempt", 1.0), "resources.tokens", 0.0)
    assert check(DocumentKind.RESULT_MANIFEST, document, strict=True) == []


@pytest.mark.parametrize("value", [None, True, 0, "cohort", [], [COHORT]])
def test_a_document_is_an_object(value: Any) -> None:
    (error,) = check(DocumentKind.COHORT, value, strict=False)
    assert error.path == ROOT
    assert error.message.endswith("is not of type object")


def test_the_list_ends_somewhere_and_says_so() -> None:
    metrics = {f"m{number}": "x" for number in range(5_000)}
    errors = check(DocumentKind.RESULT_MANIFEST, {**RESULT_MANIFEST, "metrics": metrics}, strict=False)
    assert len(errors) == limits.SCHEMA_ERRORS + 1
    assert errors[-1] == (ROOT, "there may be more than these 1000 offences; the search ended here")


def test_messages_and_places_are_short_and_show_what_is_there() -> None:
    names = {f"\u202e{'n' * 1000}{number}": "v" * 1000 for number in range(9)}
    document = {**RESULT_MANIFEST, **names, "metrics": names, "attempt": 10**4000}
    errors = check(DocumentKind.RESULT_MANIFEST, {**document, "status": 10**4000}, strict=True)
    assert len(errors) == 1 + 9 + 1
    for error in errors:
        assert len(error.path) < 100
        assert len(error.message) < 400
        assert error.path.isprintable()
        assert error.message.isprintable()


def test_many_values_of_many_types_are_compared_quickly() -> None:
    families = [item for number in range(50_000) for item in (number, str(number), [number], {"a": number})]
    errors = check(DocumentKind.COHORT, {**COHORT, "required_families": families}, strict=False)
    assert not any(error.message == "an array has equal items" for error in errors[:-1])
    assert len(errors) == limits.SCHEMA_ERRORS + 1


def test_equal_is_what_json_schema_calls_equal() -> None:
    unique = Decider({}, strict=False).test({"uniqueItems": True})
    for items in ([1, 1.0], [{"a": [1]}, {"a": [1.0]}], [None, None], ["a", "a"], [True, True], [[], []]):
        assert not unique(items)
    for items in ([1, True], [0, False], ["1", 1], [[1], [True]], [{"a": 1}, {"a": 1, "b": 1}], [[], {}], [None, False]):
        assert unique(items)


@pytest.mark.parametrize("schema", [{"oneOf": []}, {"minProperties": 1}, {"properties": {"a": {"dependentRequired": {}}}}])
def test_an_unknown_keyword_is_not_passed_over(schema: Any) -> None:
    with pytest.raises(RuntimeError, match="the keyword"):
        Decider(schema, strict=False).test(schema)


@pytest.mark.parametrize("schema", [{"const": 1}, {"enum": ["a", 1]}])
def test_constants_that_would_need_more_than_equality_are_refused(schema: Any) -> None:
    with pytest.raises(TypeError, match="teach keywords"):
        Decider(schema, strict=False).test(schema)
