"""docs/spec/schema is what scripts/schema.py makes of the records, and it describes what the readers read."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from scripts.schema import FOLDER, documents, main, schema_text, telemetry_text, texts
from tallystick.core import c1
from tallystick.records.base import Record
from tallystick.records.telemetry import TelemetryFormatError, parse_telemetry
from tests.unit.records.samples import DOCUMENTS


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_files_have_not_drifted() -> None:
    found = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in files_below(FOLDER)}
    assert found == texts(), "run `make schema`"


def test_writing_twice_gives_the_same_bytes_and_removes_what_is_stale(tmp_path: Path) -> None:
    (tmp_path / "cohort").mkdir()
    (tmp_path / "gone.v1.json").write_text("{}")
    (tmp_path / "cohort" / "gone.v0.json").write_text("{}")
    main(tmp_path)
    first = {path: path.read_bytes() for path in files_below(tmp_path)}
    main(tmp_path)
    assert {path: path.read_bytes() for path in files_below(tmp_path)} == first
    assert {path.relative_to(tmp_path).as_posix() for path in first} == set(texts())


def test_every_document_has_a_sample() -> None:
    assert {type(sample) for sample in DOCUMENTS.values()} == set(documents())


@pytest.mark.parametrize("sample", DOCUMENTS.values(), ids=DOCUMENTS)
def test_samples_are_valid_and_lose_validity_with_any_required_member(sample: Record) -> None:
    schema = json.loads(schema_text(type(sample)))
    checker = jsonschema.Draft202012Validator(schema)
    tree: Any = json.loads(c1.encode(sample))
    checker.validate(tree)
    for name in schema["$defs"][type(sample).__name__]["required"]:
        assert not checker.is_valid({key: value for key, value in tree.items() if key != name})
    assert not checker.is_valid({**tree, "unknown": 1})


@pytest.mark.parametrize(
    ("data", "valid"),
    [
        (b'{"task_id":"a"}', True),
        (b'[{"task_id":"a","cost_usd":1.5e-3,"duration_s":2}]', True),
        (b'{"task_id":"a","cost_usd":-1}', False),
        (b'{"task_id":"a","turns_used":1.5}', False),
        (b'{"task_id":"a","files_read":"x"}', False),
        (b'{"task_id":"a","cost":1}', False),
        (b"[]", False),
        (b"{}", False),
    ],
)
def test_the_schema_of_telemetry_says_what_its_reader_does(data: bytes, *, valid: bool) -> None:
    assert jsonschema.Draft202012Validator(json.loads(telemetry_text())).is_valid(json.loads(data)) is valid
    if valid:
        assert parse_telemetry(data)
    else:
        with pytest.raises(TelemetryFormatError):
            parse_telemetry(data)
