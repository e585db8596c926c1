"""Sound of turns: where its voice is, the silence of its own room, parts joined without a click."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

END_S: Final = 3.2  # of silence behind a turn: what is waited for at most
FADE: Final = 160  # samples, 10 ms: joins without a click
MIN_SILENCE_S: Final = 0.1
_SPEECH, _SILENCE = 0.5, 0.35  # probabilities at which speech begins and ends
_MIN_VOICE_S: Final = 0.2  # a recording with less holds no turn
_LEAD_S: Final = 0.5  # of room before a turn, so that the level of the room is known
_EDGE: Final = 1024  # samples around a pause that are left as they are: what decays, what begins
_ROOM: Final = 1024  # samples of the quietest stretch, from which silence is made
_HISS: Final = 10 ** (-75 / 20)  # of a recording without any noise


@dataclass(frozen=True, slots=True, eq=False)
class TurnSound:
    """A recording with silence behind it.

    Attributes:
        pcm: (n,) at 16 kHz.
        silences: (begin, end) in seconds of each silence of ``MIN_SILENCE_S`` and more; the last
            one is behind the turn.
    """

    pcm: Pcm
    silences: tuple[tuple[float, float], ...]


def turn_sound(pcm: Pcm, vad: SileroEngine, seed: int = 0) -> TurnSound:
    """Return a recording with nothing but its room in pauses and behind it: no breath, no click.

    Raises:
        ValueError: It holds no voice.
    """
    voiced = voiced_stretches(pcm, vad)
    if sum(end - begin for begin, end in voiced) < _MIN_VOICE_S * INPUT_RATE_HZ:
        raise ValueError(f"expected a voice of {_MIN_VOICE_S} s and more, found none")
    dice = np.random.default_rng(seed)
    end = voiced[-1][1]
    room = room_of(pcm, voiced)
    pauses = [(a, b) for (_, a), (b, _) in itertools.pairwise(voiced)]
    sound = with_quiet_pauses(pcm[: end + _EDGE], pauses, room, dice)
    lead = round(_LEAD_S * INPUT_RATE_HZ)
    behind = end + round(END_S * INPUT_RATE_HZ) - len(sound)
    sound = joined([room_noise(room, lead, dice), sound, room_noise(room, behind, dice)])
    shift = lead - FADE  # joins overlap
    silences = [
        ((a + shift) / INPUT_RATE_HZ, (b + shift) / INPUT_RATE_HZ)
        for a, b in [*pauses, (end, end + round(END_S * INPUT_RATE_HZ))]
        if b - a >= MIN_SILENCE_S * INPUT_RATE_HZ
    ]
    return TurnSound(sound, tuple(silences))


def voiced_stretches(pcm: Pcm, vad: SileroEngine) -> list[tuple[int, int]]:
    """Return begin and end, in samples, of each stretch that is speech."""
    stream = vad.open()
    is_speech, stretches, begin = False, [], 0
    for window in stream.push(pcm) + stream.flush():
        now = window.probability >= (_SILENCE if is_speech else _SPEECH)
        if now and not is_speech:
            begin = window.pts
        elif is_speech and not now:
            stretches.append((begin, window.pts))
        is_speech = now
    if is_speech:
        stretches.append((begin, len(pcm)))
    return stretches


def room_of(pcm: Pcm, voiced: Sequence[tuple[int, int]]) -> Pcm:
    """Return the quietest stretch of a recording without voice; faint hiss if it has none."""
    edges = [0, *(edge for stretch in voiced for edge in stretch), len(pcm)]
    parts = [
        pcm[first : first + _ROOM]
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        for first in range(begin, end - _ROOM + 1, _ROOM // 2)
    ]
    quietest = min(parts, key=lambda part: float(part @ part), default=np.zeros(_ROOM, np.float32))
    level = float(np.sqrt(np.mean(quietest**2)))
    if level > _HISS:
        return quietest
    return np.random.default_rng(0).normal(0, _HISS, _ROOM).astype(np.float32)


def room_noise(room: Pcm, samples: int, dice: np.random.Generator) -> Pcm:
    """Return noise with the level and colour of a room, (samples,)."""
    samples = max(2 * FADE, samples)
    size = 1 << (samples + len(room)).bit_length()
    colour = np.fft.rfft(room * np.hanning(len(room)), size)
    noise = np.fft.irfft(np.fft.rfft(dice.normal(size=size)) * colour, size)[:samples]
    level = float(np.sqrt(np.mean(room**2)) / max(float(np.sqrt(np.mean(noise**2))), 1e-12))
    return np.asarray(noise * level, np.float32)


def with_quiet_pauses(
    pcm: Pcm, pauses: Sequence[tuple[int, int]], room: Pcm, dice: np.random.Generator
) -> Pcm:
    """Return a copy in which pauses hold nothing but the room: no breath, no click."""
    quiet = pcm.copy()
    rise = np.linspace(0, 1, FADE, dtype=np.float32)
    for begin, end in pauses:
        first, last = begin + _EDGE, end - _EDGE
        if last - first < 2 * FADE:
            continue
        noise = room_noise(room, last - first, dice)
        noise[:FADE] = noise[:FADE] * rise + quiet[first : first + FADE] * rise[::-1]
        noise[-FADE:] = noise[-FADE:] * rise[::-1] + quiet[last - FADE : last] * rise
        quiet[first:last] = noise
    return quiet


def joined(parts: Sequence[Pcm]) -> Pcm:
    """Return parts one behind the other, each faded into the next over 10 ms."""
    rise = np.linspace(0, 1, FADE, dtype=np.float32)
    sound = parts[0]
    for part in parts[1:]:
        middle = sound[-FADE:] * rise[::-1] + part[:FADE] * rise
        sound = np.concatenate([sound[:-FADE], middle, part[FADE:]])
    return sound
