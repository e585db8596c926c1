"""Words, by Whisper: ``Pcm`` at 16 kHz → ``Hypothesis``, for who names a model of their own.

Whisper hears whole utterances only. The growing sound is therefore decoded again and again; a
partial is what two decodings in a row agree on (``engines.agreement``), the final is one decoding
of all. Nothing is ever downloaded: the model is a folder, or a name that is already in the cache of
``huggingface_hub``. Knows nothing of turns and voice activity: who calls decides what is utterance.

Utterances of several callers are not batched: on a CPU a batch takes as long as one after the other
or longer (docs/LOG.md), and faster-whisper's ``transcribe`` takes one recording at a time.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from rt_avatar.engines.agreement import LocalAgreement
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

# New sound after which a partial is worth a decoding: about one word of fluent speech.
PARTIAL_SAMPLES: Final = INPUT_RATE_HZ * 3 // 10
# Whisper sees 30 s at a time and loses what is beyond; 2 s are left for the last word's end.
LIMIT_SAMPLES: Final = 28 * INPUT_RATE_HZ
# On less, and on silence, Whisper makes up words ("Thank you.") from its training subtitles.
_LEAST_SAMPLES: Final = INPUT_RATE_HZ // 5
_SILENCE_RMS: Final = 0.001  # -60 dBFS: below the noise of any room through any microphone
_FRAME_SAMPLES: Final = INPUT_RATE_HZ // 50
# Decoding may take at most every second moment: partials get rarer on a slow machine, so that the
# final never waits behind a queue of them.
_PACE: Final = 2.0
# Two cores are the machine we promise to run on; the face and the voice need theirs.
_CPU_THREADS: Final = 2
# Fast English is 6 tokens a second; a decoder caught in a loop would otherwise write 448.
_TOKENS_PER_S: Final = 12
_TOKENS_LEAST: Final = 16

_FILES: Final = ("model.bin", "config.json", "tokenizer.json", "vocabulary.*")
_HOW_TO_GET: Final = (
    "Get one with: hf download Systran/faster-whisper-small.en --local-dir whisper-small.en; "
    "then set stt.whisper_model to that folder"
)


@dataclass(frozen=True, slots=True)
class _Heard:
    """One decoding: the words, the sample at which each ends (if asked for), 0..1."""

    words: tuple[str, ...] = ()
    ends: tuple[int, ...] = ()
    confidence: float = 0.0


class WhisperEngine:
    """The model, once a process.

    Decoding gives the interpreter's lock free, so other threads go on meanwhile. Streams share the
    model and may be used from different threads; their decodings then wait for each other.

    Args:
        model: Folder of a converted model, or the name of one that is already downloaded.
        language: Language spoken, as Whisper's code, e.g. ``en``.

    Raises:
        ModuleNotFoundError: The extra ``whisper`` is not installed.
        FileNotFoundError: No whole model is there, or it does not know the language. The message
            says what was expected and how to get it.
    """

    def __init__(self, model: str, language: str = "en") -> None:
        try:
            import faster_whisper
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "whisper: expected the package faster-whisper, since stt.whisper_model is set; "
                f"got {error}. Install it with: make install EXTRAS=whisper",
                name=error.name,
            ) from error
        folder = find_model(model)
        try:
            self._model: WhisperModel = faster_whisper.WhisperModel(
                str(folder),
                device="cpu",
                compute_type="int8",
                cpu_threads=_CPU_THREADS,
                local_files_only=True,
            )
        except (RuntimeError, ValueError) as error:
            raise FileNotFoundError(
                f"whisper: expected a whole model in {folder}; got one that does not load: "
                f"{error}. {_HOW_TO_GET}"
            ) from error
        if language not in self._model.supported_languages:
            known = ", ".join(sorted(self._model.supported_languages))
            raise FileNotFoundError(
                f"whisper: expected a model that knows stt.language {language!r}; "
                f"{folder} knows {known}. Models without '.en' in their name know many languages"
            )
        self._language = language

    @property
    def spec(self) -> EngineSpec:
        """Hypotheses follow the words; a step is the sound between two partials."""
        return EngineSpec(
            name="whisper",
            input_rate_hz=INPUT_RATE_HZ,
            output_rate_hz=0,
            chunk=PARTIAL_SAMPLES,
        )

    def warmup(self) -> None:
        """Decode a second of noise: the first decoding allocates."""
        noise = np.random.default_rng(0).standard_normal(INPUT_RATE_HZ, np.float32)
        self.decode(0.01 * noise)

    def open(self) -> "WhisperStream":
        """Create the state of one caller."""
        return WhisperStream(self)

    def close(self) -> None:
        """Give the model's memory back. Streams decode no more afterwards."""
        self._model.model.unload_model()

    def decode(self, sound: Pcm, *, is_timed: bool = False) -> _Heard:
        """Return the words of (samples,) sound; ``is_timed`` costs a second pass."""
        segments, _ = self._model.transcribe(
            sound,
            language=self._language,
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            vad_filter=False,
            without_timestamps=True,
            word_timestamps=is_timed,
            max_new_tokens=_TOKENS_LEAST + _TOKENS_PER_S * len(sound) // INPUT_RATE_HZ,
        )
        # Without timestamps all words come as one segment; a second one would be the library
        # decoding what is left after the last timed word, which is silence.
        segment = next(iter(segments), None)
        if segment is None:
            return _Heard()
        confidence = min(math.exp(segment.avg_logprob), 1.0)
        if not is_timed:
            return _Heard(tuple(segment.text.split()), (), confidence)
        # A timed word may have a blank in it where punctuation was joined to it.
        timed = [
            (part, round(word.end * INPUT_RATE_HZ))
            for word in segment.words or ()
            for part in word.word.split()
        ]
        words = tuple(part for part, _ in timed)
        return _Heard(words, tuple(end for _, end in timed), confidence)


