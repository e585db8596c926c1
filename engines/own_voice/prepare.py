"""Make one's own voice: a recording → ``NanoVoice``, in some seconds of one thread."""

from pathlib import Path
from typing import Final

from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.voices import NanoVoice
from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.own_voice.fit import fit_readers
from rt_avatar.engines.own_voice.recording import read_recording
from rt_avatar.engines.own_voice.reference import make_reference
from rt_avatar.engines.own_voice.tuning import tune
from rt_avatar.engines.types import Pcm

_FARTHEST: Final = 0.6  # of mels


def make_voice(model: NanoModel, path: Path, words: str = "") -> NanoVoice:
    """Return a voice that speaks as the person of a recording does.

    Args:
        model: The voice's networks.
        path: 5 to 30 s of one person speaking English.
        words: What is said; empty: a recogniser hears it.

    Raises:
        OwnVoiceError: The recording cannot be used.
        OSError: It is not there, or may not be read.
    """
    return voice_of(model, read_recording(path), words)


def voice_of(model: NanoModel, pcm: Pcm, words: str = "") -> NanoVoice:
    """Return the voice of checked and levelled sound at 24 kHz; as ``make_voice``."""
    reference = make_reference(pcm, words)
    readers, distance = fit_readers(model, reference, model.readers)
    if distance > _FARTHEST:
        raise OwnVoiceError(
            f"recording: expected one person speaking; no mixture of voices comes near it "
            f"(distance {distance:.2f}, at most {_FARTHEST}); record it without music or noise"
        )
    return tune(model, readers, reference)
