"""Classify an utterance's intent: greeting, thanks, question to the avatar, crisis.

Everything that is not one of these is ``"telling"``: something to listen to. Works on noisy words;
danger (``alarms``) is looked for first.
"""

import re
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.heard import NO_THANKS
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.danger.alarms import SUICIDAL, Alarm, find_told
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.leaving import takes_leave
from rt_avatar.reasoner.nlu.names import is_introduction
from rt_avatar.reasoner.responses.quoted import without_quote

Intent: TypeAlias = Literal[
    "crisis",  # suicide or self-harm, of the caller's or of someone near
    "danger",  # any other alarm
    "unheard",  # no words, or only noise
    "backchannel",  # "mm-hm", "okay": go on
    "greeting",
    "how_are_you",
    "thanks",
    "goodbye",
    "who_are_you",
    "tells_name",
    "asks_name",  # whether the listener knows the caller's
    "asks_memory",  # what the listener remembers
    "are_you_real",
    "do_you_feel",
    "can_you_hear",
    "say_again",
    "medical",  # asks for a diagnosis, drug or dose
    "advice",
    "insult",
    "fact",  # asks something a listener does not know
    "yes",
    "no",
    "dont_know",
    "telling",
]

# Whom one asks whether to ask them.
_HELP: Final = (
    r"(?:doctors?|gp|nurse|pharmacist|ambulance|hospital|a e|er|emergency room|urgent care|"
    r"999|911|112|111)\b(?! out\b| (?:to|and) (?:see|visit)\b)"
)
# What is asked about in general, and is nobody in particular.
_KIND: Final = (
    r"(?!(?:i|you|u|he|she|it|we|they|this|that|those|these|the|my|your|his|her|our|their|not|"
    r"people|men|women|guys|mums?|moms?|dads?|parents|girls|boys|kids|children|teachers|bosses|"
    r"everyone|everybody|anyone|anybody|someone|somebody|things|good|bad|some)\b)(?:\w+ )?\w+s"
)
# The first one found is meant: asks_name stands before who_are_you, medical before advice, and each
# question before what it is a part of.
_SIMPLE: Final[tuple[tuple[Intent, re.Pattern[str]], ...]] = (
    ("asks_name", re.compile(
        r"\b(?:whats|what is|what was|you (?:\w+ )?(?:remember|know|forgot|forget)) my name\b|"
        r"^(?:please )?(?:remember|guess|say) my name\b|"
        r"\bwhat am i called\b")),
    ("asks_memory", re.compile(
        r"\b(?:do|did|can|will) you (?:\w+ )?(?:remember|recall|forget) "
        r"(?:what|me|us|anything|everything|any of|that i|our|the last|this|where)\b|"
        r"\bwhat (?:did i|have i) (?:just |already )?(?:say|said|tell|told)\b|"
        r"\bwhat (?:were|was) (?:i|we) (?:just )?(?:saying|talking about)\b|"
        r"\bwhat did we (?:just )?talk about\b")),
    ("are_you_real", re.compile(
        r"\b(?:are|r) (?:you|u) (?:a |an |the )?"
        r"(?:real|human|robot|bot|machine|computer|ai|alive|person|fake|program|artificial|"
        r"recording)\b|"
        r"(?<!enough )(?<!know )(?<!though )(?<!if )(?<!because )(?<!since )"
        r"\byoure (?:not real|a robot|an ai)\b|"
        r"\bam i talking to (?:a|an)\b")),
    ("who_are_you", re.compile(
        r"\bwho (?:are|r) you\b(?! (?:to|\w+ing)\b)|"
        r"\bwhat(?: is|s) your name\b|"
        r"\bwhat are you\b(?! (?:\w+ing|even|gonna|supposed|meant|up|on|to|so)\b)|"
        r"\bwhat (?:can|do) you do\b(?! (?:all|when|if|on|in|after|with|at|to|about|for)\b)|"
        r"\btell me about your ?self\b|"
        r"\b(?:tell|ask|know|wonder\w*) (?:\w+ ){0,2}(?:who|what) you (?:are|can do)(?= and\b|$)")),
    ("do_you_feel", re.compile(
        r"\b(?:do|can) you (?:have |really |even )*(?:feel|feelings|emotions|love|care)\b|"
        r"\bdo you understand me\b")),
    ("can_you_hear", re.compile(
        r"\bcan you (?:hear|see) me\b(?! \w+ing)|"
        r"\bare you (?:there|listening)\b")),
    ("say_again", re.compile(
        r"\bwhat did you (?:say|just say)\b|"
        r"\b(?:can|could) you (?:please )?(?:repeat|say (?:that|it|again))\b|"
        r"\bsay (?:that|it) again\b|"
        r"^(?:pardon|sorry what|what|come again|excuse me|huh what)$|"
        r"\bi (?:didnt|did not) (?:hear|catch|understand) (?:you|that|what you)\b")),
    ("how_are_you", re.compile(
        r"\bhow (?:are|r|is) (?:you|it going|your day)\b(?! (?:going to|supposed|so))|"
        r"\bhow do you do\b|"
        r"^whats up$")),
    ("medical", re.compile(
        r"\b(?:should|can|could) i (?:stop )?(?:tak(?:e|ing)|mix) "
        r".{0,30}(?:pill|medic|drug|dose|antidepress|tablet|aspirin|ibuprofen)|"
        r"\bhow (?:much|many) .{0,30}(?:pills|dose|medic(?:ine|ation)|mg|milligrams)|"
        r"\bdo (?:you think )?i have (?:cancer|depression|adhd|autism|anxiety|bipolar)|"
        r"\bam i (?:depressed|bipolar|autistic|sick)\b|"
        r"\bdiagnose me\b|"
        r"\b(?:(?:should(?:nt)?|shall|must|do|does) (?:i|we|he|she|they|my \w+)|would you|"
        r"(?:think|if|whether) (?:i|we|he|she|they) should) (?:not |just |need to |have to )*"
        r"(?:call|see|ring|phone|visit|ask|contact|go|get|drive|take|bring|need) "
        rf"(?:\w+ ){{0,4}}?{_HELP}|"
        rf"\bworth (?:calling|seeing|ringing|asking|going to) (?:\w+ ){{0,3}}?{_HELP}")),
    ("advice", re.compile(
        r"\bwhat (?:should|shall|can|do) i do\b|"
        r"\bwhat would you do\b|"
        r"\bshould i\b(?! have)|"
        r"\b(?:any|some|your|need|give me) advice\b|"
        r"\bwhat do you think\b(?! of| about (?!it|that|this))|"
        r"\bhow (?:do|can|should) i (?:deal|cope|fix|handle|stop|tell|get over|make)\b|"
        r"\bhelp me (?:decide|choose)\b")),
    ("insult", re.compile(
        r"^(?:just |oh )?(?:shut up|leave me alone|i hate you|fuck (?:you|off))(?: please)?$|"
        r"^(?:\w+ )?(?:you|youre|you are) (?:are )?(?:a |so |an |really |such a )*"
        r"(?:stupid|useless|idiot|dumb|annoying|boring|terrible|suck)\b")),
    ("fact", re.compile(
        r"\bwhat(?: is|s) the (?:weather|time|date|capital|score|news)\b|"
        r"\bwhat (?:time|day) is it\b|"
        r"^who (?:is|was|won) (?:the|a)\b|"
        r"\bhow (?:far|tall|old) is\b(?! (?:my|our|this|that|he|she|it|too)\b)|"
        r"\bwhats \d+|\bwhat is \d+|\bwhat happened in \d{4}\b|"
        r"^(?:please )?(?:play|sing) (?:me )?(?:a|some)\b|"
        # of a kind of things, not of somebody: "why do cats purr", "is a hot dog a sandwich"
        rf"^(?:so |and |but )?(?:why|how|where|when) (?:do|does|can) (?:an? )?{_KIND} \w+"
        r"(?: \w+){0,2}$|"
        rf"^(?:so |and |but )?(?:do|does|can) (?:an? )?{_KIND} (?:ever |really )?(?:sleep|dream|"
        r"hear|see|feel|think|talk|swim|fly|have|eat|bite|sting|remember|cry|laugh|float|burn|"
        r"grow|taste|smell|melt|sweat|yawn)(?: \w+){0,2}$|"
        r"^is an? (?:\w+ ){1,2}an? \w+$|^are \w+s an? \w+$")),
)  # fmt: skip

