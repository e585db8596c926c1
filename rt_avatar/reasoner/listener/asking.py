"""Ask on about what was told, where its last clause says whose doing it was.

What another did is asked about by how it felt ("How did that feel?"), be it good or bad, what the
caller did by how it was, and whom they told something by what came back. That shows that somebody
listened, fits any feeling, and says more than a "go on". Knows no feeling and no reply of the bank.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import find_grave
from rt_avatar.reasoner.nlu.mood import Mood
from rt_avatar.reasoner.responses.unsaid import unsaid

ASKED_ON: Final = frozenset[Mood]({"unclear", "downcast"})
_OF_THEIRS: Final = ("How was that for you?", "How did that feel?", "What was that like for you?")
_OF_OWN: Final = ("How was that for you?", "What was that like?", "What was that like for you?")
_OF_TOLD: Final = ("And how did {who} take it?", "And what did {who} say?")
_HE: Final = {"him": "he", "her": "she", "them": "they"}

_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_CLAUSES: Final = re.compile(
    r"[,;:]|\s-+\s|\b(?:and|but|so|then|because|cos|cause|while|when|until|till|after|before)\b",
    re.I,
)
_LEADS: Final = (
    r"^(?:(?:well|oh|yes|yeah|no|anyway|apparently|honestly|actually|luckily|finally|today|now|"
    r"yesterday|this (?:morning|afternoon|evening|week|weekend)|last (?:night|week|weekend|month|"
    r"year|\w+day)|on \w+day|first|later|just|even|suddenly|once|instead|again) )*"
)
_PEOPLE: Final = (
    r"(?:m[ou]m|mother|dad|father|parents|sister|brother|son|daughter|kids?|boy|girl|wife|husband|"
    r"partner|boyfriend|girlfriend|fianc\w+|friends?|mate|nan|gran|grand\w+|aunt\w*|uncle|cousin|"
    r"niece|nephew|inlaws?|boss|manager|colleagues?|coworkers?|team|neighbours?|neighbors?|flatmate|"
    r"roommate|teacher|landlord|landlady|doctor|nurse|driver|ex|stepson|stepdaughter|man|woman|"
    r"lady|bloke|guy|lad|lads|men|women|girls|boys|family|bank|council|school|company|others)"
)
_OTHERS: Final = (
    r"(?:he|she|they|someone|somebody|everyone|everybody|nobody|no one|"
    rf"(?:my|our|his|her|their|the|an?|one of (?:my|our|the)) (?:\w+ ){{0,2}}?{_PEOPLE}|"
    r"(?:m[ou]m|dad|gran|nan|grandma|grandad|grandpa))"
)
_BESIDE: Final = (
    r"(?:just|never|only|also|even|still|already|then|finally|actually|simply|both|all) "
)
# Past tenses that end otherwise than in "ed"; and forms of the perfect.
_PAST: Final = (
    r"(?:went|came|took|made|found|met|bought|gave|told|brought|ran|drove|flew|rode|won|left|"
    r"said|began|ate|drank|slept|woke|wrote|sang|fell|broke|stole|caught|spent|sent|kept|grew|"
    r"taught|paid|sold|built|held|stood|sat|threw|wore|tore|spoke|chose|hid|fought|forgot|put|let|"
    r"cut|shut|rang|swam|saw|did|lost|got (?=\w+ed\b|sent|told|given|thrown|caught|in\b|out\b)|"
    r"\w{2,}ed(?<!need)(?<!feed)(?<!bleed))"
)
_DONE: Final = (
    r"(?:gone|come|taken|made|found|met|bought|given|told|brought|run|driven|left|said|begun|"
    r"written|fallen|broken|stolen|spent|sent|kept|grown|paid|sold|built|thrown|spoken|chosen|"
    r"hidden|forgotten|put|let|cut|shut|rung|lost|eaten|\w{2,}ed)"
)
_DID_NOT: Final = (
    r"(?:didnt|hasnt|havent|wouldnt|couldnt) (?:even |once )?"
    r"(?!know|want|feel|have|need|mind|like)\w+"
)
_THEIRS: Final = re.compile(
    rf"{_LEADS}(?:{_OTHERS} (?:{_BESIDE})*(?:{_PAST}|(?:has|have|had) (?:{_BESIDE})*{_DONE}|"
    rf"{_DID_NOT})|(?:hes|shes|theyve|hed|shed|theyd) (?:{_BESIDE})*{_DONE})\b(?! to be\b)"
)
# Not what somebody did, but how they are, or what they are called.
_STATES: Final = re.compile(
    r"\b(?:died|tired|bored|excited|worried|scared|married|used|disappointed|embarrassed|exhausted|"
    r"retired|engaged|divorced|called|named|supposed|allowed|ashamed|relieved|wanted|needed|liked|"
    r"loved|hated|seemed|looked|lived|preferred|believed|grown up|got (?:a|an|the|his|her|their|"
    r"two|three|four|no|to)|lost (?:his|her|their|\w+ stone)|had (?:a|an|the|to))\b"
)
_OWN: Final = re.compile(rf"{_LEADS}(?:i|we) (?:{_BESIDE})*{_PAST}\b")
_NOT_OWN: Final = re.compile(
    r"\b(?:got|lost|forgot|failed|lied|hurt|let|hit|broke|wanted|needed|liked|loved|hated|used|"
    r"tired|scared|worried|lived|moved|believed|hoped|wished|wondered|supposed|guessed|did|fell|"
    r"said|told|asked|called|named|tried|decided|promised|stopped|started|missed|noticed|kept|"
    r"thought|expected|married|born|cried|wept|bawled|sobbed|figured|looked|put|shut|cut|still|been)\b"
)
_TOLD: Final = re.compile(
    rf"{_LEADS}(?:i|we)(?: (?:{_BESIDE})*)(?:told|asked|texted|messaged|emailed|wrote to|rang|"
    rf"phoned|called|showed|warned) (?:(?P<pronoun>him|her|them)|my (?P<kin>{_PEOPLE}))\b(?! an?\b)"
)
_SUBJECT: Final = re.compile(
    rf"{_LEADS}(?:i|im|ive|id|ill|we|were|weve|it|its|this|that|thats|there|theres|he|she|they|hes|"
    rf"shes|theyre|theyve|hed|shed|theyd|you|someone|somebody|everyone|nobody|my|our|his|her|their|"
    rf"the|a|an|no|what|who|which|not|maybe|perhaps|m[ou]m|dad|{_PEOPLE})\b"
)
# What is done to them, or said: asked on about behind a question of the avatar's, too.
_TO_THEM: Final = re.compile(r"\b(?:me|us|said|asked|laughed|wrote|say)\b|\w (?:my|our)\b")
# What others did among themselves is hardly felt; what "they" do, who are no one in particular, is.
_CONCERNS: Final = re.compile(
    r"\b(?:i|im|ive|id|we|weve|me|us|my|our|they|theyve|nobody|didnt|hasnt|wouldnt)\b"
)
_MOST_ASKED: Final = 2  # replies in a row that end with a question


def ask_on(text: str, own: Sequence[str]) -> str:
    """Return a question about what a turn told last; empty where its words tell no doing.

    Args:
        text: The turn.
        own: The avatar's turns, the oldest first; after two questions in a row no third follows.
    """
    asked = [one.rstrip().endswith("?") for one in own[-_MOST_ASKED:]]
    if (len(asked) == _MOST_ASKED and all(asked)) or find_grave(text):
        return ""
    sentences = _SENTENCES.findall(text)
    if not sentences or sentences[-1].rstrip().endswith("?"):
        return ""
    clauses = [" ".join(words_of(one)) for one in _CLAUSES.split(sentences[-1])]
    for clause in reversed([one for one in clauses if one]):
        if _SUBJECT.search(clause):
            return _ask_about(clause, text, own)
    return ""


def _ask_about(clause: str, text: str, own: Sequence[str]) -> str:
    if told := _TOLD.search(clause):
        who = _HE[told["pronoun"]] if told["pronoun"] else f"your {told['kin']}"
        return unsaid([one.format(who=who) for one in _OF_TOLD], text, own)
    is_answer = bool(own) and own[-1].rstrip().endswith("?")
    is_theirs = _THEIRS.search(clause) and not _STATES.search(clause)
    concerns = _TO_THEM if is_answer else _CONCERNS
    if is_theirs and concerns.search(clause if is_answer else " ".join(words_of(text))):
        return unsaid(_OF_THEIRS, text, own)
    if not is_answer and _OWN.search(clause) and not _NOT_OWN.search(clause):
        return unsaid(_OF_OWN, text, own)
    return ""
