"""The command line."""

WORDS = @{words}
VALUES = {"key", "value", "top", "delimiter", "measure", "order"}


def read(args):
    """The settings by role, `files` among them."""
    args = list(args)
    settings = {"files": [], "delimiter": "@{delimiter}", "key": @{key}, "value": @{value}}
    settings |= {"measure": "@{measure}", "order": "@{order}"}
    while args:
        arg = args.pop(0)
        role = WORDS.get(arg[2:]) if arg.startswith("--") else None
        if role is None:
            settings["files"].append(arg)
        else:
            settings[role] = args.pop(0) if role in VALUES else ""
    settings["key"] = int(settings["key"])
    settings["value"] = int(settings["value"])
    settings["delimiter"] = settings["delimiter"].replace(r"\t", "\t")
    return settings
