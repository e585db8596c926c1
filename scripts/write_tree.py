"""Write docs/tree.md, a line for every file, and the README's tree, a line for every package."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
README, TREE = ROOT / "README.md", ROOT / "docs" / "tree.md"
FOLDERS = ("rt_avatar", "engines", "trt_builders", "signaling", "benchmarks", "examples", "scripts")
BEGIN, END = "<!-- tree -->", "<!-- end of tree -->"
WIDTH = 128
TESTS = "mirrors the source; fakes/ are scripted engines and peers"


def first_line(file: Path) -> str:
    """Return what a source file says of itself, in one line without marks."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        line = (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
    else:
        found = re.search(r"/\*\*?\s*(.+?)(?:\*/|\n)|^#\s+([^!].+)|<title>(.+?)<", text, re.M)
        line = next((part for part in found.groups() if part), "") if found else ""
    return line.replace("``", "").strip()


def tree() -> str:
    """Return the tree of all tracked source files."""
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    lines: list[str] = []
    folder = ""
    order = {folder: index for index, folder in enumerate(FOLDERS)}
    for name in sorted(listed, key=lambda n: (order[n.split("/")[0]], str(Path(n).parent), n)):
        path = Path(name)
        if path.suffix not in (".py", ".js", ".css", ".html", ".sh"):
            continue
        if str(path.parent) != folder:
            folder = str(path.parent)
            lines.append(f"{folder}/")
        if path.name != "__init__.py" or first_line(ROOT / path):
            lines.append(f"  {path.name:22} {first_line(ROOT / path)}"[:WIDTH].rstrip())
    lines.append(f"{'tests/':24} {TESTS}")
    return "\n".join(lines)


def packages() -> str:
    """Return the tree of the top-level packages and of the runtime's stages."""
    lines = []
    for folder in FOLDERS[:5]:
        lines.append(f"{f'{folder}/':18} {first_line(ROOT / folder / '__init__.py')}")
        if folder == "rt_avatar":
            inner = sorted((ROOT / folder).glob("*/__init__.py"))
            inner = [file for file in inner if not file.parent.is_symlink()]
            lines += [f"  {f'{file.parent.name}/':16} {first_line(file)}" for file in inner]
    lines.append(f"{'tests/':18} {TESTS}")
    return "\n".join(line[:WIDTH].rstrip() for line in lines)


def main() -> None:
    """Write both."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    README.write_text(f"{before}{BEGIN}\n```\n{packages()}\n```\n{END}{after}", encoding="utf-8")
    head = "# The tree\n\nEvery file with what it says of itself. Made by `make tree`.\n"
    TREE.write_text(f"{head}\n```\n{tree()}\n```\n", encoding="utf-8")


if __name__ == "__main__":
    main()
