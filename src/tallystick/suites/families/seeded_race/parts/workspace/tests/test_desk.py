import unittest

from @{pkg} import desk
from @{pkg}.kernel import Kernel

SERVICES = {
    "@{s_check} a": (3, 0, "yes"),
    "@{s_load} k": (4, 0, 17),
    "@{s_carry} o": (2, 1, "gone"),
    "@{s_approve} x": (5, 0, "yes"),
}


class DeskTest(unittest.TestCase):
    def kernel(self):
        return Kernel(1, {"@{c_stock} a": 5, "@{c_account} x": 10, "@{c_account} y": 1}, SERVICES)

    def one(self, kernel, task):
        return kernel.run({"task": task})["task"]

    def test_numbers(self):
        kernel = self.kernel()
        self.assertEqual([self.one(kernel, desk.@{f_number}()) for _ in range(3)], [1, 2, 3])

    def test_stock(self):
        kernel = self.kernel()
        self.assertEqual([self.one(kernel, desk.@{f_take}("a", 3)) for _ in range(2)], [True, False])
        self.assertEqual(kernel.cells["@{c_stock} a"], 2)

    def test_loading(self):
        kernel = self.kernel()
        self.assertEqual([self.one(kernel, desk.@{f_fetch}("k")) for _ in range(2)], [17, 17])
        self.assertEqual(kernel.calls, ["@{s_load} k"])

    def test_moving(self):
        kernel = self.kernel()
        self.assertTrue(self.one(kernel, desk.@{f_move}("x", "y", 4)))
        self.assertEqual(self.one(kernel, desk.@{f_audit}(["x", "y"])), 11)

    def test_two_at_once(self):
        kernel = self.kernel()
        tasks = {"one": desk.@{f_take}("a", 1), "two": desk.@{f_fetch}("k")}
        self.assertEqual(kernel.run(tasks), {"one": True, "two": 17})


if __name__ == "__main__":
    unittest.main()
