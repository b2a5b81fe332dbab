r"""What the schemas of a cohort's documents are built from: JSON Schema (draft 2020-12) as Python data.

A pattern ends in `$` where a line feed may follow it, since Python's `$` matches before one, and in `$(?!\n)` where none may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from tallystick.core.digest import PATTERN
from tallystick.core.pyjson import Json

__all__ = [
    "AMOUNT",
    "BOOLEAN",
    "COUNT",
    "DATE_TIME",
    "DIGEST",
    "DIGEST_CLOSED",
    "ENVIRONMENT",
    "EXTENSIONS",
    "FALSE",
    "FILLED",
    "IDENTIFIER",
    "IDENTIFIER_CLOSED",
    "METRICS",
    "MODEL",
    "PATH",
    "RESOURCES",
    "TEXT",
    "TRUE",
    "WHOLE",
    "Schema",
    "array",
    "choice",
    "closed",
    "const",
    "described",
    "document",
    "when",
]

Schema = dict[str, Json]

_IDENTIFIER: Final = "^[a-z0-9][a-z0-9._/-]{2,127}$"
_DIGEST: Final = "^sha256:[0-9a-f]{64}$"
_NO_LINE_FEED: Final = r"(?!\n)"

TEXT: Final[Schema] = {"type": "string"}
FILLED: Final[Schema] = {"type": "string", "minLength": 1}
IDENTIFIER: Final[Schema] = {"type": "string", "pattern": _IDENTIFIER}
IDENTIFIER_CLOSED: Final[Schema] = {"type": "string", "pattern": _IDENTIFIER + _NO_LINE_FEED}
DIGEST: Final[Schema] = {"type": "string", "pattern": _DIGEST}
DIGEST_CLOSED: Final[Schema] = {"type": "string", "pattern": PATTERN}
PATH: Final[Schema] = {"type": "string", "minLength": 1, "pattern": r"^(?!/)(?!.*(?:^|/)\.\.(?:/|$)).+$"}
DATE_TIME: Final[Schema] = {"type": "string", "format": "date-time"}
BOOLEAN: Final[Schema] = {"type": "boolean"}
AMOUNT: Final[Schema] = {"type": "number", "minimum": 0}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
WHOLE: Final[Schema] = {"type": "integer", "minimum": 1}
EXTENSIONS: Final[Schema] = {"type": "object", "additionalProperties": True}


def const(value: str | bool) -> Schema:  # noqa: FBT001 - a JSON value
    """Exactly this value."""
    return {"const": value}


TRUE: Final = const(value=True)
FALSE: Final = const(value=False)


def choice(words: Iterable[str]) -> Schema:
    """One of these words."""
    return {"enum": [str(word) for word in words]}


def array(items: Schema, least: int = 0, *, unique: bool = False) -> Schema:
    """A list of at least so many items; `unique` ones differ from each other."""
    schema: Schema = {"type": "array", "items": items}
    if least:
        schema["minItems"] = least
    if unique:
        schema["uniqueItems"] = True
    return schema


def closed(required: Mapping[str, Json], optional: Mapping[str, Json] | None = None, *rules: Schema) -> Schema:
    """An object with these members and no others, for which all `rules` hold too."""
    schema: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {**required, **(optional or {})},
    }
    if required:
        schema["required"] = list(required)
    if rules:
        schema["allOf"] = list(rules)
    return schema


def when(member: str, is_: Schema, then: Schema, *, absent_too: bool = False, otherwise: Schema | None = None) -> Schema:
    """If `member` is there and of that shape (`absent_too`: or absent), `then` holds, and if not, `otherwise`."""
    condition: Schema = {"properties": {member: is_}}
    if not absent_too:
        condition["required"] = [member]
    rule: Schema = {"if": condition, "then": then}
    if otherwise is not None:
        rule["else"] = otherwise
    return rule


def described(schema: Schema, description: str) -> Schema:
    """The same schema with a sentence for people."""
    return {**schema, "description": description}


def document(title: str, description: str, schema: Schema, definitions: Mapping[str, Json] | None = None) -> Schema:
    """A whole schema file."""
    head: Schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": description}
    return {**head, **schema, **({"$defs": dict(definitions)} if definitions else {})}


ENVIRONMENT: Final = closed(
    {},
    {
        "platform": TEXT,
        "python": TEXT,
        "container_image": TEXT,
        "tool_versions": {"type": "object", "additionalProperties": TEXT},
    },
)
METRICS: Final[Schema] = {"type": "object", "additionalProperties": {"type": ["number", "integer", "null"]}}
MODEL: Final = closed({"name": FILLED}, {"provider": TEXT, "version": TEXT})
RESOURCES: Final = closed(
    {"wall_seconds": AMOUNT},
    {"cpu_seconds": AMOUNT, "max_rss_mb": AMOUNT, "compute_units": AMOUNT, "human_minutes": AMOUNT, "tokens": COUNT},
)
