"""The thirty-second proof: run, verify, and two lies refused by name. It needs no key and no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tallystick.attest.bundle import sign
from tallystick.core.errors import TallyError
from tallystick.flows.demo_replay import Machine, replay_one
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.flows.verify import VerifyRequest, verify_path
from tallystick.records.report import Report, Row, Status
from tallystick.runner.adapters import Adapter, CheatAdapter, OracleAdapter
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer

__all__ = ["DemoFailedError", "DemoStep", "demo"]

SUITE = "golden-v1"


class DemoFailedError(TallyError):
    """A step of the demonstration did not come out as it must: a bug, or a machine that cannot run sandboxes."""


@dataclass(frozen=True, slots=True)
class DemoStep:
    """What was done and what came of it."""

    title: str
    lines: tuple[str, ...]


def demo(
    folder: Path, machine: Machine, *, sandbox: SandboxName = "bwrap", workers: int = 2, listener: Callable[[DemoStep], None]
) -> None:
    """Run the demonstration in `folder`, telling `listener` step by step.

    Raises:
        DemoFailedError, DivergedDemoError: a step came out differently.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    stage = _Stage(folder, sandbox, workers, Signer.generate())
    honest, path = stage.attempt(OracleAdapter(), "oracle")
    listener(DemoStep("run golden-v1 with the reference solutions (a self-test)", _headline(honest, path)))
    cheat = _a_cheat()
    cheated, cheat_path = stage.attempt(CheatAdapter(cheat), f"cheat-{cheat}")
    listener(DemoStep(f"run it with a dishonest agent that plays the cheat {cheat!r}", _headline(cheated, cheat_path)))
    listener(DemoStep("verify the first file: hashes, arithmetic, graders run again", stage.verified(path)))
    listener(DemoStep("flip one byte of it", stage.refused(_flip_byte(path))))
    lie = stage.claim_all_passed(cheated, folder / "lie.json")
    listener(DemoStep("claim that the cheat passed, hash and sign it anew", stage.refused(lie)))
    listener(DemoStep("run a real agent program again on recorded answers", tuple(replay_one(machine))))


@dataclass(frozen=True, slots=True)
class _Stage:
    folder: Path
    sandbox: SandboxName
    workers: int
    signer: Signer

    def attempt(self, adapter: Adapter, name: str) -> tuple[RunDone, Path]:
        request = RunRequest(
            suite=load_suite(SUITE),
            adapter=adapter,
            state=self.folder / ".tally",
            workers=self.workers,
            sandbox=self.sandbox,
            fresh=True,
        )
        done = run(request)
        _, path = publish(done, self.signer, self.folder / f"{name}.json")
        return done, path

    def report(self, path: Path) -> Report:
        return verify_path(VerifyRequest(path, sandbox=self.sandbox, workers=self.workers))

    def verified(self, path: Path) -> tuple[str, ...]:
        report = self.report(path)
        if report.status is not Status.MATCH:
            raise DemoFailedError(f"an honest bundle came out as {report.status.value}: {'; '.join(report.reasons)}")
        return (f"{report.status.value}, level {report.level}: {report.passed} of {report.attempts} derived again",)

    def refused(self, path: Path) -> tuple[str, ...]:
        report = self.report(path)
        if report.status is Status.MATCH:
            raise DemoFailedError(f"the forged bundle {path} came out as MATCH")
        bad = [row for row in report.rows if row.status is not Status.MATCH]
        return (f"{report.status.value}", *(_row_line(row) for row in bad[:2]), *report.reasons[: 0 if bad else 2])

    def claim_all_passed(self, done: RunDone, path: Path) -> Path:
        """A bundle in which a submitter with a valid key turned every verdict and every number into a success."""
        if done.bundle is None:
            raise DemoFailedError("the run was stopped")
        bundle = done.bundle
        results = tuple(
            msgspec.structs.replace(
                result,
                passed=True,
                score=1,
                harness_output=msgspec.structs.replace(result.harness_output, outcome="passed", failed=()),
            )
            for result in bundle.task_results
        )
        totals = msgspec.structs.replace(bundle.totals, passed=bundle.totals.attempts, failed=0)
        lie = msgspec.structs.replace(bundle, task_results=results, totals=totals, pass_rate=1, overall_score=1)
        forged = RunDone(done.folder, done.executed, done.inputs, sign(lie, self.signer), done.partial)
        return publish(forged, None, path)[1]


def _a_cheat() -> str:
    return load_suite(SUITE).cheats[0].name


def _headline(done: RunDone, path: Path) -> tuple[str, ...]:
    if done.bundle is None:
        raise DemoFailedError("the run was stopped")
    totals = done.bundle.totals
    return (f"passed {totals.passed}/{totals.attempts}", f"sealed and signed: {path.name}, {path.stat().st_size:,} bytes")


def _row_line(row: Row) -> str:
    return f"{row.task_id}: {row.status.value}" + (f" ({row.reason})" if row.reason else "")


def _flip_byte(path: Path) -> Path:
    """A copy in which one hex digit of the journal head of one receipt is another."""
    data = bytearray(path.read_bytes())
    mark = b'"journal_head":"sha256:'
    at = data.index(mark) + len(mark)
    data[at] = ord("0") if data[at] != ord("0") else ord("1")
    flipped = path.with_name("flipped.json")
    flipped.write_bytes(data)
    return flipped
