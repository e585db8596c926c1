"""Hear harm that is told as nothing much: "he decides who I ring, it's simpler that way".

Who lives with it for long tells it by the way, or excuses it. A rule at home, a stranger, a bruise
is no harm by itself; where it comes with what makes it one (it is watched, punished, hidden,
excused) it is asked about. Of the old and of children ``unguarded`` knows. Knows no reply.
"""

from typing import Final

from rt_avatar.engines.word_set import any_of

_NEAR: Final = (
    r"(?:he|she|hes|shes|my (?:husband|wife|partner|boyfriend|girlfriend|bf|gf|fiancee?|ex|"
    r"stepdad|father in law|mother in law|in laws|brother in law|uncle|brother))"
)
_FREE: Final = any_of(
    rf"{_NEAR} (?:always |just )?(?:decides?|chooses|picks|says|tells me|controls) (?:who|where|"
    rf"when|"
    r"whether|what|how often|if) i (?:can |may |should |am allowed to |get to |have to )*(?:ring|"
    r"see|call|phone|talk|speak|go|visit|wear|spend|eat|buy|leave|work|meet)\b",
    r"(?:he|she) picks (?:my clothes|what i wear|my friends|who i)\b(?!.*\bcolou?r blind\b)",
    r"not (?:really |even )?(?:meant|supposed|allowed) to (?:talk|speak|ring|phone|leave|go|see|be "
    r"on)\b.{0,30}\b(?:when|while|if|unless) (?:he|she)(?:s| is) (?:out|away|not (?:here|in)|at "
    r"work|asleep)\b",
    r"(?:have|has|got|need) to (?:text|send|show|ring|call|prove)(?: to)? (?:him|her|my (?:husband|"
    r"wife|partner|boyfriend|girlfriend)) (?:a |an |my )?(?:photo|picture|pictures|proof|"
    r"screenshot|"
    r"receipts?|every(?: time)?)\b",
    r"(?:he|she|husband|wife|partner|boyfriend|girlfriend) (?:gives?|allows?|lets) me (?:\w+ )?(?:"
    r"pocket money|an allowance|\w+ (?:pounds?|quid|dollars|euros)|the bus fare)\b.{0,40}\b(?:"
    r"receipts?|like a (?:kid|child)|his|account for|change|on (?:a )?\w+days?)\b",
    r"(?:keeps|holds|has) all (?:the|our|my) money\b.{0,40}\b(?:me|i|pocket)\b",
    rf"(?:{_NEAR}|husband|wife|partner|boyfriend|girlfriend) (?:doesnt|didnt|dont|never) (?:like|"
    r"liked|want|approve of) (?:me|my) (?:\w+ )?(?:seeing|having|going|talking|working|meeting|"
    r"being|friends|wearing|singing|dancing)\b.{0,40}\b(?:so|and) (?:i|in the end i) (?:dont|"
    r"stopped|never|cant|packed|gave|havent|quit|left|just dont|had to)\b",
    r"(?:tracker|tracking (?:app|thing|disc|device)|air ?tag)\b.{0,30}\b(?:my (?:car|bag|handbag|"
    r"coat|phone|keys|purse)|on me)\b",
    r"camera\b.{0,30}\b(?:so|and|where) (?:he|she|they) (?:can |could )?(?:sees?|watch\w*|check\w*|"
    r"look\w*) (?:on )?(?:me|who|what|if i)\b",
    r"(?:family|boss|manager|madam|agency|mother in law|father in law|in laws|husband|he|she|they)"
    r"(?: \w+){0,4}? (?:keeps?|holds?|locks?|locked|took|hid) (?:\w+ )?(?:my|our|all our) (?:\w+ )?"
    r"(?:passports?|papers|documents|visas?|birth certificate|id card)\b(?! number)",
    r"(?:late|forget|say no|answer|stop for|talk to|look at)\b.{0,40}\b(?:he|she) (?:goes quiet|"
    r"goes "
    r"silent|gets funny|goes mad|kicks off|sulks|rings and asks|wont speak|punishes|shouts|doesnt "
    r"speak)\b(?!.*\b(?:scrabble|monopoly|joke)\b)",
    r"(?:gets funny|goes mad|kicks off|theres trouble|i pay for it|its hell) (?:otherwise|"
    r"if i dont|"
    r"when i dont)\b",
    r"(?:has|makes|made) me (?:kneel|crawl|eat off|sleep on the floor|stand in the corner)\b",
    r"never know what mood\b", r"keep (?:well )?out of (?:his|her|dads|mums|their) way\b",
    r"(?:he|she|husband|wife|partner|boyfriend|girlfriend) (?:\w+ )?(?:checks (?:who|what|where|"
    r"my|if)|"
    r"wants to know (?:who|where|what)|reads|goes through|decides|asks (?:who|where)|counts|times|"
    r"watches|follows|locks|looks through|listens)\b.{0,60}\b(?:because (?:he|she) (?:loves|cares|"
    r"worries)|just worries|thats love|just how (?:he|she) is|easier (?:that|this) way|simpler|"
    r"most couples|doesnt mean (?:it|anything)|for my own good|gets like that)\b",
)  # fmt: skip
_STRANGER: Final = (
    r"(?:someone|somebody|some (?:man|guy|fella|bloke)|a (?:man|guy|fella|bloke|lad))"
)
_FOLLOWED: Final = any_of(
    rf"(?:my ex|{_STRANGER}|the same (?:\w+ )?(?:man|guy|bloke|fella)|he)\b.{{0,30}}\b(?:keeps? "
    r"(?:on )?(?:turning|showing|popping) up|(?:turns|shows) up (?:wherever|everywhere|at all)|"
    r"keeps (?:waiting|standing|sitting))\b",
    rf"{_STRANGER}(?: \w+){{0,3}}? (?:outside|behind me|across from|"
    rf"at the end of) ?(?:my )?(?:\w+ )?"
    r"(?:every|again|all|three|four|five|each|for the)\b(?!.*\b(?:selling|busk\w*|singing)\b)",
    r"(?:been|waiting|stands?|standing|parked|sits?|sitting) outside my (?:work|house|flat|door|"
    r"school|window|office|gym)\b.{0,20}\b(?:every|again|all|each|nights?)\b(?!.*\b(?:selling|dog|"
    r"lift)\b)",
    r"(?:someones|somebodys|someone has|somebody has|hes|he has) been in(?:side)? my (?:flat|house|"
    r"room|place|home|car|bedroom)\b(?! (?:and (?:left|made)|to fix))",
    r"the same (?:\w+ )?(?:car|van|man|guy|bloke|fella|woman)\b(?:.{0,40}\b(?:behind "
    r"me|outside|follow\w*|in my (?:road|street)|wherever|everywhere)|(?! as\b).{0,40}\bagain)\b",
    r"(?:knows|knew|found out) (?:where i (?:live|work|go|get off|moved|am)|my (?:address|new "
    r"address|route)|what i (?:had|did|wore))\b.{0,40}\b(?:never|didnt|havent) (?:told|tell|gave|"
    r"given)\b",
    r"(?:another|new|fake|\w+th|second|third) (?:account|profile|number)\b.{0,50}\b(?:my (?:house|"
    r"door|street|window|front)|blocked|where i live)\b",
    r"(?:turns|turned|shows|showed|pops|popped) up (?:wherever|everywhere) i (?:go|am|eat|work)\b",
    r"(?:been|comes?|there|waits?|behind me)\b.{0,25}\b(?:every|each)\b.{0,25}\bsince i (?:said "
    r"no|turned (?:him|her|them) down|left (?:him|her)|blocked (?:him|her))\b",
    r"tries (?:my|the) (?:door|window|door handle|lock) (?:\w+ )?(?:at|every|in|about|three|"
    r"each)\b",
    r"blocked (?:him|her|them)\b.{0,30}\b(?:new|another|still|different) (?:account|number|message|"
    r"profile)",
)  # fmt: skip
_SAYS: Final = (
    r"(?:says?|said|tells|told me|telling me|keeps saying|joke[sd]?|joking|threatens|warned me)"
)
_THREATENED: Final = any_of(
    rf"(?:{_NEAR}|dad|mum|they|lads|people|landlord|partner) (?:\w+ )?{_SAYS}\b.{{0,40}}\b(?:hell|"
    rf"hed|"
    r"theyll|theyd|shell|shed|ill|id|i would|i will|youll|make me|we) (?:make me |"
    r"make (?:sure )?me |"
    r"be made )?(?:sorry|regret it|pay for it|end up (?:dead|like|in)|disappear|have an accident|"
    r"(?:be|get) (?:sorry|hurt) if)\b(?!.*\b(?:was right|brakes|missed|miss|film|tattoo|"
    r"didnt come)\b)",
    rf"{_SAYS}\b.{{0,30}}\b(?:nobody|no one) (?:would|will|d) (?:ever |even )?(?:find (?:me|you|my "
    r"body)|look for me|believe me|miss me)\b",
    rf"(?:{_NEAR}|dad|my \w+|they|landlord) {_SAYS}\b.{{0,20}}\b(?:bury|drown|cut|finish|shoot|"
    rf"smash|"
    r"torch|run over) (?:me|my|us|him|her)\b(?!.*\b(?:chess|ping pong|tennis|cards|golf|game)\b)",
    rf"{_SAYS}\b.{{0,30}}\bmy (?:cat|dog|kids?|house|car|face|windows?|mum|mother|family|boyfriend|"
    r"girlfriend|sister)\b.{0,20}\b(?:under a (?:car|bus)|burn\w*|off the|poison\w*|cut|acid|go up|"
    r"next|wont be safe)\b",
    r"people who (?:complain|talk|tell|snitch|grass|leave|argue)\b.{0,30}\b(?:fires?|accidents?|"
    r"hurt|"
    r"disappear|regret|fall)\b",
)  # fmt: skip
_HURT: Final = any_of(
    r"(?:gets|got|is|s) (?:a (?:bit|little) )?(?:handy|physical|rough|heavy handed|"
    r"free with (?:his|"
    r"her) (?:hands|fists)|shovey)(?: with me)? (?:when|after|if|on|sometimes)\b",
    r"(?:aims|hits?|never hits?|only hits?|marks|leaves marks|does it|grabs)\b.{0,25}\bwhere (?:it "
    r"(?:doesnt|wont) show|(?:the )?clothes|nobody|no one)|never hits my\b",
    r"(?:covers?|cover(?:ed)? (?:it|them) up|make ?up|polo neck|long sleeves|scarf|"
    r"sunglasses)\b.{0,40}"
    r"\b(?:bruis\w+|marks|black eye|handprints?|so nobody (?:sees|asks|knows))\b",
    r"i say no\b.{0,20}\b(?:he|they) (?:\w+ )?(?:carries on|does it|keeps going|doesnt stop|"
    r"goes on)\b"
    r"|(?:that(?:s| is)|suppose thats) marriage\b",
    r"(?:walked|walk) into (?:a|the) (?:door|cupboard)\b.{0,40}\b(?:he|she|stood|standing|nurse|"
    r"doctor|told)\b|clumsy me\b.{0,50}\bhe\b",
    r"bruis\w+\b.{0,40}\b(?:he|she) (?:was|is|said|says|feels) (?:ever |so |very )*sorry\b",
    r"(?:bruises?|black eye|split lip|marks)\b.{0,40}\b(?:no harm done|in time for|doesnt mean it|"
    r"didnt mean it|my (?:own )?fault|asked for it|my mouth)\b",
    r"(?:boyfriend|girlfriend|husband|wife|partner|ex) (?:has |just |only )?(?:bit|bites|"
    r"pinche[sd]|"
    r"scratche[sd]|burn(?:t|ed|s)|spits?|spat)(?: \w+)? (?:me|my)\b(?!.*\b(?:crisps|toast|"
    r"tongue)\b)",
    r"(?:held|holds|put) my (?:hand|face|head|arm) (?:near|over|under|against|to|in) (?:the|"
    r"a) (?:ring|"
    r"hob|cooker|water|iron|fire|stove|wall|pillow|bath|toilet)\b",
    r"(?:he|she|they|law|mum|dad|husband|wife|boyfriend|girlfriend|boss|madam) burn(?:ed|t|s) my "
    r"(?:arm|hand|leg|neck|back|face|skin)\b(?!.*\baccident)",
    r"he only (?:pushes|shoves|slaps|hits|grabs|does it) me (?:when|if)\b",
)  # fmt: skip
_STARVED: Final = any_of(
    r"i (?:havent|have not|aint) (?:really |even )?(?:eaten|drunk|had)(?: (?:anything|a thing|food|"
    r"properly|any food|a meal|to eat))? (?:in|for) (?:(?:two|three|four|five|six|seven|several|a "
    r"few|\d) days|days|a week|over a week)\b",
)


def hints_at_harm(words: str) -> bool:
    """Whether a turn hints that somebody is not free, is followed, threatened or hurt.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    kinds = (_FREE, _FOLLOWED, _THREATENED, _HURT, _STARVED)
    return any(one.search(words) for one in kinds)
