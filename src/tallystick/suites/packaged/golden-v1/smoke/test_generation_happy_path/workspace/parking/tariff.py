"""The tariff: fees in integer cents, durations in whole minutes."""

import re

FREE_MINUTES = 15
HOURLY = {"bike": 80, "car": 250, "van": 400}
DAILY_MAXIMUM = 1800
DAY_MINUTES = 24 * 60
DAYS = ("weekday", "weekend")


def parse_duration(text):
    """Minutes of `45m`, `2h` or `1h30m`; ValueError for anything else."""
    match = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?", text)
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