class WhisperStream:
    """One caller's utterance: its sound, and what of it is agreed."""

    def __init__(self, engine: WhisperEngine) -> None:
        self._engine = engine
        self._agreement = LocalAgreement()
        self._sound: Pcm = np.zeros(LIMIT_SAMPLES, np.float32)
        self.reset()

    def reset(self) -> None:
        """Forget the utterance."""
        self._agreement.reset()
        self._length = 0  # samples of the utterance that are in `_sound`
        self._fresh = 0  # of these, how many were not decoded yet
        self._wait = PARTIAL_SAMPLES
        self._heard = _Heard()
        self._committed: tuple[str, ...] = ()  # words whose sound is dropped
        self._reported = ""

    def push(self, item: Pcm) -> list[Hypothesis]:
        """Take sound of any length; return a partial when there are new agreed words.

        When a partial comes depends also on how long decodings take; the final does not, unless
        the utterance is longer than 28 s.
        """
        start = 0
        while start < len(item):
            end = min(len(item), start + LIMIT_SAMPLES - self._length)
            self._sound[self._length : self._length + end - start] = item[start:end]
            self._length += end - start
            self._fresh += end - start
            start = end
            if self._length == LIMIT_SAMPLES:
                self._commit()
        if self._fresh >= self._wait:
            self._agreement.update(self._hear().words)
        text = " ".join((*self._committed, *self._agreement.words))
        if text == self._reported:
            return []
        self._reported = text
        return [Hypothesis(text, is_final=False, confidence=self._heard.confidence)]

    def heard(self) -> Hypothesis:
        """Decode what is there now; return all words, agreed or not (for a preemptive reply)."""
        heard = self._hear() if self._fresh else self._heard
        text = " ".join((*self._committed, *heard.words))
        return Hypothesis(text, is_final=False, confidence=heard.confidence)

    def flush(self) -> list[Hypothesis]:
        """Return the final hypothesis of the utterance; the next one begins."""
        heard = self._hear() if self._fresh else self._heard
        text = " ".join((*self._committed, *heard.words))
        self.reset()
        return [Hypothesis(text, is_final=True, confidence=heard.confidence)]

    def close(self) -> None:
        """Nothing to give back: the model is shared."""

    def _hear(self, *, is_timed: bool = False) -> _Heard:
        """Decode the sound of the utterance, if there is any."""
        self._fresh = 0
        sound = self._sound[: self._length]
        if _is_silent(sound):
            self._heard = _Heard()
            return self._heard
        began = perf_counter()
        self._heard = self._engine.decode(sound, is_timed=is_timed)
        spent = int((perf_counter() - began) * INPUT_RATE_HZ)
        self._wait = max(PARTIAL_SAMPLES, int(_PACE * spent))
        return self._heard

    def _commit(self) -> None:
        """Make room: settle the agreed words, drop their sound."""
        heard = self._hear(is_timed=True)
        settled = self._agreement.update(heard.words)
        count = len(settled)
        cut = heard.ends[count - 1] if 0 < count <= len(heard.ends) else 0
        if cut < LIMIT_SAMPLES // 2:
            # Hardly anything is agreed (noise, singing): settle all, or we are here again soon.
            settled = max(heard.words, settled, key=len)
            count, cut = len(heard.words), LIMIT_SAMPLES
        rest = self._sound[min(cut, LIMIT_SAMPLES) : LIMIT_SAMPLES].copy()
        self._sound[: len(rest)] = rest
        self._length = self._fresh = len(rest)
        self._committed += settled
        self._agreement.reset(heard.words[count:])
        self._heard = _Heard((), (), heard.confidence)


def find_model(model: str) -> Path:
    """Return the folder of a model, given as a folder or as a name already downloaded.

    Raises:
        FileNotFoundError: It is not there or lacks files; says which are expected, and how to get
            them.
    """
    try:
        folder = Path(model).expanduser()
        if not folder.is_dir():
            from faster_whisper.utils import download_model

            folder = Path(download_model(model, local_files_only=True))
    except (FileNotFoundError, ValueError, RuntimeError) as error:  # RuntimeError: ~nobody
        raise FileNotFoundError(
            f"whisper: expected stt.whisper_model to be a folder with {', '.join(_FILES)}, "
            f"or a model already downloaded; got {model!r}, which is neither. {_HOW_TO_GET}"
        ) from error
    missing = [name for name in _FILES if not any(folder.glob(name))]
    if missing:
        raise FileNotFoundError(
            f"whisper: expected {', '.join(_FILES)} in {folder}; "
            f"got no {', no '.join(missing)}. {_HOW_TO_GET}"
        )
    for name in ("config.json", "tokenizer.json"):
        try:
            json.loads((folder / name).read_bytes())
        except ValueError as error:
            raise FileNotFoundError(
                f"whisper: expected JSON in {folder / name}; got {error}. {_HOW_TO_GET}"
            ) from error
    return folder


def _is_silent(sound: Pcm) -> bool:
    """Whether nothing in it can be speech: too short, or no 20 ms of it louder than -60 dBFS."""
    if len(sound) < _LEAST_SAMPLES:
        return True
    frames = sound[: len(sound) // _FRAME_SAMPLES * _FRAME_SAMPLES].reshape(-1, _FRAME_SAMPLES)
    return bool(np.mean(np.square(frames), axis=1).max() < _SILENCE_RMS**2)
