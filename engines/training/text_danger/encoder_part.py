"""The encoder: a published one, tuned to what is written and to real talk."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import torch

from rt_avatar.engines.text_danger.classifier import CLASSES
from rt_avatar.engines.text_encoder import PieceTable, Splitter, framed, split_words
from rt_avatar.engines.training.text_danger.sentences import Sentence
from rt_avatar.engines.training.text_encoder.export import export_lower, export_pieces, export_upper
from rt_avatar.engines.training.text_encoder.model import (
    TextEncoderModel,
    begin_from,
    read_checkpoint,
)
from rt_avatar.engines.training.text_encoder.tuning import Labelled, Plan, label_loss, tune
from rt_avatar.engines.training.text_encoder.vocabulary import used_pieces

_log = logging.getLogger("text_danger")
_LAYERS: Final = 5  # of the published encoder's six


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """Where the published encoder lies, and the folders that the tuned one goes to."""

    published: Path
    shared: Path
    own: Path


def train_encoder(
    files: EncoderFiles, sentences: Sequence[Sentence], spoken: Sequence[str], plan: Plan
) -> None:
    """Tune the encoder, write its files.

    Args:
        files: Where from, and where to.
        sentences: What is learnt.
        spoken: More of what people say, whose word pieces are kept as they are in the published
            encoder: it knows what they mean.
        plan: How long and from where.
    """
    torch.manual_seed(plan.seed)
    checkpoint = read_checkpoint(files.published)
    pieces = used_pieces(checkpoint.pieces, chain((one.text for one in sentences), spoken))
    model = begin_from(checkpoint, pieces, _LAYERS, CLASSES)
    _log.info("%d pieces, %d layers", len(pieces), _LAYERS)
    tune(model, _rows(sentences, pieces), label_loss, plan)
    export_pieces(model, files.shared / "pieces.npz")
    export_lower(model, files.shared / "lower.onnx")
    export_upper(model, files.own / "upper.onnx")


def tune_upper(files: EncoderFiles, sentences: Sequence[Sentence], tuned: Path, plan: Plan) -> None:
    """Tune the upper layers of a tuned encoder further, which nobody else reads with, write them.

    Args:
        files: Where to.
        sentences: What is learnt.
        tuned: Checkpoint of ``train_encoder``.
        plan: How long and from where.
    """
    pieces = PieceTable(files.shared / "pieces.npz").pieces
    model = TextEncoderModel(pieces, _LAYERS, CLASSES)
    model.load_state_dict(torch.load(tuned, weights_only=True)["model"])
    model.keep_shared()
    tune(model, _rows(sentences, pieces), label_loss, plan)
    export_upper(model, files.own / "upper.onnx")


def _rows(sentences: Sequence[Sentence], pieces: Sequence[str]) -> list[Labelled]:
    splitter = Splitter(pieces)
    return [Labelled(framed(splitter, split_words(one.text)), one.kind) for one in sentences]
