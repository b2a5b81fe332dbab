"""What strict validation asks beyond the original: everything that one look at a cohort and its files can show.

15 bytes and files (`reading`, `files`)   17 what the definition says (and `hidden`)   19 seeded negatives
16 names (`names`)                        18 attempts (`strict_attempts`)

What takes a look at more than one state of a cohort (refreezing, going back, leaving out) is the history's to show.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tallystick.records.cohort.cohort import Cohort, CohortTask
from tallystick.records.cohort.evaluator_plan import EvaluatorPlan
from tallystick.records.cohort.verification_result import VerificationResult
from tallystick.records.cohort.vocabulary import NegativeStatus, Stage
from tallystick.records.cohort.work_unit import WorkUnit
from tallystick.suites.cohorts.attempts import Pair
from tallystick.suites.cohorts.budgets import find_unequal_tasks
from tallystick.suites.cohorts.counted import Counted
from tallystick.suites.cohorts.hidden import check_reveal, check_reveals
from tallystick.suites.cohorts.names import name_problems
from tallystick.suites.cohorts.reading import Reader
from tallystick.suites.cohorts.reporting import Code
from tallystick.suites.cohorts.repositories import same_repository
from tallystick.suites.cohorts.strict_attempts import Artifacts, pair_problems
from tallystick.suites.cohorts.strict_negatives import negative_problems

__all__ = ["Strict"]

_NAMES: Final = 16
_DEFINITION: Final = 17
_ATTEMPTS: Final = 18
_NEGATIVES: Final = 19
_BEFORE_FREEZE: Final = (Stage.SCAFFOLD, Stage.COLLECTING)


@dataclass(slots=True)
class Strict:
    """Strict checks of one cohort; remembers digests and spellings from task to task, no documents."""

    reader: Reader
    cohort: Cohort
    require_evidence: bool = False
    _counted: Counted = field(default_factory=Counted)
    _artifacts: Artifacts = field(init=False)
    _repositories: dict[str, str] = field(default_factory=dict)
    _items: dict[tuple[str, str, str, float], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._artifacts = Artifacts(self.reader.files)

    def check_task(self, task: CohortTask, unit: WorkUnit | None, plan: EvaluatorPlan | None) -> None:
        """Step 17 for one task."""
        if unit is not None and not unit.required_validator_ids:
            self._say(_DEFINITION, Code.NO_REQUIRED_VALIDATOR, task, "the WorkUnit requires no validator, so anything would do")
        plan = check_reveal(self.reader, self.cohort, task, unit) if task.evaluator.plan_path is None else plan
        visibility = None if plan is None else plan.value.get("visibility")
        if visibility not in {None, task.evaluator.visibility}:
            message = f"the plan calls itself {visibility}, the cohort calls it {task.evaluator.visibility}"
            self._say(_DEFINITION, Code.PLAN_VISIBILITY_DRIFT, task, message)
        self._check_order(task)
        self._check_repository(task)

    def check_pair(self, task: CohortTask, pair: Pair) -> None:
        """Step 18 for one attempt."""
        for code, message in pair_problems(task, pair, self._counted, self._artifacts):
            self._say(_ATTEMPTS, code, task, f"{pair.attempt.attempt_id}: {message}")

    def check_negative(self, task: CohortTask, result: VerificationResult | None) -> None:
        """Step 19 for the seeded negative of one task."""
        for code, message in negative_problems(task, result, self._counted):
            self._say(_NEGATIVES, code, task, message)

    def check_cohort(self) -> None:
        """Step 16, which looks at all names at once, and what steps 17 and 18 say of all tasks together."""
        check_reveals(self.reader, self.cohort)
        for code, task, message in name_problems(self.cohort):
            self.reader.sheet.say(_NAMES, code, message, task)
        if self.require_evidence:
            for task, message in find_unequal_tasks(self.cohort):
                self.reader.sheet.say(_ATTEMPTS, Code.BUDGET_UNEQUAL, f"{task}: {message}", task)

    def _check_order(self, task: CohortTask) -> None:
        """Outcomes come after the definition is frozen."""
        if self.cohort.stage not in _BEFORE_FREEZE:
            return
        if task.attempts:
            message = f"attempts are attached while the cohort is {self.cohort.stage}; freeze the definition before outcomes"
            self._say(_DEFINITION, Code.OUTCOME_BEFORE_FREEZE, task, message)
        if task.negative_case.evidence_status == NegativeStatus.VERIFIED:
            message = f"a seeded negative is attached while the cohort is {self.cohort.stage}; freeze the definition first"
            self._say(_DEFINITION, Code.OUTCOME_BEFORE_FREEZE, task, message)

    def _check_repository(self, task: CohortTask) -> None:
        """One repository has one spelling, and one piece of work counts once however it is spelled."""
        plain = same_repository(task.repository)
        known = self._repositories.setdefault(plain, task.repository)
        if known != task.repository:
            message = f"the repository is spelled {task.repository!r} here and {known!r} before; spell it one way"
            self._say(_DEFINITION, Code.REPOSITORY_SPELLING, task, message)
        item = (plain, task.revision, task.work_unit.id, task.work_unit.version)
        spelled = self._items.setdefault(item, task.repository)
        if spelled != task.repository:
            message = "the same WorkUnit at the same commit is counted before, under another spelling of the repository"
            self._say(_DEFINITION, Code.DUPLICATE_RESPELLED, task, message)

    def _say(self, step: int, code: Code, task: CohortTask, message: str) -> None:
        self.reader.sheet.say(step, code, f"{task.id}: {message}", task.id)
