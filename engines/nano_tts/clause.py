"""One clause: words and a delivery → durations, pitch and mel of all its frames, then its sound.

All of it but the sound is made at once, in some tens of milliseconds; the sound comes in chunks.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.g2p.phones import PHONES, VOICELESS
from rt_avatar.engines.nano_tts.contour import (
    DURATION_MEAN,
    DURATION_SPREAD,
    Counts,
    Floats,
    contour,
    frame_numbers,
    octaves_of,
    token_of_frames,
)
from rt_avatar.engines.nano_tts.ipa import ipa_of
from rt_avatar.engines.nano_tts.model import NanoModel, SpeakerCode
from rt_avatar.engines.nano_tts.tokens import PAUSE, SpokenWord, Tokens, make_tokens
from rt_avatar.engines.styletts2.pulses import PulseSpectra
from rt_avatar.engines.styletts2.vocoder_stream import VocoderStream
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, Phoneme, Word

_HOP: Final = 300
_EDGE_FRAMES: Final = 4  # silence at both ends, 50 ms, in which the voice fades
_UNHEARD_FRAMES: Final = 3  # of the first ones: they would only be heard as delay
_PAUSE_FRAMES: Final = (6, 40)  # within a clause
_LONGEST_FRAMES: Final = 48  # of a phone, 0.6 s
_TEMPERATURE: Final = 0.4
# Of ln F0 about its contour, which no network draws: noise through this filter over frames, so that
# F0 bends from frame to frame (white, 0.010) and over 25 to 60 ms (0.038 before it is smoothed) as
# in the readers' recordings.
_TREMBLE: Final = np.array([0.0024, 0.0096, 0.0245, 0.0096, 0.0024])
# Of F0. Lower, a person's voice creaks; what is planned lower is held there, or at ``_DEPTH`` below
# the speaker's middle where that is lower still.
_LN_HZ_LIMITS: Final = (np.log(68.0), np.log(520.0))
_DEPTH: Final = 0.35
RATE_MAX: Final = 1.7
# Speakers have a floor to their pitch and none so near above. Below the middle of a clause a range
# widens to here, lest men creak; above it by what is left out below, too.
PITCH_RANGE_MAX: Final = 2.6
_RANGE_BELOW_MAX: Final = 2.0
_REFERENCE_HZ: Final = 200.0
CHUNK_FRAMES: Final = 16
_VOICED: Final = np.array([False, *(phone not in VOICELESS for phone in PHONES)])  # by symbol


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a clause is said, as factors against the speaker.

    Attributes:
        rate: Speaking rate.
        pitch: Mean pitch.
        pitch_range: Range of intonation.
        formant: The sound is played this much faster; rate and pitch are as heard.
        temperature: How much of people's variation is drawn.
        breath_db: Noise in what is voiced.
        jitter: F0's trembling.
        voiced: Change of the share of sounding frames with F0, 0 or less; the weakest lose it.
    """

    rate: float = 1.0
    pitch: float = 1.0
    pitch_range: float = 1.0
    formant: float = 1.0
    temperature: float = _TEMPERATURE
    breath_db: float = 0.0
    jitter: float = 1.0
    voiced: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A clause before its mel: how long, how high and how loud each of its N tokens is, T frames.

    Attributes:
        tokens: N of them.
        encoded: (N, C) of the encoder.
        frames: (N,) of each token.
        token: (T,) the token of each frame.
        numbers: (T, FRAME_NUMBERS) what the decoder reads beside it.
        hz: (T,) F0 where there is voice, as it trembles.
    """

    tokens: Tokens
    encoded: Floats
    frames: Counts
    token: Counts
    numbers: Floats
    hz: Floats

    @property
    def sounding(self) -> NDArray[np.bool_]:
        """Frames that are no pause, (T,)."""
        sounding: NDArray[np.bool_] = (self.tokens.symbol != PAUSE)[self.token]
        return sounding


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A clause before its sound.

    Attributes:
        mel: (T, 80).
        pitch: (T,) F0 in Hz, 0 without voice.
        frames: (N,) of each token.
        tokens: N of them.
        formant: As in ``Delivery``.
        breath_db: As in ``Delivery``.
        speaker: Who speaks.
    """

    mel: Floats
    pitch: Floats
    frames: Counts
    tokens: Tokens
    formant: float
    breath_db: float
    speaker: SpeakerCode

    @property
    def samples(self) -> int:
        """Length of its sound at 24 kHz."""
        return round(len(self.mel) * _HOP / self.formant)


