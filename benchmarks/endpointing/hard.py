"""Recordings made harder (``speech_variants``), as turns: only where they end is known."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
import soxr

from rt_avatar.benchmarks.endpointing.turns import Turn
from rt_avatar.benchmarks.sounds import from_int16
from rt_avatar.benchmarks.speech import Utterance, read_recording, trim
from rt_avatar.benchmarks.speech_variants import VARIANTS, in_variants
from rt_avatar.engines.training.end_of_turn.sounds import (
    END_S,
    FADE,
    joined,
    room_noise,
    room_of,
)
from rt_avatar.engines.types import INPUT_RATE_HZ, WIRE_RATE_HZ
from rt_avatar.errors import BadInputError

_LEAD_S: Final = 0.5


def harder(files: Sequence[Path]) -> list[Turn]:
    """Return harder turns, of each recording one; those without a pause have none lengthened."""
    wanted = [name for name in VARIANTS if name != "plain"]
    spoken = [Utterance(path.stem, trim(read_recording(path))) for path in files]
    turns = []
    for index, variant in enumerate(wanted):
        with suppress(BadInputError):  # none of these has a pause
            for one in in_variants(spoken[index :: len(wanted)], [variant])[variant]:
                turns.append(_turn(one))
    return turns


def _turn(one: Utterance) -> Turn:
    pcm = soxr.resample(from_int16(one.pcm), WIRE_RATE_HZ, INPUT_RATE_HZ).astype(np.float32)
    voice = (round(one.begin / 3), round(one.end / 3))
    room, dice = room_of(pcm, [voice]), np.random.default_rng(0)
    lead, behind = (round(length * INPUT_RATE_HZ) for length in (_LEAD_S, END_S))
    sound = joined([room_noise(room, lead, dice), pcm, room_noise(room, behind, dice)])
    end_s = (voice[1] + lead - FADE) / INPUT_RATE_HZ  # joins overlap by a fade
    return Turn(one.name, sound, ((end_s, end_s + END_S),), kind=one.variant)
