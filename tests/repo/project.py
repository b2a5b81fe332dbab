"""Where the project's files are, for the tests about the repository itself."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SRC: Final = ROOT / "src"
PACKAGE: Final = SRC / "tallystick"
PACKAGED: Final = PACKAGE / "suites" / "packaged"
# What tools leave in the checkout, where there is no git to tell it from the project's files.
_LEFTOVERS: Final = re.compile(r"\.git|\.venv|\.tally|build|dist|\.hypothesis|\..*_cache")


def files() -> list[Path]:
    """Return every file of the project that exists, as absolute paths; ignored ones are left out."""
    listed = _listed_by_git()
    if listed is None:
        return [path for path in sorted(ROOT.rglob("*")) if path.is_file() and not _is_leftover(path)]
    return [path for name in listed if (path := ROOT / name).is_file()]


def _listed_by_git() -> list[str] | None:
    """Return names below the root; None in an unpacked sdist, without git, or where git refuses to look."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return None
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, check=False)
    return [name for name in done.stdout.decode().split("\0") if name] if done.returncode == 0 else None


def _is_leftover(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return "__pycache__" in parts or _LEFTOVERS.fullmatch(parts[0]) is not None


def is_task_data(path: Path) -> bool:
    """Whether a file belongs to packaged tasks or to the parts of a task family: data, whatever its name."""
    parts = path.relative_to(PACKAGE).parts if path.is_relative_to(PACKAGE) else ()
    return parts[:2] == ("suites", "packaged") or (parts[:2] == ("suites", "families") and parts[3:4] == ("parts",))


def texts(*, packaged: bool = False) -> list[tuple[str, str]]:
    """Return (path below the root, content) of every text file; those of packaged suites only when asked for."""
    found = []
    for path in files():
        if not packaged and is_task_data(path):
            continue
        try:
            found.append((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue  # vectors and fixtures of raw bytes
    return found
