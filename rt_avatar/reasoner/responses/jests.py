"""Hear that a caller laughs at themselves: "I've killed another houseplant, I'm a wanted woman".

Told lightly, with a twist, a likeness or a laugh, it wants a smile, and neither pity nor a question
about the trouble. Who runs themselves down in earnest tells of pain, drink or tears, or without a
twist. Words are read without apostrophes. Knows no reply of the bank.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import find_grave
from rt_avatar.reasoner.responses.unsaid import unsaid

_SAYINGS: Final = (
    "Ha! I like the way you tell that.",
    "Ha, now I've got the picture before me!",
    "That made me smile. Go on!",
    "Ha! You do know how to tell a story.",
    "I have to smile. Is there more where that came from?",
)
_BEAST_OR_THING: Final = (
    r"(?:cat|dog|parrot|goldfish|hamster|budgie|goat|hens?|chickens?|sat ?nav|scales?|mirror|"
    r"kettle|fridge|oven|toaster|smoke alarm|alarm|washing machine|hoover|car|bike|phone|watch|"
    r"fitbit|laptop|computer|printer|sofa|bed|duvet|treadmill|tomatoes|plants?|houseplants?|cactus|"
    r"knees?|back|hair|jeans|trousers|wallet|bank account|bathroom|fire brigade|locksmith|postman|"
    r"pizza (?:man|guy|place)|barista|takeaway|neighbours?|birds|slugs|squirrels|moths|oven gloves|"
    r"microwave|gps)"
)
_PATTERNS: Final[Sequence[re.Pattern[str]]] = tuple(
    re.compile(one)
    for one in (
        # A turn of phrase that is only said with a smile.
        r"\bstory of my life\b|\bwanted poster\b|\bhold my beer\b|\bwhat could (?:possibly )?go "
        r"wrong\b|\bask me how i know\b|\btypical me\b|\bso thats me (?:told|done)\b|\bme and my "
        r"big mouth\b|\bfoot in my mouth\b|\btwo left (?:feet|hands)\b|\bjust call me (?!back|"
        r"later|when|if|at|on|a |after|to|now|please)\w+\b|\bguess who\b(?! (?:died|left))|"
        r"\bpicture of (?:elegance|grace|health)\b|\bi (?:prefer|like) to (?:think of it as|call "
        r"it)\b|\bi call (?:it|that) (?!off|a day|"
        r"my)\w+",
        # Prizes and professions for what went wrong.
        r"\b(?:give me|i (?:should|must|ought to|could|deserve|win|won)|id|somebody|they) (?:\w+ "
        r"){0,3}?(?:medal|trophy|oscar|prize|badge|certificate|nobel|world record|black belt|phd|"
        r"degree) (?:for|in)\b|\b(?:im|i am|ive become|i should be) (?:\w+ ){0,3}?(?:olympic|world "
        r"champion|(?:professional|expert|qualified|certified|master) (?:at|in|of) \w+ing|grand "
        r"?master|record holder|legend|menace|hazard|danger to|national treasure|liability|walking "
        r"\w+)\b(?: (?:at|in|of|to|with))?|\bif \w+(?: \w+){0,3} (?:was|were) an? (?:olympic "
        r")?(?:sport|job|degree|subject)\b|\bshould (?:come with|be on|be sold with|carry) an? "
        r"(?:\w+ )?(?:warning|poster|manual|leash|register)\b|\b(?:should|ought to) be (?:banned|"
        r"illegal|locked up|kept away) (?:from|by|near)\b|"
        r"\bnot to be trusted (?:with|near)\b",
        # So much so that something comical follows.
        r"\b(?:im|i am|i was|my (?:cooking|singing|dancing|driving|parking|handwriting|memory|"
        r"baking|diy|french|spanish|german|english|golf|sewing|knitting|gardening|jokes|hair|sense "
        r"of direction|eyesight|hearing)(?:s| is| was| are| were)?) so (?:old|bad|clumsy|slow|"
        r"unfit|forgetful|vain|short|tall|pale|broke|awful|terrible|untidy|lazy|posh|stiff|unlucky|"
        r"off key|out of tune|loud) (?:that )?(?:my|the|even|they|people|someone|somebody|a|it|i "
        r"(?:got lost|once|had to ask|could get lost|managed))\b"
        r"(?! (?:hurts|aches|worries|scares))",
        r"\b(?:so (?:badly|bad|slowly|long|loud|loudly)) (?:that )?(?:someone|somebody|even the|"
        r"the \w+ \w+|a \w+) (?:left|asked|offered|sent|clapped|applauded|moved|called|took|"
        r"laughed|overtook|"
        r"waved)\b",
        # Things and beasts that take a view.
        rf"\b(?:my|the|even the|even my|our) (?:\w+ )?{_BEAST_OR_THING}s? (?:now |just |even |all "
        rf")?(?:judg\w+|laughs?|laughed|cheers?|cheered|sighs?|sighed|groans?|groaned|gave up on "
        rf"me|has given up on me|have given up on me|looked (?:at me )?(?:disappointed|embarrassed|"
        rf"ashamed)|knows? (?:me|my name|my order) |applauds?|applauded|begs?|begged|filed|pities|"
        rf"pitied|rolled|listens? better|sends? me|send me|complained|has better|"
        rf"have better|has a better)\b",
        r"\bbetter (?:company|conversation|listeners?|manners) than (?:my|the|most)\b|\blisten "
        r"better\b|\bon first name terms with\b|\bknows? (?:me by name|my order)\b|\b(?:serious |"
        r"committed )?relationship with (?:my|the) "
        rf"{_BEAST_OR_THING}\b",
        # What came of good intentions.
        r"\b(?:my|the|that) (?:diet|new years resolution|resolution|fitness|exercise|gym|healthy "
        r"\w+|career as|attempt at|sobriety at cake|plan to|no sugar|early nights?)(?: \w+){0,4}? "
        r"(?:lasted|survived|ended|died|made it)\b(?! (?:my|a|because my)\b)|\bthe only (?:thing|"
        r"exercise|marathon|weights?|six pack|abs|running|thing fit) (?:i|ive|about "
        r"me)\b.{3,60}\b(?:is|are)\b|\b(?:now|im|i am|mostly|basically|at least) (?:mostly |"
        r"entirely |basically |now )?(?:made of|held together by|powered by|"
        r"fuelled by|running on|\w+ (?:percent|per cent)) (?!pain|fear|tears|nothing)",
        r"\bwent to (?:the gym|a \w+|the \w+|pilates|yoga|zumba|slimming \w+)(?: \w+){0,8}? and "
        r"(?:used the vending|came home with|came back with|fell asleep|left with|ate|had a cake|"
        r"got stuck|ended up in the (?:cafe|"
        r"pub|bar))\b",
        # A bout that the thing has won, a work that became another, odds of one.
        r"\b(?:the|my|that) (\w+)\b.{2,60}\b(?:the|it|my) ?\1? (?:won|is winning|had other ideas|"
        r"disagreed|wins)\b|\bi lost (?:to|against) (?:a|the|an) (?:\w+ )?(?:jar|lid|door|tent|"
        r"deckchair|duvet|printer|crisp packet|flat pack|wardrobe|dishwasher|toddler|cat|goose|"
        r"seagull)\b|\b(?:its|it is|theyre|thats) (?:now|more of|basically|technically|really "
        r"just) an? (?!fine|closed|gone|over|my only|his|her|bad|worse|hard|too|so|just|"
        r"very)\w+(?: \w+){0,3}$(?<!on)(?<!ill)|\b(?:came|finished|was|placed) (?:second|third|"
        r"last|first)\b.*\b(?:there (?:were|was) (?:only )?(?:two|three|one)|out of (?:two|three|"
        r"one)|i was the only|only (?:two|three|one))\b|\b(?:the )?(?:only|first) (?:person|woman|"
        r"man|human|one|mum|mother|father|dad) (?:\w+ ){0,3}?(?:to|who|ever) (?:ever )?(?:fail\w*|"
        r"get lost|got lost|lose|lost|fall|fell|be beaten|been beaten|"
        r"be banned|been banned|be overtaken|need)\b",
        r"\b(?:lasted|survived) (?:all of |about |exactly |a whole |nearly |almost )?(?:\w+ "
        r")?(?:seconds?|minutes?|an hour|half an hour)\b|\bmore (?:calories|exercise|steps|"
        r"muscles) (?:\w+ )?(?:looking|walking|reaching|chewing|opening|getting|running (?:to the|"
        r"from))\b|\b(?:been|only go|gone|goes|worn) (?:as far as|to the (?:shop|fridge|sofa|"
        r"kitchen|pub|"
        r"biscuit tin) and back|no further than)\b",
        # What was said to the wrong one, or done for years.
        r"\bi (?:said|told \w+(?: \w+)?|shouted|replied|answered) (?:you too|love you|i love you|"
        r"bye mum|enjoy your \w+|thanks mum|happy birthday|night night|amen)\b.*\b(?:waiter|"
        r"waitress|driver|cashier|boss|bank|dentist|doctor|stranger|usher|pilot|plumber|vicar|"
        r"postman|judge|customer|client|interviewer|receptionist)\b|\bturns out (?:ive|i have|id|i "
        r"had|weve) been \w+ing\b.*\b(?:wrong|the wrong|upside down|backwards|someone elses?|"
        r"somebody elses?|for years)\b|\b(?:kiss(?:es)?|heart|love)(?: \w+){0,2} (?:emojis? "
        r")?(?:to|meant for) my (?:boss|plumber|landlord|dentist|manager|husband|wife)\b|"
        r"\bapologi[sz]ed to (?:it|the|a) ?(?:door|chair|lamp ?post|mannequin|post|bollard|table|"
        r"plant|cat|statue|wardrobe|bin|tree)?$|\bi (?:can|could|managed to|have|once) (?:even "
        r")?burn(?:t|ed)? (?:water|cereal|salad|an? (?:boiled )?egg|tea|ice|jelly|a sandwich)\b|"
        r"\b(?:asked|ask) (?:me )?what i (?:wanted|needed|was after|was looking for)\b.* i said "
        r"(?:an? )?(?:new|younger|different) (?:face|body|head|knees?|back|hair|personality|"
        r"brain)\b|\bbecause im not wearing (?:any|them|it)\b|\bthey were on my (?:head|nose|"
        r"face)\b|\b(?:hiding|hid|hidden) behind the (?:biscuits|cake|cheese|crisps|fridge)\b|"
        r"\b(?:a |for )(?:scarf|jumper|hat|sock)s? for an? (?:giraffe|octopus|giant|"
        r"elephant|snake|very \w+)\b",
        # Mishaps of everybody.
        r"\b(?:waved|waving|smiled) (?:back )?at (?:someone|somebody|a (?:man|woman|stranger|"
        r"mannequin|\w+)) (?:who|that|and) (?:\w+ )?(?:was(?:nt| not)|wasnt|turned out|waving|not)|"
        r"\b(?:called|call) (?:my|the|our) (?:teacher|boss|manager|lecturer|doctor|professor) "
        r"(?:m[ou]m|mummy|dad|daddy|love|darling)\b|\b(?:inside out|back to front|odd (?:shoes|"
        r"socks)|two different shoes|in my slippers|in my pyjamas|toilet paper on my|skirt tucked|"
        r"flies? (?:open|undone)|spinach in my teeth)\b.{0,60}\b(?:all day|whole|presentation|"
        r"meeting|shop\w*|church|work|interview|school|date|supermarket|bus|wedding|speech|like "
        r"that)\b|\b(?:put|poured) (?:salt|orange juice|gravy|ketchup|washing up liquid) (?:in|on|"
        r"into) my (?:tea|coffee|cereal|cornflakes)\b|\b(?:put|found) (?:the|my) (?:phone|keys|"
        r"remote|glasses|purse|milk|car keys) in the (?:fridge|freezer|oven|microwave|bin|washing "
        r"machine|bread bin)\b|\b(?:looking|looked|searched|hunting) for my (?:glasses|phone|"
        r"keys)(?: \w+){0,6} (?:on my (?:head|face|nose)|in my (?:hand|other hand)|on my head)\b|"
        r"\btalk(?:ed|ing) (?:to|into) (?:a|the) (?:mannequin|dummy|self ?checkout|answer ?phone|"
        r"wrong (?:person|window))\b|\b(?:pushed|pulled|pushing) (?:a|the|at a) (?:door|pull "
        r"door)(?: \w+){0,4} (?:said|says|marked) (?:pull|push)\b",
        r"\band (?:nearly|almost) the (?:kitchen|house|shed|neighbours?|cat|curtains|fence|"
        r"garage)\b",
        # A laugh at the end.
        r"\bi (?:\w+ ){0,3}?(?:fell|tripped|forgot|locked|burnt|burned|dropped|spilled|spilt|broke|"
        r"missed|walked into|sat on|left the|put|killed|shrank|dyed|mixed up|parked|crashed|drove|"
        r"slept|texted|sent|ordered|bought|waved|ate)\b.*\b(?:lol|lmao|"
        r"haha(?:ha)*|hehe|ha ha(?: ha)*|ha)$|\bgot me \w+ed\b.*\b(?:ha|haha|lol)$",
    )
)
_OWN: Final = re.compile(r"\b(?:i|im|ive|id|ill|me|my|myself|we|our)\b")
# In earnest.
_EARNEST: Final = re.compile(
    r"\b(?:hate (?:myself|my|me)|ashamed|humiliat\w+|worthless|useless|failure|pathetic|stupid|"
    r"ugly|fat|loser|nobody|alone|lonel\w+|cry\w*|cried|tears|depress\w+|anxi\w+|panic\w*|drunk|"
    r"drinking|vodka|wine|pills|hungover|hurts?|hurting|pain\w*|sick|ill|ambulance|hospital|a e|"
    r"fainted|collapsed|dizzy|lump|blood|bleed\w*|diagnos\w+|dementia|alzheimers?|forgetting "
    r"everything|scared|afraid|worried|terrified|upset|angry|furious|sad|miserable|awful about|he "
    r"(?:hit|hits|shouts|left)|(?:he|she|wife|husband|partner) left me|divorc\w+|died|dead|funeral|"
    r"cancer|sacked|fired|debt|bailiffs?|starv\w+|vomit\w*|threw up|hopeless|devastat\w+|"
    r"heartbr\w+|gutted|cant cope|not funny|used to be funny|isnt funny|wasnt funny|laughed at me|"
    r"seriously though|but really|all joking aside)\b"
)
_MOST: Final = 45  # words of a turn


def is_jest(text: str) -> bool:
    """Whether a caller tells of themselves with a smile.

    Args:
        text: The turn; what is asked, felt or grave is no jest.
    """
    words = " ".join(words_of(text))
    if "?" in text or len(words.split()) > _MOST or not _OWN.search(words):
        return False
    if _EARNEST.search(words) or find_grave(text):
        return False
    return any(pattern.search(words) for pattern in _PATTERNS)


def meet_jest(text: str, own: Sequence[str]) -> str:
    """Return a smile, in words that were not said in this call; empty where there is no jest.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    return unsaid(_SAYINGS, text, own) if is_jest(text) else ""
