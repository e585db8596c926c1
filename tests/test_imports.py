"""The arrows of the architecture: signaling → rt_avatar → engines ← trt_builders, nothing else."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
FOLDERS = {"engines", "signaling", "benchmarks", "trt_builders"}  # packages of rt_avatar by links
OURS = {"rt_avatar", "tests", *FOLDERS}
MAY_IMPORT = {
    "engines": set(),
    "rt_avatar": {"engines"},
    "signaling": {"rt_avatar", "engines"},
    "trt_builders": {"engines"},
}


def top(module: str) -> str:
    """The folder of ours that a module lies in, or the package of others."""
    first, _, rest = module.partition(".")
    folder = rest.partition(".")[0]
    return folder if first == "rt_avatar" and folder in FOLDERS else first


@cache
def imports(file: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def imported(file: Path) -> set[str]:
    names = set()
    for node in imports(file):
        if isinstance(node, ast.Import):
            names |= {top(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            is_top = node.module == "rt_avatar"
            named = [f"rt_avatar.{one.name}" for one in node.names] if is_top else [node.module]
            names |= {top(one) for one in named}
    return names


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT))
def test_a_folder_imports_only_what_the_arrows_allow(folder):
    for file in (ROOT / folder).rglob("*.py"):
        allowed = MAY_IMPORT[folder] | {folder}
        if file == ROOT / "rt_avatar" / "commands" / "cli.py":
            allowed = allowed | {
                "signaling",
                "benchmarks",
                "trt_builders",
            }  # commands that start them
        wrong = imported(file) & OURS - allowed
        assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


def modules_of_ours(file: Path) -> set[str]:
    names = {node.module or "" for node in imports(file) if isinstance(node, ast.ImportFrom)}
    return {name for name in names if top(name) == "rt_avatar"}


def test_what_all_stages_share_knows_none_of_them():
    ours = ROOT / "rt_avatar"
    shared = [
        file for file in sorted(ours.glob("*.py")) if file.stem not in ("__init__", "session")
    ]
    settings = (ours / "config").glob("*settings.py")
    may_import = {f"rt_avatar.{file.stem}" for file in shared}
    may_import |= {f"rt_avatar.config.{file.stem}" for file in settings}
    for file in shared:
        wrong = modules_of_ours(file) - may_import
        assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


def test_no_stage_knows_the_session_or_the_commands_around_it():
    ours = ROOT / "rt_avatar"
    for file in sorted(ours.rglob("*.py")):
        if ours / "commands" not in file.parents:
            names = modules_of_ours(file)
            wrong = {n for n in names if n.startswith(("rt_avatar.session", "rt_avatar.commands"))}
            assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


def test_torch_is_imported_only_where_networks_are_made():
    makers = [ROOT / "engines" / "networks", ROOT / "engines" / "training"]
    for folder in ("rt_avatar", "engines", "signaling"):
        for file in (ROOT / folder).rglob("*.py"):
            if not any(maker in file.parents for maker in makers):
                wrong = imported(file) & {"torch", "transformers", "peft", "onnx", "onnxscript"}
                assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


def test_engines_know_nothing_of_asyncio():
    for file in (ROOT / "engines").rglob("*.py"):
        assert "asyncio" not in imported(file), file


def test_the_runtime_needs_no_torch():
    code = (
        "import sys; import rt_avatar.session, rt_avatar.commands.cli, rt_avatar.signaling.app;"
        "assert not {'torch', 'tensorrt'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_importing_a_module_changes_neither_logging_nor_threads():
    code = (
        "import logging, threading;"
        "before = (logging.root.level, len(logging.root.handlers), threading.active_count());"
        "import rt_avatar.session, rt_avatar.signaling.app, rt_avatar.services.engines;"
        "after = (logging.root.level, len(logging.root.handlers), threading.active_count());"
        "assert before == after, (before, after)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_nothing_is_imported_by_a_name_that_only_a_clone_has():
    # In a clone, `engines` could be imported as such; installed, there is only `rt_avatar.engines`.
    for folder in ("rt_avatar", *FOLDERS, "tests", "scripts", "examples"):
        for file in (ROOT / folder).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            wrong = re.findall(rf"^\s*(?:from|import) (?:{'|'.join(FOLDERS)})\b.*", text, re.M)
            assert not wrong, f"{file.relative_to(ROOT)}: {wrong}"
