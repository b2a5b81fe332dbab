"""Lies with deposits: whoever is to open an escrow gets another key, or another escrow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.core import pyjson
from tallystick.flows.cohort.hidden import OtherOpeningError, commit, reveal, seal, unsealed
from tallystick.suites.cohorts.samples import sample
from tallystick.trust.sealing import EscrowError
from tests.support.cohort_hidden import hidden_sample
from tests.support.cohort_lives import frozen


def test_an_escrow_with_the_key_of_another(tmp_path: Path) -> None:
    (tmp_path / "opening.json").write_bytes(hidden_sample()[1].to_bytes())
    for name in ("mine", "theirs"):
        seal(tmp_path / "opening.json", tmp_path / name, tmp_path / f"{name}.key")
    with pytest.raises(EscrowError, match="does not open"):
        unsealed(tmp_path / "mine", tmp_path / "theirs.key")


def test_an_escrow_of_another_plan(tmp_path: Path) -> None:
    source, opening = hidden_sample()
    life = frozen(tmp_path / "root", source=source)
    (tmp_path / "plan.json").write_bytes(pyjson.canonical(sample().plan(1)))
    commit(tmp_path / "plan.json", tmp_path / "other.json")
    seal(tmp_path / "other.json", tmp_path / "escrow", tmp_path / "key")
    with pytest.raises(OtherOpeningError, match=opening.commitment):
        reveal(life.where, source.task()["id"], unsealed(tmp_path / "escrow", tmp_path / "key"), life.author)
    assert life.codes() == []
