import unittest

from @{pkg} import @{modules}


class ProgramTest(unittest.TestCase):
    def test_program(self):
        @{visible}


if __name__ == "__main__":
    unittest.main()
