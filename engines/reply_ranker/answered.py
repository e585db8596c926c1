"""Whether a question asks for what was told: how it went, how it feels, why, and all of ``slots``.

A listener who asks what was just said has not listened.
"""

from functools import lru_cache
from typing import Final

from rt_avatar.engines.reply_ranker.slots import FACTS, SOMEBODY, slot

_KEPT: Final = 4096  # questions; those of a bank's replies are looked at again with each turn
_FELT: Final = (
    r"(?:happy|glad|delighted|thrilled|excited|proud|chuffed|relieved|grateful|thankful|content|"
    r"lucky|sad|upset|gutted|heartbroken|devastated|lonely|miserable|depressed|down|disappointed|"
    r"dreading|angry|furious|livid|mad|cross|annoyed|fuming|frustrated|fed up|sick of|scared|"
    r"afraid|"
    r"terrified|frightened|anxious|nervous|worried|stressed|overwhelmed|panicking|guilty|ashamed|"
    r"embarrassed|mortified|jealous|hurt|shocked|speechless|disgusted|exhausted|bored)"
)
_GOOD_OR_BAD: Final = (
    r"(?:great|lovely|wonderful|amazing|heaven|marvellous|brilliant|fantastic|perfect|awful|"
    r"terrible|horrible|dreadful|disaster|nightmare|boring|magic|magical|beautiful|fun|delicious|"
    r"good|nice|bad|rubbish|hell|the best|the worst|unforgettable|"
    r"flop|washout|triumph|shambles)"
)
_SLOTS: Final = (
    *FACTS,
    # --- what happened, how and why -------------------------------------------------------------
    slot(r"what happened\?", r"(?:\S+ ){7}", "turn"),
    slot(
        r"what happened|what was it (?:about|that)|going on|tell me (?:about it|more|everything)|"
        r"what is it about|what did you see|what's (?:happening|behind)",
        r"(?:\S+ ){11}",  # twelve words tell something
    ),
    slot(
        r"what(?:'s| is| was) it (?:\w+ )?about\b",
        r"\b(?:about|over) (?!it\b|that\b|this\b)\w+",
        "turn",
    ),
    slot(
        r"\breason\b|\bwhy\b|how come\b|what made you (?!smile|think)|what brought it|what set "
        r"it off|what(?:'s| is) behind (?:it|that)\b|what led|what pushed it|what made it happen|"
        r"what kept you|how did (?:it|that) (?:all )?(?:come about|happen|begin|start)",
        r"\b(?:because|cause|cos|coz|due to|thanks to|that's why|that is why|so that|the reason|"
        r"on account of)\b",
    ),
    slot(
        r"how did (?:it|that) (?:come about|happen)",
        r"\b(?:i|he|she|we|it) (?:\w+ )?(?:fell|slipped|tripped|crashed|ran into|hit|dropped|"
        r"spilled|"
        r"knocked)\b",
        "turn",
    ),
    slot(
        r"how did (?:you|it) (?:find|come)",
        r"\b(?:found|find) out\b",
    ),
    slot(
        r"how did you (?:find out|hear|notice)|who told you|how did the news come",
        r"\b(?:found|find) out\b|\b(?:told|rang|phoned|called|texted|emailed) me\b|"
        r"\bi (?:\w+ )?(?:caught|overheard|walked in|saw (?:it|him|her|them|his|the)|read)\b",
    ),
    slot(
        r"see it coming|any warning|any idea\b(?!.*where)|expect(?:ing)? it\b|a surprise\b|seen it "
        r"coming|no idea at all",
        r"\b(?:sudden\w*|shock\w*|surpris\w*|expect\w*|out of the blue|from nowhere|no warning|"
        r"never thought|(?:knew|saw) it|had a feeling)\b",
    ),
    slot(
        r"first time",
        r"\b(?:again|first time|first ever|every year|always|never (?:\w+ )?before)\b",
    ),
    # --- how it went, how somebody is -----------------------------------------------------------
    slot(
        r"how (?:was|were) (?:it|that|the \w+|your \w+)(?: there| in the end)?\?|find it so far|"
        r"how did (?:it|that|you|things|the \w+) (?:\w+ )?(?:go|turn out|end|come out|get on)"
        r"(?! (?:on|from)\b)|was it (?:good|worth|as good|as bad|all right|a good)|"
        r"(?:content|happy|pleased) with (?:it|how)|did you enjoy|did it turn out",
        r"\b(?:went|goes|going) (?:\w+ ){0,2}?(?:well|badly|fine|okay|ok|great|wrong|smoothly|"
        r"\w+(?:ibly|antly|fully))\b|"
        rf"\b(?:was|were|it's been) (?:\w+ ){{0,2}}?{_GOOD_OR_BAD}\b|"
        r"\b(?:i|we|he|she|they) (?:\w+ )?(?:failed|flunked)\b|"
        r"\b(?:turned|came) out\b|\bit (?:\w+ )?(?:worked|rose)\b|"
        r"\b(?:loved|enjoyed|hated) (?:it|every)\b|"
        rf"\bi (?:\w+ )?(?:told|asked)\b.* (?:and|but|so) (?:my )?{SOMEBODY} (?:\w+ )?"
        r"(?:\w+ed|said|says|took|was|were|went|got|burst|ran|told)\b",
        "turn",
    ),
    slot(
        r"(?:do|are|did) you feel|feeling about|how (?:did|does) (?:it|that) feel|"
        r"what did that feel",
        r"\bi (?:feel|felt|was so|am so)\b|\bi'm so\b|\bmade me\b",
    ),
    slot(
        r"how do you feel(?: (?:about|with) (?:it|that))?(?: today| yourself)?\?|"
        r"how does (?:it|that) (?:feel|sit)",
        rf"(?<!says )(?<!said )\b(?:i'm|i am|we're|we are|i've been|"
        rf"feels?) (?:\w+ ){{0,2}}?{_FELT}\b|"
        r"\bover the moon\b|\bin (?:tears|bits|pieces)\b|\bbreaks my heart\b|"
        r"\bi(?:'m)? (?:\w+ )?(?:love|hate|adore|loving|hating|can't (?:stand|bear)) (?!to\b)\w+",
        "turn",
    ),
    slot(
        r"how do you (?:like|find) (?:it|that)|do you (?:enjoy|like) it|are you (?:enjoying|"
        r"looking forward)|did you like it|are you into it",
        r"\b(?:i|we) (?:\w+ )?(?:love|like|hate|enjoy|adore|loved|liked|enjoyed|hated|can't wait|"
        r"can't stand|can't bear|"
        r"dread)\b|\blooking forward\b|\bcan't wait\b|\bdreading\b",
        "turn",
    ),
    slot(
        r"what (?:worries|scares|frightens) you|what are you (?:most )?(?:afraid|dreading|scared)|"
        r"what do you fear|you most nervous|loudest worry|what makes you nervous|scariest",
        r"\bwhat if\b",
        "turn",
    ),
    slot(
        r"what bothers you|what gets to you|gets to you(?: the)? most|what(?:'s| is| was) the "
        r"(?:worst|hardest)",
        r"\bthe (?:worst|hardest) (?:part|bit|thing|of|is|was)\b|\bworst of all\b|"
        r"\b(?:gets|bothers|kills|annoys|upsets) me\b",
        "turn",
    ),
    slot(
        r"what are you (?:hoping|wishing)|what do you (?:hope|wish)|what had you hoped|"
        r"what would you (?:have )?(?:like|liked|hope for|wish for|wished for)\?",
        r"\b(?:i|we) (?:\w+ )?(?:hope|wish|want|wanted|hoped)\b|\bhoping\b|\bif only\b|"
        r"\b(?:i'd|i would) (?:\w+ )?(?:like|love|rather|prefer)\b|\ball i want\b",
        "turn",
    ),
    slot(
        r"\b(?:best|nicest) (?:part|bit|moment|thing|of it)|like (?:about it )?(?:most|best)",
        r"\b(?:best|nicest|loveliest|favou?rite) (?:part|bit|thing|moment|of)\b",
        "turn",
    ),
    slot(r"what do you miss", r"\bi(?:'ll)? (?:\w+ )?miss (?!you\b|it\b)\w+"),
    slot(
        r"how do you see it\?|what do you (?:think|make of (?:it|that))\?",
        r"\b(?:i (?:\w+ )?(?:think|reckon|believe)|if you ask me|in my (?:view|opinion)|"
        r"to my mind)\b",
        "turn",
    ),
    slot(
        r"(?:is|are) (?:it|the \w+|they|\w+) (?:\w+ )?(?:all right|okay|safe|hurt|now)\?",
        r"\b(?:fine|ok|okay|safe|better|recovered|unhurt)\b",
    ),
    slot(
        r"all right\b|(?:anyone|you|anybody) (?:get )?hurt|everyone safe|in one piece",
        r"\b(?:fine|ok|okay|safe|hurt|injured|broke|broken|bruis\w+|scratch\w*|stitches|sprain\w*|"
        r"unharmed|one piece)\b",
    ),
    slot(
        r"is it (?:very |still )?(?:bad|sore)\b|how bad is it",
        r"\b(?:nick|scratch|stitches|agony|killing me|sore|hurts|throbbing|swollen|bleeding|fine|"
        r"not (?:too|that|so) bad|really bad|painful|in pain)\b",
    ),
    slot(
        r"happy tears|tears or sad",
        r"\b(?:happy|sad|joy) (?:crying|tears)\b|\bcr(?:ied|ying) "
        r"(?:happy|with joy|for joy|with happiness)\b|\btears of\b|\bhappy tears\b",
    ),
    # --- what others did ------------------------------------------------------------------------
    slot(r"\bfirst\b.*\btell\b|tell first", r"\b(?:told|called)\b"),
    slot(
        r"\bapologi[sz]e|\bsa(?:y|id) sorry|own up",
        r"\b(?:apolog\w+|sorry|own(?:s|ed)? up|admit\w*|den(?:y|ies|ied))\b",
    ),
    slot(
        r"turned up\b|back by now|handed it in|where it could be|find it\b(?! (?:there|so))|"
        r"be hiding|any idea where",
        r"\b(?:found (?:it|him|her|them)|turned up|still missing|looked everywhere|no sign|"
        r"came back|(?:is|are|'s) back)\b",
    ),
    slot(
        r"\b(?:have|had|getting any|get any|manage|how).*\bsleep",
        r"\bsle(?:ep|eps|pt|eping)\b|\bawake\b|\bclosed my eyes\b|\binsomnia\b",
    ),
    slot(
        r"how did you (?:two )?(?:meet|find each other|come to know)|know each other\?",
        r"\bmet\b|\b(?:from|at|since) (?:school|college|uni|university|work|the army)\b",
    ),
    slot(
        r"how (?:will you|are you) celebrat|going to be celebrated|a celebration\b",
        r"\bcelebrat\w+\b|\bparty\b|\bgoing out for\b|\bchampagne\b|\bprosecco\b",
    ),
)


@lru_cache(_KEPT)
def slots_of(question: str) -> frozenset[int]:
    """Return what a question, lower case, asks for: numbers of slots."""
    return frozenset(at for at, one in enumerate(_SLOTS) if one.asks.search(question))


@lru_cache(64)
def known_in(said: str, last: str) -> frozenset[int]:
    """Return what was told already: numbers of slots.

    Args:
        said: The words of all that the caller said, lower case.
        last: Those of the last turn.
    """
    return frozenset(
        at
        for at, one in enumerate(_SLOTS)
        if one.known.search(said if one.where == "call" else last)
    )
