"""The family of a review: what is called a defect changes what a function does, what is called sound does not."""

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.review_findings import _CHANGED, FAMILY, _draw_change, _draw_values
from tallystick.suites.families.review_findings.sites import MODULES, compose, draw_blocks

SEEDS = range(12)
Space = dict[str, Any]


def drawn(seed: int) -> Draws:
    return Draws("task", FAMILY.name, str(seed), "1")


def spaces(seed: int, state: str) -> tuple[dict[str, Space], dict[str, str]]:
    """The names that each module defines, all sites in one state, and the drawn values."""
    values = _draw_values(drawn(seed))
    blocks = draw_blocks(drawn(seed), values)
    states = {block.site: state for _, found in blocks.values() for block in found}
    made: dict[str, Space] = {}
    for module in MODULES:
        text = re.sub(r"^from " + values["pkg"] + r".*\n", "", compose(*blocks[module], states).text, flags=re.MULTILINE)
        space: Space = {}
        exec(compile(text, module, "exec"), space)
        made[module] = space
    made["app"]["IntakeError"] = made["intake"]["IntakeError"]
    made["app"]["deals"] = type("deals", (), {"is_free": staticmethod(made["deals"]["is_free"])})
    return made, values


def told(call: Callable[[], object]) -> object:
    try:
        return call()
    except Exception as error:  # noqa: BLE001  # what is raised is an answer
        return type(error).__name__


def deal(number: int, start: int, end: int, **more: object) -> dict[str, Any]:
    return {"number": number, "start": start, "end": end, "count": 1, "notes": ["a"], **more}


def store_answers(store: Space, tmp: Path) -> dict[str, object]:
    damaged, lock = tmp / "damaged.json", tmp / "lock"
    damaged.write_text("{", encoding="utf-8")
    lock.unlink(missing_ok=True)
    first = told(lambda: store["locked"](lock, lambda: 1 / 0))
    streams: list[IO[str]] = []
    store["open"] = lambda *args, **more: streams.append(open(*args, **more)) or streams[-1]  # noqa: PTH123, SIM115  # as asked
    store["journal"](tmp / "journal", " ")
    closed = [stream.closed for stream in streams]
    for stream in streams:
        stream.close()
    return {
        "load": (told(lambda: store["load"](damaged)), store["load"](tmp / "none")),
        "journal": all(closed),
        "locked": (first, lock.exists()),
    }


def app_answers(app: Space, item: str) -> dict[str, object]:
    def book(row: str) -> None:
        if row == "bad":
            raise app["IntakeError"]("refused")

    heard: list[str] = []
    known = [deal(1, 10, 20, **{item: "a"})]
    return {
        "take_in": ([app["take_in"](rows, book, heard.append) for rows in (["bad", "good"], ["good"])], heard),
        "is_free": tuple(told(lambda at=at: app["offers"](known, ["a", "b"], at, at + 5)) for at in (0, 12, 20)),
    }


def answers(made: dict[str, Space], values: dict[str, str], tmp: Path) -> dict[str, object]:
    """What the functions of each site say to the same questions."""
    rates, deals, report, intake = (made[name] for name in ("rates", "deals", "report", "intake"))
    hour, item, guest = int(values["hour"]), values["item"], values["guest"]
    first = rates["rate_table"]()
    first.clear()
    noted = deal(1, 2, 3)
    deals["with_note"](noted, "b")
    tied = [deal(3, 5, 6), deal(2, 5, 6), deal(1, 1, 2)]
    known = intake[f"{values['item_upper']}S"][0]
    people = [deal(1, 2, 3, **{guest: name}) for name in (10, 1, 8)]
    return {
        "long_rate": [rates["daily_cents"](days) for days in range(1, 20)],
        "deposit": [rates["deposit_cents"](cents) for cents in range(200)],
        "price_text": [rates["price_cents"](text) for text in ("19.99", "12.5", "7", "1.10")],
        "late_fee": [rates["late_fee"](deal(1, 0, 9 * hour), 9 * hour + late) for late in (0, 1, hour, hour + 1, 5 * hour)],
        "rate_table": len(rates["rate_table"]()),
        "too_long": [deals["too_long"](deal(1, 0, int(values["most_days"]) * 24 * hour + by)) for by in (-1, 0, 1)],
        "taken_at": [deals["taken_at"](deal(1, 10, 20), moment) for moment in (9, 10, 19, 20, 21)],
        "with_note": noted["notes"],
        "newest": [each["number"] for each in deals["newest"](tied, 2)],
        "position": [len(deals["put"](tied, deal(number, 0, 0))) for number in (3, 2, 1, 9)],
        "guests": report[f"{guest}s"](people),
        "page": [report["page"](list(range(90)), number) for number in (1, 2)],
        "count": [told(lambda text=text: intake["count_of"]({"count": text})) for text in ("0", "1", "99", "x")],
        "export_name": [told(lambda text=text: intake["export_name"](text)) for text in ("a-1", "", "a/b", "../a")],
        "known_item": [told(lambda text=text: intake[f"{item}_of"]({item: text})) for text in (known, known[:2], "zzz")],
        **store_answers(made["store"], tmp),
        **app_answers(made["app"], item),
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_sound_changes_keep_and_defects_change_the_behaviour(seed: int, tmp_path: Path) -> None:
    old, sound = (answers(*spaces(seed, state), tmp_path) for state in ("old", "sound"))
    assert old == sound
    fault = answers(*spaces(seed, "fault"), tmp_path)
    assert {site for site in sound if fault[site] == sound[site]} == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_findings_of_the_solution_are_the_defects(seed: int) -> None:
    made = FAMILY.make(drawn(seed))
    change = _draw_change(drawn(seed).apart("change"), _draw_values(drawn(seed).apart("values")))
    findings = json.loads(made["solution/findings.json"])
    defects = ast.literal_eval(made["grader/grade.py"].split("DEFECTS = ")[1].split("FILES = ")[0])
    assert 5 <= len(findings) == len(defects) <= 7
    assert len(change.states) == _CHANGED
    for each in findings:
        assert any(row[0] == each["file"] and row[3] == each["kind"] and row[1] <= each["line"] <= row[2] for row in defects)
        assert 1 <= each["line"] <= made[f"workspace/{each['file']}"].count("\n")


def test_no_mark_and_no_place_is_left_in_sight() -> None:
    for seed in SEEDS:
        made = FAMILY.make(drawn(seed))
        assert not [path for path, text in made.items() if "#!" in text or "@{" in text]


def test_a_change_of_one_seed_is_sound_in_one_and_a_defect_in_another() -> None:
    kinds = [_draw_change(drawn(seed).apart("change"), _draw_values(drawn(seed).apart("values"))).states for seed in range(60)]
    sites = {site for states in kinds for site in states}
    assert len(sites) == 20
    assert all({states.get(site) for states in kinds} == {None, "sound", "fault"} for site in sites)


def test_seeds_make_different_reviews() -> None:
    assert len({FAMILY.make(drawn(seed))["workspace/change.patch"] for seed in range(100)}) == 100
