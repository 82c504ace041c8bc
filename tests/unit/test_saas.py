"""The sums of docs/saas.md and docs/scale.md are right."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
# The required sums of each page.
SUMS = {
    "saas.md": {"shape_a", "shape_b", "customer_c"},
    "scale.md": {"small", "large", "huge", "host_feeds", "workers_huge"},
}
BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def lines(page: str) -> list[tuple[str, str, str]]:
    """Each sum of a page: its name, its calculation, and the result on the page ("" for a price)."""
    found = []
    for line in "".join(BLOCK.findall((DOCS / page).read_text())).splitlines():
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


def results(page: str) -> dict[str, float]:
    known: dict[str, float] = {}
    for name, calculated, _ in lines(page):
        known[name] = value(ast.parse(calculated, mode="eval"), known)
    return known


@pytest.mark.parametrize("page", SUMS)
def test_each_sum_has_the_result_that_is_told(page: str) -> None:
    known = results(page)
    for name, _, told in lines(page):
        if told:
            digits = len(told.replace(".", "").lstrip("0"))
            assert float(told) == pytest.approx(known[name], rel=0.6 * 10 ** (1 - digits)), name

    assert known.keys() >= SUMS[page]


def test_both_pages_have_the_same_numbers() -> None:
    saas, scale = results("saas.md"), results("scale.md")
    shared = saas.keys() & scale.keys() - {"feed_month"}

    assert {"checks", "check_writes", "check_compute", "write_unit"} <= shared
    assert {name: scale[name] for name in shared} == pytest.approx({name: saas[name] for name in shared})
    assert scale["feed_month"] == pytest.approx(saas["feed_month"], rel=0.02)
