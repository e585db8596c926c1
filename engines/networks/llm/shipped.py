"""Nano's language model as it comes with the package: what ``rt-avatar train nano`` made."""

from importlib import resources
from pathlib import Path
from typing import Final

from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.networks.llm.config import NANO
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_trained

_FOLDER: Final = Path(str(resources.files("rt_avatar.engines.networks.llm") / "weights"))
WEIGHTS: Final = _FOLDER / "nano.safetensors"
TOKENIZER: Final = _FOLDER / "tokenizer.json"


def load_shipped() -> tuple[Llama, Tokens]:
    """Return the model, ready to run, and its tokenizer."""
    model = Llama(NANO)
    load_strict(model, read_trained(WEIGHTS)["llm"])
    return model.eval(), Tokens.load(TOKENIZER)
