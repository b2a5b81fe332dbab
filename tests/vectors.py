"""Public test vectors, written by others and kept beside the project: `../shared/data`, or `TALLY_TEST_DATA`."""

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from tests.repo.project import ROOT

# Read when this module is imported: the session's own environment hides every TALLY_ setting.
DATA: Final = Path(os.environ.get("TALLY_TEST_DATA") or ROOT.parent / "shared" / "data")

needed = pytest.mark.skipif(not (DATA / "vectors").is_dir(), reason=f"no public test vectors in {DATA}")


def load(path: str) -> Any:
    """Return the parsed JSON file at `path` below the vectors' folder; an empty object where there are no vectors."""
    file = DATA / "vectors" / path
    return json.loads(file.read_bytes()) if file.is_file() else {}
