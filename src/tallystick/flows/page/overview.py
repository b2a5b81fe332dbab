"""The head of a page: what was run, the headline, how much of it was checked, and where every number comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from tallystick.core.exact import Num, to_num
from tallystick.flows.markup import Child, Markup, el, join
from tallystick.flows.page.sides import Origin, Side
from tallystick.flows.words import instant, percent, plural, seconds
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle
from tallystick.records.report import NOT_PROVEN, Level, Report, Status, level_of
from tallystick.scoring.golden import UNJUDGED_MOST

__all__ = ["facts", "finding", "headlines", "not_proven", "numbers", "origin", "table", "verification"]

_LEVELS: Final = {
    Level.claimed: "Nothing of it holds.",
    Level.intact: "Bytes, signature and hashes hold; what they say was not derived again.",
    Level.rederived: "Bytes and arithmetic were checked; the tests were not run again: their outcomes are the submitter's.",
    Level.regraded: "Bytes and arithmetic were checked, and the tests were run again on the submitted files.",
}
_OTHER_SUITE: Final = (
    "The suite of that name that was at hand is another one than the bundle names: "
    "instructions and checks below may not be those of the run."
)
_SIGNERS: Final = {
    "self": "a key of whoever made this page",
    "trusted": "a key that whoever made this page trusts",
    "unknown": "a key unknown to whoever made this page",
    "none": "no signature that holds",
}
_MEANINGS: Final[tuple[tuple[Origin, str], ...]] = (
    ("derived here", "computed from the evidence in the bundle when this page was made"),
    ("re-run here", "the suite's tests were run again, on the machine that made this page"),
    ("claimed", "the submitter's word for what a verifier can check, and what made this page did not, or could not confirm"),
    ("declared", "the submitter's word for what no verifier can check: names, times, cost"),
)


def origin(word: Origin) -> Markup:
    """Where a number comes from, as a label."""
    return el("span", word, class_=f"origin {word.partition(' ')[0]}")


def label(side: Side) -> Markup | str:
    """`A` or `B` before what belongs to one of two bundles."""
    return el("span", side.mark, class_="side") if side.mark else ""


def headlines(sides: Sequence[Side]) -> Markup:
    """The number that each run is for, with its interval."""
    return el("div", *(_headline(side) for side in sides), class_="headlines")


def _headline(side: Side) -> Markup:
    totals, interval = side.bundle.totals, side.bundle.interval
    agent = side.bundle.agent
    version = "" if agent.version is UNSET else f" {agent.version}"
    spread = f"95 % interval {percent(interval.low)} to {percent(interval.high)}"
    return el(
        "div",
        el("p", label(side), el("bdi", agent.name + version), class_="agent"),
        el(
            "p",
            el("span", f"{totals.passed}/{totals.attempts}", class_="count"),
            " attempts passed ",
            origin(side.derived),
            class_="score",
        ),
        _bar(side.bundle),
        el("p", f"{percent(side.bundle.pass_rate)}, {spread}", class_="quiet"),
        *(el("p", note, class_="quiet") for note in _notes(side.bundle)),
        class_="headline",
    )


def _notes(bundle: Bundle) -> Iterator[str]:
    if bundle.agent.self_test:
        yield "A self-test: it proves suite and harness and measures no agent."
    elif bundle.config.sandbox == "none":
        yield "The agent ran without a sandbox: nothing kept it from the answers, or from the network."
    if bundle.partial is not UNSET:
        yield "Partial: it covers only some tasks of the suite, and is no score of it."


def _bar(bundle: Bundle) -> Markup:
    """The rate on a line from 0 to 100 %, with its interval; the text below says the same."""

    def at(rate: Num) -> str:
        return f"{min(max(Decimal(rate), Decimal(0)), Decimal(1)) * 100:.2f}%"

    low, high, rate = at(bundle.interval.low), at(bundle.interval.high), at(bundle.pass_rate)
    width = f"{Decimal(high[:-1]) - Decimal(low[:-1])}%"
    marks = [el("line", x1=f"{x}%", x2=f"{x}%", y1=10, y2=14, class_="tick") for x in (0, 25, 50, 75, 100)]
    return el(
        "svg",
        el("line", x1="0%", x2="100%", y1=10, y2=10, class_="scale"),
        *marks,
        el("rect", x=low, width=width, y=7, height=6, class_="spread"),
        el("line", x1=rate, x2=rate, y1=3, y2=17, class_="rate"),
        class_="bar",
        aria_hidden="true",
        width="100%",
        height=20,
    )


def verification(sides: Sequence[Side], made_at: int) -> Markup:
    """Whether each bundle was verified when the page was made, and how far."""
    return el("div", *(_verified(side, made_at) for side in sides), class_="findings")


def _verified(side: Side, made_at: int) -> Markup:
    report = side.report
    if report is None:
        return finding(
            "open",
            label(side),
            "Not verified.",
            "What stands here is what the submitter says. To check it:",
            el("p", el("code", f"tally verify {side.path.name}")),
            el("p", _OTHER_SUITE) if side.bundle.suite_hash != side.suite.suite_hash else "",
        )
    if report.status is not Status.MATCH:
        reasons = el("ul", *(el("li", reason) for reason in report.reasons[:20]))
        said = f"Not verified: {report.status.value}."
        return finding("bad", label(side), said, f"Checked {instant(made_at)}, level {report.level}.", reasons, _steps(report))
    level = level_of(report.level)
    if level < Level.regraded:
        kind, said = "open", "Checked: arithmetic only, graders not re-run."
    else:
        kind, said = "good", f"Verified: {report.level}."
    return finding(kind, label(side), said, f"Checked {instant(made_at)}. {_LEVELS.get(level, '')}", _steps(report))


def finding(kind: str, mark: Child, title: str, *said: Child) -> Markup:
    """A box with what was found: `good`, `bad` or `open`."""
    return el("div", el("p", mark, el("strong", title), " ", said[0]), *said[1:], class_=f"finding {kind}")


def _steps(report: Report) -> Markup:
    rows = (
        el(
            "tr",
            el("td", step.step, class_="num"),
            el("td", step.title),
            el("td", step.state.replace("_", " ")),
            el("td", step.note),
        )
        for step in report.steps
    )
    steps = table(("Step", "Checked", "State", "Note"), rows, "Steps of the verification")
    return el("details", el("summary", f"The {len(report.steps)} steps of the verification"), steps)


def not_proven() -> Markup:
    """What no verification shows."""
    return el(
        "details",
        el("summary", "What no verification shows"),
        el("ul", *(el("li", line) for line in NOT_PROVEN)),
        el("p", "Nor does this page: it is a copy that anybody can edit. The bundle is the evidence."),
    )


def table(heads: Sequence[str], rows: Iterator[Markup], caption: str) -> Markup:
    """A table with a caption that is read out only."""
    return el(
        "div",
        el(
            "table",
            el("caption", caption, class_="unseen"),
            el("thead", el("tr", *(el("th", head, scope="col") for head in heads))),
            el("tbody", *rows),
        ),
        class_="wide",
    )


Reading = Callable[[Side], "str | None"]


def numbers(sides: Sequence[Side]) -> Markup:
    """Every number of the claim, with its origin."""
    derived: tuple[tuple[str, Reading], ...] = (
        ("Attempts passed", lambda s: f"{s.bundle.totals.passed} of {s.bundle.totals.attempts}"),
        ("95 % interval (Wilson)", lambda s: f"{percent(s.bundle.interval.low)} to {percent(s.bundle.interval.high)}"),
        ("Infrastructure errors", lambda s: str(s.bundle.totals.infra_errors)),
        ("Refused", lambda s: str(s.bundle.totals.refused)),
        ("Same decisions in every attempt", lambda s: "yes" if s.bundle.coordination.identical else "no"),
        ("Golden score", lambda s: str(s.bundle.overall_score)),
        ("Task success", lambda s: str(s.bundle.components.task_success)),
        ("Code quality", _quality),
        ("Efficiency (from declared times and cost)", lambda s: str(s.bundle.components.efficiency)),
        ("Reliability", lambda s: str(s.bundle.components.reliability)),
        ("Safety (regressions are not looked for)", lambda s: str(s.bundle.components.safety)),
    )
    declared: tuple[tuple[str, Reading], ...] = (
        ("Wall time of all attempts", lambda s: seconds(s.bundle.totals.wall_ms)),
        ("Cost", lambda s: None if s.bundle.totals.cost_usd is UNSET else f"{s.bundle.totals.cost_usd} USD"),
    )
    rows = [*_rows(sides, derived, None), *_rows(sides, declared, "declared")]
    return join((table(_heads(sides, "Number"), iter(rows), "Numbers of the claim"), _legend()))


def _quality(side: Side) -> str:
    parts = side.bundle.components
    return (
        str(parts.code_quality)
        if parts.judged
        else f"unjudged: at most {to_num(UNJUDGED_MOST)} of the golden score is possible"
    )


def _heads(sides: Sequence[Side], first: str) -> tuple[str, ...]:
    return (first, *(side.mark or "Value" for side in sides), "Where it comes from")


def _rows(sides: Sequence[Side], readings: Sequence[tuple[str, Reading]], known: Origin | None) -> Iterator[Markup]:
    for name, read in readings:
        values = [read(side) for side in sides]
        if all(value is None for value in values):
            continue
        origins = dict.fromkeys(known or side.derived for side in sides)
        differs = len(set(values)) > 1
        cells = (el("td", el("bdi", value or "-"), class_="value") for value in values)
        sources = [origin(word) for word in origins]
        yield el("tr", el("th", name, scope="row"), *cells, el("td", *sources), class_="differs" if differs else None)


def _legend() -> Markup:
    parts = (el("div", el("dt", origin(word)), el("dd", meaning)) for word, meaning in _MEANINGS)
    return el("dl", *parts, class_="legend")


def facts(sides: Sequence[Side]) -> Markup:
    """What was run, by whom, with what, and the names of the documents."""
    bound: tuple[tuple[str, Reading], ...] = (
        ("Suite", lambda s: f"{s.bundle.suite_version}, {plural(s.bundle.totals.tasks, 'task')}"),
        ("Suite hash", lambda s: s.bundle.suite_hash),
        ("Bundle hash", lambda s: s.bundle.bundle_hash),
        ("Attempts at each task", lambda s: str(s.bundle.scheduler_config.attempts)),
        ("Partial", lambda s: None if s.bundle.partial is UNSET else f"yes: {plural(len(s.bundle.partial), 'task')}, no score"),
        ("Withheld", lambda s: plural(len(s.bundle.withheld), "blob") if s.bundle.withheld else None),
        ("Signer", _signer),
        ("Program", lambda s: s.bundle.agent.program),
    )
    declared: tuple[tuple[str, Reading], ...] = (
        ("Agent", lambda s: f"{s.bundle.agent.name} ({s.bundle.agent.adapter})"),
        ("Agent version", lambda s: None if s.bundle.agent.version is UNSET else s.bundle.agent.version),
        ("Command line", lambda s: " ".join(s.bundle.agent.argv) or None),
        ("Sandbox", lambda s: f"{s.bundle.config.sandbox}, network {s.bundle.config.network}"),
        ("Variables passed on", lambda s: ", ".join(s.bundle.config.env) or None),
        ("Pins", lambda s: ", ".join(s.bundle.config.pins) or None),
        ("Made by", lambda s: f"{s.bundle.harness.name} {s.bundle.harness.version}"),
        ("Made", lambda s: instant(s.bundle.submitted_at)),
        ("File", lambda s: s.path.name),
    )
    rows = [*_rows(sides, bound, None), *_rows(sides, declared, "declared")]
    return table(_heads(sides, "Fact"), iter(rows), "What was run")


def _signer(side: Side) -> str:
    kid = side.bundle.signer_fingerprint
    named = "" if kid is UNSET else f"{kid}, "
    if side.report is None:
        return f"{named}not checked" if named else "none: the bundle is unsigned"
    return f"{named}{_SIGNERS.get(side.report.signer, side.report.signer)}"
