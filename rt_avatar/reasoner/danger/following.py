"""Hear the wish to follow somebody who died: "he passed in May, I just want to be with him".

It is grief in most mouths and a plan in some, so it is asked about and not taken for granted. Who
died may have been told a few turns before. Who wants to be with the living, or goes with somebody
to a funeral, wishes nothing of the kind. Knows no reply.
"""

from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.word_set import any_of

KIN: Final = (
    r"(?:husband|wife|partner|fiancee?|boyfriend|girlfriend|mum|mom|mother|dad|father|parents|"
    r"brother|sister|twin|son|daughter|child|children|baby|boy|girl|nan|nana|gran|granny|grandma|"
    r"grandad|grandpa|grandmother|grandfather|aunt|auntie|uncle|cousin|friend|mate|neighbour|"
    r"neighbor|dog|cat)"
)
_DIED: Final = (
    r"(?:died|dead|stillborn|killed|buried|took (?:his|her|their) own li(?:fe|ves)|overdosed|"
    r"passed(?! (?:the|my|his|her|their|our|me|him|us|it|by|out|through|an?|with|all|every)\b)|"
    r"gone(?! (?:to|for|off|out|back|on|from|home|away|mad|wrong|through|viral)\b))"
)
_DEAD: Final = any_of(
    rf"(?<!battery ){_DIED}\b", r"(?:bury|burying|funeral|ashes|cremat\w+|suicide)\b",
    r"(?:he|she|they) (?:was|were) (?:my|the) (?:whole|only|everything|love of my life)\b",
    rf"(?:lost|losing) (?:my|our) (?:\w+ )??{KIN}\b", r"took an overdose\b",
)  # fmt: skip
_WITH: Final = r"(?:him|her|them|my (?:wife|husband|boy|girl|baby))"
# Behind whom nothing tells where and what for.
_END: Final = (
    r"(?=$| (?:now|again|so|too|very|and (?:i|im|not)|but|wherever|up there|instead|soon|more|"
    r"badly|in heaven|in the ground|that(?:s| is) (?:all|it)|thats|than|already|one day|really|i|"
    r"im|he|she|they|hes|shes|theyre|it)\b(?! (?:we|moved|lives?)\b))"
)
_WISH: Final = (
    r"(?:want|wanted|wanna|want is|wish is|need|longing|long|ready|hop(?:e|ing)|like|love|prefer|"
    r"rather|wish i could|tempted|waiting|about|time|turn|think(?:ing)? (?:is|about|of)|"
    r"all i think about is)"
)
_WISHES: Final = any_of(
    rf"{_WISH} (?:just |only )?(?:to )?(?:just )?(?:go|going|be|being|come|join|joining|follow|"
    rf"following|lie|sleep)(?: (?:back|down|in|on|out|over|off))?"
    rf"(?: (?:with|to|after|beside|next to|alongside))? {_WITH}{_END}",
    r"(?:want|wanna|rather|should|ought to|like to|wish i could|wish i was|only think about how i|"
    r"belong|need to)(?: just)?(?: to)?(?: be| go| get to| get| end up)?(?: to)? (?:where|"
    r"wherever) "
    r"(?:he|she|they|it)(?:s|re)?(?: is| are| went| has gone)?(?=$| (?:now|and|than|so|you|i|"
    r"but)\b)",
    rf"i(?:d| should| could| ought to| wish i(?:d| had)?|shouldve| shouldve)(?: just)?(?: have)? "
    rf"(?:go|gone|went|died)(?: in| down)?(?: with {_WITH}{_END}| too$| too (?:and|but|i|now)\b|"
    rf" as "
    rf"well$| instead\b)",
    r"keep (?:on )?thinking (?:that )?(?:i should|ill|i could) (?:go|be next|follow|die) ?(?:too|"
    r"as well|next)?$",
    r"(?:should ?(?:ve|have)|wish it(?:d| had| was)?|why (?:wasnt|couldnt|isnt) it)(?: been| was| "
    r"were)? me(?=$| (?:instead|not (?:him|her|them)|who died|that died|in (?:that|the) (?:coffin|"
    r"grave|box|ground|car))\b)",
    r"(?:see|seeing|join|joining|be with|meet|meeting) (?:him|her|them)(?: again)? (?:very |pretty "
    r")?(?:soon|shortly)$",
    r"(?:wont|not|isnt|hope its not|hope it isnt|hope it wont) (?:be )?(?:too |very )?long"
    r"(?: now)?(?: (?:love|darling|my love))? (?:till|until|before|and) (?:i|ill|im|we|well)\b"
    r"(?: \w+){0,2}? (?:see|with|join|follow|coming|together)(?=$| (?:him|her|them|my|you|"
    r"again)\b)",
    r"(?:had|has) the right idea\b", r"take me with (?:you|him|her)$",
    r"taken me (?:too|instead)\b",
    r"(?:i )?belong(?:ed)? (?:with|beside|next to) (?:him|her|them)$",
    r"(?:done|tired of|sick of) waiting to see (?:him|her|them)\b",
    r"nothing (?:left |here |for me |to (?:stay|get up|go on|"
    r"carry on) )+(?:\w+ ){0,3}?without (?:him|"
    r"her|them)\b",
    r"without (?:him|her|them) (?:i (?:have|ve|see) (?:nothing|no reason)|theres no (?:point|"
    r"reason)"
    r"|i (?:dont|cant) see (?:the point|why))\b",
    r"dont (?:want to|wanna) (?:be here|stay(?: here)?|carry on|go on|keep going|wake up|do this|"
    r"live)(?: any ?more)? without (?:him|her|them)(?=$| (?:he|she|they|i|any|and|so|it)\b)",
    r"(?:be|been|get) (?:back )?together again(?: soon)?$", r"my turn (?:now|next)$",
)  # fmt: skip
# Not the caller's dead: those who mourn are wished to be with, or it was an end of something else.
_LIVING: Final = any_of(
    rf"(?:his|her|their|whose|friends|mates|wifes|husbands|partners|boyfriends|girlfriends|mums|"
    rf"dads|neighbours) (?:\w+ )??{KIN} (?:has |have |was |is |just )*{_DIED}\b",
    rf"(?:hes|shes|theyre|he is|she is|he was|she was|{KIN} (?:is|was)|mums|dads) (?:so |very |"
    rf"really |all |just )*(?:upset|crying|alone|on (?:his|her|their) own|devastated|heartbroken|"
    rf"in "
    rf"(?:bits|pieces)|a mess|lonely|struggling|ill|poorly|in (?:hospital|tears))\b",
    r"(?:when|as|before|while|until|till) (?:he|she|they|it|my \w+) (?:died|passed|was dying|"
    r"went)$",
    r"(?:airport|match|pub|shops?|holiday|weekend|grave|cemetery|service|wake|church|visit)\b",
)  # fmt: skip
_TURNS: Final = 4  # caller's turns, this one among them, in one of which the death is told


def wishes_to_follow(words: str, before: Sequence[str] = ()) -> bool:
    """Whether a turn may wish to be with somebody who died.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
        before: Those of the caller's turns before it, the oldest first.
    """
    if not _WISHES.search(words) or _LIVING.search(words):
        return False
    lately = (*before, words)[-_TURNS:]
    return any(_DEAD.search(one) and not _LIVING.search(one) for one in lately)
