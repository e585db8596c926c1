"""Write docs/voices.html: every persona says ten sentences, each in a feeling, to listen to.

python scripts/write_voices.py [FOLDER of a voice of your own]
"""

import base64
import html
import io
import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from rt_avatar.engines.nano_tts import SHIPPED, NanoEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, Emotion, Pcm, VoiceStyle
from rt_avatar.personas import PERSONAS

PAGE = Path(__file__).parents[1] / "docs" / "voices.html"
BIT_RATE = 24_000
SENTENCES: tuple[tuple[Emotion, str], ...] = (
    ("neutral", "Hello, I am glad that you called. How was your day?"),
    ("neutral", "The train leaves at twenty past seven from platform nine."),
    ("happy", "You got the job? That is wonderful news!"),
    ("happy", "I knew that you could do it, and now everybody else knows it, too."),
    ("sad", "I am so sorry. You had him for fourteen years."),
    ("sad", "It must be very quiet in the house without her."),
    ("surprised", "Really? They gave you the whole week off?"),
    ("fear", "Wait, somebody is at the door, and it is past midnight."),
    ("angry", "That is not fair, and you have every right to say so."),
    ("disgusted", "They left the food in the sun for three days."),
)
STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td{padding:.2rem .6rem;vertical-align:middle}
td:first-child{color:#666;width:6rem}audio{width:100%;min-width:14rem;height:2rem}"""


def encode(pcm: Pcm) -> bytes:
    """Return sound at 24 kHz as an Ogg Opus file."""
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="ogg") as container:
        stream = container.add_stream("libopus", rate=48_000, layout="mono")
        stream.bit_rate = BIT_RATE
        whole = np.ascontiguousarray(np.clip(pcm, -1, 1)[None], np.float32)
        frame = av.AudioFrame.from_ndarray(whole, format="flt", layout="mono")
        frame.sample_rate, frame.time_base = SPEECH_RATE_HZ, Fraction(1, SPEECH_RATE_HZ)
        resampler = av.AudioResampler("flt", "mono", 48_000)
        for piece in (*resampler.resample(frame), *resampler.resample(None)):
            container.mux(stream.encode(piece))
        container.mux(stream.encode(None))
    return buffer.getvalue()


def say(engine: NanoEngine, voice: str, emotion: Emotion, text: str) -> Pcm:
    """Return a sentence's sound, (samples,) at 24 kHz."""
    stream = engine.open(voice)
    request = SpeechRequest(text, VoiceStyle(emotion, 0.8), 0)
    return np.concatenate([chunk.pcm for chunk in (*stream.push(request), *stream.flush())])


def main(folder: Path) -> None:
    """Write the page."""
    engine = NanoEngine(folder)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>The voices of rt-avatar</title>",
        f"<style>{STYLE}</style><h1>Eight people, ten sentences</h1>",
        "<p>Made by <code>scripts/write_voices.py</code> with the voice <code>nano</code>.</p>",
    ]
    for name, persona in PERSONAS.items():
        print(name, flush=True)
        parts.append(f"<h2>{persona.label}</h2><p>{html.escape(persona.about)}</p><table>")
        for emotion, text in SENTENCES:
            sound = base64.b64encode(encode(say(engine, persona.voice, emotion, text))).decode()
            parts.append(
                f"<tr><td>{emotion}<td>{html.escape(text)}"
                f'<td><audio controls preload=none src="data:audio/ogg;base64,{sound}"></audio>'
            )
        parts.append("</table>")
    PAGE.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED)
