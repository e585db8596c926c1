"""Great news and bad, told by the way: what is felt with it must be shown, whatever else is said.

Who says that a scan was clear, that somebody left them, or that they hurt somebody, and hears "Go
on." or the contrary of what they feel, was not listened to. Only what happened counts: no hope, no
question, no film. A reply that shows the feeling stands. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.emotion_words import PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.reasoner.listener.turn import Turn, is_of_guilt
from rt_avatar.reasoner.nlu.fears import tells_vain_fear
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.nlu.spelling import spelled
from rt_avatar.reasoner.responses.prospects import find_prospect
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.unsaid import unsaid

# Feared, and not so; achieved or given; lost or done to them; somebody missed for long; done to
# somebody near; done by themselves.
News: TypeAlias = Literal["relief", "joy", "blow", "loss", "theirs", "guilt"]

SAYINGS: Final[Mapping[News, tuple[str, ...]]] = {
    "relief": (
        "Oh, what a relief!",
        "Thank goodness. I'm so glad.",
        "Oh, I'm so glad to hear that.",
        "That's such good news. What a relief!",
    ),
    "joy": (
        "Oh, that's wonderful!",
        "That's great news! I'm so glad.",
        "How wonderful! I'm really glad to hear it.",
        "Oh, how lovely! That's good news.",
    ),
    "blow": (
        "Oh no. I'm so sorry.",
        "I'm so sorry. That's a lot to take in.",
        "That's a heavy blow. I'm sorry.",
        "Oh, I'm sorry. That's hard.",
    ),
    "loss": (
        "I'm so sorry. That's a lot to carry.",
        "Oh, I'm so sorry. That stays with one.",
        "I'm sorry. Thank you for telling me.",
    ),
    "theirs": (
        "Oh no. I'm sorry to hear that. That's hard to watch.",
        "I'm sorry. It's hard when it's somebody near.",
        "Oh, that's sad to hear. How are you with it?",
    ),
    "guilt": (
        "I can hear how that weighs on you.",
        "It's hard to have that on your mind.",
        "That's not easy to say. I can hear that it weighs on you.",
        "I can hear that you wish it had gone another way.",
    ),
}
_KIN: Final = (
    r"(?:mother|mom|mum|father|dad|parents|son|daughter|kids|brother|sister|grand\w+|nan|gran|wife|"
    r"husband|partner|boyfriend|girlfriend|uncle|aunt|cousin|nephew|niece|friend|mate|roommate|"
    r"flatmate|neighbou?r|colleague|coworker|boy|girl|lad|lady|he|she)"
)
_CHECK: Final = (
    r"(?:scans?|biops(?:y|ies)|results?|tests?|bloods?|mri|lumps?|mammogram|smear|x rays?)"
)
_PATTERNS: Final[Mapping[News, re.Pattern[str]]] = {
    "relief": re.compile(
        rf"\b{_CHECK}(?: \w+)?? (?:came|come|comes|is|are|was|were|turned)(?: (?!not|"
        rf"never)\w+){{0,2}}?"
        r" (?:clear|clean|fine|normal|negative|benign|harmless|only fat)\b|"
        r"\b(?:wasnt|isnt|not|no) cancer\b|\bcancer free\b|\b(?:got|gave \w+|the) all clear\b|"
        r"\bin remission\b|\bfound no (?:trace|sign)s? of (?:it|the cancer|cancer)\b|"
        r"\b(?:he|she|they|hes|shes|theyre|itll|hell|shell)(?: is| are| will)? "
        r"(?:(?:going to|gonna) )?(?:make it|live|be (?:fine|ok|okay|all right|alright))$|"
        r"\b(?:hes|shes|theyre|he is|she is) (?:going to|gonna) (?:make it|live|be (?:fine|ok|okay|"
        r"all right|alright))\b|"
        r"\bpulled through\b|\bout of (?:danger|the woods|intensive care)\b|"
        r"\b(?:let|sent|brought) (?:him|her|them|me) (?:out of|home from) (?:the )?hospital\b|"
        r"\b(?:hes|shes|is) home from (?:the )?hospital\b|\bsafe and sound\b|"
        r"\b(?:came|hes|shes|is) (?:back|home) from (?:deployment|the war|the front)\b|"
        r"\b(?:they|we|somebody|someone|police|i) (?:\w+ )?found (?:my|our) (?:\w+ )?(?:dog|cat|"
        r"puppy|"
        r"kitten|rabbit|tortoise|parrot)\b|\bfound (?:him|her|them|(?:my|our) \w+) "
        r"(?:alive|safe)\b|"
        r"\bheard (?:the|a|its|his|her) heartbeat\b|\bfalse alarm\b|"
        r"\b(?:he|she|they) can come home\b(?! if)|"
        # Lost, and there again.
        r"\b(?:dog|cat|puppy|kitten|rabbit|tortoise|parrot|hamster)(?: \w+)?? (?:was lost|(?:was|"
        r"been|went) missing|got (?:lost|out)|ran (?:away|off)|escaped|vanished|disappeared)\b"
        r"(?: \w+){1,12}? (?:(?:came|walked|strolled|wandered|trotted) (?:right |straight )?"
        r"(?:back|home|in)|turned up|(?:found|got) (?:him|her|it|them)|is (?:back|home))\b"
        r"(?! (?:dead|too))|"
        r"\b(?:(?:ring|keys|purse|wallet|bag|suitcase|phone|passport) (?:was lost|(?:was|went) "
        r"missing|got lost)|lost my (?:ring|keys|purse|wallet|bag|suitcase|phone|passport))\b"
        r"(?: \w+){1,12}? (?:turned up|found (?:it|them)|handed (?:it|them) in|ran after me|got "
        r"(?:it|them) back)\b|\bim (?:so|that|really|just|very) relieved\b"
    ),
    "joy": re.compile(
        r"\boffered me (?:the|an?) (?:\w+ )?(?:job|post|role|promotion|contract)\b|"
        r"\b(?:i|we) (?:actually |really |finally )?got in(?=$| to (?:the|my) \w+ (?:school|course|"
        r"choice)| i | after| they)|\b(?:i|we|ive) (?:was |got |been |just )*accepted\b|"
        r"\bthey (?:actually |really )?(?:picked|chose|hired|accepted) me\b(?! (?:up|out|on|"
        r"apart))|"
        r"\b(?:(?:i|we) (?:actually |finally |just )?got|(?:ive|weve) (?:finally |just )got|"
        r"(?:ive|weve|i was|we were) (?:been )?(?:offered|given)) (?:the|our) (?:\w+ )?(?:job|"
        r"place|"
        r"part|flat|house|scholarship|promotion|grant|visa|role|mortgage|apartment)\b"
        r"(?! (?:of|to|in) )(?! (?:how|where|ready|back|all|\w+ed)\b| t[iy]re)|"
        r"\b(?:i|ive|i have) (?:actually |finally |just )?passed(?=$| i | and| after| with| "
        r"them| it| (?:my|the) (?:\w+ )?(?:exams?|tests?|driving|finals|interview))|"
        r"\bpassed (?:her|his|their) (?:\w+ )?(?:exams?|tests?|driving|finals)\b|"
        r"\b(?:girlfriend|boyfriend|partner) said yes$|\b(?:im|were|we are|got) engaged\b|"
        r"\b(?:were|we are|im) expecting(?=$| a baby| twins| our| after| twelve)|"
        r"\b(?:had|has) (?:a|her|their|our) (?:little |baby )+(?:girl|boy)\b|"
        r"\b(?:going to|gonna) be an? (?:dad|mum|mom|father|mother|grand\w+|uncle|aunt\w*)\b|"
        r"\bwants? to publish my\b|\bi (?:actually |finally )?got promoted\b|"
        r"\b(?:everybody|everyone|whole \w+) (?:stood up and )?clapped\b|"
        r"\b(?:i|we|ive|weve) (?:actually |finally |just |only |bloody )?won(?=$| it$| first| "
        r"best| gold| (?:the|our|my) (?:\w+ )?(?:cup|game|match|race|final|league|medal|prize|"
        r"award|trophy|competition|contest|case|appeal|lottery|raffle|quiz|tournament|championship))|"
        r"\bits an? (?:\w+ )??(?:girl|boy)$"
    ),
    "blow": re.compile(
        r"\b(?:leaving|left) me(?=$| (?:after|for (?!dead)|on|last|this|today|yesterday|because|"
        r"when|and|by text))|\bwalked out on (?:me|us)\b|\b(?:never|doesnt|stopped) lov(?:ed|e|"
        r"ing) "
        r"me\b|\bbroke (?:up with me|it off)\b|\bsplit up with me\b|\bdumped me\b|"
        r"\b(?:i|ive|im) (?:\w+ )?(?:got |been |was |being )+(?:\w+ )?(?:dumped|fired|sacked|laid "
        r"off|"
        r"let go|made redundant|evicted|bullied)\b|\bwants? a divorce\b|\bcheat(?:ed|ing|s) on "
        r"me\b|"
        r"\b(?:lost|losing) (?:my|our) (?:job|home|house|farm|shop|business)\b|"
        r"\b(?:closing|closed|shutting|shut) (?:the|our|my) (?:whole )?(?:plant|factory|mine|mill|"
        r"business|branch|site|office)\b|\bbank (?:took|is taking) (?:the|my|our) "
        r"(?:house|home|farm)\b|\b(?:kicked|threw) (?:me|us) out\b|"
        r"\btook (?:my|our) (?:kids|children|baby|son|daughter|boys|girls)(?: \w+)?? away\b|"
        rf"\b{_KIN} (?:is |has been |went |s )?(?:missing|disappeared|vanished)(?=$| since| for| "
        rf"on)|"
        r"\bspread to (?:his|her|my|the) (?:liver|lungs?|bones?|brain|spine|lymph\w*)\b|"
        r"\bnothing (?:more|else) (?:they|we|the doctors?) can do\b|"
        r"\bthey(?:ve| have)? (?:say|said|gave \w+|given \w+) (?:\w+ ){0,2}?(?:months|weeks)$|"
        r"\bwont (?:make it|see (?:the|another) (?:winter|spring|summer|year|christmas)|recover)\b|"
        r"\b(?:doesnt|no longer) recogni[sz]es? (?:me|us)\b|"
        r"\blost (?:one of )?(?:my|his|her) (?:legs?|arms?|sight|twins)\b|"
        r"\bbroke my (?:back|neck|hip)\b|\b(?:fire|flood) took\b|\blost everything\b"
    ),
    "loss": re.compile(
        r"\b(?:first|second|third) (?:christmas|birthday|easter|summer|winter|holiday|anniversary|"
        r"mothers day|fathers day) without (?:him|her|them|mum|mom|dad|my)\b|"
        r"\b(?:he|she|hed|shed|they|theyd)(?: would)? (?:have )?(?:been|be|turned) (?:\w+) today$|"
        rf"\b(?:{_KIN}|hes|shes)(?: has|s)? been gone (?:an?|\w+) (?:years?|months?|weeks?)\b|"
        r"\bid have been an? (?:mother|father|mum|mom|dad|grand\w+)\b|"
        r"\b(?:hes|shes|he is|she is) gone now$|\band now (?:hes|shes) gone$|"
        r"\bwe lost (?:one|it|them)(?= (?:last|in|this|two|three|at|early))"
        r"(?=.*\b(?:nobody knows|pregnan\w*|baby|wife|trying|scared|scares|weeks)\b)"
    ),
    "theirs": re.compile(
        rf"\b{_KIN} (?:(?!nearly|almost)\w+ )??(?:got|was|is being|been|has been|got|"
        r"is getting) (?:\w+ )?(?:dumped|bullied|laid off|fired|sacked|robbed|run over|evicted)\b|"
        rf"\b{_KIN} (?:\w+ )?lost (?:his|her|their) (?:job|home|house|flat)\b|"
        r"\b(?:hes|shes|theyre) (?:falling apart|in bits|in pieces|heartbroken|devastated)\b|"
        r"\bfell (?:off|down) (?:his|her|a|the) (?:ladder|stairs|roof)\b|"
        rf"\b{_KIN} (?:upstairs |downstairs |next door )?fell and nobody\b|"
        r"\b(?:broke|broken) (?:his|her) (?:hip|leg|arm|wrist|neck|back)\b|\bbroken hip\b"
    ),
    "guilt": re.compile(
        r"\bi (?:really |just |totally |even |then )?(?:messed (?:\w+ ){0,3}?up|messed up|screwed "
        r"up|"
        r"lied(?! (?:down|on the)\b)|snapped at|(?:shouted|yelled|screamed) at (?!the (?:tv|telly|"
        r"screen|radio|ref|referee|players|computer|printer|laptop)\b)|"
        r"let (?:him|her|them|everyone|everybody) down(?! (?:the|a|from|into|onto|to|off|by|gently|"
        r"slowly)\b)|broke my (?:promise|word)|betrayed|"
        r"ran over|hit (?:an?|my|the|his|her) (?:\w+ )?(?:cat|dog|deer|car|bike|cyclist|man|"
        r"woman|child)|said the wrong thing|"
        r"forgot (?:my|his|her|our) (?:\w+ )?(?:birthday|anniversary|recital|wedding|graduation|"
        r"play)|"
        r"said (?:something|some things) (?:\w+ )?(?:nasty|awful|horrible|unforgivable|mean|cruel|"
        r"i "
        r"shouldnt)|called (?:him|her|them) something|told (?:my|his|her) (?:\w+ )?secret|"
        r"shouldnt have (?:said|done|shouted|left|told|let|gone))\b|"
        r"\bit was me (?:who|that) (?:left|broke|told|lost|did|forgot|said|let|started)\b|"
        r"\bbecause of my (?:mistake|stupidity|carelessness)\b|"
        r"(?<!say its )(?<!says its )(?<!said its )(?<!said it was )\bmy (?:own )?fault\b|\bnot "
        r"proud of (?:that|it|myself|what)\b|"
        r"\bi feel (?:so |really |terribly |very )?guilty\b|"
        r"\bi promised (?:\w+ ){1,6}(?:and|but) i didnt\b|\bi (?:think i )?did something wrong\b"
    ),
}
# What did not happen, or is not known to have.
_UNREAL: Final = re.compile(
    r"\b(?:if|hope|hoping|wish|nearly|almost|would|could|might|may|maybe|until|unless|dream\w*|"
    r"dreamt|pray\w*|wait\w*|think|thinks|says he|not|never|no|nobody|didnt|dont|doesnt|havent|"
    r"hasnt|isnt|"
    r"wasnt|wont|used to|when|before)(?: \w+){0,4} $"
)
_UNDONE: Final = re.compile(
    r"\bbut (?:now|then)\b|\buntil\b|\b(?:everyone|everybody|all of them) (?:but|except) (?:me|"
    r"us)\b|"
    r"\b(?:without|didnt (?:ask|invite|tell)|hasnt (?:asked|invited|told)) (?:me|us)\b"
)  # behind it something else comes
# "No, it's good news": what follows is told.
_DENIAL: Final = re.compile(r"^(?:(?:oh|but|well) )*no (?=i|we|he|she|they|that|the\b)")
_SAYS: Final[Mapping[News, re.Pattern[str]]] = {
    "guilt": re.compile(
        r"weigh|conscience|on your mind|shake off|sorry that you|not easy|wish|didn't want"
    ),
    "joy": re.compile(
        r"congratulations|well done|wonderful|good news|glad|over the moon|the hard", re.I
    ),
    "relief": re.compile(r"relie[fv]|thank goodness|glad|good news|wonderful|the hard", re.I),
}
_GOOD: Final = frozenset[News]({"relief", "joy"})
_SENTENCES: Final = re.compile(r"[^.!?]+[.!?]*")
_DEATH: Final = re.compile(r"\b(?:die[ds]|dead|death|passed away|funeral|buried|suicide)\b", re.I)
_KEPT: Final = 256  # turns; those of a call are looked at again with every request


def since_relief(said: tuple[str, ...]) -> tuple[str, ...]:
    """Return a caller's turns from the last relief on: what was feared before it is over.

    All of them where somebody died, which no relief undoes.
    """
    if any(map(_DEATH.search, said)):
        return said
    return said[max((at for at, one in enumerate(said) if find_news(one) == "relief"), default=0) :]


@lru_cache(_KEPT)
def find_news(text: str) -> News | None:
    """Return what great news a turn tells; None: none, or good and bad.

    Args:
        text: What was said; what is asked is not told.
    """
    if tells_vain_fear(text):
        return "relief"
    told = [one for one in _SENTENCES.findall(text) if not one.rstrip().endswith("?")]
    parts = [" ".join(words_of(one)) for one in told]
    if mood_of((spelled(text),)) == "unpleasant":
        parts = [one for one in parts if not any(_tells(_PATTERNS[good], one) for good in _GOOD)]
    found = [one for one, pattern in _PATTERNS.items() if any(_tells(pattern, p) for p in parts)]
    if not found or (_GOOD.intersection(found) and not _GOOD.issuperset(found)):
        return None
    return found[0]


def with_feeling(turn: Turn, reply: str) -> str:
    """Return a reply that shows what is felt with the news of a turn; the same where it does.

    Args:
        turn: The caller's.
        reply: What would be said to it.
    """
    choice = turn.choice
    if not turn.is_story or (choice and choice.when == "ever"):
        return reply
    news = find_news(turn.text)
    if news is None or find_asked(turn.text, is_grave=turn.is_grave):
        return reply
    if news not in _GOOD and find_prospect(turn.text):
        return reply  # feared only
    is_grave = turn.answer.grave or (turn.answer.is_quiet and news != "guilt")
    if news not in _GOOD and (is_grave or turn.is_grave_now):
        return reply
    if news in _GOOD and turn.answer.is_quiet and turn.answer.grave:
        return reply
    felt = choice.feels if choice and turn.has_topic and reply.endswith(choice.text) else None
    return reply if _shows(news, reply, felt) else say(news, turn.text, turn.own)


def say(news: News, text: str, own: Sequence[str]) -> str:
    """Return what is said to news, in words that were not said in this call, or longest ago."""
    return unsaid(SAYINGS[news], text, own)


def _tells(pattern: re.Pattern[str], words: str) -> bool:
    told = _DENIAL.sub("", words)
    return any(
        not _UNREAL.search(told[: one.start()]) and not _UNDONE.search(told[one.end() :])
        for one in pattern.finditer(told)
    )


def _shows(news: News, reply: str, felt: frozenset[Fine] | None) -> bool:
    """Whether a reply shows what is felt, by its words or as it was written for such a topic."""
    if (says := _SAYS.get(news)) and says.search(reply):
        return True
    if news == "guilt":
        return felt is not None and is_of_guilt(felt)
    if felt and felt <= (PLEASANT if news in _GOOD else UNPLEASANT) and news != "theirs":
        return True
    return tone_of(reply) == (1 if news in _GOOD else -1)
