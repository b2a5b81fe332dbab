"""docs/spec/verify.md names the steps, statuses and transitions of the code, and no others."""

import re

from tallystick.records.report import STEPS, Status, Step
from tallystick.verify.journal import TRANSITIONS
from tests.repo.project import ROOT

PAGE = (ROOT / "docs" / "spec" / "verify.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.partition(f"# {title}\n")[2].partition("\n#")[0]


def test_steps_have_the_same_numbers_and_titles() -> None:
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", section("Steps"), re.MULTILINE)
    assert rows == [(str(int(step)), STEPS[step]) for step in Step]


def test_every_status_has_its_line() -> None:
    assert re.findall(r"^\| ([A-Z_]+) \|", section("Statuses"), re.MULTILINE) == [status.value for status in Status]


def test_every_status_of_a_step_is_a_status() -> None:
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", section("Steps")))
    assert named <= {status.value for status in Status}


def test_the_table_of_journals_is_the_codes() -> None:
    rows = re.findall(r"^\| `([a-z.]+)` \| (.+) \|$", section("Legal journals"), re.MULTILINE)
    page = {after: re.findall(r"`([a-z.]+)`", may) for after, may in rows}
    kinds = {cls: str(cls.__struct_config__.tag) for cls in TRANSITIONS}
    code = {kinds[cls]: [kinds[may] for may in following] for cls, following in TRANSITIONS.items() if following}
    assert page == code
