"""Exports: every format holds the same rows, and nothing of others is more than text in any of them."""

import csv
import io
import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.errors import InputError
from tallystick.flows import frames
from tallystick.flows.api import SubmissionBundle
from tallystick.flows.export import COLUMNS, FORMATS, Format, _ndjson, code, export, one_line, rows
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle
from tallystick.records.journal import AttemptEnd
from tallystick.scoring.interval import wilson
from tests.repo.docs import codes, sections
from tests.repo.project import ROOT
from tests.support.hostile import NAME, hostile_run, write_bundle_of
from tests.support.synthetic import file_bytes, honest_run, seal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A hostile bundle of which an attempt each failed, ended without a grade, and had nothing observed."""
    run = hostile_run(2)
    run.part("fix_bug", 2).ending = AttemptEnd(seq=0, outcome="infra_error", cause="grader_failed")
    run.part("write_file", 2).observed = UNSET
    write_bundle_of(run, tmp_path / "b.json")
    return tmp_path / "b.json"


def bundle_of(file: Path) -> Bundle:
    return SubmissionBundle(file.read_bytes()).document


def exported(file: Path, form: Format) -> str:
    return b"".join(export(file, form)).decode()


def csv_rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(exported(file, "csv"))))


def json_rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line, parse_float=Decimal) for line in exported(file, "ndjson").splitlines()]


def test_both_tables_hold_every_attempt_with_every_column(file: Path) -> None:
    wanted = [{name: getattr(row, name) for name in COLUMNS} for row in rows(bundle_of(file))]
    assert len(wanted) == 6
    assert [{name: tuple(v) if isinstance(v, list) else v for name, v in row.items()} for row in json_rows(file)] == wanted
    for found, row in zip(csv_rows(file), wanted, strict=True):
        assert tuple(found) == COLUMNS
        for name in ("task_id", "attempt", "passed", "score", "outcome", "wall_ms", "cost_usd", "receipt_hash"):
            value = row[name]
            assert found[name] == ("" if value is None else str(value).lower() if isinstance(value, bool) else str(value))
    assert csv_rows(file)[2]["failed"] == "syntax shorter runs"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_prints_as_it_stands(file: Path, form: Format) -> None:
    text = exported(file, form)
    assert not {char for char in text if not char.isprintable()} - {"\n"}


def test_no_cell_is_a_formula(file: Path) -> None:
    assert csv_rows(file)[0]["agent"].startswith(f"'={NAME}\\u202e")
    for row in csv.reader(io.StringIO(exported(file, "csv"))):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_json_gives_back_the_text_itself(file: Path) -> None:
    assert {row["agent"] for row in json_rows(file)} == {bundle_of(file).agent.name}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=100))
def test_any_name_survives_as_json(name: str) -> None:
    document = bundle_with_name(name)
    line = "".join(_ndjson(document))
    assert json.loads(line.splitlines()[0])["agent"] == name
    assert all(char.isprintable() or char == "\n" for char in line)


def bundle_with_name(name: str) -> Bundle:
    return msgspec.structs.replace(BASE, agent=msgspec.structs.replace(BASE.agent, name=name))


BASE = seal(honest_run()).bundle

# --- junit ---

ATTRIBUTES = {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"}


def test_junit_keeps_the_strictest_schema(file: Path) -> None:
    """What Windy Road's schema of Ant's reports demands: order and occurrence of elements, attributes, and their types."""
    root = ET.fromstring(exported(file, "junit"))
    assert root.tag == "testsuites"
    (suite,) = root
    assert set(suite.attrib) == ATTRIBUTES
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
    cases = suite.findall("testcase")
    assert [each.tag for each in suite] == ["properties", *["testcase"] * len(cases), "system-out", "system-err"]
    assert suite.attrib["tests"] == str(len(cases))
    for tag, name in (("failure", "failures"), ("error", "errors")):
        assert suite.attrib[name] == str(len(suite.findall(f"testcase/{tag}")))
    for each in [suite, *cases]:
        assert re.fullmatch(r"\d+(\.\d+)?", each.attrib["time"])
    for case in cases:
        assert set(case.attrib) == {"name", "classname", "time"}
        assert [child.tag for child in case] in ([], ["failure"], ["error"])
        assert all(set(child.attrib) == {"message", "type"} for child in case)
    for each in suite.findall("properties/property"):
        assert set(each.attrib) == {"name", "value"}


def test_junit_names_what_failed(file: Path) -> None:
    failures = ET.fromstring(exported(file, "junit")).findall(".//failure")
    assert failures[0].attrib == {"message": "does not hold: syntax, shorter, runs", "type": "failed"}
    assert failures[0].text == "syntax: fail\nshorter: does not hold\nruns: fail, exit 1"
    errors = ET.fromstring(exported(file, "junit")).findall(".//error")
    assert [each.attrib for each in errors] == [{"message": "grader_failed", "type": "infra_error"}]


def test_junit_names_the_failed_tests_of_a_grader(tmp_path: Path) -> None:
    write_bundle_of(honest_run(failing=("fix_bug",)), tmp_path / "b.json")
    failure = ET.fromstring(exported(tmp_path / "b.json", "junit")).find(".//failure")
    assert failure is not None
    assert failure.text == "two: does not hold\nbehaviour: fail, returns_two fail, is_function fail"


# --- markdown ---


def test_a_table_for_a_comment(file: Path) -> None:
    lines = exported(file, "markdown").splitlines()
    assert "**3/6** attempts passed" in lines[0]
    assert lines[2:] == [
        "| | task | passed | what did not hold |",
        "|---|---|---|---|",
        "| ✅ | `write_file` | 2/2 |  |",
        "| ❌ | `shorten` | 0/2 | `syntax`, `shorter`, `runs` |",
        "| 🟡 | `fix_bug` | 1/2 | `grader_failed` |",
        "",
        f"As the submitter states it. Bundle `{bundle_of(file).bundle_hash}`; `tally verify` derives the numbers again.",
    ]


@given(st.text(max_size=60))
def test_a_code_span_cannot_be_left(text: str) -> None:
    span = code(text)
    assert span == "" or (span[0] == span[-1] == "`" and "`" not in span[1:-1])
    assert "|" not in span
    assert "\n" not in one_line(text)


# --- frames and docs ---


def test_frames_of_polars_and_pandas(file: Path) -> None:
    bundle = SubmissionBundle(file.read_bytes())
    frame = bundle.to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert tuple(frame.columns) == COLUMNS
    assert frame["failed"].to_list()[2] == ["syntax", "shorter", "runs"]
    assert frame["wall_ms"].to_list().count(None) == 1
    same = bundle.to_frame("pandas")
    assert isinstance(same, pd.DataFrame)
    assert tuple(same.columns) == COLUMNS
    assert int(same["passed"].sum()) == frame["passed"].sum() == 3
    assert same["wall_ms"].isna().sum() == 1


def test_without_a_library_the_error_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(frames, "import_module", missing)
    with pytest.raises(InputError, match="a frame needs polars or pandas; install it: pip install polars"):
        SubmissionBundle(file.read_bytes()).to_frame()
    with pytest.raises(InputError, match="a frame needs pandas"):
        SubmissionBundle(file.read_bytes()).to_frame("pandas")


def test_the_example_prints_the_headline(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_bytes(file_bytes(seal(honest_run(3, failing=("shorten",)))))
    interval = wilson(6, 9)
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "headline_polars.py"],
        input=exported(tmp_path / "b.json", "ndjson"),
        capture_output=True,
        text=True,
        check=True,
    )
    head, *tasks = done.stdout.splitlines()
    assert head == f"passed 6/9, 95 % interval {float(interval.low):.1%} to {float(interval.high):.1%}"
    assert [line.split() for line in tasks] == [["write_file", "3/3"], ["shorten", "0/3"], ["fix_bug", "3/3"]]
    source = (ROOT / "examples" / "headline_polars.py").read_text(encoding="utf-8")
    assert len([line for line in source.split('"""')[2].splitlines() if line and not line.startswith("import ")]) <= 10


def test_the_docs_name_every_column_in_its_order() -> None:
    tables = [table for section in sections(ROOT / "docs" / "viewing.md") for table in section.tables]
    columns = next(table for table in tables if table.head[0] == "column")
    assert [codes(row[0])[0] for row in columns.rows] == list(COLUMNS)
    formats = next(table for table in tables if table.head[0] == "format")
    assert [codes(row[0])[0] for row in formats.rows] == list(FORMATS)
