"""Write an export's files beside its graphs: constants, style bank, tokenizer.

Constants are read off the graphs themselves, so that they belong to the weights that were exported.
"""

import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.empatheia.export_manifest import (
    TOKENIZER,
    Constants,
    ExportManifest,
    write_export_manifest,
)
from rt_avatar.engines.llm.tokens import Tokens, train
from rt_avatar.engines.motion import style_vector as face_vectors
from rt_avatar.engines.nano_tts import SHIPPED
from rt_avatar.engines.nano_tts import style_vector as voice_vectors
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.networks.encoders.config import HISTORY_BINS, QUERY_BINS
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.sizes import Sizes
from rt_avatar.engines.networks.styletts2.graphs import shape_of
from rt_avatar.engines.types import EMOTIONS, FaceStyle, VoiceStyle

Floats: TypeAlias = NDArray[np.float32]

RANDOM: Final = "random"
# The graphs whose modules hold the constants.
CONSTANT_GRAPHS: Final = (
    "dreamtalk_step", "dreamtalk_style_encoder", "styletts2_step", "styletts2_window",
)  # fmt: skip
_PERSON: Final = "young_female"  # whose voice a bank of the package's styles is
_PUBLISHED_SPECIALS: Final = ("<unk>", "<s>", "</s>")
_SPACE: Final = "\N{LOWER ONE EIGHTH BLOCK}"  # what a space is to such a tokenizer


@dataclass(frozen=True, slots=True)
class Beside:
    """What no graph holds.

    Attributes:
        weights: Where the graphs' weights come from, or ``random``.
        seed: Of a bank that is not given.
        tokenizer: A ``tokenizer.json``; None: a makeshift one, unless one is there already.
        bank: Styles by emotion, as ``read_bank`` takes them; None: those of the package's voice
            and motion where the disentangler learnt these, else random ones.
    """

    weights: str = RANDOM
    seed: int = 0
    tokenizer: Path | None = None
    bank: Path | None = None


