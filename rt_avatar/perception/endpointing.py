"""Estimate whether a pause ends the turn, and how much silence to wait for: words, pitch → delay.

Pure functions: what was heard of the utterance goes in. When a turn is over is decided by
``turn_detector``.
"""

from typing import Final

from rt_avatar.config.settings import TurnDetectionSettings
from rt_avatar.perception.phrasing import UNKNOWN, how_finished, is_question
from rt_avatar.perception.utterance import Utterance, to_samples

# Pitch, in semitones a second. A fall ends a statement, a level tone or a rise without a question
# holds the turn (Gravano & Hirschberg, "Turn-taking cues in task-oriented dialogue", 2011, §4).
_FALL: Final = -6.0
_RISE: Final = 6.0
_FALL_BONUS: Final = 0.2
_LEVEL_MALUS: Final = 0.1
_RISE_MALUS: Final = 0.2
# An utterance that ends in so much hum ("…um") hesitates.
_HESITATION_SAMPLES: Final = to_samples(120)
_HESITATION_MALUS: Final = 0.4
# Squared: what is neither finished nor open waits little longer than what is finished, since a
# reply that began too early is discarded or paused at once, and a late one is late for everybody.
# Linear, the median of three read sentences was 480 ms of silence; squared it is 340.
_OPENNESS_POWER: Final = 2


def rule_probability(voice: Utterance, text: str, confidence: float) -> float:
    """Return how likely (0..1) the utterance is finished, by its last words, pitch and hum.

    Args:
        voice: What was heard of it.
        text: Its words so far.
        confidence: 0..1, how far the words can be trusted.
    """
    finished = UNKNOWN + (how_finished(text) - UNKNOWN) * confidence
    if voice.slope is not None:
        if voice.slope <= _FALL:
            finished += _FALL_BONUS
        elif not is_question(text):
            finished -= _RISE_MALUS if voice.slope >= _RISE else _LEVEL_MALUS
    if voice.trailing_hum >= _HESITATION_SAMPLES and not voice.is_mostly_hum:
        finished -= _HESITATION_MALUS
    return min(1.0, max(0.0, finished))


def endpointing_delay_ms(settings: TurnDetectionSettings, probability: float) -> tuple[int, float]:
    """Return the silence that ends a turn, in ms: its shortest, and what is waited beyond that.

    Args:
        settings: The bounds.
        probability: 0..1, that the turn is over.
    """
    shortest = settings.min_endpointing_delay_ms
    longer = max(0, settings.max_endpointing_delay_ms - shortest)
    return shortest, longer * (1 - probability) ** _OPENNESS_POWER
