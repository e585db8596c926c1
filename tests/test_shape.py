"""Small files, functions and classes; tasks only in groups; every queue bounded."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
FOLDERS = ("rt_avatar", "engines", "signaling", "benchmarks", "trt_builders")
FILES = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
CLIENT = sorted((ROOT / "signaling" / "client").rglob("*.js"))


@cache
def everything() -> list[tuple[str, ast.AST]]:
    """Every function, class, call and handler, and where it is."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Call, ast.ExceptHandler)
    return [
        (f"{file.relative_to(ROOT)}:{node.lineno}", node)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
    ]


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    return ((where, node) for where, node in everything() if isinstance(node, kinds))


def test_no_file_is_longer_than_500_lines():
    long = {f.name: n for f in FILES + CLIENT if (n := len(f.read_text().splitlines())) > 500}
    assert not long


def test_no_function_is_longer_than_100_lines():
    long = [
        where
        for where, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if (node.end_lineno or 0) - node.lineno >= 100
    ]
    assert not long


def test_no_class_has_more_than_15_public_methods():
    wide = [
        where
        for where, node in nodes(ast.ClassDef)
        if sum(
            isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            and not part.name.startswith("_")
            for part in node.body
        )
        > 15
    ]
    assert not wide


def test_tasks_are_made_in_groups_only():
    bare = [
        where
        for where, node in nodes(ast.Call)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr in ("create_task", "ensure_future")
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("asyncio", "loop")
    ]
    assert not bare


def test_every_queue_is_bounded():
    unbounded = [
        where
        for where, node in nodes(ast.Call)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr == "Queue"
        and not any(keyword.arg == "maxsize" for keyword in node.keywords)
        and not node.args
    ]
    assert not unbounded


def test_nothing_prints_and_nothing_swallows_everything():
    wrong = [
        where
        for where, node in nodes(ast.Call, ast.ExceptHandler)
        if (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print")
        or (isinstance(node, ast.ExceptHandler) and node.type is None)
    ]
    assert not [where for where in wrong if not where.startswith("benchmarks")]
