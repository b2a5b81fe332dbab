"""Saved evaluations in `.tally/eval/runs/`: written whole under a name that is free, found by it, read with every check.

eval_run_<YYYYmmdd_HHMMSS>.json      UTC; a second one of the same second ends in _2, and so on
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from tallystick.core.errors import InputError
from tallystick.core.exact import Num, to_fraction, to_num
from tallystick.recording.durable import failing_clearly, scratch_file, sweep
from tallystick.records.base import UNSET, write
from tallystick.records.eval_run import EVAL_RUN_BYTES, EvalRun, EvalSource, parse_eval_run
from tallystick.scoring.golden import Parts, overall
from tallystick.suites.reading import open_regular

__all__ = ["Difference", "Saved", "difference", "load", "newest", "run_ids", "save"]

_NAME: Final = re.compile(r"eval_run_([0-9]{8}_[0-9]{6})(?:_([1-9][0-9]{0,5}))?").fullmatch
_MOST_IN_A_SECOND: Final = 100_000
_TOLERANCE: Final = Fraction(1, 10_000)
"""Parts are written with six digits and the score with four."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved evaluation and its file."""

    path: Path
    run: EvalRun

    @property
    def run_id(self) -> str:
        """What `--run-id` takes."""
        return self.path.stem


class Difference(NamedTuple):
    """The score of one evaluation less that of another.

    `alike`: both are of the same tiers, suites and kinds of source. `same`: both are of the very same attempts.
    """

    delta: Num
    alike: bool
    same: bool


def difference(run: EvalRun, before: EvalRun) -> Difference:
    """What changed since the evaluation before."""
    delta = to_num(to_fraction(run.score) - to_fraction(before.score))
    return Difference(delta, _subject(run) == _subject(before), same=_same_attempts(run, before))


def _subject(run: EvalRun) -> tuple[object, ...]:
    return run.tier, sorted({(source.kind, str(source.suite_hash)) for source in run.sources}), run.attempts


def _same_attempts(run: EvalRun, before: EvalRun) -> bool:
    """The sources are the same; a telemetry file has to have said the same too, since only its name is known."""
    if sorted(map(_identity, run.sources)) != sorted(map(_identity, before.sources)):
        return False
    told = any(source.kind == "telemetry" for source in run.sources)
    return not told or (run.components, run.failures) == (before.components, before.failures)


def _identity(source: EvalSource) -> tuple[str, str, int]:
    return source.kind, source.name if source.bundle_hash is UNSET else source.bundle_hash, source.attempts


def save(folder: Path, run: EvalRun) -> Saved:
    """Write an evaluation under a new name; nothing is ever replaced.

    Raises:
        StoreError: the folder cannot be written.
        InputError: it is full of evaluations of this second.
    """
    data = write(run, EVAL_RUN_BYTES)
    stamp = datetime.fromtimestamp(run.timestamp, UTC).strftime("%Y%m%d_%H%M%S")
    with failing_clearly(folder):
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)
        with scratch_file(folder) as file:
            file.write(data)
            for number in range(1, _MOST_IN_A_SECOND):
                path = folder / f"eval_run_{stamp}{'' if number == 1 else f'_{number}'}.json"
                if file.become_new(path):
                    return Saved(path, run)
    raise InputError(f"{folder} has {_MOST_IN_A_SECOND} evaluations of this second; remove some")


def run_ids(folder: Path) -> tuple[str, ...]:
    """Names of saved evaluations, the newest first; nothing is read."""
    found = [match for path in folder.glob("eval_run_*.json") if (match := _NAME(path.stem))]
    ordered = sorted(found, key=lambda match: (match[1], int(match[2] or 1)), reverse=True)
    return tuple(match[0] for match in ordered)


def newest(folder: Path) -> Saved | None:
    """The newest saved evaluation, or None; errors as `load`."""
    names = run_ids(folder)
    return load(folder, names[0]) if names else None


def load(folder: Path, run_id: str) -> Saved:
    """A saved evaluation by its name, with or without `eval_run_` and `.json`.

    Raises:
        InputError: there is none of that name, or its file is damaged.
    """
    name = run_id.removesuffix(".json")
    name = name if name.startswith("eval_run_") else f"eval_run_{name}"
    if _NAME(name) is None or name not in run_ids(folder):
        known = ", ".join(run_ids(folder)[:3]) or "none"
        raise InputError(f"no saved evaluation {run_id[:60]!r} in {folder}; the newest: {known}")
    path = folder / f"{name}.json"
    try:
        with open_regular(path) as stream:
            run = parse_eval_run(stream.read(EVAL_RUN_BYTES + 1))
        _check_score(run)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{path} is damaged ({error}); remove it, or pick another with --run-id") from None
    return Saved(path, run)


def _check_score(run: EvalRun) -> None:
    """The formula gives the score that is written beside its parts."""
    parts = {name: to_fraction(getattr(run.components, name)) for name in run.components.__struct_fields__}
    found = overall(Parts(**parts, judged=run.judged))
    if abs(found - to_fraction(run.score)) > _TOLERANCE:
        raise InputError(f"the score {run.score} does not follow from its parts, which give {float(found):.4f}")
