"""no_unused_import against pyflakes' F401, case by case."""

from __future__ import annotations

import pytest

from tests.unit.inside.protocol import inspect

USED = {
    "read": "import os\nos.getcwd()",
    "attribute_of_submodule": "import os.path\nos.getcwd()",
    "two_submodules_one_name": "import a.b\nimport a.c\na.b.f()",
    "alias": "import a.b as c\nc.f()",
    "from": "from a import b\nb()",
    "future": "from __future__ import annotations",
    "star": "from a import *",
    "redundant_alias": "import a as a\nfrom b import c as c",
    "in_all": "from a import b\n__all__ = ['b']",
    "in_all_annotated": "from a import b\n__all__: list[str] = ['b']",
    "in_all_added": "from a import b\n__all__ = []\n__all__ += ['b']",
    "in_all_summed": "from a import b\n__all__ = ['x'] + ['b']",
    "in_all_extended": "from a import b\n__all__ = []\n__all__.extend(['b'])",
    "decorator": "import a\n@a\ndef f(): pass",
    "default": "import a\ndef f(x=a): pass",
    "keyword_default": "import a\ndef f(*, x=a): pass",
    "base_class": "import a\nclass C(a.B): pass",
    "metaclass": "import a\nclass C(metaclass=a): pass",
    "annotation": "from a import B\ndef f(x: B): pass",
    "return_annotation": "from a import B\ndef f() -> B: pass",
    "quoted_annotation": "from a import B\ndef f(x: 'B'): pass",
    "quoted_in_annotation": "from a import B\nx: list['B'] = []",
    "annotated": "from typing import Annotated\nfrom a import B\nx: Annotated['B', 'words'] = 1",
    "type_checking": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import B\ndef f(x: 'B'): pass",
    "typing_outside_annotation": "from typing import Optional\nfrom a import B\nX = Optional['B']",
    "cast": "from typing import cast\nfrom a import B\nx = cast('B', 1)",
    "type_var_bound": "from typing import TypeVar\nfrom a import B\nT = TypeVar('T', bound='B')",
    "type_alias": "from typing import TypeAlias\nfrom a import B\nX: TypeAlias = 'list[B]'",
    "typed_dict": "from typing import TypedDict\nfrom a import B\nD = TypedDict('D', {'k': 'B'})",
    "f_string": "import a\nf'{a.b}'",
    "comprehension": "import a\n[a.b for x in y]",
    "comprehension_in_class": "import a\nclass C:\n    x = [a.b for y in z]",
    "in_function": "def f():\n    import a\n    return a",
    "closure": "def f():\n    import a\n    def g(): return a\n    return g",
    "function_before_import": "def f(): return a\nimport a",
    "class_body_same_name": "import a\nclass C:\n    a = a",
    "class_member": "class C:\n    import a",
    "deleted": "import a\ndel a",
    "augmented": "import a\na += 1",
    "global_in_function": "def f():\n    global a\n    import a",
    "fallback_none": "try:\n    import a\nexcept ImportError:\n    a = None",
    "fallback_function": "try:\n    from a import b\nexcept ImportError:\n    def b(): pass",
    "fallback_import": "try:\n    import a\nexcept ImportError:\n    import b as a\na.f()",
    "either_branch": "if x:\n    from a import b\nelse:\n    b = None",
    "match_class": "import a\nmatch x:\n    case a.B(): pass",
    "except_clause": "import a\ntry: pass\nexcept a.E: pass",
    "lambda_default": "import a\nlambda x=a: x",
    "walrus": "import a\nif (b := a.c): pass",
}
UNUSED = {
    "plain": ("import os", "os"),
    "submodule": ("import os.path", "os.path"),
    "alias": ("import a as b\na = 1", "a"),
    "from": ("from a import b", "a.b"),
    "from_alias": ("from a import b as c\nb = 1\nb", "a.b"),
    "relative": ("from . import b", ".b"),
    "relative_module": ("from ..a import b", "..a.b"),
    "one_of_two": ("from a import b, c\nb()", "a.c"),
    "in_function": ("import a\ndef f():\n    import a\n    return a", "a"),
    "function_import": ("def f():\n    import a", "a"),
    "shadowed_by_parameter": ("import a\ndef f(a): return a", "a"),
    "shadowed_by_local": ("import a\ndef f():\n    a = 1\n    return a", "a"),
    "shadowed_in_comprehension": ("import a\n[a for a in x]", "a"),
    "shadowed_in_lambda": ("import a\nlambda a: a", "a"),
    "overwritten_never_read": ("import a\na = 3", "a"),
    "string": ("import a\nx = 'a'", "a"),
    "comment": ("import a  # a is used, noqa: F401", "a"),
    "literal": ("from typing import Literal\nimport a\nx: Literal['a'] = 'a'", "a"),
    "annotated_text": ("from typing import Annotated\nimport a\nx: Annotated[int, 'a'] = 1", "a"),
    "subscript_of_own_dict": ("import a\nTABLE['a']", "a"),
    "keyword_name": ("import a\nf(a=1)", "a"),
    "attribute_name": ("import a\nx.a", "a"),
    "all_in_class": ("from a import b\nclass C:\n    __all__ = ['b']", "a.b"),
    "all_of_another": ("from a import b\nx.__all__ = ['b']", "a.b"),
    "type_checking": ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a", "a"),
    "tried": ("try:\n    import a\nexcept ImportError:\n    pass", "a"),
    "class_scope_is_not_seen_by_methods": ("import a\nclass C:\n    a = 1\n    def f(self): pass", "a"),
}


@pytest.fixture(scope="module")
def judged() -> dict[str, dict[str, str]]:
    """Results of all cases, from one start of the inspector."""
    sources = {**USED, **{f"un-{name}": source for name, (source, _) in UNUSED.items()}}
    checks = [{"id": name, "kind": "no_unused_import", "path": f"{name}.py"} for name in sources]
    return inspect(checks, {f"{name}.py": source.encode() for name, source in sources.items()})


@pytest.mark.parametrize("name", USED)
def test_used(judged: dict[str, dict[str, str]], name: str) -> None:
    assert judged[name] == {"id": name, "outcome": "pass"}


@pytest.mark.parametrize("name", UNUSED)
def test_unused(judged: dict[str, dict[str, str]], name: str) -> None:
    found = judged[f"un-{name}"]
    assert found["outcome"] == "fail"
    assert found["reason"].startswith(f"{UNUSED[name][1]} is imported and never used")
