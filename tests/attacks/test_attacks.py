"""Every lie of this folder, edited and re-signed, in both containers: where verification names it, exactly.

A case compares the whole finding: status, the steps that failed, the attempts that failed and where, what is said, the exit
code. What evidence in a file cannot show is a case too: it verifies, its README says so, and the day it is caught it fails.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal, get_args

import pytest

from tallystick.cli.main import run as tally
from tallystick.cli.verify import exit_code
from tallystick.core.c1 import C1Error
from tallystick.core.errors import InputError
from tallystick.core.exact import to_num
from tallystick.flows.verify import VerifyRequest, verify_path
from tallystick.records.base import MalformedError, NewerVersionError
from tallystick.records.containers import ContainerError
from tallystick.records.report import NOT_PROVEN, Report
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite
from tallystick.trust.policy import SignerPolicy
from tests.attacks.conftest import Honest
from tests.attacks.kit import ALL, Caught, Container, Found, Lie, Stands, Status, Step, Unreadable
from tests.support.forge import Forgery, Form
from tests.support.forge_traffic import Tape
from tests.support.recorded import ATTEMPTS

pytestmark = pytest.mark.xdist_group("attacks")
"""One worker makes the honest bundles, once."""

HERE = Path(__file__).parent
LIES: dict[str, Lie] = {
    folder.name: import_module(f"tests.attacks.{folder.name}.lie").LIE
    for folder in sorted(HERE.iterdir())
    if (folder / "lie.py").is_file()
}
REFUSED_AT: dict[type[InputError], Step] = {
    ContainerError: Step.container,
    C1Error: Step.canonical,
    MalformedError: Step.schema,
    NewerVersionError: Step.schema,
    InputError: Step.suite,
}
"""Which step an error stands for that ends reading: nothing is given out before these steps are passed."""


@dataclass(frozen=True)
class Case:
    name: str
    variant: str
    form: Form
    container: Container
    run: Literal["", "regraded", "replayed"] = ""
    """What is run again."""

    @property
    def lie(self) -> Lie:
        return LIES[self.name]

    @property
    def expected(self) -> Found:
        lie = self.lie
        if self.run:
            found = lie.regraded if self.run == "regraded" else lie.replayed
            assert found is not None
            return found
        usual = lie.edited if self.form == "edited" else lie.resigned
        return (lie.tally or {}).get(self.form, usual) if self.container == "tally" else usual

    def __str__(self) -> str:
        parts = (self.name, self.variant, self.form, self.container, self.run)
        return "-".join(part for part in parts if part)


def cases() -> Iterator[Case]:
    """Every variant in both forms; in its other container the first one, since a document is read by the same code in both."""
    for name, lie in LIES.items():
        for variant in lie.variants:
            containers = lie.containers if variant == lie.variants[0] or lie.tally else lie.containers[:1]
            for form in get_args(Form):
                yield from (Case(name, variant, form, container) for container in containers)
        if lie.regraded is not None:
            yield Case(name, lie.variants[0], "resigned", "json", "regraded")
        if lie.replayed is not None:
            yield Case(name, lie.variants[0], "resigned", "json", "replayed")


def forged(honest: Honest, case: Case) -> bytes:
    lie = case.lie
    base = honest.donor if lie.base == "donor" else honest.json
    forgery = Forgery.of(base, case.form, case.variant)
    forgery.other = honest.donor
    if lie.tell is not None:
        lie.tell(forgery)
    forgery.finish()
    data = forgery.json() if case.container == "json" else forgery.tally()
    return data if lie.rewrite is None else lie.rewrite(data, case.container, case.variant)


@cache
def golden() -> LoadedSuite:
    return load_suite("golden-v1")


def look(path: Path, case: Case, honest: Honest) -> Report | InputError:
    """What verification finds; reading a file that is none ends in an error."""
    lie = case.lie
    request = VerifyRequest(
        path,
        suite=(honest.suite or golden()) if lie.names_suite else None,
        execute=bool(case.run),
        replay=honest.replay if case.run == "replayed" else None,
        require_trusted_signer=lie.trusted_only,
        policy=SignerPolicy(trusted=frozenset({honest.kid}) if lie.trusted_only else frozenset()),
    )
    try:
        return verify_path(request)
    except InputError as error:
        return error


def failed_rows(report: Report) -> dict[tuple[str, int], tuple[Status, Step]]:
    return {
        (row.task_id, row.attempt): (row.status, Step(int(row.step)))  # type: ignore[arg-type]
        for row in report.rows
        if row.status is not Status.MATCH
    }


def failed_for_the_whole(report: Report) -> set[Step]:
    return {Step(int(found[1])) for reason in report.reasons if (found := re.match(r"step ([0-9]+), ", reason))}


def check_caught(report: Report, expected: Caught) -> None:
    found = (report.status, failed_for_the_whole(report), failed_rows(report))
    assert found == (expected.status, set(expected.whole), dict(expected.rows or {})), report.reasons
    steps = {Step(result.step) for result in report.steps if result.state == "failed"}
    assert steps == set(expected.whole) | {step for _, step in (expected.rows or {}).values()}
    assert any(re.search(expected.says, reason) for reason in report.reasons), report.reasons
    assert expected.level in {None, report.level}
    assert exit_code(report) == 1


def check_stands(report: Report, expected: Stands) -> None:
    assert report.status is Status.MATCH, report.reasons
    assert (report.level, report.signer, report.attempts) == (expected.level, expected.signer, expected.attempts)
    assert expected.passed in {None, report.passed}
    assert expected.references in {None, sum(row.equals_reference is True for row in report.rows)}
    assert report.not_proven == NOT_PROVEN
    told = [step.note for step in report.steps] + [row.reason for row in report.rows]
    assert any(re.search(expected.says, one) for one in told), told
    assert report.pass_rate == to_num(Fraction(report.passed, report.attempts))
    assert exit_code(report) == 0


def check_unreadable(error: InputError, expected: Unreadable) -> None:
    kinds = [kind for kind in type(error).__mro__ if kind in REFUSED_AT]
    assert REFUSED_AT[kinds[0]] is expected.step, error
    assert re.search(expected.says, str(error)), error
    assert "\n" not in str(error)
    assert error.exit_code == 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lies")


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_lie(case: Case, folder: Path, request: pytest.FixtureRequest) -> None:
    honest: Honest = request.getfixturevalue(case.lie.base if case.lie.base in {"recorded", "judged"} else "honest")
    data = forged(honest, case)
    assert data != plain_file(honest, case.lie.base, case.form, case.container), "the lie changes nothing"
    path = folder / f"lie.{case.container}"
    path.write_bytes(data)
    found = look(path, case, honest)
    match case.expected:
        case Unreadable() as expected:
            assert isinstance(found, InputError), found
            check_unreadable(found, expected)
        case Caught() as expected:
            assert isinstance(found, Report), found
            check_caught(found, expected)
        case Stands() as expected:
            assert isinstance(found, Report), found
            check_stands(found, expected)


@cache
def plain_file(honest: Honest, base: str, form: Form, container: Container) -> bytes:
    """The file that this form gives without any lie."""
    forgery = Forgery.of(honest.donor if base == "donor" else honest.json, form)
    forgery.finish()
    return forgery.json() if container == "json" else forgery.tally()


@pytest.mark.parametrize("form", get_args(Form))
def test_bench_itself_adds_no_lie(form: Form, honest: Honest, tmp_path: Path) -> None:
    """Taken apart and put together again, the honest bundle verifies to the last step, graders run again."""
    forgery = Forgery.of(honest.json, form)
    forgery.finish()
    made = {"json": forgery.json(), "tally": forgery.tally()}
    if form == "edited":
        assert made == {"json": honest.json, "tally": honest.tally}
    assert made["json"] == plain_file(honest, "honest", form, "json")
    for container, data in made.items():
        path = tmp_path / f"honest.{container}"
        path.write_bytes(data)
        report = verify_path(VerifyRequest(path, execute=container == "json"))
        assert (report.status, report.reasons, report.passed) == (Status.MATCH, (), 6)
        assert [(row.task_id, row.attempt) for row in report.rows] == list(ALL)
        assert report.level == ("regraded" if container == "json" else "rederived")


@pytest.mark.parametrize("form", get_args(Form))
def test_bench_adds_no_lie_to_a_recording(form: Form, recorded: Honest, tmp_path: Path) -> None:
    """The recorded bundle likewise, also with every call told anew, and the agent run again."""
    forgery = Forgery.of(recorded.json, form)
    forgery.finish()
    if form == "edited":
        assert (forgery.json(), forgery.tally()) == (recorded.json, recorded.tally)
    else:
        forgery = Forgery.of(recorded.json, form)
        for task, index in ATTEMPTS:
            tape = Tape(forgery, task, index)
            tape.whole()
            for number, call in enumerate(tape.calls):
                tape.put_answer(number, forgery.blobs[call["answer"]])
                tape.normalise(number)
            tape.follow()
        forgery.finish()
    path = tmp_path / "recorded.json"
    path.write_bytes(forgery.json())
    report = verify_path(VerifyRequest(path, suite=recorded.suite, replay=recorded.replay))
    assert report.reasons == ()
    assert (report.status, report.passed, report.level) == (Status.MATCH, 3, "replayed")


@pytest.mark.parametrize("name", list(LIES))
def test_lie_is_explained(name: str) -> None:
    """Two to four lines; where a lie stands, the page admits it."""
    lie = LIES[name]
    lines = (HERE / name / "README.md").read_text().splitlines()
    assert lines[0] == f"# {name.replace('_', ' ').capitalize()}"
    body = [line for line in lines[1:] if line]
    assert 2 <= len(body) <= 4
    stands = any(isinstance(found, Stands) for found in (lie.edited, lie.resigned, lie.regraded, lie.replayed))
    assert ("Not caught" in " ".join(body)) == stands


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("verdict_flipped", 1, "FABRICATED_SCORE"),
        ("member_twice", 2, "not canonical"),
        ("best_of_two", 0, "MATCH"),
        ("tar_member_name", 2, "no member named"),
    ],
)
def test_command_line_says_the_same(name: str, code: int, says: str, honest: Honest, tmp_path: Path) -> None:
    lie = LIES[name]
    case = Case(name, lie.variants[0], "resigned", lie.containers[0])
    path = tmp_path / f"lie.{case.container}"
    path.write_bytes(forged(honest, case))
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        assert tally(["verify", "--no-exec", str(path)]) == code
    assert says in out.getvalue() + err.getvalue()
    assert "Traceback" not in out.getvalue() + err.getvalue()
