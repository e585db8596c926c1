"""What questions ask for, and the words that tell it: when, how long, where, who, what was said.

A slot has the words that ask for it and those that tell it; they are few and plain, and what they
do not know is asked. Texts come in lower case, what was told as words with single spaces between.
``answered`` has the other slots, and finds them.
"""

import re
from typing import Final, Literal, NamedTuple, TypeAlias

# Where the answer counts: in any of the caller's turns that are looked at, or in the last one.
Where: TypeAlias = Literal["call", "turn"]

NUMBER: Final = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|couple of)"
)
KIN: Final = (
    r"(?:mum|mom|mother|dad|father|parents|son|daughter|kids|boy|girl|brother|sister|nan|gran|"
    r"grandma|grandpa|grandad|wife|husband|partner|boyfriend|girlfriend|ex|uncle|aunt|auntie|"
    r"cousin|nephew|niece|friend|friends|mate|mates|boss|manager|teacher|neighbou?r|landlord|"
    r"doctor|nurse|vet|flatmate|roommate|colleague|colleagues|tutor|coach)"
)
EVERYBODY: Final = r"(?:nobody|no one|everybody|everyone|anybody|anyone)"
SOMEBODY: Final = rf"(?:he|she|they|somebody|someone|{EVERYBODY}|{KIN})"


class Slot(NamedTuple):
    """What is asked for.

    Attributes:
        asks: Found in a question for it.
        known: Found in what was told where it was told.
        where: In which of the caller's turns.
    """

    asks: re.Pattern[str]
    known: re.Pattern[str]
    where: Where


def slot(asks: str, known: str, where: Where = "call") -> Slot:
    """Return what is asked for with these patterns, and told with those."""
    return Slot(re.compile(asks), re.compile(known), where)


