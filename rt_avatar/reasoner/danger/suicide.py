"""Hear thoughts of suicide and self-harm in a turn, of the caller's own or of somebody near.

People seldom say "suicide": they speak of not being here, of a bridge, of letters to their
children. Figures of speech, films, accidents, grief and what is denied are none. Knows no reply.
"""

from typing import Final, Literal, TypeAlias

from rt_avatar.engines.word_set import any_of

# "unclear": it may be meant, and is asked.
Suicidal: TypeAlias = Literal["suicide", "others_suicide", "unclear"]


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
    r"how i (?:would|could|will|d) do it\b",
    r"(?:written|wrote|leave|left|writing) (?:a|my) (?:note|letter) (?:to|for) my (?:kids|"
    r"children|family|mum|mom|parents|wife|husband)\b",
    r"i cut my ?self(?= (?:last|again|when|to|because|and)\b|$)",
    r"started (?:hurting|cutting|burning) my ?self\b", r"burning my (?:arms?|legs?|skin)\b(?! on)",
    r"eating my gun\b", r"gonna kms\b", r"saving up (?:my |the )?(?:tablets|pills|meds)\b",
    r"going to do it\b.{0,20}\bmade up my mind\b", r"tonights the night\b",
    r"(?:think|thinking) (?:about|of) (?:just )?(?:stepping|jumping|walking|going) (?:off|in|"
    r"over)(?=$| (?:when|the|and)\b)(?! the (?:train|bus|plane|deep end|ladder|diving))",
    r"give up on life\b", r"(?:dont|doesnt) want to be here any ?more(?: you know| mum| at all)$",
    r"unalive (?:him|her|them|my) ?sel\w+", r"asking me to help (?:him|her|them) die\b",
    r"has a plan to die\b", r"wished (?:he|she|i) (?:was|were) dead\b",
    r"jumping with (?:him|her|the baby)\b", r"up to the bridge and\b", r"cutting again\b",
    r"better off with (?:me|him|her) dead\b",
    r"(?:wants?|want) to (?:be with|go to) (?:nan|gran|mum|mom|dad|grandma|grandad|my \w+) now\b",
    r"hanging (?:my|him|her) ?sel\w+|put a rope\b",
    r"(?:think\w*|keep|hop(?:e|ing)|wish\w*|pray\w*) .{0,40}?(?:never|not) wak(?:e|ing) up\b",
    r"(?:cant|dont want to|point in) (?:carry(?:ing)? on|keep(?:ing)? going)(?=$| (?:any ?more|"
    r"like this|living|i|and|with this|without)\b)",
    r"(?:(?:top|off)(?:ping|ing)? (?:my ?self|(?:him|her|them) ?sel(?:f|ves))|(?:do|"
    r"doing) (?:my ?self|(?:him|her) ?self) in)$",
    r"(?:top|off)(?:ping|ing)? (?:my ?self|(?:him|her|them) ?sel(?:f|ves)) (?:and|but|i|one)\b",
    r"(?:on|at|off) (?:the|a) (?:\w+ )?(?:bridge|roof|ledge|platform|cliff|"
    r"tracks)\b.{0,40}?(?:nearly|almost|about to|going to|wanted to) (?:did|do|done|jump\w*|"
    r"let go|go through)\b",
    r"(?:finish|end) (?:it myself|my ?self|things for good|it for good|it tonight|it now)\b",
    r"world (?:would |will |d |ll )?(?:be )?(?:a )?better (?:place )?(?:off )?without (?:me|him|"
    r"her)\b",
    r"(?:dont|doesnt) (?:want to|wanna) (?:do )?(?:this )?(?:life|living)(?: thing)? any ?more\b",
    r"by the time you (?:read|see|hear|get) this\b",
    r"cuts (?:all )?(?:on|over|up|down) (?:his|her) (?:legs?|arms?|wrists?|thighs)\b",
    r"wishes (?:he|she) (?:was|were) (?:never born|dead|not here)\b",
    r"(?:took|taken|tried to take) (?:his|her|my) own life\b",
    r"tried to (?:end|kill|hang|drown) (?:it|my ?self|him ?self|her ?self)\b", r"suicid(?:e|al)\b",
    r"self ?harm", rf"(?:kill(?:ing)?|unalive|harm(?:ing|ed)?) {_SELF}",
    rf"{MIND}(?:hurt|hurting|cut) {_SELF}(?! (?:playing|falling|lifting|running|skiing|doing|"
    r"shaving|cooking|at (?:the|work|football)))",
    rf"(?:been|keep|kept) (?:hurting|cutting) {_SELF}",
    rf"(?:not (?:only|just)|(?:cant|can ?not|never) (?:stop|help)) (?:hurting|cutting) {_SELF}"
    r"(?! (?:playing|shaving|cooking|doing|while|with|on|at|off|a|some)\b)",
    rf"hurt {_SELF} (?:on purpose|again$|to feel)",
    rf"cutting {_SELF}(?! (?:shaving|cooking|a|some|off|by|with|on|while))", r"cutting again$",
    r"cut(?:ting)? my (?:wrists?|arms|legs|thighs)(?=$| (?:again|last|and|to|when|because)\b)",
    r"slit my wrists?\b",
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
    r"(?<!played )(?<!play )(?<!plays )(?<!sang )(?<!sing )(?<!worked )(?<!works )"
    r"(?:better off|happier|easier|better) (?:dead|without me|if i (?:was|were|wasnt|"
    r"werent) (?:dead|gone|here|around))\b",
    r"dont (?:want to|wanna) (?:exist|be alive|live|live like this|live with (?:this|it|"
    rf"{_SELF})){_ANYMORE}$",
    rf"dont (?:want to|wanna) (?:live|exist|be alive){_ANYMORE} (?:and|i|because|but|it|im|so|"
    r"without)\b",
    rf"dont (?:want to|wanna) (?:wake up|be here)(?:{_ANYMORE}| again| ever| tomorrow| at all)$",
    r"dont (?:want to|wanna) be here any ?more(?=$| (?:and|i|im|but|because|it)\b)",
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
    r"(?<!why )(?<!cant )(?:not|never) (?!(?:only|just|sure|stop\w*|help|(?:scared|"
    r"afraid)(?! (?:of|to) hurt))\b)(?:\w+ ){0,2}?(?:suicidal|(?:kill|hurt|harm|cut)(?:ing)? "
    r"my ?self)\b",
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
    r"(?:wished|wants|says|said|thinks|posting|asking|keeps|stopped|cutting) .{0,30}?\b(?:he|"
    r"she|him|her|hes|shes|they)\b",
    r"(?:my|the) (?:\w+ ){0,3}?(?:keeps|kept|wants|has a plan)\b", r"help (?:him|her|them) die\b",
    r"with (?:him|her) dead\b", r"been cutting again my\b",
    r"\w+ (?:says|said|keeps saying|texted|messaged) .{0,30}?(?:he|she|they|hes|shes|theyre|"
    r"hed|shed)\b",
    r"(?:on|over|up|down) (?:his|her) (?:legs?|arms?|wrists?)\b",
    r"(?:my|his|her|our) \w+(?: \w+)? (?:has |is |was |keeps |keep )?(?:been )?(?:talking|"
    r"saying|told|sent|texted|messaged|posted|given|gave|written|wrote)\b",
    r"without (?:him|her)\b",
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
    rf"{_SELF}", r"i (?:have |had |once )?attempted\b",
    r"i(?:m| am| want| dont want| wanna| might| will| would)\b",
)  # fmt: skip
_UNCLEAR: Final = any_of(
    r"want it all to be over$", r"whats the point(?: any ?more$| in waking up\b)",
    r"last time youll (?:hear|see)\b", r"wants? to end it$",
    r"(?:everybody|everyone|they|you) (?:would|will|d|ll) (?:all )?be (?:fine|ok|okay|better|"
    r"happier) if i (?:wasnt|werent|was not|am not)\b",
    r"putting my affairs in order\b",
    r"dont think ill be (?:here|around) (?:at|for|by|next|much)\b",
    r"(?:ready to )?go and be with my \w+",
    r"sleep (?:and not wake|for a very long time|and never)\b",
    r"deserves? a better (?:mother|mum|mom|father|dad) than me\b", r"no way out for me\b",
    r"shouldve been (?:me|the one who didnt)\b", r"wont be needing (?:it|them|any)\b",
    r"cant see my ?self (?:getting past|living|making it) ", r"cant go on and\b",
    r"(?:problem|burden) (?:for|to) (?:anyone|anybody|you|everyone) (?:much longer|any ?more)\b",
    r"(?:wont|not) be (?:a )?(?:bother|burden|problem|trouble|"
    r"nuisance)(?: to \w+)? (?:for )?(?:much longer|any ?more|long)\b",
    r"wont (?:hear from|see|have to (?:worry about|put up with)) me (?:after|again|any ?more|"
    r"much longer)\b",
    r"(?:just )?(?:want|wanna|want to) (?:to )?(?:just )?(?:disappear|vanish)$",
    r"done with everything$", r"nothing left for me(?: now| here| any ?more)?$",
    r"(?:just|want(?:ed)?) (?:to )?say goodbye (?:to everyone$|and thank)",
    r"(?:go|be|join|get back) (?:and be )?(?:back )?with my (?:\w+ )?(?:again|soon|in heaven|"
    r"up there)$",
    r"(?:gave|given|giving) (?:away )?(?:all )?(?:his|her|their|my) (?:stuff|things|belongings|"
    r"clothes) away\b",
    r"(?:going|says?|said) (?:he|she|hes|shes|he is|she is) (?:is )?going to do it$",
    r"(?:talk\w*|think\w*) about ending (?:things|it)\b",
    r"(?:texted|messaged|sent|rang|told) me (?:\w+ ){0,3}?goodbye\b",
    r"cant see (?:a|any) future\b", r"cant see my ?self (?:here|being here) (?:next|in)\b",
    r"wouldnt (?:mind|care) if i (?:didnt wake|got hit|got run|died|never woke)\b",
    r"hope i (?:dont|never) wake up\b",
    r"easier if i (?:just )?(?:wasnt|werent|disappeared|went|left) (?:here|around|for good|"
    r"forever)?\b",
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
    r"(?:wrote|written|writing) (?:the |my )?letters? to the (?:kids|children|family)\b",
    r"want it all to stop\b", r"what (?:am i|im|i am) (?:even )?(?:here )?for(?: any ?more| now)?$",
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
