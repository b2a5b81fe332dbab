"""A model's opinion of every graded attempt, asked through a recording gateway after the grade pass.

The interview is the state machine of `scoring.interview`; here its requests are sent to a door of the gateway on this machine's
loopback interface, and what was said is kept as a cassette. Nothing of the attempt changes: an opinion is stored beside it.
"""

from __future__ import annotations

import dataclasses
import http.client
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.core.limits import RECEIPT_BYTES
from tallystick.flows.models import ModelWays
from tallystick.recording.blobs import BlobStore
from tallystick.recording.gateway import Bounds, Gateway, GatewaySpec, Session
from tallystick.recording.runs import RunFolder
from tallystick.records.base import UNSET, UnsetType, digest_of, write
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.evidence import parse_grade
from tallystick.records.opinion import ModelRubric, ModelScores, Opinion, Unjudged
from tallystick.records.state import FinishedAttempt
from tallystick.records.task import Task
from tallystick.records.traffic.apis import PROVIDERS, Provider
from tallystick.records.traffic.cassette import Api, Cassette
from tallystick.records.traffic.rules import EMPTY_RULES
from tallystick.records.traffic.totals import totals_of
from tallystick.records.tree import parse_tree
from tallystick.runner.attempt import Workbench
from tallystick.runner.executor import Executed
from tallystick.runner.models import token_of
from tallystick.scoring.interview import PATHS, TURNS, Answer, Interview, conclude, recorded_calls
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.verdict import derive
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.rubrics import known_rubrics

__all__ = ["JudgeWays", "add_opinions", "judge_of"]

_APIS: Final[Mapping[Provider, Api]] = {"openai": "openai.chat", "anthropic": "anthropic.messages"}
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}").fullmatch
_SECONDS: Final = 600
"""How long an answer may take: the gateway gives a provider less."""
_ANSWER_BYTES: Final = 1024 * 1024
TOKENS: Final = 200_000
"""Tokens that one interview may use."""


@dataclass(frozen=True, slots=True)
class JudgeWays:
    """The model that judges, by which interface it is asked, and how it is reached."""

    api: Api
    model: str
    ways: ModelWays


def judge_of(name: str, ways: ModelWays) -> JudgeWays:
    """The judge of `PROVIDER/MODEL`, or of a model of the provider `openai`.

    Raises:
        InputError: a provider through which no judge is asked, or of which nobody said where it is.
    """
    provider, _, model = name.partition("/") if name.partition("/")[0] in PROVIDERS else ("openai", "", name)
    if provider not in _APIS:
        raise InputError(f"--judge-model {name[:60]!r}: a judge is asked through {' or '.join(_APIS)}")
    if not _MODEL(model):
        raise InputError(f"--judge-model {name[:60]!r}: cannot name a model; letters, digits and . _ : / @ - can")
    if provider not in ways.ways:
        raise InputError(f"--judge-model {name[:60]!r}: no key or base URL of {provider} is set")
    return JudgeWays(_APIS[provider], model, ways)  # type: ignore[index] # it is in _APIS


def add_opinions(judge: JudgeWays, suite: LoadedSuite, folder: RunFolder, executed: Executed, bench: Workbench) -> Executed:
    """The attempts with an opinion on each that was graded and whose task names a rubric; one that has it is not asked again.

    Raises:
        InputError: a task names a rubric that is not here.
    """
    rubrics = known_rubrics()
    tasks = {task.id: task for task in suite.tasks}
    spec = GatewaySpec(
        upstreams=judge.ways.ways,
        rules=EMPTY_RULES,
        prices=judge.ways.prices,
        secrets=tuple(way.key for way in judge.ways.ways.values() if way.key),
    )
    done, store = [], bench.store
    with Gateway(spec, store) as gateway:
        for finished in executed.attempts:
            task = tasks[finished.receipt.task_id]
            if bench.cancel.is_set():
                return dataclasses.replace(executed, stopped=True)
            if not _wanted(judge, task, finished):
                done.append(finished)
                continue
            asker = _Asker(judge, gateway, suite, store)
            judged = msgspec.structs.replace(finished, opinion=asker.ask(task, finished, _rubric(task, rubrics)))
            store.flush()  # first the blobs, then the document that names them
            folder.finish(task.id, judged)
            done.append(judged)
    return dataclasses.replace(executed, attempts=tuple(done))


