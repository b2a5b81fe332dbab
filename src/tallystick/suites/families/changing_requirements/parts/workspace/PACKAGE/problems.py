"""What can go wrong with an account."""


class Refused(Exception):
    """Spending that the terms do not allow."""
