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
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.news import SAYINGS as NEWS
from rt_avatar.reasoner.responses.unsaid import unsaid

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
        "It takes some honesty to say that. I'd like to hear how it sits with you.",
        "That's not easy to own up to. I'm listening.",
    ),
}
_THEM: Final = (
    r"(?:him|her|them|(?:my|our) (?:own |little |best |poor |old )*(?!favou?rite|team|car|phone|"
    r"self)\w+|mum|mom|dad|gran|nan|grandad|grandma)"
)
# Done to somebody: harsh words, what was theirs, what they trusted in.
_HARSH: Final = (
    r"waste of space|idiot|liar|loser|cow|bitch|fool|failure|moron|pig|coward|disgrace|useless|"
    r"pathetic|selfish|stupid|lazy|ugly|fat|names"
)
_THEIRS: Final = r"(?:his|her|their|my \w+s)"
_TO_THEM: Final = (
    rf"\bi (?:just |only |then |actually |even )?(?:"
    rf"called {_THEM} (?:an? |such an? )?(?:\w+ ){{0,2}}?(?:{_HARSH})\b|"
    rf"(?:hung up|put (?:the phone|it) down|took (?:it|everything|my \w+) (?:all )?out) on {_THEM}|"
    rf"lost (?:my (?:temper|rag|patience)|it) (?:with|at) {_THEM}|bit (?:his|her) head off|"
    rf"(?:ghosted|blanked|blamed|betrayed|stood up) {_THEM}\b|stood (?:him|her|them) up|"
    rf"made fun of {_THEM}|(?:shouted|yelled|snapped|screamed|swore) at {_THEM}|"
    r"(?:smacked|slapped|kicked) (?:the|my|our) (?:dog|cat|puppy)|"
    r"said (?:some )?(?:\w+ )?(?:shitty|rotten|bad|nasty|stupid|ugly) (?:things|stuff|something) "
    rf"(?:about|to|behind) (?:{_THEM}|{_THEIRS})|"
    rf"(?:read|went through|looked through|searched) {_THEIRS} (?:\w+ )?(?:diary|diaries|phone|"
    r"messages|texts|emails|letters|journal)|"
    rf"told \w+ (?:\w+ )??(?:what (?:he|she|they)d? (?:had )?told me|{_THEIRS} secret)|"
    rf"(?:took|stole|nicked|pinched) (?:\w+ ){{1,4}}?(?:from|out of|off) (?:{_THEIRS}|my) "
    r"(?:\w+ )?(?:purse|wallet|bag|mum|mom|dad|gran|nan|brother|sister|friend|till)\b|"
    r"let (?:him|her|them|(?:my|the) \w+|somebody else|someone else) take the blame|"
    r"forgot (?:all )?(?:about )?(?:(?:my|our|his|her|their) (?:\w+ ){0,3}?)?(?:\w+s )?"
    r"(?:birthday|anniversary|recital|graduation|school play)\b"
    r"(?! (?:card|cake|present|gift|party)))|"
    rf"\b(?:ive |i )?had (?:such |a real )?a go at {_THEM}\b|"
    rf"\bive been (?:so |really |such |just |a bit |very )*(?:horrible|awful|mean|nasty|short|"
    rf"rude|cold|unkind|snappy|vile|beastly) (?:to|with) {_THEM}\b"
)
# Not done for them, kept from them, said once too often; and sorry since.
_LEFT: Final = (
    r"\b(?:asked|needed|trusted|counted on|was counting on|relied on|waited for) me\b"
    r"(?: \w+){0,5} (?:and|but) (?:then )?i (?:just )?(?:never (?:\w+ )?(?:went|came|called|rang|"
    r"replied|turned|showed|did|answered)|didnt (?:go|come|call|turn|show|do|answer|bother)|"
    r"forgot)\b|"
    r"\b(?:he|she|they) (?:wrote|rang|called|asked|begged|waited)\b"
    r"(?!.*\b(?:kept|keeps|again|ex|stop)\b).* (?:and|but) i (?:never|didnt) (?:even )?"
    r"(?:answer\w*|repl\w+|wrote|write|open\w*|respond\w*)\b|"
    r"\bi (?:just )?(?:didnt|never) (?:turn(?:ed)?|show(?:ed)?) up (?:for|to|at) "
    r"(?:my|his|her|their)\b|"
    rf"\bi (?:still )?(?:never|didnt|havent) (?:pay|paid|give|gave|given) (?:it |{_THEM} )?back\b|"
    r"\bi (?:backed|reversed) over (?:my|our|the|his|her|their) (?:\w+ )?(?:cat|dog|bike)\b|"
    rf"\bi let {_THEM} (?:go to (?:prison|jail)|take the (?:fall|blame))\b|"
    r"\btold (?:him|her|them) (?:it was )?(?:somebody|someone) else (?:did|had|hit|broke|took|who)"
    r"\b|"
    rf"\bi told {_THEM} (?:that )?i (?:was|had|couldnt)\b.* i (?:wasnt|hadnt|could have|"
    r"just didnt)\b|"
    r"\b(?:doesnt|dont|didnt) (?:even )?know\b.*\bi told (?:him|her|them) (?:that )?i\b|"
    r"\b(?:asked me|kept (?:on )?\w+ing|wouldnt stop|over and over|times)\b.*\bi (?:just )?"
    r"(?:shouted|snapped|yelled|screamed|exploded|lost it)$|"
    r"\bive (?:been sorry|felt (?:\w+ )?(?:bad|awful|terrible|rotten|guilty)|regretted it) "
    r"(?:about (?:it|that) )?ever since\b|"
    r"\bi (?:still )?(?:feel|felt) (?:so |really |just |pretty |absolutely )*(?:bad|awful|"
    r"terrible|rotten|horrible|lousy) (?:about what i|for (?:saying|doing|leaving|shouting|"
    r"snapping|lying|forgetting|letting|not))\b|"
    r"\bi know i shouldnt have\b(?! (?:eaten|bought|worn|had|watched|stayed|worried)\b)"
)
_PATTERNS: Final[Sequence[tuple[Regret, re.Pattern[str]]]] = (
    ("wrong", re.compile(
        rf"{_TO_THEM}|{_LEFT}|"
        r"\bi (?:really |just |even |then )?(?:said|shouted|called \w+|told \w+) (?:\w+ )?"
        r"(?:some |such |really |so many )*(?:horrible|awful|nasty|terrible|cruel|unforgivable|"
        r"mean|hurtful|dreadful) (?:things?|stuff)\b|"
        rf"\bi told {_THEM} (?:that )?i (?:hate|hated|never loved|wished (?:he|she|they)|never "
        r"wanted)\b|"
        r"\bi (?:said|told|called)\b.*\b(?:that|it) was (?:so |really |very |pretty )?(?:mean|"
        r"unfair|cruel|nasty|rotten|unkind)(?: of me)?\b|"
        r"\bi promised (?:\w+ ){1,8}(?:and|but) (?:then )?i (?:just )?(?:wasnt|didnt|forgot|never|"
        r"couldnt|let)\b|"
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
# Though it begins as what was said to another.
_TOLD_ON: Final = re.compile(
    r"\bi told \w+ (?:\w+ )??(?:what|(?:his|her|their) secret)\b|"
    r"\b(?:doesnt|dont|didnt) (?:even )?know\b|\bi told \w+ (?:that )?i (?:was|had|couldnt)\b|"
    r"\b(?:somebody|someone) else\b|\bi (?:never|didnt) (?:even )?(?:answer|repl|write|open)|"
    r"\bi (?:just )?(?:shouted|snapped|yelled|screamed|exploded|lost it)$"
)
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
        if "?" in part or (is_reported(part) and not _TOLD_ON.search(words)):
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
