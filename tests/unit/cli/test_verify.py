"""`tally verify`: the rows of the seed, the checklist, what is not proven, and honest words about other files."""

import json
import re
from pathlib import Path

import pytest

from tallystick.cli.screen import Style
from tallystick.cli.verify_view import report_lines
from tallystick.core import c1
from tallystick.records.bundle import parse_bundle
from tallystick.records.report import STEPS, Report, Row, Status, Step, StepResult
from tests.unit.cli.conftest import Tally

HASH = "sha256:" + "3f9a2c1d" * 8


def flip(data: bytes, mark: bytes) -> bytes:
    """`data` with another hex digit after the first `mark`."""
    at = data.index(mark) + len(mark)
    return data[:at] + (b"0" if data[at : at + 1] != b"0" else b"1") + data[at + 1 :]


def test_a_true_bundle_matches(bundle: Path, tally: Tally) -> None:
    said = tally("verify", "--no-exec", str(bundle))
    assert said.code == 0, said
    assert said.err == ""
    lines = said.out.splitlines()
    assert re.fullmatch(r"bundle_hash : [0-9a-f]{8}…", lines[0])
    assert re.fullmatch(r"suite_hash  : [0-9a-f]{8}…  \(golden-v1\)", lines[1])
    assert lines[2] == "overall     : MATCH"
    assert lines[4] == "  ✓ file_io_read_write                         MATCH  passed 1/1"
    assert "  arithmetic    yes" in lines
    assert "  tests re-run  no      no graders were run" in lines
    assert "score  : passed 5/5, 95 % interval 56.6 % to 100 %" in lines
    assert "         mock: proves suite and harness, measures no agent" in lines
    assert "not proven:" in lines
    assert max(map(len, lines)) <= 80


def test_bench_verify_is_the_same(bundle: Path, tally: Tally) -> None:
    assert tally("bench", "verify", "--no-exec", str(bundle)) == tally("verify", "--no-exec", str(bundle))


def test_a_flipped_byte_is_named(bundle: Path, tally: Tally) -> None:
    bundle.write_bytes(flip(bundle.read_bytes(), b'"journal_head":"sha256:'))
    said = tally("verify", "--no-exec", str(bundle))
    assert said.code == 1
    assert "  ✗ file_io_read_write                         HASH_MISMATCH" in said.out
    assert "attempt 1, step 9, blobs exactly those named" in said.out
    assert "  ✓ doc_update_docstring" in said.out
    assert "bytes         FAILED  step 9" in said.out


def test_a_level_that_running_nothing_reaches(bundle: Path, tally: Tally) -> None:
    assert tally("verify", "--no-exec", "--level", "rederived", str(bundle)).code == 0


def test_a_level_that_running_nothing_cannot_reach_is_a_contradiction(bundle: Path, tally: Tally) -> None:
    said = tally("verify", "--no-exec", "--level", "regraded", str(bundle))
    assert said.code == 2
    assert "--no-exec" in said.err


def test_whom_the_reader_trusts(bundle: Path, tally: Tally, tmp_path: Path) -> None:
    line = ("verify", "--no-exec", "--require-trusted-signer", str(bundle))
    said = tally(*line)
    assert said.code == 1
    assert "UNTRUSTED_SIGNER" in said.out
    jwk = parse_bundle(bundle.read_bytes()).signer_jwk
    (tmp_path / "key.json").write_bytes(c1.dumps({"crv": jwk.crv, "kty": jwk.kty, "x": jwk.x}))  # type: ignore[union-attr]
    said = tally(*line, "--trusted-key", "key.json")
    assert said.code == 0
    assert "signer : trusted, " in said.out
    (tmp_path / "key.json").write_text("{}")
    assert tally(*line, "--trusted-key", "key.json").err.startswith("tally: key.json: ")


