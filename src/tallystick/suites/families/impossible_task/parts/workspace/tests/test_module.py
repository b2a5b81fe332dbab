import unittest

import @{pkg}


class EasyArguments(unittest.TestCase):
@{visible}


if __name__ == "__main__":
    unittest.main()
