"""The rule-based reply: reacts, reflects a few words, asks; never advises.

It remembers nothing: what was said before comes with the request, so a discarded preemptive reply
leaves no trace, and the same conversation always gets the same reply. It does not repeat itself
within a call as long as it has other words.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.emotion_words import PLEASANT, UNPLEASANT, Fine, to_fine
from rt_avatar.engines.reply_ranker.fit import asks_what_is_known
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.danger.alarm_replies import ALARMED, after
from rt_avatar.reasoner.listener.bank import Bank
from rt_avatar.reasoner.listener.courtesies import (
    ANSWERED,
    COURTESIES,
    FOLLOW_UP,
    GOOD_NIGHT,
    GRAVE_GOODBYES,
    GREETINGS,
    KNOWN_NAME,
    LOOKS_ONLY,
    MIXED,
    REMEMBERED,
    TAKEN,
    TALKED_ABOUT,
    THANKED,
    UNHEARD_LOOK,
)
from rt_avatar.reasoner.listener.phrases import BANKS, FEELS, OPEN
from rt_avatar.reasoner.nlu.echoes import behind_yes, find_answer
from rt_avatar.reasoner.nlu.feelings import detect, words_of
from rt_avatar.reasoner.nlu.intents import claims_to_be_fine
from rt_avatar.reasoner.nlu.names import find_name
from rt_avatar.reasoner.nlu.topics import HARD_EVENTS
from rt_avatar.reasoner.nlu.understanding import Understanding
from rt_avatar.reasoner.nlu.word_emotion import said_turns
from rt_avatar.reasoner.responses.quiet import ASKED, FELT, HEARD, MAY, NOT_KNOWN, ROOM, SORRY
from rt_avatar.reasoner.responses.unsaid import unsaid

_SAYABLE: Final = UNPLEASANT - {"guilty", "ashamed", "embarrassed", "jealous", "disgusted"}
_NIGHT: Final = word_set("night goodnight nite bed sleep")
_LAST_WORDS: Final = 8  # of a goodbye, in which the night is wished or told of
_THANKS: Final = word_set("thanks thank cheers")
# A question to which "yes" is no answer.
_ASKED_FOR_WORDS: Final = re.compile(
    r"\b(?:how|what(?:'s)?|who(?:'s|se)?|which|where|when|or)\b[^.!?]*\?\s*$", re.IGNORECASE
)
_LOOKS: Final[dict[Fine, str]] = {
    "joyful": "cheerful",
    "surprised": "surprised",
    "annoyed": "a bit tense",
    "anxious": "a little worried",
    "sad": "a little sad",
    "disgusted": "put off",
}


def compose(found: Understanding) -> str:
    """Return the reply to an utterance, whole."""
    return _Composer(found).compose()


def bank_of(found: Understanding) -> Bank:
    """Return the words for what the caller feels."""
    return BANKS[found.feeling.fine] if found.feeling.fine else OPEN


class _Composer:
    def __init__(self, found: Understanding) -> None:
        self._found = found
        self._earlier = found.earlier
        request = found.request
        self._seed = (
            f"{request.persona.name}|{self._earlier.first}|{len(request.history)}|{found.heard}"
        )
        self._said = [" ".join(words_of(text)) for text in self._earlier.said]

    def compose(self) -> str:
        found, earlier = self._found, self._earlier
        request, feeling, intent = found.request, found.feeling, found.own_intent
        if request.greet:
            return self._choose(GREETINGS, name=request.persona.label)
        if found.alarm:
            return self._choose(ALARMED[found.alarm])
        if found.held:
            return self._choose(after(found.held, found.aftermath))
        if found.is_quiet:
            return self._quietly()
        look = _LOOKS.get(feeling.looks, "") if feeling.looks else ""
        if intent == "unheard" and look:
            return self._choose(UNHEARD_LOOK, look=look)
        if intent == "say_again":
            last = _unframed(earlier.said[-1]) if earlier.said else "what's on your mind?"
            return self._choose(COURTESIES[intent], last=last)
        if intent in ("backchannel", "dont_know") and (topic := earlier.topic):
            return self._choose((*FOLLOW_UP, *COURTESIES[intent]), topic=topic)
        if intent in ("tells_name", "asks_name") and (caller := self._caller_name()):
            variants = COURTESIES[intent] if intent == "tells_name" else KNOWN_NAME
            return self._choose(variants, caller=caller, name=request.persona.label)
        if intent == "asks_memory" and (told := earlier.told):
            return self._choose(REMEMBERED, told=told)
        if intent == "goodbye":
            return self._farewell()
        if intent != "telling":
            return self._choose(COURTESIES[intent], name=request.persona.label)
        fine = feeling.coarse == "happy" if feeling.is_named else claims_to_be_fine(found.heard)
        if fine and look and feeling.looks != "joyful":
            return self._choose(MIXED, look=look)
        if not feeling.is_named and look:
            return self._choose(LOOKS_ONLY, look=look)
        if found.is_answer and detect(found.heard).fine is None:
            answer = self._answer()
            return self._choose(TAKEN, answer=answer) if answer else self._ask(ANSWERED)
        return self._reflect()

    def _answer(self) -> str:
        """Return the bare words that answer the avatar's question; empty where they do not."""
        heard = self._found.heard
        rest = behind_yes(heard)
        is_fit = rest != heard or _ASKED_FOR_WORDS.search(self._earlier.said[-1])
        return find_answer(rest, self._found.request.transcript.confidence) if is_fit else ""

    def _reflect(self) -> str:
        """Compose reaction, reflection and question."""
        found = self._found
        bank, topic, feeling = bank_of(found), found.topic, found.feeling
        if feeling.fine is None and not topic and found.is_short and (old := self._earlier.topic):
            return f"{self._choose(OPEN.react)} {self._choose(FOLLOW_UP, topic=old)}"
        event = "" if feeling.coarse == "happy" and topic.event in HARD_EVENTS else topic.event
        words = {
            "feel": self._choose(FEELS[feeling.fine]) if feeling.fine else "",
            "noun": topic.noun,
            "event": event,
        }
        noun = (bank.person or bank.noun) if topic.is_person else bank.noun
        mirrors = bank.event if event else noun if topic.noun else bank.bare
        asks = bank.ask_noun + bank.ask if topic.noun and topic.is_person else bank.ask
        if feeling.fine is None and not topic and (mood := self._earlier.mood) is not None:
            asks = BANKS[mood].ask
        parts = self._choose(bank.react, **words), self._choose(mirrors, **words)
        return " ".join((*parts, self._ask(asks, **words))).rstrip()

    def _farewell(self) -> str:
        """Say goodbye to who takes leave: to their thanks, and with a word on what they told."""
        words, topic = words_of(self._found.heard), self._earlier.main_topic
        parts = []
        if topic:
            parts.append(self._choose(TALKED_ABOUT, topic=topic))
        elif not _THANKS.isdisjoint(words):
            parts.append(self._choose(THANKED))
        goodbyes = COURTESIES["goodbye"]
        if not _NIGHT.isdisjoint(words[-_LAST_WORDS:]):
            goodbyes = GOOD_NIGHT
        elif self._found.grave or self._earlier.is_sorrow:
            goodbyes = GRAVE_GOODBYES
        parts.append(self._choose(goodbyes))
        return " ".join(parts)

    def _quietly(self) -> str:
        """Give room to what is grave, and name no feeling that the caller does not."""
        found, said = self._found, self._earlier.said
        is_said = bool(said) and "sorry" in said[-1].lower()
        is_new = found.grave == "sorrow" and found.own not in PLEASANT and not is_said
        if found.question and found.asks_gravely:
            opening = {"may": MAY, "like_me": NOT_KNOWN, "asks": ASKED}[found.question]
            if is_new and found.is_long:  # the news, and then the question
                opening = tuple(one for one in opening if "sorry" not in one)
                return f"{self._choose(SORRY)} {self._choose(opening)}"
            return f"{self._choose(opening)} {self._choose(ROOM)}"
        parts = [self._choose(SORRY if is_new else HEARD)]
        if found.own in _SAYABLE and found.own in map(to_fine, found.heard.lower().split()):
            parts.append(self._choose(FELT, feel=self._choose(FEELS[found.own])))
        return " ".join((*parts, self._choose(ROOM)))

    def _ask(self, variants: Sequence[str], **words: str) -> str:
        """Return a variant that does not ask for what was told; empty where all do."""
        told, said = said_turns(self._found.request), self._earlier.said
        new = [one for one in variants if not asks_what_is_known(one, told, said)]
        return self._choose(new, **words) if new else ""

    def _choose(self, variants: Sequence[str], **words: str) -> str:
        """Return a variant that was not said in this call, with these words in it."""
        chosen = unsaid(variants, self._seed, self._said, _signature)
        filled = chosen.format(**words) if "{" in chosen else chosen
        return filled[:1].upper() + filled[1:] if filled[-1:] in ".?!" else filled

    def _caller_name(self) -> str:
        """Return the name that the caller gave last; empty where none was given."""
        return find_name(self._found.heard) or self._earlier.name


def _unframed(said: str) -> str:
    """Return what was said, without the words that say it again."""
    frames = tuple(variant.partition("{")[0] for variant in COURTESIES["say_again"])
    while found := next((one for one in frames if said.startswith(one)), ""):
        said = said.removeprefix(found)
    return said


def _signature(variant: str) -> str:
    """Return what tells that a variant was said: the first words of its longest fixed part."""
    fixed = max(variant.replace("}", "{").split("{")[::2], key=len)
    # Six words: enough to be unlike others, and kept when an interruption cuts the reply.
    return " ".join(words_of(fixed)[:6])