def clause_tokens(words: Sequence[SpokenWord]) -> Tokens:
    """Return the tokens of a clause (at least one phone), in silence at both ends."""
    return make_tokens([*words[:-1], SpokenWord(words[-1].phones, words[-1].mark, pause=True)])


def lay_out(
    model: NanoModel,
    words: Sequence[SpokenWord],
    speaker: SpeakerCode,
    delivery: Delivery,
    encode: Callable[[Tokens, SpeakerCode], Floats] | None = None,
) -> Layout:
    """Return durations and pitch of words; as ``plan_clause``."""
    tokens = clause_tokens(words)
    encoded = (encode or model.encode)(tokens, speaker)
    seed = zlib.crc32(tokens.symbol.tobytes())
    prosody = model.draw(encoded, speaker, delivery.temperature, seed)
    frames = _durations(prosody[:, 0], tokens, delivery.rate / delivery.formant)
    sounding = tokens.symbol != PAUSE
    points = _points(prosody[:, 1:4], frames * _VOICED[tokens.symbol], speaker, delivery)
    points = _over_pauses(points, sounding)
    ln_hz = contour(points.astype(np.float32), frames)
    energy = np.where(sounding, prosody[:, 4], 0.0).astype(np.float32)
    numbers = frame_numbers(frames, octaves_of(ln_hz), energy)
    dice = np.random.default_rng((seed, 1))
    noise = dice.standard_normal(len(ln_hz) + len(_TREMBLE) - 1)
    trembling = ln_hz + delivery.jitter * np.convolve(noise, _TREMBLE, mode="valid")
    hz = np.exp(trembling).astype(np.float32)
    return Layout(tokens, encoded[0], frames, token_of_frames(frames), numbers, hz)


def plan_clause(
    model: NanoModel,
    words: Sequence[SpokenWord],
    speaker: SpeakerCode,
    delivery: Delivery,
    encode: Callable[[Tokens, SpeakerCode], Floats] | None = None,
) -> Clause:
    """Return durations, pitch and mel of words (at least one phone).

    Args:
        model: The voice.
        words: Of the clause.
        speaker: Who speaks.
        delivery: How.
        encode: In the place of the model's own, from whoever knows more than the words.
    """
    laid = lay_out(model, words, speaker, delivery, encode)
    mel, logit = model.decode(laid.encoded[laid.token], laid.numbers, speaker)
    voiced = _voiced(logit, laid.sounding, delivery.voiced)
    pitch = np.where(voiced, laid.hz, np.float32(0.0))
    # The networks have learnt from clauses that begin in silence; nobody needs to hear it.
    laid.frames[0] -= _UNHEARD_FRAMES
    mel, pitch = mel[_UNHEARD_FRAMES:], pitch[_UNHEARD_FRAMES:]
    return Clause(
        mel, pitch, laid.frames, laid.tokens, delivery.formant, delivery.breath_db, speaker
    )


def speak(model: NanoModel, clause: Clause, chunk: int = CHUNK_FRAMES) -> Iterator[Pcm]:
    """Yield the sound in pieces; their sum does not depend on ``chunk`` frames a step.

    The first step takes as many frames as the generator lags behind, so that it gives sound.
    """
    source = _source(clause, model.vocoder.fft)
    stream = VocoderStream(model.step, model.vocoder, clause.speaker.timbre, source)
    x = _generator_input(clause)
    faster = (
        None
        if clause.formant == 1.0
        else soxr.ResampleStream(SPEECH_RATE_HZ * clause.formant, SPEECH_RATE_HZ, 1, "float32")
    )
    left = clause.samples
    start, size = 0, model.vocoder.lag_frames + 2 + chunk
    while start < x.shape[2]:
        piece = stream.push(x[:, :, start : start + size])
        start, size = start + size, chunk
        piece = piece if faster is None else faster.resample_chunk(piece)
        left -= len(piece)
        yield piece
    rest = stream.flush()
    rest = rest if faster is None else faster.resample_chunk(rest, last=True)
    yield np.pad(rest, (0, max(0, left - len(rest))))[: max(0, left)]


def place_phonemes(clause: Clause) -> tuple[Phoneme, ...]:
    """Return sounds and pauses without gaps, in samples from the clause's start."""
    edges = _edges(clause)
    sounds = [ipa_of(int(symbol)) for symbol in clause.tokens.symbol]
    return tuple(
        Phoneme(ipa, int(start), int(end), stress)
        for (ipa, stress), start, end in zip(sounds, edges[:-1], edges[1:], strict=True)
    )


