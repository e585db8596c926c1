"""Acts of what was left unsaid: by the caller, to whom, or to them by others.

What is kept from somebody is asked about by how they would take it, and never urged to be told.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.people import WHO, WHOM

_OWN: Final = r"(?:i|we)"
_YET: Final = r"(?:still |even |really |actually |ever |yet |quite )*"
_NOT_YET: Final = (
    rf"(?:{_OWN} {_YET}(?:haven't|have not|have never|daren't|don't dare(?: to)?|"
    r"(?:can't|cannot|couldn't) bring (?:myself|ourselves) to|never|don't know how to)|"
    r"(?:i've|we've) (?:still )?(?:not|never|yet to))"
)
_TELL: Final = (
    r"(?:tell|told|ask|asked|show|shown|write to|written to|ring|rung|call|called|answer|answered)"
)
_TO_AVATAR: Final = re.compile(r"\b(?:you|money)\b")
_NOBODY: Final = (
    rf"(?:(?:nobody|no one)(?:'s| has| had| even| ever| at \w+| in my \w+)*|"
    rf"{WHO}(?:'s|'ve)?(?: \w+)?? (?:never|"
    r"(?:didn't|hasn't|haven't|hadn't|doesn't|don't))(?: even| ever| once| really)*)"
)
UNTOLD_ACTS: Final = (
    Act(
        "how_to_say",
        re.compile(
            rf"(?:i|we) (?:really |just |still )?don't know how to (?:say|tell|put|ask|bring|"
            rf"explain|break)\b"
            rf"(?: it| this| that)?(?: up)?(?: to| with)?(?: {WHOM})?"
        ),
        asks=(
            "What would you want {him} to understand?",
            "What would you most want to get across?",
        ),
        says=("It isn't always easy to find the words for that.",),
        never=_TO_AVATAR,
    ),
    Act(
        "kept_from",
        re.compile(
            rf"{_NOT_YET} {_YET}(?:(?:found (?:the|a) (?:words|moment|time|way|courage)|"
            rf"had the (?:heart|courage|"
            rf"nerve)|got round|worked out how|managed) to )?{_TELL} {WHOM}"
        ),
        asks=(
            "How do you think {he} would take it?",
            "What would you want {him} to understand?",
            "What makes it hard to bring up with {him}?",
        ),
        says=("It isn't always easy to find the moment for that.",),
        never=_TO_AVATAR,
    ),
    Act(
        "unaware",
        re.compile(
            rf"{WHO} (?:still |also )?(?:doesn't|don't) (?:even )?know(?: (?:yet|about (?:it|this|"
            rf"that|"
            r"any of it)|anything about it|that (?:i|we)\b.*))*$"
        ),
        asks=(
            "How do you think {he} would take it?",
            "What would you want {him} to understand?",
        ),
        says=("It isn't always easy to find the moment for that.",),
        never=_TO_AVATAR,
    ),
    Act(
        "estranged",
        re.compile(
            rf"(?:we're|we are|were|{_OWN}|they|(?:he|she|my \w+) and i)(?:'ve|"
            rf" have)? (?:\w+ )?(?:(?:not|don't|"
            r"haven't|aren't|didn't|stopped|hardly|barely)(?: \w+)? (?:talk|talking|speak|speaking|"
            r"spoken|"
            r"spoke)(?: to each other| much| any more)?(?=$| (?:since|now|for|after|over|"
            r"at the moment|at all))|fell out(?! of)|"
            r"fallen out|lost touch|drifted apart)\b"
        ),
        asks=(
            "What do you wish there were between you?",
            "What would you say to each other now, do you think?",
        ),
        says=("I can hear that it isn't settled for you.",),
        never=_TO_AVATAR,
    ),
    Act(
        "unspoken",
        re.compile(
            r"(?:nobody|no one)(?:'s| has)(?: ever)? (?:had the (?:heart|courage|nerve)|dared|"
            r"wanted) to (?:say|tell|ask|"
            r"mention)\b|(?:nobody|no one|none of us|we)(?: (?:in|at) (?:(?:our|the|"
            r"my) )?\w+)? (?:never |"
            r"don't |ever )*"
            r"(?:says?|speaks?|talks?|mentions?)(?: (?:of|about))?(?: (?:anything|a word|it|"
            r"that|him|her|this))"
            r"(?: about (?:it|that))?$"
        ),
        asks=("What would you say, if somebody began?", "What keeps it unsaid, do you think?"),
        says=("So it stays in the room, unsaid.",),
    ),
    Act(
        "silence",
        re.compile(
            r"\b(?:nobody|no one|none of (?:us|them)) (?:said|spoke|says) (?:anything|a word|"
            r"a thing)\b|"
            r"\b(?:it|everything|the (?:whole )?room) (?:just |all )?went (?:\w+ )?(?:quiet|"
            r"silent)\b|"
            r"\bneither of us (?:said|spoke|put|wanted|moved|looked|mentioned|knew|dared)\b|"
            r"\bthere was (?:just |this )?(?:a (?:\w+ )?)?silence\b"
        ),
        asks=("What was going on in you in that silence?", "And who spoke first?"),
        says=("I can imagine that silence.",),
    ),
    Act(
        "kept_back",
        re.compile(
            rf"{_NOT_YET} {_YET}(?:sen[dt]|opened|open|replied|reply|posted|post|signed|sign|"
            r"answered|answer|read)(?: to)?(?: (?:it|them|that|any of it|the \w+|her \w+|his \w+|"
            rf"their \w+))?(?: yet)?$|{_NOT_YET} {_YET}(?:told|tell|said|say|mentioned|mention|"
            rf"shown|"
            r"show) (?:anyone|anybody|a soul|anything|a word|it|people)\b"
        ),
        asks=(
            "What's holding you back, do you think?",
            "What are you afraid might happen, if you did?",
            "What would it take for you to do it?",
        ),
        says=("I can imagine that it isn't as simple as it looks.",),
        never=_TO_AVATAR,
    ),
    Act(
        "swallowed",
        re.compile(
            rf"{_OWN} (?:just )?(?:didn't|couldn't)(?: even| really)? (?:(?:say|tell|ask|answer)"
            r"(?: (?:him|her|them|anyone|anybody|my \w+))?(?: (?:anything|a word|a thing|back|how|"
            r"why|no|so|what|for (?:his|her|their) \w+)\b.*)?$)|"
            rf"{_OWN} (?:just )?(?:kept quiet|(?:nearly|almost) (?:said|told|asked|rang|wrote)|"
            rf"didn't (?:like|want) to (?:make a fuss|ask|say|bother|intrude|impose)|bit my tongue|"
            rf"said nothing|held my tongue)\b"
        ),
        asks=(
            "What would you have said?",
            "What would you say now, if you could?",
        ),
        says=("And it's still there, I suppose, what you'd have said.",),
        never=re.compile(r"\b(?:you|that it|because (?:i|we) didn't)\b|\b(?:ask|say) so\b"),
    ),
    Act(
        "secret",
        re.compile(
            r"\bin secret\b|\b(?:behind|without) (?:his|her|their|my \w+'?s?) (?:backs?|knowing)\b|"
            r"\b(?:nobody|no one)(?: \w+| at \w+| in my \w+){0,2} knows"
            r"(?: (?:about )?(?:it|this|that|yet|about (?:it|this)))?$|"
            r"\b(?:they|she|he|everyone|my \w+) (?:\w+ )?still thinks? (?:i'm|i am|we're|that i|"
            r"i)\b|"
            r"\b(?:haven't|have not) told .*\bthinks? (?:i'm|i am|we're)\b"
        ),
        asks=(
            "What's it like, to keep that to yourself?",
            "Who would you tell first, if you could?",
            "What would change, if it were known?",
        ),
        says=("That's a lot to keep to yourself.",),
        where="sentence",
    ),
    Act(
        "not_asked",
        re.compile(
            rf"\b{_NOBODY} (?:ask|asks|asked|consulted)(?: (?:me|us)(?: (?:first|about it|how|if|"
            r"whether|what)\b.*)?| (?:first|how|what|why)\b.*)?$|\bwithout (?:even )?asking"
            r"(?: (?:me|us))?(?: first)?$"
        ),
        asks=(
            "And if they had asked you, what would you have said?",
            "How did it feel, not to be asked?",
        ),
        says=("I can see how you'd have wanted to be asked.",),
        where="sentence",
    ),
    Act(
        "not_told",
        re.compile(
            rf"\b{_NOBODY} (?:(?:tell|told|warn|warned|mention|mentioned)"
            r"(?: (?:me|us)(?: (?:a thing|anything|first|beforehand|about it|why))?| it| (?:him|"
            r"her|"
            r"them))?|(?:say|said)"
            r"(?: (?:a (?:single )?word|goodbye|sorry|hello|thank you|thanks|why|anything)"
            r"(?: (?:about|to) \w+(?: \w+)?)?))(?: yet| so far| since)?$|"
            r"\bwithout (?:even )?(?:a word|telling (?:me|us|"
            r"anyone)|saying (?:a word|anything|goodbye))\b"
        ),
        asks=(
            "What would you have wanted to hear?",
            "What would you have liked {him} to say?",
            "What do you make of the silence?",
        ),
        says=("I can see how you'd have wanted a word about it.",),
        where="sentence",
        never=re.compile(r"\b(?:i'm|i am|i was) glad\b"),
    ),
    Act(
        "not_thanked",
        re.compile(
            rf"\b{_NOBODY} (?:thank|thanked|thanks|noticed?|notices|apologi[sz]ed?|invited?|"
            rf"visits?|"
            r"visited|congratulated?|remembered)(?: (?:me|us|it|that|to me|any of it))?"
            r"(?: for (?:it|that|any of it))?$"
        ),
        asks=(
            "What would it have meant to you?",
            "How did that feel?",
        ),
        says=("I can see how that would have mattered to you.",),
        where="sentence",
    ),
)
