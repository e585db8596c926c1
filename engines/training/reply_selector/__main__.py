"""Make the network: ``python -m rt_avatar.engines.training.reply_selector``.

Its lower layers are those of the encoder that was tuned to hear danger (the checkpoint of
``engines.training.text_danger``) and stay as they are; its upper ones begin from the published
encoder. Calls of ``--kept-out`` writers are only measured on.
"""

import argparse
import logging
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor

from rt_avatar.engines.reply_selector.bank import GeneralReply, load_general
from rt_avatar.engines.reply_selector.selector import GRADES, outputs_of
from rt_avatar.engines.text_encoder import PieceTable
from rt_avatar.engines.training.reply_selector.calls import (
    CALLS,
    DIALOGUES,
    NOT_GRADED,
    LabelledTurn,
    joined,
    read_calls,
    read_dialogues,
)
from rt_avatar.engines.training.reply_selector.loss import Example, Loss
from rt_avatar.engines.training.text_encoder.export import export_upper
from rt_avatar.engines.training.text_encoder.model import (
    TextEncoderModel,
    begin_from,
    read_checkpoint,
)
from rt_avatar.engines.training.text_encoder.tuning import Plan, padded, tune

_log = logging.getLogger("reply_selector")
_LAYERS: Final = 6
_BATCH: Final = 64
_RATE: Final = 1.7e-4
_HEAD_RATE: Final = 10.0  # times that of the layers: it has many scores, and each is wanted seldom
_GIVEN_BACK: Final = 0.25  # of it, when all is learnt: it chooses better so, if less varied
_FIRST_EPOCHS: Final = 2  # in which it learns what readers chose, before what they graded
_HEARD: Final = 0.15  # from which harm is, in what is measured
_CANDIDATES: Final = 6  # of a turn that are learnt from, as what would be said


