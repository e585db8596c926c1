"""The manifest of an export: which graphs one size of the network has, and their dimensions.

============================  ===================================================================
``<size>/manifest.json``    ``ExportManifest``
``<size>/constants.npz``   time table, null style, bank of styles, and what feeds the generator
``<size>/tokenizer.json``  of the language model
``<network>/<graph>.onnx``    one file a graph, by the names that the networks give them
============================  ===================================================================

Written by ``rt-avatar engines export`` (``engines.networks.export_files``), read here without
torch.
"""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES, Modality
from rt_avatar.engines.motion.space import ARKIT52, BFM64, MotionSpace
from rt_avatar.engines.styletts2.speaker import WindowShape
from rt_avatar.engines.styletts2.symbols import MAX_TOKENS
from rt_avatar.engines.styletts2.tables import window_arrays, window_shape
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape

Floats: TypeAlias = NDArray[np.float32]

EXPORT_MANIFEST: Final = "manifest.json"
CONSTANTS: Final = "constants.npz"
TOKENIZER: Final = "tokenizer.json"
NANO_VOICE: Final = "fusion_nano_voice"  # the graph by which contents reach the package's voice


_RANDOM: Final = "random: "  # in ``weights``, before the parts that are
# Parts in whose place the package's voice and motion are, where contents and styles are theirs.
_STOOD_IN_FOR: Final = ("voice", "motion")
_SENSES: Final[Mapping[Modality, frozenset[str]]] = {
    "speech": frozenset({"speech", "speech_projection"}),
    "video": frozenset({"vision", "vision_projection"}),
}


class ExportError(ValueError):
    """A folder is no export, or not a whole one. The message says how to make one."""


@dataclass(frozen=True, slots=True)
class ExportManifest:
    """What a folder's graphs are.

    Attributes:
        name: ``nano`` or ``empatheia``.
        weights: Where they come from; ``random`` says that the words mean nothing.
        template: How dialogues are written, by ``engines.llm.templates``.
        notation: How chains are written, by ``engines.llm.chain``.
        voice: Recipe of the voice, by ``engines.styletts2.recipe``.
        renderer: Prefix of the renderer's graphs.
        networks: Folder of the graphs whose names begin with the key and ``_``.
        feature_size: Numbers in a feature of sound.
        content_size: Numbers in a content of the face; also in S^v.
        voice_style_size: Numbers in S^s.
        steps: Of the face's sampling, descending.
        face_px: Of portrait and picture.
        vision_px: Of what the encoder of pictures takes.
        history_bins: Vectors of an utterance that was answered before.
        query_bins: Of the one to be answered.
        cache: The language model's layers, heads of keys, and numbers of a head: with these one
            graph of it, ``llm_extend``, reads prompts and tokens too.
        positions: Tokens that it was trained for, prompt and answer together; fewer, once loaded,
            where a plan takes fewer.
        lips: The graph whose features of sound move the lips.
        styles_see: What styles follow from, as ``DisentanglerConfig.sees`` has it.
        symbols: Symbols of a clause that voice and synchronizer take; fewer, once loaded, where
            plans take fewer.
    """

    name: str
    weights: str
    template: str
    notation: str
    voice: str
    renderer: str
    networks: Mapping[str, str]
    feature_size: int
    content_size: int
    voice_style_size: int
    steps: tuple[int, ...]
    face_px: int
    vision_px: int
    history_bins: int
    query_bins: int
    cache: tuple[int, int, int]
    positions: int
    lips: str
    styles_see: str = "signals"
    symbols: int = MAX_TOKENS

    @property
    def is_trained(self) -> bool:
        """Whether anything was learnt."""
        return self.weights != "random"

    @property
    def untrained(self) -> tuple[str, ...]:
        """The parts that are random beside others that were learnt, as far as they are asked."""
        found = self._random
        if self.guides_nano_voice:
            found = tuple(part for part in found if part not in _STOOD_IN_FOR)
        return found

    @property
    def _random(self) -> tuple[str, ...]:
        parts = self.weights.partition(_RANDOM)[2]
        return tuple(parts.split(", ")) if parts else ()

    @property
    def guides_nano_voice(self) -> bool:
        """Whether contents and styles were learnt: nano's, of the package's voice and motion."""
        fusion = {"synchronizer", "disentangler"}
        return self.name == "nano" and self.is_trained and not fusion & set(self._random)

    @property
    def untrained_senses(self) -> tuple[Modality, ...]:
        """Senses whose encoding is random while the language model has learnt: noise to it."""
        found = set(self.untrained)
        return () if "llm" in found else tuple(
            sense for sense, parts in _SENSES.items() if found & parts
        )  # fmt: skip

    @property
    def samples_styles(self) -> bool:
        """Whether its voice has a denoiser of styles."""
        return self.voice in ("ljspeech", "libritts")

    @property
    def motion_space(self) -> MotionSpace:
        """What its expressions are: the published networks move a 3D face model."""
        return ARKIT52 if self.renderer == "pirender_nano" else BFM64

    @property
    def frame(self) -> str:
        """The graph that draws frames."""
        return f"{self.renderer}_frame"

    @property
    def graphs(self) -> tuple[str, ...]:
        """The graphs that answering needs."""
        bins = sorted({self.history_bins, self.query_bins})
        return (
            *dict.fromkeys(("encoders_speech", self.lips)),
            "encoders_vision",
            *(f"encoders_{kind}_tokens_{count}" for kind in ("speech", "vision") for count in bins),
            *(f"llm_{part}" for part in ("embed", "extend")),
            *(f"fusion_{part}" for part in ("speech_content", "video_content", "styles")),
            *((NANO_VOICE,) if self.guides_nano_voice else ()),
            *(f"styletts2_{part}" for part in ("text", "bert", "durations", "curves", "trunk")),
            "styletts2_style",
            *(("styletts2_guide",) if self.samples_styles else ()),
            "styletts2_step" if self.voice == "nano" else "styletts2_window",
            *(f"dreamtalk_{part}" for part in ("content", "given", "style", "step")),
            "dreamtalk_style_encoder",
            f"{self.renderer}_portrait",
            self.frame,
        )

    def file(self, folder: Path, graph: str) -> Path:
        """Return where a graph is."""
        return folder / self.networks[graph.partition("_")[0]] / f"{graph}.onnx"


