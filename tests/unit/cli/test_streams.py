"""Standard streams that are closed, full or read by nobody change no exit code but that of output which was wanted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"
TALLY = f"{sys.executable} -P -c 'from tallystick.cli.main import main; main()'"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which `$TALLY` is the command."""
    env = {**os.environ, "XDG_CONFIG_HOME": str(folder / "config"), "HOME": str(folder), "PYTHONPATH": str(SOURCE)}
    command = ["bash", "-c", line.replace("$TALLY", TALLY)]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("args", "code"), [("--version", 0), ("key list", 0), ("suite list", 0), ("key show absent", 2), ("nonsense", 2)]
)
def test_a_closed_stream_leaves_the_exit_code_that_of_the_work(args: str, code: int, closed: str, tmp_path: Path) -> None:
    done = shell(f"$TALLY {args} {closed}", tmp_path)
    assert (done.returncode, "bug" in done.stderr, "Traceback" in done.stderr) == (code, False, False)


def test_a_run_ends_well_with_all_streams_closed_and_writes_to_none_of_its_files(tmp_path: Path) -> None:
    done = shell("$TALLY run golden-v1 --agent mock --out b.json <&- >&- 2>&- && $TALLY verify b.json 2>&-", tmp_path)
    assert done.returncode == 0
    assert "overall     : MATCH" in done.stdout


def test_nobody_reading_the_notices_stops_no_run(tmp_path: Path) -> None:
    done = shell("($TALLY run golden-v1 --agent mock --out b.json; echo $? > code) 2>&1 >/dev/null | true; cat code", tmp_path)
    assert done.stdout == "0\n"


def test_a_full_disk_is_one_line_and_no_trace_at_exit(tmp_path: Path) -> None:
    done = shell("$TALLY suite list >/dev/full", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "tally: the system refused: no space left on device\n"
