"""Plays the store: answers each trip, counts, and compares the answers of queries.

A query runs anew for each trip, on all answers so far, so it can know nothing but what it asked for.
"""

import json

import trees
from tally_grader import subject, test

NUMBERS = trees.Numbers(0x@{seed})
LEVELS = 4
CALL = """
import json, sys
from @{pkg} import queries
def keyed(value):
    return sorted([key, item] for key, item in value.items()) if isinstance(value, dict) else value
def played(function, arguments, answers):
    query = getattr(queries, function)(*arguments)
    try:
        asked = list(next(query))
        for ids, nodes in answers:
            if sorted(asked) != sorted(ids):
                return ["failed", "asks otherwise when it is run again"]
            asked = list(query.send(nodes))
        return ["asks", asked]
    except StopIteration as stopped:
        return ["done", keyed(stopped.value)]
    except Exception as error:
        return ["failed", type(error).__name__ + ": " + str(error)[:80]]
said = [played(*question) for question in json.load(sys.stdin)]
print()
print(json.dumps(said))
"""


class Query:
    """One query under way: `trips` at most, nodes of `may` only, none twice."""

    def __init__(self, name, function, arguments, answer, nodes, may, trips):
        self.name, self.function, self.arguments, self.answer = name, function, arguments, answer
        self.nodes, self.may, self.trips = nodes, may, trips
        self.answers, self.problem, self.done = [], None, False

    def question(self):
        return [self.function, self.arguments, self.answers]

    def hear(self, said):
        kind, value = said
        if kind == "asks":
            self.problem = self.costs(value)
            if not self.problem:
                self.answers.append([value, {name: self.nodes[name] for name in value}])
        else:
            self.done = True
            right = json.dumps(value) == json.dumps(self.answer)
            self.problem = None if kind == "done" and right else f"{str(value)[:120]}, not {str(self.answer)[:120]}"

    def costs(self, ids):
        """Why this trip is one too many, or None."""
        before = [name for asked, _ in self.answers for name in asked]
        if len(self.answers) >= self.trips:
            return f"more than {self.trips} trips"
        if len(set(ids)) != len(ids) or set(ids) & set(before):
            return "asks for a node twice"
        return None if set(ids) <= self.may else f"asks for {len(set(ids) - self.may)} nodes that it can spare"


def content_of(plan, links=False):
    content = {key: 1 + NUMBERS.below(9000) for key in trees.keys_of(plan)}
    keys = sorted(content)
    if links:
        for key in keys:
            if NUMBERS.below(3) > 0:
                content[key] = f"@{mark}{keys[NUMBERS.below(len(keys))] + (NUMBERS.below(12) == 0)}"
    return content


def new_plan():
    return trees.plan_of(NUMBERS, NUMBERS.below(900), 1600 + NUMBERS.below(900), LEVELS)


def doubts(plan):
    """Entries not to be trusted: leaves here and there, and a branch over leaves."""
    places = list(trees.inner(plan))
    leaves = [place for place in places if not isinstance(place[2][0], tuple)]
    over = [place for place in places if isinstance(place[2][0], tuple) and not isinstance(place[2][0][2][0], tuple)]
    chosen = [leaves[NUMBERS.below(len(leaves))] for _ in range(12)] + [over[NUMBERS.below(len(over))] for _ in range(4)]
    return {place[:2] for place in chosen}


def gets():
    for _ in range(4):
        nodes, plan = {}, new_plan()
        content = content_of(plan, links=True)
        tree = trees.Tree(NUMBERS, nodes, plan, content)
        keys = sorted({*(plan[0] + NUMBERS.below(1700) for _ in range(9)), *list(content)[3::17]})
        answer = [[key, content.get(key)] for key in keys if key in content or @{missing_kept}]
        yield Query("get", "get", [tree.root, keys], answer, nodes, trees.may_get(nodes, tree.root, keys), LEVELS)


def totals(name, doubtful):
    for at in range(4):
        nodes, plan = {}, new_plan()
        content = content_of(plan, links=at % 2 == 1)
        tree = trees.Tree(NUMBERS, nodes, plan, content, doubts(plan) if doubtful else ())
        for _ in range(3):
            low = plan[0] + 1 + NUMBERS.below(200)
            high = plan[1] - 1 - NUMBERS.below(300)
            answer = sum(value for key, value in content.items() if low <= key <= high and not isinstance(value, str))
            yield Query(name, "total", [tree.root, low, high], answer, nodes, trees.may_total(nodes, tree.root, low, high), LEVELS)


def changed(content, plan, doubtful):
    """Another content: values changed here and there and below every doubtful entry, and a part gone."""
    other, keys = dict(content), sorted(content)
    for _ in range(5):
        key = keys[NUMBERS.below(len(keys))]
        other[key] = 10000 + NUMBERS.below(9000)
    for place in trees.inner(plan):
        if place[:2] in doubtful:
            other[trees.keys_of(place)[0]] = 20000 + NUMBERS.below(9000)
    gone = list(trees.inner(plan))
    for key in trees.keys_of(gone[NUMBERS.below(len(gone))]):
        if key in other and len(other) > 40:
            del other[key]
    return other


def diffs(name, doubtful):
    for _ in range(4):
        nodes, plan = {}, new_plan()
        content = content_of(plan)
        doubt = doubts(plan) if doubtful else set()
        other = changed(content, plan, doubt)
        both = (content, other) if NUMBERS.below(2) else (other, content)
        pair = [trees.Tree(NUMBERS, nodes, plan, each, doubt).root for each in both]
        answer = sorted(key for key in content.keys() | other.keys() if content.get(key) != other.get(key))
        yield Query(name, "diff", pair, answer, nodes, trees.may_diff(nodes, *pair), LEVELS)


def resolves():
    for _ in range(4):
        nodes, plan = {}, new_plan()
        content = content_of(plan, links=True)
        tree = trees.Tree(NUMBERS, nodes, plan, content)
        keys = sorted({*(plan[0] + NUMBERS.below(1700) for _ in range(3)), *list(content)[3::17]})
        ways = [trees.chain(content, key) for key in keys]
        may = trees.may_get(nodes, tree.root, {key for way, _ in ways for key in way})
        links = max(sum(isinstance(content.get(key), str) for key in way) for way, _ in ways)
        answer = [[key, number] for key, (_, number) in zip(keys, ways)]
        yield Query("resolve", "resolve", [tree.root, keys], answer, nodes, may, LEVELS * (links + 1))


QUERIES = [
    *gets(),
    *totals("total", False),
    *totals("open_total", True),
    *diffs("diff", False),
    *diffs("open_diff", True),
    *resolves(),
]


def play():
    """One trip of every query that is under way; False when none is."""
    under_way = [query for query in QUERIES if not query.done and not query.problem]
    if not under_way:
        return False
    questions = json.dumps([query.question() for query in under_way]).encode()
    result = subject.run(["python3", "-c", CALL], stdin=questions, timeout_s=20)
    try:
        said = json.loads(result.stdout.splitlines()[-1])
        assert len(said) == len(under_way)
    except (ValueError, IndexError, TypeError, AssertionError):
        said = [["failed", f"no answer: {result.stderr[-200:]!r}"]] * len(under_way)
    for query, one in zip(under_way, said):
        try:
            query.hear(one)
        except (ValueError, TypeError, KeyError):
            query.problem = f"asks for {str(one)[:80]}"
    return True


while play():
    pass

for name in ("get", "total", "open_total", "diff", "open_diff", "resolve"):
    with test(name):
        for query in QUERIES:
            if query.name == name:
                assert not query.problem, f"{query.function}({str(query.arguments)[:120]}): {query.problem}"
