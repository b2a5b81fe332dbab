"""The act behind `tally eval run`: run the agent where one is named, score, compare, save, say what came of it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tallystick.cli.eval_view import compare_lines, report_json, report_lines
from tallystick.cli.screen import Screen
from tallystick.cli.words import plural, resumed_lines
from tallystick.core.errors import InputError
from tallystick.flows.evaluate import EvalRequest, evaluate_sources
from tallystick.flows.harness.document import DEFAULT_TIERS
from tallystick.flows.harness.folders import evaluations_folder, own_tasks_folder
from tallystick.flows.harness.found import find_sources
from tallystick.flows.harness.saved import Saved, newest, save
from tallystick.flows.harness.suites import KnownSuites
from tallystick.records.task import TIERS, Tier

if TYPE_CHECKING:
    from tallystick.cli.run import RunOptions
    from tallystick.suites.loaded import LoadedSuite

__all__ = ["EvalOptions", "perform"]

EXIT_REFUSED: Final = 2


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """A command line of `tally eval run`, read. `run` says how an agent is run, where one is named."""

    sources: tuple[Path, ...]
    tiers: tuple[Tier, ...]
    compare: bool
    save: bool
    execute: bool
    suite: LoadedSuite | None
    run: RunOptions
    json: bool

    @property
    def chosen(self) -> tuple[Tier, ...]:
        """The tiers to score, in their order."""
        return tuple(tier for tier in TIERS if tier in (self.tiers or DEFAULT_TIERS))

    @property
    def folder(self) -> Path:
        """Where evaluations are kept."""
        return evaluations_folder(self.run.state)


def perform(options: EvalOptions, screen: Screen) -> int:
    """Score what `options` ask for; returns the exit code.

    Raises:
        InputError: nothing to score, or what was asked does not go together.
        NotVerifiedError: a bundle that does not verify.
    """
    suites = KnownSuites(own_tasks_folder(options.run.state), options.suite)
    has_agent = options.run.agent is not None or bool(options.run.argv)
    _check(options, has_agent=has_agent)
    before = newest(options.folder) if options.compare else None  # one that is damaged is told before anything runs
    if has_agent:
        ran = _run_tiers(options, suites, screen)
        if isinstance(ran, int):
            return ran
        sources, resumed = ran.folders, ran.resumed
    else:
        resumed = None
        sources = options.sources or find_sources(options.run.state, options.chosen, suites)
    run = evaluate_sources(
        EvalRequest(
            sources=sources,
            state=options.run.state,
            tiers=options.chosen,
            suite=options.suite,
            sandbox="bwrap" if options.execute else None,
        )
    )
    saved = save(options.folder, run) if options.save else Saved(options.folder / "not-saved", run)
    if options.json:
        screen.data(report_json(saved, before, kept=options.save, compared=options.compare, resumed=resumed))
        return 0
    screen.say(report_lines(run, screen.style))
    screen.say(resumed_lines(resumed or 0))
    if options.compare:
        screen.say(compare_lines(run, before))
    screen.say([f"saved {saved.path}" if options.save else "not saved"])
    return 0


def _check(options: EvalOptions, *, has_agent: bool) -> None:
    if has_agent and options.sources:
        raise InputError("sources and an agent were given; score what exists, or run an agent and score that")
    if has_agent and options.suite is not None:
        raise InputError("--suite is for sources; an agent runs on the tiers: your own are in .tally/eval/golden/TIER")
    running = {
        "-k": options.run.attempts != 1,
        "--fresh": options.run.fresh,
        "--mount": options.run.mounts,
        "--model or --upstream": options.run.models.said,
    }
    given = [name for name, said in running.items() if said]
    if given and not has_agent:
        raise InputError(f"{', '.join(given)} is for running an agent; give --agent or -- ARGV")


@dataclass(frozen=True, slots=True)
class _Ran:
    """The folders of the runs, and how many of their attempts an earlier start had finished."""

    folders: tuple[Path, ...]
    resumed: int


def _run_tiers(options: EvalOptions, suites: KnownSuites, screen: Screen) -> _Ran | int:
    """Run the agent on each tier; an exit code where it was stopped."""
    from tallystick.cli.progress import open_display  # noqa: PLC0415  # only where something runs
    from tallystick.cli.run_view import stopped_lines  # noqa: PLC0415  # as above
    from tallystick.cli.running import adapter_of, request_of  # noqa: PLC0415  # as above
    from tallystick.cli.stopping import stop_in_order  # noqa: PLC0415  # as above
    from tallystick.flows.run import check_counts, run  # noqa: PLC0415  # as above

    work = [(tier, suite) for tier in options.chosen if (suite := suites.tier(tier)) is not None]
    if not work:
        raise InputError(f"no suite of the tiers {', '.join(options.chosen)} is here")
    requests = []
    for tier, suite in work:
        of_tier = replace(options.run, suite=suite.version)
        request = request_of(of_tier, suite, adapter_of(of_tier, suite))
        check_counts(request)
        requests.append((tier, request))
    folders, resumed = [], 0
    for tier, request in requests:
        if not options.json:
            count = len(request.suite.tasks) * request.attempts
            screen.note(f"{tier}: {request.suite.version}, {plural(count, 'attempt')}, agent {request.adapter.agent.name}")
        cancel = threading.Event()
        with open_display(screen, quiet=options.json) as display, stop_in_order(cancel) as stop:
            done = run(request, listener=display, cancel=cancel)
        if done.executed.stopped:
            screen.note(*stopped_lines(len(done.executed.attempts), done.folder))
            return stop.code
        folders.append(done.folder)
        resumed += done.executed.resumed
    return _Ran(tuple(folders), resumed)
