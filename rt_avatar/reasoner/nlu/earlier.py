"""What was said before in a call, as far as it bears on the next reply."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from rt_avatar.engines.emotion_words import Fine
from rt_avatar.reasoner import ChatMessage
from rt_avatar.reasoner.danger.aftermath import PASSED_OVER, SETTLED, find_aftermath
from rt_avatar.reasoner.danger.alarm_replies import ALARMED
from rt_avatar.reasoner.danger.alarms import UNSURE, Alarm, find_alarm, is_unsure
from rt_avatar.reasoner.nlu.clauses import find_clause
from rt_avatar.reasoner.nlu.echoes import find_echo
from rt_avatar.reasoner.nlu.feelings import detect, words_of
from rt_avatar.reasoner.nlu.grave import find_grave
from rt_avatar.reasoner.nlu.intents import clean_words
from rt_avatar.reasoner.nlu.moved_on import since_grief
from rt_avatar.reasoner.nlu.names import find_name
from rt_avatar.reasoner.nlu.spelling import spelled
from rt_avatar.reasoner.nlu.topics import clauses_in, find_topic
from rt_avatar.reasoner.responses.remembered import find_remembered

_ALARMED_TURNS: Final = 3  # caller's utterances for which an alarm stays the first concern
_ASKED_TURNS: Final = 8  # caller's utterances in which no more is asked for being unsure
_QUESTION_WORDS: Final = 6  # enough to be unlike others, and kept when the reply is cut
_QUESTIONS: Final = frozenset(
    tuple(words_of(text)[:_QUESTION_WORDS])
    for text in (*ALARMED["unsure"], *ALARMED["unsure_suicide"])
)
_NAMED_AGAIN: Final = 2  # turns in which what a call was about was named
_MOOD_TURNS: Final = 2  # caller's utterances for which a feeling still colors neutral words


class Earlier:
    """The call so far, without the utterance that is to be answered.

    Attributes:
        said: The avatar's replies, as far as they were heard.
    """

    def __init__(self, history: Sequence[ChatMessage]) -> None:
        self.said = [one.text for one in history if one.role == "avatar"]
        self._told = [one.text for one in history if one.role == "caller"]
        # The avatar's turn before each of the caller's, and before the one that is to be answered.
        self._asked: list[str] = []
        last = ""
        for one in history:
            if one.role == "caller":
                self._asked.append(last)
            else:
                last = one.text
        self._asked.append(last)

    @property
    def first(self) -> str:
        """The caller's first utterance; empty where this is it."""
        return self._told[0] if self._told else ""

    @property
    def is_asked(self) -> bool:
        """Whether the last reply ended in a question."""
        return bool(self.said) and self.said[-1].rstrip().endswith("?")

    @cached_property
    def topic(self) -> str:
        """The last thing that the caller spoke of ("job"); empty where there was none."""
        for text in reversed(self._told):
            if noun := find_topic(clean_words(text), 0.0).noun:
                return noun
        return ""

    @cached_property
    def main_topic(self) -> str:
        """What of the caller's own the call was about ("your job"); empty where that is unsure.

        It was named in more turns than anything else of theirs, and in two at least, or the call
        began with it and nothing else was named.
        """
        told = [clean_words(text) for text in self._told]
        named = [noun for text in told if (noun := find_topic(text, 0.0).noun)]
        own = dict.fromkeys(noun for noun in named if noun.startswith("your "))
        counts = {noun: sum(_names(text, noun) for text in told) for noun in own}
        most = max(counts.values(), default=0)
        found = [noun for noun, count in counts.items() if count == most]
        is_all = len(own) == 1 and _names(told[0], found[0])
        return found[0] if len(found) == 1 and (most >= _NAMED_AGAIN or is_all) else ""

    @cached_property
    def name(self) -> str:
        """The name that the caller gave last; empty where none was given."""
        texts = map(clean_words, reversed(self._told))
        return next((name for text in texts if (name := find_name(text))), "")

    @cached_property
    def told(self) -> str:
        """The last clause of the caller's that can be told back; empty where none can."""
        texts = [spelled(clean_words(text)) for text in reversed(self._told)]
        clauses = (found.told for text in texts if (found := find_clause(text)))
        return next((told for told in (*map(find_echo, texts), *clauses) if told), "")

    @cached_property
    def mood(self) -> Fine | None:
        """What the caller's last words spoke of, for when the new ones speak of nothing."""
        for text in reversed(self._told[-_MOOD_TURNS:]):
            feeling = detect(clean_words(text))
            if feeling.fine is not None:
                return feeling.fine
        return None

    @cached_property
    def alarm(self) -> Alarm | None:
        """The alarm of a few utterances ago that nothing has settled since.

        What was asked for being unsure is settled by whoever goes on.
        """
        held: Alarm | None = None
        turns = 0
        for at, text in enumerate(map(clean_words, self._told)):
            before, was_asked = self._told[:at], self._was_asked(at)
            if alarm := find_alarm(text, before, is_sensed=held is None, was_asked=was_asked):
                held, turns = alarm, 0
            elif held:
                how, turns = find_aftermath(text, self._asked[at]), turns + 1
                is_passed_over = held in UNSURE and how in PASSED_OVER
                if how in SETTLED or is_passed_over or turns >= _ALARMED_TURNS:
                    held = None
        return held

    @cached_property
    def is_harmed(self) -> bool:
        """Whether the caller told in this call that somebody hurts or frightens them."""
        return any(
            find_alarm(clean_words(one)) in ("violence", "fear", "child") for one in self._told
        )

    def alarm_of(self, text: str) -> Alarm | None:
        """Return the alarm of what is said now; None where there is none.

        While another is not settled, only words on the lists raise a new one.
        """
        was_asked = self._was_asked(len(self._told))
        return find_alarm(text, self._told, is_sensed=self.alarm is None, was_asked=was_asked)

    def _was_asked(self, at: int) -> bool:
        """Whether one of the turns before that one was asked about for being unsure."""
        return any(at - _ASKED_TURNS <= one < at for one in self._doubted)

    @cached_property
    def _doubted(self) -> list[int]:
        """The turns that were asked about for being unsure, as far as the question was heard."""
        return [
            at
            for at, text in enumerate(self._told)
            if tuple(words_of(self._asked[at + 1])[:_QUESTION_WORDS]) in _QUESTIONS
            and is_unsure(clean_words(text), self._told[:at])
        ]

    @cached_property
    def is_sorrow(self) -> bool:
        """Whether the caller has just told of a death or the like, and not gone on from it."""
        lately = since_grief(tuple(self._told[-_MOOD_TURNS:]))
        told = (one for one in lately if not find_remembered(one))
        return any(find_grave(text) == "sorrow" for text in told)


def _names(text: str, noun: str) -> bool:
    """Whether a turn names what is called "your job": "a job", "the job's gone"."""
    head = noun.split()[-1].replace("-", "")
    words = (word for clause in clauses_in(text) for word in clause)
    return not {head, f"{head}s"}.isdisjoint(words)
