"""Published files → safetensors of our networks, with a record: ``rt-avatar models import``.

Every file is read without running anything in it, must fit its network key for key and shape for
shape, and is written in our own names: with norms folded, without what only training needs.
"""

import datetime
import importlib.metadata
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.checkpoints import (
    WEIGHTS,
    ImportRecord,
    Progress,
    Published,
    find_published,
    read_header,
    sha256,
)
from rt_avatar.engines.checkpoints_errors import NAMED_KEYS, CheckpointError
from rt_avatar.engines.networks.files import Tree, lazy_tensors, only_tensors, read_tree, section
from rt_avatar.engines.networks.lazy_weights import (
    LazyWeights,
    lazy_file,
    lazy_state,
    write_safetensors,
)
from rt_avatar.engines.networks.loading import State, compare, empty, load_strict

# A network for published weights, without memory, and how those get into it.
Importer = Callable[[Tree], State]

ADAPTER: Final = "vicuna-7b-lora"
KOKORO: Final = "kokoro-82m"
VICUNA: Final = "vicuna-7b"
_TOOLS: Final = ("torch", "safetensors")


def import_checkpoint(
    name: str, source: Path, folder: Path, progress: Progress, *, origin: str = ""
) -> Path:
    """Check a published file and write it as safetensors with its record.

    Args:
        name: Of the published weights.
        source: The file, or the folder that holds it (all of its parts).
        folder: Where to write.
        progress: Told what is being done, and the bytes done and all.
        origin: Where the file came from; "" for the path and the project's name.

    Returns:
        The safetensors file. It is there only when it is whole.

    Raises:
        CheckpointError: It is not that file: the first keys missing, unexpected or misshapen; or
            some of its numbers are none.
        OSError: A file cannot be read, or the weights cannot be written.
    """
    published = find_published(name)
    files = find_files(published, source)
    tables: State = {}
    beside: list[Path] = []
    if name == KOKORO:
        from rt_avatar.engines.networks.styletts2.published_tables import read_published_tables

        tables, beside = read_published_tables(files[0])
    digests = {
        file.name: sha256(file, partial(progress, f"{file.name}: reading"))
        for file in (*files, *beside)
    }
    if name == ADAPTER:
        from rt_avatar.engines.networks.llm.published import check_adapter

        check_adapter(files[0].with_name("adapter_config.json"))
    progress(f"{name}: comparing its tensors", 0, 0)
    state = {**IMPORTERS[name](_merged(published, files)), **tables}
    weights_of = lazy_state(state)
    if name == VICUNA:  # 13.5 GB, and written as it is read
        shapes = {key: tensor.to("meta") for key, tensor in state.items()}
        lazy = {key: read for file in files for key, read in lazy_tensors(file).items()}
        state, weights_of = shapes, {key: lazy[key] for key in shapes}
    _check_finite(name, weights_of)
    folder.mkdir(parents=True, exist_ok=True)
    weights = folder / f"{name}{WEIGHTS}"
    part = weights.with_name(weights.name + ".part")
    progress(f"{name}: writing", 0, 0)
    _save(state, weights_of, part)
    record = ImportRecord(
        name=name,
        source=origin or f"{published.project}: {', '.join(file.name for file in files)}",
        licence=published.licence,
        date=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        source_sha256=digests,
        sha256=sha256(part, partial(progress, f"{name}: comparing")),
        tensors=len(state),
        parameters=sum(tensor.numel() for tensor in state.values()),
        tools={tool: importlib.metadata.version(tool) for tool in _TOOLS},
    )
    part.replace(weights)
    record.write(weights)
    return weights


def load_imported(
    module: torch.nn.Module,
    name: str,
    folder: Path,
    load: Callable[[torch.nn.Module, State], None] = load_strict,
) -> Path:
    """Fill a network with imported weights by ``load``; return their file.

    Raises:
        CheckpointError: They are missing, cut short, or do not fit.
    """
    weights = _imported_file(name, folder)
    read_header(weights)
    load(module, only_tensors(read_tree(weights), str(weights)))
    return weights


def lazy_imported(
    name: str, folder: Path, wanted: Mapping[str, tuple[int, ...]]
) -> tuple[Path, LazyWeights]:
    """Return the file of imported weights, and what reads them one at a time.

    Raises:
        CheckpointError: They are missing, cut short, or of other keys and shapes than ``wanted``.
    """
    weights = _imported_file(name, folder)
    compare(name, empty(wanted), empty(read_header(weights)))
    return weights, lazy_file(weights, wanted)


def _imported_file(name: str, folder: Path) -> Path:
    weights = folder / f"{find_published(name).name}{WEIGHTS}"
    if not weights.is_file():
        raise CheckpointError(
            f"{weights}: expected imported weights, got none",
            mend=f"Import the published file with: rt-avatar models import {name} FILE",
        )
    return weights


def find_files(published: Published, source: Path) -> list[Path]:
    """Return the published files at ``source``, all parts in order.

    Raises:
        CheckpointError: There are none.
    """
    if source.is_file():
        return [source]
    names = sorted(path.name for path in source.iterdir()) if source.is_dir() else []
    for pattern in published.files:
        if found := [name for name in names if fnmatchcase(name, pattern)]:
            return [source / name for name in found]
    raise CheckpointError(
        f"{source}: expected {' or '.join(published.files)} of {published.project}; "
        f"got {', '.join(names[:5]) or 'nothing'}"
    )


