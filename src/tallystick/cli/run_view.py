"""What `tally run` shows: the plan, the table of tasks, the headline, and every notice that belongs beside it."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from tallystick.cli.progress import clock
from tallystick.cli.screen import Style
from tallystick.cli.text import named, safe, wrapped
from tallystick.cli.words import headline, plural, resumed_lines, self_test_line
from tallystick.core import c1
from tallystick.core.exact import Num, to_num
from tallystick.flows.words import agent_end
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle, HarnessOutput, TaskResult
from tallystick.records.evidence import Agent
from tallystick.records.shard import Shard, Share
from tallystick.records.task import Task
from tallystick.records.tree import EMPTY_TREE
from tallystick.scoring.golden import UNJUDGED_MOST

__all__ = [
    "Plan",
    "Written",
    "heading",
    "plan_lines",
    "result_json",
    "result_lines",
    "shard_json",
    "shard_lines",
    "stopped_lines",
]

_MOUNTS: Final = 8
"""Mounts that are named when a run starts; --dry-run names all."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is going to do."""

    suite: str
    tasks: tuple[Task, ...]
    all_tasks: int
    attempts: int
    agent: Agent
    workers: int
    sandbox: str
    budget: Num | None
    mounts: tuple[str, ...]
    out: str
    signed: bool
    share: Share | None = None
    unmounted: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """How models are reached, a line each; empty for agents that ask none."""

    @property
    def work(self) -> Sequence[Task]:
        """The task of every attempt."""
        every = [task for task in self.tasks for _ in range(self.attempts)]
        return every if self.share is None else self.share.take(every)


@dataclass(frozen=True, slots=True)
class Written:
    """The signed bundle and its file. `resumed`: attempts that an earlier start of the command had finished."""

    bundle: Bundle
    path: Path
    resumed: int = 0
    suite_option: str = ""
    """What `verify` and `show` need beside the file, where the suite did not come with tally."""


def heading(plan: Plan) -> list[str]:
    """What is said before the first attempt."""
    what = f"{plural(len(plan.tasks), 'task')} x {plural(plan.attempts, 'attempt')}"
    if plan.share is not None:
        what += f", of these shard {plan.share.index}/{plan.share.of}: {plural(len(plan.work), 'attempt')}"
    who = f"agent {named(plan.agent.name)}, {plural(plan.workers, 'worker')}, sandbox {plan.sandbox}"
    mounts = [line for mount in plan.mounts[:_MOUNTS] for line in wrapped(safe(mount, 500), first="  mounted read-only: ")]
    more = len(plan.mounts) - _MOUNTS
    return [
        *wrapped(f"{named(plan.suite)}: {what}, {who}", rest="  "),
        *mounts,
        *([f"  and {more} more, see --dry-run"] if more > 0 else []),
    ]


def plan_lines(plan: Plan, style: Style, *, problem: str | None) -> Iterator[str]:
    """What --dry-run says."""
    work = plan.work
    count = len(work)
    yield f"would run {named(plan.suite)}: {len(plan.tasks)} of {plural(plan.all_tasks, 'task')} x {plan.attempts} = " + plural(
        len(plan.tasks) * plan.attempts, "attempt"
    )
    if plan.share is not None:
        yield f"  shard       {plan.share.index} of {plan.share.of}: {plural(count, 'attempt')}"
    yield f"  agent       {named(plan.agent.name)}" + (
        "" if plan.agent.program == EMPTY_TREE else f"  {style.digest(plan.agent.program)}"
    )
    if plan.agent.argv:
        yield from wrapped(safe(shlex.join(plan.agent.argv), 1000), first="  command     ")
    for mount in plan.mounts:
        yield from wrapped(f"{safe(mount, 500)}, read-only", first="  mounted     ")
    if plan.unmounted:
        unseen = ", ".join(safe(word) for word in plan.unmounted)
        yield from wrapped(f"{unseen}; what the agent needs, give with --mount", first="  not mounted ")
    for number, line in enumerate(plan.models):
        yield from wrapped(line, first="  models      " if number == 0 else "              ")
    yield f"  sandbox     {plan.sandbox}" + (f": does not work here: {safe(problem, 1000)}" if problem else "")
    cost = sum((Fraction(task.limits.cost_usd) for task in work), Fraction(0))
    yield f"  cost        at most {to_num(cost)} USD by the tasks' limits" + _budget(plan.budget)
    seconds = sum(task.limits.wall_ms for task in work) / 1000
    yield f"  time        at most {clock(seconds)} of agents, {clock(seconds / min(plan.workers, max(1, count)))} on " + plural(
        plan.workers, "worker"
    )
    form = "a shard for tally merge" if plan.share else "signed" if plan.signed else "unsigned"
    yield from wrapped(f"{safe(plan.out, 500)}, {form}", first="  writes      ")
    yield "nothing was run"


