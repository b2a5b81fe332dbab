"""`tally export`: to a file or to standard output, and in one line what is wrong."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Tally


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("csv", "bundle_hash,suite,"),
        ("ndjson", '{"adapter":"mock",'),
        ("junit", "<?xml "),
        ("markdown", "`golden-v1`, agent `mock`: "),
    ],
)
def test_every_form_to_standard_output_and_to_a_file(form: str, start: str, bundle: Path, tally: Tally, tmp_path: Path) -> None:
    said = tally("export", form, str(bundle))
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(start)
    written = tally("export", form, str(bundle), "--out", "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == said.out
    assert written.out == f"wrote out ({len(said.out.encode())} bytes)\n"


def test_a_line_for_each_attempt(bundle: Path, tally: Tally) -> None:
    rows = [json.loads(line) for line in tally("export", "ndjson", str(bundle)).out.splitlines()]
    assert [row["passed"] for row in rows] == [True] * 5


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("xml", "b.json"), "FORMAT"),
        (("csv", "none.json"), "none.json does not exist"),
        (("csv", "b.json", "--out", "b.json"), "is what is read"),
    ],
)
def test_mistakes_are_one_line(args: tuple[str, ...], says: str, bundle: Path, tally: Tally) -> None:
    before = bundle.read_bytes()
    said = tally("export", *args)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert says in said.err
    assert bundle.read_bytes() == before
