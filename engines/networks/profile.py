"""Write what a profile needs beside its graphs: constants of the networks, a bank, a tokenizer.

All of it is read off the graphs themselves, so that it belongs to the weights that were exported.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import torch

from engines.dreamtalk.schedule import FEW_STEPS
from engines.empatheia.profile import (
    TOKENIZER,
    Constants,
    GraphProfile,
    write_profile,
)
from engines.llm.tokens import Tokens, train
from engines.networks.encoders.config import CLIP_NANO, HISTORY_BINS, HUBERT_NANO, QUERY_BINS
from engines.networks.graph import Graph
from engines.networks.llm.config import NANO as LLM_NANO
from engines.types import EMOTIONS

STEPS: Final = FEW_STEPS[2]
NANO_NETWORKS: Final = {
    "encoders": "encoders-nano",
    "llm": "llm-nano",
    "fusion": "fusion-nano",
    "styletts2": "styletts2-nano",
    "dreamtalk": "dreamtalk-nano",
    "pirender": "pirenderer-nano",
}
_NULL_CLIP_FRAMES: Final = 256


def nano_profile(graphs: Mapping[str, Graph], weights: str) -> GraphProfile:
    """Return what nano's graphs are.

    Args:
        graphs: All of the networks of ``NANO_NETWORKS``, by name.
        weights: Where they come from, or ``random``.
    """
    styles = graphs["fusion_styles"]
    with torch.no_grad():
        voice, face = styles.module(*styles.inputs.values())[:2]
    return GraphProfile(
        name="nano",
        weights=weights,
        template="nano",
        notation="tags",
        voice="nano",
        renderer="pirender_nano",
        networks=NANO_NETWORKS,
        feature_size=HUBERT_NANO.width,
        content_size=int(face.shape[1]),
        voice_style_size=int(voice.shape[1]),
        steps=STEPS,
        face_px=int(graphs["pirender_nano_portrait"].inputs["source"].shape[2]),
        sight_px=CLIP_NANO.size,
        history_bins=HISTORY_BINS,
        query_bins=QUERY_BINS,
    )


def nano_constants(graphs: Mapping[str, Graph], profile: GraphProfile, seed: int) -> Constants:
    """Return the numbers that no graph holds; a bank of untrained styles is drawn by the seed."""
    dice = np.random.default_rng(seed)

    def bank(size: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return dice.normal(0, 0.3, (len(EMOTIONS), size)).astype(np.float32)

    encoder = graphs["dreamtalk_style_encoder"]
    clip = torch.zeros(1, _NULL_CLIP_FRAMES, encoder.inputs["clip"].shape[2])
    with torch.no_grad():
        times = graphs["dreamtalk_step"].module.time_table(profile.steps)
        null = encoder.module.eval()(clip)
    return Constants(
        times=times.numpy(),
        null_style=null[0].numpy(),
        bank_voice=bank(profile.voice_style_size),
        bank_face=bank(profile.content_size),
        vocoder=_vocoder(graphs["styletts2_step"]),
    )


def export_nano(folder: Path, graphs: Mapping[str, Graph], weights: str, seed: int) -> Path:
    """Write nano's profile beside its exported graphs; return its folder."""
    profile = nano_profile(graphs, weights)
    place = write_profile(folder, profile, nano_constants(graphs, profile, seed))
    if not (place / TOKENIZER).exists():
        makeshift_tokens(LLM_NANO.vocabulary).save(place / TOKENIZER)
    return place


def makeshift_tokens(size: int) -> Tokens:
    """Return a tokenizer learnt from Python's own documentation, which is always at hand.

    It stands in until one comes with trained weights.
    """
    from pydoc_data.topics import topics

    return train(topics.values(), size)


def _vocoder(step: Graph) -> dict[str, int]:
    """Read the sizes of ``VocoderShape`` off the graph's inputs."""
    shapes = {name: tuple(example.shape) for name, example in step.inputs.items()}
    fft = 2 * (shapes["source"][2] // 4 - 1)
    return {
        "inputs": shapes["x"][1],
        "channels": shapes["layers"][2],
        "layers": shapes["layers"][1],
        "kernel": shapes["heard"][2] + 1,
        "fft": fft,
        "hop": fft - shapes["tail"][1],
    }
