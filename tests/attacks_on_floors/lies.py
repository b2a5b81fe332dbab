"""Every lie about a floor. A docstring says what somebody does; the finding stands above it."""

from __future__ import annotations

import re

from tests.attacks_on_floors.kit import Caught, FloorForgery, FloorStep, Stands, Status, Unreadable, lie
from tests.support.forge import Jws, Raw, Twin, copied
from tests.support.recorded import WRITE

FILES = "file_io_read_write"
REFACTOR = "refactor_rename_symbol"
BINDING, COVERAGE, EVIDENCE = FloorStep.binding, FloorStep.coverage, FloorStep.evidence
COORDINATION, FLOOR = FloorStep.coordination, FloorStep.floor


def stale(*steps: FloorStep) -> Caught:
    """The receipt's hash does not fit any more, and what else is seen."""
    return Caught(Status.HASH_MISMATCH, frozenset({FloorStep.receipt_hash, *steps}), "receipt_hash is")


def broken(status: Status, *steps: FloorStep) -> Caught:
    """The bundle inside was changed as it stands; the receipt that names it was not."""
    return Caught(status, frozenset({EVIDENCE, *steps}))


def caught(status: Status, *steps: FloorStep, says: str = "") -> Caught:
    return Caught(status, frozenset(steps), says)


def fabricated(says: str = "") -> Caught:
    return caught(Status.FABRICATED_FLOOR, FLOOR, says=says)


# The numbers.


@lie(stale(FLOOR), fabricated("pass_caret_k: stated 1, the evidence gives 0"))
def floor_edited(forgery: FloorForgery) -> None:
    """The headline says that every task passed every time."""
    forgery.document["pass_caret_k"] = 1


@lie(stale(FLOOR), fabricated("pass_at_1"))
def ceiling_edited(forgery: FloorForgery) -> None:
    """As many tasks as there are are said to have passed once."""
    forgery.document["pass_at_1"] = 1


@lie(stale(FLOOR), fabricated("rates do not follow"), variants=("rate", "interval", "dropped", "added"))
def rate_edited(forgery: FloorForgery) -> None:
    """Rates between one and k attempts, or their intervals, are bent or left out."""
    rates = forgery.document["rates"]
    match forgery.variant:
        case "rate":
            rates[1]["pass_caret"] = 1
        case "interval":
            rates[0]["pass_at_interval"]["low"] = 0
        case "dropped":
            rates.pop()
        case "added":
            rates.append(rates[0] | {"j": 4})


@lie(stale(FLOOR), fabricated("flip_rate"), variants=("lower", "left out"))
def flips_denied(forgery: FloorForgery) -> None:
    """Verdicts that flip are said to flip less, or not spoken of."""
    if forgery.variant == "lower":
        forgery.document["flip_rate"] = 0
    else:
        del forgery.document["flip_rate"]


@lie(stale(FLOOR), fabricated("passes: stated 3"))
def passes_of_a_task_edited(forgery: FloorForgery) -> None:
    """One task is said to have passed in all attempts."""
    forgery.task(FILES)["passes"] = 3


@lie(stale(FLOOR), fabricated("infra_errors"), variants=("whole", "task"))
def infra_errors_invented(forgery: FloorForgery) -> None:
    """Failures are called infrastructure, as if they did not count."""
    holder = forgery.document if forgery.variant == "whole" else forgery.task(FILES)
    holder["infra_errors"] = 1


@lie(stale(FLOOR), fabricated("information"), variants=("kind", "sentence"))
def information_edited(forgery: FloorForgery) -> None:
    """Attempts that asked no model are said to have asked one, or the sentence says something nicer."""
    if forgery.variant == "kind":
        forgery.document["information"] = "sampled"
    else:
        forgery.document["information_says"] = "five independent attempts"


# Attempts and tasks.


@lie(stale(COVERAGE), caught(Status.COVERAGE_MISMATCH, COVERAGE, says="k is 1, the bundle has 3"))
def k_reduced(forgery: FloorForgery) -> None:
    """Three attempts were made; one is claimed."""
    forgery.document["k"] = 1


@lie(
    stale(BINDING, COVERAGE),
    caught(Status.COVERAGE_MISMATCH, BINDING, COVERAGE, says="scheduler_config is not the bundle's"),
)
def k_reduced_with_its_schedule(forgery: FloorForgery) -> None:
    """The same, with the schedule to fit."""
    forgery.document["k"] = forgery.document["scheduler_config"]["attempts"] = 1


