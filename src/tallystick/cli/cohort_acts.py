"""`tally cohort new` and the acts that follow it: each appends one signed entry to the history beside the cohort."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.cohort import CohortArgument, CohortOption, RootOption, app, chosen_path
from tallystick.cli.key import key_store
from tallystick.cli.screen import open_screen
from tallystick.cli.text import safe, wrapped
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.records.cohort.vocabulary import Difficulty, Family, Metric, NegativeCategory, Split

if TYPE_CHECKING:
    from tallystick.flows.cohort.opening import Where
    from tallystick.flows.cohort.tasks import HiddenPlan, TaskRequest
    from tallystick.records.cohort_history import CohortEntry
    from tallystick.trust.signing import Signer

__all__ = ["JsonOption", "KeyOption", "ReasonOption", "add", "app", "new", "said", "say_no_suite", "signer_of", "where_of"]

KeyOption = Annotated[
    str | None,
    typer.Option(
        help="Sign with this key, see tally key list. Default: the only one, or the one called default.", metavar="NAME"
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]
WorkUnitOption = Annotated[Path, typer.Option(help="The WorkUnit of the task, below the root.", metavar="FILE")]
PlanOption = Annotated[
    Path | None, typer.Option(help="Its EvaluatorPlan, below the root. Default: a hidden one.", metavar="FILE")
]
HiddenOption = Annotated[
    str | None,
    typer.Option(help="The commitment to a hidden plan, from tally cohort commit. Default: a public one.", metavar="DIGEST"),
]
PlanIdOption = Annotated[str | None, typer.Option(help="The id of a hidden plan; required with it.", metavar="ID")]
BackendOption = Annotated[str | None, typer.Option(help="The backend of a hidden plan; required with it.", metavar="NAME")]
RepositoryOption = Annotated[str, typer.Option(help="Where the task's source revision is.", metavar="URI")]
FamilyOption = Annotated[Family, typer.Option(help=f"The task family: {', '.join(Family)}.", metavar="NAME")]
DifficultyOption = Annotated[Difficulty, typer.Option(help=f"How large the task is: {', '.join(Difficulty)}.", metavar="NAME")]
SplitOption = Annotated[Split, typer.Option(help=f"What the task is for: {', '.join(Split)}.", metavar="NAME")]
SignatureOption = Annotated[
    list[str],
    typer.Option(help="A structural signature, which says how agents work together; may be given again.", metavar="NAME"),
]
NegativeOption = Annotated[
    str, typer.Option(help="The seeded negative, a wrong answer that must be refused, in words.", metavar="TEXT")
]
CategoryOption = Annotated[
    NegativeCategory,
    typer.Option(help=f"What it is to be refused for: {', '.join(NegativeCategory)}.", metavar="NAME"),
]
MetricOption = Annotated[
    list[Metric] | None,
    typer.Option(
        help=f"A metric that evidence must have: {', '.join(Metric)}; may be given again. Default: wall_seconds.",
        metavar="NAME",
    ),
]
TaskIdOption = Annotated[str | None, typer.Option(help="Id of the task. Default: the work unit's.", metavar="ID")]
ReasonOption = Annotated[str, typer.Option(help="Why, for those who read the history.", metavar="TEXT")]

_FIVE: Final = tuple(family for family in Family if family is not Family.OTHER)


def where_of(positional: str | None, option: str | None, root: Path) -> Where:
    """The cohort that a command line names: a file `cohort.json`, or its folder, below the root.

    Raises:
        InputError: it lies elsewhere, or the name is empty, as of a variable that is not set.
    """
    from tallystick.flows.cohort.opening import where_at  # noqa: PLC0415  # not for --help

    path = chosen_path(positional, option)
    if not path:
        raise InputError("the name of the cohort is empty; name its folder, or . for the folder you are in")
    return where_at(root, Path(path))


def signer_of(key: str | None) -> Signer:
    """The key that an act is signed with; one has to be there already."""
    return key_store().signer(key or settings.layers(project=False).text("key"))


def said(entry: CohortEntry, where: Where, *, json: bool, then: str = "") -> None:
    """What came of an act."""
    from tallystick.cli.cohort_history_view import act_name  # noqa: PLC0415  # not for --help
    from tallystick.records.cohort_history import act_of, entry_digest  # noqa: PLC0415  # as above

    screen = open_screen()
    digest = entry_digest(entry)
    if json:
        tree: dict[str, c1.Tree] = {
            "act": act_of(entry),
            "cohort": safe(where.path, 4096),
            "cohort_id": entry.cohort_id,
            "definition_digest": entry.definition_digest,
            "entry": digest,
            "outcomes_seen": entry.outcomes_seen,
            "seq": entry.seq,
            "stage": entry.stage.value,
        }
        screen.data(c1.dumps(tree))
        return
    lines = [
        f"{act_name(entry)}: {safe(where.path, 4096)} is {entry.stage}",
        f"  definition  {entry.definition_digest}",
        f"  entry {entry.seq:<5} {digest}",
    ]
    screen.say([*lines, *([then] if then else [])])


def say_no_suite(where: Where) -> None:
    """Tell the author of a cohort that names no suite what that means."""
    from tallystick.flows.cohort.opening import look  # noqa: PLC0415  # not for --help
    from tallystick.flows.cohort.suites import no_suite  # noqa: PLC0415  # as above

    if (note := no_suite(where, look(where).cohort)) is not None:
        open_screen().note(*wrapped(f"note: {note}"))


@dataclass(frozen=True, slots=True)
class _TaskOptions:
    """The options of a task, as `new` and `add` have them."""

    work_unit: Path
    plan: Path | None
    hidden_commitment: str | None
    plan_id: str | None
    backend: str | None
    repository: str
    family: Family
    difficulty: Difficulty
    split: Split
    signature: list[str]
    negative: str
    negative_category: NegativeCategory
    metric: list[Metric] | None
    task_id: str | None

    def request(self, root: Path) -> TaskRequest:
        """The task that is asked for.

        Raises:
            InputError: it has no evaluator, or two.
        """
        from tallystick.flows.cohort.opening import path_below  # noqa: PLC0415  # not for --help
        from tallystick.flows.cohort.tasks import TaskRequest  # noqa: PLC0415  # as above

        return TaskRequest(
            work_unit=path_below(root, self.work_unit),
            plan=self._plan(root),
            repository=self.repository,
            family=self.family,
            difficulty=self.difficulty,
            split=self.split,
            signatures=tuple(self.signature),
            negative=self.negative,
            negative_category=self.negative_category,
            metrics=tuple(self.metric or [Metric.WALL_SECONDS]),
            task_id=self.task_id,
        )

    def _plan(self, root: Path) -> str | HiddenPlan:
        from tallystick.flows.cohort.opening import path_below  # noqa: PLC0415  # not for --help
        from tallystick.flows.cohort.tasks import HiddenPlan  # noqa: PLC0415  # as above

        hidden = (self.hidden_commitment, self.plan_id, self.backend)
        if self.plan is not None and hidden == (None, None, None):
            return path_below(root, self.plan)
        if self.plan is None and self.hidden_commitment and self.plan_id and self.backend:
            return HiddenPlan(self.hidden_commitment, self.plan_id, self.backend)
        raise InputError("an evaluator is either --plan FILE, or --hidden-commitment DIGEST with --plan-id and --backend")


@app.command()
def new(
    cohort_file: CohortArgument = None,
    *,
    id: Annotated[str, typer.Option(help="Id of the cohort, such as benchmark/first-five.", metavar="ID")],  # noqa: A002  # the option's name
    title: Annotated[str, typer.Option(help="Its title.", metavar="TEXT")],
    work_unit: WorkUnitOption,
    repository: RepositoryOption,
    family: FamilyOption,
    difficulty: DifficultyOption,
    split: SplitOption,
    signature: SignatureOption,
    negative: NegativeOption,
    negative_category: CategoryOption,
    plan: PlanOption = None,
    hidden_commitment: HiddenOption = None,
    plan_id: PlanIdOption = None,
    backend: BackendOption = None,
    metric: MetricOption = None,
    task_id: TaskIdOption = None,
    minimum: Annotated[int, typer.Option(help="Tasks it must have to be frozen, 5 to 1000.", metavar="N")] = 5,
    require_family: Annotated[
        list[Family] | None,
        typer.Option(help="A family it must cover; may be given again. Default: all but other.", metavar="NAME"),
    ] = None,
    supersedes: Annotated[
        str | None, typer.Option(help="The cohort whose place it takes. Default: none.", metavar="COHORT")
    ] = None,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Make a cohort with its first task and a history.

    Nothing is written before it validates. Your key is the author's from
    then on. The number of tasks and the families cannot be lowered later.
    It names no suite: tally run, negatives and attach refuse it even when
    frozen, and take what from-suite makes. Evidence can come from elsewhere.
    """
    from tallystick.flows.cohort.acting import NewRequest, make_new  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    task = _TaskOptions(
        work_unit=work_unit,
        plan=plan,
        hidden_commitment=hidden_commitment,
        plan_id=plan_id,
        backend=backend,
        repository=repository,
        family=family,
        difficulty=difficulty,
        split=split,
        signature=signature,
        negative=negative,
        negative_category=negative_category,
        metric=metric,
        task_id=task_id,
    )
    request = NewRequest(
        cohort_id=id,
        title=title,
        minimum=minimum,
        families=tuple(require_family or _FIVE),
        tasks=(task.request(root),),
        supersedes=None if supersedes is None else where_of(supersedes, None, root),
    )
    said(make_new(where, request, signer_of(key)), where, json=json)
    say_no_suite(where)


@app.command()
def add(
    cohort_file: CohortArgument = None,
    *,
    work_unit: WorkUnitOption,
    repository: RepositoryOption,
    family: FamilyOption,
    difficulty: DifficultyOption,
    split: SplitOption,
    signature: SignatureOption,
    negative: NegativeOption,
    negative_category: CategoryOption,
    plan: PlanOption = None,
    hidden_commitment: HiddenOption = None,
    plan_id: PlanIdOption = None,
    backend: BackendOption = None,
    metric: MetricOption = None,
    task_id: TaskIdOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of the task with this id.")] = False,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Add a task, before the freeze.

    Its digests are those of the files as they are now.
    """
    from tallystick.flows.cohort.acting import add_tasks  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    task = _TaskOptions(
        work_unit=work_unit,
        plan=plan,
        hidden_commitment=hidden_commitment,
        plan_id=plan_id,
        backend=backend,
        repository=repository,
        family=family,
        difficulty=difficulty,
        split=split,
        signature=signature,
        negative=negative,
        negative_category=negative_category,
        metric=metric,
        task_id=task_id,
    )
    said(add_tasks(where, [task.request(root)], signer_of(key), replace=replace), where, json=json)
