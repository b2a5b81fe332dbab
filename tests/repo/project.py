"""Where the project's files are, for the tests about the repository itself."""

import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SRC: Final = ROOT / "src"
PACKAGE: Final = SRC / "tallystick"
PACKAGED: Final = PACKAGE / "suites" / "packaged"
# Files of tools and caches, where there is no git to tell them from the project's.
_OTHERS: Final = frozenset({".git", ".venv", "build", "dist", ".tally", "__pycache__"})


def files() -> list[Path]:
    """Return every file of the project that exists, as absolute paths; ignored ones are left out."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=False) if (ROOT / ".git").exists() else None
    if listed is None or listed.returncode != 0:
        return [path for path in sorted(ROOT.rglob("*")) if path.is_file() and not _is_other(path)]
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def _is_other(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return any(part in _OTHERS or part.endswith(("_cache", ".egg-info")) for part in parts)


def texts(*, packaged: bool = False) -> list[tuple[str, str]]:
    """Return (path below the root, content) of every text file; those of packaged suites only when asked for."""
    found = []
    for path in files():
        if not packaged and path.is_relative_to(PACKAGED):
            continue
        try:
            found.append((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue  # vectors and fixtures of raw bytes
    return found
