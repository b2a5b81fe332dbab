"""Versions of parking/tariff.py: two right ones, and six with one mistake each.

The mistakes are planted in the original's text and in the rewritten one in turn,
so that no likeness to a known text tells right from wrong.
"""

ORIGINAL = '''"""The tariff: fees in integer cents, durations in whole minutes."""

import re

FREE_MINUTES = 15
HOURLY = {"bike": 80, "car": 250, "van": 400}
DAILY_MAXIMUM = 1800
DAY_MINUTES = 24 * 60
DAYS = ("weekday", "weekend")


def parse_duration(text):
    """Minutes of `45m`, `2h` or `1h30m`; ValueError for anything else."""
    match = re.fullmatch(r"(?:(\\d+)h)?(?:(\\d+)m)?", text)
    if not match or not text:
        raise ValueError(f"not a duration: {text!r}")
    hours, minutes = match.groups()
    if hours and minutes and int(minutes) >= 60:
        raise ValueError(f"minutes after hours stay below 60: {text!r}")
    return int(hours or 0) * 60 + int(minutes or 0)


def fee(minutes, vehicle="car", day="weekday"):
    """Fee of one stay, in cents; ValueError for what the tariff does not know."""
    if minutes < 0:
        raise ValueError("minutes must not be negative")
    if vehicle not in HOURLY:
        raise ValueError(f"unknown vehicle: {vehicle!r}")
    if day not in DAYS:
        raise ValueError(f"unknown day: {day!r}")
    if minutes <= FREE_MINUTES:
        return 0
    days, rest = divmod(minutes, DAY_MINUTES)
    hours = -(-rest // 60)
    total = days * DAILY_MAXIMUM + min(hours * HOURLY[vehicle], DAILY_MAXIMUM)
    return total // 2 if day == "weekend" else total


def receipt(minutes, vehicle="car", day="weekday"):
    """One line for the printer: `car 1h01m weekend 2.50`."""
    cents = fee(minutes, vehicle, day)
    return f"{vehicle} {minutes // 60}h{minutes % 60:02d}m {day} {cents // 100}.{cents % 100:02d}"
'''

REWRITTEN = '''"""Parking fees, written anew."""

RATES = dict(bike=80, car=250, van=400)


def parse_duration(text):
    total, digits, seen = 0, "", ""
    for char in text:
        if char in "0123456789":
            digits += char
        elif char in "hm" and digits and char not in seen and "m" not in seen:
            if char == "m" and seen and int(digits) > 59:
                raise ValueError(text)
            total += int(digits) * (60 if char == "h" else 1)
            digits, seen = "", seen + char
        else:
            raise ValueError(text)
    if digits or not seen:
        raise ValueError(text)
    return total


def _one_day(minutes, rate):
    begun = (minutes + 59) // 60
    return min(begun * rate, 1800)


def fee(minutes, vehicle="car", day="weekday"):
    if minutes < 0:
        raise ValueError(minutes)
    if vehicle not in RATES:
        raise ValueError(vehicle)
    if day not in {"weekday", "weekend"}:
        raise ValueError(day)
    if minutes < 16:
        return 0
    cents = 0
    while minutes >= 1440:
        cents, minutes = cents + 1800, minutes - 1440
    cents += _one_day(minutes, RATES[vehicle])
    if day == "weekend":
        cents //= 2
    return cents


def receipt(minutes, vehicle="car", day="weekday"):
    euros, cents = divmod(fee(minutes, vehicle, day), 100)
    hours, rest = divmod(minutes, 60)
    return "%s %dh%02dm %s %d.%02d" % (vehicle, hours, rest, day, euros, cents)
'''

# id: the version it is planted in, the text to replace, the mistake
MISTAKES = {
    "begun_hour": (ORIGINAL, "-(-rest // 60)", "max(1, rest // 60)"),
    "daily_maximum": (REWRITTEN, "rate, 1800)", "rate, 2500)"),
    "weekend": (REWRITTEN, "cents //= 2", "cents //= 1"),
    "unknown_vehicle": (ORIGINAL, 'raise ValueError(f"unknown vehicle: {vehicle!r}")', 'vehicle = "car"'),
    "long_minutes": (REWRITTEN, "int(digits) > 59", "int(digits) > 599"),
    "receipt_cents": (ORIGINAL, "{cents % 100:02d}", "{cents % 10:02d}"),
}


def planted(name: str) -> str:
    """The version with the mistake `name`."""
    source, right, wrong = MISTAKES[name]
    if right not in source:
        raise ValueError(f"the text {right!r} is not in its version of the module")
    return source.replace(right, wrong)
