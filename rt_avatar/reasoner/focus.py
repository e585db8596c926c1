"""Find the words of a turn that carry its news, to be told back.

English puts what is new last. So the end of the last sentence is taken, from its last preposition
or article on, without times and asides behind it: "He counted it out in front of my kids." → "In
front of your kids?". That says that somebody listened, fits any feeling, and claims nothing. Knows
no feeling and no reply.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.emotion_words import to_fine
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.echoes import BUT, TOKEN, swapped
from rt_avatar.reasoner.topics import SURE

_SENTENCES: Final = re.compile(r"[^.!?;:]+[.!?;:]?")
_CLAUSES: Final = re.compile(
    r",(?!\d)|\s-+\s|\s(?:and|so|which|who|that|where|what|how|why|whether|as if|cuz)\s",
    re.IGNORECASE,
)
# What follows these is beside the point that was made before.
_BESIDE: Final = re.compile(
    r"(?<=\w),?\s(?:because|when|while|if|until|unless|although|though|since|before|after)\s"
    r"(?=(?:i|we|he|she|they|it|you|my|our|his|her|their|the)\b).*$|\sthan\s.*$",
    re.IGNORECASE,
)
_CLOSE: Final = 2  # clauses, the last ones, of a sentence
_MOST: Final = 6  # words told back
_FRAGMENT: Final = 4  # words of a sentence that is told back whole
_WORTH: Final = 3  # letters of a word that says something

_ARTICLES: Final = word_set("a an the my our his her their its half another every")
_NUMBERS: Final = word_set(
    "one "
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "thousand dozen"
)
_PREPOSITIONS: Final = word_set(
    "in on at with without under over through into onto from behind between against near across "
    "along inside outside past towards toward around like as beside below above about for by to off"
)
# A preposition that these stand before goes with them: "all the way home", "in front of".
_BEFORE: Final = (
    ("all", "the", "way"), ("right", "there"), ("right", "here"), ("halfway",), ("half",),
    ("straight",), ("right",), ("only",), ("just",), ("far",),
)  # fmt: skip
_BEFORE_TO: Final = (*_BEFORE, ("up",), ("down",), ("back",), ("next",))
_PLACED: Final = word_set("across over back down next away")
_TIMES: Final = word_set(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends mornings evenings "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december morning evening afternoon night noon "
    "midnight day days week weeks weekend month months year years hour hours minute minutes second "
    "moment time times while ages o'clock today tomorrow yesterday tonight now then later soon "
    "spring summer autumn winter fall christmas easter once twice first last end beginning start"
)
# What may stand behind the news and is left out.
_ASIDES: Final = word_set(
    "today tonight yesterday tomorrow now then again too also either anyway though honestly "
    "actually really instead already yet still though once twice ever since lately recently later "
    "soon earlier ago here there basically apparently obviously please alone together everywhere "
    "home"
)
_ASIDE_PHRASES: Final = (
    "at the moment", "right now", "at least", "at all", "at last", "at first", "at once", "of all",
    "in the end", "in ages", "in a while", "for a while", "for ages", "for now", "for once",
    "for sure", "for real", "as well", "so far", "any more", "all day", "all night", "all the time",
    "every day", "every time", "this morning", "this evening", "this afternoon", "this week",
    "this weekend", "this year", "this time", "this month", "last night", "last week", "last year",
    "last month", "last time", "next week", "next year", "next month", "the other day",
    "the whole time", "the whole day", "the next day", "in the morning", "in the evening",
    "in the afternoon", "at night", "on the weekend", "at the weekend", "by the way", "of course",
    "you know", "i think", "i guess", "i suppose", "to be honest", "if i'm honest", "ever since",
    "or something", "or so", "a bit", "a lot", "a little", "very much", "so much", "like that",
    "in fact", "in general", "these days", "one day", "some day", "by now", "on time", "in time",
    "in my head", "in her head", "in his head", "in your head", "in mind",
    "on my mind", "in my life", "by heart", "in the world", "off my chest",
    "on my nerves", "out of my mind", "in my face", "at heart",
    "on my own", "on his own", "on her own", "by myself", "to me", "for me", "with me", "to us",
    "for us", "with us", "for him", "for her", "to him", "to her", "with him", "with her",
    "for them", "to them", "with them", "of it", "with it", "to it", "for it", "on it", "about it",
    "of them", "of us", "of me", "from it", "in it", "after that", "before that", "about that",
    "with that", "for that",
)  # fmt: skip
_ASIDE_TOKENS: Final = tuple(
    sorted((tuple(one.split()) for one in _ASIDE_PHRASES), key=len, reverse=True)
)
# Not told back: who speaks, what is denied, asked, vague, coarse, or a feeling.
_NEVER: Final = word_set(
    "i i'm i've i'd i'll we we're we've we'll he he's she she's they they're they've it it's "
    "that's there's what's who's let's you your yours you're yourself myself himself herself "
    "themselves this that these those there here what which who whom whose how why when where if "
    "or nor not never no none nothing nobody everything anything something someone somebody "
    "everyone everybody anyone anybody thing things stuff way kind sort point fact case rest "
    "course sense fault mind reason matter deal lot bit piece ones thanks thank except word words "
    "name heartbeat next question chance idea problem problems work it'll crap shit shitty fuck "
    "fucking damn hell ass bitch naked drunk ugly fat stupid dumb idiot lol haha omg god self "
    "other others each both him them me us is was are were am be been being used has have had do "
    "does did done can could will would shall should may might must got get gets getting went go "
    "goes gone going came come comes said says say saw see seen made make makes took take takes "
    "told tell tells knew know knows think thinks thought want wants wanted need needs needed let "
    "lets put puts keep keeps kept gave give gives left leave leaves felt feel feels found find "
    "finds asked ask asks called call calls tried try tries looked look looks seemed seem seems "
    "started start starts stopped stop stops liked likes loved loves hated hates wish wished hope "
    "hoped guess bet mean means meant ran run runs won lost broke fell hit cut paid sold bought "
    "brought thanked stood sat laughed cried hand hands eyes breath"
)
_GAVE: Final = word_set(
    "gave give gives giving told tell tells telling sent send sends bought buy buys showed show "
    "shows asked ask asks made make makes let lets got get gets brought bring brings called call "
    "calls want wants saw see sees heard hear hears helped help helps taught teach offered read "
    "wished cost left cooked baked handed paid promised of at with to for about from"
)
_LIKERS: Final = word_set("i we you they i'd we'd he'd she'd they'd don't doesn't didn't really "
                          "would to always both also people")  # fmt: skip
_NAMED: Final = re.compile(r"\bcall(?:s|ed)? (?:it|him|her|them)$")
_MEASURES: Final = word_set(
    "one own "
    "few couple whole long short little only same very of more less good best worst most least "
    "longest shortest biggest smallest busiest oldest youngest latest hardest easiest nicest "
    "greatest closest"
)
_SHORT_ED: Final = 4  # letters: "shed", "sled"
_NO_VERBS: Final = word_set("hundred kindred sacred naked breed speed indeed weed seed beloved")
_EXCEPT: Final = word_set("except not no never without hardly")
_PARTICLES: Final = word_set("out up down off over away back around in on")
_TRAILING: Final = _PARTICLES | word_set("just only")
_ALL_THE_WAY: Final = ("all", "the", "way")
_PAIR: Final = 2
_AGED: Final = word_set("he's she's i'm it's")  # "she's four"
_CONJUNCTIONS: Final = word_set("and but so or well oh yes yeah no right just")


def find_focus(text: str, confidence: float = 1.0) -> str:
    """Return the words that carry a turn's news, as told back; empty where none are found.

    "He counted it out on the table in front of my kids." → "in front of your kids".

    Args:
        text: What was said.
        confidence: 0 to 1, how surely it was heard; less than ``SURE`` gives nothing.
    """
    if confidence < SURE:
        return ""
    sentences = [one.strip() for one in _SENTENCES.findall(text.replace("’", "'")) if one.strip()]
    if not sentences or sentences[-1].endswith("?"):
        return ""
    sentence = _BESIDE.sub("", BUT.split(sentences[-1])[-1])
    clauses = [one for one in _CLAUSES.split(sentence) if TOKEN.search(one)]
    for clause in reversed(clauses[-_CLOSE:]):
        words = TOKEN.findall(clause)
        found = _focus_of(words, is_whole=len(words) == len(TOKEN.findall(sentence)))
        if found:
            return found
    return ""


def _focus_of(words: Sequence[str], *, is_whole: bool) -> str:
    """Return what of a clause is told back; empty where nothing is."""
    words = _without_asides(words)
    while words and words[0].casefold() in _CONJUNCTIONS:
        words = words[1:]
    lower = [word.casefold() for word in words]
    if not words or lower[0] == "you":
        return ""
    if is_whole and len(words) == _PAIR and lower[0] in _AGED and _is_number(lower[1]):
        return words[1]
    if tuple(lower[-4:-1]) == _ALL_THE_WAY:
        return " ".join(words[-4:])
    is_fragment = is_whole and 1 < len(words) <= _FRAGMENT and not lower[-1].endswith("ly")
    if is_fragment and _can_be_told(words, lower):
        return _told(words, lower)
    is_named = lower[-2:-1] in (["called"], ["named"]) or _NAMED.search(" ".join(lower[:-1]))
    if len(words) > 2 and is_named and words[-1][0].isupper():
        return words[-1]
    for start in range(len(words) - 2, -1, -1):
        if not _begins(words, lower, start):
            continue
        end = _end_of(lower, start)
        widest = _widened(lower, start)
        if _is_denied(lower, widest):
            return ""
        for begin in range(widest, start + 1):
            if end - begin <= _MOST and _can_be_told(words[begin:end], lower[begin:end]):
                return _told(words[begin:end], lower[begin:end])
    return ""


def _without_asides(words: Sequence[str]) -> Sequence[str]:
    """Return a clause without the times and asides at its end."""
    while words:
        lower = tuple(word.casefold() for word in words)
        size = next((len(one) for one in _ASIDE_TOKENS if lower[-len(one) :] == one), 0)
        if not size and lower[-1] in _ASIDES:
            size = 0 if lower[-4:-1] == ("all", "the", "way") else 1
        if not size and len(lower) > 1 and lower[-2] in ("on", "at", "in", "since", "until"):
            size = 2 if lower[-1] in _TIMES else 0
        if not size:
            break
        words = words[:-size]
    return words


def _begins(words: Sequence[str], lower: Sequence[str], at: int) -> bool:
    """Whether what is told back may begin here."""
    word, following = lower[at], lower[at + 1]
    is_thing = following in _ARTICLES or following in _NUMBERS or words[at + 1][0].isupper()
    if word in ("to", "for", "as", "by", "about", "off"):
        return is_thing
    if word == "like":
        return at > 0 and is_thing and lower[at - 1] not in _LIKERS
    if word == "her":
        return at > 0 and lower[at - 1] not in _GAVE
    return word in _PREPOSITIONS or word in _ARTICLES or word in _NUMBERS


def _widened(lower: Sequence[str], start: int) -> int:
    """Return where it begins with what belongs before it: "a bag of ice", "all the way home"."""
    moved = True
    while moved and start > 0:
        moved = False
        if lower[start - 1] == "of" and start > 1:
            low = max(0, start - 4)
            wider = next((at for at in range(start - 2, low - 1, -1) if lower[at] in _ARTICLES
                          or lower[at] in _NUMBERS or lower[at] == "front"), None)  # fmt: skip
            if wider is not None and lower[wider] == "front":
                wider = wider - 1 if lower[wider - 1] == "in" else None
            if wider is not None:
                start, moved = wider, True
                continue
        if lower[start] in _PREPOSITIONS and lower[start - 1] in _PLACED:
            start, moved = start - 1, True
            continue
        for before in _BEFORE_TO if lower[start] == "to" else _BEFORE:
            if tuple(lower[max(0, start - len(before)) : start]) == before:
                start, moved = start - len(before), True
                break
        else:
            if _goes_with(lower, start):
                start, moved = start - 1, True
    for at in range(max(0, start - 4), start):  # "with a pillow over my head"
        if lower[at] == "with" and lower[at + 1] in _ARTICLES:
            return at
    return start


def _goes_with(lower: Sequence[str], start: int) -> bool:
    """Whether a thing, or a number, is told together with the word before it."""
    before = lower[start - 1]
    if lower[start] in _NUMBERS and before in _NUMBERS | _ARTICLES:
        return True
    is_liked = before == "like" and lower[max(0, start - 2)] in _LIKERS
    is_thing = lower[start] in _ARTICLES or lower[start] in _NUMBERS
    return is_thing and before in _PREPOSITIONS and not is_liked


def _is_denied(lower: Sequence[str], start: int) -> bool:
    """Whether what begins there is not so, or there is none of it ("hasn't sent a message")."""
    before = lower[:start]
    if before and (before[-1] in _EXCEPT or before[-1].endswith("n't")):
        return True
    has_no = any(word in _EXCEPT or word.endswith("n't") for word in before)
    return has_no and lower[start] in ("a", "an", "another")


def _end_of(lower: Sequence[str], start: int) -> int:
    """Return where it ends: before what something is for ("eleven hundred *to fix it*")."""
    end = len(lower)
    for at in range(start + 2, len(lower) - 1):
        following = lower[at + 1]
        if lower[at] == "to" and not (following in _ARTICLES or following in _NUMBERS):
            end = at
            break
    while end > start and lower[end - 1] in _TRAILING:
        end -= 1
    return end


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word.partition("-")[0] in _NUMBERS


def _can_be_told(words: Sequence[str], lower: Sequence[str]) -> bool:
    plain = [word for word in lower if word not in _PREPOSITIONS and word not in _ARTICLES]
    heads = [
        word
        for word in plain
        if word not in _NUMBERS and word not in _MEASURES and len(word) >= _WORTH
    ]
    if not heads and not (len(plain) > 1 or words[-1][0].isupper()):
        return False
    is_only_time = bool(heads) and all(word in _TIMES for word in heads)
    has_number = any(word in _NUMBERS or word[0].isdigit() for word in lower)
    return (
        _NEVER.isdisjoint(lower[2:] if lower[:2] == ["right", "there"] else lower)
        and not any(word.endswith("n't") for word in lower)
        and lower[-1] not in _PREPOSITIONS | _ARTICLES | _PARTICLES | _MEASURES
        and not (is_only_time and not has_number)
        and not any(map(to_fine, (word for word in lower if word not in _PLACED)))
        and not any(word.endswith("ly") and word not in ("family", "only") for word in lower[:1])
        and not any(map(_is_verb, lower))
        and not find_unsafe(" ".join(words))
    )


def _is_verb(word: str) -> bool:
    """Whether a word may say what somebody did ("turned"): then it is no thing or place."""
    return len(word) > _SHORT_ED and word.endswith("ed") and word not in _NO_VERBS


def _told(words: Sequence[str], lower: Sequence[str]) -> str:
    if lower[0] == "in" and lower[1] in _NUMBERS and lower[-1] in _TIMES:
        words, lower = words[1:], lower[1:]  # a span: "thirty years"
    return " ".join(swapped(words, lower))
