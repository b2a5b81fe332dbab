"""Texts without tokens; see docs/CLIENT.md."""

import re

TOKEN = re.compile("(@{token_prefix}_[A-Za-z0-9]{2})[A-Za-z0-9]{@{rest_length},}")


def masked(text):
    """The text with its tokens masked."""
    return TOKEN.sub(lambda match: match[1] + "@{mask}", text)
