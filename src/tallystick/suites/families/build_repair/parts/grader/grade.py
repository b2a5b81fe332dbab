"""Builds with data that only this grader knows; every file must be as it should, byte for byte."""

import json

from deliveries import DELIVERIES, NAMES

from tally_grader import subject, test

BUILD = """
import base64, json, pathlib, shutil, subprocess, sys, tempfile
answers = []
for files in json.load(sys.stdin):
    root = pathlib.Path(tempfile.mkdtemp()) / "project"
    shutil.copytree(".", root, symlinks=True)
    for name in ("data/items.txt", "data/site.ini"):
        (root / name).unlink()
    shutil.rmtree(root / "notes")
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "build.py"], cwd=root, capture_output=True)
    made = {path.name: base64.b64encode(path.read_bytes()).decode() for path in (root / "out").glob("*") if path.is_file()}
    answers.append([made, done.stderr.decode("utf-8", "replace")[-500:]])
print(json.dumps(answers))
"""


def build():
    """What the build makes from each set of data: (content by name, messages)."""
    import base64

    result = subject.run(["python3", "-c", BUILD], stdin=json.dumps([files for files, _ in DELIVERIES]).encode(), timeout_s=60)
    assert result.exit == 0, f"the build cannot be started: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    assert len(answers) == len(DELIVERIES), "no answer for each set of data"
    return [({name: base64.b64decode(data) for name, data in made.items()}, said) for made, said in answers]


made = None
for role, name in NAMES.items():
    with test(role):
        made = made or build()
        for (got, said), (_, wanted) in zip(made, DELIVERIES):
            found = got.get(f"{name}.txt")
            assert found is not None, f"{name}.txt is not made: {said}"
            assert found == wanted[role], f"{name}.txt is {found[:200]!r}, not {wanted[role][:200]!r}"
