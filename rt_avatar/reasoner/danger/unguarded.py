"""Hear of the old who are left without food or care, and of children who are afraid of an adult.

Mostly others tell it, and of small things: the milk is still out, a tummy ache on Thursdays. What
every household has (a nan who eats little, a child that cries at nursery) is none of it. Knows no
reply.
"""

from typing import Final, Literal, TypeAlias

from rt_avatar.engines.word_set import any_of

# "neglect": somebody old has no food, warmth or care; "child": a child is afraid of an adult.
Unguarded: TypeAlias = Literal["neglect", "child"]

_OLD: Final = (
    r"(?:mum|mums|mother|dad|dads|father|nan|nans|nana|gran|grans|granny|grandma|grandmas|grandad|"
    r"grandads|grandpa|granddad|grandmother|grandfather|old (?:man|lady|boy|woman|chap|fella)|"
    r"(?:aunt|auntie|uncle|neighbour|neighbor)|eighty|ninety|\w+ty (?:one|two|three|four|five|six|"
    r"seven|eight|nine)|8\d|9\d|dementia|pension|bedridden|wheelchair)"
)
_SINCE: Final = (
    r"(?:(?:since|for|in|until|till) (?:last |next )?(?:\w+day|days|the weekend|\w+ days|a week|"
    r"weeks)|all day|for days)\b"
)
_ELDER: Final = any_of(rf"{_OLD}\b")
_NEGLECT: Final = any_of(
    rf"(?:hasnt|havent|not|no|without|nothing)(?: \w+){{0,4}}? (?:eaten|ate|food|meal|"
    rf"dinner|"
    rf"drink|water|heating|wash(?:ed)?|changed|been seen|seen)\b.{{0,30}}\b{_SINCE}",
    r"(?:no|without) (?:food|heating|coal|hot water|dinner)(?: left)?(?=$| (?:in|and|at all|on|or|"
    r"there)\b)",
    rf"(?:locked|shut) (?:in|up)\b.{{0,20}}{_SINCE}",
    r"nothing (?:\w+ )?(?:in (?:her|his|the|my) (?:fridge|cupboards?|larder)|to eat in)\b",
    rf"(?:left|leaves?|leave|leaving|locks?|locked)\b.{{0,20}}\b(?:alone|on (?:her|his) own|"
    rf"in (?:a|the|"
    rf"his|her)|there|with no)\b.{{0,25}}(?:{_SINCE}|\b(?:wet|cold|dark|bed all|room all)\b)",
    r"(?:milk|post|paper|papers|curtains|bins)\b.{0,15}\b(?:still|since|havent|"
    r"hasnt)\b.{0,20}\b(?:out|"
    r"since|drawn|moved|there|in)\b", r"(?:light|lights) (?:on|off)\b.{0,25}\bsince\b",
    r"nobody (?:has |s )?(?:seen (?:her|him)|comes|came|been|visits|looks in)\b",
    r"no one (?:is |has |s )?(?:coming|seen (?:her|him)|comes|been)\b",
    r"(?:sits?|sat|lies|lying|left)(?: there)? in (?:the|her|his|a) (?:wet|own (?:mess|urine|"
    r"dirt))\b",
    r"(?:carer|nurse|staff|girl|home|night (?:one|nurse))\b.{0,30}\b(?:rough|shouts? at|hits?|"
    r"slaps?|"
    r"pinch\w+|drags?|wont let (?:her|him))\b",
    r"wont let (?:her|him) (?:\w+ )?(?:have|eat|drink|use|out|see|ring)\b",
    r"(?:rings? and (?:it )?(?:just )?rings|not answering|doesnt answer|"
    r"isnt answering)\b.{0,60}\b(?:"
    r"alone|cant walk|on (?:his|her) own|miles)\b|(?:alone|cant walk)\b.{0,60}\b(?:rings? and|not "
    r"answering|doesnt answer|just rings)\b",
    r"(?:sold|took|taken|gets|has|keeps|spends)(?: \w+)? (?:her|his|mums|dads|nans) (?:pension|"
    r"cooker|"
    r"heater|bank card|phone|house keys|glasses|teeth)\b.{0,60}\b(?:fridge|eat|food|cold|thin|"
    r"nothing|"
    r"no)\b|nothing\b.{0,40}\b(?:has|gets) (?:her|his) pension\b",
)  # fmt: skip
_NOT_ELDER: Final = any_of(
    r"(?:cruise|hungry lol|forgot to shop|chess|power cut|torchlight|fast(?:ing)?|diet|dog|cat|"
    r"puppy|"
    r"joke|laugh\w*|by mistake)\b",
)  # fmt: skip
_ADULT: Final = (
    r"(?:dads?|daddys?|fathers?|stepdads?|step dads?|stepfathers?|mums?|mummys?|moms?|mothers?|"
    r"stepmums?|"
    r"stepmothers?|mums boyfriend|uncles?|grandads?|granddads?|coachs?|teachers?|sitter|babysitter|"
    r"foster \w+|boyfriend|he|hes)"
)
_SMALL: Final = (
    r"(?:(?:little|small|young|year old) (?:\w+ )?|my |the |a |her |his )(?:boy|girl|lad|lass|kid|"
    r"child|niece|"
    r"nephew|cousin|grandson|granddaughter|grandchild|pupil|student|daughter|son|sister|brother|"
    r"friend|one)\b"
)
# A child is distressed when an adult comes, or when it has to go to one.
_DISTRESS: Final = (
    r"(?:hides?|flinch\w*|shakes|wets \w+|cries|screams|goes (?:quiet|stiff|white)|tummy ache|begs|"
    r"wont go|scared)\b.{0,30}\b(?:when(?:ever)?|every time|each time|because|has to go|go back|"
    r"going "
    rf"back|to go home)\b.{{0,25}}\b(?!my\b){_ADULT}\b(?!(?: \w+)? (?:leaves?|goes|for work|away|"
    r"drops?|sings?|teases|at nursery|is late))"
)
_CHILD: Final = any_of(
    rf"(?:dont|not|didnt) (?:want to|wanna|like|going|like going)(?: to)?(?: go| going| be| being)?"
    rf"(?: back)? (?:home|indoors)\b.{{0,40}}\b{_ADULT} (?:\w+ )?(?:been drinking|drinks|drinking|"
    r"drunk|angry|mad|cross|in a mood|shouts|shouting|hits|there)\b",
    rf"(?:dont|do not|not|never) like (?:it )?when {{0,1}}(?:my |our )?{_ADULT}(?: \w+){{0,2}}? "
    r"(?:drives? me|drinks|drinking|been drinking|drunk|comes? in|touches|tickles|baths?|babysits|"
    r"takes pictures|shuts the door|locks)\b",
    r"pretend(?:s|ing)? to be asleep\b.{0,30}\b(?:when|because|if|and)?.{0,20}\b(?:comes? in|opens|"
    r"in my room|gets home)\b|comes? in(?:to)? my (?:bed)?room\b.{0,20}\b(?:at night|pretend|"
    r"asleep)\b",
    rf"{_SMALL}.{{0,40}}\b{_DISTRESS}",
    rf"(?:she|he|they) (?:always |just )?{_DISTRESS}(?=.*\b(?:niece|nephew|grand(?:son|daughter|"
    r"child)|pupil|kid|child|daughter|son|girl|boy|lad|cousin)\b)",
    r"(?:me and my|we|my (?:brother|sister) and (?:me|i))\b.{0,20}\bhide\b.{0,30}\b(?:in|under|"
    r"behind|"
    r"when|because|till|until)\b|(?:mum|mom|dad|he|she)\b.{0,30}\b(?:we|"
    r"me and my \w+) (?:have to |all |"
    r"go and )?hide (?:in|under|behind|till|until|$)",
    r"(?:then|so) we (?:have|had) to hide$",
    r"(?:our|a|special|play\w*|keep) (?:\w+ )?secret\b.{0,50}\b(?:mustnt|dont|not|cant|wont|if i) "
    r"(?:\w+ )?tell\b|(?:uncle|coach|teacher|grandad|granddad|stepdad|sitter|man)\b.{0,40}\bsecret "
    r"(?:game|games)\b",
    r"if i tell (?:mum|mummy|mom|dad|daddy|anyone|anybody)\b.{0,40}\b(?:hospital|die|hurt|angry|"
    r"prison|"
    r"taken away|my fault|because of me|never)\b",
    r"(?:live|sleep|stay)(?: \w+){0,3}? (?:at|in|under) (?:the )?(?:school|classroom|library|"
    r"table)\b"
    r".{0,50}\b(?:because of|nobody would know|half term|dad|mum|home)\b",
    r"locks the door when (?:its|im|it is|we are|were)\b.{0,10}\b(?:just|only|alone)\b",
    r"(?:puts|locks|leaves|shuts) (?:her|him|them)(?: out)? (?:there|outside|in the (?:cupboard|"
    r"shed|"
    r"cellar|bathroom|dark)|on the balcony|out)\b",
)  # fmt: skip
_NOT_CHILD: Final = any_of(
    r"(?:party|giggl\w+|sardines|hide and seek|seek|ice cream|present|surprise|charity|nursery|lol|"
    r"haha|jumps out|boo|peek\w*|tickl\w+ fight|bath time|trumpet|sleep ?over|cat|dog|puppy|"
    r"kitten)\b",
)  # fmt: skip


def find_unguarded(words: str) -> Unguarded | None:
    """Return who is left alone or afraid by what a turn tells; None: nobody.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    if _ELDER.search(words) and _NEGLECT.search(words) and not _NOT_ELDER.search(words):
        return "neglect"
    return "child" if _CHILD.search(words) and not _NOT_CHILD.search(words) else None
