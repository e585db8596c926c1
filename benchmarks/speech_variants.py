"""The same sentences, harder to answer in time: pauses inside, hesitation, a falling voice, noise.

``plain``         as recorded
``pause-MS``      the longest pause of the recording made so long by the sound of its own room
``hesitation``    the vowel before that pause drawn out by 0.35 s (its own waveform, stretched),
                  then a pause of 0.35 s: "and I thought thaaat … it was over"
``trailing``      the voice sinks by 12 dB over its last 0.8 s
``pink-DB``, ``babble-DB``  noise of that signal-to-noise ratio, from a second before the voice to
                  three after it, so that it goes on while the caller waits

The true end of speech is known in each: it is where the plain voice ends, also when it sinks below
what the rule of 25 dB calls voice. Signal-to-noise ratios are of active levels (``sounds``).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rt_avatar.benchmarks.sounds import (
    Sound,
    active_level_db,
    at_level,
    babble,
    from_int16,
    pink,
    to_int16,
)
from rt_avatar.benchmarks.speech import WINDOW, Utterance, load_utterances, quiet_runs
from rt_avatar.engines.types import WIRE_RATE_HZ
from rt_avatar.errors import BadInputError

VARIANTS: Final = (
    "plain", "pause-300", "pause-450", "pause-600", "hesitation", "trailing", "pink-20", "pink-10",
    "babble-20", "babble-10",
)  # fmt: skip

_FORM: Final = re.compile(r"(plain|hesitation|trailing)|(pause|pink|babble)-(\d{1,4})")
MIN_PAUSE_S: Final = 0.08  # shorter silence is the closure of a stop consonant
EDGE_S: Final = 0.6  # a pause so near to an end leaves too little on one side to be a pause in it
DRAWN_S: Final = 0.35  # H. Clark, J. Fox Tree, "Using uh and um in spontaneous speaking" (2002): a
HESITATION_MS: Final = 350  # drawn-out word or "uh" lasts 0.3–0.5 s, often with a pause behind it
TRAILING_DB, TRAILING_S = 12.0, 0.8
LEAD_S, TAIL_S = 1.0, 3.0
_FADE: Final = WIRE_RATE_HZ // 200  # 5 ms: joins without a click


def in_variants(
    utterances: Sequence[Utterance], variants: Sequence[str], seed: int = 0
) -> dict[str, list[Utterance]]:
    """Make variants of utterances: variant → what could be made of them, in their order.

    An utterance without a pause has no variant with a longer one.

    Raises:
        BadInputError: A variant is unknown, or can be made of none of the utterances.
    """
    by_variant: dict[str, list[Utterance]] = {}
    has_crowd = any(variant.startswith("babble") for variant in variants)
    speakers = (*utterances, *load_utterances(None)) if has_crowd else ()
    crowd = [from_int16(one.pcm) for one in speakers]
    for variant in variants:
        found = (_vary(one, variant, crowd, seed) for one in utterances)
        by_variant[variant] = [one for one in found if one is not None]
        if not by_variant[variant]:
            raise BadInputError(
                f"variant {variant}: expected an utterance with a pause of "
                f"{MIN_PAUSE_S * 1000:.0f} ms to {variant} inside; got none in "
                f"{', '.join(one.name for one in utterances)}"
            )
    return by_variant


def _vary(one: Utterance, variant: str, crowd: list[Sound], seed: int) -> Utterance | None:
    match = _FORM.fullmatch(variant)
    if match is None:
        raise BadInputError(f"variant: expected one like {', '.join(VARIANTS)}; got {variant!r}")
    simple, kind, number = match.groups()
    rng = np.random.default_rng(seed)
    if simple == "plain":
        return one
    if simple == "trailing":
        return trailing(one)
    if simple == "hesitation":
        return hesitation(one, rng)
    if kind == "pause":
        return paused(one, int(number), rng)
    seconds = LEAD_S + one.end / WIRE_RATE_HZ + TAIL_S
    noise = pink(seed, seconds) if kind == "pink" else babble(crowd, seed, seconds)
    return noisy(one, noise, float(number), variant)


def natural_pause(one: Utterance, limit_s: float) -> tuple[int, int] | None:
    """Return the longest pause inside, of at most ``limit_s``: (begin, end) in samples; or None."""
    edge = int(EDGE_S * WIRE_RATE_HZ)
    runs = [
        (begin, end)
        for begin, end in quiet_runs(one.pcm)
        if edge < begin
        and end < len(one.pcm) - edge
        and MIN_PAUSE_S <= (end - begin) / WIRE_RATE_HZ <= limit_s
    ]
    return max(runs, key=lambda run: run[1] - run[0], default=None)


def paused(one: Utterance, pause_ms: int, rng: np.random.Generator) -> Utterance | None:
    """Make its longest pause that long; None if it has none to lengthen."""
    pause = natural_pause(one, pause_ms / 1000)
    if pause is None:
        return None
    return replace(_lengthened(one, pause, pause_ms, rng), variant=f"pause-{pause_ms}")


def hesitation(one: Utterance, rng: np.random.Generator) -> Utterance | None:
    """Draw out the vowel before its longest pause, and lengthen the pause; None without one."""
    pause = natural_pause(one, HESITATION_MS / 1000)
    if pause is None:
        return None
    begin, end = _vowel_before(from_int16(one.pcm), pause[0])
    drawn = to_int16(_stretched(from_int16(one.pcm), begin, end, round(DRAWN_S * WIRE_RATE_HZ)))
    longer = len(drawn) - len(one.pcm)
    moved = replace(one, pcm=drawn, end=one.end + longer)
    shifted = (pause[0] + longer, pause[1] + longer)
    return replace(_lengthened(moved, shifted, HESITATION_MS, rng), variant="hesitation")


def trailing(one: Utterance) -> Utterance:
    """Let the voice sink towards its end."""
    samples = min(one.end, round(TRAILING_S * WIRE_RATE_HZ))
    sound = from_int16(one.pcm)
    sound[one.end - samples : one.end] *= 10 ** (-np.linspace(0, TRAILING_DB, samples) / 20)
    return replace(one, pcm=to_int16(sound), variant="trailing")


def noisy(one: Utterance, noise: Sound, snr_db: float, variant: str) -> Utterance:
    """Put noise under and around it, so much quieter than its voice; the louder voice is kept."""
    lead, voice = round(LEAD_S * WIRE_RATE_HZ), from_int16(one.pcm)
    mixed = at_level(noise, active_level_db(voice) - snr_db)
    mixed[lead : lead + len(voice)] += voice
    loudest = float(np.abs(mixed).max())
    if loudest > 1:  # quieter as a whole, rather than clipped
        mixed = mixed / loudest
    return replace(
        one, pcm=to_int16(mixed), variant=variant, begin=lead + one.begin, end=lead + one.end
    )


# --- parts --------------------------------------------------------------------------------------
def _lengthened(
    one: Utterance, pause: tuple[int, int], pause_ms: int, rng: np.random.Generator
) -> Utterance:
    begin, end = pause
    missing = round(pause_ms / 1000 * WIRE_RATE_HZ) - (end - begin)
    sound, middle = from_int16(one.pcm), (begin + end) // 2
    room = _room(sound[begin:end], missing + 2 * _FADE, rng)
    # The room begins within the pause and ends within it: both joins are crossfades.
    rise = np.sqrt(np.linspace(0, 1, _FADE))
    room[:_FADE] = room[:_FADE] * rise + sound[middle - _FADE : middle] * rise[::-1]
    room[-_FADE:] = room[-_FADE:] * rise[::-1] + sound[middle : middle + _FADE] * rise
    longer = np.concatenate([sound[: middle - _FADE], room, sound[middle + _FADE :]])
    return replace(
        one, pcm=to_int16(longer), end=one.end + missing, pauses=((begin, end + missing),)
    )


def _room(pause: Sound, samples: int, rng: np.random.Generator) -> Sound:
    """Return noise with level and colour of the quietest 30 ms of a pause."""
    length = 3 * WINDOW
    starts = range(0, max(1, len(pause) - length), WINDOW)
    quiet = min((pause[s : s + length] for s in starts), key=lambda part: float(np.mean(part**2)))
    noise = np.convolve(rng.normal(size=samples + len(quiet) - 1), quiet, mode="valid")
    level = np.sqrt(np.mean(quiet**2))
    return np.asarray(noise * level / max(float(np.sqrt(np.mean(noise**2))), 1e-9))


def _vowel_before(sound: Sound, end: int) -> tuple[int, int]:
    """Return the 80 ms before ``end`` that are most like a held vowel: loud and periodic."""
    length, reach = round(0.08 * WIRE_RATE_HZ), round(0.35 * WIRE_RATE_HZ)

    def held(start: int) -> float:
        part = sound[start : start + length]
        lags = np.fft.irfft(np.abs(np.fft.rfft(part, 2 * length)) ** 2)
        # Pitch between 70 and 400 Hz; the overlap of a lag shrinks with it.
        shortest, longest = WIRE_RATE_HZ // 400, WIRE_RATE_HZ // 70
        overlap = 1 - np.arange(shortest, longest) / length
        alike = (lags[shortest:longest] / overlap).max() / max(lags[0], 1e-9)
        return float(min(alike, 1.0) ** 4 * np.sqrt(lags[0]))

    starts = range(max(0, end - reach), max(1, end - length), WINDOW)
    best = max(starts, key=held)
    return best, best + length


def _stretched(sound: Sound, begin: int, end: int, longer: int) -> Sound:
    """Make a stretch longer by overlapping its own waveform where it fits (WSOLA).

    Source: W. Verhelst, M. Roelands, "An overlap-add technique based on waveform similarity (WSOLA)
    for high quality time-scale modification of speech", ICASSP 1993.
    """
    hop = round(0.02 * WIRE_RATE_HZ)
    search = round(0.008 * WIRE_RATE_HZ)  # each way: a period of 70 Hz is 14 ms
    hops = -(-(end - begin + longer) // hop)
    window = np.hanning(2 * hop + 1)[:-1]
    stretched = np.zeros((hops + 1) * hop)
    place = begin - hop
    for index in range(hops):
        stretched[index * hop : (index + 2) * hop] += window * sound[place : place + 2 * hop]
        follows = sound[place + hop : place + 3 * hop]  # what would come next by itself
        wanted = begin - hop + round((index + 1) * (end - begin) / hops)
        low = max(0, wanted - search)
        around = sound[low : wanted + search + 2 * hop]
        place = low + int(np.argmax(np.correlate(around, follows, mode="valid")))
    # The first and the last half window are overlapped with what was there before and after.
    half = window[:hop]
    middle = stretched[hop : hop + end - begin + longer]
    middle[:hop] = middle[:hop] * half + sound[begin : begin + hop] * (1 - half)
    middle[-hop:] = middle[-hop:] * (1 - half) + sound[end - hop : end] * half
    return np.concatenate([sound[:begin], middle, sound[end:]])
