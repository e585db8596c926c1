"""Make the weights: ``python -m rt_avatar.engines.training.voice_emotion --data FOLDER``.

``FOLDER`` holds ``speech/ravdess`` and the readers ``speech/{cathy,lj,libri}``. Frames are kept in
the folder ``--work``, from which a stopped run goes on.
"""

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np

from rt_avatar.engines.training.voice_emotion.folds import (
    LEARNT,
    Corpus,
    Mask,
    corpus_of,
    cross_validate,
    learn,
)
from rt_avatar.engines.training.voice_emotion.recordings import (
    HELD_OUT_READERS,
    make_rows,
    read_recordings,
)
from rt_avatar.engines.training.voice_emotion.report import (
    calibrated_by_others,
    find_calibration,
    judge_readers,
    write_card,
)
from rt_avatar.engines.voice_emotion.kernel import KNOWN, UNKNOWN, load_weights

_log = logging.getLogger("voice_emotion")


def main() -> None:
    """Make functionals, judge by folds, learn from all, write the weights and their card."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.voice_emotion")
    parser.add_argument("--data", type=Path, required=True, help="folder with speech/")
    parser.add_argument("--by-text", action="store_true", help="also leave a sentence out")
    parser.add_argument("--work", type=Path, default=Path("build/voice_emotion"))
    parser.add_argument("-o", "--out", type=Path, default=Path("engines/voice_emotion"))
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    recordings = read_recordings(options.data)
    whole = corpus_of(recordings, make_rows(recordings, options.work / "frames"))
    is_other = np.isin(whole.speakers, sorted(HELD_OUT_READERS))
    corpus, readers = _part(whole, ~is_other), _part(whole, is_other)
    labels = corpus.labels[corpus.acted]
    said, disguised = cross_validate(corpus, (0, LEARNT))
    kinds = {"actors never heard": said, "in a disguise that nobody had": disguised}
    if options.by_text:
        (kinds["with sentences never heard"],) = cross_validate(corpus, by_text=True)
    learnt = learn(corpus, np.ones(len(corpus.labels), bool))
    arrays = learnt.unknown.arrays() | learnt.known.arrays() | {"trust": learnt.trust}
    for kind, one in zip((UNKNOWN, KNOWN), said, strict=True):
        arrays[f"{kind}_calibration"] = find_calibration(one[corpus.acted], labels)
    path = options.out / "weights.npz"
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    weights = load_weights(path)
    figures = {
        "own neutral unknown": judge_readers(weights, readers, knows_neutral=False),
        "own neutral known": judge_readers(weights, readers, knows_neutral=True),
        "known, then 10 dB quieter": judge_readers(
            weights, readers, knows_neutral=True, quieter=True
        ),
    }
    command = "python -m rt_avatar.engines.training.voice_emotion --data FOLDER"
    command += " --by-text" if options.by_text else ""
    card = options.out / "MODEL_CARD.md"
    judged = {
        name: np.stack([calibrated_by_others(corpus, one) for one in both])
        for name, both in kinds.items()
    }
    text = write_card(card, command, corpus, judged, figures, path.stat().st_size)
    _log.info("%s: %d bytes\n%s", path, path.stat().st_size, text)


def _part(corpus: Corpus, chosen: Mask) -> Corpus:
    """Return some recordings of a corpus."""
    return replace(
        corpus,
        rows=corpus.rows[chosen], labels=corpus.labels[chosen], speakers=corpus.speakers[chosen],
        texts=corpus.texts[chosen], acted=corpus.acted[chosen],
    )  # fmt: skip


if __name__ == "__main__":
    main()
