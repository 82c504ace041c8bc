"""Imports point one way, and importing does nothing but import."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers" / "feedward" / "feedward"
LOCAL = ROOT / "local" / "feedward_local"
FUNCTIONS = ROOT / "functions"

PURE = {
    "exports",
    "urls",
    "feeds",
    "pages",
    "canonical",
    "discovery",
    "health",
    "scheduling",
    "subscriptions",
    "frontier",
    "lineage",
    "search",
    "topics",
    "intake",
    "access",
    "stats",
    "webhooks",
    "quotas",
    "push",
}
PURE |= {"model", "registration", "errors", "events", "ports", "ulid", "page_cursor", "deadline", "reading_budget"}
# The allowed imports of each part. A part that is missing here breaks the test: add it.
MAY_IMPORT = {
    **{part: PURE | {""} for part in PURE},
    "services": PURE | {"services"},
    "adapters": PURE | {"adapters", ""},
    "config": {"errors", "frontier"},
    "cold_start": set[str](),
    "observability": PURE | {"observability", "services"},
    "api": PURE | {"api", "observability", "services"},
    "messages": PURE | {"messages", "api", "observability"},
    "bootstrap": PURE | {"bootstrap", "services", "adapters", "config"},
    "library": PURE | {"services", "adapters"},
    "authorizer": {"adapters", "config"},
    "__main__": set[str](),
    "": {"library", "canonical", "discovery", "errors", "feeds", "model", "ports", "urls"},
}
# Libraries in addition to the standard one.
LIBRARIES = {
    **{part: {"can_ada", "publicsuffixlist", "defusedxml", "selectolax", "protego"} for part in PURE},
    "services": set[str](),
    "adapters": {
        "botocore",
        "opensearchpy",
        "urllib3",
        *(f"mypy_boto3_{name}" for name in ("dynamodb", "events", "s3", "sqs", "ssm")),
    },
    "config": set[str](),
    "cold_start": set[str](),
    "observability": {"aws_lambda_powertools"},
    "api": set[str](),
    "messages": {"aws_lambda_powertools"},
    "bootstrap": set[str](),
    "library": set[str](),
    "authorizer": set[str](),
    "__main__": {"feedward_local"},  # both are in the wheel; the layer has no command line
    "": set[str](),
}
FUNCTIONS_MAY_IMPORT = {
    "",
    "access",
    "webhooks",
    "authorizer",
    "bootstrap",
    "cold_start",
    "deadline",
    "api",
    "messages",
    "observability",
    "services",
    "model",
    "errors",
}


def part_of(module: str) -> str:
    """`feedward.urls.key` -> `urls`; the package itself -> ``."""
    return module.partition(".")[2].partition(".")[0]


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@functools.cache
def imports_of(path: Path) -> frozenset[str]:
    """Full names of the modules that a file imports, wherever in it; `from feedward import x` names feedward.x."""
    return frozenset(name for statement in statements(parsed(path).body) for name in _imported(statement, path))


def statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """All statements, those inside others too. An expression holds none."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.expr):
            yield from statements(ast.iter_child_nodes(node))


def _imported(statement: ast.stmt, path: Path) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        assert statement.level == 0, f"{path} has a relative import"
        yield from _from(statement)


def _from(node: ast.ImportFrom) -> Iterator[str]:
    if node.module != "feedward":
        yield str(node.module)
        return
    for alias in node.names:
        is_module = (PACKAGE / alias.name).is_dir() or (PACKAGE / f"{alias.name}.py").exists()
        yield f"feedward.{alias.name}" if is_module else "feedward"


def wrong_imports(path: Path, part: str) -> list[str]:
    wrong: list[str] = []
    for imported in imports_of(path):
        root = imported.partition(".")[0]
        if root == "feedward":
            if part_of(imported) not in MAY_IMPORT[part]:
                wrong.append(imported)
        elif root not in sys.stdlib_module_names and root not in LIBRARIES[part]:
            wrong.append(imported)
    return wrong


def test_the_walk_sees_the_package() -> None:
    names = {part_of(name_of(path)) for path in modules()}

    assert names >= {"urls", "feeds", "services", "adapters", "bootstrap", "config", "api", "model"}
    assert names <= set(MAY_IMPORT), "a new part: list its allowed imports"


