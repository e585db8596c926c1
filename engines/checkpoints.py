"""Published weights that the networks can be filled with: what they are, under which licence.

Nothing is shipped and nothing is fetched unasked. Importing (``engines.networks.importing``, with
torch) checks a published file key for key and writes safetensors with a record beside it; here is
what can be known of both without torch.
"""

import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from operator import index
from pathlib import Path
from typing import Any, Final

from rt_avatar.engines.checkpoints_errors import CheckpointError

WEIGHTS: Final = ".safetensors"
RECORD: Final = ".json"
_BLOCK_BYTES: Final = 1 << 22
# The format's own limit of a header; a longer one is no safetensors file.
_HEADER_LIMIT: Final = 100_000_000

Progress = Callable[[str, int, int], None]  # what is being done, bytes done, bytes in all


@dataclass(frozen=True, slots=True)
class Published:
    """Weights somebody published.

    Attributes:
        name: As our commands name them.
        what: What they are for.
        files: Names of the published files; ``*`` where they come in parts.
        project: Where they are published, as people call it.
        licence: Of the weights, as far as their authors state one.
        note: What to know before using them; "" for nothing.
    """

    name: str
    what: str
    files: tuple[str, ...]
    project: str
    licence: str
    note: str = ""


_NON_COMMERCIAL: Final = "Not for commercial use."
PUBLISHED: Final[Mapping[str, Published]] = {
    each.name: each
    for each in (
        Published(
            "hubert-large",
            "speech encoder",
            ("model.safetensors", "pytorch_model.bin"),
            "Hugging Face facebook/hubert-large-ll60k",
            "Apache-2.0",
        ),
        Published(
            "hubert-base",
            "speech encoder, smaller",
            ("model.safetensors", "pytorch_model.bin"),
            "Hugging Face facebook/hubert-base-ls960",
            "Apache-2.0",
        ),
        Published(
            "wav2vec2-large",
            "speech encoder of the lips",
            ("model.safetensors", "pytorch_model.bin"),
            "Hugging Face jonatasgrosman/wav2vec2-large-xlsr-53-english",
            "Apache-2.0",
        ),
        Published(
            "clip-large",
            "picture encoder",
            ("model.safetensors", "pytorch_model.bin"),
            "Hugging Face openai/clip-vit-large-patch14-336",
            "MIT (the code's; the weights state none)",
        ),
        Published(
            "vicuna-7b",
            "language model",
            ("model-*.safetensors", "pytorch_model-*.bin"),
            "Hugging Face lmsys/vicuna-7b-v1.5",
            "Llama 2 Community License",
            "In parts: name the folder that holds all of them.",
        ),
        Published(
            "vicuna-7b-lora",
            "adapter of the language model",
            ("adapter_model.safetensors", "adapter_model.bin"),
            "your own training (none is published)",
            "yours, on top of the Llama 2 Community License",
            "Rank 8, alpha 32 on q, k, v and o, as peft saves it, adapter_config.json beside it.",
        ),
        Published(
            "styletts2-ljspeech",
            "voice, one speaker",
            ("epoch_2nd_00100.pth",),
            "Hugging Face yl4579/StyleTTS2-LJSpeech",
            "MIT; tell listeners that the voice is synthetic",
        ),
        Published(
            "styletts2-libritts",
            "voice, many speakers",
            ("epochs_2nd_00020.pth",),
            "Hugging Face yl4579/StyleTTS2-LibriTTS",
            "MIT; clone voices only with their owners' consent",
        ),
        Published(
            "kokoro-82m",
            "voice without diffusion, for CPUs",
            ("kokoro-v1_0.pth",),
            "Hugging Face hexgrad/Kokoro-82M",
            "Apache-2.0",
            "With its style tables, voices/*.pt beside it: rt-avatar models fetch kokoro-82m.",
        ),
        Published(
            "dreamtalk",
            "motion from speech",
            ("denoising_network.pth",),
            "DreamTalk, on request from its authors",
            "academic research only",
            f"{_NON_COMMERCIAL} Its authors no longer publish the file.",
        ),
        Published(
            "pirenderer",
            "face from motion",
            ("renderer.pt", "epoch_00190_iteration_000400000_checkpoint.pt"),
            "PIRender; DreamTalk's renderer",
            "CC BY-NC 4.0",
            _NON_COMMERCIAL,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """What imported weights came from: the JSON beside them.

    Attributes:
        name: Of the published weights.
        source: Where the file came from, as it was told.
        licence: As in ``Published``.
        date: Of the import, ISO 8601, UTC.
        source_sha256: By name of the published file.
        sha256: Of the safetensors file.
        tensors: How many there are.
        parameters: Numbers in all of them.
        tools: Versions of the packages that read and wrote them.
    """

    name: str
    source: str
    licence: str
    date: str
    source_sha256: Mapping[str, str]
    sha256: str
    tensors: int
    parameters: int
    tools: Mapping[str, str]

    def write(self, weights: Path) -> None:
        """Write the record beside ``weights``."""
        text = json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"
        weights.with_suffix(RECORD).write_text(text, encoding="utf-8")


def find_published(name: str) -> Published:
    """Return the published weights of that name.

    Raises:
        CheckpointError: There are none; the message names all.
    """
    if name not in PUBLISHED:
        raise CheckpointError(f"models: expected one of {', '.join(PUBLISHED)}; got {name!r}")
    return PUBLISHED[name]


def read_record(weights: Path) -> ImportRecord:
    """Return the record beside imported weights.

    Raises:
        CheckpointError: There is none, or it is none.
    """
    path = weights.with_suffix(RECORD)
    mend = "Import the published file again with: rt-avatar models import"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        names = {field.name for field in fields(ImportRecord)}
        if not isinstance(data, dict) or set(data) != names:
            raise ValueError(f"other keys than {', '.join(sorted(names))}")
        return ImportRecord(**data)
    except FileNotFoundError as error:
        raise CheckpointError(
            f"{weights}: expected its record {path.name} beside it, got none", mend=mend
        ) from error
    except ValueError as error:
        raise CheckpointError(
            f"{path}: expected the record of an import, got {error}", mend=mend
        ) from error


def check_imported(name: str, folder: Path, progress: Progress) -> ImportRecord:
    """Compare imported weights with their record, to the last bit; return the record.

    Raises:
        CheckpointError: They are missing, changed, cut short, or of other weights.
    """
    weights = folder / f"{find_published(name).name}{WEIGHTS}"
    mend = f"Import the published file again with: rt-avatar models import {name} FILE"
    if not weights.is_file():
        raise CheckpointError(f"{weights}: expected imported weights, got none", mend=mend)
    record = read_record(weights)
    if record.name != name:
        raise CheckpointError(f"{weights}: its record is of {record.name}", mend=mend)
    tensors = read_header(weights)
    if len(tensors) != record.tensors:
        raise CheckpointError(
            f"{weights}: expected {record.tensors} tensors, got {len(tensors)}", mend=mend
        )
    got = sha256(weights, partial(progress, f"{name}: comparing"))
    if got != record.sha256:
        raise CheckpointError(
            f"{weights}: expected sha256 {record.sha256}, got {got}: the file was changed",
            mend=mend,
        )
    return record


def read_header(weights: Path) -> dict[str, tuple[int, ...]]:
    """Return key → shape of a safetensors file, without reading its numbers.

    Raises:
        CheckpointError: It is none, or cut short.
    """
    size = weights.stat().st_size
    foreign = CheckpointError(
        f"{weights}: expected a safetensors file, got something else or a part of one",
        mend="Is it complete?",
    )
    with weights.open("rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 2 <= length <= min(_HEADER_LIMIT, size - 8):
            raise foreign
        try:
            header: dict[str, Any] = json.loads(file.read(length))
            header.pop("__metadata__", None)
            end = max((index(entry["data_offsets"][1]) for entry in header.values()), default=0)
            shapes = {key: tuple(map(index, entry["shape"])) for key, entry in header.items()}
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise foreign from error
    if 8 + length + end != size:
        raise CheckpointError(
            f"{weights}: expected {8 + length + end} bytes, got {size}", mend="Is it complete?"
        )
    return shapes


def sha256(path: Path, progress: Callable[[int, int], None] = lambda done, total: None) -> str:
    """Return a file's digest; ``progress`` is told the bytes done and all."""
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            done += len(block)
            progress(done, total)
    return digest.hexdigest()
