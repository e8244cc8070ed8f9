"""Which names a function binds, and what is known of them at a statement: what will be read later, what is surely assigned."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

Scoped = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def children(node: ast.AST) -> tuple[ast.AST, ...]:
    """`ast.iter_child_nodes`, remembered: the compiler looks at every node many times."""
    found = node.__dict__.get("_waymark_children")
    if found is None:
        found = tuple(ast.iter_child_nodes(node))
        node.__dict__["_waymark_children"] = found
    return found


def everything(node: ast.AST) -> Iterator[ast.AST]:
    """`ast.walk`, by what is remembered."""
    open_nodes = [node]
    while open_nodes:
        current = open_nodes.pop()
        yield current
        open_nodes.extend(children(current))


def fresh(node: ast.AST) -> None:
    """Forgets what was remembered of a node and all in it: for copies that are changed."""
    for inner in ast.walk(node):
        forget(inner)


def forget(node: ast.AST) -> None:
    for name in ("_waymark_children", "_waymark_bindings", "_waymark_reads", "_waymark_deleted", "_waymark_walruses"):
        node.__dict__.pop(name, None)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found += [arguments.vararg] if arguments.vararg else []
    found += [arguments.kwarg] if arguments.kwarg else []
    return found


def walk(node: ast.AST, into_comprehensions: bool = True) -> Iterator[ast.AST]:
    """The node and what stands in it, but not the bodies of functions and classes inside: those run at another time."""
    open_nodes = [node]
    while open_nodes:
        current = open_nodes.pop()
        yield current
        if isinstance(current, Scoped):
            open_nodes.extend(_run_at_definition(current))
        elif into_comprehensions or not isinstance(current, COMPREHENSIONS) or current is node:
            open_nodes.extend(children(current))


def walk_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """What stands in a function, but not in those inside of it."""
    for statement in node.body:
        yield from walk(statement)


def _run_at_definition(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    arguments = node.args  # type: ignore[attr-defined]
    decorators = getattr(node, "decorator_list", [])
    return [*decorators, *arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]


class Bound:
    """The names that a function's body binds itself."""

    def __init__(self, body: Sequence[ast.AST], arguments: ast.arguments | None = None) -> None:
        self.parameters = [each.arg for each in parameters(arguments)] if arguments else []
        self.names: set[str] = set(self.parameters)
        self.nonlocals: set[str] = set()
        self.globals: set[str] = set()
        self.imports: dict[str, ast.alias] = {}
        self.functions: dict[str, ast.AST] = {}
        counts: dict[str, int] = {}
        for name, node in _bindings(body):
            counts[name] = counts.get(name, 0) + 1
            self.names.add(name)
            if isinstance(node, ast.alias):
                self.imports[name] = node
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions[name] = node
        for statement in body:
            for node in walk(statement):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                    self.functions.update({each.id: node.value for each in node.targets if isinstance(each, ast.Name)})
                if isinstance(node, ast.Nonlocal):
                    self.nonlocals.update(node.names)
                elif isinstance(node, ast.Global):
                    self.globals.update(node.names)
        self.names -= self.nonlocals | self.globals
        # An import counts as a fixed name only if nothing else binds it.
        self.imports = {name: alias for name, alias in self.imports.items() if counts[name] == 1}
        self.functions = {name: node for name, node in self.functions.items() if counts[name] == 1}


def _bindings(body: Sequence[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    for statement in body:
        known = statement.__dict__.get("_waymark_bindings")
        if known is None:
            known = tuple(_bindings_of(statement))
            statement.__dict__["_waymark_bindings"] = known
        yield from known


def _bindings_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, COMPREHENSIONS):
        # Its targets are its own; a walrus in it binds outside.
        for inner in everything(node):
            if isinstance(inner, ast.NamedExpr):
                yield inner.target.id, inner
        return
    if isinstance(node, Scoped):
        if not isinstance(node, ast.Lambda):
            yield node.name, node
        for part in _run_at_definition(node):
            yield from _bindings_of(part)
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id, node
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name.split(".")[0]), node
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name, node
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name, node
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, node
    for child in children(node):
        # Most of what there is binds nothing.
        if not isinstance(child, (ast.expr_context, ast.operator, ast.cmpop, ast.Constant)):
            yield from _bindings_of(child)


