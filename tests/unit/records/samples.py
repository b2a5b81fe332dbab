"""A valid document of every kind, small enough to change each of its bytes."""

from decimal import Decimal
from typing import Final

import msgspec

from tallystick.core.digest import EMPTY, Digest, sha256
from tallystick.records import bundle as b
from tallystick.records import cohort_history as y
from tallystick.records import eval_run as v
from tallystick.records import evidence as e
from tallystick.records import journal as j
from tallystick.records import judgement as g
from tallystick.records import opinion as o
from tallystick.records import reliability as f
from tallystick.records import report as r
from tallystick.records import shard as h
from tallystick.records import task as t
from tallystick.records.base import Record, digest_of
from tallystick.records.cohort.vocabulary import Family, Stage
from tallystick.records.state import FinishedAttempt, RunState
from tallystick.records.traffic import cassette as c
from tallystick.records.traffic import prices as p
from tallystick.records.traffic import rules as n
from tallystick.records.tree import EMPTY_TREE, Overlay, Tree, file_record, link_record, make_tree


def named(text: str) -> Digest:
    """A digest for a name."""
    return sha256(text.encode())


BLOBS: Final = {sha256(data): data for data in (b"", b"print('hi')\n", b"many lines\n" * 400, bytes(range(256)) * 5)}

AGENT: Final = e.Agent(adapter="command", name="an agent", self_test=False, version="1.2", argv=("agent", "--yes"))
CONFIG: Final = e.Config(sandbox="bwrap", network="none", policy="v1", env=("OPENAI_BASE_URL",), pins=("clock",))
TREE: Final = make_tree(
    [file_record("a.py", EMPTY, 0), file_record("bin/x", EMPTY, 0, executable=True), link_record("l", "a.py")]
)
LIMITS: Final = t.TaskLimits(
    wall_ms=300_000, cost_usd=Decimal("0.5"), memory_mb=512, disk_mb=64, files=1000, processes=64, output_kb=256
)
GRADING: Final = t.Grading(mode="separate", policy="v1", python="3.11", wall_ms=60_000)

GRADE: Final = e.Grade(
    task_hash=named("task"),
    workspace=named("final"),
    graded=named("graded"),
    mode="separate",
    results=(
        e.GradeResult(assertion="runs", outcome="pass", exit=0),
        e.GradeResult(assertion="behaviour", outcome="fail", tests=(e.TestOutcome(id="t1", outcome="fail"),)),
    ),
    excluded=(e.Excluded(path="conftest.py", reason="steering"),),
    judgement=named("judgement"),
)

SIZE: Final = g.Size(files=1, added=3, removed=1)
JUDGEMENT: Final = g.Judgement(
    rubric="static-v1",
    task_hash=named("task"),
    graded=named("graded"),
    size=SIZE,
    secrets=0,
    excluded=1,
    reference=g.Size(files=1, added=2, removed=1),
    ratio=Decimal("1.333333"),
    code=g.CodeDelta(before=g.CodeMeasures(files=1), after=g.CodeMeasures(files=1, functions=2, complexity=5, worst=4)),
    tests=g.TestMeasures(added=1, passing=True, mutants=3, killed=2),
)

OPINION: Final = o.Opinion(
    rubric=named("rubric"),
    model="a-model",
    cassette=named("interview"),
    prices=named("prices"),
    calls=1,
    input_tokens=100,
    output_tokens=10,
    cost_usd=Decimal("0.001"),
    scores=o.ModelScores(correctness=5, style=4, test_coverage=0, safety=5),
)


def events(*, graded: bool = True) -> tuple[j.Event, ...]:
    """The events of an attempt."""
    end: tuple[j.Event, ...] = (
        (j.GradeDone(seq=4, grade=digest_of(GRADE)), j.AttemptEnd(seq=5, outcome="graded"))
        if graded
        else (j.AttemptEnd(seq=4, outcome="infra_error", cause="grader_failed"),)
    )
    return (
        j.AttemptBegin(seq=0, task_hash=named("task"), workspace=EMPTY_TREE),
        j.AgentStart(seq=1, adapter="command", instruction=named("do it")),
        j.AgentEnd(seq=2, exit=1, limit="wall"),
        j.WorkspaceSealed(
            seq=3,
            tree=digest_of(TREE),
            added=3,
            modified=0,
            removed=0,
            refused=(j.RefusedPath(path="a%0Ab", reason="bad_name"),),
            refused_total=1,
        ),
        *end,
    )


def receipt(index: int = 1, of: int = 2, *, graded: bool = True) -> e.Receipt:
    """The receipt of one attempt."""
    spine = (e.SpineEntry(role="task", digest=named("task")), e.SpineEntry(role="workspace.final", digest=digest_of(TREE)))
    happened = events(graded=graded)
    return e.Receipt(
        run_id=named("run"),
        task_id="a-task",
        task_hash=named("task"),
        attempt=e.Attempt(index=index, of=of),
        journal_head=j.journal_root(happened),
        spine_head=e.spine_root(spine),
        spine=spine,
        events=happened,
    )


def result(index: int, of: int) -> b.TaskResult:
    """One attempt's result; the second has an earlier try."""
    earlier = receipt(index, of, graded=False)
    tries = (b.Try(receipt_hash=digest_of(earlier), receipt=earlier),) if index > 1 else ()
    done = receipt(index, of)
    return b.TaskResult(
        task_id=done.task_id,
        task_hash=done.task_hash,
        attempt=done.attempt,
        receipt_hash=digest_of(done),
        passed=False,
        score=0,
        harness_output=b.HarnessOutput(outcome="failed", assertions=2, failed=("behaviour",), limit="wall"),
        receipt=done,
        tries=tries,
        observed=b.Observed(
            wall_ms=12, cost_usd=Decimal("0.25"), enforced=(("memory", "cgroup"),), outputs=(("runs", named("output")),)
        ),
        opinion=OPINION,
    )


def bundle(attempts: int = 2) -> b.Bundle:
    """An unsigned bundle of one task that embeds its receipts and has the right `bundle_hash`."""
    bare = b.Bundle(
        bundle_hash=named("not yet"),
        suite_hash=named("suite"),
        suite_version="suite-v1",
        submitted_at=1_760_000_000,
        scheduler_config=b.SchedulerConfig(attempts=attempts, order="suite"),
        agent=AGENT,
        harness=b.Harness(name="tally", version="0.1"),
        config=CONFIG,
        totals=b.Totals(
            tasks=1,
            attempts=attempts,
            passed=0,
            failed=attempts,
            infra_errors=0,
            refused=0,
            wall_ms=24,
            cost_usd=Decimal("0.5"),
        ),
        overall_score=0,
        pass_rate=0,
        interval=b.Interval(method="wilson", low=0, high=Decimal("0.657619")),
        components=b.Components(task_success=0, code_quality=0, efficiency=1, reliability=1, safety=1, judged=0),
        coordination=b.Coordination(
            identical=True, tasks=(b.TaskCoordination(task_id="a-task", identical=True, root=j.coordination_root(events())),)
        ),
        task_results=tuple(result(index, attempts) for index in range(1, attempts + 1)),
        withheld=(named("secret"),),
    )
    return msgspec.structs.replace(bare, bundle_hash=b.bundle_hash(bare))


def shard() -> h.Shard:
    """A shard of one attempt with an earlier try, which embeds the receipt of the try."""
    done = result(2, 2)
    return h.Shard(
        suite_hash=named("suite"),
        suite_version="suite-v1",
        agent=AGENT,
        config=CONFIG,
        harness=b.Harness(name="tally", version="0.1"),
        attempts=2,
        share=h.Share(index=2, of=2),
        results=(
            h.ShardResult(
                task_id=done.task_id,
                attempt=done.attempt,
                receipt_hash=done.receipt_hash,
                observed=b.Observed(wall_ms=12),
                tries=done.tries,
            ),
        ),
    )


