"""The rows of an export as a data frame of polars or pandas, whichever the reader has; neither is a dependency of ours."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, Literal

from tallystick.core.errors import InputError
from tallystick.flows.export import COLUMNS, rows
from tallystick.records.bundle import Bundle

__all__ = ["Library", "to_frame"]

Library = Literal["polars", "pandas"]

_KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("self_test", "passed"), "flag"),
    **dict.fromkeys(("score", "cost_usd"), "number"),
    **dict.fromkeys(
        ("submitted_at", "attempt", "attempts", "wall_ms", "cpu_ms", "grade_wall_ms", "max_rss_kb", "tries"), "count"
    ),
    "failed": "texts",
}
"""Kinds of columns; all others are texts. Numbers become floats, which no verdict depends on."""


def to_frame(bundle: Bundle, library: Library | None = None) -> Any:  # noqa: ANN401  # a class of a library that may not be there
    """A frame with a row for each attempt and the columns of `tally export`: of polars, else of pandas, or as `library` says.

    Raises:
        InputError: the library, or each of the two, is not installed.
    """
    columns = {name: [_plain(getattr(row, name)) for row in rows(bundle)] for name in COLUMNS}
    for name in (library,) if library else ("polars", "pandas"):
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            continue
        return _polars(module, columns) if name == "polars" else _pandas(module, columns)
    raise InputError(f"a frame needs {library or 'polars or pandas'}; install it: pip install {library or 'polars'}")


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _polars(polars: Any, columns: Mapping[str, list[Any]]) -> Any:  # noqa: ANN401  # as above
    kinds = {"flag": polars.Boolean, "number": polars.Float64, "count": polars.Int64, "texts": polars.List(polars.String)}
    schema = {name: kinds.get(_KINDS.get(name, ""), polars.String) for name in columns}
    return polars.DataFrame(_floats(columns), schema=schema)


def _pandas(pandas: Any, columns: Mapping[str, list[Any]]) -> Any:  # noqa: ANN401  # as above
    kinds = {"flag": "boolean", "number": "Float64", "count": "Int64", "texts": "object", "": "string"}
    series = {name: pandas.Series(values, dtype=kinds[_KINDS.get(name, "")]) for name, values in _floats(columns).items()}
    return pandas.DataFrame(series)


def _floats(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    return {
        name: [None if value is None else float(value) for value in values] if _KINDS.get(name) == "number" else values
        for name, values in columns.items()
    }
