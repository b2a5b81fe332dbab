"""How the history of a cohort reads: acts, commits, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tallystick.cli.screen import Style
from tallystick.cli.text import flat, safe
from tallystick.cli.words import plural
from tallystick.core.pyjson import Json
from tallystick.records.cohort_history import Attach, Expose, act_of, entry_digest
from tallystick.suites.cohorts.history_codes import HistoryCode

if TYPE_CHECKING:
    from tallystick.flows.cohort.git_history import GitProof
    from tallystick.flows.cohort.history import HistoryReport
    from tallystick.records.cohort_history import CohortEntry
    from tallystick.suites.cohorts.history_codes import HistoryFinding
    from tallystick.suites.cohorts.versions import Row
    from tallystick.trust.policy import SignerPolicy

__all__ = ["act_name", "fact_lines", "finding_line", "history_lines", "history_tree"]

_STANDINGS: Final = {"self": "your key", "trusted": "trusted", "unknown": "unknown key"}
_LONGEST: Final = 2000
_SHORT: Final = 11
"""Characters of a digest as `Style.digest` cuts it, at most."""
_HELD_OUT: Final = "yes, as far as recorded: neither an outcome nor an exposure of a solution"


def history_lines(found: HistoryReport, style: Style, policy: SignerPolicy) -> Iterator[str]:
    """Entries, commits, then whether all of it holds."""
    yield f"{'seq':>4}  {'act':<9}  {'stage':<10}  {'definition':<{_SHORT}}  {'entry':<{_SHORT}}  key"
    for entry in found.entries:
        yield _entry_line(entry, style)
        if isinstance(entry.detail, Expose):
            yield f"      {flat(entry.detail.says)}"
    if found.git is not None:
        yield ""
        yield f"  {'commit':<12}  {'stage':<10}  {'definition':<{_SHORT}}"
        yield from (_row_line(row, style) for row in found.git.rows)
    yield ""
    yield from fact_lines(found, policy)
    yield ""
    if found.ok:
        yield style.good("the history holds")
    else:
        missing = [finding.code for finding in found.findings] == [HistoryCode.MISSING]
        yield style.bad("no history" if missing else f"the history does not hold: {plural(len(found.findings), 'finding')}")
        yield from map(finding_line, found.findings)


def act_name(entry: CohortEntry) -> str:
    """What a person calls the act: seeded negatives are attached by a command of their own."""
    return "negatives" if isinstance(entry.detail, Attach) and not entry.detail.attempts else act_of(entry)


def _entry_line(entry: CohortEntry, style: Style) -> str:
    definition, digest = style.digest(entry.definition_digest), style.digest(entry_digest(entry))
    act = act_name(entry)
    return f"{entry.seq:>4}  {act:<9}  {entry.stage:<10}  {definition:<{_SHORT}}  {digest:<{_SHORT}}  {entry.kid[:11]}"


def _row_line(row: Row, style: Style) -> str:
    name = row.commit[:12] or "now"
    facts = row.shown
    if facts is None:
        return f"  {name:<12}  {flat(row.problem, 60)}"
    recorded = style.digest(facts.recorded) if facts.recorded else "none"
    return (
        f"  {name:<12}  {facts.stage:<10}  {style.digest(facts.computed)}  recorded {recorded}  {plural(facts.entries, 'act')}"
    )


def fact_lines(found: HistoryReport, policy: SignerPolicy) -> Iterator[str]:
    """What a history comes to."""
    state = found.state
    if state is not None:
        yield f"  author      {state.author} ({_STANDINGS[policy.judge(state.author)]})"
        if found.reviewer is not None:
            yield f"  reviewer    {found.reviewer} ({_STANDINGS[policy.judge(found.reviewer)]})"
            yield f"              {_two_keys(policy.judge(state.author), policy.judge(found.reviewer))}"
        yield f"  history     {plural(len(found.entries), 'act')}, the last {found.chain.head}"
        yield f"  held out    {_HELD_OUT if state.held_out else _why_not(found)}"
        outcomes = found.outcomes
        if outcomes.attached:
            late = f", {outcomes.excluded} of them of tasks excluded afterwards" if outcomes.excluded else ""
            yield f"  attempts    {outcomes.attached} attached{late}"
        if state.successor is not None:
            yield f"  superseded  by {state.successor}"
    yield f"  Git         {_git_line(found.git)}"


def _two_keys(author: str, reviewer: str) -> str:
    """What two keys show, by whose they are to the reader."""
    if (author, reviewer) == ("self", "self"):
        return "both keys are yours: this shows no second person"
    return "another key; that it is another person's is not shown"


def _why_not(found: HistoryReport) -> str:
    state = found.state
    exposed = state is not None and bool(state.exposed)
    return "no: an exposure of a solution is recorded" if exposed else "no: outcomes were seen"


def _git_line(git: GitProof | None) -> str:
    if git is None:
        return "no Git history: the cohort lies in no repository"
    if not git.commits:
        return "no Git history: the cohort was never committed"
    shallow = "; older ones may be missing, as this clone is shallow" if git.shallow else ""
    return f"{plural(git.commits, 'commit')}{shallow}"


def finding_line(finding: HistoryFinding) -> str:
    """A finding of the history, as `validate` shows its own."""
    task = f"{safe(finding.task)}: " if finding.task else ""
    return f"  {finding.code}: {task}{flat(finding.message, _LONGEST)}"


def history_tree(found: HistoryReport, policy: SignerPolicy) -> dict[str, Json]:
    """The same as JSON."""
    state = found.state
    tree: dict[str, Json] = {
        "entries": [_entry_tree(entry) for entry in found.entries],
        "findings": [_finding_tree(finding) for finding in found.findings],
        "head": found.chain.head,
        "ok": found.ok,
    }
    if found.git is not None:
        rows: list[Json] = [_row_tree(row) for row in found.git.rows]
        tree["git"] = {"commits": found.git.commits, "shallow": found.git.shallow, "versions": rows}
    if found.reviewer is not None:
        tree["reviewer"] = {"kid": found.reviewer, "standing": policy.judge(found.reviewer)}
    if state is None:
        return tree
    outcomes = found.outcomes
    return tree | {
        "attempts": {"attached": outcomes.attached, "counted": outcomes.counted, "excluded": outcomes.excluded},
        "author": {"kid": state.author, "standing": policy.judge(state.author)},
        "cohort_id": state.cohort_id,
        "definition_digest": state.definition_digest,
        "excluded_after_outcome": list[Json](sorted(state.excluded_after_outcome)),
        "exposed": [safe(says, 1000) for says in state.exposed],
        "held_out": state.held_out,
        "outcomes_seen": state.outcomes_seen,
        "stage": state.stage.value,
        **({} if state.successor is None else {"superseded_by": state.successor}),
    }


def _entry_tree(entry: CohortEntry) -> Json:
    return {
        "act": act_of(entry),
        "definition_digest": entry.definition_digest,
        "digest": entry_digest(entry),
        "kid": entry.kid,
        "seq": entry.seq,
        "stage": entry.stage.value,
    }


def _row_tree(row: Row) -> Json:
    tree: dict[str, Json] = {"commit": row.commit or "now"}
    facts = row.shown
    if facts is None:
        return tree | {"problem": safe(row.problem)}
    recorded: dict[str, Json] = {} if facts.recorded is None else {"recorded": facts.recorded}
    return tree | recorded | {"computed": facts.computed, "entries": facts.entries, "stage": facts.stage.value}


def _finding_tree(finding: HistoryFinding) -> Json:
    task: dict[str, Json] = {} if finding.task is None else {"task": safe(finding.task)}
    return {"code": finding.code.value, "message": safe(finding.message, _LONGEST), "step": finding.step} | task