SIGNED: Final = msgspec.structs.replace(
    b.strip(bundle()),
    submitter=b.Submitter(kid="k" * 43),
    partial=("a-task",),
    signature="header..signature",
    signer_fingerprint="k" * 43,
    signer_jwk=b.Jwk(crv="Ed25519", kty="OKP", x="x" * 43),
    blobs=b.Blobs(index=(b.BlobEntry(digest=EMPTY, size=0),), data="AwA="),
)

ASSERTIONS: Final[tuple[t.Assertion, ...]] = (
    t.FileExists(id="file_exists", path="a.py"),
    t.FileAbsent(id="file_absent", path="b.py"),
    t.ContentEq(id="content_eq", path="a.py", content="é\n"),
    t.Contains(id="contains", path="a.py", text="x"),
    t.NotContains(id="not_contains", path="a.py", text="y"),
    t.JsonEquals(id="json_equals", path="a.json", value='{"a":1.50}'),
    t.LineCountDelta(id="line_count_delta", path="a.py", min_delta=-1, max_delta=3),
    t.Unchanged(id="unchanged", paths=("README",)),
    t.OnlyChanged(id="only_changed", paths=("a.py",)),
    t.SyntaxValid(id="syntax_valid", path="a.py"),
    t.SymbolPresent(id="symbol_present", path="a.py", symbol="A.f"),
    t.NoSymbol(id="no_symbol", path="a.py", symbol="eval"),
    t.HasDocstring(id="has_docstring", path="a.py", symbol="f"),
    t.DocstringContains(id="docstring_contains", path="a.py", symbol="f", text="x"),
    t.NoUnusedImport(id="no_unused_import", path="a.py"),
    t.Matches(id="matches", path="a.py", pattern="^x"),
    t.Command(id="command", argv=("python3", "a.py")),
    t.Grader(id="grader", script="grade.py", tests=("t1",)),
)


def task(**changes: object) -> t.Task:
    """A task with one assertion of every kind and the right `task_hash`."""
    made = t.Task(
        id="a-task",
        title="A task",
        description="Do it.",
        steps=("one", "two"),
        assertions=ASSERTIONS,
        category="fix",
        tier="smoke",
        workspace=EMPTY_TREE,
        limits=LIMITS,
        grading=GRADING,
        task_hash=named("not yet"),
        grader=digest_of(TREE),
        solution=Overlay(tree=digest_of(TREE), removes=("old.py",)),
        owned_files=("a.py",),
        protected_files=("README",),
    )
    made = msgspec.structs.replace(made, **changes)
    return msgspec.structs.replace(made, task_hash=t.hash_task(made))


def suite(*tasks: t.Task) -> t.Suite:
    """A suite of the tasks, or of `task()`, with the right `suite_hash`."""
    tasks = tasks or (task(),)
    cheat = t.Cheat(task_id="a-task", name="empty", overlay=Overlay(tree=EMPTY_TREE), fails=("grader",))
    return t.Suite(
        version="suite-v1", suite_hash=t.hash_suite(tasks), tasks=tasks, trees=(Tree(records=()), TREE), cheats=(cheat,)
    )


REPORT: Final = r.Report(
    status=r.Status.MATCH,
    level="regraded",
    passed=1,
    attempts=2,
    pass_rate=Decimal("0.5"),
    steps=(r.StepResult(step=1, title="container", state="ok"),),
    rows=(r.Row(task_id="a-task", attempt=1, status=r.Status.MATCH, passed=True, step=16),),
)

