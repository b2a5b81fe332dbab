"""From a name or a path to a suite.

| given | read as |
|---|---|
| a packaged name, `golden-v1` | the suite that came with tally, whatever lies in the working directory |
| a folder with `smoke/`, `standard/`, ... | the authoring form, compiled |
| a folder with `suite.json`, or that file | the compiled form |

Names of packaged suites are reserved: a reader's suite of such a name is the packaged one, byte for byte, or refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.core.digest import short
from tallystick.core.errors import InputError
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.task import TIERS
from tallystick.suites.compiled import SUITE_FILE, read_compiled, write_compiled
from tallystick.suites.integrity import check_suite
from tallystick.suites.loaded import LoadedSuite, SuiteError, overlaid

__all__ = [
    "LoadedSuite",
    "ReservedNameError",
    "SuiteError",
    "UnknownSuiteError",
    "compile_suite",
    "load_for_running",
    "load_suite",
    "looks_authored",
    "overlaid",
    "packaged_folder",
    "packaged_names",
    "refuse_reserved",
    "write_compiled",
]

# The package is always unpacked (msgspec is an extension), so a path does what importlib.resources does, 5 ms faster.
_PACKAGED: Final = Path(__file__).parent / "packaged"


class UnknownSuiteError(InputError):
    """Neither a packaged suite nor a file or folder that is one."""


class ReservedNameError(SuiteError):
    """Another suite under the name of a packaged one."""


def packaged_names() -> tuple[str, ...]:
    """Names of the suites that came with tally, sorted."""
    return tuple(sorted(path.parent.name for path in _PACKAGED.glob(f"*/{SUITE_FILE}")))


def packaged_folder(name: str) -> Path:
    """The folder of a packaged suite: its authoring form, with `suite.json` beside it."""
    return _PACKAGED / name


def load_suite(name_or_path: str | Path) -> LoadedSuite:
    """The suite of a packaged name (a str), or of a path; see the table above. Hashes are computed again.

    Raises:
        UnknownSuiteError: nothing of that name is here.
        ReservedNameError: a reader's suite that bears the name of a packaged one and differs from it.
        InputError: the suite cannot be read or breaks a rule of suites.
    """
    if isinstance(name_or_path, str) and name_or_path in packaged_names():
        return read_compiled(_PACKAGED / name_or_path / SUITE_FILE, "packaged")
    path = Path(name_or_path)
    if not path.exists():
        raise UnknownSuiteError(_unknown(str(name_or_path)))
    suite = _read_path(path)
    refuse_reserved(suite, path)
    return suite


def looks_authored(folder: Path) -> bool:
    """Whether `folder` holds the authoring form of a suite."""
    return any((folder / tier).is_dir() for tier in TIERS)


def _read_path(path: Path) -> LoadedSuite:
    if path.is_file() and path.suffix.lower() in {".yaml", ".yml", ".md"}:
        raise InputError(f"{path} is one file of text; a suite is a folder of tasks, its {SUITE_FILE}, or a packaged name")
    if not path.is_dir():
        return read_compiled(path)
    if looks_authored(path):
        return compile_suite(path)
    if (path / SUITE_FILE).exists():
        return read_compiled(path / SUITE_FILE)
    raise UnknownSuiteError(f"{path}: no suite; expected {SUITE_FILE}, or tasks below {', '.join(TIERS)}")


def refuse_reserved(suite: LoadedSuite, path: Path) -> None:
    """Refuse a reader's suite, read from or meant for `path`, under the name of a packaged one that it is not.

    Raises:
        ReservedNameError: naming both hashes.
    """
    if suite.version not in packaged_names():
        return
    ours = read_compiled(_PACKAGED / suite.version / SUITE_FILE, "packaged").suite_hash
    if suite.suite_hash != ours:
        found = f"its hash is {short(suite.suite_hash)}, that of the packaged one is {short(ours)}"
        raise ReservedNameError(f"{path}: the name {suite.version} is reserved and this is another suite ({found}); rename it")


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415  # only for people who mistyped

    near = difflib.get_close_matches(name, packaged_names(), n=1)
    known = f"did you mean {near[0]}?" if near else f"packaged suites: {', '.join(packaged_names()) or 'none'}"
    return f"no suite {name[:120]!r}: neither a packaged name nor a file or folder ({known})"


def compile_suite(folder: Path) -> LoadedSuite:
    """Compile the authoring form in `folder`; see `suites.authoring`."""
    from tallystick.suites import authoring  # noqa: PLC0415  # YAML takes 15 ms, and compiled suites need none

    return authoring.compile_suite(folder)


def load_for_running(name_or_path: str | Path, overrides: Path | None) -> LoadedSuite:
    """The suite to run, with the operator's own tasks in `overrides` (`.tally/eval/golden`) in place of whole tiers.

    For running only: verify, submit and compare take a suite from the wheel or the reader and must call `load_suite`, since
    whoever fills a working directory would otherwise say what a claim is checked against. A tier for which `overrides` has
    a task is replaced; the result is named `<version>-overridden`, so that it never passes for the suite it came from.
    """
    suite = load_suite(name_or_path)
    if overrides is None or not looks_authored(overrides):
        return suite
    from tallystick.suites import authoring  # noqa: PLC0415  # as in compile_suite

    own = authoring.compile_suite(overrides)
    tiers = {task.tier for task in own.tasks}
    kept = [task for task in suite.tasks if task.tier not in tiers]
    tasks = sorted([*kept, *own.tasks], key=lambda task: TIERS.index(task.tier))
    proofs = suite.proofs.of({task.id for task in kept}) + own.proofs
    document = authoring.assemble(f"{suite.version}-overridden", tasks, suite.trees | own.trees, proofs)
    return LoadedSuite(document, ChainedBlobs(own.blobs, suite.blobs), "reader", check_suite(document))
