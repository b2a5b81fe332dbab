"""Queries: generators that yield lists of node ids and are sent the nodes."""


def _covers(entry, key):
    return entry["@{low}"] <= key @{high_sign} entry["@{high}"]


def _trusted(entry):
    return entry["@{flag}"] is @{trusted_python}


def get(root, keys):
    """Values by key; a key that is not there is @{missing_rule}."""
    found, wanted = @{found_start}, {root: set(keys)}
    while wanted:
        nodes, below = (yield sorted(wanted)), {}
        for node_id, inside in wanted.items():
            for key, value in nodes[node_id].get("@{items}", ()):
                if key in inside:
                    found[key] = value
            for entry in nodes[node_id].get("@{kids}", ()):
                covered = {key for key in inside if _covers(entry, key)}
                if covered:
                    below[entry["id"]] = covered
        wanted = below
    return found


def total(root, least, most):
    """The sum of all numbers of keys from `least` to `most`, both included."""
    found, wanted = 0, [root]
    while wanted:
        nodes, below = (yield wanted), []
        for node_id in wanted:
            for key, value in nodes[node_id].get("@{items}", ()):
                if least <= key <= most and not isinstance(value, str):
                    found += value
            for entry in nodes[node_id].get("@{kids}", ()):
                last = entry["@{high}"]@{less_one}
                if entry["@{low}"] > most or last < least:
                    continue
                if least <= entry["@{low}"] and last <= most and _trusted(entry):
                    found += entry["@{sum}"]
                else:
                    below.append(entry["id"])
        wanted = below
    return found


def diff(one, other):
    """The keys that have another value in the other tree, or are in one only; sorted."""
    before, after, pairs = {}, {}, [(one, other)]
    while pairs:
        nodes = yield [node_id for pair in pairs for node_id in pair if node_id is not None]
        below = []
        for pair in pairs:
            left, right = (nodes.get(node_id, {}) for node_id in pair)
            before.update(map(tuple, left.get("@{items}", ())))
            after.update(map(tuple, right.get("@{items}", ())))
            below += _apart(left.get("@{kids}", ()), right.get("@{kids}", ()))
        pairs = below
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def _apart(left, right):
    """Pairs of ids that have to be looked at."""
    left, right = ({entry["@{low}"]: entry for entry in entries} for entries in (left, right))
    pairs = []
    for low in sorted(left.keys() | right.keys()):
        one, other = left.get(low), right.get(low)
        if one and other and _trusted(one) and _trusted(other) and one["@{digest}"] == other["@{digest}"]:
            continue
        pairs.append((one and one["id"], other and other["id"]))
    return pairs


def resolve(root, keys):
    """Numbers by key, links followed; None where that leads to no number."""
    known = {}
    while True:
        found = {key: _follow(known, root, key) for key in keys}
        missing = sorted({need for need, _ in found.values() if need is not None})
        if not missing:
            return {key: value for key, (_, value) in found.items()}
        known.update((yield missing))


def _follow(known, root, key):
    """(id of a node that is needed, None), or (None, number)."""
    seen = set()
    while key not in seen:
        seen.add(key)
        need, value = _descend(known, root, key)
        if need is not None or not isinstance(value, str):
            return need, value
        key = int(value[@{mark_length}:])
    return None, None


def _descend(known, node_id, key):
    while node_id in known:
        node = known[node_id]
        if "@{items}" in node:
            return None, dict(map(tuple, node["@{items}"])).get(key)
        node_id = next((entry["id"] for entry in node["@{kids}"] if _covers(entry, key)), None)
    return node_id, None