def _budget(budget: Num | None) -> str:
    return "" if budget is None else f", {budget} USD by --budget"


def result_lines(written: Written, style: Style) -> Iterator[str]:
    """Everything that is said after the last attempt."""
    bundle = written.bundle
    yield ""
    yield from _table(bundle, style)
    yield ""
    yield style.bold(headline(bundle.totals.passed, bundle.totals.attempts, bundle.interval))
    yield _golden(bundle)
    yield from _models(bundle)
    yield from _notices(written)
    yield ""
    signer = "unsigned" if bundle.signer_fingerprint is UNSET else f"signed by {bundle.signer_fingerprint}"
    yield f"wrote {written.path}"
    yield f"      {signer}"
    file = shlex.quote(str(written.path))
    if bundle.totals.passed < bundle.totals.attempts:
        yield f"why : tally show {file}{written.suite_option}"
    yield f"next: tally verify {file}{written.suite_option}"


def _table(bundle: Bundle, style: Style) -> Iterator[str]:
    """A row per task: passed of attempts, and why not."""
    by_task: dict[str, list[TaskResult]] = {}
    for result in bundle.task_results:
        by_task.setdefault(result.task_id, []).append(result)
    width = min(40, max(len(name) for name in by_task))
    digits = len(str(bundle.scheduler_config.attempts))
    for name, results in by_task.items():
        passed = sum(result.passed for result in results)
        mark = style.mark(ok=passed == len(results))
        count = f"{passed:>{digits}}/{len(results)}"
        # Painted marks are longer than they look, so the rest is wrapped without them.
        first, *rest = wrapped(_why(results), first=f"  x {name:<{width}}  {count}  ", rest=" " * (width + 2 * digits + 9))
        yield f"  {mark}{first[3:]}"
        yield from rest


def _why(results: Sequence[TaskResult]) -> str:
    reasons = Counter(reason for result in results if not result.passed for reason in [_reason(result.harness_output)])
    if len(results) == 1:
        return next(iter(reasons), "")
    return "; ".join(f"{count} x {reason}" for reason, count in reasons.most_common())


def _reason(output: HarnessOutput) -> str:
    """Why one attempt did not pass."""
    if output.outcome == "refused":
        return "refused by the budget"
    if output.outcome == "infra_error":
        return f"infrastructure: {output.cause or 'unknown'}"
    parts = [f"limit {output.limit}"] if output.limit is not UNSET else []
    shown = [safe(name, 64) for name in output.failed[:5]]
    if len(output.failed) > len(shown):
        shown.append(f"and {len(output.failed) - len(shown)} more")
    if shown:
        parts.append(f"failed: {', '.join(shown)}")
    return "; ".join(parts)


def _golden(bundle: Bundle) -> str:
    line = f"golden score {bundle.overall_score}"
    if bundle.components.judged == 0:
        return f"{line} of at most {to_num(UNJUDGED_MOST)} (code quality counts 0: nothing judged it)"
    return f"{line}, {bundle.components.judged} of {bundle.totals.attempts} attempts judged"


def _models(bundle: Bundle) -> Iterator[str]:
    """What the agents used of models, and whether others can run them again."""
    config = bundle.config
    if config.network != "gateway":
        return
    seen = [result.observed for result in bundle.task_results if result.observed is not UNSET]
    calls = sum(each.calls for each in seen if each.calls is not UNSET)
    read = sum(each.input_tokens for each in seen if each.input_tokens is not UNSET)
    wrote = sum(each.output_tokens for each in seen if each.output_tokens is not UNSET)
    cost = "cost unknown" if bundle.totals.cost_usd is UNSET else f"{bundle.totals.cost_usd} USD"
    tokens = f", {read:,} tokens read and {wrote:,} written" if read or wrote else ""
    yield f"models {plural(calls, 'call')}{tokens}, {cost}"
    if config.recording == "none":
        yield "       not recorded: others can run the tests again, not the agent"
    elif config.hosts:
        yield from wrapped(
            f"other hosts could be reached ({', '.join(map(safe, config.hosts))}), so nobody can run the agent again",
            first="       ",
        )
    elif "clock" not in config.pins:
        yield "       recorded without a pinned clock: a replay may come out otherwise (tally doctor)"


