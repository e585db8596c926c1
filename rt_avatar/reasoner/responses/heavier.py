"""Of two things told in one turn find the one that weighs more: it is met, and not the other.

"The washing machine flooded the kitchen and my mum's been diagnosed with Parkinson's" is no tale of
a washing machine. Clauses with a beginning of their own are weighed by what they tell: a death, an
illness, a rupture, work lost, somebody who goes; tears, a feeling, a slight; good news; a mishap.
Of two that weigh the same, and of good and bad, both count. Knows no reply of the bank.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.emotion_words import UNPLEASANT
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.nlu.feelings import named_in, words_of
from rt_avatar.reasoner.nlu.grave import find_grave
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.nlu.pronouns import object_of
from rt_avatar.reasoner.nlu.understanding import Understanding
from rt_avatar.reasoner.responses.endings import find_ending
from rt_avatar.reasoner.responses.news import find_news
from rt_avatar.reasoner.responses.partings import find_parting
from rt_avatar.reasoner.responses.tears import find_tears
from rt_avatar.reasoner.responses.unsaid import unsaid

_BOTH: Final = (
    "Those are two hard things at once. Which of them is on your mind the most?",
    "Both at once, that's a lot. Which weighs more today?",
    "One would be enough, and you have both. How are you holding up?",
)
_MIXED: Final = (
    "The good and the hard at once. How are you with the two of them?",
    "That's a lot to feel at once, the good and the hard. Which is stronger just now?",
    "Good news, and then that with it. How does it sit with you?",
)
_OF_ONE: Final = (
    "That's no small thing. How are you with it?",
    "Oh. That's a lot to take in. How is it for you?",
    "That weighs, I imagine. How are you holding up?",
)
_OF_THEIRS: Final = (
    "Oh, I'm sorry to hear that. How are things with {who}, and with you?",
    "That's a worry. How is it going with {who}, and how are you?",
    "I'm sorry. How are the two of you with it?",
)
_SUBJECT: Final = (
    r"(?:i|i'm|i've|i'd|i'll|my|our|we|we're|we've|the|nobody|someone|somebody|there's|they|mum|"
    r"mom|dad|gran|nan|his|her|now my|then my|today)"
)
# Where another thing begins; what goes on with "he" or "it" belongs to the one before.
_PARTS: Final = re.compile(
    rf"[.!;]+\s+(?:(?:and|but|also|plus|then|now|oh) )*|,?\s+(?:and|but|plus|while)(?:,? (?:then|"
    rf"now|also|on top of that|to top it off|besides|yesterday|today|when i \w+ \w+|last night|"
    rf"this morning))?,?\s+(?={_SUBJECT}\b)|"
    rf",\s+(?:then |now )?(?={_SUBJECT}\b)",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(
    r"^(?:and |but |then |now |so )*(?:he|she|it|they(?! (?:told|said|say|offered|rang|called|"
    r"want))|that|this|it's|he's|she's|they're|that's|his|"
    r"her|their|which|who)\b",
    re.IGNORECASE,
)
# What changes a life, said of oneself or of somebody near.
_LIFE: Final = re.compile(
    r"\b(?:(?:in|into|to|back in) (?:the )?(?:hospital|intensive care|icu|rehab|prison|jail|care|a "
    r"(?:care|nursing) home)\b(?! (?:to|and) visit)|(?:a|another|had|having|s) (?:\w+ )?stroke|"
    r"dementia|alzheimers?|parkinsons?|diagnosed|heart attack|(?:had|having|needs|has) (?:an|a|"
    r"heart|back|brain|hip|\w+) ?(?:operation|surgery)|chemo\w*|cancer|tumou?r|biops\w+|seizure|"
    r"overdose|relapsed|drinking again|using again|(?:has|have|s) (?:moved|walked) out|moved out|"
    r"(?:left|leaving) (?:me|us)$|(?:left|leaving) (?:my (?!house|keys|bag|phone)\w+|her|him) for|"
    r"divorc\w+|splitting up|split up|separating|(?:stopped|not|isnt|wont|refuses to) (?:speak|"
    r"talk)(?:ing)? to (?:me|us|him|her|each other)|(?:not|isnt|wasnt) (?:being )?renewed|(?:made|"
    r"making \w+) redundan\w+|redundancy|laid off|lost (?:my|his|her|our|their) (?:job|home|house|"
    r"licence|sight|baby)|(?:been|got|was) sacked|evict(?:ed|ion)|bailiffs?|bankrupt|arrested|"
    r"(?:gone|been|is|s|went|reported) missing|miscarr\w+|emigrat\w+|having an affair|cheat(?:ed|"
    r"ing) on me|seeing someone else|not well enough|going blind|going deaf|in a wheelchair|found "
    r"a lump|had a (?:bad )?fall|(?:car|bus|train|plane|\w+) crashed|ended (?:it|things)(?: with "
    r"me)?$|broke up with me|dumped me|signed off(?: work)?|being tested for|forgot(?:ten)? (?:my "
    r"name|who i am)|(?:didnt|doesnt) know who i (?:was|am)|(?:doesnt|didnt) recogni[sz]e (?:me|us|"
    r"him|her)|stopped recogni[sz]ing (?:me|us)|turned down for (?:the |an? )?(?:adoption|mortgage|"
    r"visa)|in a coma|expelled|being bullied|custody|(?:into|in) a home|dropping out of (?:college|"
    r"school|uni\w*)|(?:marriage|relationship|engagement)(?:s| is) over)\b"
)
_SLIGHT: Final = re.compile(
    r"\b(?:nobody|no one|(?:he|she|they|m[ou]m|dad|my \w+(?: \w+)?)) (?:(?:just|still|even|also) "
    r")*(?:forgot(?:ten)?|ignor\w+|(?:didnt|never|hasnt|havent|wouldnt|wont) (?:even |once "
    r")?(?:come|came|notice\w*|ask\w*|call\w*|ring|rang|turn\w*|show\w*|say|said|remember\w*|"
    r"thank\w*|repl\w+|return|answer|speak|look\w*|bother\w*|visit\w*|invite\w*|text\w*))\b"
)
# Goes wrong every day.
_MISHAP: Final = re.compile(
    r"\b(?:(?:traffic|weather|journey|queue|coffee|car|van|bike|boiler|heating|washing machine|"
    r"dishwasher|fridge|freezer|oven|cooker|phone|laptop|computer|telly|tv|wifi|internet|printer|"
    r"lift|train|bus|flight|tap|toilet|sink|roof|shower|kettle|toaster|hoover|lawnmower|dog|cat|"
    r"rent|bill|fence|gate|lock|window|car park|parcel|delivery)s?(?: (?:has|is|was|have|been|had|"
    r"up|s|got|just|now|again))* (?:\w+ ){0,2}?(?:broke\w*|sick|late|cancelled|drip\w*|fleas|"
    r"leak\w*|flood\w*|died|gone|down|dead|up|packed (?:in|up)|stuck|lost|blocked|stolen|failed|"
    r"cracked|ruined|terrible|awful)|off sick|an? (?:cold|headache|cough|sore throat|flat tyre|"
    r"puncture|parking (?:ticket|fine))|(?:hates?|hated|fed up with|sick of) (?:the|this|mondays|"
    r"my (?:commute|hair|job))|lost my (?:purse|keys|phone|wallet|glasses|bag|umbrella)|playing "
    r"up)\b"
)
_STRAINED: Final = re.compile(
    r"\b(?:my|our) (?:\w+ )?\w+(?:s| is| has| have| are)? (?:\w+ )?(?:being|been|gone|acting) "
    r"(?:\w+ )?(?:weird|funny|off|cold|distant|strange|quiet|short|horrible|nasty)(?: with me)?\b"
)
# Said by somebody near, and what does not let go.
_TELLING: Final = re.compile(
    r"\btold me (?:that )?(?:he|she|they|im|hes|shes|theyre|its|my|we)\b|\bkeep thinking (?:about|"
    r"of)\b|\b(?:barely|hardly|scarcely) (?:see|speak|talk)\w*\b"
)
_ONE_SIDED: Final = re.compile(
    r"\b(?:nobody|no one) (?:turned up|came|rang|called|noticed|asked|remembered)\b"
)
_GLAD: Final = re.compile(
    r"\b(?:just been born|was born|had (?:a|the|her|their) baby|had (?:twins|a (?:little )?(?:boy|"
    r"girl))|got (?:the|a) (?:job|place|part|promotion)|got engaged|getting married|pregnant|won|"
    r"passed|graduated|promoted|all clear|got in)\b"
)
_EX: Final = re.compile(
    r"\bex\b(?: \w+){0,5}? (?:is |s |hes |shes )?(?:getting married|remarr\w+|engaged|expecting|"
    r"having (?:a|another|their|his|her) (?:\w+ )?(?:baby|child|boy|girl))\b"
)
# Not so, not yet, or over.
_OVER: Final = re.compile(
    r"\b(?:if|hope|hoping|might|may|could|would|never|used to|years ago|went well|all clear|better "
    r"now|home now|found (?!out)|wasnt|isnt (?!speaking|talking|being|answering)|not (?:in|a|an)|"
    r"film|book|series|friend of|somebody i|someone i|news|celebrity|when i was|nearly|almost)\b"
)
_MET: Final = re.compile(
    r"\b(?:sorry|worr\w+|weighs?|a lot|tough|shock|holding up|heavy|how is (?:he|she)|"
    r"heart\w*|strain|hurts?)\b",
    re.I,
)
# What befell somebody near.
_THEIRS: Final = re.compile(
    r"\b(?P<who>my (?:(?!ex\b)\w+ ){0,3}?\w+?|our \w+|m[ou]m|dad|gran|nan)s? (?:is |has |has been |"
    r"was |s |had |have |been |just |being )*(?:\w+ )?(?:in (?:the )?(?:hospital|intensive care|"
    r"icu|rehab|prison|jail|a coma)|gone into|taken (?:in)?to|had a|having|needs|diagnosed|lost "
    r"(?:his|her|their)|laid off|made redundant|sacked|arrested|evicted|expelled|bullied|tested "
    r"for|relapsed|drinking again|signed off)\b"
)
_MERRY: Final = ("pleasant", "proud", "funny", "cheerful")
_SHORT: Final = 20  # words of a turn that tells one thing
# Says what one feels of the other clause, or goes on with it.
_ABOUT_IT: Final = re.compile(
    r"^(?:i|we|i'm|we're)(?: am| are|'m)? (?:do not|don't|can't|cannot|couldn't|wasn't|still|just|"
    r"didn't|haven't|miss|keep|feel|felt|guess|hope|think|know|wish|so|very|really|not|used to|"
    r"like|love|hate)\b|\b(?:heart|devastated|pieces|cope|believe|understand|hope)\b|^(?!(?:i|i'm|"
    r"i've|my|our|we|we're|we've|the|it|it's|there|got|bought|tried|had|made|met|work's|"
    r"mum|dad|yesterday|today|this)\b)",
    re.I,
)
_FEELS: Final = re.compile(
    r"^i(?: just| really)? (?:feel|felt) (?:so |very |really |just )?\w+[.!]*$", re.I
)
# Who is spoken of may be told in the other clause only.
_OF_ANOTHER: Final = re.compile(r"\b(?:he|she|they|him|it|he's|she's|it's)\b", re.I)
_NAMED: Final = re.compile(r"\b(?:my|our|mum|mom|dad|gran|nan) ?\w*\b|\btold me\b", re.I)
_LEAST: Final = 2  # words of a part
_CLAUSE: Final = 3  # words of a clause, at least
_MOST: Final = 3  # parts of a turn; of more it is a story
_WORDS: Final = 35  # the same, words
_BUT: Final = re.compile(r"\bbut\b", re.I)
_STOPS: Final = re.compile(r"[.!;]")


_Kind: TypeAlias = Literal["life", "slight", "felt", "good", "other"]


@dataclass(frozen=True, slots=True)
class _Part:
    """A clause, what it tells, and whether the next one is joined to it in the same sentence."""

    text: str
    kind: _Kind
    is_loss: bool = False


def leading(request: ReplyRequest) -> ReplyRequest:
    """Return a request in which the caller says only what weighs more, where it clearly does.

    The same where somebody may be in danger, or something is asked: all of it is looked at there.
    """
    text = request.transcript.text
    lead = _lead_of(_parts_of(text), text)
    if not lead:
        return request
    understood = Understanding(request)
    if understood.alarm or understood.held or understood.intent != "telling":
        return request
    led = replace(request, transcript=replace(request.transcript, text=lead))
    # What sounds like danger without the rest is none by the whole.
    return request if Understanding(led).alarm else led


def meet_two(text: str, own: Sequence[str]) -> str:
    """Return what is said to two things of which none outweighs the other; empty elsewhere.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    parts = _parts_of(text)
    kinds = [one.kind for one in parts]
    if any(one.is_loss for one in parts) or "felt" in kinds or kinds.count("life") == 0:
        return ""
    if kinds.count("life") == _LEAST:
        return unsaid(_BOTH, text, own)
    return unsaid(_MIXED, text, own) if "good" in kinds else ""


