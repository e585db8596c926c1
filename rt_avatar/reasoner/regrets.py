"""Hear what a caller reproaches themselves with, and show that it was heard as that.

"I never said sorry to her", "if only I'd locked the gate": neither told back nor talked away. What
others did to them, and what they would rather have bought, is no such thing. Knows no reply of the
bank.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.news import SAYINGS as NEWS
from rt_avatar.reasoner.unsaid import unsaid

# Left undone, and seen too late; done, or said.
Regret: TypeAlias = Literal["hindsight", "wrong"]

SAYINGS: Final[Mapping[Regret, tuple[str, ...]]] = {
    "hindsight": (
        "I can hear how much you wish you could go back to that.",
        "It's hard not to go over that again and again.",
        "That's a lot to hold against yourself.",
        "I can hear how much it matters to you.",
    ),
    "wrong": (
        *NEWS["guilt"],
        "It says something that it stays with you.",
    ),
}
_THEM: Final = (
    r"(?:him|her|them|(?:my|our) (?:own |little |best |poor |old )*(?!favou?rite|team|car|phone|"
    r"self)\w+|mum|mom|dad|gran|nan|grandad|grandma)"
)
_PATTERNS: Final[Sequence[tuple[Regret, re.Pattern[str]]]] = (
    ("wrong", re.compile(
        r"\bi (?:really |just |even |then )?(?:said|shouted|called \w+|told \w+) (?:\w+ )?"
        r"(?:some |such |really |so many )*(?:horrible|awful|nasty|terrible|cruel|unforgivable|"
        r"mean|hurtful|dreadful) (?:things?|stuff)\b|"
        rf"\bi told {_THEM} (?:that )?i (?:hate|hated|never loved|wished (?:he|she|they)|never "
        r"wanted)\b|"
        r"\bi (?:said|told|called)\b.*\b(?:that|it) was (?:so |really |very |pretty )?(?:mean|"
        r"unfair|cruel|nasty|rotten|unkind)(?: of me)?\b|"
        r"\bi promised (?:\w+ ){1,7}(?:and|but) i (?:wasnt|didnt|forgot|never|couldnt|let)\b|"
        r"\bi (?:walked out on|turned my back on|gave up on|abandoned|cheated on|hid it from) "
        rf"{_THEM}\b|"
        r"\bi was (?:so |really |quite |very |pretty |just )?(?:horrible|awful|mean|nasty|short|"
        rf"rude|unkind|cruel|beastly|vile) (?:to|with) {_THEM}\b|"
        r"\bi left (?:him|her|them) (?:on (?:his|her|their) own|alone|waiting|standing)\b|"
        rf"\bi made {_THEM} cry\b(?! (?:with|laughing))|"
        rf"\bi(?:ve| have) (?:been lying to|lied to|let down|neglected|hurt) {_THEM}\b|"
        r"\bi (?:scratched|dented|broke|ruined|smashed) (?:his|her|their|(?:my|our|the) (?:\w+ )?"
        r"(?:neighbours|neighbors|friends|mums|moms|dads|sisters|brothers|mates|bosss|flatmates))\b"
        r".*\b(?:drove off|havent told|didnt (?:say|tell|own)|said nothing|ran|thinks)\b|"
        rf"\bi (?:never|didnt even|didnt) (?:said |say )?(?:sorry|apologi[sz]ed?) to {_THEM}\b")),
    ("hindsight", re.compile(
        r"\bi (?:should ?ve|should (?:have|of)|ought to have|could have|couldve) (?:\w+ )?"
        r"(?:been (?:there|nicer|kinder|with|more)|called|rung|phoned|visited|gone (?:to see|round|"
        r"with|back)|stayed with|said (?:something|sorry|goodbye|it)|told (?:him|her|them)|"
        r"listened|stopped (?:him|her|them|it)|locked|noticed|seen it coming|checked|helped|"
        r"protected|done more)\b|"
        rf"\bi never (?:said|got to say|told) (?:goodbye|thank you|{_THEM} (?:that )?i loved)|"
        rf"\bi never (?:called|rang|phoned|visited|wrote to|went to see|thanked) {_THEM}\b|"
        rf"\bi wasnt there (?:for {_THEM}|when (?:he|she|they|it))\b|"
        rf"\bi missed (?:his|her|their|(?:my|our) \w+s) (?:first|last|school|play|recital|"
        r"graduation|funeral|birthday|wedding|call)\b|"
        r"\bif only (?:i|id|i had)\b|\bi keep thinking (?:that )?(?:if id|what if i|id only|i "
        r"could have|i should have)\b|\bcant forgive myself\b|(?<!id )\bnever forgive myself\b")),
)  # fmt: skip
_UNREAL: Final = re.compile(
    r"\b(?:if|unless|hope|wish|dream\w*|says?|said|tells|told me|thinks?|wants|nearly|almost)\b"
    r"(?:(?! (?:and|but|so) ).)*$"
)
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def find_regret(text: str) -> Regret | None:
    """Return what a caller reproaches themselves with; None where they do not."""
    sentences = _SENTENCES.findall(text)
    for part in (*sentences, *map("".join, itertools.pairwise(sentences))):
        words = " ".join(words_of(part))
        if "?" in part or is_reported(part):
            continue
        for regret, pattern in _PATTERNS:
            found = pattern.search(words)
            if found and not _UNREAL.search(words[: found.start()]):
                return regret
    return None


def meet_regret(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    regret = find_regret(text)
    return unsaid(SAYINGS[regret], text, own) if regret else ""
