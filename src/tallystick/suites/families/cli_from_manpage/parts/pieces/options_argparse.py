"""The command line."""

import argparse
import os

WORDS = @{words}
LETTERS = @{letters}
VALUES = {"key", "value", "top", "delimiter", "measure", "order"}


def read(args):
    """The settings by role, `files` among them."""
    parser = argparse.ArgumentParser(prog="@{prog}")
    parser.add_argument("files", nargs="*")
    short = {role: letter for letter, role in LETTERS.items()}
    for word, role in WORDS.items():
        if role == "version":
            parser.add_argument("--version", action="version", version="@{prog} @{version}")
        elif role in VALUES:
            parser.add_argument(f"-{short[role]}", f"--{word}", dest=role)
        else:
            parser.add_argument(f"-{short[role]}", f"--{word}", dest=role, action="store_const", const="")
    settings = {name: value for name, value in vars(parser.parse_args(args)).items() if value is not None}
    settings.setdefault("delimiter", os.environ.get("@{variable}") or "@{delimiter}")
    settings["delimiter"] = settings["delimiter"].replace(r"\t", "\t")
    settings["key"] = int(settings.get("key", @{key}))
    settings["value"] = int(settings.get("value", @{value}))
    return {"measure": "@{measure}", "order": "@{order}"} | settings
