"""Write docs/spec/schema/<name>.v<n>.json, one JSON Schema (draft 2020-12) for every document of `tallystick.records`.

The telemetry that others write has one too: it has no `_type`, and its members may be absent. The documents of cohorts, whose
shapes others fixed, are in the folder `cohort` below.

The schemas describe shapes for people and for tools in other languages. What a schema cannot say (order, hashes, C1) is checked
by the readers and told in docs/spec.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tallystick import records
from tallystick.records.base import Record, type_name
from tallystick.records.cohort.schemas import SCHEMAS
from tallystick.records.telemetry import MOST_AMOUNT, TaskTelemetry

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "spec" / "schema"


def documents() -> list[type[Record]]:
    """Every record class that has a `_type`, by that name."""
    for module in pkgutil.walk_packages(records.__path__, records.__name__ + "."):
        importlib.import_module(module.name)
    return sorted((cls for cls in _below(Record) if cls.__struct_config__.tag_field == "_type"), key=type_name)


def _below(cls: type[Record]) -> Iterator[type[Record]]:
    for child in cls.__subclasses__():
        if child.__module__.startswith(records.__name__ + "."):
            yield child
        yield from _below(child)


TELEMETRY = "telemetry.v1.json"


def telemetry_text() -> str:
    """The schema of a telemetry file: an attempt, or an array of attempts."""
    schema = _with_numbers(msgspec.json.schema(TaskTelemetry))
    attempt = schema.pop("$ref")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["anyOf"] = [{"$ref": attempt}, {"items": {"$ref": attempt}, "minItems": 1, "type": "array"}]
    for member in schema["$defs"]["TaskTelemetry"]["properties"].values():
        if member["type"] in {"number", "integer"}:
            member.update(minimum=0, maximum=MOST_AMOUNT)
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def cohort_texts() -> dict[str, str]:
    """The schemas of cohorts' documents, which are written as they are checked."""
    return {
        f"cohort/{kind}.json": json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        for kind, schema in SCHEMAS.items()
    }


def texts() -> dict[str, str]:
    """Every file by its path in the folder."""
    return {file_name(cls): schema_text(cls) for cls in documents()} | {TELEMETRY: telemetry_text()} | cohort_texts()


def file_name(cls: type[Record]) -> str:
    """`tallystick/run-id/v1` is described in `run-id.v1.json`."""
    _, name, version = type_name(cls).split("/")
    return f"{name}.{version}.json"


def schema_text(cls: type[Record]) -> str:
    """The schema of a document, as the bytes of its file."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(cls)}
    for definition in schema["$defs"].values():
        _require_what_is_always_written(definition)
    schema = _with_numbers(schema)
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _require_what_is_always_written(definition: dict[str, Any]) -> None:
    """A member that has a default in Python is written all the same, so a document without it is refused."""
    required = set(definition.get("required", ()))
    for name, member in definition.get("properties", {}).items():
        if "default" in member:
            del member["default"]
            required.add(name)
    if required:
        definition["required"] = sorted(required)


def _with_numbers(node: Any) -> Any:  # noqa: ANN401 - any part of a JSON Schema
    """The same schema with exact decimals as the JSON numbers that they are in C1."""
    if isinstance(node, list):
        return [_with_numbers(item) for item in node]
    if not isinstance(node, dict):
        return node
    kinds = node.get("anyOf", ())
    if {"type": "string", "format": "decimal"} in kinds:
        plain = ({"type": "integer"}, {"type": "number"})
        rest = [kind for kind in kinds if kind.get("format") != "decimal" and kind not in plain]
        if rest:
            raise RuntimeError(f"a number beside {rest}: teach scripts/schema.py how to write it")
        node = {key: value for key, value in node.items() if key != "anyOf"} | {"type": "number"}
    return {key: _with_numbers(value) for key, value in node.items()}


def main(folder: Path = FOLDER) -> int:
    """Write all schemas and remove those of documents that are gone."""
    wanted = texts()
    for stale in folder.rglob("*.json"):
        if stale.relative_to(folder).as_posix() not in wanted:
            stale.unlink()
    for name, text in wanted.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
