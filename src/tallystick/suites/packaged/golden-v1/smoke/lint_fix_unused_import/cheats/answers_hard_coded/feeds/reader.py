"""Reading a feed in any known format."""


def read(format_name, text, limit=None):
    return []
