"""Drawing an ordinary suite from families and a seed. Whoever draws it again gets the same tasks, hash for hash.

Task n of a family (from 1) is made from the stream `task, <family>, <seed>, <n>` (`draws.Draws`) and has the id `<family>-<n>`.
Drawn tasks name the judge `JUDGE`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, write
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.judgement import StaticRubric
from tallystick.records.task import SEED, DrawnFrom, Suite, parse_suite
from tallystick.records.tree import Tree
from tallystick.suites.authoring import compile_suite
from tallystick.suites.families import family_digest, load_family
from tallystick.suites.families.draws import Draws
from tallystick.suites.loaded import LoadedSuite, SuiteError

__all__ = ["DrawRequest", "draw", "drawn_again"]

JUDGE: Final[StaticRubric] = "static-v1"
_IS_SEED: Final = re.compile(SEED).match


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """What to draw: `counts` tasks of each family, in this order. `beacon` is the digest of the file the seed comes from."""

    version: str
    seed: str
    counts: Mapping[str, int]
    beacon: Digest | None = None


def draw(request: DrawRequest) -> LoadedSuite:
    """The suite of a request, its files in memory.

    Raises:
        InputError: an unknown family, or a seed or count out of bounds.
        RuntimeError: a family made what is no task; a mistake in the family.
    """
    drawn_from = _drawn_from(request)
    with tempfile.TemporaryDirectory(prefix="tally-draw-") as name:
        folder = Path(name) / "suite"
        folder.mkdir()
        ids = [
            _write_task(folder, each.name, request.seed, n) for each in drawn_from.families for n in range(1, each.count + 1)
        ]
        order = "".join(f"  - {task_id}\n" for task_id in ids)
        (folder / "suite.yaml").write_text(f'version: "{request.version}"\norder:\n{order}', encoding="utf-8")
        compiled = compile_suite(folder)
        blobs = _held(compiled)
    document = msgspec.structs.replace(compiled.document, drawn_from=drawn_from)
    document = parse_suite(write(document, limits.SUITE_BYTES))
    return LoadedSuite(document, blobs, "reader", compiled.trees)


def _drawn_from(request: DrawRequest) -> DrawnFrom:
    if not request.counts:
        raise InputError("no family to draw from")
    families = []
    for name, count in request.counts.items():
        load_family(name)
        families.append({"name": name, "family": family_digest(name), "count": count})
    if _IS_SEED(request.seed) is None:
        raise InputError(
            f"the seed {request.seed[:60]!r}: give 1 to 128 of A-Z a-z 0-9 . _ : -, of which the first is a letter or a digit"
        )
    tree = {"seed": request.seed, "families": families} | ({"beacon": request.beacon} if request.beacon else {})
    try:
        return msgspec.convert(tree, DrawnFrom)
    except msgspec.ValidationError as error:
        raise InputError(f"cannot draw: {str(error).replace('`$.', '`')} (a count is 1 to 1000)") from None


def _write_task(folder: Path, name: str, seed: str, number: int) -> str:
    family = load_family(name)
    task_id = f"{name}-{number}"
    for path, text in family.make(Draws("task", name, seed, str(number))).items():
        place = folder / family.tier / task_id / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes((_judged(text) if path == "task.md" else text).encode())
    return task_id


def _judged(task_file: str) -> str:
    """The task file with a judge named in its frontmatter."""
    first, _, rest = task_file.partition("\n")
    return f"{first}\njudge: {JUDGE}\n{rest}"


def _held(suite: LoadedSuite) -> MemoryBlobs:
    blobs = MemoryBlobs()
    for digest in _contents(suite.trees.values()):
        blobs.put(suite.blobs.read(digest))
    return blobs


def _contents(trees: Iterable[Tree]) -> set[Digest]:
    return {record.digest for tree in trees for record in tree.records if record.digest is not UNSET}


def drawn_again(document: Suite) -> LoadedSuite:
    """The suite drawn again from what its document says of its origin.

    Raises:
        InputError: it was not drawn, or from a family that is not here as it was then.
    """
    origin = document.drawn_from
    if origin is UNSET:
        raise InputError(f"{document.version} was not drawn from families")
    for each in origin.families:
        load_family(each.name)
    request = DrawRequest(
        version=document.version,
        seed=origin.seed,
        counts={each.name: each.count for each in origin.families},
        beacon=None if origin.beacon is UNSET else origin.beacon,
    )
    drawn = draw(request)
    if drawn.suite_hash != document.suite_hash:
        changed = [each.name for each in origin.families if each.family != family_digest(each.name)]
        why = (
            f"the families have changed: {', '.join(changed)}" if changed else "it is not what these families make of this seed"
        )
        raise SuiteError(f"{document.version}: drawn again, its hash differs; {why}")
    return drawn
