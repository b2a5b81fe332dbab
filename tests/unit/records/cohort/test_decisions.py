"""Our check decides as `jsonschema` does, on our schemas and on the original ones, for thousands of changed documents.

Times are enforced and URIs are not, as where the original ran.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from tallystick.core import limits, pyjson
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.deciding import Decider
from tallystick.records.cohort.listing import Errors, Lister
from tallystick.records.cohort.schemas import SCHEMAS, DocumentKind
from tests.unit.records.cohort import real
from tests.unit.records.cohort.mutations import mutants, neighbours
from tests.unit.records.cohort.samples import DOCUMENTS

FORMATS = jsonschema.FormatChecker(formats=("date-time",))


@cache
def oracle(kind: DocumentKind, *, original: bool) -> Any:
    schema = real.original_schema(kind) if original else SCHEMAS[kind]
    return jsonschema.Draft202012Validator(schema, format_checker=FORMATS)


def places(found: Iterator[Any]) -> list[str]:
    return sorted(".".join(map(str, error.absolute_path)) or "<root>" for error in found)


def compare(kind: DocumentKind, value: Any, *, original: bool) -> tuple[bool, bool]:
    """Whether it is valid, and strictly valid, after comparing decision and places with the library's."""
    ours = check(kind, value, strict=False)
    assert sorted(error.path for error in ours) == places(oracle(kind, original=original).iter_errors(value)), ours
    strict = check(kind, value, strict=True)
    assert {error.path for error in ours} <= {error.path for error in strict}
    return not ours, not strict


@pytest.mark.parametrize("kind", DocumentKind)
def test_changed_samples_against_our_schemas(kind: DocumentKind) -> None:
    seen = [compare(kind, value, original=False) for value in mutants(DOCUMENTS[kind], kind, 200)]
    assert {valid for valid, _ in seen} == {True, False}


@real.needed
@pytest.mark.parametrize("path", real.FILES)
def test_changed_real_files_against_the_original_schemas(path: str) -> None:
    kind, value = real.FILES[path], real.load(path)
    assert compare(kind, value, original=True) == (True, True)
    seen = [compare(kind, changed, original=True) for changed in mutants(value, path, 75)]
    assert {valid for valid, _ in seen} == {True, False}


@real.needed
@pytest.mark.parametrize("kind", real.SCHEMA_FILES)
def test_changed_samples_against_the_original_schemas(kind: DocumentKind) -> None:
    assert compare(kind, DOCUMENTS[kind], original=True) == (True, True)
    for changed in mutants(DOCUMENTS[kind], f"original {kind}", 200):
        compare(kind, changed, original=True)


@real.needed
@pytest.mark.parametrize("kind", real.SCHEMA_FILES)
def test_every_place_of_a_sample_against_the_original_schemas(kind: DocumentKind) -> None:
    for changed in neighbours(DOCUMENTS[kind]):
        compare(kind, changed, original=True)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("kind", DocumentKind)
def test_deciding_and_listing_agree(kind: DocumentKind, *, strict: bool) -> None:
    schema = SCHEMAS[kind]
    decide, report = Decider(schema, strict=strict).test(schema), Lister(schema, strict=strict).rule(schema)
    for value in mutants(DOCUMENTS[kind], f"agree {kind}", 500):
        errors = Errors(limits.SCHEMA_ERRORS)
        report(value, (), errors)
        assert decide(value) is (not errors.found)


@pytest.mark.parametrize("kind", DocumentKind)
def test_what_is_written_is_read_again_as_the_same(kind: DocumentKind) -> None:
    for value in mutants(DOCUMENTS[kind], f"written {kind}", 100):
        try:
            data = pyjson.canonical(value)
        except pyjson.PyJsonError:
            data = pyjson.pretty(value).encode()  # a lone surrogate: escaped, it can be read
        again = pyjson.read(data, strict=False)
        assert pyjson.pretty(again) == pyjson.pretty(value)