def _wanted(judge: JudgeWays, task: Task, finished: FinishedAttempt) -> bool:
    if task.rubric is UNSET or finished.receipt.link("grade") is None:
        return False
    held = finished.opinion
    return held is UNSET or held.scores is UNSET or (held.rubric, held.model) != (task.rubric, judge.model)


def _rubric(task: Task, rubrics: Mapping[Digest, ModelRubric]) -> ModelRubric:
    assert task.rubric is not UNSET  # as _wanted has looked
    found = rubrics.get(task.rubric)
    if found is None:
        raise InputError(f"task {task.id} names a rubric for a model that did not come with this tally")
    return found


@dataclass(frozen=True, slots=True)
class _Asker:
    """One interview after the other, each in a session of its own."""

    judge: JudgeWays
    gateway: Gateway
    suite: LoadedSuite
    store: BlobStore

    def ask(self, task: Task, finished: FinishedAttempt, rubric: ModelRubric) -> Opinion:
        """The interview about one attempt; whatever goes wrong with the provider is told by its reason."""
        interview = self._interview(task, finished, rubric)
        receipt = finished.receipt
        token = token_of(receipt.run_id, task.id, receipt.attempt)
        session = self.gateway.session(token, Bounds(calls=TURNS, tokens=TOKENS, cost_usd=task.limits.cost_usd))
        try:
            answers: list[Answer] = []
            port = session.open_here()
            while isinstance(step := interview.step(answers), bytes):
                answers.append(_post(port, PATHS[self.judge.api], token, step))
        finally:
            cassette = _closed(session)
        # What counts is what was recorded, by which everybody else judges too.
        return self._opinion(rubric, cassette, conclude(interview, recorded_calls(cassette, self.store)))

    def _interview(self, task: Task, finished: FinishedAttempt, rubric: ModelRubric) -> Interview:
        receipt, blobs = finished.receipt, ChainedBlobs(self.store, self.suite.blobs)
        final, named = receipt.link("workspace.final"), receipt.link("grade")
        assert final is not None  # a graded attempt was sealed
        assert named is not None
        grade = parse_grade(self.store.read(named))
        at = Workspaces(
            base=self.suite.tree(task.workspace),
            final=parse_tree(self.store.read(final)),
            graded=parse_tree(self.store.read(grade.graded)),
            refused_total=0,
            blobs=blobs,
        )
        output = derive(task, receipt, grade, at).output
        return Interview(self.judge.api, self.judge.model, rubric, instruction(task), output, at)

    def _opinion(self, rubric: ModelRubric, cassette: Cassette, step: ModelScores | Unjudged) -> Opinion:
        used = totals_of(cassette)
        scores: ModelScores | UnsetType = step if isinstance(step, ModelScores) else UNSET
        return Opinion(
            rubric=digest_of(rubric),
            model=self.judge.model,
            cassette=self.store.put(write(cassette, RECEIPT_BYTES)),
            prices=digest_of(self.judge.ways.prices),
            calls=used.calls,
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            cost_usd=used.cost_usd,
            scores=scores,
            unjudged=UNSET if isinstance(step, ModelScores) else step,
        )


def _closed(session: Session) -> Cassette:
    cassette = session.close().cassette
    assert cassette is not None  # a gateway that keeps what is said
    return cassette


def _post(port: int, path: str, token: str, body: bytes) -> Answer:
    """Ask through the door. An answer that did not come whole is told as such; the gateway has recorded what there was."""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json", "anthropic-version": "2023-06-01"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        data = answer.read(_ANSWER_BYTES)
        whole = not answer.read(1)
        return Answer(answer.status, whole, answer.headers.get("content-type", ""), data)
    except (TimeoutError, http.client.HTTPException, OSError):
        return Answer(0, complete=False, content_type="", data=b"")
    finally:
        connection.close()
