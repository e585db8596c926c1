"""Track the caller's speech level to correct voice activity at the ends of an utterance.

The network goes on for some windows after a voice has ended, and begins late with some voices (a
creaky "and", an "f"). Loudness against the caller's own late speech mends both.
"""

from typing import Final

from rt_avatar.engines.prosody import ProsodyFrame

# What is so much quieter than the loudest speech of late is the network's tail: speech itself
# spans some 30 dB (ANSI S3.5).
TAIL_DB: Final = 32.0
FALL_DB: Final = 0.03  # a window: 1 dB a second, so that a caller may move away
# Over a reply, a second window in a row as loud as the caller's speech is taken for a voice even if
# the network is not sure yet: to fall silent in 200 ms cannot wait for it, and holding is taken
# back if it was none. It must stand out of the room, so that a steady noise does not count.
LOUD_DB: Final = 15.0  # within so much of the loudest speech of late
ABOVE_ROOM_DB: Final = 15.0
ROOM_RISE_DB: Final = 0.1  # a window: the room's level follows a new noise at 3 dB a second
UNKNOWN_DB: Final = -70.0  # the caller has not spoken, or minutes ago: loudness tells nothing
LIKELY: Final = 0.6  # faint evidence: three such windows count as two sure ones
# As loud as the caller and with a pitch, which coughs, doors and keys have not: two are a voice.
SURE: Final = 0.8
# The network has told every voice of 104 onsets by then (p95: 232 ms). Loudness that it has not
# called a voice for so long is a noise, and the room is that loud now.
NOISE_WINDOWS: Final = 9


class SpeechLevel:
    """One caller's levels. One thread at a time."""

    def __init__(self) -> None:
        self._speech_db = -100.0
        self._room_db = -100.0
        self._loud_windows = 0
        self._unsure_windows = 0  # of them, in a row, those that the network does not call speech

    def below_voice_db(self, energy_db: float) -> float:
        """Return how far a level is below the caller's loudest speech of late, at least 0."""
        return max(0.0, self._speech_db - energy_db)

    def weigh(
        self, probability: float, sound: ProsodyFrame, *, is_over_reply: bool
    ) -> tuple[float, bool]:
        """Return the probability of speech of a window, and whether loudness alone gave it.

        Args:
            probability: What the network says.
            sound: The same window.
            is_over_reply: The avatar is audible, and the window is not its echo.
        """
        self._room_db = min(self._room_db + ROOM_RISE_DB, sound.energy_db)
        self._speech_db -= FALL_DB
        if probability >= 0.5:
            self._speech_db = max(self._speech_db, sound.energy_db)
        if sound.energy_db <= self._speech_db - TAIL_DB:
            self._loud_windows = 0
            return 0.0, False
        is_loud = (
            self._speech_db > UNKNOWN_DB
            and sound.energy_db > self._speech_db - LOUD_DB
            and sound.energy_db > self._room_db + ABOVE_ROOM_DB
            and not sound.is_hum
        )
        self._loud_windows = self._loud_windows + 1 if is_loud and is_over_reply else 0
        self._unsure_windows = self._unsure_windows + 1 if is_loud and probability < 0.5 else 0
        if self._unsure_windows >= NOISE_WINDOWS:
            self._room_db = sound.energy_db
        likely = SURE if sound.f0_hz is not None else LIKELY
        if probability >= 0.5 and is_loud and is_over_reply:
            return max(probability, likely), False
        if probability >= LIKELY or self._loud_windows < 2:
            return probability, False
        return likely, probability < 0.5
