"""The definition of a cohort: the part that is fixed before outcomes exist, and its digest.

It has exactly these members. Whatever else a cohort file says (stage, evidence, paths, description, extensions) may change
without changing it; lists that are sets are sorted by code point, so that their order in the file means nothing.

    schema_version  id  title  minimum_final_tasks  required_families  taxonomy_frozen_before_outcomes  authority
    tasks, by id: id  family  difficulty  split
                  source {repository, revision}       work_unit {id, version, digest}
                  evaluator {visibility, plan_id, plan_digest, backend}
                  declared_structural_signatures      negative_case {description, expected_category}
                  accounting {required_metrics}
"""

from __future__ import annotations

from typing import Final

from tallystick.core import pyjson
from tallystick.core.digest import Digest
from tallystick.core.pyjson import Json
from tallystick.records.cohort.cohort import Cohort
from tallystick.records.cohort.reading import Node

__all__ = ["definition", "definition_digest"]

_TOP: Final = ("schema_version", "id", "title", "minimum_final_tasks", "taxonomy_frozen_before_outcomes", "authority")
_TASK: Final = ("id", "family", "difficulty", "split")
_PARTS: Final = {
    "source": ("repository", "revision"),
    "work_unit": ("id", "version", "digest"),
    "evaluator": ("visibility", "plan_id", "plan_digest", "backend"),
    "negative_case": ("description", "expected_category"),
}


def definition(cohort: Cohort) -> Json:
    """What the digest commits to; equal definitions have equal digests."""
    tasks: list[Node] = sorted(cohort.value["tasks"], key=lambda task: str(task["id"]))
    return {
        **_some(cohort.value, _TOP),
        "required_families": sorted(cohort.value["required_families"]),
        "tasks": [_task(task) for task in tasks],
    }


def definition_digest(cohort: Cohort) -> Digest:
    """The digest of the definition, by the rule of `core.pyjson`.

    Raises:
        PyJsonError: a string of the definition holds a lone surrogate.
    """
    return pyjson.digest(definition(cohort))


def _task(task: Node) -> Json:
    return {
        **_some(task, _TASK),
        **{name: _some(task[name], members) for name, members in _PARTS.items()},
        "declared_structural_signatures": sorted(task["declared_structural_signatures"]),
        "accounting": {"required_metrics": sorted(task["accounting"]["required_metrics"])},
    }


def _some(value: Node, names: tuple[str, ...]) -> dict[str, Json]:
    return {name: value[name] for name in names}
