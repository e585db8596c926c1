"""Acts of what others said or wrote: opinions, offers, wishes, reproaches, a call, a letter.

What another said is asked about by what the caller made of it, never judged.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.people import GRAVE, JUST, SPEAKER, WHO

_SAYS: Final = (
    r"(?:says?|thinks?|reckons?|insists?|claims?|tells? (?:me|us)|keeps? (?:saying|telling)|"
    r"calls it|"
    r"swears?|argues?)"
)
_SAID: Final = (
    r"(?:said|told (?:me|us)|asked (?:me|us|if|whether|why|who|what|how|when|where|about)|"
    r"wrote(?! to)|answered|replied|joked|"
    r"claimed|insisted|suggested|proposed)"
)
_OFFER: Final = (
    r"(?:\b(?:(?:he|she|they)(?:'d|'ll)|(?:he|she|they) (?:could|would|can|will|might)|"
    r"(?:i|we) (?:could|can|should) (?:come|stay|have|live|join|borrow|use))\b)"
)
REMARKS: Final = (
    Act(
        "offers",
        re.compile(
            rf"{WHO}{JUST} (?:says?|said|thinks?|reckons?|suggested|suggests|offered|told (?:me|"
            rf"us))"
            rf"(?: that)? (?:to \w+|.*?{_OFFER})"
        ),
        asks=(
            "And would you like that?",
            "How does that sound to you?",
            "What's your first feeling about it?",
        ),
        says=("So that's one way that it could go.",),
        never=re.compile(rf"{GRAVE.pattern}|\b(?:never|not|couldn't|wouldn't|can't|won't|if)\b"),
    ),
    Act(
        "taken_for",
        re.compile(
            rf"{WHO}{JUST} (?:thought|took|assumed)(?: that)? (?:i was (?:an?|the|their|his|her|"
            rf"my)|"
            r"me for)\b"
        ),
        asks=("And did you put {him} right?", "What did you say to {him}?"),
        says=("I'd have liked to see {him} when it came out.",),
        never=GRAVE,
    ),
    Act(
        "wants",
        re.compile(
            rf"{WHO}{JUST} (?:wants?|would like|wanted|has decided|is thinking|insists on)"
            r"(?: (?:me|us|him|her|them|it))? (?:gone|out|back|off|away|to (?!be|die|kill|hurt|"
            r"paint)\w+|of \w+ing|\w+ing)"
        ),
        asks=(
            "And what would you like?",
            "How is that for you?",
            "What do you think is behind it?",
        ),
        says=("So that's what {he} would like.",),
        never=GRAVE,
    ),
    Act(
        "rebuked",
        re.compile(
            rf"{WHO}{JUST} (?:(?:gave|given|handed|issued) (?:me|us) (?:an? (?:\w+ )?(?:warning|"
            rf"fine|telling-off|"
            r"detention|dressing-down|lecture|bad mark)|a (?:piece of|dirty|funny|cold|hard|"
            r"filthy))|told (?:me|us) off|"
            r"(?:laid|tore) into (?:me|us)|had a go at (?:me|us))\b"
        ),
        asks=("And how did you take it?", "What would you have liked to say to that?"),
        says=("I can imagine that it rankles.",),
        never=GRAVE,
    ),
    Act(
        "labelled",
        re.compile(
            rf"{SPEAKER}{JUST} (?:calls|called|describes|described) (?:it|this|that)"
            r"(?: (?!back\b|up\b|in\b|off\b|over\b|out\b|again\b|today\b|yesterday\b|today\b|now\b|"
            r"on\b|"
            r"about\b|from\b|at\b|to\b|last\b|this\b|when\b|every\b|by\b)[\w'-]+){1,3}$"
        ),
        asks=("How did it feel to hear that?", "And what would you call it yourself?"),
        says=("A word like that can stay with one.",),
        never=GRAVE,
    ),
    Act(
        "says",
        re.compile(
            rf"{SPEAKER}{JUST} {_SAYS}(?! (?:yes|no|hello|hi|goodbye|nothing|a word|so|sorry|much|"
            rf"of|about)$)"
            r" .*\w"
        ),
        asks=(
            "And what do you say to {him} then?",
            "And how do you see it?",
            "And what do you think yourself?",
        ),
        says=("So that's how {he} {sees} it.",),
        never=GRAVE,
    ),
    Act(
        "said",
        re.compile(
            rf"{SPEAKER}{JUST}(?: (?:came|went|turned|looked|leaned|stopped|sat|"
            rf"took)(?: \w+){{0,4}} and)? {_SAID}(?! (?:yes|no|hello|hi|goodbye|nothing|a word|so|"
            rf"sorry|much|"
            rf"back)$)"
            r" .*\w"
        ),
        asks=(
            "What did you say to that?",
            "What went through your mind when you heard that?",
            "How did you take it, coming from {him}?",
        ),
        says=("I can almost hear {him} say that.",),
        never=GRAVE,
    ),
    Act(
        "contact_for",
        re.compile(
            rf"{WHO}{JUST} (?:rang|phoned|called|texted|emailed|messaged|wrote|came (?:round|over|"
            rf"by)|turned up|"
            r"knocked|stopped)(?: (?:me|us|to me|to us|back))?(?: (?:last|this|yesterday|on|"
            r"out)(?: \w+){0,2}?)? "
            r"(?:just )?to (?:ask|say|tell|see|check|thank|show)\b"
        ),
        asks=("And what did you say?", "How was it to hear from {him}?"),
        says=("So {he} thought of you.",),
        never=GRAVE,
    ),
    Act(
        "plans",
        re.compile(
            rf"{WHO}(?:'s| is|'re| are)(?: already| now| always)? (?:talking (?:about|of)|planning|"
            rf"looking at|"
            r"dreaming of|thinking (?:about|of)) "
        ),
        asks=("And how is that for you?", "And what would you like?"),
        says=("So that's where {he} {sees} it going.",),
        never=GRAVE,
    ),
    Act(
        "has_been",
        re.compile(
            rf"{WHO}(?:'s| has|'ve| have) been (?:\w+ )?(?:lovely|great|good|kind|patient|"
            rf"wonderful|quiet|odd|funny|"
            r"off|distant|strange|cold|helpful|supportive|brilliant|short|difficult)\b"
        ),
        asks=("How does it show?", "How is it for you, to have {him} like that?"),
        says=("So that's how {he} {has} been.",),
        never=GRAVE,
    ),
    Act(
        "feels",
        re.compile(
            rf"{WHO}(?:'s| is|'re| are|'s been| has been) (?:\w+ )?(?:not (?:very |at all |too |"
            rf"best |so )?(?:happy|"
            r"pleased|keen|impressed)|furious|annoyed|cross|thrilled|delighted|livid|disappointed|"
            r"jealous|chuffed|"
            r"over the moon|fuming|in a huff|put out)\b"
        ),
        asks=("What has {he} said about it?", "And how is that for you?"),
        says=("So that's how {he} {sees} it.",),
        never=GRAVE,
    ),
    Act(
        "contact",
        re.compile(
            rf"{WHO}(?: (?:of mine|i (?:used to know|know)))?{JUST} (?:rang|phoned|called|texted|"
            rf"emailed|"
            r"messaged|wrote|got in touch|turned up|came (?:round|over|by)|knocked|dropped in|"
            r"popped in|"
            r"stopped)"
            r"(?: (?:me|us|to me|to us|back|me back|at the door|on the door|at ours|with me|"
            r"me in \w+ "
            r"\w+|in))?(?: (?:on|last|this|the (?:next|other|very|same)|that|yesterday|out of|from|"
            r"after|at|for|straight|"
            r"again|"
            r"later)\b.*)?$"
        ),
        asks=(
            "And what did {he} say?",
            "What did {he} want?",
            "How was it to hear from {him}?",
        ),
        says=("I wonder what made {him} get in touch.",),
        never=re.compile(
            rf"{GRAVE.pattern}|\bcalled (?:me|us|it|him|her) an?\b|\bcalled in\b|\bdrinking\b|"
            rf"\bthe bell\b"
        ),
    ),
    Act(
        "written",
        re.compile(
            r"(?:there was|there's|i (?:got|found|had)|we (?:got|found|had)|\w+ (?:left|"
            r"sent) (?:me|us)) "
            r"(?:an?|this|one|another) (?:\w+ )?(?:note|letter|postcard|card|message|parcel|email|"
            r"text)\b"
        ),
        asks=("What did it say?", "What went through your mind when you saw it?"),
        says=("I wonder what was in it.",),
        never=re.compile(rf"{GRAVE.pattern}|\b(?:saying|that said|which said|it said)\b"),
    ),
)