def place_words(clause: Clause, written: Sequence[str]) -> tuple[Word, ...]:
    """Return the written words with the times of their sounds.

    Args:
        clause: Whose words they are.
        written: A text for each word that is said; "" belongs to the one before it.
    """
    edges = _edges(clause)
    words: list[Word] = []
    for index, text in enumerate(written):
        own = np.flatnonzero(clause.tokens.word == index)
        if len(own) == 0:
            continue
        start, end = int(edges[own[0]]), int(edges[own[-1] + 1])
        if text or not words:
            words.append(Word(text, start, end))
        else:
            words[-1] = Word(words[-1].text, words[-1].start, end)
    return tuple(words)


def _edges(clause: Clause) -> NDArray[np.int64]:
    """Return the samples at which tokens begin, and the last one's end, (N + 1,)."""
    frames = np.concatenate([[0], np.cumsum(clause.frames)])
    return np.round(frames * _HOP / clause.formant).astype(np.int64)


def _durations(normalised: Floats, tokens: Tokens, rate: float) -> Counts:
    exact = np.exp(normalised * DURATION_SPREAD + DURATION_MEAN) / rate
    pause = tokens.symbol == PAUSE
    exact = np.where(pause, np.clip(exact, *_PAUSE_FRAMES), np.clip(exact, 1.5, _LONGEST_FRAMES))
    exact[0] = exact[-1] = _EDGE_FRAMES
    # Ends are rounded, not lengths, so that errors do not add up.
    ends = np.round(np.cumsum(exact)).astype(np.int64)
    return np.maximum(np.diff(ends, prepend=0), 1)


def _points(
    drawn: Floats, heard: Counts, speaker: SpeakerCode, delivery: Delivery
) -> NDArray[np.float64]:
    """Return ln F0 of all tokens' points (N, 3), of what was drawn, normalised.

    The range widens about the middle of what is heard, (N,) frames of each token: so it moves no
    clause up or down. Where nothing has a voice, about the speaker's mean.
    """
    middle = float(np.median(np.repeat(drawn, heard, axis=0))) if heard.any() else 0.0
    away = drawn - middle
    below = min(delivery.pitch_range, _RANGE_BELOW_MAX)
    above = 2 * delivery.pitch_range - below
    own = middle + np.where(away < 0, below, above) * away
    middle_ln_hz = speaker.pitch + np.log(delivery.pitch / delivery.formant)
    lowest, highest = _LN_HZ_LIMITS
    lowest = min(lowest, middle_ln_hz - _DEPTH)
    points: NDArray[np.float64] = np.clip(middle_ln_hz + speaker.spread * own, lowest, highest)
    return points


def _voiced(logit: Floats, sounding: NDArray[np.bool_], change: float) -> NDArray[np.bool_]:
    """Return which frames (T,) have a voice, of logits, without those that lose it."""
    voiced = (logit > 0) & sounding
    lost = min(round(-change * int(sounding.sum())), int(voiced.sum()) - 1)
    if lost > 0:
        voiced &= logit > np.sort(logit[voiced])[lost - 1]
    return voiced


def _over_pauses(points: NDArray[np.float64], sounding: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the points with those of pauses put between their neighbours'."""
    at = np.arange(points.size)
    known = np.repeat(sounding, points.shape[1])
    return np.interp(at, at[known], points.reshape(-1)[known]).reshape(points.shape)


def _source(clause: Clause, fft: int) -> Callable[[int, int], Floats]:
    """Return the generator's source; in voiced frames its noise is as strong as the breath."""
    spectra = PulseSpectra(clause.pitch, fft)
    gain = np.where(clause.pitch > 0, 10 ** (clause.breath_db / 20), 1.0).astype(np.float32)

    def breathed(first: int, last: int) -> Floats:
        frames = spectra(first, last)
        frames[:, :, frames.shape[2] // 2 :] *= gain[first:last, None]
        return frames

    return breathed


def _generator_input(clause: Clause) -> Floats:
    voiced = clause.pitch > 0
    octaves = np.where(voiced, np.log2(np.maximum(clause.pitch, 1.0) / _REFERENCE_HZ), 0.0)
    columns = [clause.mel, octaves[:, None], voiced[:, None]]
    return np.ascontiguousarray(np.concatenate(columns, axis=1).T[None], np.float32)
