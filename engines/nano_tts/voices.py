"""The persons: whose voice each one's is made of, and how it is tuned."""

from dataclasses import dataclass, field
from typing import Final

from rt_avatar.engines.nano_tts.clause import PITCH_RANGE_MAX, RATE_MAX, Delivery
from rt_avatar.engines.tts_prosody import Prosody
from rt_avatar.engines.tts_tone import Tone


@dataclass(frozen=True, slots=True)
class NanoVoice:
    """One person's voice.

    Attributes:
        speakers: Readers by name and share.
        pitch: Mean pitch against theirs, as heard.
        pitch_range: Range of intonation against theirs.
        rate: Speaking rate against theirs.
        slowest: Rate below which no feeling takes it.
        lift: Share of the octaves by which feelings raise its pitch; they lower it whole.
        formant: Above 1 shortens the vocal tract (a child), below 1 lengthens it.
        tone: Of a filter behind the generator.
        timbre_db: Of the same filter, gains at ``tts_tone.TIMBRE_HZ``; empty: none.
    """

    speakers: dict[str, float]
    pitch: float = 1.0
    pitch_range: float = 1.0
    rate: float = 1.0
    slowest: float = 0.6
    lift: float = 1.0
    formant: float = 1.0
    tone: Tone = field(default_factory=lambda: Tone(lowest_db=0.0, top_db=0.0, has_room=False))
    timbre_db: tuple[float, ...] = ()

    def delivery(self, prosody: Prosody) -> Delivery:
        """Return how it says a clause, within what stays clear."""
        felt = prosody.pitch
        return Delivery(
            rate=min(max(self.rate * prosody.rate, self.slowest), RATE_MAX),
            pitch=self.pitch * (felt**self.lift if felt > 1 else felt),
            pitch_range=min(max(self.pitch_range * prosody.pitch_range, 0.0), PITCH_RANGE_MAX),
            formant=self.formant,
            breath_db=prosody.breath_db,
            jitter=prosody.jitter,
            voiced=prosody.voiced,
        )


# Ranges of intonation make up for what the flow leaves out of its readers' (`bench melody`).
VOICES: Final[dict[str, NanoVoice]] = {
    "young_female": NanoVoice({"lj": 1.0}, pitch_range=1.3),
    "young_male": NanoVoice({"460": 1.0}, pitch=1.1, pitch_range=1.9, rate=1.04),
    "middle_female": NanoVoice({"cathy": 1.0}, pitch_range=1.3, formant=0.97),
    "middle_male": NanoVoice({"8629": 1.0}, pitch=1.04, pitch_range=1.8),
    "elderly_female": NanoVoice(
        {"1898": 0.5, "3947": 0.5}, pitch=0.82, pitch_range=1.3, rate=0.86, formant=0.97
    ),
    "elderly_male": NanoVoice({"118": 1.0}, pitch=1.02, pitch_range=1.8, rate=0.86, formant=0.97),
    # Feelings that took children higher or slower would lose their words.
    "child_female": NanoVoice(
        {"3526": 0.6, "3947": 0.4},
        pitch=1.24,
        pitch_range=1.4,
        rate=0.95,
        slowest=0.88,
        lift=0.5,
        formant=1.08,
    ),
    "child_male": NanoVoice(
        {"cathy": 0.5, "1898": 0.5},
        pitch=1.24,
        pitch_range=1.2,
        rate=0.94,
        slowest=0.88,
        lift=0.5,
        formant=1.1,
    ),
}
