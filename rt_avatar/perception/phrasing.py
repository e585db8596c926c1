"""Classify words for turn detection: finished sentence, backchannel, own echo.

Words in, a number or a kind out. English word lists; in another language they simply match
nothing, and pitch and silence decide alone. Knows nothing of time, sound or state.
"""

import re
from collections import Counter
from typing import Final, Literal

from rt_avatar.engines.end_of_turn.ngrams import split_words
from rt_avatar.engines.word_set import word_set

Said = Literal["nothing", "own", "backchannel", "speech"]

UNKNOWN: Final = 0.5  # how finished an utterance is of which no word is known


# A sentence does not end in these: conjunctions, articles, prepositions, possessives, auxiliaries,
# fillers, and verbs that want an object. Closed classes after Huddleston & Pullum, "A Student's
# Introduction to English Grammar" (2005), ch. 6, 7 and 14; without those that end questions and
# answers all the time ("is it on?", "I think so", "he knows that").
_OPEN: Final = word_set(
    """
    and but or nor because cause since although though unless until while whereas whether if than
    the a an my your his our their its this these every each
    of to for from with without into onto at by between among during against toward towards
    i we they he she who which
    i'm i've i'd i'll we're we've we'd we'll they're they've he's she's you've you'd
    am is are was were be been being has have had will would could should can might must may
    gonna wanna very really just quite even also maybe like
    um uh er erm hmm mm well
    want wants need needs feel feels think thought guess mean said says tell told get got make
    """
)
# These end a turn by themselves: thanks, farewells, plain answers.
_CLOSING: Final = tuple(
    tuple(phrase.split())
    for phrase in (
        "thank you", "thanks", "bye", "goodbye", "good night", "see you", "that's it",
        "that's all", "please", "yes", "no", "yep", "nope", "sure", "exactly", "of course",
        "never mind", "you know what i mean", "what do you think", "hello", "hi", "stop",
    )
)  # fmt: skip
_QUESTION: Final = word_set(
    """
    what what's who who's whose where where's when why how how's which
    do does did is are was were am can could will would should have has may
    don't doesn't didn't isn't aren't won't wouldn't can't couldn't
    """
)
# Listener responses that do not claim the turn; after Ward & Tsukahara, "Prosodic features which
# cue back-channel responses in English and Japanese", J. Pragmatics 32 (2000), and Jurafsky et
# al., "Lexical, prosodic, and syntactic cues for dialog acts" (1998), table 2.
_BACKCHANNEL: Final = word_set(
    """
    mm mhm mmm hm hmm hum huh uh um uhuh ah aha oh ooh wow yeah yep yup yes ya right okay ok sure
    true good great nice cool really exactly totally absolutely indeed gotcha
    """
)
_BACKCHANNEL_PHRASES: Final = (
    "i see", "i know", "i understand", "got it", "of course", "that's right", "that's true",
    "all right", "alright", "go on", "no way", "makes sense", "fair enough",
)  # fmt: skip
# Words that take the turn however short they are: refusals, holds, apologies, objections.
_CLAIMS: Final = word_set(
    "stop wait no sorry excuse hold hang pause quiet silence enough but actually hey hello listen"
)
# What recognisers make of a breath or a click; alone they prove nothing.
_NOISE: Final = word_set("a an the and i it in of to at er he that but or")
# Fewer own words than this may be chance; and a recogniser mishears up to a third of an echo.
_OWN_WORDS_MIN: Final = 2
_OWN_SHARE_MIN: Final = 0.65


def is_question(text: str) -> bool:
    """Return whether ``text`` ends in a question: by its mark, or by the words it opens with."""
    words = split_words(text)
    return text.rstrip().endswith("?") or (len(words) >= 3 and words[0] in _QUESTION)


def how_finished(text: str) -> float:
    """Return how finished ``text`` sounds, 0 (must go on) to 1 (nothing is missing).

    Without any words it is ``UNKNOWN``.
    """
    words = split_words(text)
    if not words:
        return UNKNOWN
    if text.rstrip().endswith((",", ";", ":", "-", "–", "—", "…", "...")):
        return 0.0
    if any(tuple(words[-len(phrase) :]) == phrase for phrase in _CLOSING):
        return 1.0
    is_ended = text.rstrip().endswith((".", "!", "?"))
    if words[-1] in _OPEN:
        # Recognisers put a full stop after everything: against an open word it weighs little.
        return 0.2 if is_ended else 0.0
    if is_ended:
        return 1.0
    if is_question(text):
        return 0.9
    # A subject, a verb and something more are a clause; one or two words are often a beginning.
    return 0.75 if len(words) >= 4 else 0.55


def claims_turn(text: str) -> bool:
    """Return whether ``text`` begins with a word that takes the turn by itself ("wait")."""
    words = split_words(text)
    return bool(words) and words[0] in _CLAIMS


def classify(text: str, own_words: str) -> Said:
    """Say what was said over the avatar's own speech.

    Args:
        text: What the recogniser heard.
        own_words: What the avatar is just saying: its words may come back as an echo.

    Returns:
        ``"nothing"`` (no words, or such as noise makes), ``"own"`` (the avatar's words),
        ``"backchannel"`` or ``"speech"``.
    """
    words = split_words(text)
    rest = list((Counter(words) - Counter(split_words(own_words))).elements())
    n_own = len(words) - len(rest)
    if n_own >= _OWN_WORDS_MIN:
        if n_own >= _OWN_SHARE_MIN * len(words):
            return "own"
        words = rest
    if not words or (len(words) == 1 and words[0] in _NOISE):
        return "nothing"
    plain = " ".join(words)
    for phrase in _BACKCHANNEL_PHRASES:
        plain = re.sub(rf"\b{phrase}\b", "okay", plain)
    is_backchannel = all(word in _BACKCHANNEL for word in plain.split())
    return "backchannel" if is_backchannel else "speech"
