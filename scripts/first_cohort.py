"""Makes `cohorts/first-five`: five drawn tasks of five families, one hidden evaluator, a whole life by the real commands.

    PYTHONPATH=src python scripts/first_cohort.py freeze FOLDER
    PYTHONPATH=src python scripts/first_cohort.py attach FOLDER

What lies between is a commit, so that Git shows the frozen definition before any outcome. FOLDER holds the keys, which are new
each time, as are the seed of the tasks and the salt: another run makes another cohort. Whoever throws FOLDER away closes the
history; a cohort that goes on from there has to supersede this one.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COHORT: Final = "cohorts/first-five"
FAMILIES: Final = {
    "data_repair": "bug_fix",
    "spec_over_test": "test_failure",
    "changing_requirements": "bounded_feature",
    "vendored_bump": "refactor",
    "stale_docs": "documentation_contract",
}
"""Task families and the families of the index that they are declared as."""
HIDDEN: Final = "changing_requirements-1"
HIDDEN_AS: Final = "003-changing-requirements-1"
"""How the cohort calls the task whose evaluator is hidden."""
AGENTS: Final = {"reference-solution-v1": "oracle", "mutation-repair-v1": "ladder:mutation-repair"}
"""The agent behind each structural signature. Both are self-tests: neither asks a model."""
AUTHOR: Final = ("--key", "author")
STATEMENT: Final = "Read definition-json and every public plan; the hidden plan is committed to by its salted digest."


def main(part: str, folder: Path) -> None:
    """Live one part of the life; the first command that fails ends it."""
    scratch = folder.resolve()
    if part == "freeze":
        scratch.mkdir(mode=0o700)
        _freeze(scratch)
    elif part == "attach":
        _attach(scratch)
    else:
        sys.exit(f"{part}: say freeze or attach")


def _freeze(scratch: Path) -> None:
    suite, review = str(scratch / "suite"), str(scratch / "review.json")
    for key in ("author", "reviewer", "worker", "verifier"):
        _tally(scratch, "key", "new", key)
    seed = f"first-five-{secrets.token_hex(8)}"
    _tally(scratch, "suite", "draw", *FAMILIES, "--seed", seed, "--name", "first-five", "--out", suite)
    labels = [word for task, family in FAMILIES.items() for word in ("--family", f"{task}-1={family}")]
    signatures = [word for name in AGENTS for word in ("--signature", name)]
    named = ("--title", "Five drawn tasks of five families, one of them with a hidden evaluator")
    _tally(scratch, "cohort", "from-suite", suite, "--out", COHORT, *named, "--hide", HIDDEN, *labels, *signatures, *AUTHOR)
    _tally(scratch, "cohort", "collect", COHORT, *AUTHOR)
    _tally(scratch, "cohort", "review", COHORT, "--statement", STATEMENT, "--out", review, "--key", "reviewer")
    _tally(scratch, "cohort", "freeze", COHORT, "--review", review, *AUTHOR)


def _attach(scratch: Path) -> None:
    _tally(scratch, "cohort", "negatives", COHORT, "--key", "verifier")
    (ROOT / COHORT / "bundles").mkdir()
    for signature, agent in AGENTS.items():
        bundle = f"{COHORT}/bundles/{signature}.json"
        state = ("--state", str(scratch / "state"))
        _tally(scratch, "run", f"cohort:{COHORT}", "--agent", agent, "-k", "2", "--key", "worker", "--out", bundle, *state)
        _tally(scratch, "cohort", "attach", COHORT, "--bundle", bundle, "--signature", signature, "--key", "verifier")
    opening = f"{COHORT}.private/{HIDDEN_AS}.opening.json"
    _tally(scratch, "cohort", "reveal", COHORT, "--task", f"cohort/first-five/{HIDDEN_AS}", "--opening", opening, *AUTHOR)
    _tally(scratch, "cohort", "validate", COHORT, "--require-evidence", "--history")


def _tally(scratch: Path, *words: str) -> None:
    """Run a command in a home of its own, so that no key of the person who runs this signs anything."""
    sys.stdout.write(f"$ tally {' '.join(words)}\n")
    sys.stdout.flush()
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    places = {"PYTHONPATH": str(ROOT / "src"), "HOME": str(scratch), "XDG_CONFIG_HOME": str(scratch / "config")}
    command = (sys.executable, "-c", "from tallystick.cli.main import main; main()", *words)
    subprocess.run(command, cwd=ROOT, env={**kept, **places}, check=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004
        sys.exit("first_cohort.py freeze|attach FOLDER")
    main(sys.argv[1], Path(sys.argv[2]))
