"""The network's voice in a call: ``SpeechRequest`` → ``SpeechChunk``, with contents for the face.

Clauses that bring states of the language model are said by the synchronizer: C^s in the place of
the voice's own text encoder, and C^v on the chunks, so that the face follows what is meant. Others
are said from their words alone, and their face follows the sound.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.empatheia.contents import Contents
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.empatheia.voice import VoiceRequest
from rt_avatar.engines.llm.model import Vectors
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import CHUNK_FRAMES, SpeechChunk

Floats: TypeAlias = NDArray[np.float32]

_SPEED_MIN, _SPEED_MAX = 0.5, 2.0  # beyond them sounds are lost, or drawn out into a howl
_GAIN_MAX: Final = 1.3


class LiveVoiceStream:
    """One reply after the other. Not thread-safe.

    Whether the face gets contents is decided by the first clause of a reply: a face does not change
    what it follows in mid-speech.
    """

    def __init__(
        self, engines: EmpatheiaEngines, styles: LiveStyles, options: EmpatheiaOptions
    ) -> None:
        self._engines, self._styles, self._options = engines, styles, options
        self._voice = engines.voice.open()
        self._has_contents: bool | None = None  # not known before the first clause
        self._begin()

    def push(self, item: SpeechRequest) -> list[SpeechChunk]:
        """Say a clause after the last one; text without words gives nothing.

        Raises:
            ValueError: Style or states are not this network's.
            RuntimeError: A graph failed, or what it made is no sound.
        """
        return list(self.say(item))

    def say(self, item: SpeechRequest) -> Iterator[SpeechChunk]:
        """Yield what ``push`` returns, each chunk as soon as it is made."""
        states = item.states if self._options.content_source == "cs" else None
        placed = self._voice.begin(self._saying(item, states))
        if placed is None:
            return
        if self._has_contents is None:
            self._has_contents = states is not None
        if self._has_contents and states is not None:
            self._contents.add(states, placed)
        elif self._has_contents:
            self._contents.hold(placed)
        for chunk in self._voice.chunks():
            yield self._with_contents(chunk)

    def settle(self) -> list[SpeechChunk]:
        """Return what is left, with silence behind it; the next clause goes on after that."""
        silence = self._voice.settle()
        if silence is not None and self._has_contents:
            self._contents.hold(silence)
        return [self._with_contents(chunk) for chunk in self._voice.chunks()]

    def flush(self) -> list[SpeechChunk]:
        """Return the rest, padded to whole chunks; the next clause begins at 0."""
        chunks = [self._with_contents(chunk) for chunk in self._voice.flush()]
        self._begin()
        return chunks

    def reset(self) -> None:
        """Drop what was not given out; the next clause begins at 0."""
        self._voice.reset()
        self._begin()

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _begin(self) -> None:
        self._contents = Contents(self._engines)
        self._has_contents = None

    def _saying(self, item: SpeechRequest, states: Vectors | None) -> VoiceRequest:
        def content(tokens: int) -> Floats:
            assert states is not None, "asked for only then"
            return self._engines.voice_content(states, tokens)

        style = item.style
        return VoiceRequest(
            item.text,
            self._styles.voice(style),
            None if states is None else content,
            item.clause_index,
            min(max(self._options.speed * style.rate, _SPEED_MIN), _SPEED_MAX),
            self._options.seed,
            min(max(style.volume, 0.0), _GAIN_MAX),
            self._options.style_source == "diffusion",
        )

    def _with_contents(self, chunk: SpeechChunk) -> SpeechChunk:
        if not np.isfinite(chunk.pcm).all():
            raise RuntimeError("voice: expected finite samples of the network; got NaN or infinity")
        if not self._has_contents:
            return chunk
        own = self._contents.take(CHUNK_FRAMES)
        return replace(chunk, contents=np.concatenate((own, self._contents.peek(CHUNK_FRAMES))))


class LiveVoice:
    """The network's voice for all callers.

    Args:
        engines: The network.
        styles: What its styles are.
        options: ``content_source``, ``speed`` and ``seed`` of them.
    """

    def __init__(
        self, engines: EmpatheiaEngines, styles: LiveStyles, options: EmpatheiaOptions
    ) -> None:
        self._parts = engines, styles, options.effective()
        self.spec: Final[EngineSpec] = engines.voice.spec

    def warmup(self) -> None:
        """Say something to nobody."""
        self._parts[0].voice.warmup()

    def open(self, voice: str = "") -> LiveVoiceStream:
        """Begin a reply; ``voice`` changes nothing: whose voice it is lies in its style."""
        return LiveVoiceStream(*self._parts)
