"""Find what is grave in a turn: death, violence, illness, the law, all that somebody owned.

Text → how grave it is. Figures of speech are none ("dead tired", "killed it on stage"), nor are
films, things that break, and an illness that is over. Knows no feeling and no reply.
"""

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.emotion_words import PLEASANT
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.danger.alarms import is_despair, is_violence
from rt_avatar.reasoner.nlu.fears import tells_vain_fear
from rt_avatar.reasoner.nlu.feelings import named_in, words_of

# "sorrow": somebody died, was harmed, is gravely ill, or lost all; "serious": other such words.
Grave: TypeAlias = Literal["sorrow", "serious"]
_KEPT: Final = 512  # turns; those of a call are looked at again with every request

_FIGURES: Final = re.compile(
    r"\b(?:dead (?:tired|serious|easy|simple|slow|silent|quiet|sure|certain|wrong|right|set|end|"
    r"ends|weight|line|heat|sea|lock|lift|lifts|pan|pixel)|(?:play\w*|drop) dead|"
    r"death (?:penalty|punch|metal|star|row|valley)|deadlines?|black widows?|"
    r"could have died of (?:shame|embarrassment|boredom)|"
    r"(?:nearly|almost|about) (?:died|dead|drowned|killed)|(?:like|as if|as though) (?:being|"
    r"i was|i were) (?:shot|stabbed|killed)|not being (?:abused|killed|beaten)|"
    r"dying (?:to|for an?) \w+|dying (?:of|from|with) (?:boredom|laughter|laughing|embarrassment|"
    r"curiosity|heat|hunger|thirst|shame)|(?:die|died|dying) laughing|"
    r"(?:die|died) (?:of|from|with) (?:boredom|laughter|laughing|embarrassment|curiosity|shame)|"
    r"(?:bored|scared|worried|frightened|starved|starving|freezing|sick|tickled|loved?|work\w*) "
    r"(?:me |us |him |her |them )?(?:half )?to death|to die for|die hard|"
    r"kill for|kill(?:ed|s|ing)? (?:it|time|me|us|the (?:mood|vibe|time|engine|lights|fun|joke))|"
    r"dressed to kill|killer \w+|"
    r"(?:is|was|were|are|pure|bloody|absolute) murder(?: on \w+)?(?! victim)|"
    r"(?:shoot|shot|shooting|took|take) (?:\w+ ){0,2}?(?:photos?|pictures?|selfies?|film|video|"
    r"hoops|pool|baskets?|goals?)|photo ?shoot|shooting stars?|call(?:s|ed|ing)? the shots|"
    r"shots? of|(?:flu|tetanus|covid|booster|last minute|long|big|best|good|great|first|winning|"
    r"penalty|screen|mug|espresso|tequila|vodka|worth a|give it a|gave it a|take a|took a|have a|"
    r"had a|my|her|his|their|some|another|more) shots?|stab\w* (?:\w+ ){0,3}in the back|"
    r"bomb(?:ed|ing)? (?:the|my|our|an?|his|her|that) (?:\w+ )?(?:test|exam|interview|audition|"
    r"quiz|presentation|speech|finals?)|photo ?bomb\w*|bath bombs?|the bomb|"
    r"drown(?:ed|ing)? (?:out|in (?:work|debt|paperwork|emails?|homework|laundry|bills))|"
    r"cancer (?:research|charity|walk|ward|awareness|run|fundraiser)|"
    r"nearly gave (?:me|us) a heart attack|(?:almost|nearly) (?:had|got) a heart attack|"
    r"strokes? of|passing (?:grades?|scores?|by|through|the)|"
    r"died (?:my|his|her|their|the) (?:\w+ )?(?:hair|roots|fringe|eyebrows|jeans|dress|curtains)|"
    r"alive and kicking|over (?:my|your|his|her|their) dead body|like a funeral(?: director)?|"
    r"(?:coughs?|splutters?|sputters?|judders?)(?: \w+){0,4} and (?:dies|died)|"
    r"at every funeral|every wedding and every funeral|(?:weddings?|christenings?|"
    r"birthdays) (?:and|or) (?:\w+ )?funerals?|funeral (?:ribbons?|singers?|bands?|"
    r"shoes|suits?|hams?|sandwich\w*)|hospice shop|"
    r"(?:sold|selling|rais\w+|collect\w+|bak\w+|knit\w*|donat\w+)(?: \w+){0,5} for (?:the|our|a) "
    r"(?:\w+ )?hospice|"
    r"was (?:planning|going to plan) my own funeral(?=.* now\b)|"
    r"could (?:\w+ )?murder|could (?:\w+ )?(?:have )?(?:kill|killed|murdered|strangled?) (?:him|"
    r"her|them|my \w+)|(?:absolutely|completely|totally) murdered|"
    r"shot (?:my (?:first|best)|an? \w+|under par|down by|\d+|seventy|eighty|ninety)|"
    r"buried (?:my|his|her|our) (?:heads?|face)|buried in (?:work|snow|paperwork|homework|books)|"
    r"(?:im|i am|were|we are) (?:so |absolutely |completely )?dead (?:after|from|lol|haha|on my)|"
    r"(?:legs|feet|arms|thighs|back|head|eyes|shoulders) (?:are|is) (?:\w+ )?dead|"
    r"(?:nobody|no one|noone)(?:s| has)? died|"
    r"(?:wasnt|werent|not|never|isnt) (?:\w+ )?drunk)\b"
)
_JOBS: Final = re.compile(
    r"\b(?:stud(?:y|ies|ying|ied)|degree in|becom(?:e|es|ing)|became|to be|work\w* (?:as|for|with)|"
    r"job (?:as|with)|is|training) (?:an? |the )?(?:medicine|doctors?|nurse|lawyers?|"
    r"police(?: officer)?|cops?|therapist|therapy|psycholog\w+|psychiatr\w+|"
    r"surgeon|surgery|dental|law|vet)\b|"
    r"\bwork\w* (?:at|in|for) (?:a|the|an) (?:\w+ )?(?:funeral|crematorium|hospice|cemetery|"
    r"morgue)|\b(?:i|we|she|he) (?:sing|play|cater|drive|do)s?(?: the \w+)? (?:at|for) funerals\b"
)
# What breaks or withers, and what is hunted in a kitchen.
_THINGS: Final = re.compile(
    r"\b(?:laptop|computer|phone|line|tablet|battery|batteries|car|engine|tv|fridge|printer|bulb|"
    r"boiler|kettle|toaster|router|mower|freezer|heater|cooker|tractor|machine|hoover|scanner|"
    r"wifi|plants?|basil|flowers?|grass|lawn|tree|roses?|sourdough|starter)"
    r"(?: (?!and|he|she|they|who)\w+){0,5}? (?:died|dead|is dying|are dying|keeps? dying)\b|"
    r"\b(?:dead|kill\w*)(?: \w+){0,2}? (?:birds?|deer|squirrels?|raccoons?|fish|"
    r"skunks?|opossums?|possums?|snakes?|animals?|(?:rabbit|cat|dog|fox) (?:on|in) the "
    r"(?:road|street)|"
    r"spiders?|mosquito\w*|flies|fly|bugs?|ants?|wasps?|mice|mouse|rats?|roach\w*|cockroach\w*|"
    r"weeds?|insects?|moths?|bees?|battery|batteries|leaves|"
    r"phone|(?:house)?plants?|cactus|cacti|orchids?|herbs?|sourdough|grass|line)\b"
)
_TOLD_ELSEWHERE: Final = re.compile(  # in a film
    r"\b(?:films?|movies?|novels?|episodes?|tv (?:show|series)|video ?games?|documentary|podcast|"
    r"in (?:the|my|a|this) (?:\w+ )?game|thrillers?|netflix|"
    r"crime (?:book|story|stories|show|series)|fiction)\b"
)
_OVER: Final = re.compile(
    r"\b(?:(?:beat|beaten|survived|overcame|cured of|over) (?:\w+ ){0,2}?cancer|cancer free|"
    r"remission|all clear|benign|cured|recovered|false alarm|(?:not|no|isnt|wasnt) (?:a )?(?:"
    r"cancer|tumou?r)|cancer survivor|went well|in time|pulled through|"
    r"saved (?:him|her|them|his|my)|go home|better now|much better|out of danger|"
    r"(?:scans?|biops(?:y|ies)|results?|tests?|bloods?|mri|marrow|lumps?|it|they|its|theyre|"
    r"everythings?)(?: \w+)?? (?:came|come|comes|is|are|was|were|turned|looks?) (?:\w+ ){0,2}?"
    r"(?<!not )(?<!never )(?:clear|clean|normal|negative|harmless|nothing bad)"
    r"(?! (?:that|he|she|they|we|from|now|how|why))|"
    r"found no (?:\w+ )?(?:trace|sign|cancer|tumou?rs?)|no longer need\w* chemo\w*)\b"
)
# Who died long since, where the turn goes on with something else; the words of who still grieves.
_BY_THE_WAY: Final = re.compile(
    r"\b(my|our|his|her|their) late (?=\w+(?: \w+){2,}? "
    r"(?:but|so|and|because|today|now) (?:\w+ ){3})"
)
_GRIEVES: Final = re.compile(
    r"\b(?:miss\w*|mourn\w*|lonel\w+|alone|without|cr(?:y|ied|ies|ying)|tears|anniversary|birthday|"
    r"graves?|ashes|dream\w*|dreamt|empty|heart\w*|lov(?:e|ed|es)|sad\w*|hard|still|again)\b"
)
# Who was out of sight, and was found.
_OUT_OF_SIGHT: Final = re.compile(
    r"\blost (?:my|our|his|her|their|him|her|them) (?:\w+ ){0,3}?(?:in|at) (?:the|a|that) (?:\w+ )?"
    r"(?:crowds?|supermarket|shops?|mall|market|store|park|station|airport|museum|zoo|woods|fog|"
    r"fair|festival|concert|queue|car park)\b|"
    r"\blost (?:my|our|him|her|them) (?:\w+ )?in (?:tesco|asda|aldi|lidl|ikea|walmart|target|boots|"
    r"sainsburys|waitrose)\b"
)
_NEAR: Final = (
    r"(?:mother|mom|mum|mommy|mummy|mama|father|dad|daddy|papa|parents?|sons?|daughters?|child|"
    r"children|kids?|baby|babies|twins?|boys?|girls?|brothers?|sisters?|siblings?|grand\w+|nana|"
    r"granny|gran|nan|wife|husband|spouse|partner|boyfriend|girlfriend|fiancee?|uncles?|aunts?|"
    r"auntie|cousins?|nephews?|nieces?|friends?|step\w+)"
)
_PET: Final = (
    r"(?:dogs?|cats?|puppy|puppies|kittens?|pets?|rabbits?|bunny|hamsters?|horses?|pony|mare|"
    r"parrot|budgie|ferret|turtle|tortoise|guinea pig|gerbil)"
)
_SOMEBODY: Final = (
    rf"(?:{_NEAR}|ex|mates?|neighbou?rs?|colleagues?|cowork\w+|classmates?|teacher|boss|man|woman|"
    r"regulars?|customers?|clients?|patients?|residents?|lodger|tutor|coach|students?|pupils?|lad|"
    r"lass|bloke|gent|gentleman|lady|little ones?|(?:mr|mrs|ms) \w+|"
    rf"men|women|people|person|soldiers?|somebody|someone|everyone|family|{_PET}|goldfish|"
    r"he|she|hes|shes|who|whose)"
)
# By what they do: "our conductor", "the postman"; no machine.
_BY_TRADE: Final = (
    r"(?:my|our|the|his|her|their) (?:\w+ )?(?!computer|printer|toaster|boiler|mower|lawnmower|"
    r"router|controller|charger|speaker|freezer|cooker|dryer|drier|hoover|starter|heater|washer|"
    r"dishwasher|motor|monitor|tractor|projector|scanner|flower|paper|weather|laughter|timer|"
    r"shower|scooter|adapter|amplifier|refrigerator|generator|alternator|sensor|radiator|water|"
    r"elevator|calculator|cooler|humidifier|blender|server|sander|trimmer|summer|winter|power|"
    r"order|matter|letter|dinner|river|number|corner|other|rumou?r|colour|character)\w*"
    r"(?:or|er|ist|man|woman|ian|mate)s?"
)
_AGE: Final = (
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|\w+teen|eleven|twelve|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred)"
)
_CONCERNS: Final = re.compile(rf"\b(?:{_SOMEBODY}|death)\b")
_LOSS: Final = re.compile(
    rf"\b{_SOMEBODY}(?: \w+){{0,3}}? (?:died|dies|dead|dying|passed away|passed on|drowned|"
    r"perished)\b|"
    rf"\b{_BY_TRADE} (?:has |had |just |suddenly )*(?:died|passed away|drowned)\b|"
    r"\b(?:couldnt|cant|didnt) (?:find|hear|see) (?:a|the|his|her|any) heartbeat\b|"
    r"\b(?:we|i) lost (?:the|our|my) (?:\w+ )?(?:mare|horse|pony|budgie|goldfish|baby)\b|"
    rf"\b(?:my|our|his|her|their) (?:dead|late) {_NEAR}\b|\bfound (?:\w+ ){{1,3}}dead\b|"
    rf"\b(?:his|her|their|my|our|{_SOMEBODY}s) (?:\w+ )?(?:deaths?|passing)\b|"
    rf"\bdeath of (?:my|his|her|our|an?|the) (?:\w+ )?{_SOMEBODY}\b|"
    r"\b(?:when|after|before|since) (?:he|she|they) passed(?: (?:last|in|on)\b|$)|"
    r"\bpass(?:ed|ing|es) away\b|\bdied (?:of|from|last|when|two|three|in (?:his|her|my|an?|the|"
    r"hospital))\b|"
    r"\bdeaths? in (?:my|our|the) family\b|"
    r"\b(?:was|were|is being|are being) buried (?:today|yesterday|(?:this|last|next|on) \w+|beside|"
    r"next to|with (?:his|her|my))\b|"
    # "Passed" of who passes no exams any more, or as only the dying do.
    r"\b(?:mum|mom|mother|dad|father|gran|nan|nana|granny|grand(?:ma|mother|pa|dad|father)|husband|"
    r"wife|(?:mr|mrs|ms|aunt\w*|uncle) \w+|(?:he|she|they)(?= passed (?:peacefully|in (?:his|"
    r"her|their) sleep))) passed(?=$| (?:peacefully|in (?:the night|(?:his|her) sleep)|overnight|"
    r"(?:last|on|this) (?:night|week|month|year|morning|\w+day|\w+ber|\w+uary|march|april|may|june|"
    r"july|august|spring|summer|autumn|winter|easter|christmas)\b))|"
    r"\b(?:he|she|they) never (?:came|made it) (?:home|back|out) (?:from|of) (?:the )?(?:hospital|"
    r"hospice|theatre|operation|sea|war)\b|"
    r"\b(?:she|he)s? (?:is |has )?(?:up )?(?:in heaven|with the angels)(?! (?:with|when|at) )|"
    r"\byears? (?:today|tomorrow|on \w+day|ago today|this week|next week) since (?:i |we )?"
    r"(?:lost )?(?:my |our )?(?:mum|mom|dad|gran|nan|grandad|husband|wife|brother|sister|son|"
    r"daughter|him|her)$|"
    r"\bfunerals?\b|\bmemorial service\b|\bcremat\w+|\b(?:his|her|their|s) (?:ashes|coffin|casket|"
    r"grave)\b|\bhospice\b|\bwidow\w*|\borphan\w*|\bbereav\w+|\beulogy\b|\bdeathbed\b|"
    r"\bgriev\w+|\bgrief\b|\bburied (?:him|her|them|my|our|a friend|"
    rf"{_NEAR})\b|"
    r"\b(?:had|have|has|having|going) to (?:be put |put (?!(?:the|my|his|her|their|your) "
    r"(?:phone|receiver|book|bags?|foot|pen|tools?|cup|glass|shopping|baby|kids?|money|deposit)\b)"
    r"(?:\w+ ){1,3})(?:down|to sleep)\b(?! (?:on|in|at|for|by|next|early|softly|gently|so|and)\b)|"
    rf"\b(?:had|have|having|get|got) (?:(?:the|our|my|his|her) (?:\w+ )?{_PET}|him|her|them) "
    r"put (?:down|to sleep)\b|"
    r"\b(?:was|were|been|being) put (?:down|to sleep)\b|"
    r"\b(?:decide|decision|whether) (?:\w+ ){0,4}put (?:him|her|it|them) (?:down|to sleep)\b|"
    r"\bput (?:my|our|the) (?:\w+ )?(?:dog|cat|horse|rabbit) (?:down|to sleep)\b|"
    r"\bsuicide\b|\b(?:took|taken|ended|taking) (?:his|her|their) (?:own )?(?:life|lives)\b|"
    r"\b(?:hanged|hung|killed|shot|drank) (?:him|her|them) ?sel(?:f|ves)\b|"
    r"\bmiscarr\w+|\bstillb\w+|\bno heartbeat\b|"
    r"\blos(?:t|e|ing) (?:a|the|your|his|her) (?:baby|pregnancy|child|son|daughter)\b|"
    rf"\blost (?:my|our|his|her|their) (?:\w+ ){{0,2}}?{_NEAR}\b|"
    r"\blost (?:him|her) (?:to|when|last|two|three|a year|this|too|so|forever|suddenly|during)\b|"
    r"\bwe lost (?:an?|another) (?:\w+ )?(?:boy|girl|patient|man|woman|resident|colleague)\b|"
    r"\bkicked the bucket\b|"
    rf"\b(?:{_NEAR}|he|she) (?:would have|wouldve|would) (?:be|been|turn|turned) {_AGE}\b|"
    r"\blast breath\b|\blife support\b|\bturn\w* off (?:the|his|her) (?:machines?|ventilator)\b|"
    r"\b(?:only|sole|last) survivor\b|\bout alive\b|"
    rf"\b(?:{_SOMEBODY}|they)(?: \w+)?? (?:didnt|did not) (?:make it|survive|wake up)$|"
    r"\b(?:he|she|they) (?:isnt|is not|arent|are not|wont be|is never) (?:ever )?coming back$"
)
_HARM: Final = re.compile(
    r"\b(?:raped?|rapist|molest\w*|grop(?:ed|ing)|murder\w*|strangl\w+|tortur\w+|kidnapp\w+|"
    r"mugged|stabb\w+|assault\w*|stalk(?:ed|er|ing)|traffick\w+|massacre\w*|genocide|gunmen|"
    r"gunman|gunshots?|gunfire|airstrikes?|shelling|shelled|missiles?|domestic violence|"
    r"hostage|(?:knife|gun) ?point|overdosed)\b|"
    r"\b(?:was|were|got|been|being|is|are|be) (?:\w+ )?(?:killed|shot|abused|bombed|beaten (?:up|"
    r"with|badly|as a|every|by (?:my|his|her)))\b|"
    rf"\bkilled (?:\w+ ){{0,2}}?(?:him|her|them|{_SOMEBODY})\b|"
    r"\bshot (?:and|dead|him|her|my|our|at|somebody|someone|people|outside|in the)\b|"
    r"\b(?:school|mass|drive by) shootings?\b|\b(?:was|been) a shooting\b|"
    r"\bbombs? (?:fell|fall|hit|dropped|went)\b|"
    r"\bbombed (?:our|my|the|us)\b|"
    r"\b(?:man|men|guy|boys|gang|who|he|they|someone|somebody|stranger|strangers) attacked\b|"
    r"\bwas attacked(?! by)\b|"
    r"\b(?:beats?|beating|(?:used to |would |often )?(?:hit|kick|punch|whip|choke)) (?:us|them|"
    r"me|her|him|my (?:mother|mom|mum|brothers?|sisters?|children|kids|son|daughter|dog)) (?:up|"
    r"with an?|badly|every (?:day|night|time|week)|as a|when (?:i|we|he|she|they)|black|until)\b|"
    r"\b(?:he|she|father|dad|mother|mom|mum|husband|wife|ex|boyfriend|girlfriend|step\w+) (?:used "
    r"to|would|often|once) (?:hit|beat|kick|punch|whip|choke) (?:me|us|her|him|my)\b(?! at\b)|"
    r"\bburn(?:ed|t) (?:down|to the ground)\b|"
    r"\blost everything (?:\w+ )?in (?:the|a|that) (?:fire|flood|hurricane|tornado|earthquake|war)|"
    # What children are told not to tell, in the words in which it is told.
    r"\b(?:uncle|step\w+|father|dad|brother|cousin|grand\w+|teacher|coach|priest|boss|manager|"
    r"neighbou?r|babysitter|man|guy|doctor|colleague|he) (?:\w+ )?touch(?:ed|es|ing) me"
    r"(?! (?:deeply|emotionally|with|on the (?:shoulder|arm)))\b|"
    r"\b(?:step\w+|uncle|cousin|babysitter|he) (?:\w+ ){0,2}?(?:c[oa]mes?|coming|crept|snuck) "
    r"in(?:to)? my (?:room|bed)\b|\bmade me (?:touch|undress|do things)\b|\bdid things to me\b|"
    r"\btouch\w* (?:me )?inappropriately\b"
)
_ILLNESS: Final = re.compile(
    r"\b(?:its|is|was|are) terminal\b|\bterminal(?:ly)? (?:ill\w*|cancer|diagnosis)\b|"
    r"\b(?:tumou?rs?|leuk\w+|cancer|metasta\w+|chemo\w*|dementia|alzheimers?|parkinsons?|"
    r"multiple sclerosis|cystic fibrosis|biopsy|chest pains?|intensive care|icu|paraly[sz]ed|"
    r"amputat\w+|"
    r"incurable|sepsis|aneurysm|brain (?:bleed|injury|damage))\b|\bin a coma\b|"
    r"\b(?:had|having|has had|suffered|after) (?:an?|his|her|my|another) (?:\w+ )?(?:stroke|heart "
    r"attack)\b|\b(?:months|weeks|days) to live\b|\b(?:wont|never|not) walk again\b|"
    r"\bgoing blind\b"
)
_VIOLENCE: Final = "death and violence"
_SERIOUS: Final = re.compile(
    r"\b(?:prison|jail|arrest\w*|in custody|court|sentenced|convicted|diagnos\w+|depress(?:ed|ion)|"
    r"anorexi\w*|bulimi\w*|abort\w*|relaps\w*|heroin|cocaine|meth|addict\w*|alcoholic\w*|"
    r"rehab|sobriety|sober|been clean|drugs)\b|"
    r"\b(?:police|cops) (?:\w+ )?(?:came|called|knocked|took|searched|showed)\b"
)
_HEALTH: Final = "health and law"
_DRINK: Final = re.compile(
    r"\b(?:drunk|alcohol|drugs?|booze|liquor|vodka|pills?|weed|marijuana|hungover)\b"
)