def _ends(bundle: Bundle) -> Iterator[str]:
    """How agents ended that did not end well: that explains more than the assertions that fail after it."""
    receipts = (result.receipt for result in bundle.task_results)
    ends = Counter(end for receipt in receipts if receipt is not UNSET and (end := agent_end(receipt)))
    for end, count in ends.most_common(3):
        yield f"agent {end} in {count} of {plural(bundle.totals.attempts, 'attempt')}"


def _notices(written: Written) -> Iterator[str]:
    """What a reader of the headline has to know."""
    bundle, counts = written.bundle, written.bundle.totals
    yield from _ends(bundle)
    yield from resumed_lines(written.resumed)
    tries = sum(len(result.tries) for result in bundle.task_results)
    if tries:
        yield f"cut off or failed before, and done again: {plural(tries, 'attempt')}; the bundle says so"
    if bundle.agent.self_test:
        yield self_test_line(bundle.agent.name)
    if bundle.partial is not UNSET:
        suite = named(bundle.suite_version)
        yield f"partial run, {plural(len(bundle.partial), 'task')} only: no score of {suite}, never publishable"
    if bundle.config.sandbox == "none":
        yield "sandbox none: the agent could read and write all that you can; boards refuse this bundle"
    if counts.refused:
        yield f"budget: {plural(counts.refused, 'attempt')} refused, counted as not passed; a higher --budget resumes them"
    if counts.infra_errors:
        yield f"infrastructure: {plural(counts.infra_errors, 'attempt')} counted as not passed; the same command tries again"


def shard_lines(shard: Shard, path: Path, resumed: int) -> Iterator[str]:
    """Everything that is said after the last attempt of a share."""
    yield ""
    if resumed:
        yield f"resumed {plural(resumed, 'finished attempt')}"
    yield f"wrote {path}"
    yield f"      shard {shard.share.index}/{shard.share.of}: {plural(len(shard.results), 'attempt')}, no score"
    part = f".{shard.share.index}-of-{shard.share.of}."
    every = path.name.replace(part, f".*-of-{shard.share.of}.") if part in path.name else "SHARD..."
    yield f"next, with all {shard.share.of} of them in one place:"
    yield f"  tally merge {every}"


def shard_json(shard: Shard, path: Path, resumed: int) -> bytes:
    """The same for machines: one C1 object."""
    return c1.dumps(
        {
            "agent": shard.agent.name,
            "attempts": len(shard.results),
            "index": shard.share.index,
            "of": shard.share.of,
            "resumed": resumed,
            "shard": str(path),
            "suite_hash": shard.suite_hash,
            "suite_version": shard.suite_version,
        }
    )


def result_json(written: Written) -> bytes:
    """The same for machines: one C1 object."""
    bundle = written.bundle
    counts: dict[tuple[str, int], list[TaskResult]] = {}
    for place, result in enumerate(bundle.task_results):
        counts.setdefault((result.task_id, place // bundle.scheduler_config.attempts), []).append(result)
    tasks: list[c1.Tree] = [
        {"attempts": len(results), "passed": sum(each.passed for each in results), "task_id": name, "why": _why(results)}
        for (name, _), results in counts.items()
    ]
    tree: dict[str, c1.Tree] = {
        "agent": bundle.agent.name,
        "attempts": bundle.totals.attempts,
        "bundle": str(written.path),
        "bundle_hash": bundle.bundle_hash,
        "infra_errors": bundle.totals.infra_errors,
        "interval": {"high": bundle.interval.high, "low": bundle.interval.low, "method": bundle.interval.method},
        "overall_score": bundle.overall_score,
        "partial": bundle.partial is not UNSET,
        "pass_rate": bundle.pass_rate,
        "passed": bundle.totals.passed,
        "refused": bundle.totals.refused,
        "resumed": written.resumed,
        "sandbox": bundle.config.sandbox,
        "self_test": bundle.agent.self_test,
        "signed": bundle.signature is not UNSET,
        "suite_hash": bundle.suite_hash,
        "suite_version": bundle.suite_version,
        "tasks": tasks,
    }
    return c1.dumps(tree)


def stopped_lines(finished: int, folder: Path) -> tuple[str, str]:
    """What is kept of a run that was stopped, and how it goes on."""
    return f"tally: stopped; {plural(finished, 'finished attempt')} kept in {folder}", f"resume: {_same_command()}"


def _same_command() -> str:
    """This command without --fresh, which would start anew; the words of an agent's command line stay."""
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    return shlex.join(["tally", *(word for word in words[:cut] if word != "--fresh"), *words[cut:]])
