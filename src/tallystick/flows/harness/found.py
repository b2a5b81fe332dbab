"""What `tally eval run` scores where nobody says: the newest finished runs of one agent, else telemetry in the state folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError, TallyError
from tallystick.flows.harness.folders import telemetry_folder
from tallystick.flows.harness.sources import read_run, telemetry_files
from tallystick.flows.harness.suites import KnownSuites
from tallystick.recording.runs import RunFolder, all_runs
from tallystick.records.base import digest_of
from tallystick.records.task import Tier

__all__ = ["find_sources"]


@dataclass(frozen=True, slots=True)
class _Run:
    tier: Tier
    folder: RunFolder
    agent: Digest


def find_sources(state: Path, tiers: Sequence[Tier], suites: KnownSuites) -> tuple[Path, ...]:
    """Folders of runs, at most one for each tier and all of the agent that ran last; where there is none, telemetry files.

    Raises:
        InputError: there is neither, with what to do.
    """
    runs = list(_finished(state, tiers, suites))
    if runs:
        last = max(runs, key=_age).agent
        of_agent = [run for run in runs if run.agent == last]
        newest = {run.tier: run.folder.path for run in sorted(of_agent, key=_age)}
        return tuple(newest[tier] for tier in tiers if tier in newest)
    told = telemetry_files(telemetry_folder(state))
    if told:
        return told
    names = ", ".join(tiers)
    option = f" --tier {tiers[0]}" if len(tiers) == 1 else ""
    raise InputError(
        f"nothing to score: no finished run of {names} in {state / 'runs'} and no telemetry in {telemetry_folder(state)}; "
        f"run an agent, as in: tally eval run{option} -- my-agent '{{instruction}}', or name bundle and telemetry files"
    )


def _age(run: _Run) -> tuple[int, int, str]:
    return run.folder.state.started_at, run.folder.state.ordinal, run.folder.path.name


def _finished(state: Path, tiers: Sequence[Tier], suites: KnownSuites) -> Iterator[_Run]:
    """Whole, finished runs of these tiers' suites."""
    wanted = {suite.suite_hash: (tier, suite) for tier in tiers if (suite := suites.tier(tier)) is not None}
    for run in all_runs(state):
        tier, suite = wanted.get(run.state.suite_hash, (None, None))
        if tier is None or suite is None or run.state.tasks != tuple(task.id for task in suite.tasks):
            continue
        with suppress(TallyError):  # one that is unfinished or damaged is none; named, it says why
            read_run(run)
            yield _Run(tier, run, digest_of(run.state.agent))
