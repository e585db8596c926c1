"""Replies as they were made, made once more: what was typed and answered → sound and mouth.

The listener without a model answers the same call in the same words (``rt_avatar.reasoner``), the
voice says them at the same times to within some milliseconds, and the face moves alike; only blinks
and sway are others. So the source of a reply need not be recorded on the server.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.browser.mouth import mouth_opening
from benchmarks.sync.speech import Curves, Floats
from benchmarks.sync.talk import Said
from engines.espeak import EspeakEngine
from engines.motion.articulation import ArticulationInput, ArticulatorEngine
from engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from engines.rig.engine import RigEngine
from engines.tts import SpeechRequest
from engines.types import ATOM_SAMPLES, FPS, SPEECH_RATE_HZ, MotionFrame
from rt_avatar.dialogue.memory import Memory
from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.profiles import Profile
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.reflective import Listening

_BLOCK: Final = SPEECH_RATE_HZ // 1000
_TURN: Final = TurnId(0)
_NOBODY: Final = CallerCue(False, False, 0.0, 0.0, False, False)


def reproduce(exchanges: Sequence[Said], profile: Profile, size_px: int) -> list[Curves | None]:
    """Make the answers of a call once more, in order; None where other words would have come.

    Args:
        exchanges: All of the call from its beginning, without a greeting.
        profile: Who answered.
        size_px: Of the picture.
    """
    memory = Memory()
    voice, rig = EspeakEngine(), RigEngine(size_px)
    found: list[Curves | None] = []
    for said in exchanges:
        answer = Listening(_request(said, memory, profile))
        clauses = list(answer.clauses())
        memory.add_caller(said.text, _TURN)
        memory.add_avatar(said.answer, _TURN, was_interrupted=False)
        is_same = " ".join(clause.text for clause in clauses) == said.answer
        found.append(_curves(answer.plan, clauses, profile, voice, rig) if is_same else None)
    return found


def _request(said: Said, memory: Memory, profile: Profile) -> ReplyRequest:
    felt = said.affect
    affect = Affect(
        turn=_TURN, pts=0, valence=felt.get("valence", 0.0), arousal=felt.get("arousal", 0.0),
        emotion=felt.get("emotion", "neutral"), confidences=felt.get("confidences", {}),
        has_face=felt.get("face", False), is_smiling=felt.get("smiling", False),
    )  # fmt: skip
    heard = Transcript(_TURN, 0, said.text, is_final=True)
    return ReplyRequest(_TURN, heard, affect, memory.history(), profile)


def _curves(
    plan: Plan, clauses: Sequence[Clause], profile: Profile, voice: EspeakEngine, rig: RigEngine
) -> Curves:
    speech = voice.open(profile.voice)
    atoms = [
        atom
        for clause in clauses
        for atom in speech.push(SpeechRequest(clause.text, plan.voice, clause.index))
    ] + speech.flush()
    articulation = ArticulatorEngine().open()
    frames: list[MotionFrame] = [
        frame
        for atom in atoms
        for motion in articulation.push(ArticulationInput(atom, plan.face, plan.voice))
        for frame in motion
    ]
    presence, portrait = PresenceEngine().open(), rig.open(profile.name)
    mouth = []
    for frame in frames:
        (alive,) = presence.push(PresenceInput("speaking", frame, plan.face, _NOBODY))
        (picture,) = portrait.push(alive)
        mouth.append(mouth_opening(picture[: picture.shape[1]]))
    pcm = np.concatenate([atom.pcm for atom in atoms]).astype(np.float64)
    rms: Floats = np.sqrt(np.mean(pcm.reshape(-1, _BLOCK) ** 2, axis=1))
    assert len(pcm) == len(atoms) * ATOM_SAMPLES
    at_s = np.arange(len(rms), dtype=np.float64) * (_BLOCK / SPEECH_RATE_HZ)
    return Curves(at_s, rms, np.arange(len(mouth)) / FPS, np.array(mouth))
