"""Acts of who weighs something: two sides, whether to, an idea, what it would take.

Only what is the caller's own to decide: what others weigh is theirs. No side is taken.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act

_OWN: Final = r"(?:i|we)"
# No step that may be a harm, and no mere way of speaking.
_HARM: Final = re.compile(
    r"\b(?:kill(?:ed)?|killing (?:myself|him|her)|die|dying|dead|end(?:ing)? (?:it|things|"
    r"everything|my)|hurt\w*|suicide|pills?|"
    r"drink\w*|cut(?:ting)?(?! out)|starv\w+|bet(?:ting)?|gambl\w+|knife|gun|revenge)\b"
)
WEIGHING: Final = (
    Act(
        "torn",
        re.compile(
            rf"\b(?:{_OWN} (?:can't|cannot|can not) (?:decide|make up my mind)|"
            rf"{_OWN} (?:really |just |still )?don't know (?:whether|if) (?:to|{_OWN} (?:should|"
            rf"want|"
            r"can))\b.* or|(?:i'm|we're|am|are) (?:still |really |so |quite |a bit )?"
            r"(?:torn|in two minds|of two minds|undecided)|"
            r"on (?:the )?one hand|on the other(?: hand)?|part of me|half of me|"
            rf"{_OWN} (?:keep going|go|keep) back and forth|"
            rf"{_OWN} don't (?:really )?want to .* but {_OWN} (?:also )?don't|"
            rf"{_OWN}(?:'d| would) (?:love|like) to .*\bbut {_OWN}(?:'d| would))\b"
        ),
        asks=(
            "Which of the two is nearer to you just now?",
            "If nobody else had a say in it, which way would you lean?",
            "What pulls you the one way, and what the other?",
        ),
        says=(
            "I can hear that both sides have their weight.",
            "So there's something to be said for each of them.",
        ),
        never=_HARM,
        where="sentence",
    ),
    Act(
        "at_a_loss",
        re.compile(
            rf"{_OWN} (?:really |just |still |honestly )?don't know (?:whose|which|what|who|"
            rf"where) (?:\w+ )?(?:i'm|i|we're|"
            r"we|to)\b(?! (?:do with (?:myself|my life)|live|go on))"
        ),
        asks=("What makes it hard to tell?", "What would you like it to be?"),
        says=("I can hear that it isn't an easy one to settle.",),
        never=_HARM,
    ),
    Act(
        "whether",
        re.compile(
            rf"\b(?:{_OWN} (?:really |just |still )?don't know (?:whether|if) (?:to\b|"
            rf"{_OWN} (?:should|"
            r"want|can|ought)\b)|(?:i'm|we're|i|we|keep|been) (?:\w+ )?(?:wonder|wondering|"
            rf"asking (?:myself|ourselves)|debating) (?:whether|if) (?:to\b|{_OWN} (?:should|want|"
            r"can|ought)\b))"
        ),
        asks=(
            "What makes you hesitate?",
            "What would speak for it, as you see it?",
            "How does it feel when you picture doing it?",
        ),
        says=("I can hear that it isn't an easy one to settle.",),
        never=_HARM,
        where="sentence",
    ),
    Act(
        "at_odds",
        re.compile(
            r"\b(?:he|she|they|(?:my|our|the) (?:\w+ )?\w+) (?:says?|thinks?|wants?|"
            r"reckons?) .*\b(?:we|i) "
            r"(?:should|ought|could|must)\b.*\bbut\b|\b(?:he|she|they|(?:my|our|"
            r"the) (?:\w+ )?\w+) (?:wants? "
            r"(?:me|us|him|her|them|my \w+) .*\bbut\b|says? .*\bbut (?:i|i've|i'm|we|we've)\b)|"
            r"\b(?:they|he|she|"
            r"my \w+) (?:all )?says? .*\bi (?:say|think)\b"
        ),
        asks=(
            "And what would you like?",
            "Which counts for more with you?",
        ),
        says=("So not everybody sees it the same way.",),
        never=_HARM,
        where="sentence",
    ),
    Act(
        "unsure",
        re.compile(
            r"(?:i'm|i am) (?:just |really )?not (?:so |that |quite )?sure (?:i'm|i|it's|if|that|"
            r"whether|about)\b(?! (?:what|how) you)|"
            r"(?:i|we) (?:do )?(?:doubt|wonder) (?:if|whether|it|i)\b"
        ),
        asks=(
            "What makes you doubt it?",
            "What would make you surer?",
        ),
        says=("I can hear that there's a doubt in it.",),
        never=_HARM,
    ),
    Act(
        "rather",
        re.compile(
            r"(?:i think |i guess |i suppose )?(?:i'd|i would|we'd) (?:much |sooner |"
            r"far )?rather (?!die|be dead|not say|"
            r"not talk)\w+"
        ),
        asks=("What makes that the better one for you?", "How does it feel to say that?"),
        says=("So that's what you'd choose.",),
        never=_HARM,
    ),
    Act(
        "perhaps",
        re.compile(
            r"^(?:and |but |so )?(?:maybe|perhaps) (?:he|she|they|it|i'm|i've|we're|that|my \w+)\b"
        ),
        asks=(
            "How does it feel to think that?",
            "What makes you think so?",
        ),
        says=("So that's one way to see it.",),
        never=_HARM,
        where="within",
    ),
    Act(
        "toying",
        re.compile(
            r"(?:(?:i'm|we're|i've been|we've been|i am|we are) (?:\w+ )?(?:thinking (?:of|about)|"
            r"considering|toying with(?: the idea of)?|playing with the idea of|mulling over) "
            r"(?:\w+ing\b|(?:the idea of )?an? \w+)|(?:i'm|we're|i am|"
            r"we are) (?:\w+ )?tempted to\b)"
        ),
        asks=(
            "What draws you to that?",
            "What would that change for you?",
            "How does it feel to picture it?",
        ),
        says=("So that's the thought that you're playing with.",),
        never=_HARM,
    ),
    Act(
        "picturing",
        re.compile(
            r"(?:it|that|this|there|the \w+)(?: would|'d) (?:only |probably |also )?(?:mean|take|"
            r"cost|"
            r"be (?:an?|one|two|three|four|five|six|half|every|over|about|\d+|more|less))\b"
            r"(?! (?:\w+ )?(?:shame|pity|relief|dream|joy|pleasure|disaster|mistake|start|help))"
        ),
        asks=(
            "Can you see yourself doing it?",
            "How do you feel when you picture it?",
        ),
        says=("I can hear that you've thought it through.",),
        never=_HARM,
        is_soft=True,
    ),
)
