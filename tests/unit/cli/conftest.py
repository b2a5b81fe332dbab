"""Running `tally` in this process, in a folder and with keys of the test's own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tallystick.cli.main import run


@dataclass(frozen=True)
class Said:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


Tally = Callable[..., Said]


@pytest.fixture
def tally(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Run a command line as `tally` would, in `tmp_path`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def call(*args: str) -> Said:
        capfd.readouterr()
        code = run(args)
        said = capfd.readouterr()
        return Said(code, said.out, said.err)

    return call


@pytest.fixture(scope="session")
def mock_bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A signed bundle of golden-v1, made by the hermetic mock: no sandbox, no program."""
    folder = tmp_path_factory.mktemp("mock")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        line = ["run", "golden-v1", "--agent", "mock", "-q", "--state", str(folder / "s"), "--out", str(folder / "b.json")]
        assert run(line) == 0
    return (folder / "b.json").read_bytes()


@pytest.fixture
def bundle(mock_bundle: bytes, tmp_path: Path) -> Path:
    """That bundle as a file."""
    path = tmp_path / "b.json"
    path.write_bytes(mock_bundle)
    return path