RULES: Final = n.RuleSet(
    rules=(
        n.Rename(name="uuid", pattern=r"\b[0-9a-f]{8}-[0-9a-f]{4}\b", handle=True),
        n.Drop(name="seconds", pattern=r"Ran \d{1,6} tests? in (\d{1,6}\.\d{3})s"),
        n.Sort(name="results", path="messages[*].content", key="tool_use_id", stays=("cache_control",)),
    )
)
PRICES: Final = p.PriceTable(
    name="prices-1",
    as_of="2026-11-01",
    prices=(
        p.Price(model="a-model", input=1, output=Decimal("2.5"), cache_read=Decimal("0.1"), cache_write=2),
        p.Price(model="scripted-*", input=1, output=2, above=1000),
    ),
)
CALL: Final = c.Call(
    call=0,
    api="openai.chat",
    method="POST",
    path="/v1/chat/completions",
    query="",
    headers=(("content-type", "application/json"),),
    request=named("request"),
    body=c.Body(whole=EMPTY, size=0, part=EMPTY),
    status=200,
    answer_headers=(),
    answer=EMPTY,
    answer_bytes=0,
    complete=True,
    streamed=False,
    model="a-model",
    answered_by="a-model-1",
    params=(("temperature", "0.5"),),
    usage=c.Usage(input=10, output=2),
    cost_usd=Decimal("0.000012"),
)
CASSETTE: Final = c.Cassette(
    rules=digest_of(RULES),
    calls=(
        CALL,
        msgspec.structs.replace(
            CALL, call=1, body=c.Body(whole=named("whole"), size=900, part=EMPTY, base=0, prefix=500, suffix=400), retry_of=0
        ),
    ),
)

RATE: Final = f.PassRate(
    j=1,
    pass_at=Decimal("0.5"),
    pass_at_interval=f.ClusteredInterval(method="wilson_clustered", low=0, high=1),
    pass_caret=Decimal("0.5"),
    pass_caret_interval=f.ClusteredInterval(method="wilson_clustered", low=0, high=1),
)
RELIABILITY: Final = f.Reliability(
    receipt_hash=named("reliability"),
    bundle_hash=named("bundle"),
    suite_hash=named("suite"),
    suite_version="suite-v1",
    k=2,
    scheduler_config=b.SchedulerConfig(attempts=2, order="suite"),
    harness=b.Harness(name="tallystick", version="1"),
    emitted_at=1_760_000_000,
    pass_at_1=1,
    pass_caret_k=0,
    rates=(RATE,),
    infra_errors=1,
    coordination_ok=True,
    information="sampled",
    information_says=f.INFORMATION["sampled"],
    task_results=(
        f.TaskReliability(
            task_id="a-task",
            task_hash=named("task"),
            attempts=2,
            passes=1,
            infra_errors=1,
            coordination_hash=named("lane"),
            coordination_identical=True,
        ),
    ),
    flip_rate=1,
)
RELIABILITY_REPORT: Final = f.ReliabilityReport(
    status=r.Status.MATCH,
    level="rederived",
    k=2,
    receipt_hash=named("reliability"),
    steps=(r.StepResult(step=1, title="file", state="ok"),),
    rows=(r.Row(task_id="a-task", attempt=0, status=r.Status.MATCH),),
    rates=(RATE,),
    bundle=REPORT,
)

PARTS: Final = v.EvalComponents(task_success=Decimal("0.5"), code_quality=0, efficiency=1, reliability=1, safety=1)
EVAL_RUN: Final = v.EvalRun(
    score=Decimal("0.45"),
    components=PARTS,
    tier="full",
    tasks_evaluated=2,
    duration_seconds=Decimal("1.25"),
    timestamp=1_760_000_000,
    multiplicative_components=PARTS,
    per_tier=v.EvalRates(smoke=Decimal("0.5"), standard=0, stretch=0, adversarial=0),
    level="rederived",
    attempts=2,
    passed=1,
    judged=0,
    crashes=0,
    regressions=0,
    regressions_checked=True,
    self_test=False,
    tiers=(v.EvalTier(tier="smoke", tasks=2, attempts=2, passed=1),),
    sources=(v.EvalSource(kind="bundle", name="b.json", level="rederived", attempts=2, agent="an agent"),),
    failures=(v.EvalFailure(task="a-task", taxonomy="incomplete", details="nothing changed", attempt=1, source=0),),
    missing=(v.EvalMissing(task="a-task", attempt=1, source=0, members=("cost_usd",)),),
)

