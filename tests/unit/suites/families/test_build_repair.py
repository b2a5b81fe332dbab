"""The drawn build, made in this process: with its faults, with some repaired, with none."""

import runpy
from collections.abc import Mapping
from pathlib import Path

import pytest

from tallystick.suites.families.build_repair.delivery import ROLES, Shop, delivered, draw_goods, draw_shop
from tallystick.suites.families.build_repair.faults import draw_faults, loud_faults, silent_faults
from tallystick.suites.families.draws import Draws
from tests.unit.suites.families.drawn import made

NAME = "build_repair"


def built(folder: Path, files: Mapping[str, str], overlay: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files of out/ by name, after a build of the workspace with an overlay."""
    for prefix in ("workspace/", f"{overlay}/"):
        for path, text in files.items():
            if path.startswith(prefix):
                place = folder / path.removeprefix(prefix)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        runpy.run_path("build.py", run_name="__main__")
    return {path.name: path.read_bytes() for path in (folder / "out").glob("*")}


def expected(seed: int) -> tuple[Shop, dict[str, bytes]]:
    draws = Draws("task", NAME, str(seed), "1")
    shop = draw_shop(draws.apart("shop"))
    return shop, delivered(shop, draw_goods(shop, draws.apart("goods")))


def right(seed: int, folder: Path, overlay: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The roles whose files are as they must be."""
    shop, wanted = expected(seed)
    found = built(folder, made(NAME, seed), overlay, monkeypatch)
    return [role for role in ROLES if found.get(f"{shop.name(role)}.txt") == wanted[role]]


STAGES = [
    ("nothing", 0),
    *(
        (f"partials/{name}", at)
        for at, name in enumerate(
            ("one_file_right", "two_files_right", "three_files_right", "four_files_right", "five_files_right"), 1
        )
    ),
    ("solution", 6),
    ("cheats/messages_silenced", 0),
    ("cheats/answers_in_config", 6),
]


@pytest.mark.parametrize(("overlay", "count"), STAGES)
def test_files_are_right_stage_by_stage(
    overlay: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(40):
        folder = tmp_path / str(seed)
        assert right(seed, folder, overlay, monkeypatch) == list(ROLES[:count]), seed
    said = capsys.readouterr().err
    assert (said == "") == (overlay in {"solution", "cheats/messages_silenced", "cheats/answers_in_config"})


def test_faults_differ() -> None:
    drawn = set()
    for seed in range(100):
        draws = Draws("task", NAME, str(seed), "1")
        shop = draw_shop(draws.apart("shop"))
        faults = draw_faults(shop, draws.apart("faults"))
        drawn.add(repr(faults))
        loud = [fault for role in ROLES for fault in faults[role] if fault in loud_faults(shop)[role]]
        assert len(loud) == 3
        assert all(faults[role][0] in silent_faults(shop)[role] for role in ROLES)
    assert len(drawn) == 100
