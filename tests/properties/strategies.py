"""Strategies for C1 trees, and for values of any record class, made from its own type annotations."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, Final

import msgspec
from hypothesis import strategies as st

from tallystick.core.c1 import Tree as C1Tree
from tallystick.core.digest import Digest
from tallystick.core.exact import to_num
from tallystick.records import bundle, eval_run, evidence, journal, judgement, opinion, shard, task, tree
from tallystick.records.base import UNSET, Record
from tallystick.records.paths import target_problem
from tallystick.records.traffic import cassette, prices, rules

names = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_.:/@+-]{0,20}\Z")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
integers = st.integers(-(2**53) + 1, 2**53 - 1)


def _decimal(sign: int, digits: int, places: int) -> Decimal:
    """`digits` with `places` of them behind the point; the last is never 0."""
    unscaled = digits if digits % 10 else digits + 1
    return Decimal(sign * unscaled).scaleb(-places)


decimals = st.builds(_decimal, st.sampled_from([1, -1]), st.integers(1, 10**15 - 2), st.integers(1, 6))
scalars = texts | integers | decimals | st.booleans()
c1_trees: st.SearchStrategy[C1Tree] = st.recursive(
    scalars, lambda below: st.lists(below, max_size=5) | st.dictionaries(names, below, max_size=5), max_leaves=25
)

digests = st.binary(min_size=32, max_size=32).map(lambda raw: Digest("sha256:" + raw.hex()))
_parts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=8)
paths = st.lists(_parts.filter(lambda part: part not in {".", ".."} and part.lower() != ".git"), min_size=1, max_size=3).map(
    "/".join
)


@st.composite
def trees(draw: st.DrawFn) -> tree.Tree:
    """File trees in which no file is a folder."""
    chosen: list[str] = []
    for path in draw(st.lists(paths, max_size=6, unique=True)):
        if not any(path.startswith(other + "/") or other.startswith(path + "/") for other in chosen):
            chosen.append(path)
    return tree.make_tree([draw(_tree_records(path)) for path in chosen])


def _tree_records(path: str) -> st.SearchStrategy[tree.TreeRecord]:
    files = st.builds(tree.file_record, st.just(path), digests, st.integers(0, 2**40), executable=st.booleans())
    return files | st.builds(tree.link_record, st.just(path), texts.filter(lambda text: target_problem(text) is None))


shares = st.integers(1, 100).flatmap(lambda of: st.builds(shard.Share, index=st.integers(1, of), of=st.just(of)))
attempts = st.integers(1, 10_000).flatmap(lambda of: st.builds(evidence.Attempt, index=st.integers(1, of), of=st.just(of)))


def _tasks() -> st.SearchStrategy[task.Task]:
    checks = st.lists(values_of(task.Assertion), min_size=1, max_size=4, unique_by=lambda check: check.id)
    suite_paths = st.lists(st.from_regex(r"\A[a-z0-9_-]{1,8}(/[a-z0-9_-]{1,8})?\Z"), max_size=2).map(tuple)
    made = build(
        task.Task,
        assertions=checks.map(tuple),
        grader=digests,
        owned_files=suite_paths | st.just(UNSET),
        protected_files=suite_paths,
        points=st.just(UNSET),
    )
    return st.builds(_hashed, made, st.booleans())


def _hashed(one: task.Task, with_points: bool) -> task.Task:  # noqa: FBT001  # drawn by a strategy
    """The task with its hash, and with a point for each thing that may have one."""
    if with_points:
        places = [(c.id, t) for c in one.assertions for t in (c.tests if isinstance(c, task.Grader) else (UNSET,))]
        points = tuple(task.Point(assertion=c, test=t, points=1) for c, t in dict.fromkeys(places))
        one = msgspec.structs.replace(one, points=points)
    return msgspec.structs.replace(one, task_hash=task.hash_task(one))


def _judgements() -> st.SearchStrategy[judgement.Judgement]:
    """What stands together or not at all, in all four ways."""
    code = {"code": values_of(judgement.CodeDelta), "tests": values_of(judgement.TestMeasures)}
    ratio = {"reference": values_of(judgement.Size), "ratio": (integers | decimals).map(abs)}
    ways = [{**one, **other} for one in (code, _absent(code)) for other in (ratio, _absent(ratio))]
    return st.one_of([build(judgement.Judgement, **way) for way in ways])


def _absent(members: dict[str, st.SearchStrategy[Any]]) -> dict[str, st.SearchStrategy[Any]]:
    return dict.fromkeys(members, st.just(UNSET))


def _test_measures() -> st.SearchStrategy[judgement.TestMeasures]:
    """Counts that a run of the judge can give."""
    none = build(judgement.TestMeasures, passing=st.just(False), killed=st.just(0))  # noqa: FBT003  # a value, not a flag
    some = st.integers(0, judgement.MUTANTS).flatmap(
        lambda of: build(
            judgement.TestMeasures,
            added=st.integers(1, 99),
            passing=st.just(True),  # noqa: FBT003  # as above
            mutants=st.just(of),
            killed=st.integers(0, of),
        )
    )
    return none | some


def _opinions() -> st.SearchStrategy[opinion.Opinion]:
    """Either scores, or why there are none."""
    judged = build(opinion.Opinion, scores=values_of(opinion.ModelScores), unjudged=st.just(UNSET))
    return judged | build(opinion.Opinion, scores=st.just(UNSET), unjudged=values_of(opinion.Unjudged))


def _suite(tasks: list[task.Task], held: list[tree.Tree], cheats: list[task.Cheat]) -> task.Suite:
    hashed = task.hash_suite(tuple(tasks))
    return task.Suite(version="v1", suite_hash=hashed, tasks=tuple(tasks), trees=tuple(held), cheats=tuple(cheats))


def _suites() -> st.SearchStrategy[task.Suite]:
    tasks = st.lists(_tasks(), min_size=1, max_size=2, unique_by=lambda one: one.id)
    return st.builds(_suite, tasks, st.lists(trees(), max_size=2), st.lists(values_of(task.Cheat), max_size=2))


PATTERNS: Final = (r"\b[0-9a-f]{8}-[0-9a-f]{4}\b", r"in (\d{1,6}\.\d{3})s", r"(?:ab|c){1,3}", r"[A-Z_]{2,9}", r"\d{1,4}")
patterns = st.sampled_from(PATTERNS)


def _rules() -> st.SearchStrategy[rules.RuleSet]:
    found = st.lists(values_of(rules.Rule), max_size=4, unique_by=lambda rule: rule.name)
    return st.builds(rules.RuleSet, rules=found.map(tuple))


def _prices() -> st.SearchStrategy[prices.PriceTable]:
    rows = st.lists(values_of(prices.Price), max_size=4, unique_by=lambda row: (row.model, row.above))
    ordered = rows.map(lambda found: tuple(sorted(found, key=lambda row: (row.model, row.above))))
    return build(prices.PriceTable, prices=ordered)


def _price() -> st.SearchStrategy[prices.Price]:
    dollars = (integers | decimals).map(abs)
    return build(prices.Price, input=dollars, output=dollars, cache_read=dollars | st.just(UNSET), cache_write=dollars)


def _cassettes() -> st.SearchStrategy[cassette.Cassette]:
    """Calls in order; each may be a difference to an earlier one, or its retry."""

    def numbered(calls: list[cassette.Call]) -> tuple[cassette.Call, ...]:
        found = []
        for place, one in enumerate(calls):
            body = msgspec.structs.replace(one.body, base=place - 1 if one.complete and place else UNSET)
            retry = 0 if one.streamed and place else UNSET
            found.append(msgspec.structs.replace(one, call=place, body=body, retry_of=retry))
        return tuple(found)

    return build(cassette.Cassette, calls=st.lists(values_of(cassette.Call), max_size=3).map(numbered))


@st.composite
def _eval_runs(draw: st.DrawFn) -> eval_run.EvalRun:
    """Evaluations whose members agree: one tier and one source, so many failures as did not pass, and parts that follow."""
    failures = draw(st.lists(build(eval_run.EvalFailure, source=st.just(0)), max_size=3))
    passed = draw(st.integers(0 if failures else 1, 3))
    attempts = passed + len(failures)
    rate = to_num(Fraction(passed, attempts))
    regressions = sum(failure.taxonomy is eval_run.FailureCategory.test_regression for failure in failures)
    tier = draw(st.sampled_from(task.TIERS))
    tasks = draw(st.integers(1, attempts))
    counts = st.just(eval_run.EvalTier(tier=tier, tasks=tasks, attempts=attempts, passed=passed))
    parts = build(eval_run.EvalComponents, task_success=st.just(rate), safety=st.just(0 if regressions else 1), **_SHARED_PARTS)
    source = draw(build(eval_run.EvalSource, level=_levels, attempts=st.just(attempts)))
    amounts = (integers | decimals).map(abs)
    drawn = draw(parts)
    return draw(
        build(
            eval_run.EvalRun,
            score=_shares,
            components=st.just(drawn),
            multiplicative_components=st.just(drawn),
            tier=st.sampled_from(["full", tier]),
            tasks_evaluated=st.just(tasks),
            duration_seconds=amounts,
            cost_total=amounts | st.just(UNSET),
            per_tier=st.just(eval_run.EvalRates(**{name: rate if name == tier else 0 for name in task.TIERS})),
            level=st.just(source.level),
            self_test=st.just(source.self_test),
            attempts=st.just(attempts),
            passed=st.just(passed),
            judged=st.integers(0, attempts),
            crashes=st.integers(0, attempts),
            regressions=st.just(regressions),
            tiers=counts.map(lambda one: (one,)),
            sources=st.just((source,)),
            failures=st.just(tuple(failures) or UNSET),
            missing=st.lists(build(eval_run.EvalMissing, source=st.just(0)), max_size=2).map(tuple),
        )
    )


_shares = st.sampled_from([0, 1, Decimal("0.5"), Decimal("0.3333")])
_SHARED_PARTS: Final = dict.fromkeys(("code_quality", "efficiency", "reliability"), _shares)
_levels = st.sampled_from(["claimed", "rederived", "replayed"])

_OWN: Final[dict[Any, Callable[[], st.SearchStrategy[Any]]]] = {
    tree.Tree: trees,
    tree.TreeRecord: lambda: paths.flatmap(_tree_records),
    evidence.Attempt: lambda: attempts,
    shard.Share: lambda: shares,
    journal.AttemptEnd: lambda: (
        st.builds(journal.AttemptEnd, seq=st.integers(0, 99), outcome=st.just("graded"))
        | st.builds(
            journal.AttemptEnd,
            seq=st.integers(0, 99),
            outcome=st.sampled_from(["infra_error", "refused", "interrupted"]),
            cause=st.just("interrupted"),
        )
    ),
    eval_run.EvalRun: _eval_runs,
    eval_run.EvalSource: lambda: build(eval_run.EvalSource, level=_levels),
    eval_run.EvalComponents: lambda: build(
        eval_run.EvalComponents, **dict.fromkeys(eval_run.EvalComponents.__struct_fields__, _shares)
    ),
    rules.RuleSet: _rules,
    rules.Rename: lambda: build(rules.Rename, pattern=patterns),
    rules.Drop: lambda: build(rules.Drop, pattern=patterns),
    rules.Sort: lambda: build(rules.Sort, path=st.sampled_from(["a", "a[*].b", "messages[*].content"])),
    prices.PriceTable: _prices,
    prices.Price: _price,
    cassette.Cassette: _cassettes,
    judgement.Judgement: _judgements,
    judgement.TestMeasures: _test_measures,
    opinion.Opinion: _opinions,
    task.Partial: lambda: build(task.Partial, score=_shares.filter(lambda score: score < 1)),
    task.Task: _tasks,
    task.Suite: _suites,
}
"""Classes whose constructor checks what their annotations do not say."""


@cache
def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Valid values of a type that stands in a record."""
    return _of(msgspec.inspect.type_info(kind))


