"""The letter-to-sound network: the letters of a word → its phones, in numpy.

Every letter has three slots, and every slot says one phone or nothing: all at once, no decoder
that goes from phone to phone (connectionist temporal classification). Three blocks, each of
a convolution over seven letters, self-attention with a bias by distance, and two dense layers;
after the second the phones that were found so far are told to the last (self-conditioning).

Sources: A. Graves et al., "Connectionist temporal classification", ICML 2006; J. Nozaki,
T. Komatsu, "Relaxing the conditional independence assumption of CTC-based ASR by conditioning on
intermediate predictions", Interspeech 2021.
"""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.g2p.phones import PHONES, Phones, is_vowel, stress_of, with_stress
from rt_avatar.engines.weights_file import find_wrong, read_arrays

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz'"
MAX_LETTERS: Final = 40  # the longest word of the dictionary has 34
SLOTS: Final = 3  # a letter; "x" is two phones, and a slot must part two that are alike
OUTPUTS: Final = len(PHONES) + 1  # the last is "nothing"
BLANK: Final = len(PHONES)
SIZE: Final = 128
HEADS: Final = 4
HIDDEN: Final = 4 * SIZE
TAPS: Final = 7
DISTANCE: Final = 12  # letters further apart are as far as this
BLOCKS: Final = 3
CONDITIONED: Final = 2  # blocks before the intermediate answer
_EPSILON: Final = 1e-5


def _block_shapes(index: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "conv": (TAPS, SIZE),
        "attention": (SIZE, 3 * SIZE),
        "attention_out": (SIZE, SIZE),
        "distance": (HEADS, 2 * DISTANCE + 1),
        "dense": (SIZE, HIDDEN),
        "dense_bias": (HIDDEN,),
        "dense_out": (HIDDEN, SIZE),
        "dense_out_bias": (SIZE,),
    }
    for norm in ("conv", "attention", "dense"):
        shapes[f"{norm}_gain"] = shapes[f"{norm}_shift"] = (SIZE,)
    return {f"{index}.{name}": shape for name, shape in shapes.items()}


# Names and shapes of the weights: rows are what comes in, columns what goes out.
WEIGHTS: Final[dict[str, tuple[int, ...]]] = {
    "letters": (len(LETTERS) + 1, SIZE),  # the last stands before and behind a word
    **{name: shape for index in range(BLOCKS) for name, shape in _block_shapes(index).items()},
    "gain": (SIZE,),
    "shift": (SIZE,),
    "answer": (SIZE, SLOTS * OUTPUTS),
    "answer_bias": (SLOTS * OUTPUTS,),
    "told": (SLOTS * OUTPUTS, SIZE),
}
_SCALE: Final = ".scale"
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.g2p --dictionary FILE"
Floats = NDArray[np.float32]