def _merged(published: Published, files: Sequence[Path]) -> Tree:
    if len(files) == 1:
        return read_tree(files[0])
    merged: dict[str, object] = {}
    for file in files:
        part = read_tree(file)
        if twice := sorted(set(part) & set(merged)):
            raise CheckpointError(
                f"{published.name}: {file.name} repeats tensors of another part", unexpected=twice
            )
        merged |= part
    return merged


def _check_finite(name: str, weights: LazyWeights) -> None:
    broken = [key for key, read in weights.items() if not _is_finite(read())]
    if broken:
        raise CheckpointError(
            f"{name}: expected finite numbers, got NaN or infinity in "
            f"{', '.join(broken[:NAMED_KEYS])}",
            mend="Is the file damaged?",
        )


def _is_finite(tensor: Tensor) -> bool:
    return not tensor.is_floating_point() or bool(tensor.isfinite().all())


def _save(state: State, weights: LazyWeights, part: Path) -> None:
    """Write a file, or nothing."""
    try:
        write_safetensors(part, state, weights)
    except OSError as error:
        if part.is_file():
            part.unlink()
        raise OSError(
            f"{part}: expected room to write {len(state)} tensors; got: {error}"
        ) from error


# --- the published files ------------------------------------------------------------------------
def _styletts2(name: str, *, top: str) -> Importer:
    def read(tree: Tree) -> State:
        from rt_avatar.engines.networks.styletts2.config import CONFIGS
        from rt_avatar.engines.networks.styletts2.model import StyleTTS2
        from rt_avatar.engines.networks.styletts2.official import TRAINING_PARTS, load_official

        parts = section(tree, top, f"StyleTTS 2 {name}") if top else tree
        states = {
            part: only_tensors(section(parts, part, f"StyleTTS 2 {name}"), part)
            for part in parts
            if part not in TRAINING_PARTS
        }
        with torch.device("meta"):
            network = StyleTTS2(CONFIGS[name])
        load_official(network, states)
        return _state(network)

    return read


def _dreamtalk(tree: Tree) -> State:
    from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
    from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
    from rt_avatar.engines.networks.dreamtalk.weights import SECTION, load_denoiser

    with torch.device("meta"):
        network = DreamTalk(OFFICIAL)
    load_denoiser(network, only_tensors(section(tree, SECTION, "DreamTalk"), SECTION))
    return _state(network)


def _pirenderer(tree: Tree) -> State:
    from rt_avatar.engines.networks.pirender.config import OFFICIAL
    from rt_avatar.engines.networks.pirender.generator import FaceGenerator
    from rt_avatar.engines.networks.pirender.weights import SECTION, load_renderer

    with torch.device("meta"):
        network = FaceGenerator(OFFICIAL)
    load_renderer(network, only_tensors(section(tree, SECTION, "PIRenderer"), SECTION))
    return _state(network)


def _hubert(name: str) -> Importer:
    def read(tree: Tree) -> State:
        from rt_avatar.engines.networks.encoders.config import SPEECH
        from rt_avatar.engines.networks.encoders.official import load_hubert
        from rt_avatar.engines.networks.encoders.speech import SpeechEncoder

        with torch.device("meta"):
            network = SpeechEncoder(SPEECH[name])
        load_hubert(network, only_tensors(tree, name))
        return _state(network)

    return read


def _wav2vec2(tree: Tree) -> State:
    from rt_avatar.engines.networks.encoders.config import WAV2VEC_LARGE
    from rt_avatar.engines.networks.encoders.official import load_wav2vec2
    from rt_avatar.engines.networks.encoders.speech import SpeechEncoder

    with torch.device("meta"):
        network = SpeechEncoder(WAV2VEC_LARGE)
    load_wav2vec2(network, only_tensors(tree, WAV2VEC_LARGE.name))
    return _state(network)


def _clip(tree: Tree) -> State:
    from rt_avatar.engines.networks.encoders.config import CLIP_LARGE
    from rt_avatar.engines.networks.encoders.official import load_clip
    from rt_avatar.engines.networks.encoders.vision import VisionEncoder

    with torch.device("meta"):
        network = VisionEncoder(CLIP_LARGE)
    load_clip(network, only_tensors(tree, CLIP_LARGE.name))
    return _state(network)


def _vicuna(tree: Tree) -> State:
    """The model as published: 32,000 rows, fp16; our signal tokens' rows come when it is used."""
    from rt_avatar.engines.networks.llm.published import vicuna_keys

    given = {
        key: tensor
        for key, tensor in only_tensors(tree, "vicuna-7b").items()
        if not key.endswith("rotary_emb.inv_freq")
    }
    compare("Vicuna 7B v1.5", empty(vicuna_keys()), given)
    return given


def _lora(tree: Tree) -> State:
    """The updates, and the signal tokens' rows if they were trained too: all of them or none."""
    from rt_avatar.engines.networks.llm.published import adapter_keys

    given = only_tensors(tree, ADAPTER)
    compare("LoRA of Vicuna 7B", empty(adapter_keys(given)), given)
    return given


def _state(network: torch.nn.Module) -> State:
    return dict(network.state_dict())


IMPORTERS: Final[Mapping[str, Importer]] = {
    "hubert-large": _hubert("hubert-large-ll60k"),
    "hubert-base": _hubert("hubert-base-ls960"),
    "wav2vec2-large": _wav2vec2,
    "clip-large": _clip,
    VICUNA: _vicuna,
    ADAPTER: _lora,
    "styletts2-ljspeech": _styletts2("ljspeech", top="net"),
    "styletts2-libritts": _styletts2("libritts", top="net"),
    KOKORO: _styletts2("kokoro", top=""),
    "dreamtalk": _dreamtalk,
    "pirenderer": _pirenderer,
}
