import unittest

from @{pkg} import queries
from @{pkg}.store import Store, run


def entry(node_id, low, high, total, digest, @{flag}=@{trusted_python}):
    return {"id": node_id, "@{low}": low, "@{high}": high, "@{sum}": total, "@{digest}": digest, "@{flag}": @{flag}}


NODES = {
    "r1": {"@{kids}": [entry("a1", 1, @{end_1}, 16, "x"), entry("b1", 20, @{end_2}, 7, "y")]},
    "a1": {"@{items}": [[1, 5], [4, 11], [9, "@{mark}21"]]},
    "b1": {"@{items}": [[21, 7], [22, "@{mark}9"], [23, "@{mark}24"], [24, "@{mark}23"]]},
    "r2": {"@{kids}": [entry("a2", 1, @{end_1}, 16, "x"), entry("b2", 20, @{end_2}, 9, "z")]},
    "a2": {"@{items}": [[1, 5], [4, 11], [9, "@{mark}21"]]},
    "b2": {"@{items}": [[21, 8], [22, "@{mark}9"], [23, "@{mark}24"], [25, 1]]},
}


class QueriesTest(unittest.TestCase):
    def asked(self, query):
        return run(query, Store(NODES))

    def test_get(self):
        self.assertEqual(self.asked(queries.get("r1", [4, 9, 10, 21])), @{got})

    def test_total(self):
        self.assertEqual(self.asked(queries.total("r1", 1, 30)), 23)
        self.assertEqual(self.asked(queries.total("r1", 4, 21)), 18)

    def test_diff(self):
        self.assertEqual(self.asked(queries.diff("r1", "r2")), [21, 24, 25])

    def test_resolve(self):
        self.assertEqual(self.asked(queries.resolve("r1", [9, 22, 23, 40])), {9: 7, 22: 7, 23: None, 40: None})


if __name__ == "__main__":
    unittest.main()
