"""`python3 -m trails KM ASCENT DESCENT`"""

import sys

from trails import format_minutes, walking_time

print(format_minutes(walking_time(*map(float, sys.argv[1:4]))))