FACTS: Final = (
    # --- when, how long, how often, where -------------------------------------------------------
    slot(
        r"\bwhen (?!do you (?:get|expect|hear)|will you (?:hear|know|find))(?:is|are|was|were|do|"
        r"does|"
        r"did|will|would)\b(?!.*\b(?:most|worst|hardest|strongest|ease)\b)|how long ago",
        r"\b(?:to(?:day|night|morrow)|yesterday|this (?:morning|evening|afternoon)|"
        r"(?:last|next|this) (?:week|month|year|night|summer|fall|spring|winter|autumn)|weekend|"
        r"ago|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|"
        r"august|september|october|november|december|soon|christmas|easter|"
        r"in (?:19|20)\d\d|when i was|as a (?:child|kid|boy|girl)|o'clock|half past|"
        rf"in (?:a )?{NUMBER} (?:minutes?|hours?|days?|weeks?|months?|years?)|"
        r"the \d+(?:st|nd|rd|th)|since (?!then|that|this)\w+)\b",
    ),
    slot(
        r"\bwhen (?:do you (?:get|expect|hear)|will you (?:hear|know|find))",
        r"\b(?:results?|hear|know|decide|tell|ring|call|write)\b (?:\w+ ){0,4}?(?:on|by|in|at|"
        r"until|within|tomorrow|tonight|next|this|soon)\b",
    ),
    slot(
        r"when did (?:it|that|this|you) (?:all )?(?:start|begin|notice|first)",
        rf"\bfor (?:about |nearly |almost |over )?(?:a )?{NUMBER} (?:\w+ )?(?:days|weeks?|months?|"
        r"years?|fortnight)\b|\b(?:since|always|from the start)\b",
    ),
    slot(
        r"how long|for long|since when|for a while|or an old one|always been|\btake you long|"
        r"\ba long (?:wait|road|time coming|way to get)|how much time is there",
        r"\b(?:since|years?|months?|weeks?|days?|hours?|minutes?|nights|decades?|fortnight|ages|"
        r"always|forever|(?:all my|my whole) life|from the (?:start|beginning|first day))\b",
    ),
    slot(
        r"how often|a lot\?|happen often|\boften\b|\bregularly\b|every day\?|happened before|"
        r"happen every",
        r"\b(?:always|every|each|constantly|keeps?|never|all the time|daily|weekly|once|twice|"
        r"again|(?:first|second|third|last|\w+) times?|most (?:days|nights)|whenever)\b",
    ),
    slot(
        r"\bwhere (?:did (?:it|that) happen|did you (?:go|end up)|did this one take|was it\?|were "
        r"you\?|are you (?:right )?now|are you going|will you go|is it\?|"
        r"did you (?:last )?have it)|"
        r"where's it taking",
        r"\b(?:at|in|outside|inside|near|behind|opposite|under) (?:the|an?|my|our|her|his|their) "
        r"(?!(?:\w+ )?(?:morning|afternoon|evening|night|end|past|moment|time|way|mood|row|"
        r"meantime|same|last|middle|first|hurry|mess|lot|bit)\b)\w+|"
        r"\b(?:went|gone|going|driv\w+|drove|fly\w+|flew|off|mov(?:ed|ing)|travel\w+|trip|trips|"
        r"back|holiday|weekend) (?:back )?(?:to|in|from) (?!(?:bed|sleep|work)\b)\w+",
        "turn",
    ),
    slot(
        r"how (?:many|much) (?:are there|is it|is left|of them)",
        r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|"
        r"hundred|thousand|dozen) \w+",
        "turn",
    ),
    # --- who ------------------------------------------------------------------------------------
    slot(
        r"\bwho\b(?! do you (?:wish|miss)| comes to mind| does it make)(?!.*\b(?:standing by you|"
        r"(?:there for|looks after) you|knows?|tell|told|talked|hear)\b)|share it with|"
        r"were you (?:alone|by yourself)|anybody with you|anyone with you|someone with you",
        r"\b(?:with|told|my (?:husband|wife|friends?|family|kids)|alone|(?:by|on) (?:myself|"
        r"my own)|"
        r"just me|me and|and me|nobody (?:came|else|wanted)|no one (?:came|else|wanted))\b",
    ),
    slot(
        r"standing by you|(?:there for|looks after|is with) you|helping you with|on your side",
        r"\b(?:alone|on my own|by myself|nobody|no one|helps? me|looks? after me|with me|"
        rf"(?:my|his|her|the) (?:\w+ )?{KIN}(?:'s| is| are| has| have| was)? (?:been )?(?:here|"
        r"staying|comes?|came|coming|helps?|helping|helped|amazing|great|brilliant|wonderful))\b",
    ),
    slot(
        r"\b(?:have|has|did) you (?:\w+ )?(?:told|tell|talked|spoken|said|brought|had a word)\b|"
        r"\byou (?:been able to (?:talk|tell)|two talked)|two of you talked|"
        r"\bdoes (?:anyone|anybody)(?: else)? know\b|\bdo they know\b|\bdid you say (?:any|some)"
        r"thing|\bwho\b.*\b(?:knows?|tell|told|talked|hear)\b",
        r"\bi(?:'ve| have)? (?:\w+ )?(?:told|talked to|spoke to|spoken to|said (?:to|so)|"
        r"mentioned|asked (?:him|her|them|my))\b|"
        r"\b(?:haven't|hasn't|never|not|didn't|couldn't|can't|don't|daren't)(?: \w+)? (?:told|tell|"
        r"said|say|spoken|speak|talked|talk|mentioned|mention)\b|\b(?:tell|told) a soul\b|"
        rf"\b(?:{EVERYBODY}|only (?:\w+ ){{1,2}}?|my {KIN}) (?:\w+ )?knows?\b|"
        r"\bknows? (?:about|already|yet)\b|\bto myself\b|\bsecret\b",
    ),
    # --- what was said, done, made --------------------------------------------------------------
    slot(
        r"what (?:did|do) (?:they|he|she|the \w+|your \w+|(?:the )?other(?:s| people)) "
        r"(?:say|think|tell|make of)|what was (?:said|the answer)|(?:give you|get) a reason|"
        r"\b(?:tell you|say) why|told you what|what have they told|any replies",
        rf"\b{SOMEBODY} (?:\w+ )?(?:said|says|say|told (?:me|us)|called me|asked (?:me|if|why)|"
        r"(?:was|were|is) like|goes|answered|replied|thinks?|reckons?|wrote|texted)\b",
    ),
    slot(
        r"what did you (?:say|answer)(?! (?:yes|to each))|how did you say it",
        r"\bi(?:'ve)? (?:\w+ )?(?:said|told (?:him|her|them|my|the)|answered|replied|shouted|"
        r"yelled|screamed|laughed|called (?:him|her|them))\b(?!.*\b(?:he|she|"
        r"they) (?:\w+ )?(?:said|"
        r"says|told|asked|answered|replied)\b)|"
        r"\b(?:couldn't|didn't|can't) (?:even |really )?(?:say|speak|answer|get a word)\b",
        "turn",
    ),
    slot(
        r"what did you do\b|how did you (?:react|handle|deal|manage|cope|get)",
        r"\b(?:so|then|and) i (?!was|am|had|feel|felt|have)\w+|\bi (?:just|ended up|decided to|"
        r"ran|walked (?:out|off|away)|hung up|went (?:home|to|straight))\b",
    ),
    slot(
        r"(?<!you )\breact|how did (?!you\b)\w+ (?:\w+ )?(?:respond|take (?:it|that|the news))|how "
        r"was it taken",
        r"\b(?:they|everyone|everybody|people|all|he|she) (?:all |just )?(?:laugh|saw|"
        r"said|look|star|cheer|clapp)|"
        rf"\b{SOMEBODY} (?:\w+ )?(?:cried|cries|laughed|hugged|screamed|shouted|yelled|smiled|"
        r"walked|hung up|clapped|cheered|went (?:quiet|mad|white|red|silent|crazy)|jumped|"
        r"burst|didn't (?:\w+ )?(?:say|speak|react|even look))\b",
    ),
    slot(
        r"what (?:are you|is it you're) (?:making|cooking|baking)|what's on the menu",
        r"\b(?:mak(?:e|ing)|bak\w+|cook\w+|knit\w*|sew\w*|build\w*|carv\w+|crochet\w*|brew\w*) "
        r"(?!(?:it|me|up|sure|do|money|friends|sense|progress)\b)\w+",
    ),
    slot(r"what was it for\b", r"\bfor (?:the|my|best|being|our|an?) \w+", "turn"),
    slot(
        r"what (?:did|have) you (?:\w+ )?(?:find|found|get|got|pick|have|buy|see)\?",
        r"\bi(?:'ve)? (?:\w+ )?(?:found|got|picked|had|bought|saw|chose) (?:an?|the|my|some|this|"
        r"two|three)\b",
        "turn",
    ),
    slot(r"what did you (?:two )?talk about", r"\btalk(?:ed|ing)? about \w+"),
    slot(
        r"(?<!behind the )\bname\b(?!.*\bwith you)|\bcalled\?",
        r"\b(?:named|name's|name is|"
        r"(?:it's|he's|she's|is|kitten's|puppy's|dog's|cat's|baby's) called|"
        r"call(?:ed|ing)? (?:it|him|her|them|the \w+))\b",
    ),
    slot(r"\boccasion\?", r"\b(?:birthday|anniversary|christmas|wedding|because)\b", "turn"),
)
