"""Runs mixes of tasks with seeds that only this grader knows.

The subject is stepped by a kernel in its own process, which tells what each task yielded. The same kernel then runs here on
tasks that yield just that: what counts are the cells, the calls and the clock of that second run. At last each task has to do
the same with what it was given there (`again`): what it knows from elsewhere, or was only said to have done, shows.
"""

import json

from again import check_again
from machine import SOURCE, Kernel
from tally_grader import subject, test

SEED = 0x@{seed}
DRAWN = Kernel(SEED, {}, {})
CALL = SOURCE + """
import json, sys
from @{pkg} import desk
def told(task, log):
    value = None
    try:
        while True:
            wanted = task.send(value)
            log.append(list(wanted))
            value = yield wanted
    except StopIteration as stopped:
        return stopped.value
def played(seed, cells, services, tasks):
    logs = {name: [] for name in tasks}
    kernel = Kernel(seed, cells, services)
    try:
        made = {name: told(getattr(desk, function)(*arguments), logs[name]) for name, (function, arguments) in tasks.items()}
        return [kernel.run(made), logs]
    except Stuck as error:
        return [str(error), logs]
    except Exception as error:
        return [type(error).__name__ + ": " + str(error)[:80], logs]
said = [played(*question) for question in json.load(sys.stdin)]
print()
print(json.dumps(said))
"""
SEEDS = 10


class Mix:
    """Tasks to be run at once; after the run `results`, and `cells`, `calls` and `clock` of the second run."""

    def __init__(self, cells, services):
        self.cells, self.services, self.tasks = cells, services, {}
        self.seed = DRAWN.below(1 << 30)

    def add(self, function, *arguments):
        name = f"t{len(self.tasks):02d}"
        self.tasks[name] = (function, arguments)
        return name

    def hear(self, results, logs):
        assert isinstance(results, dict), f"with tasks {self.shown()}: {results}"
        kernel = Kernel(self.seed, self.cells, self.services)
        given = {name: [] for name in self.tasks}
        ended = kernel.run({name: scripted(logs[name], given[name]) for name in self.tasks})
        assert ended.keys() == results.keys() == self.tasks.keys(), "not every task came to an end"
        self.told = [(*self.tasks[name], given[name], logs[name], results[name]) for name in self.tasks]
        self.results, self.after, self.calls, self.clock = results, kernel.cells, kernel.calls, kernel.clock

    def shown(self):
        return ", ".join(f"{function}{tuple(arguments)}" for function, arguments in self.tasks.values())[:200]

    def of(self, names):
        return [self.results[name] for name in names]


def scripted(operations, given):
    """A task that yields what another one was seen to yield; `given` collects the results."""
    for operation in operations:
        given.append((yield tuple(operation)))


