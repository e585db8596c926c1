"""Make one's own voice: a recording → ``NanoVoice``, in some seconds of one thread."""

from pathlib import Path

from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.voices import NanoVoice
from rt_avatar.engines.own_voice.encoder import ReaderEncoder
from rt_avatar.engines.own_voice.recording import hear_recording, read_recording
from rt_avatar.engines.own_voice.tuning import tune


def make_voice(model: NanoModel, encoder: ReaderEncoder, recording: Path | bytes) -> NanoVoice:
    """Return a voice that speaks as the person of a recording does.

    Args:
        model: The voice's networks.
        encoder: The same voice's.
        recording: 5 to 30 s of one person speaking: a file, or its bytes.

    Raises:
        OwnVoiceError: The recording cannot be used.
        OSError: It is not there, or may not be read.
    """
    pcm = read_recording(recording) if isinstance(recording, Path) else hear_recording(recording)
    return tune(model, encoder.shares(pcm), pcm)
