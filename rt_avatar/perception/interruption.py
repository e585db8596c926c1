"""Judge a voice over a paused reply: an interruption, a backchannel, an echo, or a noise?

``Utterance``, its words → whether it takes the turn, or the reply goes on. Knows no windows and
keeps nothing: when it is asked, and what follows, is ``turn_detector``'s.
"""

from typing import Final

from rt_avatar.engines.end_of_turn.ngrams import split_words
from rt_avatar.perception.phrasing import Said, claims_turn, classify
from rt_avatar.perception.utterance import WINDOW_SAMPLES, Utterance, to_samples

# So much voice takes the turn, by what was said. The reply is silent already, so deciding late
# costs nothing; deciding early ends it for a mere "okay": listener's sounds last 0.2 to 0.6 s, and
# what a recogniser makes of their first half is mostly wrong ("oak", "we're all"). "Uh-huh, yeah"
# may last 0.8 s; an echo cannot, as the paused avatar is silent and no path is half a second long.
_TAKES_SAMPLES: Final[dict[Said, int]] = {
    "nothing": 20 * WINDOW_SAMPLES,
    "backchannel": 25 * WINDOW_SAMPLES,
    "own": 28 * WINDOW_SAMPLES,
    "speech": 20 * WINDOW_SAMPLES,
}
# Several words are no listener's sound; and neither is a claim ("wait"), however short.
_MANY_WORDS: Final = 3
_MANY_WORDS_SAMPLES: Final = 14 * WINDOW_SAMPLES
# A recogniser as sure as this of a short word is believed that it is one.
_TRUSTED: Final = 0.8
# So much silence shows that it was no more than that: words may lag behind the voice by 0.3 s.
_RESUME_SAMPLES: Final[dict[Said, int]] = {
    "nothing": 10 * WINDOW_SAMPLES,
    "backchannel": 5 * WINDOW_SAMPLES,
    "own": 3 * WINDOW_SAMPLES,
    "speech": 10 * WINDOW_SAMPLES,
}
# A recogniser that is not sure makes "yeah" of the first word of a phrase, too.
_UNSURE_RESUME_SAMPLES: Final = 9 * WINDOW_SAMPLES
# Behind a word that is no listener's ("Sorry, … can I") people pause. Of 22 phrases over which a
# reply was resumed after 320 ms, 10 go on within 576 (docs/LOG.md). A noise has hardly a pitch, and
# is waited for no longer than before.
_WORD_RESUME_SAMPLES: Final = 18 * WINDOW_SAMPLES
_WORD_PITCHED_SAMPLES: Final = 2 * WINDOW_SAMPLES
# What a recogniser that is not sure finds so long behind a voice is no proof of more than that.
_LATE_WORDS_SAMPLES: Final = 7 * WINDOW_SAMPLES
# A pause without a decision ends after so long, as soon as nobody speaks. Who has mostly spoken
# may be taking breath after a first phrase of half a second; what was mostly silence is noise.
_MAX_PAUSE_SAMPLES: Final = to_samples(600)
_MAX_PAUSE_VOICE_SAMPLES: Final = to_samples(1000)
PAUSE_SILENCE_SAMPLES: Final = 2 * WINDOW_SAMPLES
# Recognisers make words of coughs: words prove an interruption only with so much voice.
_WORDS_SAMPLES: Final = to_samples(160)


class Interruption:
    """A voice over a paused reply, as far as it is known by now.

    Args:
        voice: What was heard of it.
        text: Its words so far.
        confidence: 0..1, how far the words can be trusted.
        own_words: What the avatar was just saying.
        paused_at: Sample at which the reply was paused.
        now: Sample up to which was heard.

    Attributes:
        said: What kind of words they are.
        silence: Samples since its last voice.
    """

    def __init__(
        self,
        voice: Utterance,
        text: str,
        confidence: float,
        own_words: str,
        paused_at: int,
        now: int,
    ) -> None:
        said = classify(text, own_words)
        self.said: Said = "nothing" if said == "speech" and voice.voiced < _WORDS_SAMPLES else said
        self.silence = now - voice.end
        self._voice = voice
        self._text = text
        self._confidence = confidence
        self._paused_at = paused_at
        self._now = now

    @property
    def takes_turn(self) -> bool:
        """Whether it ends the reply."""
        # Half of a hum counts: a long "mmm-hmmm" listens, but a caller may also begin with one.
        voice, said, silence = self._voice, self.said, self.silence
        voiced = voice.voiced - voice.hum / 2
        if voice.is_background:
            return said == "speech" and claims_turn(self._text)
        if said != "speech":
            return voiced >= _TAKES_SAMPLES[said] and not silence
        if claims_turn(self._text):
            return True
        if self._confidence >= _TRUSTED and silence >= _RESUME_SAMPLES[said]:
            return True
        has_many = len(split_words(self._text)) >= _MANY_WORDS
        needed = _MANY_WORDS_SAMPLES if has_many else _TAKES_SAMPLES[said]
        is_late = silence > _LATE_WORDS_SAMPLES and self._confidence < _TRUSTED
        return voiced >= needed and not is_late

    @property
    def is_over(self) -> bool:
        """Whether the reply goes on, unless it takes the turn."""
        return self.silence >= self._resume_silence()

    @property
    def is_backchannel(self) -> bool:
        """Whether it was a listener's sound, not a noise."""
        return self.said == "backchannel" or (self.said == "nothing" and self._is_mm_hm())

    def _resume_silence(self) -> int:
        """Return the silence behind which the reply goes on."""
        voice, said = self._voice, self.said
        is_word = (
            voice.voiced >= _WORDS_SAMPLES
            and voice.pitched >= _WORD_PITCHED_SAMPLES
            and not voice.is_mostly_hum
            and not voice.is_background
        )
        if is_word and said in ("nothing", "speech"):
            return _WORD_RESUME_SAMPLES
        if said == "backchannel" and self._confidence < _TRUSTED:
            return _UNSURE_RESUME_SAMPLES
        is_mostly_voice = 2 * voice.voiced >= self._now - voice.start
        limit = _MAX_PAUSE_VOICE_SAMPLES if is_mostly_voice else _MAX_PAUSE_SAMPLES
        if self._now - self._paused_at < limit:
            return _RESUME_SAMPLES[said]
        return 0 if voice.is_background else PAUSE_SILENCE_SAMPLES

    def _is_mm_hm(self) -> bool:
        return self._voice.voiced >= _WORDS_SAMPLES and (
            self._voice.is_mostly_hum or bool(split_words(self._text))
        )
