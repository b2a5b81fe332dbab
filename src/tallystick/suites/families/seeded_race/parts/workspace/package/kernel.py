"""Steps tasks in an order drawn from a seed; see docs/kernel.md."""


class Stuck(Exception):
    """Nobody can ever go on, or somebody broke a rule."""


class Kernel:
    """`services` has (ticks, how often it fails first, answer) by service and argument."""

    MOST_STEPS = 20000

    def __init__(self, seed, cells, services):
        self.state = seed
        self.cells = dict(cells)
        self.services = services
        self.locks = {}
        self.clock = 0
        self.calls = []

    def below(self, bound):
        """A drawn number (Knuth's linear congruential generator for MMIX)."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % bound

    def run(self, tasks):
        """The results of tasks (generators by name)."""
        self.results, self.due = {}, {}
        self.wants = {name: None for name in tasks}
        self.tasks = dict(tasks)
        for _ in range(self.MOST_STEPS):
            if not self.tasks:
                return self.results
            ready = [name for name in sorted(self.tasks) if self._can(name)]
            if ready:
                self._step(ready[self.below(len(ready))])
            elif self.due:
                self.clock = min(self.due.values())
            else:
                raise Stuck(f"{len(self.tasks)} tasks wait for ever")
        raise Stuck("too many steps")

    def _can(self, name):
        if name in self.due:
            return self.due[name] <= self.clock
        wanted = self.wants[name]
        return wanted is None or wanted[0] != "lock" or wanted[1] not in self.locks

    def _step(self, name):
        wanted = self.wants[name]
        if wanted and wanted[0] == "call" and name not in self.due:
            self.due[name] = self.clock + self.services[f"{wanted[1]} {wanted[2]}"][0]
            return
        value = self._done(name, *wanted) if wanted else None
        self.due.pop(name, None)
        try:
            self.wants[name] = self.tasks[name].send(value)
        except StopIteration as stopped:
            self.results[name] = stopped.value
            del self.tasks[name]
            if name in self.locks.values():
                raise Stuck(f"{name} ends with a lock")

    def _done(self, name, kind, what, *rest):
        """The result of an operation, done now."""
        if kind == "read":
            return self.cells.get(what)
        if kind == "write":
            self.cells[what] = rest[0]
        elif kind == "lock":
            self.locks[what] = name
        elif kind == "unlock":
            if self.locks.pop(what, None) != name:
                raise Stuck(f"{name} unlocks what it does not hold")
        elif kind == "call":
            self.calls.append(f"{what} {rest[0]}")
            ticks, fails, answer = self.services[f"{what} {rest[0]}"]
            bad = self.calls.count(f"{what} {rest[0]}") <= fails
            return (False, "not now") if bad else (True, answer)
        else:
            raise Stuck(f"no operation {kind}")
        return None
