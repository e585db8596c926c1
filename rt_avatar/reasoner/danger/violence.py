"""Hear violence in a turn: done to the caller, feared by them, or about to be done by them.

What is long over, accidents, games and small children are none. Knows no reply.
"""

from typing import Final, Literal, TypeAlias

from rt_avatar.engines.word_set import any_of
from rt_avatar.reasoner.danger.suicide import MIND

# "violence": somebody hurts or threatens the caller; "fear": they are afraid of somebody near, or
# not free; "threat": they may hurt somebody, or did.
Violent: TypeAlias = Literal["violence", "fear", "threat"]

_MEN: Final = (
    r"(?:he|she|hes|shes|they|theyre|dad|mum|mom|daddy|(?:my|her|his) (?:(?!little|baby|toddler|"
    r"youngest|two|three|four|five|\d)\w+ )?(?:husband|wife|partner|boyfriend|girlfriend|bf|gf|"
    r"ex|fiance|dad|father|stepdad|stepfather|mum|mom|mother|stepmum|stepmom|stepmother|brother|"
    r"sister|uncle|flatmate|roommate|housemate|neighbou?r|boss|manager|carer|parents?)|someone|"
    r"somebody|(?:a|some) (?:man|guy|stranger))"
)
_DOES: Final = (
    r"(?: (?:is|was|has|have|had|just|always|often|sometimes|started|keeps?|kept|still|also|"
    r"then|even|actually|been|and|only))* "
)
_DEEDS: Final = (
    r"(?:hits?|hitting|beats?|beating|beaten|punch(?:es|ed|ing)?|kick(?:s|ed|ing)|slap(?:s|ped|"
    r"ping)|chok(?:es|ed|ing)|strangl(?:es|ed|ing)|smack(?:s|ed|ing)|attack(?:s|ed|ing)|"
    r"abus(?:es|ed|ing)|rap(?:es|ed|ing)|threaten(?:s|ed|ing)|stalk(?:s|ed|ing)|"
    r"(?<!was )following) me\b(?! (?:(?:fair|fairly|narrowly|hands down|fair "
    r"and square) )?(?:up|at(?! (?:home|night|school|work|the weekend)\b)|to|that|out|back|"
    r"around|without|from behind|"
    r"by accident|accidentally|on (?:instagram|twitter|facebook|tiktok|points)|in (?:chess|"
    r"tennis|golf|(?:a|the|our) (?:race|game|quiz|match|final)|\w+ (?:moves|sets|rounds))|"
    r"hollow)\b| with (?:the|a|his|her|that|"
    r"this) (?:\w+ )?(?:balls?|question|news|bill|frisbee|pillow|snowball|car|truck|van|bike)\b)",
    r"(?:push|shov)(?:es|ed)? me(?:$| (?:down|into the|against|off|over|to the|onto|again|when|so|"
    r"but|and|once|only|hard|around)\b)",
    r"threw me (?:down|against|to|across|into)\b", r"(?:slammed|dragged) me\b",
    r"grab(?:s|bed) me by\b", r"held me (?:down|against)\b", r"locked me (?:in|up|inside)\b",
    r"forced (?:himself|herself|me to (?:have|touch))\b", r"c[oa]mes? at me with\b",
    r"(?:puts?|had) (?:his|her|their) hands? (?:a?round|on|to) my (?:neck|throat)\b",
    r"(?:throws|threw) (?:a|the|his|her) (?:plate|glass|chair|bottle|phone|cup|mug|knife|lamp|"
    r"vase|pan) at me\b",
    r"pulled (?:out )?(?:a|his|the) (?:knife|gun)\b",
    r"broke my (?:arm|nose|jaw|ribs?|wrist|fingers?)\b",
    r"(?:hurt|hurts|hurting) me\b(?! feelings)",
    r"(?:tried|trying|tries) to (?:strangle|choke|kill|rape|stab|hit|drown|smother) me\b",
)  # fmt: skip
_VIOLENCE: Final = any_of(
    rf"{_MEN}{_DOES}(?:{'|'.join(_DEEDS)})",
    r"(?<!never )(?:beat|beats|battering|battered|bashed|bashing) me(?: up)?(?=$| (?:and|again|"
    r"last|up)\b)", r"(?:beat|battering|battered|bashed|bashing) me(?: up)? when\b",
    r"(?:threatened|threatens|threatening) (?:to (?:stab|kill|hit|hurt|shoot|beat|burn|"
    r"rape) )?me\b",
    r"(?:got|has) a (?:knife|gun|bat) and (?:hes|shes|theyre|he|she)\b",
    r"forced (?:himself|herself) on\b",
    r"(?:burn|smash) my (?:house|face|head|place) (?:down|in)\b.{0,20}(?:me|$)",
    r"makes me (?:sleep|have sex) with\b", r"grabs my (?:arms?|wrists?|neck|hair)\b",
    r"(?:shoves|pushes|knocks|slaps|throws) me (?:about|around)\b",
    r"(?<!never )punches me\b(?! in the game)",
    r"i was raped\b(?! (?:when|years|as))", r"touches me\b(?! (?:deeply|emotionally))",
    r"my (?:son|daughter|grandson|granddaughter|carer|nephew) (?:has )?(?:(?:push|shov)(?:es|"
    r"ed) me (?:down|over|against)|(?:punch|chok|threaten|beat)\w* me|(?:hits|grabs) me|"
    r"keeps (?:hitting|grabbing|pushing) me)\b",
    r"(?:lads|boys|men|guys|kids|girls|people|blokes|group|gang|they) (?:\w+ ){0,3}?(?:jumped|"
    r"attacked|beat|kicked|mugged|robbed|punched|chased|threatened|surrounded) me\b(?! (?:at|to|"
    r"in|out|off|up))",
    r"(?:kicked|kick|smash(?:ed)?|smash) my (?:head|face) in\b", r"burn(?:ed|t|s) me with\b",
    r"(?:throws|threw|chucks|chucked) (?:things|stuff|anything|plates|cups) at me\b",
    r"(?:left|leaves|leaving) (?:me )?(?:with )?(?:\w+ )?(?:bruises|marks|a black eye)\b",
    r"(?:gave|given) me a (?:black eye|bloody nose|fat lip|split lip)\b",
    r"(?:grabs|grabbed|pulls|pulled|dragged) me (?:by|so hard|really rough|too hard|"
    r"really hard)\b",
    r"(?:pulled|pulls|yanked) my hair\b", r"(?:spat|spits) (?:at|on|in) (?:me|my)\b",
    r"twisted my arm\b",
    r"(?:is|hes|shes|theyre|keeps) (?:outside|banging on|kicking|hammering on|"
    r"trying to kick) (?:my (?:house|door|flat)|the door|(?:\w+ )?banging on)\b",
    r"(?:held|holding|put|had) a (?:knife|gun|blade) (?:to|at|against|on|up to) (?:me|my)\b",
    r"(?:forced|forcing|forces|made) me to (?:have sex|sleep with|touch|do things)\b",
    r"(?<!never )(?:hits|slaps|beats|punches|kicks) (?:me|us)(?: and| all| again|$)",
    r"(?:hits|slaps|beats|punches|kicks) (?:me|us)(?: up)? (?:when(?:ever)?|if)\b",
    rf"{_MEN} (?:\w+ ){{0,2}}?(?:said|says|swore|told me|threatens|threatened)(?: (?:that|"
    r"to))? (?:(?:he|she|they|hed|shed|theyd|hell|shell|hes|shes)(?: (?:would|will|is|"
    r"was))?(?: going to)? )?(?:kill|hurt|shoot|stab|beat|burn) me\b",
    r"(?<!not )(?<!was )(?<!were )being (?:abused|beaten|stalked|followed|chased|"
    r"attacked)\b(?! by (?:a|an|the|my|our|this) (?:cat|dog|puppy|goose|geese|duck|swan|wasp|"
    r"bee|seagull|chicken|squirrel)\b| (?:in|on) (?:a|the|my) (?:dream|game|film)\b|"
    r" on instagram\b)",
    r"going to kill me\b.{0,20}\b(?:help|scared|afraid|gun|knife)\b", r"in danger right now\b",
    r"(?:not|dont feel) safe (?:here|at home|with (?:him|her|them|my \w+))\b",
)  # fmt: skip
_LONG_AGO: Final = any_of(
    r"when (?:i|we) (?:was|were)\b", r"as a (?:kid|child|teenager)\b", r"years? ago\b",
    r"growing up\b", r"childhood\b", r"back then\b", r"used to\b", r"last year\b", r"at school\b",
)  # fmt: skip
_PARENT: Final = r"(?:mum|dad|mom)"
# What parents are asked for.
_TREATS: Final = (
    r"sweets|cake|chocolate|ice|crisps|pudding|seconds|coffee|instagram|tiktok|snapchat|dog|cat|"
    r"pet|"
    r"kitten|puppy|tattoo|second|third"
)
_FEAR: Final = any_of(
    r"(?:afraid|scared|frightened|terrified) (?:that )?(?:hes|shes|he|she|hell|shell|"
    r"theyre) (?:is |will )?(?:going to )?(?:(?:hurt|hit|kill|find) (?:me|us)|come (?:back|"
    r"home))\b",
    r"^(?:i )?dont feel safe(?: here| any ?more| at all)?$",
    r"controls (?:everything|what|who|where|my|all)\b", r"mustnt know (?:im|that|i)\b",
    r"(?:hide|hid|hiding) (?:in (?:my|the) (?:room|bathroom|toilet|wardrobe)|"
    r"under)\b(?!.*\b(?:sardines|hide and seek)\b).{0,40}\b(?:he|she|dad|mum|mom|when|call|"
    r"because)\b",
    r"ask (?:him|her|my (?:husband|wife|boyfriend|girlfriend|partner)) before i (?:spend|go|leave|"
    r"buy|see)\b",
    r"(?:my|his) \w+(?: \w+)* frightens me\b", r"frightens me when (?:hes|shes|he|she)\b",
    r"keeps my passport\b(?! number)", r"says i cant leave\b",
    r"(?:take|takes|taking) the kids and (?:ill|i will|id) never\b", r"listens to everything$",
    r"(?:sent?|sending|send) me away to get married\b",
    r"made to marry|forced (?:to marry|marriage)\b", r"chair against (?:the|my) door\b",
    r"cameras (?:all over|in|round|around) (?:the|my|our) (?:house|home|flat|"
    r"room).{0,20}\b(?:watch|me|see)\b",
    r"(?:turning up|waiting|sitting) outside (?:my )?(?:work|house|school|flat|door)\b",
    r"(?:leak|leaking|share|post|send) my (?:pics|pictures|photos|nudes|videos)\b",
    r"finds out im on the phone\b",
    r"(?:whisper|talk quiet\w*|be quiet) (?:because|cos|he|she|please)\b",
    r"(?:scared|afraid|frightened|terrified)(?: of)? what (?:he|she|hell|shell|hed|shed|dad|"
    r"my \w+|theyll|theyd)\b",
    r"(?:scared|afraid|frightened|terrified) (?:to|of|about) (?:go|going|be|being|come|"
    r"coming) (?:home|back home|at home|alone with)\b",
    r"(?:scared|afraid|frightened|terrified) (?:of|because of|that) my (?:step\w+|dad|husband|"
    r"boyfriend|partner|ex|brother|son|uncle|wife)(?! (?:dying|will die|is ill))\b",
    r"(?!my (?:mum|mom|mummy|teacher|toddler|baby|dog|cat|puppy) (?:takes|took) my (?:phone|keys))"
    r"(?:he|she|my \w+) (?:always |even |still )?(?:checks|reads|goes through|takes|took|"
    r"has took|has taken|controls|keeps|hides|hid|looks at) (?:all )?(?:of )?my (?:\w+ "
    r")?(?:phone|messages|texts|money|wages|bank card|card|passport|keys|benefits|pension|pay|"
    r"papers)\b",
    r"takes all my (?:wages|money|pay|benefits|pension)\b",
    r"dont feel safe (?:in my own|at|here|around|in the house|anywhere|going home)\b",
    r"(?:he|she|they|my \w+) locks? me (?:in|up|out)\b", r"walk(?:ing)? on eggshells\b",
    r"darent (?:ask|say|tell|leave|go|speak|do)\b", r"follow(?:s|ing) me everywhere\b",
    r"(?:not|im not|aint) allowed (?:to (?:see|leave|go|talk|have|work|speak|use)|out|"
    r"any (?:friends|money))\b(?! (?:in|during) (?:assembly|class|lessons?|the library|exams?)\b)",
    r"(?:he|she)(?:d| would|ll| will) (?:go mad|kill me|lose it|kick off|go mental|go crazy|"
    r"hurt me|flip) if\b",
    r"(?:if )?(?:he|she) finds out (?:\w+ ){0,6}?(?:kill|hurt|beat|hit) me\b",
    r"watches (?:everything i do|me all the time|where i go)\b",
    r"(?:tracks|tracking) (?:my phone|where i|me)\b",
    r"(?:he|she|they|husband|wife|partner|boyfriend|girlfriend|dad|father|mum|mother|son|"
    r"family)(?: \w+)? (?:wont|doesnt|never) (?:let|lets|allow|allows) me (?:out|leave|have|see|"
    r"go|talk|work)\b(?! (?:a (?:dog|cat|third|second|pet)|sweets|cake|chocolate|ice))"
    rf"(?<!{_PARENT} wont let me have)",
    rf"{_PARENT} wont let me have (?!(?:(?:my|a|the) )?(?:{_TREATS})\b)",
    r"(?:scared|afraid|frightened|terrified) of (?:my (?:husband|wife|partner|boyfriend|"
    r"girlfriend|dad|father|stepdad|stepfather|mum|mom|mother|brother|ex|uncle|parents)|him|"
    r"her)(?=$| (?:when|and|now|because|at|if|since|but|he|she|so|all|sometimes|too|i|a|"
    r"lately)\b)",
    r"(?:he|she|my (?:\w+ )?(?:husband|wife|partner|boyfriend|girlfriend|ex)) (?:wont|doesnt|"
    r"never) (?:lets?|allows?) me (?:to )?(?:leave|see (?:my|any|anyone|friends)|go (?:out|"
    r"anywhere|outside)|out$|(?:talk|speak) to|meet (?:my|any|friends)|have (?:any |"
    r"my )?(?:own )?(?:money|friends|phone|keys|job))",
)  # fmt: skip
_DEAR: Final = (
    r"(?:kids?|child|children|baby|babies|son|daughter|toddler|newborn|twins?|wife|husband|"
    r"partner|girlfriend|boyfriend|mum|mom|mother|dad|father)\b"
)
_THREAT: Final = any_of(
    r"im (?:going to|gonna) (?:kill|stab|shoot|murder) (?:him|her|them|my (?:wife|husband|boss|"
    r"neighbou?r|dad|mum|mom|brother|ex|boyfriend|girlfriend))$",
    r"i (?:want|need) to (?:kill|stab|shoot|murder) (?:him|her|them|my (?:wife|husband|ex|dad|"
    r"mum|mom|brother|boyfriend|girlfriend|boss))$",
    r"i (?:want|feel like|need) (?:to )?(?:hurt|hurting|kill|killing) (?:him|her|them|somebody|"
    r"someone|people|some people|everyone)$",
    r"(?:think|afraid|scared) im (?:going to|gonna) (?:hurt|kill|hit|stab)\b",
    r"i(?:ve)? (?:just )?(?:really )?hurt (?:somebody|someone|a man|him|her badly)$",
    r"(?:beat|smash|batter|bash) (?:him|her|them) up when\b",
    r"i (?:slapped|hit|pushed|grabbed|hurt|shook) (?:dad|mum|mom|nan|grandad|the baby|a pupil|"
    r"a student|the kids?|my (?:son|daughter|wife|husband|boy|girl|mum|dad|mother|father|"
    r"brother|sister|partner)) (?:today|by the (?:throat|neck|arm)|he|she|and|so hard|"
    r"last night)\b",
    r"pillow over (?:\w+ )?(?:mums|moms|dads|his|her|the babys|their) face\b",
    r"(?:taking|bringing|take|bring) a (?:knife|gun) (?:in|into|to) (?:school|work|the office)\b",
    r"put (?:him|her|them) in the ground\b",
    r"(?:rifle|gun|hammer|knife|bat) (?:by the door|(?:and|ready|under|"
    r"in the car)\b.{0,40}\b(?:know where|he lives))\b",
    r"(?:drown|drowning|smother\w*|shak\w+) the baby\b(?!s)",
    r"i (?:will|m going to|ll) burn (?:his|her|their|the) (?:house|shop|place)\b",
    r"(?:gonna|going to) get (?:shanked|stabbed|hurt|shot) tonight\b",
    r"(?:nearly|almost) (?:strangled|choked|killed|stabbed) (?:him|her|my)\b",
    r"want them all dead\b",
    r"i(?:m| am|ll| will)? (?:really |seriously |actually )?(?:going to |gonna |want to |"
    r"wanna )?(?:kill|stab|murder|strangle) (?:him|her|them|my \w+)\b.{0,30}\b(?:swear|"
    r"tonight|mean it|knife|gun|really|serious|plan)\b",
    r"i(?:ve)? (?:just |think i )?(?:stabbed|shaken|strangled|shot|killed) (?:him|her|them|"
    r"someone|somebody|my (?:wife|husband|dad|mum|brother|sister|son|daughter|girlfriend|"
    r"boyfriend|friend)|the baby)\b(?! (?:a |an |plant|phone|time|mood|vibe|it))",
    r"(?:shook|shaken|threw|dropped|hit|smacked|slapped) (?:him|her|the baby|it|"
    r"them)(?: really hard| too hard| so hard)? and (?:now )?(?:he|she|hes|shes|its|they)\b",
    r"(?:got|have|had|took|taking|with) (?:a|the|my) (?:\w+ )?(?:knife|gun|bat|machete|"
    r"hammer) (?:in my|and im|with me|and i)\b",
    r"make them (?:all )?pay\b", r"smash (?:his|her|their) (?:skull|head|face|teeth) in\b",
    r"burn (?:their|his|her) (?:house|place|flat) down\b",
    r"(?:thoughts?|thinking|images|urges?|voices) (?:\w+ ){0,4}?(?:about|of|to|"
    r"tell\w*) (?:me )?(?:to )?(?:strangl|stabb?|hurt|kill|smother|harm|drown|shak|shoot)(?:ing|"
    r"e)? (?:my|the|her|him|them|people|some\w+|every\w+)\b(?!sel)",
    r"(?:scared|afraid|worried|frightened) (?:that )?(?:ill|i will|i might|im going to|i could|"
    r"of what i) (?:\w+ )?(?:hurt|harm|hit|do something to|snap|do to|kill) ?(?:the|my|him|her|"
    r"them|someone|some\w+)?\b(?! (?:feelings|my ?self|exam))",
    r"(?:lost it|snapped|lost my temper) and (?:i )?(?:hit|shook|pushed|threw|grabbed|slapped|"
    r"punched)\b",
    rf"{MIND}(?:shoot(?:ing)? up|bomb(?:ing)?|blow(?:ing)? up|burn(?:ing)? down) (?:the|my|a|his|"
    r"her|our|that|this|their) (?:\w+ )?(?:school|office|workplace|work|church|mosque|synagogue|"
    r"(?<!my )house|building|shop|class|hospital|station)\b",
    rf"{MIND}shoot(?:ing)? (?:everyone|everybody|people|them all)\b",
    r"i(?:m|ll|d)? (?:\w+ ){0,3}?(?:want|wanna|going|gonna|think|thought|might|could|"
    r"feel like|scared|afraid|urge)(?: \w+){0,3}? (?:hit|hurt|shake|smack|slap|smother|harm|"
    rf"strangle|stab)(?:t?ing)? (?:my|the|our) (?:\w+ )?{_DEAR}(?! (?:with|feelings)\b)",
    r"i(?:ve)? (?:just |even |actually |nearly |almost )?(?:hit|slapped|smacked|shook|punched|"
    rf"kicked|choked|pushed|hurt) (?:my|our|the) (?:\w+ )?{_DEAR}(?! (?:with|up|by|on the swing|"
    r"out|to|off|for|in the (?:pram|buggy))\b)",
)  # fmt: skip


def find_violence(words: str) -> Violent | None:
    """Return which violence is told of; None: none.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    if _VIOLENCE.search(words) and not _LONG_AGO.search(words):
        return "violence"
    if _THREAT.search(words):
        return "threat"
    return "fear" if _FEAR.search(words) else None


def was_hurt(words: str) -> bool:
    """Whether words (as above) tell that the caller was hurt or threatened, be it long ago."""
    return bool(_VIOLENCE.search(words))
