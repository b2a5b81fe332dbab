"""Names in a syntax tree: what is defined, what occurs, which imports nothing reads.

Used by inspector.py. `unused_imports` follows pyflakes' F401: scopes as Python
has them, `__all__`, quoted annotations, re-exports by redundant alias. Like
pyflakes it knows nothing of `# noqa`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# What typing offers up to Python 3.14, written out: what this interpreter's has must not decide an answer.
TYPING = frozenset(
    """
    AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable
    AsyncIterator Awaitable BinaryIO ByteString Callable ChainMap ClassVar Collection
    Concatenate Container ContextManager Coroutine Counter DefaultDict Deque Dict Final
    ForwardRef FrozenSet Generator Generic Hashable IO ItemsView Iterable Iterator
    KeysView List Literal LiteralString Mapping MappingView Match MutableMapping
    MutableSequence MutableSet NamedTuple Never NewType NoDefault NoReturn NotRequired
    Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol
    ReadOnly Required Reversible Self Sequence Set Sized SupportsAbs SupportsBytes
    SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound Text TextIO
    Tuple Type TypeAlias TypeAliasType TypeGuard TypeIs TypeVar TypeVarTuple TypedDict
    Union Unpack ValuesView
    """.split()  # noqa: SIM905
)


def statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of a scope's body, not looking into nested functions and classes."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*BLOCKS, ast.Lambda)):
            pending.extend(reversed(list(ast.iter_child_nodes(node))))


def bound_names(node: ast.AST) -> list[str]:
    """Names that this one node binds in its own scope."""
    if isinstance(node, BLOCKS):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    names = [getattr(node, field, None) for field in PATTERN_FIELDS.get(type(node).__name__, ())]
    return [name for name in names if isinstance(name, str)]


# Nodes that bind a name held as a plain string (match patterns exist from 3.10 on,
# type parameters from 3.12 on, hence by name).
PATTERN_FIELDS = {
    "ExceptHandler": ("name",),
    "MatchAs": ("name",),
    "MatchStar": ("name",),
    "MatchMapping": ("rest",),
    "TypeVar": ("name",),
    "ParamSpec": ("name",),
    "TypeVarTuple": ("name",),
}


def definitions(tree: ast.Module, symbol: str) -> list[ast.AST]:
    """Nodes that define the dotted name `symbol`, each part in the scope before it."""
    bodies, found = [tree.body], []
    for part in symbol.split("."):
        found = [n for body in bodies for n in statements(body) if part in bound_names(n)]
        bodies = [n.body for n in found if isinstance(n, BLOCKS)]
    return found


# Strings in these nodes are data, not identifiers.
DATA_NODES = {"Constant", "Interpolation"}


def identifiers(node: ast.AST) -> Iterator[str]:
    """Identifiers that one node spells out itself, dotted names in parts."""
    if type(node).__name__ in DATA_NODES:
        return
    for _, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield from item.split(".")


def exported(tree: ast.Module) -> Iterator[str]:
    """Strings of `__all__`: assigned, added to, extended or appended at module level."""
    for node in statements(tree.body):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value: ast.AST | None = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            targets, value = [node.func.value], node
        else:
            continue
        if value and any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            for leaf in ast.walk(value):
                if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                    yield leaf.value


def annotated_with(tree: ast.AST) -> Iterator[ast.AST]:
    """Expressions in the place of an annotation."""
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                yield value


def head_name(node: ast.AST) -> str:
    """Last part of a name or attribute: `Optional` of `typing.Optional[...]`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def quoted(expression: ast.AST) -> Iterator[ast.AST]:
    """Expressions written as strings inside an annotation, parsed."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        try:
            yield ast.parse(expression.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
    children = list(ast.iter_child_nodes(expression))
    if isinstance(expression, ast.Subscript):
        head = head_name(expression.value)
        if head == "Literal":
            return
        if head == "Annotated" and isinstance(expression.slice, ast.Tuple):
            children = list[ast.AST](expression.slice.elts[:1])
    for child in children:
        yield from quoted(child)


def occurrences(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every identifier of the file with its line (0 where it stands in `__all__`)."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for name in identifiers(node):
            yield name, line
    for name in exported(tree):
        yield name, 0
    for annotation in annotated_with(tree):
        for expression in quoted(annotation):
            for node in ast.walk(expression):
                for name in identifiers(node):
                    yield name, getattr(annotation, "lineno", 0)


class Scope:
    """One scope: its imports, other bindings, and which names were read."""

    def __init__(self, kind: str, parent: Scope | None) -> None:
        self.kind = kind  # module, class, function, inner (comprehension, type parameters)
        self.parent = parent
        self.imports: dict[str, tuple[str, int]] = {}
        self.bound: set[str] = set()
        self.read: set[str] = set()
        self.loads: set[str] = set()

    def resolve(self, name: str) -> None:
        """Mark the scope's binding that a read of `name` from here reaches."""
        scope: Scope | None = self
        while scope is not None:
            visible = scope is self or scope.kind != "class"
            if visible and name in scope.bound:
                scope.read.add(name)
                # A class body reads outward until its own binding has run.
                if scope.kind != "class":
                    return
            scope = scope.parent


