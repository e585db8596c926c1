"""Which words of a growing transcript can be trusted: hypotheses go in, agreed words come out.

A recogniser that decodes the same sound again and again, each time with a little more of it,
changes its mind about the last words. LocalAgreement-2 trusts a word once two hypotheses in a row
begin with the same words up to it. Knows nothing of sound or of any recogniser.

Source: Macháček, Dabre, Bojar, "Turning Whisper into Real-Time Transcription System", 2023,
https://arxiv.org/abs/2307.14743, section 3.1 (LocalAgreement-n with n = 2).
"""

from collections.abc import Sequence


class LocalAgreement:
    """The agreed words of one utterance. They never get fewer until ``reset``."""

    def __init__(self) -> None:
        self.reset()

    @property
    def words(self) -> tuple[str, ...]:
        """The agreed words so far."""
        return self._agreed

    def reset(self, last: Sequence[str] = ()) -> None:
        """Begin anew, with ``last`` as the hypothesis that the next one is compared with."""
        self._last = tuple(last)
        self._agreed: tuple[str, ...] = ()

    def update(self, words: Sequence[str]) -> tuple[str, ...]:
        """Take the next hypothesis; return the agreed words, as the newest hypothesis spells them.

        Words that were agreed stay, whatever a single hypothesis says; they are replaced when two
        in a row agree on at least as many others.
        """
        same = 0
        for before, now in zip(self._last, words, strict=False):
            if _plain(before) != _plain(now):
                break
            same += 1
        if same >= len(self._agreed):
            self._agreed = tuple(words[:same])
        self._last = tuple(words)
        return self._agreed


def _plain(word: str) -> str:
    """Return the word without case and punctuation: Whisper ends whatever it has with a stop."""
    return "".join(letter for letter in word.casefold() if letter.isalnum()) or word
