"""Put what stages made into the file and the card that come with the package.

    python -m rt_avatar.engines.training.fusion FOLDER

FOLDER is the ``--out`` of ``rt-avatar train nano``; a stage that is not there stays as it was.
"""

import argparse
import logging
import re
from pathlib import Path
from typing import Final

from rt_avatar.engines.networks.fusion.shipped import WEIGHTS, load_fusion
from rt_avatar.engines.networks.llm import shipped as llm
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_trained
from rt_avatar.engines.training.course import write_parts

_log = logging.getLogger("fusion")
_STAGES: Final = {"content": "synchronizer", "style": "disentangler"}


def ship(made: Path, weights: Path = WEIGHTS) -> list[str]:
    """Write weights and ``MODEL_CARD.md`` beside them; return the stages that are new.

    Raises:
        FileNotFoundError: The folder holds no stage.
        ValueError: A file is not what a stage makes, or was learnt by another language model than
            the package's.
        OSError: Something cannot be written.
    """
    new = [stage for stage in _STAGES if (made / f"{stage}.safetensors").is_file()]
    if not new:
        raise FileNotFoundError(f"{made}: expected content.safetensors or style.safetensors")
    own = made / "nano.safetensors"
    if own.is_file() and own.read_bytes() != llm.WEIGHTS.read_bytes():
        raise ValueError(
            f"{own}: expected the package's language model, by which contents and styles are read; "
            "got another. Put it into the package first, or train both in a folder without it"
        )
    parts = dict(zip(_STAGES.values(), load_fusion(), strict=True))
    card = weights.with_name("MODEL_CARD.md")
    text = card.read_text(encoding="utf-8")
    for stage in new:
        part = _STAGES[stage]
        load_strict(parts[part], read_trained(made / f"{stage}.safetensors")[part])
        text = _replaced(text, stage, (made / f"{stage}.md").read_text(encoding="utf-8"))
    write_parts(weights, parts)
    card.write_text(text, encoding="utf-8")
    return new


def _replaced(card: str, stage: str, told: str) -> str:
    """Return the card with the section of a stage as its run told it."""
    section = "## Stage `" + stage + "`\n" + told.partition("\n")[2].replace("\n## ", "\n### ")
    pattern = rf"(?ms)^## Stage `{stage}`\n.*?(?=^## |\Z)"
    found, count = re.subn(pattern, lambda _: section.rstrip("\n") + "\n\n", card)
    if count != 1:
        raise ValueError(f"card: expected one section of the stage {stage!r}; got {count}")
    return found.rstrip("\n") + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.fusion")
    parser.add_argument("folder", type=Path, help="--out of rt-avatar train nano")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    _log.info("%s: %s", WEIGHTS, ", ".join(ship(parser.parse_args().folder)))
