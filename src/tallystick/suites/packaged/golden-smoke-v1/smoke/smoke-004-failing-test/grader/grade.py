"""Queues that only this grader knows, answered by the submitted class."""

import functools
import json

from tally_grader import subject, test

QUEUES = [
    [["a", 7], ["b", 7], ["c", 1]],
    [["only", 613]],
    [],
    [[f"song {n}", (n * 7919) % 401 + 1] for n in range(23)],
]
ASK = """
import json, sys
from playlist import Queue
answers = []
for songs in json.load(sys.stdin):
    queue = Queue(tuple(song) for song in songs)
    answer = {"total": queue.total(), "longest": queue.longest(), "remaining": [], "missing": False}
    for index in range(len(songs)):
        queue.position = index
        answer["remaining"].append(queue.remaining())
    if songs:
        queue.skip_to(songs[-1][0])
        answer["last"] = queue.position
    try:
        queue.skip_to("no such song")
    except KeyError:
        answer["missing"] = True
    answers.append(answer)
print(json.dumps(answers))
"""


@functools.cache
def answers() -> list:
    result = subject.run(["python3", "-c", ASK], stdin=json.dumps(QUEUES).encode())
    assert result.exit == 0, f"the class failed: {result.stderr[-300:]!r}"
    found = json.loads(result.stdout)
    assert isinstance(found, list) and len(found) == len(QUEUES), "no answers"
    return found


def expect(name: str, wanted: list) -> None:
    found = [answer.get(name) for answer in answers()]
    assert found == wanted, f"{name}: {found} instead of {wanted}"


with test("total"):
    expect("total", [sum(seconds for _, seconds in songs) for songs in QUEUES])

with test("longest"):
    longest = [max(songs, key=lambda song: song[1])[0] if songs else None for songs in QUEUES]
    expect("longest", longest)

with test("skip_to"):
    expect("last", [len(songs) - 1 if songs else None for songs in QUEUES])
    expect("missing", [True] * len(QUEUES))

with test("remaining"):
    left = [[sum(seconds for _, seconds in songs[index:]) for index in range(len(songs))] for songs in QUEUES]
    expect("remaining", left)