@lie(broken(Status.HASH_MISMATCH, BINDING, COVERAGE), caught(Status.COVERAGE_MISMATCH, EVIDENCE, says="where 1 are declared"))
def k_reduced_everywhere(forgery: FloorForgery) -> None:
    """The first attempts are handed in as the only ones, in receipt and bundle."""
    inner = forgery.bundle
    inner.bundle["scheduler_config"]["attempts"] = 1
    inner.bundle["task_results"] = [one for one in inner.results if one["attempt"]["index"] == 1]
    inner.recount()
    if forgery.form == "resigned":
        forgery.document["scheduler_config"]["attempts"] = 1
        forgery.refloor()


@lie(broken(Status.HASH_MISMATCH), caught(Status.COVERAGE_MISMATCH, EVIDENCE, says="attempt 2: COVERAGE_MISMATCH, not in"))
def attempt_stripped(forgery: FloorForgery) -> None:
    """An attempt that failed is left out of the bundle."""
    inner = forgery.bundle
    inner.bundle["task_results"].remove(inner.result(FILES, 2))
    inner.recount()


@lie(
    stale(COVERAGE),
    caught(Status.COVERAGE_MISMATCH, COVERAGE, says="not the tasks of the bundle"),
    variants=("drop", "twice", "order", "add"),
)
def tasks_of_the_receipt_edited(forgery: FloorForgery) -> None:
    """A task that lowers the floor is not spoken of, or another stands twice, or the order is another."""
    results = forgery.document["task_results"]
    match forgery.variant:
        case "drop":
            results.pop(0)
        case "twice":
            results.append(copied(results[1]))
        case "order":
            results.reverse()
        case "add":
            results.append(results[1] | {"task_id": "easy"})


@lie(broken(Status.HASH_MISMATCH, COVERAGE), caught(Status.COVERAGE_MISMATCH, EVIDENCE))
def task_dropped_everywhere(forgery: FloorForgery) -> None:
    """A task that lowers the floor is left out of receipt and bundle."""
    inner = forgery.bundle
    inner.bundle["task_results"] = [one for one in inner.results if one["task_id"] != FILES]
    inner.recoordinate()
    inner.recount()
    if forgery.form == "resigned":
        forgery.refloor()


@lie(stale(COVERAGE), caught(Status.HASH_MISMATCH, COVERAGE, says="task_hash is not the bundle's"))
def task_hash_edited(forgery: FloorForgery) -> None:
    """The receipt is said to be about another version of a task."""
    forgery.task(FILES)["task_hash"] = forgery.task(REFACTOR)["task_hash"]


@lie(broken(Status.HASH_MISMATCH), caught(Status.DIVERGED, EVIDENCE, FLOOR, says="FABRICATED_SCORE, stated passed"))
def attempt_flipped(forgery: FloorForgery) -> None:
    """A failed attempt is stated as passed, with every number to fit."""
    inner = forgery.bundle
    index = next(one["attempt"]["index"] for one in inner.results if one["task_id"] == FILES and not one["passed"])
    inner.state(FILES, index, passed=True)
    inner.recount()
    if forgery.form == "resigned":
        forgery.refloor()


@lie(broken(Status.HASH_MISMATCH), caught(Status.DIVERGED, EVIDENCE))
def everything_fabricated(forgery: FloorForgery) -> None:
    """Receipts without an event, scores of -7, all passed."""
    for result in forgery.bundle.results:
        result["receipt"]["events"] = []
        result |= {"score": -7, "passed": True}


@lie(broken(Status.HASH_MISMATCH), caught(Status.DIVERGED, EVIDENCE, says="self_test is False"))
def self_test_denied(forgery: FloorForgery) -> None:
    """The label of a mock is gone."""
    forgery.bundle.bundle["agent"]["self_test"] = False


@lie(broken(Status.HASH_MISMATCH), Stands("deterministic: k attempts carry one attempt's information"))
def one_attempt_copied(forgery: FloorForgery) -> None:
    """The first attempt at each task is handed in for all of them. Not caught, and said: they tell no more than one."""
    inner = forgery.bundle
    for number, result in enumerate(inner.results):
        first = inner.result(result["task_id"], 1)
        receipt = copied(first["receipt"]) | {"attempt": result["attempt"]}
        kept = {"attempt": result["attempt"], "receipt_hash": result["receipt_hash"], "receipt": receipt}
        inner.results[number] = copied(first) | kept
    inner.recount()
    if forgery.form == "resigned":
        forgery.refloor()


