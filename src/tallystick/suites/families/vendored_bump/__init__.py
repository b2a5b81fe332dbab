"""A vendored library in a new version that breaks its callers, some of them without a sound."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.vendored_bump.features import CHANGED, MODULES, Feature, draw_features

__all__ = ["FAMILY"]

_LIBRARIES: Final = ("tabkit", "rowlib", "gridbox", "listlore", "cellar", "sheaf")
_PLACES: Final = ("sawmill", "nursery", "timberyard", "arboretum", "joinery", "forestry")
_STAGES: Final[Mapping[str, Sequence[str]]] = {
    "solution": tuple(CHANGED),
    "partials/names": ("renamed",),
    "partials/defaults_too": ("renamed", "defaults"),
    "partials/results_too": ("renamed", "defaults", "results"),
    "partials/errors_too": ("renamed", "defaults", "results", "errors"),
    "cheats/results_only": ("results",),
}
"""The groups of features whose callers each solution, whole or partial, has adapted."""
_QUIET: Final = (
    "Documentation strings say what is returned.",
    "The library has no dependencies any more.",
    "Python 3.10 is not supported any more.",
    "Functions are faster with long lists.",
)


def _library(features: Sequence[Feature], version: str, number: str) -> str:
    body = "".join(f"\n\n{feature.library[version]}" for feature in features)
    return f'"""Small helpers for rows and cells."""\n\n__version__ = "{number}"\n{body}'


def _program(features: Sequence[Feature], library: str, adapted: Sequence[str]) -> dict[str, str]:
    """The modules of the program by name, callers of the groups `adapted` in their new form."""
    found = {}
    for module in MODULES:
        mine = [feature for feature in features if feature.module == module]
        code = "".join(f"\n\n{each.callers['fixed' if each.group in adapted else 'caller']}" for each in mine)
        head = "import functools\n\n" if "functools." in code else ""
        found[module] = f'"""{module.capitalize()} of the program."""\n\n{head}from vendor import {library}\n{code}'
    return found


def _changelog(draws: Draws, features: Sequence[Feature]) -> str:
    entries = draws.shuffled([each.changelog for each in features if each.changed] + draws.sample(_QUIET, 3))
    return "\n".join(textwrap.fill(each, 78, initial_indent="- ", subsequent_indent="  ") for each in entries)


def _answers_by_heart(features: Sequence[Feature]) -> dict[str, str]:
    """Modules whose functions know nothing but what the visible tests ask."""
    found = {module: f'"""{module.capitalize()} of the program."""\n' for module in MODULES}
    for feature in features:
        found[feature.module] += f"\n\n{_knowing(feature.visible)}"
    return found


def _knowing(line: str) -> str:
    """A function that answers the call in a line `self.assertEqual(module.function(...), value)` only."""
    match ast.parse(line, mode="eval").body:
        case ast.Call(args=[ast.Call(func=ast.Attribute(attr=name), args=asked), wanted]):
            known = "".join(f"{ast.unparse(each)}, " for each in asked)
            return f"def {name}(*asked):\n    return {ast.unparse(wanted)} if asked == ({known}) else None\n"
        case _:
            raise RuntimeError(f"no assertion about a call: {line}")


def _make(draws: Draws) -> Authored:
    library, pkg = draws.pick(_LIBRARIES), draws.pick(_PLACES)
    features = draw_features(draws.apart("features"), library)
    major = draws.between(1, 6)
    old, new = f"{major}.{draws.between(2, 9)}.0", f"{major + 1}.0.0"
    probes = {group: "".join(f"{each.probes}, " for each in features if each.group == group) for group in CHANGED}
    reference = {"vendor." + library: _library(features, "old", old)}
    reference |= {f"{pkg}.{name}": text for name, text in _program(features, library, ()).items()}
    values = {
        "lib": library,
        "pkg": pkg,
        "old": old,
        "new": new,
        "changelog": _changelog(draws.apart("log"), features),
        "visible": "\n".join(feature.visible for feature in features),
        "modules": ", ".join(sorted(MODULES)),
        "reference": "{\n" + "".join(f"    {name!r}: {text!r},\n" for name, text in reference.items()) + "}",
        "probes": "{\n" + "".join(f"    {group!r}: [{asked}],\n" for group, asked in probes.items()) + "}",
    }
    made = parts(__file__, values)
    for folder, adapted in _STAGES.items():
        made |= {f"{folder}/{pkg}/{name}.py": text for name, text in _program(features, library, adapted).items()}
    made |= {f"workspace/{pkg}/{name}.py": text for name, text in _program(features, library, ()).items()}
    made[f"workspace/{pkg}/__init__.py"] = f'"""The {pkg}\'s program."""\n'
    made[f"workspace/vendor/{library}.py"] = _library(features, "new", new)
    made[f"cheats/old_version_back/vendor/{library}.py"] = _library(features, "old", old)
    made |= {f"cheats/answers_by_heart/{pkg}/{name}.py": text for name, text in _answers_by_heart(features).items()}
    return made


FAMILY: Final = Family("vendored_bump", "A vendored library breaks its callers, some without a sound", "standard", _make)
