"""Acts of time: how long something has been so, since when, on which day, how it was at first.

A span is named and asked about by what it has been like; whether it is long is not judged where it
is short.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.swapping import NUMBERS

_NUMBER: Final = (
    rf"(?:(?:{'|'.join(sorted(NUMBERS - {'one'}))})(?:[ -](?:{'|'.join(sorted(NUMBERS))}))?|\d+)"
)
_TIME: Final = rf"{_NUMBER} (?:whole |long |solid )?(?:days|weeks|months|years)"
_SPAN: Final = rf"(?P<span>{_TIME})"
_ABOUT: Final = (
    r"(?:like |about |nearly |almost |over |just |only |some |a good |roughly |going on )*"
)
_DAY: Final = (
    r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|the (?:\w+(?<!of)(?:th|first|"
    r"second|third)|\d+(?:st|nd|rd|th))|christmas|new year|easter)"
)
_BAD: Final = re.compile(
    r"\b(?:old|older|younger|prison|jail|sentence|fraud|fined|to live|surgery|operation|funeral|"
    r"chemo\w*|"
    r"died|sober|clean|find|looking|lost)\b"
)
_PAST: Final = (
    r"(?:was|were|had|did|went|\w{2,}ed|slept|felt|thought|got|came|kept|took|made|sat|loved)"
)
SPANS: Final = (
    Act(
        "span",
        re.compile(
            rf"(?:it's|it has|that's|we've|i've) (?:only )?been {_ABOUT}{_SPAN}(?: now| already)?$|"
            rf"it(?:'s| has) (?:only )?been {_ABOUT}(?:an?|one|a whole) (?P<one>week|fortnight|"
            rf"month|year)"
            "(?: now| already)?$|"
            r"(?:i|we|i've|we've|it's|it)\b(?! (?:met|waited|took)\b).*\bfor "
            rf"{_ABOUT}(?P<span2>{_TIME})(?: now| already)?(?: (?:over|because|now)\b.*)?$|"
            rf"(?P<span3>{_TIME}) (?:now )?(?:behind|at|in|on|with|of|as|i've|we've|it's|i|we)\b"
        ),
        asks=(
            "What have those {span} been like for you?",
            "And what were those {span2} like for you?",
            "What comes to mind first, when you look back on those {span3}?",
            "What has that {one} been like for you?",
        ),
        says=(
            "{Span}. I can imagine that there's a lot in them.",
            "{Span2}. I can imagine that there's a lot in them.",
            "{Span3}. I can imagine that there's a lot in them.",
        ),
        never=_BAD,
    ),
    Act(
        "long",
        re.compile(
            r"(?:he|she|they|we)(?:'s|'ve|'d| has| have|"
            r" had) been (?:\w+ ){1,4}?since (?:before )?(?:we|i|he|"
            r"she|they|school|"
            r"(?:primary|nursery|infant|high) school|college|university|childhood|birth)\b"
        ),
        asks=("What do you think of first, out of all that time?",),
        says=("So there's a long time behind it.",),
        never=_BAD,
    ),
    Act(
        "lifelong",
        re.compile(
            r"(?:i|we)(?:'ve| have)? (?:been|had|lived|wanted|known|done) .*\b(?:all my life|"
            r"my (?:whole|entire) life|"
            r"as long as i can remember)$|(?:i|we) (?:was|were|worked|lived|played|sang|"
            r"went) .*\bsince (?:i|we) "
            r"(?:was|were|left)\b"
        ),
        asks=("What has it been like, all that time?",),
        says=("So there's a long time behind it.",),
        never=re.compile(r"\b(?:ill|pain|depressed|suicid\w*|afraid|scared|cancer|hurt)\b"),
    ),
    Act(
        "owned",
        re.compile(
            r"(?:i|we)(?:'d|'ve| had| have) (?:had|owned|known|driven|worn|used) (?:her|him|it|"
            r"them|that|(?:that|the|this|those) \w+|my \w+|"
            r"each other) (?:since|ever since|all (?:my|our))\b"
        ),
        asks=("What do you think of first, out of all that time?",),
        says=("So there's a long time behind it.",),
        never=re.compile(r"\b(?:died|ill|cancer|pain|cold|headache)\b"),
    ),
    Act(
        "nth",
        re.compile(
            r"(?:that's|that was|this is|it's|it was) (?:only |already |now )?(?:the|my) "
            r"(?P<nth>second|third|fourth|fifth|sixth|seventh) (?:time|one|go|try)\b"
        ),
        asks=("What is it like, the {nth} time?",),
        says=("The {nth} time, then.",),
        never=_BAD,
    ),
    Act(
        "great_day",
        re.compile(
            r"(?:i|we|it|today|yesterday|tomorrow|this|that)(?:'s|'ve| was| is| had|"
            r" have)? .*?\b(?:my|our|the|"
            r"his|her|their) (?P<nth>first|last) (?P<one>day|night|lesson|shift|match|game|service|"
            r"class|term|"
            r"concert|show)\b"
        ),
        asks=("What was that {nth} {one} like?",),
        never=re.compile(
            rf"{_BAD.pattern}|\b(?:tomorrow|will|next|going to|on (?:mon|tues|wednes|thurs|fri))"
        ),
        is_soft=True,
    ),
    Act(
        "since",
        re.compile(
            rf"(?:it|this|that|he|she|they)(?: all)? (?:started|began|stopped) {_ABOUT}{_SPAN} ago$"
        ),
        asks=("What have those {span} been like for you?",),
        says=("{Span}. I can imagine that they were full.",),
        never=_BAD,
    ),
    Act(
        "since_when",
        re.compile(
            r"(?:it|this|that)(?: all)? (?:started|began|stopped|changed) (?:in|on|last|when|after|"
            r"with|around|"
            r"just (?:before|after))\b"
        ),
        asks=("What was going on at the time?", "And how has it been since?"),
        says=("So that's where it began.",),
        never=_BAD,
    ),
    Act(
        "deadline",
        re.compile(rf"(?:i've|we've|i|we)(?: got| have)? (?:until|till) (?:next |this )?{_DAY}"),
        asks=("Which way are you leaning?", "How do you feel when you think of {day}?"),
        says=("So {day} is the day.",),
        never=_BAD,
    ),
    Act(
        "day",
        re.compile(
            r"(?:(?:i|we|he|she|they|it|(?:some|a few|all|most|half|both) of (?:us|them)|"
            r"the \w+(?: \w+){0,3}?|my \w+(?: \w+)??|"
            r"our \w+(?: \w+)??)(?:'m|'re|'s|'ll| am| are| is| will|"
            r" have to|"
            r"'ve got to)? (?:\w+ing|\w+|going to \w+|find out|due)|(?:i've|we've) got|(?:the \w+|"
            r"my \w+|it)(?:'s|"
            r" is))"
            rf"(?: (?!every\b|ago\b|was\b|were\b|never\b)[\w'-]+){{0,5}}? ?(?:on |this |"
            rf"next )?{_DAY}$"
        ),
        asks=(
            "How do you feel when you think of {day}?",
            "What do you expect of {day}?",
            "What will {day} be like for you?",
        ),
        says=("So {day} is the day.",),
        never=re.compile(
            rf"{_BAD.pattern}|\b(?:was|were|went|came|had|did|saw|met|(?<!'ve )got|made|took|rang|"
            rf"told|said|"
            rf"left|"
            r"bought|last|until|till|since|every|gave|found|brought|lost|spent|\w{2,}ed)\b(?<!need)"
        ),
    ),
    Act(
        "at_first",
        re.compile(
            rf"(?:(?:the|my|our) first (?:few )?(?:day|night|week|month|year|weeks|days|months|"
            rf"lesson)|"
            rf"at first|to begin with|in the beginning)\b.*\b{_PAST}\b"
        ),
        asks=("And after that?", "And how did it go on from there?"),
        says=("And then it changed, I suppose.",),
        never=re.compile(r"\b(?:now|then|but|after|until|till|since|these days|first time)\b"),
    ),
    Act(
        "gone_off",
        re.compile(
            r"(?:i|we) (?:always )?used to (?:really |quite )?(?:like|love|enjoy|look forward|"
            r"be (?:good|happy|"
            r"proud|keen|close))\b"
        ),
        asks=("When did that change?", "What was it that you liked about it?"),
        says=("So something has changed there.",),
        never=re.compile(r"\b(?:drink\w*|died)\b"),
    ),
    Act(
        "used_to",
        re.compile(
            r"(?:i|we|he|she|they|it|you|there|people|everyone|everybody|the \w+|"
            r"my \w+|our \w+) (?:always )?used to (?!hit|hurt|beat)\w+"
        ),
        asks=(
            "And what's it like now?",
            "What comes back to you first, when you think of it?",
        ),
        says=("So that's how it was once.",),
        never=re.compile(r"\b(?:now|these days|anymore|any more|drink|died)\b"),
    ),
    Act(
        "now",
        re.compile(
            r"^(?:and |but )?(?:so )?(?:now|these days) (?:i|we|he|she|they|it|there's|the \w+)\b"
        ),
        asks=("How long has it been like that?", "And what's that like for you?"),
        says=("So that's how it is these days.",),
        never=re.compile(rf"{_BAD.pattern}|\bfine\b|\bbetter\b"),
        where="within",
        is_soft=True,
    ),
)
