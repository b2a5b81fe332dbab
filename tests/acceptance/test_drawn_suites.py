"""A drawn suite as a person uses it: draw, run, verify, and the lies about its points."""

import io
import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tallystick.attest.bundle import sign
from tallystick.core.exact import to_num
from tallystick.records.containers import BlobView, open_bundle, write_bundle
from tallystick.trust.signing import Signer
from tests.acceptance.support import environment, needs_bwrap, tally

pytestmark = needs_bwrap
PARTIAL = "no_discount"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the suite `fresh`, and the bundle of one of its partial solutions."""
    folder = tmp_path_factory.mktemp("drawn")
    env = environment(folder / "home")
    done = tally(["suite", "draw", "spec_over_test:2", "--seed", "s1", "--out", "fresh"], cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    args = ["run", "fresh", "--agent", f"partial:{PARTIAL}", "--out", "b.json", "--quiet"]
    done = tally(args, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return folder


def seen(folder: Path, *args: str) -> tuple[int, Any]:
    done = tally(["verify", *args, "--suite", "fresh", "--no-exec", "--json"], cwd=folder, env=environment(folder / "home"))
    return done.returncode, json.loads(done.stdout)


def test_partial_points_are_no_verdict(drawn: Path) -> None:
    with (drawn / "b.json").open("rb") as stream:
        bundle = open_bundle(stream).bundle
    assert [(result.passed, str(result.score)) for result in bundle.task_results] == [(False, "0.5")] * 2
    assert bundle.pass_rate == 0
    code, found = seen(drawn, "b.json")
    assert (code, found["status"]) == (0, "MATCH")
    shown = tally(["show", "b.json", "--suite", "fresh"], cwd=drawn, env=environment(drawn / "home"))
    assert "0.5 of its points" in " ".join(shown.stdout.split())


def test_points_that_nobody_earned_are_found(drawn: Path) -> None:
    data = (drawn / "b.json").read_bytes()
    file = open_bundle(io.BytesIO(data))
    results = list(file.bundle.task_results)
    results[1] = msgspec.structs.replace(results[1], score=to_num(Fraction(9, 10)))
    lie = sign(msgspec.structs.replace(file.bundle, task_results=tuple(results)), Signer.generate())
    texts = {digest: file.receipt_bytes(digest) for digest in file.receipts}
    (drawn / "lie.json").write_bytes(b"".join(write_bundle(lie, texts, BlobView(file.sizes, file)).chunks))
    code, found = seen(drawn, "lie.json")
    assert code == 1
    assert [row["status"] for row in found["rows"]] == ["MATCH", "FABRICATED_SCORE"]


def test_the_same_seed_draws_the_same_suite_and_another_one_another(drawn: Path) -> None:
    env = environment(drawn / "home")

    def hash_of(seed: str, out: str) -> str:
        done = tally(["suite", "draw", "spec_over_test:2", "--seed", seed, "--out", out, "--json"], cwd=drawn, env=env)
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout)["suite_hash"])

    assert hash_of("s1", "again") == hash_of("s1", "once-more") != hash_of("s2", "other")


def test_a_beacon_is_the_seed(drawn: Path) -> None:
    env = environment(drawn / "home")
    (drawn / "beacon.json").write_text('{"round": 1, "randomness": "00"}')
    done = tally(["suite", "draw", "spec_over_test", "--beacon", "beacon.json", "--out", "public"], cwd=drawn, env=env)
    assert done.returncode == 0, done.stderr
    origin = json.loads((drawn / "public" / "suite.json").read_text())["drawn_from"]
    assert origin["seed"] == origin["beacon"]
    assert origin["beacon"].startswith("sha256:")
    for args in (["--seed", "a", "--beacon", "beacon.json"], [], ["--beacon", "none.json"]):
        refused = tally(["suite", "draw", "spec_over_test", *args, "--out", "x"], cwd=drawn, env=env)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr


def test_a_suite_that_was_not_drawn_as_it_says_is_not_proven(drawn: Path) -> None:
    env = environment(drawn / "home")
    document = json.loads((drawn / "fresh" / "suite.json").read_text())
    document["drawn_from"]["seed"] = "s9"
    copy = shutil.copytree(drawn / "fresh", drawn / "lying")
    (copy / "suite.json").write_text(json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    done = tally(["suite", "check", "lying"], cwd=drawn, env=env)
    assert done.returncode == 1, done.stderr
    assert "its hash differs" in " ".join(done.stdout.split())
