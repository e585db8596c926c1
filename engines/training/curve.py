"""The curve of a training: what ``train`` wrote, as rows and as a picture."""

import csv
from pathlib import Path


def read_curve(path: Path) -> list[dict[str, str]]:
    """Return the rows of a curve; none where there is no file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cut_curve(path: Path, step: int) -> None:
    """Leave out what a stopped run wrote behind its last checkpoint."""
    rows = read_curve(path)
    kept = [row for row in rows if int(row["step"]) <= step]
    if len(kept) == len(rows):
        return
    temporary = path.with_suffix(".part")
    with temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(kept)
    temporary.replace(path)


def draw_curve(path: Path, picture: Path, title: str, unit: str) -> bool:
    """Write losses over minutes as PNG; return False where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure  # only here
    except ModuleNotFoundError:
        return False
    rows = read_curve(path)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for phase in dict.fromkeys(row["phase"] for row in rows):
        those = [row for row in rows if row["phase"] == phase]
        minutes = [float(row["seconds"]) / 60 for row in those]
        axes.plot(minutes, [float(row["loss"]) for row in those], label=phase)
    axes.set(xlabel="minutes", ylabel=f"loss {unit}", title=title)
    if rows:
        axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(picture, dpi=110)
    return True