class Imports(ast.NodeVisitor):
    """Collect scopes, bindings and reads; reads are resolved when all bindings are known."""

    def __init__(self, tree: ast.Module) -> None:
        self.scope = Scope("module", None)
        self.scopes = [self.scope]
        self.forgiven: set[tuple[Scope, str]] = set()
        for name in exported(tree):
            self.scope.loads.add(name)
        self.visit(tree)

    def unused(self) -> list[tuple[int, str]]:
        """Line and full name of every import that nothing reads."""
        for scope in self.scopes:
            for name in scope.loads:
                scope.resolve(name)
        return sorted(
            (line, full)
            for scope in self.scopes
            if scope.kind != "class"  # imports in a class are its public members
            for name, (full, line) in scope.imports.items()
            if name not in scope.read and (scope, name) not in self.forgiven
        )

    def inside(self, kind: str, nodes: list[Any], names: list[str]) -> None:
        """Visit `nodes` in a new scope that already binds `names`."""
        outer, self.scope = self.scope, Scope(kind, self.scope)
        self.scopes.append(self.scope)
        self.scope.bound.update(names)
        self.all(nodes)
        self.scope = outer

    def all(self, nodes: list[Any]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def bind(self, name: str) -> None:
        """Bind in the nearest scope that holds assignments (a walrus leaves comprehensions)."""
        self.scope.bound.add(name)

    def generic_visit(self, node: ast.AST) -> None:
        for name in bound_names(node):
            self.bind(name)
        for field in ("annotation", "returns"):
            self.quoted_names(getattr(node, field, None))
        super().generic_visit(node)

    def quoted_names(self, annotation: Any) -> None:
        if isinstance(annotation, ast.AST):
            self.all(list(quoted(annotation)))

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bind(node.id)
        else:  # `del name` takes the binding away: nothing is left unused
            self.scope.loads.add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.scope.loads.add(node.target.id)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        scope = self.scope
        while scope.kind == "inner" and scope.parent is not None:
            scope = scope.parent
        scope.bound.add(node.target.id)

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        """The binding is shared between scopes: none of them is judged for it."""
        scope: Scope | None = self.scope
        while scope is not None:
            self.forgiven.update((scope, name) for name in node.names)
            scope = scope.parent

    visit_Nonlocal = visit_Global

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.add_import(name, alias.name, node.lineno, alias.asname == alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if module == "__future__" or alias.name == "*":
                continue
            joint = "" if module.endswith(".") else "."
            full = module + joint + alias.name
            self.add_import(alias.asname or alias.name, full, node.lineno, alias.asname == alias.name)

    def add_import(self, name: str, full: str, line: int, re_export: bool) -> None:
        self.bind(name)
        if not re_export:
            self.scope.imports[name] = (full, line)

    def visit_Try(self, node: ast.Try) -> None:
        """`try: import x` / `except ImportError: x = None`."""
        self.forgive([*node.body, *node.orelse], [s for h in node.handlers for s in h.body])
        self.forgive([s for h in node.handlers for s in h.body], node.orelse)
        self.generic_visit(node)

    visit_TryStar = visit_Try  # type: ignore[assignment] # same fields, other class

    def visit_If(self, node: ast.If) -> None:
        self.forgive(node.body, node.orelse)
        self.generic_visit(node)

    def forgive(self, one: list[ast.stmt], other: list[ast.stmt]) -> None:
        """A name imported in one branch and made in the other is a public choice between them."""
        for here, there in ((one, other), (other, one)):
            names = {name for node in statements(here) for name in bound_names(node)}
            for node in statements(there):
                if not isinstance(node, (ast.Import, ast.ImportFrom)):
                    shared = names.intersection(bound_names(node))
                    self.forgiven.update((self.scope, name) for name in shared)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bind(node.name)
        self.all(node.decorator_list)
        self.typed(node, lambda: self.function(node.args, node.returns, node.body))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.function(node.args, None, [node.body])

    def function(self, args: ast.arguments, returns: ast.expr | None, body: list[Any]) -> None:
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
        params = [arg for arg in every if arg is not None]
        self.all([*args.defaults, *args.kw_defaults])
        for annotation in [*(arg.annotation for arg in params), returns]:
            self.all([annotation])
            self.quoted_names(annotation)
        self.inside("function", body, [arg.arg for arg in params])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bind(node.name)
        self.all(node.decorator_list)

        def rest() -> None:
            self.all([*node.bases, *node.keywords])
            self.inside("class", node.body, [])

        self.typed(node, rest)

    def typed(self, node: ast.AST, rest: Callable[[], None]) -> None:
        """Run `rest` inside the scope of the type parameters, where there are some."""
        params = getattr(node, "type_params", [])
        outer = self.scope
        if params:
            self.scope = Scope("inner", outer)
            self.scopes.append(self.scope)
            self.all(params)
        rest()
        self.scope = outer

    def visit_TypeAlias(self, node: Any) -> None:
        self.visit(node.name)
        self.typed(node, lambda: self.visit(node.value))

    def comprehension(self, node: Any) -> None:
        first = node.generators[0]
        self.visit(first.iter)
        nodes = [first.target, *first.ifs, *node.generators[1:]]
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.inside("inner", [*nodes, *parts], [])

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """`Optional["X"]` and the like outside annotations: quoted names count as reads."""
        if head_name(node.value) in TYPING:
            self.quoted_names(node)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """`cast("X", value)`, `TypeVar("T", bound="X")`, `TypedDict("D", {"key": "X"})`."""
        name = head_name(node.func)
        if name == "cast" and node.args:
            self.quoted_names(node.args[0])
        if name in ("TypeVar", "TypedDict"):
            for value in [*node.args[1:], *(k.value for k in node.keywords)]:
                parts = value.values if isinstance(value, ast.Dict) else [value]
                for part in parts:
                    self.quoted_names(part)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """`Name: TypeAlias = "X"`: the value is an annotation too."""
        if head_name(node.annotation) == "TypeAlias":
            self.quoted_names(node.value)
        self.generic_visit(node)


def unused_imports(tree: ast.Module) -> list[tuple[int, str]]:
    """Line and full name of every import of the file that nothing reads, in order."""
    return Imports(tree).unused()