COHORT_KEY: Final = b.Jwk(crv="Ed25519", kty="OKP", x="x" * 43)
ATTACHED: Final = y.AttemptRef(
    task_id="task/a", attempt_id="first", result_manifest=named("manifest"), verification_result=named("result")
)


def cohort_entry(detail: y.Detail) -> y.CohortEntry:
    return y.CohortEntry(
        seq=3,
        previous=named("before"),
        cohort_id="cohort/one",
        stage=Stage.FROZEN,
        definition_digest=named("definition"),
        cohort_digest=named("cohort"),
        outcomes_seen=False,
        detail=detail,
        signer_jwk=COHORT_KEY,
        kid="k" * 43,
        signature="header..signature",
    )


DETAILS: Final[tuple[y.Detail, ...]] = (
    y.New(
        tasks=("task/a",),
        minimum_final_tasks=5,
        required_families=(Family.BUG_FIX,),
        supersedes=y.Predecessor(id="cohort/before", definition_digest=named("former")),
    ),
    y.Add(tasks=("task/a", "task/b"), replaced=("task/a",)),
    y.Collect(),
    y.Expose(says="published", task_id="task/a"),
    y.Freeze(review=named("review")),
    y.Attach(
        attempts=(ATTACHED,), negatives=(y.NegativeRef(task_id="task/a", evidence=named("bad")),), bundle_hash=named("bundle")
    ),
    y.Exclude(task_id="task/a", says="its grader was wrong", attempts=(ATTACHED,)),
    y.Reveal(task_id="task/a", commitment=named("plan"), opening=named("opening")),
    y.Burn(says="seen"),
    y.Supersede(successor="cohort/next"),
)

DOCUMENTS: Final[dict[str, Record]] = {
    "agent": AGENT,
    "bundle": bundle(),
    "bundle-signed": SIGNED,
    "cassette": CASSETTE,
    **{f"cohort-entry-{y.act_of_detail(detail)}": cohort_entry(detail) for detail in DETAILS},
    "cohort-pending": y.CohortPending(cohort="{}\n", history="{}\n"),
    "cohort-review": y.CohortReview(
        cohort_id="cohort/one",
        definition_digest=named("definition"),
        statement="read it all",
        reviewer_jwk=COHORT_KEY,
        kid="k" * 43,
        signature="header..signature",
    ),
    "config": CONFIG,
    "eval-run": EVAL_RUN,
    "finished-attempt": FinishedAttempt(receipt=receipt(), observed=b.Observed(wall_ms=1), tries=(receipt(graded=False),)),
    "grade": GRADE,
    "judgement": JUDGEMENT,
    "model-rubric": o.ModelRubric(name="a-rubric", instructions="correctness: is it?\n"),
    "prices": PRICES,
    "receipt": receipt(),
    "reliability": RELIABILITY,
    "reliability-report": RELIABILITY_REPORT,
    "report": REPORT,
    "rules": RULES,
    "run": RunState(
        run_id=named("run"),
        suite_hash=named("suite"),
        suite_version="suite-v1",
        agent=AGENT,
        config=CONFIG,
        tasks=("a-task",),
        attempts=2,
        ordinal=1,
        started_at=1_760_000_000,
    ),
    "run-id": e.RunId(
        suite_hash=named("suite"), agent=digest_of(AGENT), config=digest_of(CONFIG), announcement=named("announced")
    ),
    "shard": shard(),
    "suite": suite(),
    "suite-id": t.SuiteId(tasks=(named("task"),)),
    "tree": TREE,
}
