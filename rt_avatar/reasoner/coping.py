"""Acts of what somebody does about it, manages, has to do, is asked to do, or stands by.

Whether something was right to do is not judged, and nothing that may be a harm is asked on about.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act

_OWN: Final = r"(?:i|we)"
HARM: Final = re.compile(
    r"\b(?:cutting|cut myself|drink\w*|drunk|smok\w+|pills?|tablets?|vodka|wine|whisky|gin|rope|"
    r"knife|"
    r"bleed\w*|starv\w+|skip\w* meals?|not eating|throw\w* up|gambl\w+|bet\w*|dead|died|dying|"
    r"kill\w*|"
    r"hurt\w*|laugh|funeral|hospital|ambulance|police)\b"
)
COPING: Final = (
    Act(
        "meant",
        re.compile(
            rf"(?:all {_OWN} (?:said|asked|did|wanted)|{_OWN} (?:only|just) (?:said|asked|meant)) "
        ),
        asks=("How had you meant it?", "And how was it taken?"),
        says=("So that's all that it was.",),
        never=re.compile(rf"{HARM.pattern}|\byes\b|\bno\b"),
        where="within",
    ),
    Act(
        "managed",
        re.compile(
            rf"\b(?:but|in the end|still|though) {_OWN} (?:\w+ )?(?:got through (?:it|that)|did it|"
            rf"managed|"
            rf"made it|got there|stuck (?:it out|with it)|finished)\b|\b{_OWN} got through it\b|"
            rf"\b{_OWN} (?:did|got|made|passed) .*\bfirst (?:go|time|try|attempt)\b"
        ),
        asks=("How did you feel afterwards?", "What got you through it?"),
        says=("That's something to be pleased with.",),
        never=HARM,
        where="sentence",
    ),
    Act(
        "had_to",
        re.compile(
            rf"(?:{_OWN}|i've|we've) (?:(?:'ve )?(?:just )?had to (?:sell|put|leave|give|move|let|"
            rf"close|cancel|"
            r"quit|say no|borrow|start|send|turn down|rehome|choose|hand|pretend|wait|stand|"
            r"explain)|ended up \w+ing|"
            r"gave up (?:my|the|"
            r"our)|given up (?:my|the|our)|dropped out|packed (?:it )?in|quit (?:my|the|our)|"
            r"sold (?:my|our|the))\b"
        ),
        asks=("How did it come to that?", "What was it like, to do that?"),
        says=("I can imagine that it wasn't a light thing to do.",),
        never=HARM,
        is_soft=True,
    ),
    Act(
        "worsening",
        re.compile(r"\bthe (?:longer|more|later) .*\bthe (?:worse|harder|bigger|more difficult)\b"),
        asks=("What is it that makes it so hard?", "When did it start to grow like that?"),
        says=("So it grows while it waits.",),
        never=HARM,
        where="sentence",
    ),
    Act(
        "stands_by",
        re.compile(
            r"(?:i'd|i would|we'd) (?:still )?(?:do|say|go for|choose|marry) (?:it|the same|that|"
            r"him|her) "
            r"(?:all over )?again\b|(?:i'd|i would) do the same(?: again)?$"
        ),
        asks=("What is it that makes you so sure?",),
        says=("So you stand by it.",),
        never=HARM,
    ),
    Act(
        "the_one",
        re.compile(
            r"i'm (?:always |usually )?the (?:only )?one (?:who|that)\b|it's (?:always |"
            r"only )?(?:me|us) "
            r"(?:who|that)\b"
        ),
        asks=("What does that ask of you?", "How did it come to be you?"),
        says=("So it falls to you.",),
        never=HARM,
    ),
    Act(
        "same_boat",
        re.compile(
            r"(?:i|we) (?:was|were) (?:once |just )?(?:one of (?:them|those)|like (?:that|him|her|"
            r"them))\b|"
            r"that was me\b"
        ),
        asks=("What was it like for you, back then?", "What would you have wished for, back then?"),
        says=("So you know it from the inside.",),
        never=HARM,
    ),
    Act(
        "always",
        re.compile(
            r"(?:i've|we've|i have|we have) always (?!been (?:ill|sick|sad|afraid|scared|depressed|"
            r"alone))\w+"
        ),
        asks=("How did that come to be?", "What does it mean to you?"),
        says=("So that's how it has always been.",),
        never=HARM,
    ),
    Act(
        "keeps_up",
        re.compile(
            r"(?:(?:i've|we've) been \w+ing\b.*?(?:\b(?:every|each|most) (?P<one>\w*day|night|"
            r"morning|evening|"
            r"weekend|week)s?\b|$)|(?:i|we) (?!was|were|had|went|\w+ed\b)\w+\b.*\b(?:every|each|"
            r"most) "
            r"(?P<one2>\w*day|night|morning|evening|weekend)s?\b)"
        ),
        asks=("What are those {one}s like?", "What are those {one2}s like?", "How is it going?"),
        says=(
            "I can picture those {one}s.",
            "I can picture those {one2}s.",
            "So you've kept at it.",
        ),
        never=re.compile(
            rf"{HARM.pattern}|\b(?:thinking|feeling|crying|having|waiting|trying|told|married|"
            r"living|single|alone|ill)\b"
        ),
        is_soft=True,
    ),
    Act(
        "meant_for",
        re.compile(
            r"(?:it|this|that|they|we|i|he|she|the \w+) (?:was|were) (?:only )?(?:going to be|"
            r"meant to|supposed to|"
            r"meant for)\b"
        ),
        asks=("And what will happen now?", "How had you pictured it?"),
        says=("So it was to be another way.",),
        never=HARM,
    ),
    Act(
        "must_say",
        re.compile(
            rf"{_OWN}(?: have|'ve got| need|'ve) to (?:write|tell|speak|talk|explain|present|"
            rf"apologi[sz]e)\b"
        ),
        asks=("What do you want to say?", "How do you feel when you think of it?"),
        says=("That's no small thing to have to do.",),
        never=HARM,
    ),
    Act(
        "asked_to",
        re.compile(
            r"(?:i've|i have|i was|we've|we were) (?:just |now )?(?:been )?(?:asked|invited|picked|"
            r"chosen) "
            r"(?:to|if i|if we)\b(?! leave)|(?:they|he|she|the \w+|my \w+|somebody|someone)(?:'ve|"
            r"'s)? "
            r"(?:\w+ )?(?:asked|invited) (?:me|us) to\b"
        ),
        asks=("And would you like to?", "What was your first thought?"),
        says=("So somebody thought of you for it.",),
        never=re.compile(rf"{HARM.pattern}|\b(?:leave|stop|move out|resign)\b"),
    ),
    Act(
        "not_yet",
        re.compile(
            rf"(?:{_OWN} haven't|i've not|we've not|i've never|we've never) (?:\w+ )?(?:met|spoken|"
            rf"talked|had "
            r"an?|tried|seen|danced|sung|been|played)\b.*\byet\b"
        ),
        asks=("Would you like to?", "How do you picture it?"),
        says=("So that's still to come, perhaps.",),
        never=HARM,
    ),
    Act(
        "helps",
        re.compile(
            rf"^(?:and )?so (?:now )?{_OWN}(?:'ve|'m)? (?:just |always |usually )*(?!think|guess|"
            rf"feel|felt|"
            r"don't|can't|couldn't|was|were|am|said|told|asked|had|got|know|suppose|hope|mean|"
            r"never|"
            r"went|did|wish|want|need|have|haven't|didn't|won't|thought|knew|came|left)\w+|"
            r"^(?:and |but |so |well )*(?:i've|we've|i|we) (?:now )?(?:started|taken to|begun|"
            r"took to) \w+ing\b|"
            rf"^(?:and |but |so |well )*{_OWN} (?:\w+ )?(?:bought|ordered|borrowed|downloaded|"
            rf"put up|hung up) "
            r"(?:an?|some|the|one)\b(?! house| car| flat| boat)"
        ),
        asks=("And how is that working out?", "Does it make a difference?"),
        says=("I hope it does some good.",),
        never=re.compile(rf"{HARM.pattern}|\b(?:new job|seeing)\b"),
        where="within",
        is_soft=True,
    ),
)
