"""What can be wrong with settings."""


class SettingsError(Exception):
    """A setting is missing or does not fit; the text names it."""