@lie(
    broken(Status.HASH_MISMATCH),
    caught(Status.REUSED_ANSWERS, EVIDENCE, says="one recording counts once"),
    base="recorded",
)
def one_cassette_used_twice(forgery: FloorForgery) -> None:
    """The attempt that passed is handed in for the other one too, recording included."""
    inner = forgery.bundle
    better, worse = inner.result(WRITE, 1), inner.result(WRITE, 2)
    receipt = copied(better["receipt"]) | {"attempt": worse["attempt"]}
    worse.update({name: value for name, value in copied(better).items() if name not in {"attempt", "receipt_hash"}})
    worse["receipt"] = receipt
    inner.recount()
    if forgery.form == "resigned":
        forgery.refloor()


@lie(
    broken(Status.DIVERGED),
    caught(Status.CACHED_ANSWERS, FloorStep.answers, says="call 1 was answered by a cache"),
    base="recorded",
)
def cached_answers(forgery: FloorForgery) -> None:
    """An answer came from a response cache: the second attempt asked nobody."""
    calls = forgery.bundle.cassette(WRITE, 2)["calls"]
    calls[1]["answer_headers"] = sorted([*calls[1]["answer_headers"], ["x-cache", "HIT"]])


# Coordination.


@lie(stale(COORDINATION), caught(Status.COORDINATION_DIVERGED, COORDINATION), variants=("hash", "identical", "whole"))
def coordination_edited(forgery: FloorForgery) -> None:
    """Coordination is stated other than the journals have it."""
    match forgery.variant:
        case "hash":
            forgery.task(FILES)["coordination_hash"] = forgery.task(REFACTOR)["coordination_hash"]
        case "identical":
            forgery.task(FILES)["coordination_identical"] = False
        case "whole":
            forgery.document["coordination_ok"] = False


@lie(
    broken(Status.HASH_MISMATCH),
    caught(
        Status.COORDINATION_DIVERGED,
        COORDINATION,
        says='decision 1: attempt 1 has plan "one model, one shell", attempt 2 plan "two',
    ),
    base="recorded",
    variants=("told", "denied"),
)
def another_decision_in_one_attempt(forgery: FloorForgery) -> None:
    """An orchestrator decided otherwise once. A receipt that says so is no floor; one that denies it lies."""
    events = forgery.bundle.receipt(WRITE, 2)["events"]
    decision = next(event for event in events if event["kind"] == "orchestrator.decision")
    decision["text"] = "two models, no shell"
    forgery.recoordinate()
    if forgery.variant == "told" and forgery.form == "resigned":
        forgery.refloor()


# What the receipt is bound to.


@lie(stale(BINDING), caught(Status.COVERAGE_MISMATCH, BINDING, says="suite_version"))
def suite_version_renamed(forgery: FloorForgery) -> None:
    """The receipt names another suite of the same hash."""
    forgery.document["suite_version"] = "golden-v999"


@lie(stale(BINDING), caught(Status.HASH_MISMATCH, BINDING, says="suite_hash"))
def suite_hash_edited(forgery: FloorForgery) -> None:
    """The receipt names another suite's hash."""
    forgery.document["suite_hash"] = forgery.document["receipt_hash"]


@lie(stale(BINDING), caught(Status.HASH_MISMATCH, BINDING, says="bundle_hash"))
def bundle_hash_edited(forgery: FloorForgery) -> None:
    """The receipt names another bundle than the one inside."""
    forgery.document["bundle_hash"] = forgery.document["receipt_hash"]
    forgery.keep("bundle_hash")


@lie(stale(BINDING), caught(Status.COVERAGE_MISMATCH, BINDING, says="harness"))
def harness_edited(forgery: FloorForgery) -> None:
    """Another program is said to have made it."""
    forgery.document["harness"]["version"] = "99"


@lie(stale(BINDING), caught(Status.MALFORMED_RECEIPT, BINDING, says="emitted_at lies before"))
def emitted_before_its_bundle(forgery: FloorForgery) -> None:
    """The receipt is older than what it is about."""
    forgery.document["emitted_at"] = 1


@lie(stale(), Stands())
def emitted_later(forgery: FloorForgery) -> None:
    """Another time is stated. Not caught: times are the submitter's word."""
    forgery.document["emitted_at"] += 1000


@lie(Unreadable("emitted_at"), Unreadable("emitted_at"), variants=("text", "decimal", "negative"))
def emitted_at_is_no_instant(forgery: FloorForgery) -> None:
    """A time that is none."""
    forgery.document["emitted_at"] = {"text": "yesterday", "decimal": Raw("1.5"), "negative": -1}[forgery.variant]


@lie(caught(Status.MISSING_RECEIPT, EVIDENCE), caught(Status.MISSING_RECEIPT, EVIDENCE))
def bundle_taken_out(forgery: FloorForgery) -> None:
    """The evidence is not there."""
    forgery.inner = None


