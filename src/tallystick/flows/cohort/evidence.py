"""Evidence of a cohort on disk: where the documents of an attempt lie, and how the index refers to them.

    evidence/<task>/<attempt>/result-manifest.json
    evidence/<task>/<attempt>/verification-result.json
    evidence/<task>/<attempt>/candidate.patch, workspace.json, receipt.json, ...
    evidence/<task>/negative/...                             the same of the task's seeded negative

Files are written before the act that names them: by themselves they mean nothing, and a kill in between leaves the cohort
as it was.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from tallystick.core.errors import os_reason
from tallystick.core.pyjson import Json, PyJsonError, digest, pretty, read
from tallystick.flows.cohort.attempts import ARTIFACTS, GRADE, LOGS
from tallystick.flows.cohort.documents import Documents
from tallystick.flows.cohort.folder import plain, put
from tallystick.flows.cohort.opening import Where
from tallystick.flows.writing import WriteError
from tallystick.recording.durable import sweep
from tallystick.records.cohort.cohort import Attempt, Cohort, CohortTask
from tallystick.suites.cohorts.files import FileRefusedError, Files

__all__ = ["MANIFEST", "NEGATIVE", "RESULT", "folder_for", "keep", "manifests", "refer", "task_in"]

MANIFEST: Final = "result-manifest.json"
RESULT: Final = "verification-result.json"
NEGATIVE: Final = "negative"
_EVIDENCE: Final = "evidence"
_FILES: Final = frozenset((*ARTIFACTS, GRADE, *(f"{name}.txt" for name in LOGS)))
"""Files that a document can name."""


def folder_for(where: Where, task: CohortTask, attempt: str) -> str:
    """The folder of an attempt, relative to the root; it bears the name of the task's WorkUnit file."""
    stem = PurePosixPath(task.work_unit.path).name.removesuffix(".json").removesuffix(".work-unit")
    return (PurePosixPath(where.path).parent / _EVIDENCE / stem / attempt).as_posix()


def keep(where: Where, folder: str, documents: Documents) -> None:
    """Write the documents of an attempt and the files that they name, and remove what an act that was killed left there.

    Raises:
        WriteError, CohortFolderError: the system refuses.
    """
    plain(where.root, folder)
    place = where.root / folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        sweep(place)
        for name in _FILES - documents.files.keys():
            (place / name).unlink(missing_ok=True)
    except OSError as error:
        raise WriteError(f"cannot write into the folder {place}: {os_reason(error)}") from None
    for name, data in documents.files.items():
        put(place / name, data)
    put(place / MANIFEST, f"{pretty(documents.manifest)}\n".encode())
    put(place / RESULT, f"{pretty(documents.result)}\n".encode())


def refer(folder: str, name: str, value: dict[str, Json]) -> dict[str, Json]:
    """How an index names a document in `folder`."""
    return {"path": f"{folder}/{name}", "digest": digest(value), "id": value["id"]}


def task_in(value: dict[str, Json], task_id: str) -> dict[str, Json]:
    """A task of a cohort that its schema accepts, to be changed in place."""
    tasks = value["tasks"]
    assert isinstance(tasks, list)
    found = next((task for task in tasks if isinstance(task, dict) and task["id"] == task_id), None)
    assert found is not None
    return found


def manifests(files: Files, cohort: Cohort, *, strict: bool) -> Iterator[tuple[CohortTask, Attempt, Json]]:
    """Every attempt with its task and its ResultManifest; what cannot be read is left out, since the validator names it."""
    for task in cohort.tasks:
        for attempt in task.attempts:
            with contextlib.suppress(FileRefusedError, PyJsonError):
                yield task, attempt, read(files.read(attempt.result_manifest.path, f"{task.id} ResultManifest"), strict=strict)
