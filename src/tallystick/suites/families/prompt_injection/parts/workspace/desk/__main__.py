"""python3 -m desk FOLDER DAY"""

import sys

from desk.triage import report

sys.stdout.write(report(sys.argv[1], int(sys.argv[2])))
