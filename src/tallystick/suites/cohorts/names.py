"""Step 16: names that a reader could take for one another, and text that hides something.

Two names are alike if they have a skeleton in common: compatibility forms unfolded, accents and case dropped, letters of other
alphabets that look Latin replaced, and likewise 0 and O, 1 and l, rn and m, and all separators. A name has two skeletons, for a
capital I can be an i or look like an l.

Two signatures are a near miss if no task declares both and they differ in one word only: one has a word more, or the words
have the same beginning or are two edits apart at most. That is how one structure gets two names in different tasks.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from tallystick.core.visible import written_out
from tallystick.records.cohort.cohort import Cohort, CohortTask
from tallystick.suites.cohorts.reporting import Code

__all__ = ["Problem", "alike", "name_problems", "near_miss", "skeletons"]

Problem = tuple[Code, str | None, str]
"""What is wrong, in which task, and how."""

_CYRILLIC: Final = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u0501\u04bb\u051b\u051d"
_CYRILLIC_CAPITALS: Final = "\u0412\u041d\u041a\u041c\u0422\u0410\u0415\u041e\u0420\u0421\u0425\u0406"
_GREEK: Final = "\u03bf\u03bd\u03b1\u03c1\u03ba\u03b9\u03c4\u03c5\u03c7"
_GREEK_CAPITALS: Final = "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
_LOOK_ALIKES: Final = {
    **str.maketrans(_CYRILLIC, "aeopcyxisjdhqw"),
    **str.maketrans(_CYRILLIC_CAPITALS, "BHKMTAEOPCXI"),
    **str.maketrans(_GREEK, "ovapkitux"),
    **str.maketrans(_GREEK_CAPITALS, "ABEZHIKMNOPTYX"),
    **str.maketrans("\u0131\u0261\u01c0|", "igll"),
}
"""Letters that are not Latin and look it."""
_SEPARATORS: Final = re.compile(r"[\s._/\u2010-\u2015\u2212-]+")
_WORDS: Final = re.compile(r"[^-_./: ]+")
_EDITS: Final = 2
_COMPARED: Final = 50
"""Signatures that are alike but for one word and are compared with each other: whoever has more has said enough."""


def name_problems(cohort: Cohort) -> Iterator[Problem]:
    """Everything that is wrong with the names of a cohort, from its index alone."""
    yield from _texts(cohort)
    tasks = cohort.tasks
    yield from _confusable("task ids", ((task.id, task.id) for task in tasks))
    yield from _confusable("WorkUnit ids", ((task.work_unit.id, task.id) for task in tasks))
    yield from _confusable("plan ids", ((task.evaluator.plan_id, task.id) for task in tasks))
    signatures = [(name, task.id) for task in tasks for name in task.declared_structural_signatures]
    yield from _confusable("structural signatures", signatures)
    for task in tasks:
        yield from _confusable("attempt ids", ((attempt.attempt_id, task.id) for attempt in task.attempts))
    yield from _paths(tasks)
    yield from _near_misses(tasks)


def alike(one: str, other: str) -> bool:
    """Whether an eye that does not look closely takes one name for the other."""
    return not skeletons(one).isdisjoint(skeletons(other))


@lru_cache(maxsize=256)  # attempts name the same workers and verifiers again and again
def skeletons(name: str) -> frozenset[str]:
    """What is left of a name for such an eye, with every capital I as an i, and as an l."""
    unfolded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).translate(_LOOK_ALIKES))
    bare = "".join(char for char in unfolded if not unicodedata.combining(char)).translate(_LOOK_ALIKES)
    return frozenset(map(_simplified, (bare, bare.replace("I", "l"))))


def _simplified(bare: str) -> str:
    plain = bare.casefold().replace("1", "l").replace("0", "o")
    return _SEPARATORS.sub("-", plain).replace("rn", "m").replace("vv", "w")


def _texts(cohort: Cohort) -> Iterator[Problem]:
    yield from _text("the id", cohort.id, None)
    yield from _text("the title", cohort.title, None)
    for task in cohort.tasks:
        named = {
            "the id": task.id,
            "the repository": task.repository,
            "the revision": task.revision,
            "the WorkUnit id": task.work_unit.id,
            "the plan id": task.evaluator.plan_id,
            "the backend": task.evaluator.backend,
        }
        for what, text in named.items():
            yield from _text(what, text, task.id)
        for signature in task.declared_structural_signatures:
            yield from _text("a structural signature", signature, task.id)
        for attempt in task.attempts:
            yield from _text("an attempt id", attempt.attempt_id, task.id)


def _text(what: str, text: str, task: str | None) -> Iterator[Problem]:
    begin = f"{task}: " if task else ""
    if written_out(text) != text or text != text.strip():
        yield Code.HIDDEN_CHARACTER, task, f"{begin}{what} holds characters that do not show: {written_out(text)!r}"
    elif unicodedata.normalize("NFC", text) != text:
        yield Code.NOT_NORMALIZED, task, f"{begin}{what} is not in Unicode's form NFC: {text!r} looks like another text"


def _confusable(what: str, names: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """`names` are pairs of a name and its task; each further spelling is reported once."""
    first: dict[str, str] = {}
    said: set[str] = set()
    for name, task in names:
        if name in said:
            continue
        said.add(name)
        others = {first.setdefault(shape, name) for shape in skeletons(name)} - {name}
        for before in sorted(others)[:1]:
            yield Code.CONFUSABLE_NAME, task, f"{task}: {what} {before!r} and {name!r} can be taken for one another"


def _paths(tasks: Iterable[CohortTask]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for task in tasks:
        for path in _paths_of(task):
            before = first.setdefault(unicodedata.normalize("NFKC", path).casefold(), path)
            if before != path:
                message = f"{task.id}: the paths {before!r} and {path!r} are one file where case does not count"
                yield Code.PATH_CONFUSABLE, task.id, message


def _paths_of(task: CohortTask) -> Iterator[str]:
    yield task.work_unit.path
    yield from filter(None, (task.evaluator.plan_path, task.negative_case.evidence_path))
    for attempt in task.attempts:
        yield attempt.result_manifest.path
        yield attempt.verification_result.path


def _near_misses(tasks: Iterable[CohortTask]) -> Iterator[Problem]:
    declared: dict[str, set[int]] = defaultdict(set)
    ids: list[str] = []
    for number, task in enumerate(tasks):
        ids.append(task.id)
        for signature in task.declared_structural_signatures:
            declared[signature].add(number)
    buckets: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in declared:
        words = tuple(_WORDS.findall(name))
        for key in {words, *(words[:at] + words[at + 1 :] for at in range(len(words)))}:
            buckets[key].append(name)
    said: set[tuple[str, str]] = set()
    for names in buckets.values():
        for before, name in itertools.combinations(names[:_COMPARED], 2):
            if (before, name) in said or declared[before] & declared[name] or not near_miss(before, name):
                continue
            said.add((before, name))
            task_id = ids[min(declared[name])]
            message = f"{task_id}: the signature {name!r} is nearly {before!r} of other tasks; call one structure one name"
            yield Code.NEAR_MISS_SIGNATURE, task_id, message


def near_miss(one: str, other: str) -> bool:
    """Whether two names differ in one word only, and there by little."""
    first, second = _WORDS.findall(one), _WORDS.findall(other)
    if len(first) != len(second):
        short, long = sorted((first, second), key=len)
        return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    unlike = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return len(unlike) == 1 and _distance(*unlike[0]) <= _EDITS


def _distance(one: str, other: str) -> int:
    """Edits (a character put in, left out or replaced) from one word to the other; more than two are three."""
    if abs(len(one) - len(other)) > _EDITS:
        return _EDITS + 1
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        before, row[0] = row[0], at
        for column, wanted in enumerate(other, 1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (char != wanted))
    return min(row[-1], _EDITS + 1)