def targets(body: Sequence[ast.AST]) -> set[str]:
    """The names that these statements bind."""
    return {name for name, _ in _bindings(body)}


def reads(node: ast.AST) -> set[str]:
    """The names of the enclosing function that a node reads, also later from functions inside."""
    known = node.__dict__.get("_waymark_reads")
    if known is None:
        known = set()
        _reads(node, known)
        node.__dict__["_waymark_reads"] = known
    return set(known)


def _reads(node: ast.AST, found: set[str]) -> None:
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Store):
            found.add(node.id)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        for part in _run_at_definition(node):
            _reads(part, found)
        body = node.body if isinstance(node.body, list) else [node.body]
        inner: set[str] = set()
        for part in body:
            _reads(part, inner)
        found |= inner - Bound(body, node.args).names
    elif isinstance(node, COMPREHENSIONS):
        inner = set()
        own: set[str] = set()
        for clause in node.generators:
            own |= {name for name, _ in _bindings_of(clause.target)}
        for child in children(node):
            _reads(child, inner)
        # The first iterable is evaluated outside.
        found |= (inner - own) | reads(node.generators[0].iter)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
        _reads(node.value, found)
    else:
        for child in children(node):
            _reads(child, found)


def reads_of(nodes: Iterable[ast.AST | None]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if node is not None:
            found |= reads(node)
    return found


class Liveness:
    """Which names may be read after each statement of a function. Held by the identity of the statement's node."""

    def __init__(self, body: Sequence[ast.stmt], always: set[str]) -> None:
        self.after: dict[int, set[str]] = {}
        self.raised: dict[int, set[str]] = {}
        """What may be read if the statement raises."""
        self.below: dict[int, set[str]] = {}
        """What may be read once the first expression of a statement (the test of an `if`) has been evaluated."""
        self._always = always
        self._block(body, set(always), _Exits(set(always), set(), set(), set(always)))

    def _block(self, body: Sequence[ast.stmt], live: set[str], exits: _Exits) -> set[str]:
        for statement in reversed(body):
            known = self.after.get(id(statement))
            self.after[id(statement)] = live if known is None else known | live
            self.raised[id(statement)] = exits.raised
            # What functions inside share may be read by any call, whatever is assigned later.
            live = self._statement(statement, live, exits) | self._always
        return live

    def _statement(self, node: ast.stmt, live: set[str], exits: _Exits) -> set[str]:
        if isinstance(node, ast.Return):
            self.below[id(node)] = exits.returned
            return exits.returned | reads_of([node.value])
        if isinstance(node, ast.Raise):
            return exits.raised | reads_of([node.exc, node.cause])
        if isinstance(node, ast.Break):
            return exits.broken
        if isinstance(node, ast.Continue):
            return exits.continued
        if isinstance(node, ast.If):
            below = self._block(node.body, live, exits) | self._block(node.orelse, live, exits)
            self.below[id(node)] = below
            return below | reads(node.test)
        if isinstance(node, (ast.While, ast.For, ast.AsyncFor)):
            return self._loop(node, live, exits)
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self._try(node, live, exits)  # type: ignore[arg-type]
        if isinstance(node, (ast.With, ast.AsyncWith)):
            # The context may swallow what is raised.
            guarded = _Exits(exits.returned, exits.broken, exits.continued, exits.raised | live)
            inner = self._block(node.body, live, guarded)
            heads = reads_of([item.context_expr for item in node.items] + [item.optional_vars for item in node.items])
            bound = targets([item.optional_vars for item in node.items if item.optional_vars])
            return (inner - bound) | heads | exits.raised
        if isinstance(node, ast.Match):
            found = reads(node.subject) | live
            for case in node.cases:
                found |= self._block(case.body, live, exits) | reads_of([case.pattern, case.guard])
            return found
        written = targets([node])
        if isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
            return (live - written) | reads(node.value) | exits.raised
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            return ((live - written) if node.value else live) | reads_of([node.value]) | exits.raised
        return live | reads(node) | exits.raised

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, live: set[str], exits: _Exits) -> set[str]:
        head = reads(node.test) if isinstance(node, ast.While) else reads_of([node.iter, node.target])
        after = self._block(node.orelse, live, exits)
        again = after | head
        for _ in range(2):
            inner = _Exits(exits.returned, live, again, exits.raised)
            body = self._block(node.body, again, inner)
            # Each round begins with the loop's own variables.
            again = again | (body if isinstance(node, ast.While) else body - targets([node.target]))
        return again | exits.raised

    def _try(self, node: ast.Try, live: set[str], exits: _Exits) -> set[str]:
        final = self._block(node.finalbody, live | exits.returned | exits.broken | exits.continued | exits.raised, exits)
        if not node.finalbody:
            final = live
            inner = exits
        else:
            inner = _Exits(final | exits.returned, final, final, final | exits.raised)
        caught = set(inner.raised)
        for handler in node.handlers:
            caught |= self._block(handler.body, final, inner) | reads_of([handler.type])
        ended = self._block(node.orelse, final, inner)
        guarded = _Exits(inner.returned, inner.broken, inner.continued, caught)
        return self._block(node.body, ended | caught, guarded) | caught


