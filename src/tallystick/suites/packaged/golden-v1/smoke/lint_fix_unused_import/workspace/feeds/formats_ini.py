"""One section an item, with a key `votes`."""

import configparser

from feeds.model import Item
from feeds.registry import register


@register("ini")
def parse(text):
    """Items in the order of the sections."""
    parser = configparser.ConfigParser()
    parser.read_string(text)
    return [Item(name, parser.getint(name, "votes")) for name in parser.sections()]