_FILLERS: Final = word_set(
    "um uh er ah oh well so like just you know i mean please now then hey ok okay ava leo mei tom "
    "rose sam zuri finn there all everyone again very much really a lot for that the this"
)
_BACKCHANNELS: Final = word_set(
    "mm mhm mmhm hm hmm uh huh uhuh um er ah aha oh okay ok right wow sure alright cool i see "
    "go on got it"
)
_GREETINGS: Final = word_set(
    "hi hello hey hiya howdy greetings good morning afternoon evening nice to meet see you"
)
_GOODBYE: Final = re.compile(
    r"(?<!say )(?<!says )(?<!said )(?<!saying )\b(?:goodbye|good bye|bye|"
    r"see you (?:later|soon|tomorrow|next)|talk to you (?:later|soon))\b|"
    r"\b(?:nice|good|great|lovely) (?:talking|to talk|chatting|speaking) (?:to|with) you$|"
    r"\bi(?:d| had)? better (?:be )?(?:go(?:ing)?|get going|run|be off)\b"
    r"(?! (?:back )?to (?:the|a) (?:doctor|hospital|police))|"
    r"\bi (?:should|must|need to) (?:get|be) going(?: now)?$|"
    r"\bi(?:d better| should| must| need to| have to|m going to|ll) "
    r"(?:get|go|head|be) (?:off )?to bed(?: now)?$|"
    r"\bill (?:\w+ ){0,6}?and (?:go|head|get) (?:off )?to bed$|"
    r"\bi (?:have|need|got|ve got) to (?:run|head off|be off)(?: now)?$|"
    r"^good ?night\b(?! (?:out|in|was|is)\b)|"
    r"\b(?:well|so|oh|ok|okay|anyway|right|and|then|you|too|thanks|bye|now|listening|talk|ava) "
    r"good ?night(?: then| now)?$|"
    r"(?<!did )(?<!did you )\bhave a (?:good|nice|great|lovely) night(?: too)?$|"
    r"\b(?:have to|got to|gotta|should) go(?: now)?$|"
    r"\btake care$"
)  # fmt: skip
# How one begins who takes leave, and what says that it was told of and not done.
_LEAVES: Final = re.compile(r"(?:(?:well|anyway|so|okay|ok|oh|right|sorry) )*(?:i|id|ill)\b")
_GOES_ON: Final = re.compile(r"(?:but|because|or|if|so|and)\b")
_THANKS: Final = re.compile(r"\b(?:thank you|thanks|thank u|i appreciate (?:it|you|that$))\b")
_THANKS_FOR: Final = re.compile(
    r"\bthanks?(?: you)? (?:so much |very much )?for (?:(?:well|um|uh) )?(?:for )?(?:listening|"
    r"letting me|your time|the (?:chat|talk)|talking|hearing me|being (?:here|there))\b"
    r"(?: \w+){0,3}$"
)
_YES: Final = word_set("yes yeah yep yup yea definitely exactly absolutely true indeed")
_NO: Final = word_set("no nope nah never not really thanks thank")
_NOT: Final = re.compile(
    r"^(?:(?:no|nope|well|but|oh) )*"
    r"(?:i (?:really )?(?:dont|do not|didnt|did not|havent|cant|wont|wasnt|wouldnt)|"
    r"(?:im|i am|i was) not)(?: really| actually)?$"
)  # fmt: skip
_DONT_KNOW: Final = re.compile(
    r"^(?:(?:well|um|uh|oh|hm|hmm|no|honestly|i|im|i am|ive|have) )*"
    r"(?:(?:really )?(?:dont|do not) (?:really |even |actually )?know|"
    r"(?:really )?not (?:really |so |too |quite )?sure|(?:got )?no (?:idea|clue)|"
    r"dunno|idk|hard to say)(?: really| yet| honestly)?$"
)  # fmt: skip
_FINE: Final = re.compile(
    r"\b(?:im|i am|its|everythings|everything is|feeling|doing) (?:\w+ )?"
    r"(?:fine|ok|okay|alright|all right|good)\b|^(?:fine|good|alright)\b"
)
# Noise marks of recognisers: "[NOISE]", "<sil>", "++BREATH++", "(laughs)".
_NOISE: Final = re.compile(r"\[[^\]]*\]|<[^>]*>|\+\+[^+]*\+\+|\([^)]*\)")
_SENTENCES: Final = re.compile(r"[.!?]")
_SURE_ENOUGH: Final = 0.25  # words heard with less are not worth answering
_FEW: Final = 4  # words that may stand around a thanks or goodbye that is all there is