def _lead_of(parts: Sequence[_Part], text: str) -> str:
    """Return the one clause that a turn is about; empty where it is about more, or all of it."""
    losses = [one for one in parts if one.is_loss]
    heavy = losses or [one for one in parts if one.kind == "life"]
    # Within one sentence what comes last, or hurts, is what it was told for.
    is_one = not _STOPS.search(text.strip(" .!"))
    if not heavy and (
        is_one or all(_MISHAP.search(" ".join(words_of(one.text))) for one in parts[:-1])
    ):
        heavy = [
            one
            for one in parts[-1:]
            if one.kind in ("slight", "good") or (one.kind == "felt" and _FEELS.search(one.text))
        ]
    if len(heavy) != 1 or (_OF_ANOTHER.search(heavy[0].text) and not _NAMED.search(heavy[0].text)):
        return ""
    if _BUT.search(text) and heavy[0] is not parts[-1]:
        return ""  # the point comes behind it
    beside = [one for one in parts if one is not heavy[0]]
    kinds = {one.kind for one in beside}
    is_apart = not any(_ABOUT_IT.search(one.text) for one in beside)
    is_lighter = kinds <= ({"other", "good", "life"} if losses else {"other"})
    return heavy[0].text if is_apart and is_lighter else ""


def is_met(reply: str) -> bool:
    """Whether a reply takes what it answers for something hard."""
    return bool(_MET.search(reply))