def main() -> None:
    """Tune the upper layers, write them, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.reply_selector")
    parser.add_argument("--calls", type=Path, default=CALLS)
    parser.add_argument("--dialogues", type=Path, default=DIALOGUES, help="labels of the corpus'")
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="FILE",
        required=True,
        help="EmpatheticDialogues' train.jsonl.gz, whose turns were labelled, too",
    )
    parser.add_argument("--kept-out", nargs="*", default=[], metavar="WRITER")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--tuned", type=Path, default=Path("build/text_danger.pt"))
    parser.add_argument("--checkpoint", type=Path, default=Path("build/reply_selector.pt"))
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--trainings", type=int, default=1, help="whose weights' mean is taken; each of a next seed"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("engines/reply_selector"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(options.seed)
    replies = load_general()
    bank = [one.text for one in replies]
    pieces = PieceTable()
    dialogues = read_dialogues(options.dialogues, options.corpus, bank)
    turns = joined(read_calls(options.calls, bank), dialogues)
    learning = [one for one in turns if one.writer not in options.kept_out]
    kept_out = [one for one in turns if one.writer in options.kept_out]
    model = begin(options.encoder, options.tuned, pieces.pieces, outputs_of(len(bank)))
    _log.info("%d turns, %d kept out", len(learning), len(kept_out))
    loss = Loss([one.wanted(len(bank)) for one in learning])

    def train(texts: Sequence[LabelledTurn], checkpoint: Path, seed: int, epochs: int) -> None:
        examples = [Example(one, pieces, replies) for one in texts]
        _log.info("seed %d: %d examples", seed, len(examples))
        tune(model, examples, loss, Plan(checkpoint, seed, epochs, _BATCH, _RATE, _HEAD_RATE))
        states.append({name: one.clone() for name, one in model.state_dict().items()})

    begun = {name: one.clone() for name, one in model.state_dict().items()}
    states: list[dict[str, Tensor]] = []
    for seed in range(options.seed, options.seed + options.trainings):
        model.load_state_dict(begun)
        checkpoint = options.checkpoint.with_suffix(f".{seed}.pt")
        fitting = with_fitting(learning, bank, seed)
        train(fitting, checkpoint.with_suffix(".first.pt"), seed, _FIRST_EPOCHS)
        train(with_candidates(learning, seed), checkpoint, seed, options.epochs)
    model.load_state_dict(mean_of(states))
    model.head.bias.data[: len(loss.usual)] += _GIVEN_BACK * loss.usual
    path = options.output / "upper.onnx"
    export_upper(model, path)
    _log.info("%s: %d bytes", path, path.stat().st_size)
    if kept_out:
        measured = with_candidates(kept_out, options.seed)
        _measure(model, [Example(one, pieces, replies) for one in measured], replies)


def with_candidates(turns: Sequence[LabelledTurn], seed: int) -> list[LabelledTurn]:
    """Return turns, once with each of some candidates; what nobody graded has another turn's reply.

    There the avatar says the reader's first choice: a network that reads it need not choose.
    """
    chance = random.Random(seed)
    graded = [one.reply for one in turns if one.grade != NOT_GRADED]
    found: list[LabelledTurn] = []
    for one in turns:
        if one.candidates:
            some = chance.sample(one.candidates, min(_CANDIDATES, len(one.candidates)))
            found += [replace(one, reply=text, grade=grade) for text, grade in some]
        elif one.grade == NOT_GRADED:
            found.append(replace(one, reply=chance.choice(graded)))
        else:
            found.append(one)
    return found


def with_fitting(
    turns: Sequence[LabelledTurn], bank: Sequence[str], seed: int
) -> list[LabelledTurn]:
    """Return turns that a reader chose for, and each with a reply that fits, and with any other.

    The grade alone is learnt of these: who sees the reply need not choose it. Harmless turns come
    without.
    """
    chance = random.Random(seed)
    bare = [replace(one, candidates=()) for one in turns]
    found = with_candidates(
        [one for one in bare if one.general is not None or one.is_harmless], seed
    )
    for one in [one for one in bare if one.general is not None]:
        fits = [bank[at] for at in one.general or ()]
        others = [text for text in bank if text not in fits]
        for texts, grade in ((fits, "F"), (others, "M")):
            if texts:
                text = chance.choice(texts)
                found.append(replace(one, reply=text, grade=GRADES.index(grade), general=None))
    return found


def begin(published: Path, tuned: Path, pieces: Sequence[str], outputs: int) -> TextEncoderModel:
    """Return the published encoder with pieces and lower layers of a tuned one, which stay.

    Raises:
        FileNotFoundError: There is no such folder or checkpoint.
    """
    if not tuned.is_file():
        raise FileNotFoundError(
            f"{tuned}: expected the tuned encoder's checkpoint, got none. Make it with: "
            "python -m rt_avatar.engines.training.text_danger --data FOLDER --encoder FOLDER"
        )
    model = begin_from(read_checkpoint(published), pieces, _LAYERS, outputs)
    stored = torch.load(tuned, weights_only=True)["model"]
    model.keep_shared()
    shared = [name for name, one in model.named_parameters() if not one.requires_grad]
    model.load_state_dict({name: stored[name] for name in shared}, strict=False)
    return model


def mean_of(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of weights that began from the same ones.

    Of several trainings it is better than each (M. Wortsman et al., "Model soups", arXiv
    2203.05482). What was graded are replies that nearly fit: learnt last, they make it forget which
    are far off, and the mean with what was chosen does not (the same, arXiv 2109.01903).
    """
    return {name: torch.stack([one[name] for one in states]).mean(0) for name in states[0]}


@torch.no_grad()  # type: ignore[untyped-decorator]
def _measure(
    model: TextEncoderModel, examples: Sequence[Example], bank: Sequence[GeneralReply]
) -> None:
    """Log how often the reply that is chosen is one of those that fit, and the grades' accuracy.

    And how often harm is told, and heard where none is.
    """
    scores = torch.cat([model(*padded([one.rows]))[0][None] for one in examples])
    replies = len(bank)
    is_harm = torch.tensor([False, *(one.when == "harm" for one in bank)])
    harm = scores[:, : replies + 1].softmax(1)[:, is_harm].sum(1).numpy()
    told = np.array([one.wanted is not None and one.wanted[is_harm].any() for one in examples])
    for name, are_so in (("harm", told), ("no harm", ~told)):
        if are_so.any():
            _log.info("%s: heard in %.1f %% of %d", name, 100 * (harm[are_so] >= _HEARD).mean(),
                      are_so.sum())  # fmt: skip
    scores = scores.numpy()
    best = scores[:, 1 : replies + 1].argmax(1)
    chosen = [
        at in one.turn.general for at, one in zip(best, examples, strict=True) if one.turn.general
    ]
    _log.info("the best fits in %.1f %% of %d turns", 100 * np.mean(chosen), len(chosen))
    is_graded = np.array([one.turn.grade != NOT_GRADED for one in examples])
    grades = np.array([one.turn.grade for one in examples])[is_graded]
    found = scores[is_graded, replies + 1 :].argmax(1)
    for at, name in enumerate(GRADES):
        is_so = grades == at
        if is_so.any():
            _log.info(
                "%s: %.1f %% of %d known", name, 100 * (found[is_so] == at).mean(), is_so.sum()
            )


if __name__ == "__main__":
    main()
