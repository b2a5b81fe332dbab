"""Every lie about a floor, edited and re-signed: status and step, exactly."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from tallystick.cli.main import run as tally
from tallystick.core.errors import InputError
from tallystick.flows.reliability import publish_reliability, verify_reliability_path
from tallystick.flows.run import RunRequest, run
from tallystick.flows.verify import VerifyRequest
from tallystick.records.reliability import FloorStep, ReliabilityReport
from tallystick.records.report import Status
from tallystick.runner.mock import StochasticMockAdapter
from tallystick.sandbox.drivers import probe
from tallystick.suites.loading import load_suite
from tallystick.trust.policy import SignerPolicy
from tallystick.trust.signing import Signer
from tests.attacks_on_floors import lies
from tests.attacks_on_floors.kit import LIES, Caught, FloorForgery, Stands, Unreadable
from tests.support.forge import Form
from tests.support.recorded import RECORDED, record

pytestmark = pytest.mark.xdist_group("attacks")
SIGNER = Signer.generate()
SEED = 0
"""With it the stochastic mock passes some tasks always, some sometimes, some never."""
assert lies.__doc__


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("plain")
    done = run(RunRequest(load_suite("golden-v1"), StochasticMockAdapter(SEED), folder / "state", attempts=3))
    return publish_reliability(done, SIGNER, folder / "r.json").path.read_bytes()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    seen = probe()
    if not seen.works:
        pytest.skip(f"bubblewrap cannot start here: {seen.problem}")
    folder = tmp_path_factory.mktemp("recorded")
    return publish_reliability(record(folder), SIGNER, folder / "r.json").path.read_bytes()


@dataclass(frozen=True)
class Case:
    name: str
    variant: str
    form: Form

    def __str__(self) -> str:
        return "-".join(part for part in (self.name, self.variant, self.form) if part)


def cases() -> Iterator[Case]:
    for name, lie in LIES.items():
        yield from (Case(name, variant, form) for variant in lie.variants for form in get_args(Form))


def look(data: bytes, base: str, folder: Path, **members: object) -> ReliabilityReport | InputError:
    path = folder / "lie.json"
    path.write_bytes(data)
    suite = RECORDED if base == "recorded" else None
    try:
        return verify_reliability_path(VerifyRequest(path, suite=suite, execute=False, **members))  # type: ignore[arg-type]
    except InputError as error:
        return error


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_lie(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    lie = LIES[case.name]
    honest: bytes = request.getfixturevalue(lie.base)
    forgery = FloorForgery.of(honest, case.form, case.variant)
    lie.tell(forgery)
    data = forgery.bytes()
    assert data != honest
    found = look(data, lie.base, tmp_path)
    match lie.edited if case.form == "edited" else lie.resigned:
        case Unreadable(says):
            assert isinstance(found, InputError), found
            assert re.search(says, str(found)), found
            assert (found.exit_code, "\n" in str(found)) == (2, False)
        case Caught(status, steps, says):
            assert isinstance(found, ReliabilityReport), found
            failed = {FloorStep(step.step) for step in found.steps if step.state == "failed"}
            assert (found.status, failed) == (status, steps), found.reasons
            assert any(re.search(says, reason) for reason in found.reasons), found.reasons
            assert found.level in {"claimed", "intact"}
        case Stands(says):
            assert isinstance(found, ReliabilityReport), found
            assert (found.status, found.reasons) == (Status.MATCH, ())
            assert re.search(says, found.information)


@pytest.mark.parametrize("base", ["plain", "recorded"])
@pytest.mark.parametrize("form", get_args(Form))
def test_bench_itself_adds_no_lie(base: str, form: Form, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    honest: bytes = request.getfixturevalue(base)
    data = FloorForgery.of(honest, form).bytes()
    assert (data == honest) == (form == "edited")
    found = look(data, base, tmp_path)
    assert isinstance(found, ReliabilityReport), found
    assert (found.status, found.reasons, found.level) == (Status.MATCH, (), "rederived")


def test_a_stranger_is_refused_where_trust_is_required(plain: bytes, tmp_path: Path) -> None:
    forged = FloorForgery.of(plain, "resigned").bytes()
    policy = SignerPolicy(trusted=frozenset({SIGNER.public.kid}))
    for data, status in ((plain, Status.MATCH), (forged, Status.UNTRUSTED_SIGNER)):
        found = look(data, "plain", tmp_path, require_trusted_signer=True, policy=policy)
        assert isinstance(found, ReliabilityReport)
        assert found.status is status


@pytest.mark.parametrize("name", list(LIES))
def test_lie_is_explained(name: str) -> None:
    lie = LIES[name]
    said = lie.tell.__doc__ or ""
    assert said
    assert ("Not caught" in said) == any(isinstance(found, Stands) for found in (lie.edited, lie.resigned))


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [("floor_edited", 1, "FABRICATED_FLOOR"), ("k_reduced", 1, "COVERAGE_MISMATCH"), ("member_twice", 2, "not canonical")],
)
def test_command_line_says_the_same(name: str, code: int, says: str, plain: bytes, tmp_path: Path) -> None:
    forgery = FloorForgery.of(plain, "resigned", LIES[name].variants[0])
    LIES[name].tell(forgery)
    path = tmp_path / "lie.json"
    path.write_bytes(forgery.bytes())
    for command in (["verify", "--no-exec"], ["bench", "reliability-verify", "--no-exec"]):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            assert tally([*command, str(path)]) == code
        assert says in out.getvalue() + err.getvalue()
        assert "Traceback" not in out.getvalue() + err.getvalue()