def play(mixes):
    """Run all mixes, in one question, and then their tasks one by one, in drawn order."""
    asked = [[mix.seed, mix.cells, mix.services, mix.tasks] for mix in mixes]
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(asked).encode(), timeout_s=20)
    try:
        said = json.loads(result.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        said = []
    assert isinstance(said, list) and len(said) == len(mixes), f"no answer: {result.stderr[-300:]!r}"
    for mix, (results, logs) in zip(mixes, said):
        mix.hear(results, logs)
    check_again(sorted((told for mix in mixes for told in mix.told), key=lambda _: DRAWN.below(1 << 20)))


def some(low, high):
    return low + DRAWN.below(high - low + 1)


def numbers():
    for _ in range(SEEDS):
        mix = Mix({"@{c_number}": some(0, 40)}, {})
        names = [mix.add("@{f_number}") for _ in range(some(4, 7))]
        yield mix, lambda mix=mix, names=names: numbered(mix, names)


def numbered(mix, names):
    first = mix.cells["@{c_number}"] + 1
    assert sorted(mix.of(names)) == list(range(first, first + len(names))), f"numbers {mix.of(names)} from {first} on"
    assert mix.after["@{c_number}"] == first + len(names) - 1, "the cell does not have the last number"


def stock():
    for _ in range(SEEDS):
        count, tries, left = some(2, 5), some(4, 6), some(7, 14)
        mix = Mix({"@{c_stock} it": left}, {"@{s_check} it": (some(3, 9), 0, "yes")})
        names = [mix.add("@{f_take}", "it", count) for _ in range(tries)]
        yield mix, lambda mix=mix, names=names, count=count: taken(mix, names, count)
        ticks, items = some(4, 9), [f"i{some(10, 99)}x{at}" for at in range(5)]
        apart = Mix({f"@{c_stock} {item}": 20 for item in items}, {f"@{s_check} {item}": (ticks, 0, "yes") for item in items})
        names = [apart.add("@{f_take}", item, 3) for item in items]
        yield apart, lambda mix=apart, names=names, ticks=ticks: at_once(mix, names, ticks, len(mix.tasks))


def taken(mix, names, count):
    left, given = mix.cells["@{c_stock} it"], sum(result is True for result in mix.of(names))
    assert given == min(len(names), left // count), f"{given} times {count} given of {left} to {len(names)} tasks"
    assert mix.after["@{c_stock} it"] == left - given * count, f"{mix.after['@{c_stock} it']} left of {left} after {given} times {count}"
    assert mix.calls == ["@{s_check} it"] * len(names), f"{len(mix.calls)} calls for {len(names)} tasks"


def at_once(mix, names, ticks, calls):
    """All of them did it, each with its call, and at the same time."""
    assert mix.of(names) == [True] * len(names), f"{mix.of(names)} with tasks {mix.shown()}"
    assert len(mix.calls) == len(set(mix.calls)) == calls, f"{len(mix.calls)} calls, not {calls}"
    assert mix.clock == ticks, f"{mix.clock} ticks for {calls} calls of {ticks} ticks that need not wait"


def cached():
    for _ in range(SEEDS):
        ticks, keys = some(3, 9), [f"k{some(10, 99)}x{at}" for at in range(4)]
        answers = {key: some(100, 999) for key in keys}
        mix = Mix({}, {f"@{s_load} {key}": (ticks, 0, answers[key]) for key in keys})
        names = {mix.add("@{f_fetch}", key): answers[key] for _ in range(3) for key in keys}
        yield mix, lambda mix=mix, names=names, ticks=ticks: loaded(mix, names, ticks)
        broken = Mix({}, {"@{s_load} k": (ticks, 2, 7), "@{s_load} j": (ticks, 0, 8)})
        names = [broken.add("@{f_fetch}", "k") for _ in range(5)] + [broken.add("@{f_fetch}", "j")]
        yield broken, lambda mix=broken, names=names: retried(mix, names)


def loaded(mix, names, ticks):
    for name, answer in names.items():
        assert mix.results[name] == answer, f"{mix.results[name]}, not {answer}"
    assert len(mix.calls) == len(set(mix.calls)) == len(mix.services), f"calls {sorted(mix.calls)}"
    assert mix.clock == ticks, f"{mix.clock} ticks for keys that need not wait; a call takes {ticks}"


def retried(mix, names):
    *same, other = mix.of(names)
    assert sorted(map(str, same)) == ["7", "7", "7", "None", "None"] and other == 8, f"two calls fail first: {same}, {other}"
    assert mix.calls.count("@{s_load} k") == 3 and mix.after.get("@{c_cache} k") == 7, f"calls {mix.calls}"


def sent():
    for _ in range(SEEDS):
        fails, tries, ticks = some(1, 2), some(4, 5), some(3, 9)
        mix = Mix({}, {"@{s_carry} o": (ticks, fails, "gone")})
        names = [mix.add("@{f_send}", "o") for _ in range(tries)]
        yield mix, lambda mix=mix, names=names, fails=fails: sent_once(mix, names, fails)
        orders = [f"o{some(10, 99)}x{at}" for at in range(4)]
        apart = Mix({}, {f"@{s_carry} {order}": (ticks, 0, "gone") for order in orders})
        names = [apart.add("@{f_send}", order) for order in orders]
        yield apart, lambda mix=apart, names=names, ticks=ticks: at_once(mix, names, ticks, len(mix.tasks))


def sent_once(mix, names, fails):
    assert sorted(mix.of(names)) == [False] * (len(names) - 1) + [True], f"{mix.of(names)}; {fails} calls fail first"
    assert len(mix.calls) == fails + 1, f"{len(mix.calls)} calls; {fails} fail first"
    assert mix.after.get("@{c_order} o") == "sent", "the cell does not say so"


def accounts(count, low, high):
    return {f"@{c_account} {chr(97 + at)}{some(10, 99)}": some(low, high) for at in range(count)}


def moves(mix, count, highest):
    """Moves in a ring, there and back, and one to itself; (name, source, target, amount) each."""
    people = [cell.split()[-1] for cell in mix.cells]
    made = []
    for at in range(count):
        source = people[at % len(people)]
        target = people[(at + (1 if at % 2 else len(people) - 1)) % len(people)] if at < count - 1 else source
        amount = some(1, highest)
        made.append((mix.add("@{f_move}", source, target, amount), source, target, amount))
    return made


def moved():
    for _ in range(SEEDS):
        ticks, cells = some(2, 6), accounts(3, 500, 900)
        mix = Mix(cells, {f"@{s_approve} {cell.split()[-1]}": (ticks, 0, "yes") for cell in cells})
        made = moves(mix, 7, 60)
        yield mix, lambda mix=mix, made=made: all_moved(mix, made)
        source, target, other = (cell.split()[-1] for cell in accounts(3, 0, 0))
        poor = {f"@{c_account} {source}": some(20, 29), f"@{c_account} {target}": 0, f"@{c_account} {other}": 0}
        few = Mix(poor, {f"@{s_approve} {source}": (4, 0, "yes")})
        names = [few.add("@{f_move}", source, (target, other)[at % 2], 8) for at in range(5)]
        yield few, lambda mix=few, names=names, source=source: some_moved(mix, names, source)
        ticks, cells = some(3, 9), accounts(8, 50, 90)
        apart = Mix(cells, {f"@{s_approve} {cell.split()[-1]}": (ticks, 0, "yes") for cell in cells})
        people = [cell.split()[-1] for cell in cells]
        names = [apart.add("@{f_move}", people[at], people[at + 1], 9) for at in range(0, 8, 2)]
        yield apart, lambda mix=apart, names=names, ticks=ticks: at_once(mix, names, ticks, len(mix.tasks))


def all_moved(mix, made):
    right = dict(mix.cells)
    for _, source, target, amount in made:
        right[f"@{c_account} {source}"] -= amount
        right[f"@{c_account} {target}"] += amount
    assert mix.of([name for name, *_ in made]) == [True] * len(made), f"refused, with tasks {mix.shown()}"
    found = {cell: mix.after.get(cell) for cell in right}
    assert found == right, f"accounts {found}, not {right}"
    assert len(mix.calls) == len(made), f"{len(mix.calls)} calls for {len(made)} moves"


def some_moved(mix, names, source):
    had = mix.cells[f"@{c_account} {source}"]
    given = sum(result is True for result in mix.of(names))
    assert given == had // 8 and mix.after[f"@{c_account} {source}"] == had - 8 * given, f"{given} times 8 of {had}"
    assert sum(mix.after[cell] for cell in mix.cells) == sum(mix.cells.values()), "something was lost"
    assert len(mix.calls) == len(names), f"{len(mix.calls)} calls for {len(names)} moves"


def counted():
    for _ in range(SEEDS):
        cells = accounts(4, 500, 900)
        mix = Mix(cells, {f"@{s_approve} {cell.split()[-1]}": (some(0, 2), 0, "yes") for cell in cells})
        made = moves(mix, 6, 90)
        people = [cell.split()[-1] for cell in cells]
        names = [mix.add("@{f_audit}", people[at % 4 :] + people[: at % 4]) for at in range(6)]
        yield mix, lambda mix=mix, made=made, names=names: sums_stay(mix, made, names)


def sums_stay(mix, made, names):
    right = sum(mix.cells.values())
    assert mix.of(names) == [right] * len(names), f"sums {mix.of(names)}, not {right}"
    all_moved(mix, made)


for name, pairs in (
    ("numbers", numbers),
    ("stock", stock),
    ("cached", cached),
    ("sent", sent),
    ("moved", moved),
    ("counted", counted),
):
    with test(name):
        found = list(pairs())
        play([mix for mix, _ in found])
        for _, check in found:
            check()
