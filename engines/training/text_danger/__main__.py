"""Make the networks: ``python -m rt_avatar.engines.training.text_danger --data FOLDER``.

The sentences they learn from lie beside this file, and clauses of which turns of everyday life are
composed. ``FOLDER`` holds ``text/self_dialogue.jsonl.gz``: real talk in which nobody is in danger.
The encoder begins from a published one, ``--encoder`` (all-MiniLM-L6-v2). Where
``empathetic_dialogues/valid.jsonl.gz`` is there too, false alarms in it are told; nothing is learnt
from it.
"""

import argparse
import gzip
import json
import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rt_avatar.engines.reply_selector.bank import load_general
from rt_avatar.engines.text_danger.classifier import DANGERS, HEARD, TextDangerClassifier
from rt_avatar.engines.text_danger.features import split_words
from rt_avatar.engines.text_encoder import TextEncoder
from rt_avatar.engines.training.reply_selector.calls import CALLS
from rt_avatar.engines.training.text_danger.encoder_part import (
    EncoderFiles,
    train_encoder,
    tune_upper,
)
from rt_avatar.engines.training.text_danger.everyday import compose_everyday, read_clauses
from rt_avatar.engines.training.text_danger.linear_part import train_linear_part
from rt_avatar.engines.training.text_danger.sentences import NONE, Sentence, read_sentences
from rt_avatar.engines.training.text_encoder.tuning import Plan

_log = logging.getLogger("text_danger")
_HERE: Final = Path(__file__).parent
_EVERYDAY: Final = 14_000  # turns that are composed
_KEPT_OUT: Final = 30_000  # turns of real talk to measure on
# The encoder, which takes longer, learns fewer of the turns that are composed, and of real talk.
_READ_EVERYDAY, _READ_TALK = 8_000, 12_000
_LAST_RATE: Final = 6e-5  # of the epoch in which its upper layers learn the turns of calls, too


def main() -> None:
    """Train both parts, write their files, measure."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.text_danger")
    parser.add_argument("--data", type=Path, required=True, help="with text/")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--epochs", type=int, default=3, help="of the encoder")
    parser.add_argument("--checkpoint", type=Path, default=Path("build/text_danger.pt"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", type=Path, help="sentences that are only measured on")
    parser.add_argument("-o", "--output", type=Path, default=Path("engines"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    own, shared = options.output / "text_danger", options.output / "text_encoder"
    for folder in (own, shared, options.checkpoint.parent):
        folder.mkdir(parents=True, exist_ok=True)
    written = read_sentences(_HERE / "sentences.tsv")
    everyday = _everyday(options.seed)
    talk = list(_real_talk(options.data / "text" / "self_dialogue.jsonl.gz"))
    random.Random(options.seed).shuffle(talk)
    kept_out, talk = talk[:_KEPT_OUT], talk[_KEPT_OUT:]
    calls = list(_calls())
    train_linear_part([*written, *everyday, *calls], talk, own / "weights.npz")
    files = EncoderFiles(options.encoder, shared, own)
    learnt = [*written, *everyday[:_READ_EVERYDAY], *talk[:_READ_TALK]]
    plan = Plan(options.checkpoint, options.seed, options.epochs)
    train_encoder(files, learnt, [one.text for one in talk], plan)
    last = Plan(options.checkpoint.with_suffix(".upper.pt"), options.seed, 1, rate=_LAST_RATE)
    tune_upper(files, [*learnt, *calls], options.checkpoint, last)
    for path in (*own.glob("*.*"), *shared.glob("*.*")):
        if path.suffix in (".npz", ".onnx"):
            _log.info("%s: %d bytes", path, path.stat().st_size)
    classifier = TextDangerClassifier(own, TextEncoder(shared))
    _measure(classifier, options.held_out, kept_out, options.data)


def _everyday(seed: int) -> list[Sentence]:
    """Return composed turns of everyday life, each once."""
    turns = compose_everyday(read_clauses(_HERE / "everyday.txt"), _EVERYDAY, seed)
    return [Sentence(split_words(text), NONE, text) for text in dict.fromkeys(turns)]


def _calls() -> Iterator[Sentence]:
    """Yield what callers say in labelled calls, where a general reply fits: nobody is in danger.

    But where it is one to harm.
    """
    to_harm = {one.text for one in load_general() if one.when == "harm"}
    with gzip.open(CALLS, "rt", encoding="utf-8") as lines:
        for line in lines:
            for turn in json.loads(line)["turns"]:
                fitting, words = turn["general"], split_words(turn["caller"])
                if fitting and to_harm.isdisjoint(fitting) and words:
                    yield Sentence(words, NONE, turn["caller"])


def _real_talk(path: Path) -> Iterator[Sentence]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for text in json.loads(line)["turns"]:
                if words := split_words(text):
                    yield Sentence(words, NONE, text)


def _measure(
    classifier: TextDangerClassifier, held_out: Path | None, talk: Sequence[Sentence], data: Path
) -> None:
    """Log what the files as they ship hear."""

    def heard(texts: Sequence[str]) -> float:
        found = [classifier.classify(text).probability >= HEARD for text in texts]
        return 100 * sum(found) / max(len(found), 1)

    told = "%s: %.2f %% of %d"
    _log.info(told, "real talk, nobody in danger", heard([one.text for one in talk]), len(talk))
    stories = data / "empathetic_dialogues" / "valid.jsonl.gz"
    if stories.exists():
        with gzip.open(stories, "rt", encoding="utf-8") as lines:
            said = [
                turn["text"]
                for line in lines
                for turn in json.loads(line)["turns"]
                if turn["role"] == "speaker"
            ]
        _log.info(told, "stories of strong feelings", heard(said), len(said))
    if held_out is not None:
        sentences = read_sentences(held_out)
        for at, kind in enumerate((*DANGERS, "none")):
            texts = [one.text for one in sentences if one.kind == at]
            _log.info(told, f"held out, {kind}", heard(texts), len(texts))


if __name__ == "__main__":
    main()