def tells_loss(text: str) -> bool:
    """Whether a turn tells of a death, and in no film."""
    words, is_told = _bare(text)
    return is_told and bool(_LOSS.search(words))


def find_grave(text: str) -> Grave | None:
    """Return how grave what is told in a turn is; None: it is not.

    Args:
        text: What was said.
    """
    words, is_told = _bare(text)
    if not _GRIEVES.search(words):
        words = _BY_THE_WAY.sub(r"\1 ", words)
    if _LOSS.search(words) or _HARM.search(words) or is_violence(text) or is_despair(text):
        return "sorrow" if is_told else None
    is_over = _is_over(text, words)
    if _ILLNESS.search(words) and is_told and not is_over:
        return "sorrow"
    is_violent = find_unsafe(words) == _VIOLENCE and bool(_CONCERNS.search(words))
    is_serious = is_violent or bool(_SERIOUS.search(words))
    return "serious" if is_serious and is_told and not is_over else None


@lru_cache(_KEPT)
def is_grave(text: str) -> bool:
    """Whether only replies written for such stories may answer; of drink and doctors, too."""
    words, is_told = _bare(text)
    if not is_told:
        return False
    if (
        is_violence(text)
        or is_despair(text)
        or any(one.search(words) for one in (_LOSS, _HARM, _DRINK))
    ):
        return True
    found = find_unsafe(words)
    if found == _VIOLENCE:
        return True
    is_health = found == _HEALTH or bool(_ILLNESS.search(words))
    return is_health and not _is_over(text, words) and named_in(text) not in PLEASANT


def _is_over(text: str, words: str) -> bool:
    """Whether an illness is over, or was feared in vain."""
    return bool(_OVER.search(words)) or tells_vain_fear(text)


def _bare(text: str) -> tuple[str, bool]:
    """Return a turn's words without figures of speech, and whether they are no film's."""
    words = _JOBS.sub(" ", _FIGURES.sub(" ", " ".join(words_of(text))))
    words = _OUT_OF_SIGHT.sub(" ", _THINGS.sub(" it broke ", words))
    return words, not _TOLD_ELSEWHERE.search(words) or bool(re.search(rf"\bmy {_NEAR}\b", words))
