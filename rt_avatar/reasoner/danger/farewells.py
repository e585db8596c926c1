"""Hear that somebody may mean to die, in what they arrange, plan no further, or keep.

Nothing of it says so: a dog is found a home, a rent is paid up, a railcard is not renewed, tablets
are put by. One thing of the kind is everybody's; two, or one with a word that it is final, may be
meant, and are asked about. Who moves house, has an operation or retires arranges much. Knows no
reply.
"""

from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.word_set import any_of
from rt_avatar.reasoner.danger.following import wishes_to_follow

_MEDS: Final = (
    r"(?:tablets?|pills?|meds|medication|medicine|painkillers?|paracetamol|sleepers|insulin|"
    r"morphine|codeine|antidepressants|patches|capsules|opioids?|benzos|sleeping (?:ones|stuff))\b"
)
_OWN: Final = (
    r"(?:watch|medals?|rings?|jewell?ery|guitar|violin|cello|piano|records?|collection|tools|"
    r"bike|camera|books|necklace|drill|coats?|paintings?|instruments?|things|stuff|clothes)\b"
)
# What may be put in order before a farewell; each line is another thing.
_ARRANGED: Final = (
    any_of(
        r"(?:sorted|arranged|found|decided|worked out|settled|listed|written down|wrote down) "
        r"(?:\w+ ){0,3}?(?:dogs?|cats?|pets?|rabbits?|budgies?|horse|hens|home for|who (?:gets|has|"
        r"takes|can have))\b",
        r"(?:dogs?|cats?|rabbits?|budgies?|horse|hens)s? (?:is |are |has |have |s )?(?:gone |been "
        r"|living )?(?:with|to) (?:my|a|the)\b",
        r"(?:has|have) (?:the|my) (?:dogs?|cats?|rabbits?|budgies?|horse|hens) now\b",
    ),
    any_of(
        rf"(?:gave|given|giving) (?:\w+ ){{0,4}}?my (?:\w+ )?{_OWN}",
        r"(?:gave|given|giving) (?:everything|all my \w+|it all) away\b",
        rf"my (?:\w+ )?{_OWN} (?:went|goes|go|has gone|have gone) to\b",
        rf"(?:she|he|they|\w+) can have (?:my|the) (?:\w+ )?(?:{_OWN}|car|house|greenhouse|dog|"
        rf"cat)",
    ),
    any_of(
        r"(?:written|wrote|typed|writing|listed)(?: \w+){0,4} (?:passwords?|logins?|"
        r"pin numbers?)\b",
        r"(?:labels?|labelled|names?) (?:on |onto )?(?:the )?(?:backs? of|all|every\w*)\b",
        r"(?:my|the) (?:will|affairs|papers)\b(?= (?:is|are|s|in|done|sorted|and)\b)",
        r"funeral(?: is| s)? (?:all )?(?:paid|planned|sorted|booked)\b",
        r"letters? (?:is |are )?(?:on|in) the (?:shelf|table|drawer|desk|mantelpiece)\b",
    ),
    any_of(
        r"(?:paid|rent)(?: \w+){0,3} (?:up$|up (?:and|to)|till|until|to the end)\b",
        r"(?:cancelled|stopped|switched off) (?:the|my|everything)\b",
        r"(?:given|handed in|gave) (?:\w+ ){0,2}?notice\b",
        r"(?:cleared|emptied|cleaned out) (?:out )?(?:my|the) (?:\w+ )?(?:room|flat|fridge|desk|"
        r"wardrobe|locker)\b",
    ),
    any_of(
        r"(?:told|tell) (?:everyone|everybody|them all|them) (?:that )?i love(?:d)?\b",
        r"made (?:my |it up |it right |peace )*(?:peace )?with (?:everyone|everybody|them all)\b",
        r"said (?:my |all my )?goodbyes?\b",
    ),
)  # fmt: skip
_TURNS: Final = 3  # before a turn, in which another thing was put in order
# Said with one of these, a single one is enough.
_FINAL: Final = any_of(
    r"(?:wont|shant|dont|will not)(?: be)? need(?:ing)?(?: (?:it|them|any|any of it|that|those))?"
    r"(?: any ?more| where im going)$", r"i wont need (?:it|them)(?= (?:now|any ?more)\b|$)",
    r"(?:me done|all tidy|thats (?:it|everything|the lot)(?: done)?|feels tidy|now im ready|"
    r"im ready now)$",
    r"(?:when|after|once) im (?:gone|dead|not here)\b", r"where im going\b",
    r"(?:one|last) (?:job|thing|bit) (?:left|i needed|to (?:do|place))\b",
    r"why\b(?: \w+){0,4} (?:said |told (?:him|her|them) )?no reason$",
    r"(?:wont|will not|nobody|no one)(?: be)? (?:anybody |anyone |nobody |here |left )*(?:here |"
    r"left "
    r")?to (?:read|feed|drink|use)\b",
    r"(?:after that|then) (?:it|none of it|nothing) (?:wont|will not|doesnt)? ?matters?\b",
    r"so (?:theres|there is|there wont be) no (?:fighting|arguing|squabbl\w+|bother)\b",
    r"so (?:they|nobody|no one) (?:dont|wont|has to|have to|has any|fights?)\b",
    r"(?:they|he|she) (?:dont|doesnt|didnt) know\b.{0,20}$", r"for a bit after$",
)  # fmt: skip
_SAID: Final = any_of(  # farewells in themselves
    r"(?:wont|never) (?:be )?(?:hear(?:ing)?|call(?:ing)?|talk(?:ing)?|ring(?:ing)?|bother(?:ing)?)"
    r"(?: \w+){0,3}? after (?:tonight|today|this)(?! (?:week|as|because)\b)",
    r"last (?:time|conversation|call|chat|one of these|talk) (?:that )?(?:i|we|ill|well|im|i will|"
    r"we "
    r"will)(?: \w+)? (?:have|talk|speak|be having|be doing|do)(?=$| (?:this|to|with|i|so|and)\b)",
    r"(?:tell|let) (?:my|him|her|them|everyone|everybody|people)\b.{0,40}\b(?:wasnt|isnt|not|"
    r"none of "
    r"(?:it|this)(?: was| is)?) (?:any of )?(?:her|his|their|anyones|anybodys) (?:fault|doing)\b",
    r"(?:can|could|will|would) you (?:just |please )?tell (?:my \w+|people|everyone|them|him|her)"
    r"(?: that)? i(?:m|m so| said| am| was)? (?:so )?(?:sorry|loved? (?:them|him|her))$",
    r"(?:recorded|recording|made|wrote|written|writing|bought)(?: \w+){0,3} (?:messages?|videos?|"
    r"letters?|cards?|presents?) for (?:each|every)\b.{0,30}\b(?:grown|eighteen|older|twenty ?one|"
    r"big|birthday)\b",
    r"(?:rang|phoned|called|hugged|kissed)\b.{0,60}\b(?:know|tell \w+|knew) it was (?:goodbye|the "
    r"last time)\b",
    r"(?:letter|note|written down|wrote it)\b.{0,40}\bfor when (?:they|she|he|someone|somebody) "
    r"(?:finds? (?:me|us|it all)|comes? looking for me|looks?$)",
    r"said goodbye to (?:everyone|everybody|them)\b.{0,40}\b(?:they|nobody) (?:dont|doesnt|didnt) "
    r"know\b",
    r"wanted to (?:say|tell) (?:goodbye|bye) to (?:someone|somebody|you) (?:really|first|before)\b",
)  # fmt: skip
_PLANS_NOTHING: Final = any_of(
    r"(?:no|much|any|whats the|what is the|hardly|why would i|why should i|not going to)"
    r"(?: (?:point|use|sense|need))?\b.{2,50}\b(?:wont|not going to|not|shant|"
    r"dont expect to) (?:be "
    r"(?:here|around|about|alive)|get that far)(?=$| (?:by then|then|for it|to|any ?more|next|"
    r"much)\b)",
    r"wont be here (?:by then|to (?:wear|see|use|eat|enjoy|open))\b",
    r"(?:cant|dont|couldnt|never) (?:really )?(?:picture|see|imagine|expect|think)(?: \w+){0,4}? "
    r"(?:be|being|still) (?:alive|here|around)(?=$| (?:in|next|by|at) (?:a year|\w+ years?|next|"
    r"summer|winter|christmas|spring|the (?:summer|spring|new year)|year|\w+ty)\b|"
    r" next (?:year|summer|spring|winter|christmas)\b)",
    r"(?:never|dont|didnt) (?:think|thought|expect\w*|see) (?:id|ill|i would|"
    r"myself)(?: \w+)? (?:make|"
    r"making|made|live|living|get|getting)(?: it)? (?:to|past) (?:\w+ty(?: \w+)?|\d\d|"
    r"christmas|my next)\b",
    r"i (?:wont|shant|will never|will not) (?:see|make it to|reach|live to(?: see)?|get to see) "
    r"(?:(?:my )?(?:twenty|thirty|forty|fifty|sixty)(?: \w+)?|\d\d|another (?:winter|summer|spring|"
    r"christmas|birthday|year)|next (?:year|summer|winter|spring|christmas)|the (?:winter|summer|"
    r"spring|new year)|christmas|new year)(?=$| (?:i|im|and|this|that|anyway|now)\b)",
    r"not planning (?:on|to) (?:there being|be(?:ing)? (?:here|around|alive))\b",
    r"(?:after|once) (?:tonight|today|tomorrow|this (?:week|month|weekend)|\w+day|the weekend|"
    r"that) "
    r"(?:is over )?(?:none|nothing|it|nobody)\b(?: \w+){0,3}? (?:matters?|my problem|hurts?|"
    r"needed)\b",
    r"only till \w+day\b.{0,10}\bwont be my problem\b",
    r"(?:birthday|christmas|diary|calendar|cake|presents?|next year|this year|winter|season)\b"
    r".{0,40}\b(?:wont|shant|not going to) be needing (?:it|one|them|any)\b",
    r"(?:wont|shant|not going to) be needing\b.{0,25}\b(?:diary|calendar|for next year|birthday)\b",
    r"(?:single|one way|just the one)\b.{0,40}\b(?:shant|wont|dont) (?:be )?need(?:ing)? (?:a|the) "
    r"(?:return|way back|other half)\b",
    r"nothing (?:after|beyond) (?:this|that|the|next) ?(?:\w+)? for me$",
)  # fmt: skip
_GONE: Final = (
    r"(?:(?:was|were) (?:(?:dead|gone|buried|out of (?:the way|it)|no longer (?:here|around|"
    r"alive)|not "
    r"(?:here|around|alive))\b(?! (?:for (?:a|the|one|two)|on holiday|to))|in the (?:ground|grave|"
    r"churchyard))|(?:just )?(?:wasnt|werent) (?:here|around|born|alive)\b(?! (?:for|on|at|"
    r"when)\b)|"
    r"died\b|disappeared\b(?! for))"
)
_BURDEN: Final = any_of(
    rf"(?:cope|manage|sleep|live|free|fine|cheaper|easier|simpler|happier|relieved|better|worrying|"
    rf"rest)(?: \w+){{0,5}}? if i (?:just )?{_GONE}",
    r"(?:would|could|theyd|hed|shed|d) (?:all |just |finally )*(?:have|get) (?:her|his|their) "
    r"li(?:fe|ves) back(?=$| (?:without me|if i|with me|wouldnt)\b)",
    r"(?:kids|children|family|parents|mum|dad|they|theyd|theyll)(?: would| will| all|"
    r" soon)* get over "
    r"me(?=$| (?:kids|they|in|eventually|soon)\b)",
    r"better off with (?:the|my) (?:\w+ )?(?:insurance|payout)\b",
    r"(?:theyd|they would|everyone would|hed|shed|he would|she would) (?:all )?(?:be free|manage|"
    r"cope)(?: \w+){0,3}? without me(?=$| (?:to|here|around|and)\b)",
    r"(?:easier|better|cheaper) (?:for \w+ )?(?:with me|once im) (?:gone|dead)\b",
)  # fmt: skip
_KEPT: Final = any_of(
    rf"{_MEDS}.{{0,40}}\b(?:dont|havent|not|never|stopped|instead of) (?:\w+ )?(?:tak(?:e|en|ing)|"
    rf"swallow\w*)\b.{{0,40}}\b(?:keep (?:them|em)|whole drawer|sock|jar|tin|count|enough)\b",
    rf"(?:dont|havent|not|never|stopped) (?:\w+ )?(?:tak(?:e|en|ing)|swallow\w*)\b.{{0,20}}{_MEDS}"
    rf".{{0,30}}\b(?:keep them|save them|count them|hid\w+|nearly enough|enough now|aside)\b",
    rf"(?:put(?:ting)?|sav(?:ing|ed)|stash\w*|hoard\w*|squirrel\w*|stockpil\w*|collect\w*|"
    rf"hid(?:den|ing)?)(?: \w+){{0,4}}? {_MEDS}.{{0,30}}\b(?:by|aside|back|hidden|enough|"
    rf"in case it|"
    rf"if it|when it|quite a few)\b",
    rf"enough {_MEDS}.{{0,40}}\b(?:if|when|in case) (?:it|things|life) (?:\w+ )?gets? too much\b",
    rf"(?:{_MEDS}|rope|blades?|razors?|gun|bottle)\b.{{0,50}}\b(?:helps?|comfort\w*|calms me|"
    r"reassuring)(?: to)? know(?:ing)? (?:its|theyre|i could|theres|that)\b",
    rf"{_MEDS}.{{0,30}}\b(?:different|several|three|four|five) (?:different )?(?:shops|chemists|"
    r"pharmacies)\b",
    rf"(?:left ?over|spare|{_MEDS}).{{0,60}}\b(?:for (?:the|that|my) day|(?:asked for|gave) (?:it|"
    r"them) back)\b",
    r"(?:read(?:ing)?(?: up)?|look(?:ed|ing)?(?: it| that)? up|googl\w+|search\w*|research\w*)\b"
    r".{0,30}\bhow (?:many|much)(?: of)? (?:\w+ ){0,4}?(?:it (?:takes|would take)|id need|would "
    r"(?:do it|kill))\b(?! to\b)",
    r"(?:read(?:ing)?|look\w*|googl\w+|search\w*|research\w*)\b.{0,30}\b(?:(?:quick|easi|gentl|"
    r"pain)\w* "
    r"ways? (?:to (?:go|die|end|do it)|out)|(?:do it|go|die) without (?:it |any )?(?:hurting|"
    r"pain))\b",
    r"(?:rope|noose)\b.{0,30}\b(?:beam|branch|know where|ready)\b",
    r"hosepipe in the car\b.{0,20}\b(?:yet|exhaust|engine)\b",
    r"(?:picked|chosen|decided|know) (?:on )?(?:which|the|my|what) (?:bridge|cliff|"
    r"beam)\b(?! (?:to|"
    r"for|we|you)\b)",
)  # fmt: skip
# Much is arranged, and little planned, for other reasons.
_ORDINARY: Final = any_of(
    r"(?:mov(?:e|ed|ing)|downsiz\w+|emigrat\w+|abroad|holidays?|off to|tenerife|away|leave|posted|"
    r"retir\w+|new (?:job|flat|house)|last day|exams?|at work|at (?:mums|my)|leaving (?:work|"
    r"the (?:company|job))|builders?|wedding|course|uni|university)\b",
    r"(?:my |an? |the )(?:op|operation|surgery|baby|bump)\b", r"due in\b", r"babys due\b",
    r"allergic\b", r"save (?:some |a bit of )?money\b", r"spare room\b", r"charity\b",
)  # fmt: skip


def hints_at_death(words: str, *before: str) -> bool:
    """Whether a turn hints that the caller may mean to die.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
        before: Those of the caller's turns before it, the oldest first.
    """
    if wishes_to_follow(words, before) or _KEPT.search(words) or _BURDEN.search(words):
        return True
    if _ORDINARY.search(words):
        return False
    if _SAID.search(words) or _PLANS_NOTHING.search(words):
        return True
    return _is_farewell(words, before[-_TURNS:])


def _is_farewell(words: str, before: Sequence[str]) -> bool:
    """Whether a turn tells of two things put in order, or of a last one; some of it before."""
    arranged = _arranged(words)
    if not arranged:
        return False
    if len(arranged) > 1 or _FINAL.search(words):
        return True
    if any(map(_ORDINARY.search, before)):
        return False
    return len(arranged.union(*map(_arranged, before))) > 1


def _arranged(words: str) -> set[int]:
    return {at for at, one in enumerate(_ARRANGED) if one.search(words)}