@dataclass(frozen=True, slots=True)
class Constants:
    """Numbers that no graph holds.

    Attributes:
        times: (S, M), a row a step of the face's sampling.
        null_style: (D,).
        bank_voice: (8, 256) S^s of each emotion, in the order of ``engines.types.EMOTIONS``.
        bank_face: (8, D) S^v of the same.
        generator: What must be known of the voice's generator to feed its graph.
    """

    times: Floats
    null_style: Floats
    bank_voice: Floats
    bank_face: Floats
    generator: VocoderShape | WindowShape


def write_export_manifest(folder: Path, manifest: ExportManifest, constants: Constants) -> Path:
    """Write both files into ``folder/<size>``; return that."""
    place = folder / manifest.name
    place.mkdir(parents=True, exist_ok=True)
    data = {field.name: getattr(manifest, field.name) for field in fields(manifest)}
    (place / EXPORT_MANIFEST).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    arrays: dict[str, Any] = {name: getattr(constants, name) for name in _ARRAYS}
    arrays |= _written(constants.generator)
    np.savez(place / CONSTANTS, **arrays)
    return place


def read_export_manifest(folder: Path, name: str = "nano") -> tuple[ExportManifest, Constants]:
    """Return what a folder of exported graphs holds under that name.

    Raises:
        ExportError: It is missing, none, or lacks files.
    """
    place = folder / name
    make = f"Make it with: rt-avatar engines export {name} --folder {folder}"
    if not (place / EXPORT_MANIFEST).is_file():
        raise ExportError(f"{folder}: expected the exported engines {name!r}, got none. {make}")
    try:
        data = json.loads((place / EXPORT_MANIFEST).read_text(encoding="utf-8"))
        for key in ("steps", "cache"):
            data[key] = tuple(int(number) for number in data[key])
        manifest = ExportManifest(**data)
        for known, used in ((TEMPLATES, manifest.template), (NOTATIONS, manifest.notation)):
            if used not in known:
                raise ValueError(f"{used!r}, where one of {', '.join(known)} is known")
        constants = _read_constants(place / CONSTANTS)
        files = [place / TOKENIZER, *(manifest.file(folder, graph) for graph in manifest.graphs)]
    except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ExportError(f"{place}: expected an export; got {error!r}. {make}") from error
    missing = [str(file.relative_to(folder)) for file in files if not file.is_file()]
    if missing:
        raise ExportError(
            f"{folder}: expected all of {name!r}; missing {', '.join(missing[:5])}"
            f"{' ...' if len(missing) > 5 else ''}. {make}"
        )
    return manifest, constants


def _read_constants(path: Path) -> Constants:
    with np.load(path, allow_pickle=False) as arrays:
        generator = _shape({name: arrays[name] for name in arrays.files if name not in _ARRAYS})
        return Constants(**{name: arrays[name] for name in _ARRAYS}, generator=generator)


# --- generator ----------------------------------------------------------------------------------
def _written(generator: VocoderShape | WindowShape) -> dict[str, Any]:
    if isinstance(generator, VocoderShape):
        return {f"vocoder.{name}": np.int64(size) for name, size in asdict(generator).items()}
    return window_arrays(generator)


def _shape(arrays: Mapping[str, NDArray[Any]]) -> VocoderShape | WindowShape:
    if "window.columns" not in arrays:
        return VocoderShape(
            **{name.removeprefix("vocoder."): int(size) for name, size in arrays.items()}
        )
    return window_shape(arrays)


_ARRAYS: Final = ("times", "null_style", "bank_voice", "bank_face")