def meet_heavy(text: str, own: Sequence[str]) -> str:
    """Return what is said to a turn that soberly tells what changes a life; empty elsewhere.

    Args:
        text: The caller's turn, of which a clause tells it.
        own: The avatar's turns, the oldest first.
    """
    if not is_heavy(text):
        return ""
    theirs = _THEIRS.search(" ".join(words_of(text)))
    if theirs is None:
        return unsaid(_OF_ONE, text, own)
    return unsaid(_OF_THEIRS, text, own).format(who=object_of(theirs["who"]))


def is_heavy(text: str) -> bool:
    """Whether a short turn soberly tells what changes a life."""
    words = " ".join(words_of(text))
    is_long = len(words.split()) > _SHORT
    if "?" in text or is_long or named_in(text) or _OVER.search(words):
        return False
    is_life = _LIFE.search(words) or _EX.search(words)
    return bool(is_life) and mood_of((text,)) not in _MERRY


def _parts_of(text: str) -> list[_Part]:
    """Return the things that a turn tells, weighed; none where it asks or tells a long story."""
    if "?" in text or len(text.split()) > _WORDS or find_news(text) == "relief":
        return []
    told: list[str] = []
    at = 0
    for found in (*_PARTS.finditer(text), None):
        end = found.start() if found else len(text)
        part = text[at:end].strip(" ,")
        at = found.end() if found else end
        if not part:
            continue
        is_half = bool(told) and len(told[-1].split()) < _CLAUSE  # "my wife and I"
        if told and (is_half or _GOES_ON.search(part)):
            told[-1] = f"{told[-1]} and {part}"
        else:
            told.append(part)
    if not _LEAST <= len(told) <= _MOST or any(len(one.split()) < _LEAST for one in told):
        return []
    return [_weighed(one) for one in told]


def _weighed(part: str) -> _Part:
    words = " ".join(words_of(part))
    grave, news = find_grave(part), find_news(part)
    if grave == "sorrow":
        return _Part(part, "life", is_loss=True)
    if grave or news in ("blow", "loss", "theirs") or _LIFE.search(words) or _EX.search(words):
        return _Part(part, "life")
    if find_parting(part) or find_ending(part):
        return _Part(part, "life")
    if _MISHAP.search(words):
        return _Part(part, "other")
    mood, felt = mood_of((part,)), named_in(part)
    if news in ("joy", "relief") or _GLAD.search(words):
        return _Part(part, "good")
    if any(one.search(words) for one in (_SLIGHT, _ONE_SIDED, _STRAINED, _TELLING)):
        return _Part(part, "slight")
    if find_tears(part) or mood == "unpleasant" or felt in UNPLEASANT:
        return _Part(part, "felt")
    return _Part(part, "other")
