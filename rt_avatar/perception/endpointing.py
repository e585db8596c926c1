"""Estimate whether a pause ends the turn, and how much silence to wait for: words, sound → delay.

Two ways to the probability: the end-of-turn network with its n-grams, or rules over the last words
and the pitch. When a turn is over is decided by ``turn_detector``.
"""

import math
from typing import Final

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.end_of_turn import EndOfTurnModel
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
# A pause of a caller of whom nothing is known, and how many heard ones that counts for: the median
# of readers' pauses of 200 ms and more.
_USUAL_PAUSE_MS: Final = 450.0
_USUAL_WEIGHT: Final = 6.0
_HABIT_LIMITS: Final = (0.7, 1.5)
_MIN_PAUSE_MS: Final = 200.0  # shorter ones are between words


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


class Endpointing:
    """One caller: how likely a turn is over, and what silence ends it; learns how they pause."""

    def __init__(self, settings: TurnDetectionSettings, engine: EndOfTurnModel | None) -> None:
        self._settings = settings
        self._engine = engine
        self._pauses = _USUAL_WEIGHT  # heard, the usual ones among them
        self._log_pause = math.log(_USUAL_PAUSE_MS)  # their mean

    def probability(
        self, voice: Utterance, text: str, confidence: float, end_logit: float | None
    ) -> float:
        """Return how likely (0..1) the turn is over.

        Args:
            voice: What was heard of the utterance.
            text: Its words so far.
            confidence: 0..1, how far the words can be trusted.
            end_logit: What the end-of-turn network says of its sound; None: by rules.
        """
        if self._engine is None or end_logit is None:
            return rule_probability(voice, text, confidence)
        return self._engine.probability(end_logit, text, confidence)

    def delay_ms(self, probability: float, *, share: float = 1.0) -> float:
        """Return the silence that ends the turn, in ms, within the bounds that are set.

        Args:
            probability: 0..1, that the turn is over.
            share: Of what is waited beyond the shortest.
        """
        shortest = self._settings.min_endpointing_delay_ms
        longest = self._settings.max_endpointing_delay_ms
        is_open = 1 - probability
        if self._engine is not None:  # the odds that they go on, times their habit
            times = self._engine.early_cost * self.habit
            is_open *= times / (probability + times * is_open)
        openness = is_open**_OPENNESS_POWER
        return shortest + max(0, longest - shortest) * openness * share

    @property
    def habit(self) -> float:
        """How much longer than usual this caller pauses within turns, as a factor."""
        factor = math.exp(self._log_pause) / _USUAL_PAUSE_MS
        return min(_HABIT_LIMITS[1], max(_HABIT_LIMITS[0], factor))

    def learn_pause(self, pause_ms: float) -> None:
        """Take a pause after which the caller went on."""
        if pause_ms >= _MIN_PAUSE_MS:
            self._pauses += 1
            self._log_pause += (math.log(pause_ms) - self._log_pause) / self._pauses
