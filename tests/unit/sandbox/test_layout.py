"""Where copies of this package are looked for, and what of a Python is shown that shares its folder with other things."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.sandbox.layout import copies_below, installation


@pytest.mark.parametrize(
    "site",
    [
        "lib/python3.11/site-packages",
        "lib/python3/dist-packages",
        "lib64/python3.12/site-packages",
        "local/lib/python3.11/dist-packages",
        "local/lib/python3.11/site-packages",
        "envs/agent/lib/python3.13/site-packages",
        "venv/lib/python3.12/site-packages",
        "pkgs/tallystick-1.0-py_0/site-packages",
        "pkgs/tallystick-1.0-py312_0/lib/python3.12/site-packages",
    ],
)
def test_copies_are_found_in(site: str, tmp_path: Path) -> None:
    for name in ("tallystick", "tallystick-1.0.dist-info", "other"):
        (tmp_path / site / name).mkdir(parents=True)
    found = {str(tmp_path / site / name) for name in ("tallystick", "tallystick-1.0.dist-info")}
    assert set(copies_below(tmp_path)) == found


def test_a_python_of_its_own_folder_is_shown_whole(tmp_path: Path) -> None:
    assert installation(str(tmp_path / "py"), str(tmp_path)) == [str(tmp_path / "py")]


@pytest.mark.parametrize("prefix", ["home", "home/.local", "."])
def test_a_python_among_other_things_is_shown_without_them(prefix: str, tmp_path: Path) -> None:
    top = (tmp_path / prefix).resolve()
    for name in ("bin", "lib/python3.11", "share", ".ssh"):
        (top / name).mkdir(parents=True)
    assert installation(str(top), str(tmp_path / "home")) == [f"{top}/bin", f"{top}/lib"]
