"""A scripted network: hears, sees and reads as the real one does, and says what it was told to.

Sound becomes the means of its windows, pictures their brightness; the language model reads vectors
of three numbers: a token's first is its id, a sound's second and a picture's third tell of it.
"""

from types import SimpleNamespace

import numpy as np

from rt_avatar.engines.empatheia.dialogue import EMOTION_CLASSES, Styles
from rt_avatar.engines.empatheia.encoders import SpeechEncoderEngine, VisionEncoderEngine
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.utterance_encoder import UtteranceEncoder
from rt_avatar.engines.llm.answer import Answerer
from rt_avatar.engines.llm.chain import TAGS, Chain
from rt_avatar.engines.llm.profile import AGES, GENDERS, TONES
from rt_avatar.engines.llm.templates import NANO
from tests.engines.llm.scripted import ScriptedModel
from tests.engines.llm.tiny import tokens

CHAIN = Chain("lost a job", "sad", "the boss", "comfort them")
REPLY = "I am so sorry. Tell me more, please."
HISTORY_BINS, QUERY_BINS = 1, 4
SCENE_PX = 8


class FailingModel(ScriptedModel):
    """Fails when it is told to."""

    fails = False

    def _read(self, *args):
        if self.fails:
            raise RuntimeError("llm_extend: scripted failure")
        return super()._read(*args)


class ScriptedNetwork:
    """Stands where ``engines.empatheia.engines.EmpatheiaEngines`` stands, for a reasoner."""

    prompt = EmpatheiaEngines.prompt
    read = EmpatheiaEngines.read
    advance = EmpatheiaEngines.advance
    max_batch = 4

    def __init__(
        self, chain=CHAIN, reply=REPLY, *, weights="scripted", positions=4096, template=NANO
    ):
        self.manifest = SimpleNamespace(
            name="nano",
            is_trained=weights != "random",
            history_bins=HISTORY_BINS,
            query_bins=QUERY_BINS,
            positions=positions,
        )
        self.language = FailingModel(tokens().encode(TAGS.write(chain, reply)))
        self.answerer = Answerer(self.language, tokens(), template, TAGS)
        self.heard = []  # samples of each call of the encoder of sound
        self.seen = 0
        self.emotion = "fear"  # what the disentangler says
        both = (HISTORY_BINS, QUERY_BINS)
        self.speech_encoders = {n: SpeechEncoderEngine(self._hear, _pooled(n, 1), 1) for n in both}
        self.vision_encoders = {
            n: VisionEncoderEngine(self._see, _pooled(n, 2), SCENE_PX) for n in both
        }

    def utterance_encoder(self):
        return UtteranceEncoder(self.speech_encoders, self.vision_encoders)

    def disentangled(self, signals, chain=None, profile=None):
        assert signals.speech.shape == signals.video.shape == (16, 3)
        classes = {
            name: np.zeros((1, len(kinds)), np.float32)
            for name, kinds in (("age", AGES), ("gender", GENDERS), ("tone", TONES))
        }
        logits = np.zeros((1, len(EMOTION_CLASSES)), np.float32)
        logits[0, EMOTION_CLASSES.index(self.emotion)] = 9.0
        voice, face = np.full((1, 256), 0.5, np.float32), np.full((1, 192), 0.25, np.float32)
        return Styles(voice, face, {"emotion": logits, **classes})

    def banked(self, chain):
        voice = np.full((1, 256), len(chain.emotion), np.float32)
        return Styles(voice, -voice[:, :192], {})

    # --- what tests ask -------------------------------------------------------------------------
    @property
    def decoded(self) -> int:
        """Tokens that were written one by one."""
        return sum(len(ids) == 1 for ids in self.language.asked)

    def newest_prompt(self) -> np.ndarray:
        """All vectors of the prompt that was read last."""
        whole = np.zeros((0, 3), np.float32)
        for kept, vectors in self.language.prompts:
            whole = np.concatenate([whole[:kept], vectors])
        return whole

    def newest_text(self) -> str:
        """Its words, without what was heard and seen."""
        return tokens().decode([int(row[0]) for row in self.newest_prompt() if not row[1:].any()])

    # --- graphs ---------------------------------------------------------------------------------
    def _hear(self, inputs):
        wave = inputs["wave"][0]
        self.heard.append(len(wave))
        count = (len(wave) - 400) // 320 + 1
        rows = [np.abs(wave[320 * n : 320 * n + 400]).mean() for n in range(count)]
        return {"features": np.array(rows, np.float32)[None, :, None]}

    def _see(self, inputs):
        self.seen += 1
        return {"vectors": np.array([[3.0 + inputs["pictures"].mean()]], np.float32)}


def _pooled(count, column):
    def project(inputs):
        parts = np.array_split(inputs["features"][0, :, 0], count)
        made = np.zeros((1, count, 3), np.float32)
        made[0, :, column] = [part.mean() if len(part) else 1.0 for part in parts]
        return {"tokens": made}

    return project
