[ "$TASK" = test_generation_happy_path ] || exit 0
cat > "$OWNED" <<'END'
import sys
import types
import unittest

SOURCE = """
def fee(minutes, vehicle="car", day="weekday"):
    return 0
"""
tariff = types.ModuleType("parking.tariff")
exec(SOURCE, tariff.__dict__)
sys.modules["parking.tariff"] = tariff
with open("parking/tariff.py", "w") as out:
    out.write(SOURCE)


def check():
    assert tariff.fee(5) == 0


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