@cache
def documents_of(cls: type[Record]) -> st.SearchStrategy[Any]:
    """Valid documents of a record class."""
    made = values_of(cls)
    if cls is bundle.Bundle:
        return made.map(lambda one: msgspec.structs.replace(one, bundle_hash=bundle.bundle_hash(one)))
    return made


def build(cls: type[Record], **own: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of `cls` member by member; `own` replaces the strategies of some."""
    types = {field.name: field.type for field in msgspec.inspect.type_info(cls).fields}  # type: ignore[attr-defined]
    members = {}
    for field in msgspec.structs.fields(cls):
        made = own[field.name] if field.name in own else _of(types[field.name])
        members[field.name] = made | st.just(UNSET) if field.default is UNSET and field.name not in own else made
    return st.builds(cls, **members)


def _struct(info: Any) -> st.SearchStrategy[Any]:
    return _record(info.cls)


@cache
def _record(cls: type[Record]) -> st.SearchStrategy[Any]:
    """One strategy for each class: hypothesis keeps in it what it learned by looking at all that are below."""
    return _OWN[cls]() if cls in _OWN else st.deferred(lambda: build(cls))


def _sequence(info: Any) -> st.SearchStrategy[Any]:
    least = info.min_length or 0
    return st.lists(_of(info.item_type), min_size=least, max_size=max(least, 2)).map(tuple)


def _integer(info: Any) -> st.SearchStrategy[Any]:
    least = -(2**53) + 1 if info.ge is None else info.ge
    return st.integers(least, 2**53 - 1 if info.le is None else info.le)


def _text(info: Any) -> st.SearchStrategy[str]:
    if info.pattern is None:
        found = texts.filter(bool) if info.min_length else texts
        return found if info.max_length is None else found.map(lambda text: text[: info.max_length])
    return digests if "sha256" in info.pattern else st.from_regex(info.pattern.replace("$(?!\\n)", r"\Z"))


_BY_KIND: Final[dict[type, Callable[[Any], st.SearchStrategy[Any]]]] = {
    msgspec.inspect.BoolType: lambda _: st.booleans(),
    msgspec.inspect.DecimalType: lambda _: decimals,
    msgspec.inspect.EnumType: lambda info: st.sampled_from(list(info.cls)),
    msgspec.inspect.IntType: _integer,
    msgspec.inspect.LiteralType: lambda info: st.sampled_from(info.values),
    msgspec.inspect.StrType: _text,
    msgspec.inspect.StructType: _struct,
    msgspec.inspect.TupleType: lambda info: st.tuples(*map(_of, info.item_types)),
    msgspec.inspect.UnionType: lambda info: st.one_of(list(map(_of, info.types))),
    msgspec.inspect.VarTupleType: _sequence,
}


def _of(info: msgspec.inspect.Type) -> st.SearchStrategy[Any]:
    """A strategy for what msgspec knows of a type."""
    return _BY_KIND[type(info)](info)
