"""`tally run --shard` and `tally merge`: what is said, what is refused, what a part of a run is to other commands."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Tally

MOCK = ("run", "golden-v1", "--agent", "mock", "-k", "2")


@pytest.fixture
def shards(tally: Tally, tmp_path: Path) -> list[str]:
    """The files of a run in three parts."""
    for index in (1, 2, 3):
        assert tally(*MOCK, "--shard", f"{index}/3", "-q").code == 0
    return sorted(path.name for path in tmp_path.glob("*.shard"))


def test_from_parts_to_a_bundle(shards: list[str], tally: Tally) -> None:
    assert shards == [f"golden-v1-mock.{index}-of-3.shard" for index in (1, 2, 3)]
    said = tally("merge", *shards)
    assert said.code == 0, said
    assert "passed 10/10" in said.out
    assert "made a signing key" in said.err
    assert "next: tally verify golden-v1-mock.json" in said.out
    assert tally("verify", "--no-exec", "golden-v1-mock.json").code == 0


def test_the_first_part_says_how_to_go_on(tally: Tally) -> None:
    said = tally(*MOCK, "--shard", "1/3")
    assert "shard 1/3: 4 attempts, no score" in said.out
    assert "tally merge golden-v1-mock.*-of-3.shard" in said.out
    assert "made a signing key" not in said.err
    assert "of these shard 1/3: 4 attempts" in " ".join(said.err.split())
    assert max(map(len, (said.out + said.err).splitlines())) <= 80


def test_for_machines(tally: Tally) -> None:
    made = [json.loads(tally(*MOCK, "--shard", f"{index}/2", "--json").out) for index in (1, 2)]
    assert [(each["index"], each["of"], each["attempts"]) for each in made] == [(1, 2, 5), (2, 2, 5)]
    done = json.loads(tally("merge", "--json", "--no-sign", "--out", "b", *(each["shard"] for each in made)).out)
    assert (done["bundle"], done["attempts"], done["partial"], done["signed"]) == ("b.json", 10, False, False)
    assert (
        tally("merge", "-q", "--no-sign", "--container", "tally", *(each["shard"] for each in made)).out
        == "golden-v1-mock.tally\n"
    )


def test_a_part_is_no_bundle(shards: list[str], tally: Tally) -> None:
    said = tally("verify", shards[1])
    assert said.code == 1
    assert "overall     : PARTIAL" in said.out
    assert json.loads(tally("verify", "--json", shards[1]).out)["status"] == "PARTIAL"
    said = tally("show", shards[1])
    assert (said.code, said.out) == (2, "")
    assert "this is a shard, one part of a run; tally merge makes a bundle of all parts" in said.err


def test_a_damaged_part_is_named(shards: list[str], tally: Tally, tmp_path: Path) -> None:
    path = tmp_path / shards[0]
    data = bytearray(path.read_bytes())
    data[data.rindex(b"receipts/sha256/") + 600] ^= 1
    path.write_bytes(data)
    for words in (("verify", shards[0]), ("merge", *shards)):
        said = tally(*words)
        assert said.code == 2
        assert said.err.startswith(f"tally: {shards[0]}: ")


def test_what_is_refused_leaves_nothing_behind(shards: list[str], tally: Tally, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for words, line in (
        (shards[:2], "without shard 3/3"),
        ([*shards, shards[0]], "is in both"),
        ([*shards, "--out", shards[0]], "is one of the shards"),
        ([*shards, "--out", "."], "is a folder"),
        ([*shards, "--key", "nobody"], "nobody"),
        (["nothing.shard"], "does not exist"),
    ):
        said = tally("merge", *words)
        assert (said.code, said.out) == (2, ""), said
        assert said.err.count("\n") == 1
        assert line in said.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1", "1/", "/3", "a/b", "1/20000", "1/3/4", "-1/3", "01/3", "\u0663/4", "1/3\n"]
)
def test_what_is_no_part(text: str, tally: Tally) -> None:
    said = tally(*MOCK, f"--shard={text}")
    assert said.code == 2
    assert "give I/N with I from 1 to N" in said.err


def test_what_does_not_go_with_a_part(tally: Tally) -> None:
    assert "--task and --limit" in tally(*MOCK, "--shard", "1/2", "--limit", "2").err
    assert "give it to tally merge" in tally(*MOCK, "--shard", "1/2", "--container", "json").err
    assert "10 attempts make 10 shards at most" in tally(*MOCK, "--shard", "1/11").err


def test_a_dry_run_of_a_part(tally: Tally) -> None:
    said = tally(*MOCK, "--shard", "3/3", "--dry-run")
    assert "shard       3 of 3: 3 attempts" in said.out
    assert "at most 3 USD" in said.out
    assert "golden-v1-mock.3-of-3.shard, a shard for tally merge" in said.out