def clean_words(text: str) -> str:
    """Return what was heard without the noise marks of recognisers."""
    return " ".join(_NOISE.sub(" ", text).split())


def find_intent(text: str, confidence: float = 1.0) -> Intent:
    """Return what kind of thing was said.

    Args:
        text: What was heard (noise marks taken out).
        confidence: 0 to 1; unsure words that say nothing count as unheard.
    """
    words = words_of(text)
    joined = " ".join(words)
    if alarm := find_told(text):
        return intent_of(alarm)
    if not words or (confidence < _SURE_ENOUGH and len(words) < _FEW):
        return "unheard"
    if all(word in _BACKCHANNELS for word in words):
        return "backchannel"
    own = without_quote(joined)  # what another said is not said to the listener
    for intent, pattern in _SIMPLE:
        if pattern.search(own):
            return intent
    return "telling" if own != joined else _short_intent(text, words, joined)


def intent_of(alarm: Alarm) -> Intent:
    """Return what is said with an alarm."""
    return "crisis" if alarm in SUICIDAL else "danger"


def _short_intent(text: str, words: list[str], joined: str) -> Intent:
    """Tell the courtesies and one-word answers apart from something told."""
    rest = [word for word in words if word not in _FILLERS]
    if is_introduction(text):
        return "tells_name"
    sentences = _SENTENCES.split(text.strip(" .!?"))
    if (
        _is_goodbye(sentences[-1])
        or (_THANKS_FOR.search(joined) and any(map(_is_goodbye, sentences[-2:-1])))
        or takes_leave(text)
    ):
        return "goodbye"
    is_all = len(words) <= 2 * _FEW or bool(_THANKS_FOR.search(joined))
    if is_all and _THANKS.search(joined) and not NO_THANKS.search(joined):
        return "thanks"
    if _DONT_KNOW.search(joined):
        return "dont_know"
    is_greeting = words[0] in _GREETINGS and _GREETINGS.issuperset(rest)
    if len(words) <= 2 * _FEW and is_greeting and joined not in ("good", "nice"):
        return "greeting"
    if len(words) <= _FEW and words[0] in _YES:
        return "yes"
    if _NOT.search(joined) or (len(words) <= _FEW and rest and _NO.issuperset(rest)):
        return "no"
    return "telling"


def _is_goodbye(sentence: str) -> bool:
    """Whether somebody takes leave; also between commas ("Well, I have to go now, it's three")."""
    if len(words_of(sentence)) > 3 * _FEW:
        return False
    parts = [" ".join(words_of(part)) for part in sentence.split(",")]
    goes_on = any(_GOES_ON.match(part) for part in parts[1:])
    alone = [part for part in parts if _LEAVES.match(part) and not goes_on]
    return any(map(_GOODBYE.search, (" ".join(words_of(sentence)), *alone)))


def claims_to_be_fine(text: str) -> bool:
    """Whether the words say that all is well, as people say it when it is not."""
    return bool(_FINE.search(" ".join(words_of(text))))
