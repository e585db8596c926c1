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
from rt_avatar.reasoner.nlu.swapping import (
    BUT,
    NUMBERS,
    REPROACHES,
    TOKEN,
    UNTOLD,
    is_number,
    swapped,
)
from rt_avatar.reasoner.nlu.topics import SURE

_SENTENCES: Final = re.compile(r"(?:[^.!?;:]|[.:](?=\d))+[.!?;:]?")
_CLAUSES: Final = re.compile(
    r",(?!\d)|\s-+\s|\s(?:and(?! (?:an?|the|my|our|his|her|their) (?:\S+ )?\S+$)|so|which|who|that|"
    r"where|what|how|why|whether|as if|cuz)\s",
    re.IGNORECASE,
)
# What follows these is beside the point that was made before.
_BESIDE: Final = re.compile(
    r"(?<=\w),?\s(?:because|when|while|if|until|unless|although|though|since|before|after)\s"
    r"(?=(?:i|we|he|she|they|it|you|my|our|his|her|their|the)\b).*$|\sthan\s.*$",
    re.IGNORECASE,
)
_CLOSE: Final = 2  # clauses, the last ones, of a sentence
_NEAR: Final = 60  # words of a clause, the last ones; typed without end, more would take long
_MOST: Final = 6  # words told back
_FRAGMENT: Final = 4  # words of a sentence that is told back whole
_WORTH: Final = 3  # letters of a word that says something