class LetterToSound:
    """The weights, shared by all. Thread-safe: nothing changes after loading."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        """Take the weights of ``load_weights``."""
        self._weights = weights

    def pronounce(self, word: str) -> Phones:
        """Return the phones of a word; letters that are not of ``LETTERS`` do not count.

        It never fails: a word has a primary stress where it has a vowel, and no phones where
        there is nothing to pronounce. Of a longer word the first ``MAX_LETTERS`` are read.
        """
        letters = [LETTERS.index(letter) for letter in word.lower() if letter in LETTERS]
        if not letters:
            return ()
        return decode(self.scores(letters[:MAX_LETTERS]))

    def scores(self, letters: list[int]) -> Floats:
        """Return (letters * SLOTS, OUTPUTS) scores; the softmax of a row are probabilities."""
        w = self._weights
        edge = len(LETTERS)
        x = w["letters"][[edge, *letters, edge]]  # (T, SIZE)
        for index in range(BLOCKS):
            if index == CONDITIONED:
                x = x + _softmax(self._answer(x)).reshape(len(x), -1) @ w["told"]
            x = self._block(x, index)
        return self._answer(x)[1:-1].reshape(-1, OUTPUTS)

    def _answer(self, x: Floats) -> Floats:
        w = self._weights
        answers = _normalise(x, w["gain"], w["shift"]) @ w["answer"] + w["answer_bias"]
        return answers.reshape(len(x), SLOTS, OUTPUTS)

    def _block(self, x: Floats, index: int) -> Floats:
        def w(name: str) -> Floats:
            return self._weights[f"{index}.{name}"]

        length = len(x)
        taps = np.pad(
            _normalise(x, w("conv_gain"), w("conv_shift")), ((TAPS // 2, TAPS // 2), (0, 0))
        )
        windows = np.lib.stride_tricks.sliding_window_view(taps, TAPS, axis=0)  # (T, SIZE, TAPS)
        conv: Floats = np.einsum("tck,kc->tc", windows, w("conv"))
        x = x + conv
        normal = _normalise(x, w("attention_gain"), w("attention_shift"))
        mixed = (normal @ w("attention")).reshape(length, 3, HEADS, -1).transpose(1, 2, 0, 3)
        query, key, value = mixed  # (HEADS, T, SIZE / HEADS)
        apart = np.subtract.outer(np.arange(length), np.arange(length))
        bias = w("distance")[:, np.clip(apart, -DISTANCE, DISTANCE) + DISTANCE]
        scores = query @ key.transpose(0, 2, 1) * np.float32((SIZE // HEADS) ** -0.5) + bias
        heads: Floats = (_softmax(scores) @ value).transpose(1, 0, 2).reshape(length, SIZE)
        x = x + heads @ w("attention_out")
        normal = _normalise(x, w("dense_gain"), w("dense_shift"))
        hidden = np.maximum(normal @ w("dense") + w("dense_bias"), 0)
        output: Floats = x + hidden @ w("dense_out") + w("dense_out_bias")
        return output


def decode(scores: Floats) -> Phones:
    """Return the phones of the best path; exactly one vowel bears the primary stress.

    Args:
        scores: (slots, OUTPUTS).
    """
    best = scores.argmax(axis=1)
    changes = np.flatnonzero(np.diff(best, prepend=-1))
    chosen = [(int(best[at]), float(scores[at, best[at]])) for at in changes if best[at] != BLANK]
    phones = [PHONES[index] for index, _ in chosen]
    vowels = [at for at, phone in enumerate(phones) if is_vowel(phone)]
    stressed = [at for at in vowels if stress_of(phones[at]) == 1]
    if not stressed and vowels:
        # The one of secondary stress, else the first: English words are stressed in front.
        second = [at for at in vowels if stress_of(phones[at]) == 2]
        stressed = (second or vowels)[:1]
        phones[stressed[0]] = with_stress(phones[stressed[0]], 1)
    surest = max(stressed, key=lambda at: chosen[at][1], default=-1)
    for at in stressed:
        if at != surest:
            phones[at] = with_stress(phones[at], 2)
    return tuple(phones)


def load_network() -> LetterToSound:
    """Return the network that comes with the package."""
    return LetterToSound(load_weights(resources.files("rt_avatar.engines.g2p") / "weights.npz"))


def load_weights(path: Path | Traversable) -> dict[str, Floats]:
    """Return the weights in a file, as float32: matrices are stored in 8 bits with scales.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold the weights of this network.
    """
    found = read_arrays(path, "letters to sounds", _MAKE)
    scales = {
        name.removesuffix(_SCALE): found.pop(name) for name in [*found] if name.endswith(_SCALE)
    }
    wrong = find_wrong(found, {name: (np.number, shape) for name, shape in WEIGHTS.items()})
    if wrong:
        raise ValueError(f"letters to sounds: expected weights in {path}; got {wrong}. {_MAKE}")
    return {
        name: array.astype(np.float32) * scales.get(name, np.float32(1))
        for name, array in found.items()
    }


def save_weights(path: Path, weights: dict[str, Floats]) -> None:
    """Write the file that ``load_weights`` reads: matrices in 8 bits, a scale a column."""
    stored: dict[str, NDArray[np.generic]] = {}
    for name, shape in WEIGHTS.items():
        array = weights[name]
        if len(shape) == 2 and min(shape) >= SIZE:
            scale = np.maximum(np.abs(array).max(axis=0), 1e-12) / 127
            stored[name] = np.round(array / scale).astype(np.int8)
            stored[name + _SCALE] = scale.astype(np.float32)
        else:
            stored[name] = array.astype(np.float16)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **stored)


def _normalise(x: Floats, gain: Floats, shift: Floats) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    normed: Floats = centred / deviation * gain + shift
    return normed


def _softmax(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares
