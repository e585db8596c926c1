"""Replies as they were made, made once more: what was typed and answered → sound and mouth.

The listener without a model answers the same call in the same words (``rt_avatar.reasoner``), the
voice says them at the same times to within some milliseconds, and the face moves alike; only blinks
and sway are others. So the source of a reply need not be recorded on the server.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from rt_avatar.benchmarks.browser.mouth import mouth_opening
from rt_avatar.benchmarks.sync.speech import Curves, Floats
from rt_avatar.benchmarks.sync.talk import Said
from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import CHUNK_SAMPLES, FPS, SPEECH_RATE_HZ, MotionFrame
from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.personas import Persona
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.turns.chat_history import ChatHistory

_BLOCK: Final = SPEECH_RATE_HZ // 1000
_TURN: Final = TurnId(0)
_NOBODY: Final = CallerCue(False, False, 0.0, 0.0, False, False)


def reproduce(exchanges: Sequence[Said], persona: Persona, size_px: int) -> list[Curves | None]:
    """Make the answers of a call once more, in order; None where other words would have come.

    Args:
        exchanges: All of the call from its beginning, without a greeting.
        persona: Who answered.
        size_px: Of the picture.
    """
    memory = ChatHistory()
    voice, rig = EspeakEngine(), RigEngine(size_px)
    found: list[Curves | None] = []
    for said in exchanges:
        answer = Listening(_request(said, memory, persona))
        clauses = list(answer.clauses())
        memory.add_caller(said.text, _TURN)
        memory.add_avatar(said.answer, _TURN, was_interrupted=False)
        is_same = " ".join(clause.text for clause in clauses) == said.answer
        found.append(_curves(answer.plan, clauses, persona, voice, rig) if is_same else None)
    return found


def _request(said: Said, memory: ChatHistory, persona: Persona) -> ReplyRequest:
    felt = said.affect
    affect = Affect(
        turn=_TURN, pts=0, valence=felt.get("valence", 0.0), arousal=felt.get("arousal", 0.0),
        emotion=felt.get("emotion", "neutral"), confidences=felt.get("confidences", {}),
        has_face=felt.get("face", False), is_smiling=felt.get("smiling", False),
    )  # fmt: skip
    heard = Transcript(_TURN, 0, said.text, is_final=True)
    return ReplyRequest(_TURN, heard, affect, memory.history(), persona)


def _curves(
    plan: Plan, clauses: Sequence[Clause], persona: Persona, voice: EspeakEngine, rig: RigEngine
) -> Curves:
    speech = voice.open(persona.voice)
    chunks = [
        chunk
        for clause in clauses
        for chunk in speech.push(SpeechRequest(clause.text, plan.voice, clause.index))
    ] + speech.flush()
    articulation = ArticulatorEngine().open()
    frames: list[MotionFrame] = [
        frame
        for chunk in chunks
        for motion in articulation.push(ArticulationInput(chunk, plan.face, plan.voice))
        for frame in motion
    ]
    presence, portrait = PresenceEngine().open(), rig.open(persona.name)
    mouth = []
    for frame in frames:
        (alive,) = presence.push(PresenceInput("speaking", frame, plan.face, _NOBODY))
        (picture,) = portrait.push(alive)
        mouth.append(mouth_opening(picture[: picture.shape[1]]))
    pcm = np.concatenate([chunk.pcm for chunk in chunks]).astype(np.float64)
    rms: Floats = np.sqrt(np.mean(pcm.reshape(-1, _BLOCK) ** 2, axis=1))
    assert len(pcm) == len(chunks) * CHUNK_SAMPLES
    at_s = np.arange(len(rms), dtype=np.float64) * (_BLOCK / SPEECH_RATE_HZ)
    return Curves(at_s, rms, np.arange(len(mouth)) / FPS, np.array(mouth))
