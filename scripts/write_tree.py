"""Write the file tree, with the first line of each file's docstring, between the README's marks."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FOLDERS = ("rt_avatar", "engines", "trt_builders", "signaling", "benchmarks", "examples", "scripts")
BEGIN, END = "<!-- tree -->", "<!-- end of tree -->"
WIDTH = 128


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
    lines.append(f"{'tests/':24} mirrors the source; fakes/ are scripted engines and peers")
    return "\n".join(lines)


def main() -> None:
    """Replace what stands between the marks."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    README.write_text(f"{before}{BEGIN}\n```\n{tree()}\n```\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