class _Exits:
    """What is live where control may go from here."""

    def __init__(self, returned: set[str], broken: set[str], continued: set[str], raised: set[str]) -> None:
        self.returned = returned
        self.broken = broken
        self.continued = continued
        self.raised = raised


def assigned_after(body: Sequence[ast.stmt], before: set[str]) -> set[str] | None:
    """The names that are surely assigned once control has passed these statements; None where it never does."""
    known: set[str] | None = set(before)
    for statement in body:
        if known is None:
            return None
        known = _assigned(statement, known)
    return known


def _assigned(node: ast.stmt, before: set[str]) -> set[str] | None:
    if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
        return None
    if isinstance(node, ast.If):
        return _both(assigned_after(node.body, before), assigned_after(node.orelse, before))
    if isinstance(node, (ast.While, ast.For, ast.AsyncFor)):
        # It may run no time at all; names in its head are assigned by then.
        return before - deleted(node)
    if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        body = assigned_after([*node.body, *node.orelse], before)  # type: ignore[attr-defined]
        for handler in node.handlers:  # type: ignore[attr-defined]
            caught = assigned_after(handler.body, before - deleted(node))
            body = _both(body, None if caught is None else caught - {handler.name})
        final = assigned_after(node.finalbody, before - deleted(node))  # type: ignore[attr-defined]
        if final is None or body is None:
            return None
        return body | final
    if isinstance(node, (ast.With, ast.AsyncWith)):
        bound = targets([item.optional_vars for item in node.items if item.optional_vars])
        inside = assigned_after(node.body, before | bound)
        # What the body raised may be swallowed by the context. Reading what it would have assigned is an error then, here or later.
        return ((before | bound) if inside is None else inside) - deleted(node)
    if isinstance(node, ast.Match):
        last = node.cases[-1]
        is_exhaustive = last.guard is None and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
        found: set[str] | None = None if is_exhaustive else before
        for case in node.cases:
            found = _both(found, assigned_after(case.body, before | targets([case.pattern])))
        return found
    if isinstance(node, ast.Delete):
        return before - {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return before
    # A walrus may stand behind an `and`.
    short = node.__dict__.get("_waymark_walruses")
    if short is None:
        short = {inner.target.id for inner in walk(node) if isinstance(inner, ast.NamedExpr)}
        node.__dict__["_waymark_walruses"] = short
    return before | (targets([node]) - short)


def unsure_in_contexts(nodes: Sequence[ast.stmt]) -> set[str]:
    """The names that a `with` may leave as they were: a context may swallow what was raised before they were assigned."""
    found: set[str] = set()
    for inner in (inner for node in nodes for inner in walk(node)):
        if isinstance(inner, (ast.With, ast.AsyncWith)):
            found |= targets([*inner.body, *(item.optional_vars for item in inner.items[1:] if item.optional_vars)])
    return found


def deleted(node: ast.AST) -> set[str]:
    """The names that may be unbound again by this node: `del`, and what a handler caught."""
    known = node.__dict__.get("_waymark_deleted")
    if known is None:
        known = set()
        for inner in everything(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Del):
                known.add(inner.id)
            elif isinstance(inner, ast.ExceptHandler) and inner.name:
                known.add(inner.name)
        node.__dict__["_waymark_deleted"] = known
    return known


def _both(left: set[str] | None, right: set[str] | None) -> set[str] | None:
    if left is None or right is None:
        return right if left is None else left
    return left & right