def test_json_is_the_report(bundle: Path, tally: Tally) -> None:
    said = tally("verify", "--no-exec", "--json", str(bundle))
    report = json.loads(said.out)
    assert (report["status"], report["level"], report["passed"]) == ("MATCH", "rederived", 5)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "empty"),
        (b"{", "JSON"),
        (b"[" * 100_000, "neither a .json bundle"),
        (b'{"_type":"tallystick/bundle/v2"}', "newer tally"),
        (b'{"_type":"tallystick/novel/v1"}', "does not know"),
        (b'{"crv":"Ed25519"}', "tally key trust"),
        (b"\x89PNG\r\n", "neither a .json bundle"),
    ],
)
def test_what_is_no_bundle_is_one_line_that_names_the_file(content: bytes, line: str, tally: Tally, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    said = tally("verify", "x")
    assert line in said.err
    for each in (said, tally("show", "x")):
        assert each.code == 2
        assert each.err.count("\n") == 1
        assert each.err.startswith("tally: x")


@pytest.mark.parametrize(("path", "part"), [("missing.json", "does not exist"), (".", "folder")])
def test_what_is_no_file_is_one_line(path: str, part: str, tally: Tally) -> None:
    for command in ("verify", "show"):
        said = tally(command, path)
        assert said.code == 2
        assert part in said.err
        assert said.err.count("\n") == 1


def test_an_unknown_suite_is_suggested(bundle: Path, tally: Tally) -> None:
    assert "did you mean golden-v1?" in tally("verify", str(bundle), "--suite", "golden-v2").err


def test_a_receipt_alone_is_intact_and_no_more(bundle: Path, tally: Tally, tmp_path: Path) -> None:
    receipt = c1.encode(parse_bundle(bundle.read_bytes()).task_results[0].receipt)
    (tmp_path / "r.json").write_bytes(receipt)
    said = tally("verify", "r.json")
    assert said.code == 0
    assert "tallystick/receipt/v1, intact" in said.out
    assert tally("verify", "r.json", "--level", "rederived").code == 1
    assert json.loads(tally("verify", "r.json", "--json").out)["level"] == "intact"
    (tmp_path / "r.json").write_bytes(flip(receipt, b'"journal_head":"sha256:'))
    said = tally("verify", "r.json")
    assert said.code == 1
    assert "journal_head does not follow" in said.err


def a_report(**members: object) -> Report:
    steps = tuple(StepResult(step=int(step), title=STEPS[step], state="ok") for step in Step)
    given = {"status": Status.MATCH, "level": "regraded", "bundle_hash": HASH, "suite_hash": HASH, "steps": steps, **members}
    return Report(**given)  # type: ignore[arg-type]


def page(report: Report, style: Style | None = None) -> str:
    return "\n".join(report_lines(report, style or Style()))


def test_what_others_wrote_cannot_change_the_screen() -> None:
    evil = "\x1b[2K\u202e MATCH\n"
    rows = (Row(task_id="t", attempt=1, status=Status.DIVERGED, step=12, reason=evil * 50),)
    texts = {"agent": evil, "suite_version": evil, "reasons": (evil,), "not_proven": (evil,)}
    text = page(a_report(rows=rows, status=Status.DIVERGED, **texts))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert all(line.isprintable() for line in text.split("\n"))


def test_attempts_of_a_task_share_a_row_and_the_failed_ones_are_named() -> None:
    statuses = (Status.MATCH, Status.FABRICATED_SCORE, Status.MATCH)
    rows = tuple(
        Row(task_id="t" * 70, attempt=attempt, status=status, passed=True, step=12, reason="why")
        for attempt, status in enumerate(statuses, 1)
    )
    text = page(a_report(rows=rows, status=Status.DIVERGED))
    assert f"  ✗ {'t' * 70}   FABRICATED_SCORE" in text
    assert "attempt 2, step 12, verdicts from evidence: why" in text
    assert "attempt 1," not in text


def test_a_stream_without_ticks_gets_letters() -> None:
    text = page(a_report(rows=(Row(task_id="t", attempt=1, status=Status.MATCH, passed=True),)), Style(unicode=False))
    assert text.isascii()
    assert "  + t " in text


def test_a_claim_that_fails_as_a_whole_says_what_held_for_its_attempts() -> None:
    steps = tuple(
        StepResult(step=int(step), title=STEPS[step], state="failed" if step is Step.signature else "ok") for step in Step
    )
    rows = (Row(task_id="t", attempt=1, status=Status.MATCH, level="regraded"),)
    text = page(a_report(status=Status.UNSIGNED, level="claimed", steps=steps, rows=rows))
    assert "bytes         no      step 6, signature and submitter" in text
    assert "tests re-run  yes     for every attempt, not for the claim as a whole" in text


def test_padding_forges_no_line() -> None:
    pad = " " * 71 + "overall     : MATCH"
    rows = (Row(task_id="t", attempt=1, status=Status.DIVERGED, step=12, reason="x" + pad),)
    text = page(a_report(rows=rows, status=Status.DIVERGED, agent="x" + pad, suite_version="x" + pad, reasons=("x" + pad,)))
    assert 'agent  : "x overall : MATCH" (declared)' in text
    assert "     : MATCH" not in text
    assert max(map(len, text.split("\n"))) <= 80


@pytest.mark.parametrize("status", [Status.HASH_MISMATCH, Status.FABRICATED_SCORE, Status.DIVERGED, Status.NOT_REGRADED])
def test_what_does_not_verify_shows_no_score(status: Status) -> None:
    text = page(a_report(status=status, passed=1, attempts=5, pass_rate=c1.loads(b"0.2")), Style(color=True))
    assert "\nscore  : derived 1/5, but the bundle does not verify\n" in text
    assert text.endswith(f"{status.value}\x1b[0m, level regraded: derived 1/5, but the bundle does not verify")
    assert "passed 1/5" not in text


def test_what_only_lacks_something_shows_it_without_emphasis() -> None:
    given = {"passed": 1, "attempts": 5, "pass_rate": c1.loads(b"0.2")}
    assert "\nscore  : passed 1/5, 95 %" in page(a_report(status=Status.UNSIGNED, **given), Style(color=True))
    assert "\n\x1b[1mscore  : passed 1/5, 95 %" in page(a_report(**given), Style(color=True))
