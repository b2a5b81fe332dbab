"""`tally bench gate`: whether an orchestrator decides the same in every live attempt, or where it first does not."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tallystick.cli import settings
from tallystick.cli.options import WorkersOption
from tallystick.cli.run import (
    AgentHomeOption,
    MaxCallsOption,
    ModelOption,
    MountOption,
    RunOptions,
    TaskOption,
    UpstreamOption,
    argv_of,
)
from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.text import flat, named, safe, wrapped
from tallystick.cli.ways import ModelOptions
from tallystick.cli.words import plural
from tallystick.core import c1
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.flows.gate import GateReport

__all__ = ["gate", "perform_gate"]

_TO_DO = (
    "what to do: let the orchestrator report each decision by a POST to $TALLY_DECISIONS (docs/gateway.md), "
    "or from Python with tally_decisions.report; the address is there where a model is named, so give --model"
)


def gate(
    ctx: typer.Context,
    suite: Annotated[str, typer.Argument(help="A packaged suite, such as golden-v1, or a path.", metavar="SUITE")],
    *,
    agent: Annotated[
        str | None, typer.Option(help="A well-known agent (tally agent list). Default: the words after --.", metavar="NAME")
    ] = None,
    model: ModelOption = None,
    attempts: Annotated[int, typer.Option("-k", "--attempts", help="Live attempts at each task, from 2.", metavar="K")] = 5,
    task: TaskOption = None,
    workers: WorkersOption = None,
    mount: MountOption = None,
    agent_home: AgentHomeOption = None,
    upstream: UpstreamOption = None,
    max_calls: MaxCallsOption = None,
    state: Annotated[Path | None, typer.Option(help="Where the attempts are kept. Default: .tally", metavar="DIR")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Run an orchestrator k times, compare its decisions.

    Whom to schedule, what to retry, when to stop: what it reports must be the
    same in every attempt, or the first difference is named. No decision at
    all is VACUOUS. The attempts are always new ones, and nothing is scored.
    Exit code: 0 the same, 1 not shown to be the same, 2 could not be run.
    """
    given = settings.layers(project=True)
    options = RunOptions(
        suite=suite,
        agent=agent,
        argv=argv_of(ctx),
        attempts=settings.number("-k", attempts),
        tasks=tuple(task or ()),
        workers=settings.workers(workers, given),
        state=settings.default_state(given) if state is None else state,
        fresh=True,
        mounts=tuple(mount or ()),
        sign=False,
        json=json,
        agent_home=agent_home,
        models=ModelOptions(model=given.text("model") if model is None else model, upstream=upstream, calls=max_calls),
    )
    raise typer.Exit(perform_gate(options, open_screen()))


def perform_gate(options: RunOptions, screen: Screen) -> int:
    """Run the attempts and say how their decisions compare; returns the exit code. Raises as `running.perform`."""
    from tallystick.cli.progress import open_display  # noqa: PLC0415  # not for --help
    from tallystick.cli.running import asked_for  # noqa: PLC0415  # as above
    from tallystick.cli.stopping import stop_in_order  # noqa: PLC0415  # as above
    from tallystick.flows.gate import judge_gate  # noqa: PLC0415  # as above
    from tallystick.flows.run import run  # noqa: PLC0415  # as above

    if options.attempts < 2:  # noqa: PLR2004 - two are compared
        raise InputError(f"-k {options.attempts}: one attempt has nothing to be compared with; give at least 2")
    if options.agent is None and not options.argv:
        raise InputError(
            f"no agent: give its command line, as in: tally bench gate {shlex.quote(options.suite)} -- my-orchestrator"
        )
    request, cancel = asked_for(options), threading.Event()
    with open_display(screen, quiet=options.json) as display, stop_in_order(cancel) as stop:
        done = run(request, listener=display, cancel=cancel)
    for line in done.executed.notes:
        screen.note(f"models: {safe(line, 500)}")
    if done.executed.stopped:
        screen.note("tally: stopped; nothing was compared")
        return stop.code
    report = judge_gate(done)
    if options.json:
        screen.data(_json(report))
    else:
        screen.say(_lines(report, str(done.folder), screen.style))
    return 0 if report.passed else 1


def _lines(report: GateReport, folder: str, style: Style) -> Iterator[str]:
    from tallystick.flows.gate import GateStatus  # noqa: PLC0415  # as above

    for row in report.rows:
        ok = row.status is GateStatus.IDENTICAL
        said = plural(row.decisions, "decision") if ok else ""
        yield f"  {style.mark(ok=ok)} {named(row.task_id, 128):<40}   {row.status.value:<10}  {said}"
        if row.reason:
            yield from wrapped(flat(row.reason), first="      ")
    yield ""
    if report.status is GateStatus.VACUOUS:
        yield from wrapped(_TO_DO)
    yield f"evidence: {safe(folder, 500)}"
    paint = style.good if report.passed else style.bad
    for line in wrapped(f"{report.status.value}: {_headline(report)}"):
        yield paint(line)


def _headline(report: GateReport) -> str:
    same = sum(not row.reason for row in report.rows)
    what = f"{same} of {plural(len(report.rows), 'task')} with the same decisions in {plural(report.k, 'attempt')}"
    return what if report.passed else f"the gate is not passed; {what}"


def _json(report: GateReport) -> bytes:
    rows: list[c1.Tree] = []
    for row in report.rows:
        tree: dict[str, c1.Tree] = {
            "decisions": row.decisions,
            "reason": row.reason,
            "status": row.status.value,
            "task_id": row.task_id,
        }
        if row.attempt:
            tree["attempt"] = row.attempt
        if row.difference is not None:
            tree |= {"other": row.difference.other, "first": row.difference.one, "position": row.difference.position}
        rows.append(tree)
    return c1.dumps({"k": report.k, "passed": report.passed, "status": report.status.value, "tasks": rows})