def test_modules_import_only_packages_that_their_part_may_import() -> None:
    wrong = {name: wrong_imports(path, part_of(name)) for path in modules() for name in [name_of(path)]}

    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("urls", "from feedward.adapters.fetching.guarded_fetch import GuardedFetcher"),
        ("feeds", "import boto3"),
        ("services", "from feedward.adapters import fetch"),
        ("services", "import aws_lambda_powertools"),
        ("services", "from feedward import bootstrap"),
        ("model", "def late():\n    import urllib3"),
        ("api", "from feedward.adapters.fetching.guarded_fetch import FetchSettings"),
    ],
)
def test_the_walk_sees_a_wrong_import(part: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(source)

    assert wrong_imports(path, part)


@pytest.mark.parametrize("path", sorted(FUNCTIONS.glob("*/*.py")), ids=lambda path: path.parent.name)
def test_function_goes_through_bootstrap(path: Path) -> None:
    used = {part_of(name) for name in imports_of(path) if name.partition(".")[0] == "feedward"}

    assert used <= FUNCTIONS_MAY_IMPORT
    assert len(path.read_text().splitlines()) <= 100


def test_only_the_settings_read_the_environment() -> None:
    ways = re.compile(r"\b(environb?|getenvb?)\b")

    assert [path.name for path in modules() if ways.search(path.read_text())] == ["config.py"]


def test_nothing_happens_at_import_but_definitions() -> None:
    """No call at the top level makes a client, a session, a thread, a socket or an open file."""
    made = {str(path): made_at_import(parsed(path)) for path in [*modules(), *FUNCTIONS.glob("*/*.py")]}

    assert {name: makers for name, makers in made.items() if makers} == {}


def test_the_walk_sees_what_is_made_at_import() -> None:
    assert made_at_import(ast.parse("import boto3\nQUEUE = boto3.client('sqs')")) == {"client"}
    assert made_at_import(ast.parse("def queue():\n    return boto3.client('sqs')")) == set()


def made_at_import(module: ast.Module) -> set[str]:
    """The names of the makers that a module calls outside of functions and classes."""
    makers = {"client", "resource", "create_client", "get_session", "Session", "Thread", "ThreadPoolExecutor", "open"}
    makers |= {"Logger", "Metrics", "Tracer", "create_default_context", "SSLContext", "PoolManager", "PublicSuffixList"}
    called = {
        call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for statement in module.body
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for call in ast.walk(statement)
        if isinstance(call, ast.Call)
    }

    return called & makers


# --- the house ------------------------------------------------------------------------------------


def package_of(module: str) -> str:
    """`feedward.adapters.dynamodb.store.keys` -> `adapters.dynamodb.store`; a module at the top is its own package."""
    parts = module.split(".")[1:]
    return ".".join(parts[:-1]) if len(parts) > 1 else ".".join(parts)


def packages_that_are_imported() -> dict[str, set[str]]:
    """By package: the other packages that its modules import."""
    known = {name_of(path) for path in modules()}
    found: dict[str, set[str]] = {}
    for path in modules():
        name = name_of(path)
        own = package_of(name) if path.name != "__init__.py" else ".".join(name.split(".")[1:])
        for imported in imports_of(path):
            target = imported if imported in known else imported.rpartition(".")[0]
            if imported.startswith("feedward.") and package_of(target) != own:
                found.setdefault(own, set()).add(package_of(target))
    return found


def test_no_two_packages_import_each_other() -> None:
    imported = packages_that_are_imported()

    assert {"services.check", "adapters.dynamodb.feeds"} <= imported.keys()
    assert sorted((one, other) for one in imported for other in imported[one] if one in imported.get(other, ())) == []


def test_the_rooms_of_the_local_stack_import_one_way() -> None:
    may_import = {"commands": {"api_client"}, "api_client": {"aws"}, "deployment": {"aws"}, "aws": set[str]()}
    wrong = {
        str(path): imported
        for room, others in may_import.items()
        for path in (LOCAL / room).rglob("*.py")
        if (imported := _rooms_of(path) & may_import.keys() - others - {room})
    }

    assert wrong == {}
    assert _rooms_of(LOCAL / "stack.py") >= {"aws", "deployment"}


def _rooms_of(path: Path) -> set[str]:
    """The rooms of the local stack that a file imports."""
    return {part_of(name) for name in imports_of(path) if name.startswith("feedward_local.")}


def test_each_folder_has_a_docstring() -> None:
    folders = [path for path in [*modules(), *LOCAL.rglob("*.py")] if path.name == "__init__.py"]

    assert [str(path) for path in folders if not ast.get_docstring(parsed(path))] == []


def test_no_file_is_long_and_no_folder_is_a_drawer() -> None:
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in modules()}
    lengths |= {str(path): len(path.read_text().splitlines()) for path in LOCAL.rglob("*.py")}
    folders = Counter(path.parent for path in [*modules(), *LOCAL.rglob("*.py")])

    assert {name: length for name, length in lengths.items() if length > 300} == {}
    assert max(folders.values()) <= 30
