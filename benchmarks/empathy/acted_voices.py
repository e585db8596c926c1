"""Stories told in an actor's voice: what its sound adds to the words.

The dialogues have no sound. So each gets a recording of an actor of RAVDESS who acts what its label
is felt as, drawn by a seed, and what is heard in it by ``engines/voice_emotion``, learnt without
that actor and calibrated by the others. It tells the most that a voice can add: callers show less
than actors do.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.replies import Dialogue, answer
from rt_avatar.engines.emotion_words import FINE, Fine, felt
from rt_avatar.engines.text_emotion import EmotionEstimate
from rt_avatar.engines.training.voice_emotion.folds import corpus_of, cross_validate
from rt_avatar.engines.training.voice_emotion.recordings import make_rows, read_recordings
from rt_avatar.engines.training.voice_emotion.report import calibrated_by_others
from rt_avatar.engines.types import EMOTIONS, Emotion
from rt_avatar.engines.voice_emotion import VOICE_EMOTIONS, VoiceEmotionEstimate
from rt_avatar.messages import Affect, TurnId
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner.listener.nano import NanoReasoner

_log = logging.getLogger(__name__)
_KNOWN: Final = 1  # of what ``cross_validate`` returns: the speaker's own neutral is known
_FRAMES: Final = Path("build/voice_emotion/frames")  # kept where the training keeps them
_PERSONA: Final = next(iter(PERSONAS))  # nothing of naming depends on it
_NOTHING: Final = VoiceEmotionEstimate(
    tuple(1 / len(VOICE_EMOTIONS) for _ in VOICE_EMOTIONS), is_final=True, knows_neutral=True
)

Shares = NDArray[np.float64]


def name_in_voices(
    people: Path,
    dialogues: Sequence[Dialogue],
    estimates: Sequence[EmotionEstimate],
    reasoner: NanoReasoner,
) -> dict[str, list[Fine | None]]:
    """Return what is named after the last turn of each dialogue, by who names it.

    Args:
        people: Holds ``speech/ravdess``, and the readers whom is learnt from, too.
        dialogues: That are told.
        estimates: What the network makes of their words.
        reasoner: Hears words and voice as in a call.

    Raises:
        FileNotFoundError: A corpus is not there.
    """
    heard = hear_actors(people)
    acted = draw_voices(heard, [felt(one.label) for one in dialogues])
    plain = draw_voices(heard, [EMOTIONS[0] for _ in dialogues])
    pairs = zip(estimates, acted, strict=True)
    return {
        "network_voice": [name_by_both(estimate, voice) for estimate, voice in pairs],
        "nano_voice": asyncio.run(_answer(reasoner, dialogues, acted)),
        "nano_neutral_voice": asyncio.run(_answer(reasoner, dialogues, plain)),
    }


def hear_actors(people: Path) -> Mapping[Emotion, Shares]:
    """Return what is heard in the recordings (N, 8) of each emotion that was acted.

    Some minutes the first time; what the recordings sound like is kept in ``build``.

    Args:
        people: Holds ``speech/ravdess``, and the readers whom is learnt from, too.

    Raises:
        FileNotFoundError: A corpus is not there.
    """
    recordings = read_recordings(people)
    _log.info("voices: %d recordings, by folds of two actors", len(recordings))
    corpus = corpus_of(recordings, make_rows(recordings, _FRAMES))
    said = calibrated_by_others(corpus, cross_validate(corpus)[0, _KNOWN])
    return {
        emotion: said[corpus.acted & (corpus.labels == VOICE_EMOTIONS.index(emotion))]
        for emotion in EMOTIONS
        if emotion in VOICE_EMOTIONS
    }


def draw_voices(
    heard: Mapping[Emotion, Shares], emotions: Sequence[Emotion]
) -> list[VoiceEmotionEstimate]:
    """Return what is heard in a voice that acts each emotion; of one nobody acted, nothing."""
    dice = np.random.default_rng(0)
    found = []
    for emotion in emotions:
        shares = heard.get(emotion)
        if shares is None:
            found.append(_NOTHING)
            continue
        own = shares[int(dice.integers(len(shares)))]
        found.append(VoiceEmotionEstimate(tuple(own.tolist()), is_final=True, knows_neutral=True))
    return found


def name_by_both(estimate: EmotionEstimate, voice: VoiceEmotionEstimate) -> Fine:
    """Return the likeliest emotion by words and voice, as if neither depended on the other.

    The voice's shares are calibrated for emotions that are equally frequent, so they are in
    proportion to how likely such a sound is where the emotion is felt (Bayes).
    """
    likely = np.array(
        [
            voice.probabilities[VOICE_EMOTIONS.index(felt(fine))]
            if felt(fine) in VOICE_EMOTIONS
            else _NOTHING.confidence
            for fine in FINE
        ]
    )
    return FINE[int((estimate.probabilities * likely).argmax())]


async def _answer(
    reasoner: NanoReasoner, dialogues: Sequence[Dialogue], voices: Sequence[VoiceEmotionEstimate]
) -> list[Fine | None]:
    found = []
    for dialogue, voice in zip(progress(dialogues, "voices"), voices, strict=True):
        last = max(at for at, turn in enumerate(dialogue.turns) if turn.role == "caller")
        turns = dialogue.turns[: last + 1]
        conversation = reasoner.open()
        affect = affect_of(turns[-1].text, voice, len(turns))
        found.append((await answer(conversation, _PERSONA, turns, affect)).fine)
        await conversation.aclose()
    return found


def affect_of(text: str, voice: VoiceEmotionEstimate, turn: int) -> Affect:
    """Return what a call makes of such words in such a voice, with nothing seen."""
    estimator = AffectEstimator()
    estimator.update_words(text)
    estimator.update_voice_emotion(voice)
    return estimator.affect(TurnId(turn), 0)
