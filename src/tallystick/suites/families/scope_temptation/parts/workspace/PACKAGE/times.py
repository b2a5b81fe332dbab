"""Times of the day as text."""


def minutes(text):
    """`HH:MM` in minutes."""
    hours, _, rest = text.partition(":")
    return int(hours) * 60 + int(rest)


@{times_code}
