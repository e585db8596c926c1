"""Turns of everyday life at home, composed of clauses that were written for it.

Real talk about films and sport (``self_dialogue``) hardly knows a brother, a husband or a night at
home, and what was written as danger is full of them: by these alone "my brother got a van" sounds
like one. Nobody is in danger in any of these.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

PARTS: Final = ("who", "did", "own", "lead", "tail", "medicine", "thing")
_BARE: Final = 0.3  # turns without anything before, and of those behind


def read_clauses(path: Path) -> Mapping[str, Sequence[str]]:
    """Return the clauses of each part: ``[part]``, then a clause a line; ``#`` begins a remark.

    In a clause, ``{thing}`` and ``{medicine}`` stand for any of those parts.

    Raises:
        ValueError: A part is missing, or unknown; it is named.
    """
    found: dict[str, list[str]] = defaultdict(list)
    part = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            part = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            found[part].append(line.strip())
    if set(found) != set(PARTS):
        raise ValueError(f"{path}: expected {', '.join(PARTS)}; got {', '.join(found)}")
    return found


def compose_everyday(clauses: Mapping[str, Sequence[str]], count: int, seed: int) -> Iterator[str]:
    """Yield that many turns; some of them may be alike."""
    draw = random.Random(seed)
    for _ in range(count):
        told = f"{draw.choice(clauses['who'])} {draw.choice(clauses['did'])}"
        own = f"i {draw.choice(clauses['own'])}"
        form = draw.choice((told, told, told, own, own, f"{told} and {own}", f"{own} and {told}"))
        lead = "" if draw.random() < _BARE else draw.choice(clauses["lead"])
        tail = "" if draw.random() < _BARE else draw.choice(clauses["tail"])
        turn = " ".join((lead, form, tail)).strip()
        named = {part: draw.choice(clauses[part]) for part in ("medicine", "thing")}
        yield turn.format_map(named)
