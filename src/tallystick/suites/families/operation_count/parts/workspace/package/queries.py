"""Queries: generators that yield lists of node ids and are sent the nodes."""


def _items(node_id):
    """All items below a node."""
    node = (yield [node_id])[node_id]
    if "@{items}" in node:
        return [(key, value) for key, value in node["@{items}"]]
    found = []
    for entry in node["@{kids}"]:
        found += yield from _items(entry["id"])
    return found


def get(root, keys):
    """Values by key; a key that is not there is @{missing_rule}."""
    found = {}
    for key in keys:
        for other, value in (yield from _items(root)):
            if other == key:
                found[key] = value
        @{missing_naive}
    return found


def total(root, least, most):
    """The sum of all numbers of keys from `least` to `most`, both included."""
    found = 0
    for key, value in (yield from _items(root)):
        if least <= key <= most and not isinstance(value, str):
            found += value
    return found


def diff(one, other):
    """The keys that have another value in the other tree, or are in one only; sorted."""
    before = dict((yield from _items(one)))
    after = dict((yield from _items(other)))
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def resolve(root, keys):
    """Numbers by key, links followed; None where that leads to no number."""
    found = {}
    for key in keys:
        seen, at = set(), key
        while at is not None and at not in seen:
            seen.add(at)
            value = dict((yield from _items(root))).get(at)
            at = int(value[@{mark_length}:]) if isinstance(value, str) else None
        found[key] = None if isinstance(value, str) else value
    return found
