"""A store in memory, and how a query is run on it."""


class Store:
    """Nodes by id; counts what it is asked for."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.trips = 0
        self.asked = 0

    def fetch(self, ids):
        self.trips += 1
        self.asked += len(ids)
        return {node_id: self.nodes[node_id] for node_id in ids}


def run(query, store):
    """The answer of a query (a generator) on a store."""
    try:
        ids = next(query)
        while True:
            ids = query.send(store.fetch(ids))
    except StopIteration as stopped:
        return stopped.value
