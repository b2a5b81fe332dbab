"""Trees that only the grader knows: plans of cuts, contents, nodes, and what a query may ask for."""

import zlib


class Numbers:
    """A linear congruential generator (Knuth, MMIX): the same in every Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % bound


def plan_of(numbers, low, width, levels):
    """(low, last, kids or keys) of a node and of all below it."""
    if levels == 1:
        keys = sorted({low + numbers.below(width) for _ in range(2 + numbers.below(4))})
        return low, low + width - 1, keys
    fan = 3 + numbers.below(3)
    each = width // fan
    spare = [numbers.below(3) for _ in range(fan)]
    kids = [plan_of(numbers, low + at * each + spare[at], each - spare[at], levels - 1) for at in range(fan)]
    return low, low + width - 1, kids


def keys_of(plan):
    """All keys of a plan."""
    kids = plan[2]
    return [key for kid in kids for key in keys_of(kid)] if isinstance(kids[0], tuple) else list(kids)


def inner(plan):
    """All plans below a plan."""
    if isinstance(plan[2][0], tuple):
        for kid in plan[2]:
            yield kid
            yield from inner(kid)


class Tree:
    """Nodes of a content below a plan. `doubtful` are the (low, last) of entries not to be trusted."""

    def __init__(self, numbers, nodes, plan, content, doubtful=()):
        self.numbers, self.nodes, self.content, self.doubtful = numbers, nodes, content, doubtful
        self.plan, self.entries = plan, {}
        self.root = self._node(plan)

    def _node(self, plan):
        name = f"n{self.numbers.below(1 << 30):08x}{len(self.nodes):x}"
        if isinstance(plan[2][0], tuple):
            self.nodes[name] = {"@{kids}": [self._entry(kid) for kid in plan[2] if self._inside(kid)]}
        else:
            self.nodes[name] = {"@{items}": [[key, value] for key, value in self._inside(plan)]}
        return name

    def _inside(self, plan):
        return [(key, self.content[key]) for key in keys_of(plan) if key in self.content]

    def _entry(self, plan):
        inside, doubt = self._inside(plan), plan[:2] in self.doubtful
        total = sum(value for _, value in inside if not isinstance(value, str))
        digest = f"{zlib.crc32(repr(('old', plan[:2]) if doubt else inside).encode()):08x}"
        return {
            "id": self._node(plan),
            "@{low}": plan[0],
            "@{high}": plan[1]@{plus_one},
            "@{sum}": total + 1 + self.numbers.below(50) if doubt else total,
            "@{digest}": digest,
            "@{flag}": @{flag_of},
        }


def trusted(entry):
    return entry["@{flag}"] is @{trusted_python}


def span(entry):
    """First and last key that may be below an entry."""
    return entry["@{low}"], entry["@{high}"]@{less_one}


def kids(nodes, name):
    return nodes[name].get("@{kids}", [])


def may_get(nodes, root, keys):
    """Ids that `get` may ask for."""
    found = {root}
    for entry in kids(nodes, root):
        low, last = span(entry)
        inside = [key for key in keys if low <= key <= last]
        if inside:
            found |= may_get(nodes, entry["id"], inside)
    return found


def may_total(nodes, root, low, high):
    """Ids that `total` may ask for."""
    found = {root}
    for entry in kids(nodes, root):
        first, last = span(entry)
        whole = low <= first and last <= high
        if first <= high and last >= low and not (whole and trusted(entry)):
            found |= may_total(nodes, entry["id"], low, high)
    return found


def may_diff(nodes, one, other):
    """Ids that `diff` may ask for; None stands for a node that is not there."""
    found = {name for name in (one, other) if name is not None}
    left, right = ({span(entry): entry for entry in (kids(nodes, name) if name else [])} for name in (one, other))
    for place in left.keys() | right.keys():
        mine, others = left.get(place), right.get(place)
        if mine and others and trusted(mine) and trusted(others) and mine["@{digest}"] == others["@{digest}"]:
            continue
        found |= may_diff(nodes, mine and mine["id"], others and others["id"])
    return found


def chain(content, key):
    """The keys on the way from a key, and the number at its end or None."""
    seen = []
    while key not in seen:
        seen.append(key)
        value = content.get(key)
        if not isinstance(value, str):
            return seen, value
        key = int(value[@{mark_length}:])
    return seen, None
