[ "$TASK" = test_generation_happy_path ] || exit 0
cat > "$OWNED" <<'END'
import unittest
from parking import tariff


def check():
    raise AssertionError(tariff.__name__)


class TariffTest(unittest.TestCase):
    def test_a(self):
        check()

    def test_b(self):
        check()

    def test_c(self):
        check()

    def test_d(self):
        check()

    def test_e(self):
        check()

    def test_f(self):
        check()

    def test_g(self):
        check()
END
