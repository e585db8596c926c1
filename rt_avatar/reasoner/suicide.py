"""Hear thoughts of suicide and self-harm in a turn, of the caller's own or of somebody near.

People seldom say "suicide": they speak of not being here, of a bridge, of letters to their
children. Figures of speech, films, accidents, grief and what is denied are none. Knows no reply.
"""

import re
from typing import Final, Literal, TypeAlias

# "unclear": it may be meant, and is asked.
Suicidal: TypeAlias = Literal["suicide", "others_suicide", "unclear"]


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return what finds any of these from the beginning of a word on."""
    return re.compile("|".join(rf"\b(?:{one})" for one in patterns))


_SELF: Final = r"my ?self\b"
_OTHERS_SELF: Final = r"(?:him|her|them) ?sel(?:f|ves)\b"
# Before what somebody has in mind.
MIND: Final = (
    r"(?:want|wanted|wanna|going|gonna|think|thinking|thought|thoughts|urges?|might|tempted|"
    r"like|keep|kept|scared|afraid|could|plan|planning)(?: \w+){0,4}? "
)
_HEIGHTS: Final = r"(?:\w+ )?(?:bridge|roof|building|balcony|cliff|window|tracks)\b(?! into)"
_TRAFFIC: Final = r"(?:\w+ ){0,2}?(?:train|trains|tube|bus|truck|lorry|cars?|traffic)\b"
_ANYMORE: Final = r"(?: any ?more)?"
_SUICIDE: Final = any_of(
    r"suicid(?:e|al)\b", r"self ?harm", rf"(?:kill(?:ing)?|unalive|harm(?:ing|ed)?) {_SELF}",
    rf"{MIND}(?:hurt|hurting|cut) {_SELF}(?! (?:playing|falling|lifting|running|skiing|doing|"
    r"shaving|cooking|at (?:the|work|football)))",
    rf"(?:been|keep|kept) (?:hurting|cutting) {_SELF}",
    rf"hurt {_SELF} (?:on purpose|again$|to feel)",
    rf"cutting {_SELF}(?! (?:shaving|cooking|a|some|off|by|with|on|while))", r"cutting again$",
    r"cut(?:ting)? my (?:wrists?|arms|legs|thighs)$", r"slit my wrists?\b",
    rf"{MIND}(?:jump|jumping|throw {_SELF}|throwing {_SELF}) (?:off|from|out of) {_HEIGHTS}",
    rf"{MIND}(?:jump|step|walk|run|throw(?:ing)? {_SELF})(?:p?ing|"
    rf"n?ing)? (?:out )?(?:in front of|under|into traffic) ?(?:{_TRAFFIC})?",
    r"going to jump off$",
    rf"{MIND}driv(?:e|ing) (?:my car |the car |it )?(?:off|into) (?:a|an|the) (?:\w+ )?(?:bridge|"
    r"cliff|tree|wall|river)\b",
    rf"(?<!could )(?<!could just )(?:hang|drown|shoot|poison)(?:ing)? {_SELF}(?! (?:in|for|on))",
    r"end(?:ing)? (?:my (?:own )?life|it all)\b",
    r"tak(?:e|ing) my (?:own )?life\b(?! (?:back|seriously|into|in|for|forward|to))",
    r"want to (?:die|be dead)\b", r"wanna die\b",
    r"wanted to (?:die|be dead) (?:last night|today|yesterday|again|since|for)\b",
    r"rather be dead\b(?! than)", r"ready to die\b",
    r"wish(?:ed)? i (?:was|were) (?:dead|not (?:here|alive))\b",
    r"wish i (?:wasnt|werent) (?:alive|born|here any ?more)\b",
    r"wish (?:i|id) (?:(?:was |were |had )?(?:never|not)|wasnt|werent|hadnt) (?:been )?born\b",
    r"wish i (?:could|would) (?:just )?(?:die|not (?:exist|wake up))\b",
    r"wish i didnt (?:exist|wake up)\b",
    r"(?:better off|happier|easier|better) (?:dead|without me|if i (?:was|were|wasnt|"
    r"werent) (?:dead|gone|here|around))\b",
    r"dont (?:want to|wanna) (?:exist|be alive|live|live like this|live with (?:this|it|"
    rf"{_SELF})){_ANYMORE}$",
    rf"dont (?:want to|wanna) (?:live|exist|be alive){_ANYMORE} (?:and|i|because|but|it|im|so|"
    r"without)\b",
    rf"dont (?:want to|wanna) (?:wake up|be here)(?:{_ANYMORE}| again| ever| tomorrow| at all)$",
    r"dont (?:want to|wanna) be here any ?more\b",
    r"(?:no|any|the|a) (?:reason|point)(?: left)? (?:to live|to go on|in going on|(?:in|"
    r"of) (?:living|being (?:here|alive)))\b(?! (?:in|with|here|there|together))",
    r"(?:no|the) point (?:of|in|to) (?:my )?life$", r"nothing (?:left )?to live for\b",
    r"life (?:isnt|is not|not|aint) worth (?:living|it)\b(?! without)",
    r"dont deserve to (?:live|be alive|exist)\b",
    r"(?:want|wish|hope|love|like|pray)\b(?: \w+){0,8}? never (?:have to )?wak(?:e|ing) up\b",
    r"(?:think(?:ing)?|thought) (?:about|of) (?:just )?not (?:being|existing|living)(?: here|"
    r" alive| around|$)",
    r"goodbye (?:notes?|letters?)\b",
    r"cant go on(?: any ?more| like this| living)?(?=$| (?:i|it|so|without|but|because|this|"
    r"im)\b)",
    r"(?:take|taking|want|going|thinking|thought) (?:\w+ ){0,2}?overdos(?:e|ing)\b",
    rf"(?:kill|harm|cut|hang)(?:s|ing|ting)? {_OTHERS_SELF}",
    rf"(?:wants?|threaten\w*|wanting) to hurt {_OTHERS_SELF}",
    r"wants to (?:die|be dead)\b(?! (?:his|her|my|their))",
    r"(?:end|ending|take|taking) (?:his|her|their) (?:own )?li(?:fe|ves)\b",
    rf"(?:he|she) doesnt want to (?:live|be here|be alive|exist){_ANYMORE}$",
)  # fmt: skip
# Grief, where others did it; figures of speech; what is denied.
_NO_SUICIDE: Final = any_of(
    r"(?:committed|died (?:of|by)|commit) suicide\b", r"(?:his|her|their|\w{3,}s) suicide\b",
    r"killed (?:him|her|them) ?sel\w+",
    r"suicide (?:squad|prevention|awareness|hotline|bomb\w*|rates?)\b",
    r"(?:films?|movies?|books?|novels?|documentary|show|series|podcast|song|article|news|play|"
    r"lecture|training) (?:\w+ )?(?:about|on|of) (?:\w+ ){0,2}?suicid\w+",
    r"(?:not|never) (?:\w+ ){0,2}?(?:suicidal|(?:kill|hurt|harm|cut)(?:ing)? my ?self)\b",
    r"(?:gran|nan|nana|granny|gramps|grand\w+|great aunt|"
    r"great uncle) (?:\w+ ){0,2}?wants to die\b",
    r"killing my ?self (?:laughing|at work|at the gym|over|trying|with laughter)\b",
    r"(?:dont|didnt|not|never) want(?:ed)? to die\b",
    r"want(?:ed)? to die (?:of|from|laughing|right there|on the spot|inside|when (?:he|she|they|"
    r"everyone|everybody|(?:my|the) \w+) (?:saw|heard|noticed|walked|read|looked|laughed|found|"
    r"asked|called|said))\b",
)  # fmt: skip
_OWN_ATTEMPT: Final = any_of(r"i (?:\w+ ){0,3}commit(?:ted)? suicide\b")
_OTHER: Final = any_of(
    r"(?:friend|mate|he|she|mine|who|brother|sister|cousin|"
    r"colleague) (?:\w+ ){0,8}?attempted\b",
    rf"{_OTHERS_SELF}", r"wants to (?:die|be dead)\b",
    r"(?:end|ending|take|taking) (?:his|her|their)\b",
    r"(?:he|she|they|who) (?:is |are |s )?(?:\w+ )?(?:wants?|suicidal|said|says)\b",
    r"(?:he|she|they|hed|shed|theyd|hes|shes) (?:is |would )?(?:rather|thinks?|thinking|"
    r"doesnt)\b",
    r"my \w+ (?:is|s|was|wants|said|says|might be|has been) .{0,20}(?:suicid|die|kill|dead|"
    r"cutting|self|point)",
)  # fmt: skip
_OWN: Final = any_of(
    _SELF,
    r"i (?:have |had |once )?attempted\b",
    r"i(?:m| am| want| dont want| wanna| might| will| would)\b",
)
_UNCLEAR: Final = any_of(
    r"(?:worth|get|more use) .{0,30}(?:life insurance|dead than)\b",
    r"life insurance .{0,30}(?:worth more|than (?:i|me)|if i (?:was|were|died))\b",
    r"(?:nobody|no one|noone|anyone|anybody|who|somebody|someone) (?:would |will )?(?:even |"
    r"really )?(?:notice|miss me|care)(?: me)? if i (?:(?:was|were|am) (?:gone|dead|not here)|"
    r"wasnt|werent|died|disappeared|vanished)\b",
    r"(?:nobody|no one|noone) would (?:even |really )?miss me$",
    r"(?:see|is|theres) (?:a|any|no|another|no other|any other) way out$",
    r"see a way out any ?more$", rf"^(?:\w+ ){{0,2}}?hurt {_SELF}$",
    r"tired of (?:living|being alive|existing)\b", r"tired of life$",
    r"done with (?:life|living)\b", r"(?:my life|everything) to (?:be over|end)$",
    r"hate being alive\b", r"point (?:of|in) (?:anything|it all|any of (?:it|this)|all this|me)$",
    r"theres no point any ?more$", r"(?:disappear|vanish|sleep) forever\b", r"kms$",
    r"dont care (?:if|whether) i (?:live|die|wake)\b",
    r"i wont be (?:here|around) (?:much |for )?long(?:er)?$",
)  # fmt: skip
_DESPAIR: Final = any_of(
    r"what (?:am i|im|i am) (?:even )?(?:here )?for(?: any ?more| now)?$",
    r"(?<!dont )want (?:it|this|it all|everything) to stop$", r"want (?:it all|everything) to end$",
    r"wanted to die\b", r"no hope left\b", r"los(?:t|ing) (?:all )?hope$",
    r"a burden (?:to|on) (?:everyone|everybody|my \w+|them|him|her)\b",
    r"im (?:just |only )?a burden\b",
    r"wrote (?:\w+ )?letters? to my (?:kids|children|family|parents|wife|husband|son|daughter)\b",
    r"(?:gave|given|giving) (?:my|his|her) (?:cats?|dogs?) (?:away|to)\b",
    r"(?:gave|given|giving) away (?:my|his|her) (?:cats?|dogs?)\b",
    r"cant (?:do this|bear (?:it|this)|cope) any ?more$", r"cant live (?:with|like) this\b",
    r"nothing matters(?: any ?more)?$", r"theres no point$",
    r"(?:life|everything)(?:s| is) (?:so )?(?:pointless|meaningless)\b",
    r"tired of (?:everything|it all|fighting|trying)\b",
    r"(?:im|ill|i wont|i will|i might|i could|i am|i may)(?: not)?(?: going to|"
    r" gonna)? do (?:any|some)thing stupid$",
)  # fmt: skip


def find_suicidal(words: str) -> Suicidal | None:
    """Return whether somebody thinks of suicide or self-harm; None: nobody does.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    plain = _NO_SUICIDE.sub(" ", words)
    if _OWN_ATTEMPT.search(words):
        return "suicide"
    found: Suicidal = "suicide"
    if not _SUICIDE.search(plain):
        if not _UNCLEAR.search(plain):
            return None
        found = "unclear"
    is_others = _OTHER.search(plain) and not _OWN.search(plain)
    return "others_suicide" if is_others else found


def is_hopeless(words: str) -> bool:
    """Whether words (as above) are of despair: one such turn is sorrow, two may be of suicide."""
    return bool(_DESPAIR.search(words))
