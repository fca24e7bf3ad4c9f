"""Every way in which a rule file can be wrong by one comparison or condition: negated, or left out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

import msgspec

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# A bound moved by one step: `<` where `<=` stood lets a value slip through at the bound alone.
NEIGHBOUR: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
Edit = Callable[[ast.AST], ast.AST]


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """The whole source of a rule with one change, and where and what it is."""

    line: int
    change: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a rule's functions, in the order of its lines; what stands outside functions is not changed."""
    tree = ast.parse(source)
    inside = {id(node) for function in _functions(tree) for statement in function.body for node in ast.walk(statement)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in inside:
            continue
        for edit in _edits(node):
            changed = _with(tree, number, edit)
            place = next(other for count, other in enumerate(ast.walk(tree)) if count == number)
            after = ast.unparse(edit(copy.deepcopy(place)))
            yield Mutant(
                line=getattr(node, "lineno", 0),
                change=f"{ast.unparse(node)}  ->  {after}",
                source=ast.unparse(ast.fix_missing_locations(changed)),
            )


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _edits(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for table in (OPPOSITE, NEIGHBOUR):
                if type(operator) in table:
                    yield _operator(place, table[type(operator)])
    elif isinstance(node, ast.BoolOp):
        yield _other_word
        for place in range(len(node.values)):
            yield _left_out(place)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda old: old.operand  # type: ignore[attr-defined]
    elif isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield _negated_test


def _operator(place: int, kind: type[ast.cmpop]) -> Edit:
    def edit(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Compare)
        node.ops[place] = kind()
        return node

    return edit


def _other_word(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return node


def _left_out(place: int) -> Edit:
    def edit(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.BoolOp)
        del node.values[place]
        return node.values[0] if len(node.values) == 1 else node

    return edit


def _negated_test(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.If | ast.IfExp)
    node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)
    return node


def _with(tree: ast.Module, number: int, edit: Edit) -> ast.Module:
    """A copy of the tree with the node of this number, in the order of `ast.walk`, edited."""
    changed = copy.deepcopy(tree)
    target = next(node for count, node in enumerate(ast.walk(changed)) if count == number)

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return edit(node) if node is target else super().visit(node)

    exchanged = Exchange().visit(changed)
    assert isinstance(exchanged, ast.Module)
    return exchanged