@lie(Unreadable("the embedded bundle"), Unreadable("the embedded bundle"), variants=("type", "list", "base64"))
def bundle_is_none(forgery: FloorForgery) -> None:
    """What stands in the place of the bundle is none."""
    kind = forgery.variant
    forgery.rewrite = {
        "type": lambda data: data.replace(b'{"_type":"tallystick/bundle/v1"', b'{"_type":"tallystick/suite/v1"'),
        "list": lambda data: re.sub(rb'"bundle":{.*},"bundle_hash"', b'"bundle":[],"bundle_hash"', data),
        "base64": lambda data: data.replace(b'"blobs":{"data":"', b'"blobs":{"data":"!'),
    }[kind]


# The signature.


@lie(caught(Status.UNSIGNED, FloorStep.signature), caught(Status.UNSIGNED, FloorStep.signature))
def receipt_unsigned(forgery: FloorForgery) -> None:
    """The receipt's signature is taken off."""
    for member in ("signature", "signer_fingerprint", "signer_jwk"):
        del forgery.document[member]
    forgery.jws = None


@lie(caught(Status.BAD_SIGNATURE, FloorStep.signature), Stands(), variants=("flipped", "of the bundle"))
def signature_of_another_kind(forgery: FloorForgery) -> None:
    """The signature is bent, or the bundle's. Re-signed it is a valid one by another. Not caught: he claims it himself."""
    said = forgery.document["signature"]
    bundle = forgery.bundle.bundle["signature"]
    forgery.document["signature"] = bundle if forgery.variant == "of the bundle" else said[:-4] + said[:4]


@lie(
    caught(Status.BAD_SIGNATURE, FloorStep.signature),
    caught(Status.BAD_SIGNATURE, FloorStep.signature, says="header"),
)
def signed_as_a_bundle(forgery: FloorForgery) -> None:
    """A signature over the right hash, made as those of bundles are."""
    forgery.jws = Jws()
    forgery.document["signature"] = forgery.bundle.bundle["signature"]


@lie(stale(FloorStep.signature), caught(Status.BAD_SIGNATURE, FloorStep.signature, says="the submitter is"))
def submitter_kept(forgery: FloorForgery) -> None:
    """Somebody else's receipt is claimed."""
    forgery.document["submitter"]["kid"] = "A" * 43
    forgery.keep("submitter")


# The bytes.


@lie(Unreadable("unknown"), Unreadable("unknown"), variants=("top", "task"))
def unknown_member(forgery: FloorForgery) -> None:
    """A member that says something nice and is covered by nothing."""
    holder = forgery.document if forgery.variant == "top" else forgery.task(FILES)
    holder["verified"] = True


@lie(Unreadable("not canonical"), Unreadable("not canonical"))
def member_twice(forgery: FloorForgery) -> None:
    """Two floors, so that two readers see different ones."""
    forgery.document[Twin("pass_caret_k")] = 1


@lie(Unreadable("not JSON"), Unreadable("not JSON"), variants=("half", "brace", "empty"))
def file_cut_off(forgery: FloorForgery) -> None:
    """The file ends too early."""
    cut = {"half": lambda data: data[: len(data) // 2], "brace": lambda data: data[:-1], "empty": lambda data: data[:26]}
    forgery.rewrite = cut[forgery.variant]


@lie(
    Unreadable("not JSON|not canonical|the one way C1 allows"),
    Unreadable("not JSON|not canonical|the one way C1 allows"),
    variants=("NaN", "1.0", "1e0", "01"),
)
def number_outside_the_grammar(forgery: FloorForgery) -> None:
    """A floor in another spelling, or not a number."""
    forgery.document["pass_at_1"] = Raw(forgery.variant)


@lie(Unreadable("k|between|pass"), Unreadable("k|between|pass"), variants=("zero", "many", "boolean", "text"))
def member_of_another_type(forgery: FloorForgery) -> None:
    """K outside its range, or a floor that is no number."""
    match forgery.variant:
        case "zero":
            forgery.document["k"] = 0
        case "many":
            forgery.document["k"] = 101
        case "boolean":
            forgery.document["pass_caret_k"] = True
        case "text":
            forgery.document["pass_caret_k"] = "1"


@lie(Unreadable("nested deeper"), Unreadable("nested deeper"))
def deep_nesting(forgery: FloorForgery) -> None:
    """Brackets enough to exhaust a reader."""
    forgery.document["rates"] = Raw("[" * 100_000 + "]" * 100_000)
