"""Notice that a life may be in danger: suicide, violence, an emergency, harm about to be done.

Text → what kind of alarm. What is long over, accidents and games are none. Knows no reply.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.suicide import MIND, any_of, find_suicidal, is_hopeless

Alarm: TypeAlias = Literal[
    "suicide",  # the caller speaks of suicide or self-harm
    "others_suicide",  # … of somebody else's
    "unclear",  # may speak of it, and is asked
    "violence",  # somebody hurts or threatens the caller
    "fear",  # is afraid of somebody near, or not free
    "threat",  # the caller may hurt somebody, or did
    "overdose",
    "emergency",  # somebody needs help at once
]
SUICIDAL: Final = frozenset[Alarm]({"suicide", "others_suicide", "unclear"})
_HOPELESS_TURNS: Final = 3  # caller's utterances among which a second one of despair is asked about

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
    r"(?<!was )following) me\b(?! (?:up|at|to|that|out|back|around|without|from behind|"
    r"by accident|accidentally|on (?:instagram|twitter|facebook|tiktok|points)|in (?:chess|"
    r"tennis|golf|(?:a|the|our) (?:race|game|quiz|match|final)))\b| with (?:the|a|his|her|that|"
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
)  # fmt: skip
_VIOLENCE: Final = any_of(
    rf"{_MEN}{_DOES}(?:{'|'.join(_DEEDS)})",
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
_FEAR: Final = any_of(
    r"(?:scared|afraid|frightened|terrified) of (?:my (?:husband|wife|partner|boyfriend|"
    r"girlfriend|dad|father|stepdad|stepfather|mum|mom|mother|brother|ex|uncle|parents)|him|"
    r"her)(?=$| (?:when|and|now|because|at|if|since|but|he|she|so|all|sometimes|too|i|a|lately)\b)",
    r"(?:he|she|my (?:\w+ )?(?:husband|wife|partner|boyfriend|girlfriend|ex)) (?:wont|doesnt|"
    r"never) (?:lets?|allows?) me (?:to )?(?:leave|see (?:my|any|anyone|friends)|go (?:out|"
    r"anywhere|outside)|out$|(?:talk|speak) to|meet (?:my|any|friends)|have (?:any |"
    r"my )?(?:own )?(?:money|friends|phone|keys|job))",
)  # fmt: skip
_PEOPLE: Final = (
    r"(?:he|she|hes|shes|i|im|someone|somebody|mum|mom|dad|a (?:man|woman|child|boy|girl)|(?:my|"
    r"our|the) (?:\w+ )?(?:baby|son|daughter|child|kid|toddler|husband|wife|partner|boyfriend|"
    r"girlfriend|dad|father|mum|mom|mother|gran|nan|grandma|grandmother|grandad|grandpa|"
    r"grandfather|brother|sister|friend|neighbou?r|uncle|aunt|colleague|roommate|flatmate))"
)
_EMERGENCY: Final = any_of(
    rf"{_PEOPLE} (?:is |s |has |can )?(?:isnt|not|stopped|hardly|barely|cant) breath(?:e|"
    r"ing)\b(?! (?:a|in this|for|through|under))",
    rf"{_PEOPLE} (?:has |just |has just )?collapsed\b(?! (?:on(?:to)? (?:the|my|our) (?:sofa|"
    r"couch|bed)|in(?:to)? (?:a|my|bed|tears|laughter)))",
    rf"{_PEOPLE} (?:is |s |lying )?unconscious\b",
    rf"{_PEOPLE} wont wake up\b(?! (?:for|before|early|on|in|to))",
    rf"{_PEOPLE} (?:is |s )?(?:choking|drowning)\b(?! (?:in|up|on (?:my|his|her) words))",
    r"(?<!was )(?<!were )bleeding (?:\w+ )?(?:a lot|heavily|badly|so much|everywhere|out)\b",
    r"wont stop bleeding\b",
    r"(?<!nearly )(?<!almost )having an? (?:heart attack|stroke|seizure)\b",
    r"turn(?:ing|ed) blue$",
    r"(?:ive got|i have|i got|hes got|shes got|he has|she has|having) (?:\w+ )?(?:chest pains?|"
    r"pains? in (?:my|his|her) chest)\b",
    rf"{_PEOPLE} (?:has |just |has just )?swallowed (?:a |some |the |my |an? \w+ )?(?:battery|"
    r"bleach|magnets?|pills?|tablets?|detergent)\b",
    r"(?:theres|there is|someone is|someones|somebody is|somebodys) (?:(?:someone|somebody|"
    r"an intruder|a (?:strange )?man) )?(?:in my (?:house|flat|home|apartment|room|garden)|"
    r"outside my window|(?:breaking|trying to (?:break|get)) in(?:$|to (?:my|our|the)))",
    r"(?:house|flat|kitchen|building|apartment) (?:is|s) on fire\b", r"theres a fire in\b",
    r"i (?:can )?smell gas\b",
    r"(?:(?<!dont )(?<!didnt )i need|^(?:please )?call(?: me)?|(?:please|can you|could you|"
    r"someone|somebody|should i) call(?: me)?) (?:an ambulance|the police|nine one one|911|999|"
    r"112)\b",
)  # fmt: skip
_PAST: Final = any_of(
    r"yesterday\b", r"last (?:night|week|month|year|summer|winter|spring|\w+day)\b", r"ago\b",
    r"when (?:i|we) (?:was|were)\b", r"in \d{4}\b", r"used to\b", r"had to\b", r"once\b",
)  # fmt: skip
_DRUGS: Final = (
    r"(?:\w+ ){0,2}?(?:pills?|tablets?|meds|medication|medicine|paracetamol|tylenol|ibuprofen|"
    r"aspirin|insulin|heroin|drugs?|painkillers?|opioids?|fentanyl|purpose)\b"
)
_OVERDOSE: Final = any_of(
    r"(?:took|taken|swallowed) (?:too many|all (?:of )?(?:my|the)|a (?:whole )?(?:bottle|"
    r"handful) of) (?:\w+ ){0,2}?(?:pills|tablets|painkillers|meds)\b",
    r"(?:took|taken) an (?:\w+ )?overdose\b", rf"i(?:ve)? (?:\w+ )?overdosed(?:$| on {_DRUGS})",
    r"i(?:ve)? (?:\w+ ){0,2}?(?:drank|swallowed) (?:some |the )?(?:bleach|antifreeze|poison)\b",
)  # fmt: skip
_DEAR: Final = (
    r"(?:kids?|child|children|baby|babies|son|daughter|toddler|newborn|twins?|wife|husband|"
    r"partner|girlfriend|boyfriend|mum|mom|mother|dad|father)\b"
)
_THREAT: Final = any_of(
    rf"{MIND}(?:shoot(?:ing)? up|bomb(?:ing)?|blow(?:ing)? up|burn(?:ing)? down) (?:the|my|a|his|"
    r"her|our|that|this|their) (?:\w+ )?(?:school|office|workplace|work|church|mosque|synagogue|"
    r"(?<!my )house|building|shop|class|hospital|station)\b",
    rf"{MIND}shoot(?:ing)? (?:everyone|everybody|people|them all)\b",
    r"i(?:m|ll|d)? (?:\w+ ){0,3}?(?:want|wanna|going|gonna|think|thought|might|could|"
    r"feel like|scared|afraid|urge)(?: \w+){0,3}? (?:hit|hurt|shake|smack|slap|smother|harm|"
    rf"strangle|stab)(?:t?ing)? (?:my|the|our) (?:\w+ )?{_DEAR}(?! (?:with|feelings)\b)",
    r"i (?:just |even |actually |nearly |almost )?(?:hit|slapped|smacked|shook|punched|kicked|"
    rf"choked|pushed) (?:my|our|the) (?:\w+ )?{_DEAR}(?! (?:with|up|by|on the swing|out|to|off|"
    r"for|in the (?:pram|buggy))\b)",
)  # fmt: skip


def find_alarm(text: str, before: Sequence[str] = ()) -> Alarm | None:
    """Return whose life may be in danger, and by what; None: nobody's.

    Args:
        text: What was said; recognisers' errors only hide an alarm.
        before: The caller's turns before it, the oldest first.
    """
    words = _joined(text)
    suicidal = find_suicidal(words)
    if suicidal == "suicide" or suicidal == "others_suicide":
        return suicidal
    if _OVERDOSE.search(words):
        return "overdose"
    if _EMERGENCY.search(words) and not _PAST.search(words):
        return "emergency"
    if _VIOLENCE.search(words) and not _LONG_AGO.search(words):
        return "violence"
    if _THREAT.search(words):
        return "threat"
    if _FEAR.search(words):
        return "fear"
    recent = before[-_HOPELESS_TURNS:]
    is_twice = is_hopeless(words) and any(is_hopeless(_joined(one)) for one in recent)
    return "unclear" if suicidal or is_twice else None


def is_despair(text: str) -> bool:
    """Whether a turn is of despair, which is no alarm yet."""
    return is_hopeless(_joined(text))


def is_violence(text: str) -> bool:
    """Whether somebody hurt or threatened the caller, be it long ago."""
    return bool(_VIOLENCE.search(_joined(text)))


def _joined(text: str) -> str:
    return " ".join(words_of(text))
