"""Say a clause: tokens and a style → sound at 24 kHz, by the graphs of one StyleTTS 2.

``Speaker.prepare`` does all that needs the whole clause (text, durations, curves, trunk: a tenth
of the work) and ``Speaker.sound`` yields sound, a chunk of 200 ms at a time. Which kind of
generator is there is told by its graphs: ``step`` streams, ``window`` goes by windows.

Does not know where a text is cut into clauses, nor where its phonemes and styles come from.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.styletts2.alignment import (
    FRAME_SAMPLES,
    Indices,
    align,
    durations,
    frame_tokens,
)
from rt_avatar.engines.styletts2.pulses import PulseSpectra
from rt_avatar.engines.styletts2.recipe import Recipe
from rt_avatar.engines.styletts2.sampling import Array, noise_levels, precondition, sample
from rt_avatar.engines.styletts2.source import HarmonicSource
from rt_avatar.engines.styletts2.source_columns import SourceColumns
from rt_avatar.engines.styletts2.spectrum import style_mel
from rt_avatar.engines.styletts2.style import MixedStyle, Style
from rt_avatar.engines.styletts2.symbols import MAX_TOKENS, SYMBOLS
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape, VocoderStream
from rt_avatar.engines.styletts2.windows import SourceLayout, VoiceMoments, WindowedGenerator
from rt_avatar.engines.types import Pcm

Floats: TypeAlias = NDArray[np.float32]
Run: TypeAlias = Callable[[Mapping[str, NDArray[np.generic]]], Mapping[str, Floats]]

CHUNK_FRAMES: Final = 16  # of 12.5 ms: 200 ms
MARGIN_FRAMES: Final = 12  # the receptive field of both upsampling generators, to each side


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause before its sound.

    Attributes:
        x: (1, C, 2 F) frames for the generator, 12.5 ms each.
        pitch: (2 F,) F0 in Hz.
        style: (1, S) acoustic half.
        frames: (T,) frames of 25 ms of each token, in order: when each phoneme is heard.
        dropped: Samples at its end that are not to be heard.
    """

    x: Floats
    pitch: Floats
    style: Floats
    frames: Indices
    dropped: int = 0

    @property
    def samples(self) -> int:
        """Length of its sound."""
        return int(self.frames.sum()) * FRAME_SAMPLES - self.dropped


