"""Hear an ending that is told without a word of what is felt: "the shop's closed after 22 years".

Something closes for good, a last day, what was given up, handed over or called off: told soberly,
it sounds like nothing, and "so the shop's closed" says no more. What is said names no feeling and
asks what it was, or how it is. Closed for lunch and a bad habit given up are no such endings. Words
are read without apostrophes. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import named_in, words_of
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.nlu.swapping import swapped
from rt_avatar.reasoner.responses.unsaid import unsaid

# A place or a group that is no more; the last time of something, over or near; a notice or
# retirement; what was given up, decided or handed over; what is done no more.
Ending: TypeAlias = Literal[
    "closed", "was_last", "last", "leaving", "given_up", "decided", "done",
    "no_more",
]  # fmt: skip

SAYINGS: Final[Mapping[Ending, tuple[str, ...]]] = {
    "closed": (
        "That's an ending. What did {it} mean to you?",
        "How is it for you, to see {it} go?",
        "What comes to mind when you think of {it}?",
    ),
    "was_last": (
        "So that was the last one. How was it?",
        "The last one, then. What was it like?",
        "And how was it, knowing it was the last?",
    ),
    "last": (
        "The last one, then. How does it feel, with the end so near?",
        "How is it, knowing it's the last?",
        "So it's coming to an end. What is that like?",
    ),
    "leaving": (
        "That's a big step. How does it sit with you?",
        "How do you look at it, now that it's near?",
        "That's the end of a chapter. How is it to say so?",
    ),
    "given_up": (
        "That's something to let go of. How is it without it?",
        "How did it come to that?",
        "What was it to you, while you had it?",
    ),
    "decided": (
        "That's a big thing to decide. How did you come to it?",
        "So that's settled. How is it, now that it's said?",
        "And how is it for you, now that it's decided?",
    ),
    "no_more": (
        "Not any more, then. How is that for you?",
        "So that's over. What was it like, while it was so?",
        "Not any longer? How has it been since?",
    ),
    "done": (
        "So it's done. How was that moment?",
        "And how was it, in that moment?",
        "That's a line drawn, then. How is it today?",
    ),
}  # fmt: skip
_AFTER_YEARS: Final = (
    "After {years}. What comes to mind when you think back?",
    "After {years}. That's a long time. How is it now?",
)
_PLACE: Final = (
    r"(?:shops?|store|pubs?|bar|caf\w|restaurant|school|library|church|chapel|club|choir|band|"
    r"teams?|branch|bank|post office|surgery|factory|mill|mine|pit|plant|works|yard|shipyard|pool|"
    r"baths|cinema|theatre|market|bakery|baker|butchers?|bookshop|salon|hairdressers?|barbers?|"
    r"nursery|playgroup|centre|center|hospital|ward|clinic|hotel|garage|station|railway|line|"
    r"allotments?|park|playground|field|pitch|farm|dairy|business|firm|company|office|department|"
    r"festival|newspaper|paper|magazine|league|group|class|course|society|workshop|studio|gallery|"
    r"museum|orchard|woods?|estate|flats|block|house|cottage|barn|hall|place|home|chippy|diner|"
    r"stables|kennels|charity|project|stall|ferry|orchestra|drop in|lido|rink|arcade|canteen|"
    r"parade|fair|carnival|show|programme|service|route)"
)
_WHOSE: Final = r"(?:the|our|my|his|her|their|mums|dads|grans|nans|that|this)"
_IT: Final = rf"(?P<it>{_WHOSE} (?:(?!is\b|has\b|was\b|and\b|but\b)\w+ ){{0,2}}?{_PLACE})"
_WHERE: Final = (
    r"(?: (?:on|in|at|down|by|near|next|round|up|opposite|where|i|we|my|our|the|your|road|street|"
    r"corner|village|town|square|door|to|work\w*|went|go|sing|play|sang|played|grew|met|church|"
    r"high|hill|here)){0,7}?"
)
_CLAUSE: Final = r"(?: (?:where|which|that) \w+(?: \w+){1,5}?)?"
_AUX: Final = r"(?:s|is|are|was|were|has|have|had|will|ll|theyre)"
_ADV: Final = (
    r"(?:(?:just|now|all|already|finally|also|been|to|be|being|going to be|going to|officially) )*"
)
_GONE: Final = (
    r"(?:clos(?:ed|ing|es)(?: down)?(?: for good| forever| permanently)?|shut(?:ting|s)?(?: "
    r"down)?(?: for good| forever| its doors)?|gone|folded|folding|disband\w*|wound up|winding up|"
    r"packed up|pulled down|knocked down|torn down|demolished|bulldozed|sold(?: off)?|built on|"
    r"turned into \w+|split(?:ting)? up|split|broken up|breaking up|broke up|coming down|coming to "
    r"an end|ending|ended|scrapped|axed|cancelled for good|stopped for good|boarded up|bankrupt|"
    r"(?:been )?cut|stopped (?:running|coming)|gone under|going under|finished|finishing|merged|"
    r"being merged|stopping|moving away)"
)
# Plainly for good; a bare "the shop's closed" may be so for the night.
_FOR_GOOD: Final = re.compile(
    r"\b(?:after (?:all these|all those|nearly |over |almost |more than )?(?:(?:\w+ ){0,3}years|"
    r"\w+ decades)|for good|forever|permanently|down|(?:are|is|\w*s|theyre|were) (?:\w+ )?(?:clos|"
    r"shutt|fold|wind|end|pull|knock|tear|split|break|be)ing|(?:has|have|had) (?:\w+ )?(?:closed|"
    r"shut|gone|folded|ended|split|finished)|disband\w*|demolished|bulldozed|built on|split up|"
    r"broke up|broken up|scrapped|axed|sold|folded|going to|to (?:close|shut)|last (?:week|month|"
    r"year|summer|winter|spring|autumn)|gone|boarded up|bankrupt|in (?:january|february|march|"
    r"april|may|june|july|august|september|october|november|december)|this (?:year|month|summer|"
    r"winter|spring|autumn)|next (?:week|month|year|summer))\b"
)
_SAID_FOR_GOOD: Final = re.compile(r"\b(?:for good|forever|permanently)\b")
_FOR_NOW: Final = re.compile(
    r"\b(?:for (?:lunch|today|the (?:day|night|weekend|holidays?|week|bank holiday|summer|winter)|"
    r"christmas|easter|refurb\w*|repairs?|cleaning|a (?:day|week|fortnight|month|bit|while|few))|"
    r"today|tonight|tomorrow|early|until|till|at (?:one|two|three|four|five|six|seven|eight|nine|"
    r"ten|noon|half|\d+)|on (?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|"
    r"sundays?)|when i got there|because of the|snow|strike|power cut|temporar\w*|reopen\w*|"
    r"opening again|sold out)\b"
)
_CLOSED: Final = re.compile(
    rf"\b(?:{_IT}s?(?:{_WHERE}|{_CLAUSE})(?: {_AUX}| going to)? {_ADV}{_GONE}\b|(?:theyre|they are|"
    rf"they have|theyve|were|we are|weve|we|ive|im|i|the (?:council|company|owners?|landlord|"
    rf"diocese|trust)(?: is| are| has|s)?|they) (?:just |finally |now |also |going to |having to |"
    rf"had to |have to )*(?:clos\w+|shut\w*|pull\w*|knock\w*|tear\w*|demolish\w*|scrap\w*|axe?\w*|"
    rf"cancel\w*|sell\w*|sold|disband\w*|build\w* (?:\w+ )?(?:on|over)|merg\w+|bulldoz\w+) (?:down "
    rf")?(?P<of>{_WHOSE} (?:(?!is\b|has\b)\w+ ){{0,2}}?{_PLACE})\b)"
)
_DAY: Final = (
    r"(?:day|week|shift|class|lesson|lecture|dance|rehearsal|match|game|gig|concert|christmas|"
    r"summer|term|night (?:in|at|here)|morning|evening|walk|visit|service|delivery|round|patient|"
    r"session|one|ride|harvest|holiday together|supper|meal|dinner|season|sunday|night shift|"
    r"school run|show|performance|milking|school (?:play|concert|run|day)|parade|shoot|flight|bell)"
)
_WAS_LAST: Final = re.compile(
    rf"\b(?:(?:today|yesterday|last night|that|this|it|saturday|friday|sunday|\w+day) was (?:my|"
    rf"our|the|his|her|their) (?:very )?last (?:ever )?{_DAY}|(?:i|we|he|she|they)(?:ve)? (?:just |"
    rf"had |did |played |taught |worked |sang |gave |danced |drove )+(?:my|our|the|his|her|their) "
    rf"(?:very )?last {_DAY}|(?:printed|played|published|taught|served|poured|baked|ran|drove|sang|"
    rf"gave|made|worked|did|treated|marked|delivered|milked|called|rang) (?:its|my|our|his|her|"
    rf"their) (?:very )?last (?!name|resort|chance|word|penny|pound)\w+)\b"
)
_LAST: Final = re.compile(
    rf"\b(?:its|it is|this is|todays?(?: is)?|tomorrows?(?: is)?|thisll be|\w+day(?: is|s)) "
    rf"(?:(?:my|our|the|his|her|their) )(?:very )?last {_DAY}|\bmy last {_DAY} is\b|\bi finish "
    rf"(?:on \w+day|this week|next week|tomorrow|today)\b"
)
_LEAVING: Final = re.compile(
    r"\b(?:i|we) (?:retire|finish work|stop work\w*|leave the (?:army|navy|force|service|firm|"
    r"school))\b(?! (?:if|when|one)\b)|\bi(?:ve| have|m)? (?:just |finally |now |already "
    r")*(?:given my notice in|handed (?:in )?my notice(?: in)?|handed in my (?:notice|badge|"
    r"uniform|resignation)|given in my notice|gave (?:in )?my notice(?: in)?|retired|retiring|"
    r"taken (?:early )?retirement|resigned|hung up (?:my|the) (?!coat|washing|phone|towel|"
    r"jacket)\w+)\b"
)
_HABIT: Final = (
    r"(?!(?:\w+ )?(?:smok\w+|drink\w*|alcohol|vaping|weed|drugs|cocaine|gambling|betting|sugar|"
    r"chocolate|meat|dairy|coffee|bread|biting|eat\w*|tak\w+|sleep\w*|speak\w*|talk\w*|car\w+|"
    r"try\w*|hop\w+|worry\w*|wait\w*|cry\w*|laugh\w*|think\w*|see\w*|answer\w*|look\w*|listen\w*|"
    r"believ\w*|on|porn|diet\w*|swearing|lying|shout\w*|argu\w*|feel\w*|using|social|facebook|"
    r"instagram|breath\w*|want\w*|bothering|asking|my (?:medic\w+|tablets|pills|insulin)|hope|my "
    r"seat|for (?:today|now|lunch)|to)\b)"
)
_GIVEN_UP: Final = re.compile(
    rf"\b(?:ive|weve|i have|we have|ive had to|i had to|i) (?:just |finally |now |had to |recently "
    rf")*(?:stopp?(?:ed)? {_HABIT}(?:going to (?:the |my )?\w+|\w+ing\b(?: the \w+)?)|(?:given up|"
    rf"give up|gave up|packed in|let go of) {_HABIT}(?:the|my|our|on|playing|singing|driving|"
    rf"running|dancing|painting|teaching|riding|swimming|\w+ing)\b)"
)
_DECIDED: Final = re.compile(
    r"\b(?:i|we|weve|ive|they|theyve) (?:\w+ )?(?:called|calling) off (?:the|our) (?:wedding|"
    r"engagement|move)\b|\b(?:i|we|weve|ive|they|theyve|my (?:son|daughter|parents)(?: has| "
    r"have)?)(?: have| has)? (?:(?:both|all|finally|now|just|also) )*(?:decided|agreed) (?:not to "
    r"(?:have|try|go on|carry on|move|marry|get married|keep|renew|adopt)|against|(?:to|its time "
    r"to|its best to) (?:sell (?:the|our|up)|stop (?:trying|the (?:treatment|ivf))|close|give "
    r"(?:up )?(?:the|our)|let (?:the|our|him|her) go|separate|split|part|end it (?:all )?between|"
    r"call it a day|divorce|get (?:a )?divorce\w*|put (?:the|our) \w+ (?:up|on)))\b|\b(?:im|were|i "
    r"am|we are|ill|i wont|we wont|well) (?:not |be )+(?:renewing|going back to|coming back to|"
    r"carrying on with|signing up again|playing (?:this|next))\b"
)
_DONE: Final = re.compile(
    r"\b(?:i|we|ive|weve|i have|we have|mum|dad) (?:have )?(?:(?:just|finally|all) )*(?:signed "
    r"(?:the|our|those) (?:\w+ )?papers?|signed (?:it|everything) over|(?:handed|gave|given|posted|"
    r"dropped) (?:back |in |over )?(?:the|my|our) (?:\w+ )?(?:keys|uniform|badge|lanyard|medal)(?: "
    r"(?:back|in|over))?|sold (?:the|our|my|mums|dads|his|her) (?:\w+ )?(?:house|flat|home|farm|"
    r"boat|van|caravan|piano|guitar|violin|(?:motor)?bike|car|horse|tractor|cottage|shop)|cleared "
    r"(?:out )?(?:the|his|her|mums|dads|our|my) (?:\w+ )?(?:house|flat|room|wardrobe|shed|garage|"
    r"attic|things|clothes|office|desk|loft|classroom)(?: out)?|locked (?:the|up|\w+) (?:\w+ "
    r"){0,2}for the last time|took (?:the|our) sign down|took (?:my|the) (?:\w+ )?ring off|(?:had "
    r"to )?rehomed? (?:the|our|my) \w+|put (?:the|our|my|mums|dads) \w+ (?:up for sale|on the "
    r"market)|took down the sign|exchanged contracts|packed (?:up )?(?:his|her|the last) (?:\w+ "
    r")?(?:room|things|boxe?s?|box))\b|\bfor the (?:very )?last time\b|\b(?:were|we are|im|theyre) "
    r"(?:having to |going to )?(?P<sell>selling|sell) (?:the|our|my|mums|dads|grans) (?:\w+ "
    r")?(?:house|home|farm|flat|boat|cottage|caravan|land)\b|\b(?:the|our|my) (?:divorce|house "
    r"sale|sale)(?:s| is| went| came) (?:final|through|done|finalised)\b|\bdecree absolute\b"
)
# What somebody did, and does no longer; not that they cannot bear it.
_NO_MORE: Final = re.compile(
    r"\b(?P<who>i|we|he|she|they|m[ou]m|dad|nobody|(?:my|our) \w+(?: \w+)?) (?:(?:dont|doesnt|wont|"
    r"no longer|isnt|arent|am not|are not)(?: be)?|never) (?!want|care|know|love|like|trust|"
    r"believe|feel|recogn|eat|sleep|drink|smok|take|get|make|see the|need|worry|cry|mind|hurt|"
    r"think|hit|shout|have (?:an?|any|the|to|any\w+|enough|time|money|electricity)\b|let\b|seem|"
    r"watch|order|buy|(?:around|here|there|anything|struggl\w+|trying)\b|do (?:that|anything|"
    r"surgery)|remember|listen|bother|owe|pay|even|exist|matter)\w+(?: \w+){0,6}? (?:any ?more|any "
    r"longer|these days|nowadays)\b|\b(?:i|we|he|she|they|m[ou]m|dad) no longer (?!want|care|know|"
    r"love|trust|believe|feel|recogn|eat|sleep|need|have to)\w+"
)
_YEARS: Final = re.compile(
    r"\bafter (?P<years>(?:(?:nearly|over|almost|more than|about|all) )?(?:those |these )?(?:\w+ "
    r"){0,3}?(?:years|decades))\b"
)
_UNREAL: Final = re.compile(
    r"\b(?:if|hope|hoping|wish|might|may|maybe|could|would|nearly|almost|dream\w*|dreamt|scared|"
    r"worried|afraid|think|thinks|thinking (?:of|about)|want|wants|never|not|dont|wont|havent|says|"
    r"said|film|book|show about|used to|when|until|rumou?r\w*)(?: \w+){0,4} $"
)
_FELT: Final = re.compile(
    r"\b(?:finally|at last|thank (?:god|goodness)|good riddance|hooray|yay|gutted|crushed|"
    r"miss(?:ed|ing)?|cr(?:y|ied|ying)|tears|happ\w+|lov(?:e|ely)|excited|free|cant wait|better|"
    r"dream|new job|to be with me|promot\w+|bigger|lottery)\b"
)
# Sad only to whom it concerns.
_MOVED_OUT: Final = re.compile(
    r"\b(?:mov(?:ed|ing) out|cancell?ed|call(?:ed|ing)? (?:it )?off|fell through)\b"
)
_MOST: Final = 30  # words of a turn
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


@dataclass(frozen=True, slots=True)
class Ended:
    """What came to an end: how, what or whom, and after how long; empty where it is not told."""

    ending: Ending
    what: str = ""
    years: str = ""


def find_ending(text: str) -> Ended | None:
    """Return what a turn tells the end of; None where it does not.

    Args:
        text: The turn; one that names a feeling, or is glad, is left to who answers that.
    """
    if not is_told_soberly(text):
        return None
    for sentence in reversed(_SENTENCES.findall(text)):
        if found := _found_in(" ".join(words_of(sentence))):
            # "The shop's closed", without its apostrophe.
            is_one = found.what.endswith("s") and f"{found.what[:-1]}'s" in text.casefold()
            return replace(found, what=found.what[:-1]) if is_one else found
    return None


def is_told_soberly(text: str) -> bool:
    """Whether a turn is short, asks nothing, names no feeling and is not glad."""
    if "?" in text or named_in(text) or mood_of((_MOVED_OUT.sub("left", text),)) != "unclear":
        return False
    words = words_of(text)
    return len(words) <= _MOST and not _FELT.search(" ".join(words))


def _is_for_good(words: str) -> bool:
    return bool(_SAID_FOR_GOOD.search(words)) or bool(
        _FOR_GOOD.search(words) and not _FOR_NOW.search(words)
    )


def tells(pattern: re.Pattern[str], words: str) -> re.Match[str] | None:
    """Return where a sentence tells something, and does not only wish or fear it."""
    found = pattern.search(words)
    return None if found is None or _UNREAL.search(words[: found.start()]) else found


def meet_ending(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    found = find_ending(text)
    if found is None:
        return ""
    if found.years:
        return unsaid(_AFTER_YEARS, text, own).format(years=found.years)
    return unsaid(SAYINGS[found.ending], text, own).format(it=found.what)


def _found_in(words: str) -> Ended | None:
    """Return what a sentence, without apostrophes, tells the end of."""
    after = _YEARS.search(words)
    years = after["years"] if after else ""
    if (closed := tells(_CLOSED, words)) and _is_for_good(words):
        lower = (closed["it"] or closed["of"]).split()
        return Ended("closed", " ".join(swapped(lower, lower)), years)
    if tells(_WAS_LAST, words):
        return Ended("was_last", "", years)
    if tells(_LAST, words):
        return Ended("last", "", years)
    if tells(_LEAVING, words):
        return Ended("leaving", "", years)
    if tells(_DECIDED, words):
        return Ended("decided")
    if tells(_GIVEN_UP, words):
        return Ended("given_up", "", years)
    if done := tells(_DONE, words):
        return Ended("decided" if done["sell"] else "done", "", years)
    return Ended("no_more") if tells(_NO_MORE, words) else None