_ARTICLES: Final = word_set("a an the my our his her their half another every")
_PREPOSITIONS: Final = word_set(
    "in on at with without under over through into onto from behind between against near across "
    "along inside outside past towards toward around like as beside below above about for by to off"
)
_THINGS: Final = _ARTICLES | NUMBERS  # begin one
_JOINS: Final = word_set("of and")  # two things
_OPENS: Final = _THINGS | {"out"}  # the first of them
# Told together with what is behind them: "all the way home", "down on the floor".
_PHRASES: Final = ("all the way", "right there", "right here")  # read as one word: "right-there"
_PHRASE: Final = re.compile(rf"\b(?:{'|'.join(_PHRASES)})\b", re.IGNORECASE)
_BEFORE: Final = word_set(
    "all-the-way right-there right-here halfway half straight right only just far"
)
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
_TIME: Final = f"(?:{'|'.join(sorted(_TIMES))})"
_ASIDE: Final = re.compile(
    r"(?:^|(?<= ))(?:today|tonight|yesterday|tomorrow|now|then|again|too|also|either|anyway|though|"
    r"honestly|actually|really|instead|already|yet|still|once|twice|ever|since|lately|recently|yes|"
    r"later|soon|earlier|ago|here|there|basically|apparently|obviously|please|alone|together|"
    r"everywhere|(?<!all-the-way )home|sometimes|often|usually|mostly|tbh|ngl|lol|haha|btw|"
    rf"(?:this|last|next|every|all|these|one|some|the (?:other|whole|next)|all the) {_TIME}|"
    rf"(?:in|at|on|since|until|for|by) (?:an? |the )?{_TIME}|"
    rf"(?:{'|'.join(sorted(_PREPOSITIONS))}|to|of|after) (?:me|us|him|her|them|it|that)|"
    r"right now|at least|at all|of all|for sure|for real|as well|so far|any more|by the way|"
    r"of course|you know|i (?:think|guess|suppose)|to be honest|if i'm honest|ever since|or so|"
    r"or something|a (?:bit|lot|little)|very much|so much|in (?:fact|general|mind|my life)|"
    r"in (?:my|her|his|your) head|on my (?:mind|nerves)|(?:by|at) heart|in the (?:world|mirror)|"
    r"off my chest|out of my mind|in my face|on (?:my|his|her) own|by myself)$"
)
# By the word they mean something else.
_IDIOMS: Final = re.compile(
    r"\b(?:climbing the walls|up the wall|over the moon|under the weather|on cloud nine|in bits|"
    r"in pieces|through the roof|on the fence|over the edge|at the end of my \w+|to the bone|"
    r"the last straw|in two minds|on the rocks|in the same boat|at sea)\b", re.IGNORECASE
)  # fmt: skip
# Not told back: who speaks, what is denied, asked, vague, or a feeling.
_NEVER: Final = UNTOLD | word_set(
    "i i'm i've i'd i'll its we we're we've we'll he he's she she's they they're they've it it's "
    "that's there's what's who's let's you your yours you're yourself myself himself herself "
    "themselves this that these those there here what which who whom whose how why when where if "
    "or nor not never no none nothing nobody neither everything anything something someone "
    "somebody everyone everybody anyone anybody thing things stuff way kind sort point fact case "
    "rest course sense fault mind reason matter deal lot bit piece ones thanks thank except word "
    "words name heartbeat next question chance idea problem problems work it'll self bad terrible "
    "horrible awful other others each both him them me us is was are were am be been being used "
    "has have had do does did done can could will would shall should may might must got get gets "
    "getting went go goes gone going came come comes said says say saw see seen made make makes "
    "took take takes told tell tells knew know knows think thinks thought want wants wanted need "
    "needs needed let lets put puts keep keeps kept gave give gives left leave leaves felt feel "
    "feels found find finds asked ask asks called call calls tried try tries looked look looks "
    "seemed seem seems started start starts stopped stop stops liked likes loved loves hated "
    "hates wish wished hope hoped guess bet mean means meant ran run runs won lost broke fell hit "
    "cut paid sold bought brought thanked stood sat laughed cried hand hands eyes breath"
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
_NOT: Final = word_set(
    "not no never none nothing nobody neither nor hardly barely cannot without except"
)
# Whose doing is told, where it is not the caller's own.
_ANOTHER: Final = word_set(
    "he she they it he's she's they're my our his her their the a somebody someone people"
)
_PARTICLES: Final = word_set("out up down off over away back around in on")
_TRAILING: Final = _PARTICLES | word_set("just only")
_PAIR: Final = 2
_AGED: Final = word_set("he's she's i'm it's")  # "she's four"
_CONJUNCTIONS: Final = word_set("and but so or well oh yes yeah right just")


def find_focus(text: str, confidence: float = 1.0) -> str:
    """Return the words that carry a turn's news, as told back; empty where none are found.

    "He counted it out on the table in front of my kids." → "in front of your kids".

    Args:
        text: What was said.
        confidence: 0 to 1, how surely it was heard; less than ``SURE`` gives nothing.
    """
    if confidence < SURE:
        return ""
    sentences = [one.strip() for one in _SENTENCES.findall(text) if one.strip()]
    if not sentences or sentences[-1].endswith("?"):
        return ""
    sentence = _BESIDE.sub("", BUT.split(sentences[-1])[-1])
    if _IDIOMS.search(sentence):
        return ""
    sentence = _PHRASE.sub(lambda found: found[0].casefold().replace(" ", "-"), sentence)
    lower = TOKEN.findall(sentence.casefold())
    if not REPROACHES.isdisjoint(lower) and lower[0] not in _ANOTHER:
        return ""
    clauses = [one for one in _CLAUSES.split(sentence) if TOKEN.search(one)]
    for clause in reversed(clauses[-_CLOSE:]):
        words = TOKEN.findall(clause)[-_NEAR:]
        found = _focus_of(words, is_whole=len(words) == len(lower))
        if found:
            return found
    return ""


def _focus_of(words: Sequence[str], *, is_whole: bool) -> str:
    """Return what of a clause is told back; empty where nothing is."""
    words = _without_asides(words)
    while words and words[0].casefold() in _CONJUNCTIONS:
        words = words[1:]
    lower = [word.casefold() for word in words]
    if lower[:1] == ["no"] and not (_ARTICLES | _PREPOSITIONS).isdisjoint(lower[1:2]):
        words, lower = words[1:], lower[1:]  # an answer, and what is so instead
    if not words or lower[0] == "you":
        return ""
    if is_whole and len(words) == _PAIR and lower[0] in _AGED and is_number(lower[1]):
        return words[1]
    if lower[-2:-1] == ["all-the-way"]:
        return _told(words[-2:], lower[-2:])
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
        if end <= start:  # nothing but what trails: "carry on only"
            continue
        widest = _widened(lower, start)
        if _is_denied(lower, widest, end):
            return ""
        for begin in range(widest, start + 1):
            told = words[begin:end], lower[begin:end]
            if lower[begin] not in _JOINS and end - begin <= _MOST and _can_be_told(*told):
                return _told(*told)
    return ""


def _without_asides(words: Sequence[str]) -> Sequence[str]:
    """Return a clause without the times and asides at its end."""
    while found := _ASIDE.search(" ".join(words).casefold()):
        words = words[: -len(found[0].split())]
    return words


def _begins(words: Sequence[str], lower: Sequence[str], at: int) -> bool:
    """Whether what is told back may begin here."""
    word, following = lower[at], lower[at + 1]
    is_thing = following in _THINGS or words[at + 1][0].isupper()
    if word in ("to", "for", "as", "by", "about", "off"):
        return is_thing
    if word == "like":
        return at > 0 and is_thing and lower[at - 1] not in _LIKERS
    if word == "her":
        return at > 0 and lower[at - 1] not in _GAVE
    return word in _PREPOSITIONS or word in _THINGS


def _widened(lower: Sequence[str], start: int) -> int:
    """Return where it begins with what belongs before it: "a bag of ice", "all the way home"."""
    while start > 0:
        if lower[start - 1] in _JOINS:
            wider = _first_of_two(lower, start - 1)
            if wider is None:
                break
            start = wider
        elif _goes_with(lower, start):
            start -= 1
        else:
            break
    for at in range(max(0, start - 4), start):  # "with a pillow over my head"
        if lower[at] == "with" and lower[at + 1] in _ARTICLES:
            return at
    return start


def _first_of_two(lower: Sequence[str], at: int) -> int | None:
    """Return where what an "of" or "and" stands behind begins; None: it joins no two things."""
    if lower[max(0, at - 2) : at] == ["in", "front"]:
        return at - 2
    before = range(at - 1, max(0, at - 3) - 1, -1)
    return next((one for one in before if lower[one] in _OPENS), None)


def _goes_with(lower: Sequence[str], start: int) -> bool:
    """Whether what begins here is told together with the word before it."""
    word, before = lower[start], lower[start - 1]
    if word in NUMBERS and before in _THINGS:
        return True
    if start > 1 and lower[start - 2] in _ARTICLES:  # "in the back", a place
        return False
    is_liked = before == "like" and lower[max(0, start - 2)] in _LIKERS
    return (
        before in _BEFORE
        or (word in _PREPOSITIONS and before in _PLACED)
        or (word == "to" and before == "up")
        or (word in _THINGS and before in _PREPOSITIONS and not is_liked)
    )


def _is_denied(lower: Sequence[str], start: int, end: int) -> bool:
    """Whether what is before says that it is not so; a span of time is so ("not in ten years")."""
    told = [word for word in lower[start:end] if word not in _PREPOSITIONS | _THINGS]
    is_time = bool(told) and _TIMES.issuperset(told)
    return not is_time and any(word in _NOT or word.endswith("n't") for word in lower[:start])


def _end_of(lower: Sequence[str], start: int) -> int:
    """Return where it ends: before what something is for ("eleven hundred *to fix it*")."""
    end = len(lower)
    for at in range(start + 2, len(lower) - 1):
        following = lower[at + 1]
        if lower[at] == "to" and following not in _THINGS:
            end = at
            break
    while end > start and lower[end - 1] in _TRAILING:
        end -= 1
    return end


def _can_be_told(words: Sequence[str], lower: Sequence[str]) -> bool:
    plain = [word for word in lower if word not in _PREPOSITIONS | _ARTICLES]
    heads = [word for word in plain if word not in NUMBERS | _MEASURES and len(word) >= _WORTH]
    if not heads and not (len(plain) > 1 or words[-1][0].isupper()):
        return False
    is_only_time = bool(heads) and _TIMES.issuperset(heads)
    has_number = any(word in NUMBERS or word[0].isdigit() for word in lower)
    return (
        _NEVER.isdisjoint(lower)
        and not any(word.endswith("n't") for word in lower)
        and lower[-1] not in _PREPOSITIONS | _ARTICLES | _PARTICLES | _MEASURES
        and not (is_only_time and not has_number)
        and not any(map(to_fine, (word for word in lower if word not in _PLACED)))
        and not any(word.endswith("ly") and word not in ("family", "only") for word in lower[:1])
        and not any(map(_is_verb, lower))
        and not find_unsafe(" ".join(swapped(words, lower)))
    )


def _is_verb(word: str) -> bool:
    """Whether a word may say what somebody did ("turned"): then it is no thing or place."""
    return len(word) > _SHORT_ED and word.endswith("ed") and word not in _NO_VERBS


def _told(words: Sequence[str], lower: Sequence[str]) -> str:
    if lower[0] == "in" and lower[1] in NUMBERS and lower[-1] in _TIMES:
        words, lower = words[1:], lower[1:]  # a span: "thirty years"
    told = " ".join(swapped(words, lower))
    for phrase in _PHRASES:
        told = told.replace(phrase.replace(" ", "-"), phrase)
    return told