@dataclass(frozen=True, slots=True)
class WindowShape:
    """What the graph ``window`` needs to be fed.

    Attributes:
        layout: How the source lies over the frames.
        moment_channels: Of all its instance norms.
        weight: (harmonics,) of the source's mix, from the checkpoint.
        bias: Of the same.
    """

    layout: SourceLayout
    moment_channels: int
    weight: Floats
    bias: float


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a clause is said, as factors against what the network makes of style and words.

    Attributes:
        rate: Speaking rate.
        pitch: Mean pitch.
        pitch_range: Range of intonation, in octaves around the mean.
        most_edge_frames: Longest silence of a pad symbol at either end, in frames of 25 ms; 0: as
            the network has it.
    """

    rate: float = 1.0
    pitch: float = 1.0
    pitch_range: float = 1.0
    most_edge_frames: int = 0


AS_TRAINED: Final = Delivery()


class Speaker:
    """The graphs of one network and how they meet. Holds no state of any caller.

    Args:
        graphs: By their names without ``styletts2_``, as ``networks.styletts2.graphs`` lists them.
        recipe: Of the same model.
        shape: Of the generator: a stream's where the graph is ``step``, else of its windows.
        style_size: Numbers of a style, both halves.
        window_frames: New frames of 12.5 ms in a window after the first. Long windows cost less,
            since the margins are the same; a stream has none.
    """

    def __init__(
        self,
        graphs: Mapping[str, Run],
        recipe: Recipe,
        shape: VocoderShape | WindowShape,
        style_size: int = 256,
        window_frames: int = CHUNK_FRAMES,
    ) -> None:
        self._graphs = graphs
        self._recipe = recipe
        self._shape = shape
        self._style_size = style_size
        self._window_frames = window_frames

    def sample_style(self, tokens: list[int], reference: Style, seed: int, first: int = 0) -> Style:
        """Return a style (1, 256) for a sentence, drawn by the denoiser.

        Args:
            tokens: Of ``symbols.encode``.
            reference: The voice's own style; LibriTTS's denoiser sees it, LJSpeech's does not.
            seed: Of the noise.
            first: Number of the sentence: each has noise of its own.

        Raises:
            ValueError: No tokens, too many, or one that is no symbol.
            RuntimeError: The network gave what is no number.
        """
        _check(tokens)
        recipe = self._recipe.style
        context = self._graphs["bert"]({"tokens": np.array([tokens], np.int64)})["context"]
        bound = {"context": context, "scale": np.array([recipe.guidance], np.float32)}
        if recipe.has_reference:
            bound["reference"] = reference

        def network(x: Array, time: Array) -> Array:
            return self._graphs["guide"]({"x": x, "time": time, **bound})["inner"]

        levels = noise_levels(recipe.steps)
        noise = keyed_noise(seed, first * len(levels), len(levels), self._style_size)
        denoise = precondition(network, self._recipe.sigma_data)
        return _finite("guide", sample(denoise, list(noise[:, None, None]), levels)[:, 0])

    def style_of(self, pcm: Pcm) -> Style:
        """Return the style (1, 256) of a reference recording at 24 kHz; keep it, a voice has one.

        Raises:
            ValueError: Less than 0.81 s of sound, or none of one channel.
        """
        return self._graphs["style"]({"mel": style_mel(pcm)})["style"]

    def prepare(
        self,
        tokens: list[int],
        style: MixedStyle,
        *,
        delivery: Delivery = AS_TRAINED,
        text: Floats | None = None,
    ) -> Clause:
        """Return a clause, ready to sound.

        Args:
            tokens: Of ``symbols.encode``.
            style: Both halves.
            delivery: How it is said.
            text: (1, C, T) in place of the text encoder's output, from whoever knows better what
                is to be said than the phonemes do.

        Raises:
            ValueError: No tokens, too many, one that is no symbol, a text of another length, or a
                rate that is none.
            RuntimeError: A network gave what is no number.
        """
        _check(tokens)
        ids = {"tokens": np.array([tokens], np.int64)}
        said = self._graphs["text"](ids)["text"] if text is None else text
        if said.shape[2] != len(tokens):
            raise ValueError(
                f"text: expected a vector for each of {len(tokens)} tokens, got {said.shape[2]}"
            )
        known = self._graphs["bert"](ids)["text"]
        spoken = self._graphs["durations"]({"text": known, "style": style.prosodic})
        recipe = self._recipe
        frames = durations(spoken["logits"][0], delivery.rate, recipe.last_token_frames)
        if delivery.most_edge_frames:
            frames[[0, -1]] = np.minimum(frames[[0, -1]], delivery.most_edge_frames)
        at = frame_tokens(frames, recipe.shifted_frames)
        curves = self._graphs["curves"](
            {"encoded": align(spoken["encoded"], at), "style": style.prosodic}
        )
        pitch, energy = (_finite("curves", curves[name]) for name in ("pitch", "energy"))
        pitch = _intoned(pitch, delivery, recipe.source.voiced_above_hz)
        trunk = {"aligned": align(said, at), "style": style.acoustic}
        x = _finite(
            "trunk", self._graphs["trunk"]({**trunk, "pitch": pitch, "energy": energy})["x"]
        )
        return Clause(x, pitch[0], style.acoustic, frames, recipe.dropped_samples)

    def new_moments(self) -> VoiceMoments | None:
        """Return statistics that nothing is known of yet; None: the generator has none."""
        if isinstance(self._shape, VocoderShape):
            return None
        return VoiceMoments(channels=self._shape.moment_channels)

    def sound(
        self, clause: Clause, moments: VoiceMoments | None = None, seed: int = 0
    ) -> Iterator[Pcm]:
        """Yield the clause's sound, 200 ms at a time; the last piece may be shorter.

        Args:
            clause: From ``prepare``.
            moments: Statistics for windows, which go on from the clause before; None: of this
                clause alone. Nano has none.
            seed: Of the source's noise.

        Raises:
            RuntimeError: The generator gave what is no number, as too low a precision does.
        """
        left = clause.samples
        if isinstance(self._shape, VocoderShape):
            pieces = self._stream(clause, self._shape, seed)
        else:
            known = moments or self.new_moments()
            assert known is not None
            pieces = self._windows(clause, self._shape, known, seed)
        for piece in pieces:
            yield _finite("generator", piece[:left])
            left -= len(piece)
            if left <= 0:
                return

    def _stream(self, clause: Clause, shape: VocoderShape, seed: int) -> Iterator[Pcm]:
        source = PulseSpectra(clause.pitch, shape.fft, self._recipe.source, seed)
        stream = VocoderStream(self._graphs["step"], shape, clause.style, source)
        frames = clause.x.shape[2]
        chunk = CHUNK_FRAMES * shape.hop
        # The first push reaches as far ahead as the layers look, so that every push gives a chunk.
        size, first = CHUNK_FRAMES + -(-shape.lag_samples // shape.hop), 0
        ready = np.zeros(0, np.float32)
        while first < frames:
            last = min(frames, first + size)
            ready = np.concatenate([ready, stream.push(clause.x[:, :, first:last])])
            first, size = last, CHUNK_FRAMES
            while len(ready) >= chunk:
                yield ready[:chunk]
                ready = ready[chunk:]
        ready = np.concatenate([ready, stream.flush()])
        for first in range(0, len(ready), chunk):
            yield ready[first : first + chunk]

    def _windows(
        self, clause: Clause, shape: WindowShape, moments: VoiceMoments, seed: int
    ) -> Iterator[Pcm]:
        harmonics = HarmonicSource(shape.weight, shape.bias, self._recipe.source, seed)
        # One column more than the frames have is the mark of a spectrum: it has both its ends.
        source = SourceColumns(harmonics, clause.pitch, bool(shape.layout.extra))
        generator = WindowedGenerator(
            self._graphs["window"], emit=self._window_frames, margin=MARGIN_FRAMES
        )
        voiced = clause.pitch > self._recipe.source.voiced_above_hz
        return generator.sound(clause.x, clause.style, source, voiced, moments)


def _intoned(pitch: Floats, delivery: Delivery, voiced_above_hz: float) -> Floats:
    """Return the pitch with another mean and range where there is voice."""
    voiced = pitch > voiced_above_hz
    if (delivery.pitch, delivery.pitch_range) == (1.0, 1.0) or not voiced.any():
        return pitch
    octaves = np.log2(pitch[voiced])
    mean = octaves.mean()
    moved = pitch.copy()
    moved[voiced] = 2 ** (mean + delivery.pitch_range * (octaves - mean)) * delivery.pitch
    return moved


def _check(tokens: list[int]) -> None:
    if not 1 <= len(tokens) <= MAX_TOKENS:
        raise ValueError(
            f"tokens: expected 1 to {MAX_TOKENS}, got {len(tokens)}; cut the text at a clause"
        )
    # Graphs would take a negative id for a place from the end.
    if strange := [token for token in tokens if not 0 <= token < len(SYMBOLS)]:
        raise ValueError(f"tokens: expected 0 to {len(SYMBOLS) - 1}, got {strange[0]}")


def _finite(graph: str, values: Floats) -> Floats:
    if not np.isfinite(values).all():
        raise RuntimeError(
            f"{graph}: expected finite numbers of the network, got NaN or infinity; is its "
            "precision enough for it?"
        )
    return values
