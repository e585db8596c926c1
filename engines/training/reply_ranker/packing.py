"""What was learnt → the arrays that ship: eight bits for tables, sixteen for layers."""

from collections.abc import Sequence

import numpy as np

from rt_avatar.engines.reply_ranker.network import PLACES, Weights
from rt_avatar.engines.training.reply_ranker.model import BiEncoder
from rt_avatar.engines.training.reply_ranker.words import WordStatistics
from rt_avatar.engines.training.text_emotion.packing import to_int8


def pack(model: BiEncoder, statistics: WordStatistics, scoring: Sequence[float]) -> Weights:
    """Return the arrays of ``network.shapes``.

    Args:
        model: As it was trained.
        statistics: Of its vocabulary.
        scoring: What the cosine and the overlap of words count.
    """
    state = {name: value.numpy() for name, value in model.state_dict().items()}
    found: Weights = {
        "words": np.frombuffer("\n".join(statistics.words).encode(), np.uint8),
        "idf": statistics.idf.astype(np.float16),
        "scoring": np.array(scoring, np.float32),
    }
    for side, places in PLACES.items():
        for table in ("words", "pairs"):
            rows, scale = to_int8(state[f"{side}.bags.0.{table}.weight"])
            found |= {f"{side}_{table}": rows, f"{side}_{table}_scale": scale}
        weights = [np.exp(state[f"{side}.bags.{place}.weights"]) for place in range(places)]
        found[f"{side}_weights"] = np.array(weights, np.float16)
        for layer in ("norm", "hidden", "output"):
            found[f"{side}_{layer}"] = state[f"{side}.{layer}.weight"].T.astype(np.float16)
            found[f"{side}_{layer}_bias"] = state[f"{side}.{layer}.bias"].astype(np.float16)
    return found
