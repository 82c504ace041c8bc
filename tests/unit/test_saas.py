"""The sums of docs/saas.md are right."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "saas.md"
BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def lines() -> list[tuple[str, str, str]]:
    """Each sum: its name, what is calculated, and the result that the page tells ("" for a price)."""
    found = []
    for line in "".join(BLOCK.findall(PAGE.read_text())).splitlines():
        name, calculated, *told = (part.strip() for part in line.partition("#")[0].split("="))
        found.append((name, calculated, told[0] if told else ""))
    return found


def value(node: ast.AST, known: dict[str, float]) -> float:
    match node:
        case ast.Expression(body=body):
            return value(body, known)
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return known[name]
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](value(left, known), value(right, known))
    raise AssertionError(f"no sum: {ast.dump(node)}")


def test_each_sum_has_the_result_that_is_told() -> None:
    known: dict[str, float] = {}
    for name, calculated, told in lines():
        known[name] = value(ast.parse(calculated, mode="eval"), known)
        if told:
            digits = len(told.replace(".", "").lstrip("0"))
            assert float(told) == pytest.approx(known[name], rel=0.6 * 10 ** (1 - digits)), name

    assert {"shape_a", "shape_b", "customer_c"} <= known.keys()