def manifest_of(sizes: Sizes, weights: str) -> ExportManifest:
    """Return what graphs of these sizes are.

    Args:
        sizes: Of all networks.
        weights: Where they come from, or ``random``.
    """
    llm = sizes.llm
    return ExportManifest(
        name=sizes.name,
        weights=weights,
        template=sizes.template,
        notation=sizes.notation,
        voice=sizes.voice.name,
        renderer=sizes.renderer,
        networks=sizes.networks,
        feature_size=sizes.speech.width,
        content_size=sizes.motion.model_size,
        voice_style_size=2 * sizes.voice.style,
        steps=sizes.steps,
        face_px=sizes.face_px,
        vision_px=sizes.vision.size,
        history_bins=HISTORY_BINS,
        query_bins=QUERY_BINS,
        cache=(llm.layers, llm.key_heads, llm.width // llm.heads),
        positions=llm.positions,
        lips="encoders_speech" if sizes.lips is None else "encoders_lips",
        styles_see=sizes.disentangler.sees,
    )


def constants_of(sizes: Sizes, graphs: Mapping[str, Graph], beside: Beside) -> Constants:
    """Return the numbers that no graph holds.

    Args:
        sizes: Of all networks.
        graphs: By name, those of ``CONSTANT_GRAPHS`` that there are.
        beside: A bank, or the seed of a random one.

    Raises:
        CheckpointError: The bank does not fit.
    """
    encoder = graphs["dreamtalk_style_encoder"].module.eval()
    generator = graphs["styletts2_step" if "styletts2_step" in graphs else "styletts2_window"]
    clip = torch.zeros(1, sizes.motion.style_frames, sizes.motion.expression_size)
    with torch.no_grad():
        times = graphs["dreamtalk_step"].module.time_table(sizes.steps)
        null = encoder(clip)
    voice, face = 2 * sizes.voice.style, sizes.motion.model_size
    if beside.bank is not None:
        bank = read_bank(beside.bank, voice, face)
    elif manifest_of(sizes, beside.weights).guides_nano_voice:
        bank = _package_bank()
    else:
        bank = _random_bank(voice, face, beside.seed)
    return Constants(
        times=times.numpy(),
        null_style=null[0].numpy(),
        bank_voice=bank[0],
        bank_face=bank[1],
        generator=shape_of(sizes.voice.generator, generator.module.network),
    )


def export_with_manifest(
    folder: Path, sizes: Sizes, graphs: Mapping[str, Graph], beside: Beside
) -> Path:
    """Write an export beside its exported graphs; return its folder.

    Raises:
        CheckpointError: The bank or the tokenizer does not fit.
    """
    constants = constants_of(sizes, graphs, beside)
    place = write_export_manifest(folder, manifest_of(sizes, beside.weights), constants)
    if beside.tokenizer is not None:
        read_tokens(beside.tokenizer, sizes.llm).save(place / TOKENIZER)
    elif not (place / TOKENIZER).exists():
        makeshift_tokens(sizes.llm).save(place / TOKENIZER)
    return place


def read_tokens(path: Path, config: LlmConfig) -> Tokens:
    """Return a tokenizer for a language model.

    Raises:
        CheckpointError: It is none, or has ids that the model has no rows for.
    """
    try:
        tokens = Tokens.load(path)
    except ValueError as error:
        raise CheckpointError(str(error)) from error
    if tokens.size > config.vocabulary or tokens.signals != config.signals:
        raise CheckpointError(
            f"{path}: expected at most {config.vocabulary} ids with the signal tokens from "
            f"{config.first_signal} on; got {tokens.size}, from {tokens.signals.first} on",
            mend=f"Is it the tokenizer.json of {config.name}?",
        )
    return tokens


def read_bank(path: Path, voice: int, face: int) -> tuple[Floats, Floats]:
    """Return styles by emotion, a row each in the order of ``engines.types.EMOTIONS``.

    Args:
        path: An ``.npz`` of two arrays: ``voice`` (8, numbers of S^s), ``face`` (8, of S^v).
        voice: Numbers of S^s.
        face: Numbers of S^v.

    Raises:
        CheckpointError: It is none, or has other shapes.
    """
    shapes = {"voice": (len(EMOTIONS), voice), "face": (len(EMOTIONS), face)}
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in shapes}
    except (OSError, ValueError, KeyError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise CheckpointError(
            f"{path}: expected an .npz with the arrays voice and face; got {error!r}"
        ) from error
    for name, shape in shapes.items():
        if found[name].shape != shape or not np.isfinite(found[name]).all():
            raise CheckpointError(
                f"{path}: {name}: expected {shape} finite numbers, a row for each of "
                f"{', '.join(EMOTIONS)}; got {found[name].shape}"
            )
    banks = [found[name].astype(np.float32) for name in shapes]
    return banks[0], banks[1]


def makeshift_tokens(config: LlmConfig) -> Tokens:
    """Return a tokenizer learnt from Python's own documentation, which is always at hand.

    It stands in until one comes with trained weights. For a published model it is of that model's
    kind (spaces are letters, what is unknown is spelled in bytes) and filled up to the rows that
    the model has, since the signal tokens come behind them.
    """
    from pydoc_data.topics import topics

    if config.first_signal != config.base_vocabulary:
        return train(topics.values(), config.vocabulary)
    return _like_llama(topics.values(), config.base_vocabulary)


def _like_llama(texts: Iterable[str], size: int) -> Tokens:
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers
    from tokenizers.trainers import BpeTrainer

    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend(_SPACE), normalizers.Replace(" ", _SPACE)]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(_SPACE, "merged_with_next")
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace(_SPACE, " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    names = (*_PUBLISHED_SPECIALS, *(f"<0x{byte:02X}>" for byte in range(256)))
    specials = [AddedToken(name, normalized=False, special=True) for name in names]
    trainer = BpeTrainer(vocab_size=size, special_tokens=specials, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    missing = size - tokenizer.get_vocab_size()
    tokenizer.add_tokens([AddedToken(f"<none {number}>") for number in range(missing)])
    return Tokens(tokenizer)


def _package_bank() -> tuple[Floats, Floats]:
    """Return the styles that nano's disentangler learnt, of one of the package's persons."""
    speaker = NanoModel(SHIPPED).speaker
    voice = [voice_vectors.write_vector(speaker, _PERSON, VoiceStyle(e, 1.0)) for e in EMOTIONS]
    face = [face_vectors.write_vector(FaceStyle(e, 1.0)) for e in EMOTIONS]
    return np.stack(voice), np.stack(face)


def _random_bank(voice: int, face: int, seed: int) -> tuple[Floats, Floats]:
    dice = np.random.default_rng(seed)
    banks = [
        dice.normal(0, 0.3, (len(EMOTIONS), size)).astype(np.float32) for size in (voice, face)
    ]
    return banks[0], banks[1]
