"""How much the sound counts beside the words: recordings of other readers → three numbers.

The words are a recogniser's, as in a call.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.end_of_turn.features import WINDOW_S, WINDOW_SAMPLES
from rt_avatar.engines.end_of_turn.network import NetworkStream
from rt_avatar.engines.end_of_turn.ngrams import EndOfTurnNgrams
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.sphinx import SphinxEngine
from rt_avatar.engines.training.end_of_turn.examples import example_of, read_sound
from rt_avatar.engines.training.end_of_turn.sounds import TurnSound, turn_sound
from rt_avatar.engines.training.end_of_turn.train import targets
from rt_avatar.engines.training.voice.corpora import Recording
from rt_avatar.engines.types import INPUT_RATE_HZ

_log = logging.getLogger(__name__)
_HEARD_S: Final = 0.14  # of a pause that a recogniser still hears in a call
# Set, not found: readers whose recordings end within sentences would have it below zero, and say
# nothing about callers. An open word (logit -6, trusted by .65) divides the odds by 2.6.
OF_WORDS: Final = 0.25
_STEPS: Final = 20  # of Newton's method
_RIDGE: Final = 1e-3
_REPORT: Final = 3
Floats = NDArray[np.float64]


def combine(
    recordings: Sequence[Recording], weights: dict[str, NDArray[np.float32]], words: EndOfTurnNgrams
) -> NDArray[np.float32]:
    """Return (3,): offset, weight of the network's logit, weight of the n-grams' logit.

    Args:
        recordings: Of readers that the network has not learnt from.
        weights: The network's.
        words: The n-grams.
    """
    vad, recogniser = SileroEngine(), SphinxEngine()
    rows, asked, counts = [], [], []
    try:
        for number, recording in enumerate(recordings, 1):
            turn = turn_sound(read_sound(recording.path), vad)
            example = example_of(turn, vad)
            network = NetworkStream(weights)
            sound = [network.push(row.astype(np.float32)) for row in example.rows]
            said = np.zeros(len(sound))
            for (begin, end), logit in zip(
                turn.silences, _read(turn, recogniser, words), strict=True
            ):
                said[int(begin / WINDOW_S) : int(end / WINDOW_S) + 1] = logit
            over, weight = targets(example)
            silent = weight > 0
            rows.append(np.stack([np.ones(len(sound)), sound, said], axis=1)[silent])
            asked.append(over[silent])
            counts.append(weight[silent])
            if number % _REPORT == 0:
                _log.info("words of %d of %d recordings", number, len(recordings))
    finally:
        recogniser.close()
    known = np.concatenate(rows)
    fitted = logistic_regression(
        known[:, :2], np.concatenate(asked), np.concatenate(counts), OF_WORDS * known[:, 2]
    )
    return np.array([*fitted, OF_WORDS], np.float32)


def _read(turn: TurnSound, recogniser: SphinxEngine, words: EndOfTurnNgrams) -> Iterator[float]:
    """Yield, at each silence, what the n-grams say of the words until then, as far as trusted."""
    stream = recogniser.open()
    given, text, confidence = 0, "", 0.0
    for begin, _ in turn.silences:
        until = int((begin + _HEARD_S) * INPUT_RATE_HZ)
        for first in range(given, until, WINDOW_SAMPLES):
            for heard in stream.push(turn.pcm[first : min(until, first + WINDOW_SAMPLES)]):
                text, confidence = heard.text, heard.confidence
        given = until
        yield confidence * (words.logit(text) or 0.0)
    stream.close()


def logistic_regression(rows: Floats, asked: Floats, counts: Floats, known: Floats) -> Floats:
    """Return the coefficients (C,) by Newton's method.

    Args:
        rows: (N, C).
        asked: (N,) 0 or 1.
        counts: (N,) how much each row counts.
        known: (N,) what is added to the logit in any case.
    """
    found = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = 0.5 + 0.5 * np.tanh(0.5 * (rows @ found + known))
        slope = rows.T @ (counts * (asked - likely)) - _RIDGE * found
        curve = (rows * (counts * likely * (1 - likely))[:, None]).T @ rows
        found += np.linalg.solve(curve + _RIDGE * np.eye(len(found)), slope)
    return found
