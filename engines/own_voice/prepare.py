"""Make one's own voice: a recording → ``NanoVoice``, in some seconds of one thread."""

from pathlib import Path
from typing import Final

from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.voices import NanoVoice
from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.own_voice.fit import distance_of, fit_readers
from rt_avatar.engines.own_voice.recording import read_recording
from rt_avatar.engines.own_voice.reference import make_reference
from rt_avatar.engines.own_voice.tuning import tune

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
    reference = make_reference(read_recording(path), words)
    readers = fit_readers(model, reference, model.readers)
    distance = distance_of(model, reference, readers)
    if distance > _FARTHEST:
        raise OwnVoiceError(
            f"recording: expected one person speaking; no mixture of voices comes near it "
            f"(distance {distance:.2f}, at most {_FARTHEST}); record it without music or noise"
        )
    return tune(model, readers, reference)
