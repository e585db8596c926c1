"""Hear in a turn that somebody needs help at once: an emergency, an overdose, a poisoning.

What is over and figures of speech are none. Knows no reply.
"""

from typing import Final, Literal, TypeAlias

from rt_avatar.engines.word_set import any_of

Urgent: TypeAlias = Literal["overdose", "emergency"]

_PEOPLE: Final = (
    r"(?:he|she|hes|shes|i|im|someone|somebody|mum|mom|dad|a (?:man|woman|child|boy|girl)|(?:my|"
    r"our|the) (?:\w+ )?(?:baby|son|daughter|child|kid|toddler|husband|wife|partner|boyfriend|"
    r"girlfriend|dad|father|mum|mom|mother|gran|nan|grandma|grandmother|grandad|grandpa|"
    r"grandfather|brother|sister|friend|neighbou?r|uncle|aunt|colleague|roommate|flatmate))"
)
_EMERGENCY: Final = any_of(
    r"^(?:please )?help me(?: please| now)?$",
    r"(?:not|isnt|wont|cant) (?:waking up|wake (?:him|her|them) up)\b",
    r"(?:has |have )?gone (?:all )?(?:blue|grey and|gray and|limp|floppy)\b",
    r"choking on (?:his|her|my|a|some|food)\b(?! (?:words|tears|laughter))",
    r"been (?:stabbed|shot) (?:outside|in the (?:street|leg|chest|arm|stomach)|please)\b",
    r"blood (?:coming|pouring|gushing|running) (?:out of|from|down)\b",
    r"waters? (?:have |has |just )?broke\w*\b.{0,40}\b(?:alone|own|now|coming|early|weeks)\b",
    r"smell of gas\b", r"(?:find|feel|got) a pulse\b", r"no (?:air|oxygen)\b.{0,20}$",
    r"(?:on the floor|lying there|been here) since\b.{0,30}\b(?:get up|night|morning|"
    r"yesterday|move)\b",
    r"fallen and (?:i )?cant\b",
    r"(?<!can )(?<!to )(?<!not )send (?:somebody|someone|help|an ambulance)(?: please| quick|"
    r" quickly| now)?$",
    r"(?:pain|pressure|tightness) (?:\w+ ){0,4}?in (?:my|his|her) chest\b",
    r"chest (?:is |feels |really )?(?:tight|hurts|hurting|crushing)\b",
    r"face (?:has |is |s )?(?:dropp\w+|droop\w+)\b",
    r"(?:talking|speaking|speech) (?:is )?(?:all )?(?:funny|slurred|slurring)\b",
    r"slurring (?:his|her|my)\b",
    r"(?:fallen|fell) (?:\w+ ){0,5}?(?:and )?(?:i )?cant (?:get up|move)\b",
    r"(?:he|she|they|hes|shes|mum|dad|nan|my \w+) (?:is |isnt |s |has |not )?(?:not )?(?:moving|"
    r"responding|gone limp|gone floppy|all floppy|limp|floppy)$",
    r"having a (?:fit|seizure) (?:and|right|now|it|on)\b", r"(?:is |s |started )?fitting and\b",
    r"(?:house|flat|kitchen|building|apartment|hob|oven|cooker|curtains|bedroom)s? (?:is |are |"
    r"s )?on fire\b(?! in the)",
    r"cant get out\b.{0,20}(?:fire|smoke|locked|trapped)\b",
    r"(?:smoke|flames) (?:everywhere|coming|is|are)\b",
    r"(?:trapped|stuck) (?:in|under) (?:the|a|my) (?:car|lift|fire|house|bathroom|rubble)\b",
    r"(?:somebody|someone|some man|a man|burglars?|they|theyre|hes) (?:is |are |s )?(?:just |"
    r"now )?(?:trying to )?break(?:ing)? in\b(?!to (?:houses|cars))",
    r"blood (?:wont|will not|doesnt) stop\b",
    r"(?:theres |lost )(?:a lot of |so much |loads of )blood\b", r"blood everywhere\b",
    r"(?:ive|he has|she has|hes|shes|theyve|just) (?:just )?been (?:stabbed|shot|"
    r"hit by a (?:car|bus|van|lorry|truck)|run over)$",
    r"(?:allergic reaction|anaphyla\w+)\b(?! to (?:my|this|that) (?:ex|boss))",
    r"throat is (?:closing|swelling)\b",
    r"(?:cant|cannot) (?:feel|move) (?:my|his|her) (?:legs?|arms?|left|right|face)\b",
    r"(?:waters broke|water broke) .{0,30}(?:early|weeks|alone|blood)\b",
    r"(?:hit|banged) (?:his|her|my) head .{0,40}(?:sick|passed out|wont wake|confused|sleepy|"
    r"bleeding|vomit\w*)\b",
    r"(?:fell|fallen|falling) (?:off|out of|from|down|in|into) .{0,40}(?:not moving|wont wake|"
    r"isnt moving|unconscious|cant swim|drowning|bleeding)\b",
    rf"{_PEOPLE} (?:is |s |has |can )?(?:isnt|not|stopped|hardly|barely|cant) breath(?:e|"
    r"ing)\b(?! (?:a|in (?:this|these|here)|for|through|under))",
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
_LONG_AGO: Final = any_of(
    r"(?:months?|years?) ago\b", r"when (?:i|we) (?:was|were)\b", r"used to\b"
)
_DRUGS: Final = (
    r"(?:\w+ ){0,2}?(?:pills?|tablets?|meds|medication|medicine|paracetamol|tylenol|ibuprofen|"
    r"aspirin|insulin|heroin|drugs?|painkillers?|opioids?|fentanyl|purpose)\b"
)
_OVERDOSE: Final = any_of(
    r"(?:got|getting) into (?:my|the|\w+) (?:\w+ )?(?:pills?|tablets|medicine|meds)\b",
    r"took something and .{0,30}\b(?:wake|breathing|cant)\b", r"been poisoned\b",
    r"(?:shes|hes|she|he|my \w+) (?:has |just )?od(?:d|ed|s)?\b",
    r"gave (?:it )?(?:him|her|dad|mum|the baby|my \w+) (?:it|his|her|ten times|too much|double|"
    r"twice|the wrong|the)\b.{0,40}\b(?:again|morphine|calpol|dose|insulin|medicine|tablets|"
    r"wrong)\b",
    r"(?:picked|ate|eaten) (?:some |wild |the )?(?:mushrooms|berries)\b.{0,50}\b(?:sick|ill|"
    r"vomit\w*|weird|poorly)\b",
    r"(?:had|took|taken|swallowed|eaten) (?:like |about |around )?(?:ten|fifteen|twenty|thirty|"
    r"forty|fifty|\d{2,}) (?:\w+ )?(?:pills|tablets|paracetamol)\b",
    r"(?:a )?load of (?:ket|xanax|pills|pingers|mdma|coke|heroin|spice)\b",
    r"too many (?:pingers|pills|edibles|tablets|xanax|of (?:my|his|her) (?:pills|tablets|"
    r"meds))\b",
    r"blister pack\b.{0,30}\b(?:one go|at once|all)\b", r"spiked my drink\b",
    r"(?:chewed|drank|swallowed|ate|licked) .{0,20}\b(?:vape|e ?liquid|nicotine)\b",
    r"(?:swallowed|took|taken|had|ate|eaten|drank|drunk|necked|popped|"
    r"downed) (?:\w+ ){0,3}?(?:whole|too many|too much|load of|loads of|lot of|lots of|"
    r"handful of|packet of|pack of|box of|bottle of|bunch of|double|all (?:of )?(?:my|his|her|"
    r"the)) (?:\w+ ){0,4}?(?:pills?|tablets?|paracetamol|tylenol|meds|medication|medicine|"
    r"insulin|morphine|codeine|ibuprofen|aspirin|antidepressants|painkillers|sleeping|methadone|"
    r"warfarin|fentanyl|oxy)\b",
    r"(?:ate|swallowed|drank|drunk|eaten|drinking|eating) (?:\w+ ){0,5}?(?:pills|tablets|"
    r"bleach|detergent|antifreeze|rat poison|white spirit|methadone|nail polish|cleaner|"
    r"cleaning|toilet|washing|weedkiller|dishwasher|laundry|poison\w*)\b",
    r"lips (?:have |has |are |are going |have gone |gone |going |turning |turned )+blue\b",
    r"(?:took|taken|gave) (?:it|them|my \w+|his \w+|her \w+) (?:again|twice)\b.{0,20}(?:think|"
    r"by mistake|accident|forgot|dose|$)",
    r"double dosed?\b",
    r"(?:he|she|hes|shes|my \w+|they) (?:has |have |just )?(?:overdosed|od|ods|oded)\b",
    r"(?:took|taken|swallowed) (?:too many|all (?:of )?(?:my|the)|a (?:whole )?(?:bottle|"
    r"handful) of) (?:\w+ ){0,2}?(?:pills|tablets|painkillers|meds)\b",
    r"(?:took|taken) an (?:\w+ )?overdose\b", rf"i(?:ve)? (?:\w+ )?overdosed(?:$| on {_DRUGS})",
    r"i(?:ve)? (?:\w+ ){0,2}?(?:drank|swallowed) (?:some |the )?(?:bleach|antifreeze|poison)\b",
)  # fmt: skip


def find_emergency(words: str) -> Urgent | None:
    """Return what somebody needs help for at once; None: for nothing.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    if _OVERDOSE.search(words) and not _LONG_AGO.search(words):
        return "overdose"
    return "emergency" if _EMERGENCY.search(words) and not _PAST.search(words) else None
