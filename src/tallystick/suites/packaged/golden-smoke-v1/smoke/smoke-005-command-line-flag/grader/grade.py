"""The command on texts that only this grader knows."""

import functools
import json
import re
from collections import Counter

from tally_grader import subject, test

TEXT = """A bee, a BEE and a wasp; I saw an ant. Ants and bees hum, wasps hum too,
and the hornet hums alone: a, b, ab, abc, abcd, abcde."""
CASES = {
    "unchanged_without_it": ["", "--top 3", "--top 100"],
    "with_it": ["--min-length 1", "--min-length 2", "--min-length 4", "--min-length 40"],
    "with_top": ["--min-length 3 --top 2", "--top 5 --min-length 4", "--top 1 --min-length 2"],
    "refusals": ["--min-length 0", "--min-length -3", "--min-length three"],
}
ASK = """
import contextlib, io, json, runpy, sys
asked = json.load(sys.stdin)
for flags in asked["flags"]:
    sys.argv, sys.stdin = ["wordfreq.py", *flags.split()], io.TextIOWrapper(io.BytesIO(asked["text"].encode()), "utf-8")
    written, code = io.BytesIO(), 0
    printed = io.TextIOWrapper(written, "utf-8", write_through=True)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        try:
            runpy.run_path("wordfreq.py", run_name="__main__")
        except SystemExit as end:
            code = end.code or 0
    print(json.dumps([written.getvalue().decode(), code]))
"""


def wanted(flags: str) -> list:
    """What the command prints, and its exit code."""
    values = dict(re.findall(r"--([a-z-]+) (\S+)", flags))
    least = values.get("min-length", "1")
    if not least.isdigit() or int(least) < 1:
        return ["", 2]
    words = Counter(word.lower() for word in re.findall("[A-Za-z]+", TEXT) if len(word) >= int(least))
    pairs = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[: int(values.get("top", "1000"))]
    return ["".join(f"{number:>5} {word}\n" for word, number in pairs), 0]


@functools.cache
def answers() -> dict:
    flags = [each for cases in CASES.values() for each in cases]
    asked = json.dumps({"text": TEXT, "flags": flags})
    result = subject.run(["python3", "-c", ASK], stdin=asked.encode())
    assert result.exit == 0, f"the command failed: {result.stderr[-300:]!r}"
    lines = result.stdout.splitlines()
    assert len(lines) == len(flags), "no answers"
    return {each: json.loads(line) for each, line in zip(flags, lines)}


for name, cases in CASES.items():
    with test(name):
        for each in cases:
            assert answers()[each] == wanted(each), f"with {each!r}: {answers()[each]}"
