"""Acts of what somebody misses, wants, likes, lacks, fears, or is like.

A wish is asked about by what it would mean, and never by how to get it.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act

_OWN: Final = r"(?:i|we)"
_ADVERBS: Final = (
    r"(?: (?:just|only|really|do|still|already|actually|quite|rather|even|also|always|now|so|"
    r"honestly|secretly))*"
)
_THING: Final = (
    r"(?:(?:the|our|my|those) (?:(?!of\b|in\b|at\b|on\b|with\b|for\b|to\b|from\b|and\b|but\b|so\b|"
    r"when\b|because\b|most\b|though\b|more\b|now\b|where\b|that\b|which\b|who\b|we\b|i\b|he\b|"
    r"she\b|they\b|every\b|since\b|already\b|terribly\b|dreadfully\b)[\w'-]+ ?){1,2}|"
    r"(?:having|being|seeing|hearing|going|doing|making|talking|working|cooking|singing|walking|"
    r"playing)(?: [\w'-]+){1,3}$)"
)
_HARM: Final = re.compile(
    r"\b(?:die|dead|dying|kill\w*|hurt\w*|end (?:it|things|everything|my)|disappear|drink|drunk|"
    r"pills?|"
    r"sleep forever|never wake|hit|punch|scream at|revenge|a divorce)\b|\b(?:talk|speak|ask|tell|"
    r"say|"
    r"thank|know|show) (?:to )?you\b|\bwant to (?:know|say|ask|tell|talk|thank)\b"
)
LONGINGS: Final = (
    Act(
        "miss",
        re.compile(
            rf"{_OWN}(?:'ll| will|'m going to)?{_ADVERBS} miss (?!(?:the|my|our) (?:\w+ )?(?:bus|"
            rf"train|"
            r"plane|flight|ferry|boat|deadline|call|appointment|point|turn|turning|start|beginning|"
            r"end|"
            r"kick-off|class|lesson|exit|stop|post)\b)(?:"
            rf"(?P<thing>{_THING})|\w+)"
        ),
        asks=(
            "What is it about {thing} that you miss most?",
            "When do you miss it most?",
            "What was it that it gave you?",
        ),
        says=("I can hear that you miss {thing}.", "I can hear that something is missing there."),
        never=re.compile(r"\bmiss (?:you|out|me)\b|\b(?:don't|won't|never) (?:want to )?miss\b"),
    ),
    Act(
        "want_of",
        re.compile(
            rf"{_OWN}(?:'d)?{_ADVERBS} (?:want|wish|need|like|love|hope) (?:for )?"
            r"(?P<who>him|her|them|my \w+) to\b"
        ),
        asks=(
            "What would it mean to you, if {he} did?",
            "How would you notice that {he} did?",
            "What do you think keeps {him} from it?",
        ),
        says=("I can understand that you'd want that from {him}.",),
        never=_HARM,
    ),
    Act(
        "want",
        re.compile(
            rf"(?:{_OWN}{_ADVERBS} want (?:to (?!be alone|go home|sleep|cry)(?:be|get|find|have|"
            rf"see|"
            r"go|do|learn|make|live|feel|stop|keep|understand|visit|give|help|try|leave|start)|"
            r"it to|"
            r"things to|us to)|"
            rf"(?:i'd|we'd|i would|we would){_ADVERBS} (?:like|love) (?:to (?:be|get|find|see|"
            rf"go back|do|"
            r"learn|make|live|feel|stop|keep|understand|visit|give|help|try)|it to|things to)|"
            r"all (?:i|we)(?:'ve ever)? (?:want|wanted|ask)|what (?:i|we)(?:'d)? (?:really |most )?"
            r"(?:want|like|need))\b"
        ),
        asks=(
            "What would that mean to you?",
            "What would be different then?",
            "What might that look like?",
        ),
        says=("I can understand that you'd want that.",),
        never=_HARM,
    ),
    Act(
        "hopes",
        re.compile(
            r"(?:i|we)(?:'m| am)?(?: (?:sort of|kind of|just|still|really|secretly|half))* "
            r"(?:hope|hoping) (?:that )?(?:he|she|they|it|we|i|my \w+|the \w+)\b"
        ),
        asks=("What would it mean to you?", "How do you picture it, if it comes to that?"),
        says=("I can hear that you hope so.",),
        never=_HARM,
    ),
    Act(
        "only_thing",
        re.compile(
            r"(?:it's|that's|this is|it was) (?:the (?:one|only|last) (?:thing|one|bit|photo|"
            r"picture)|all) "
            r"(?:that )?(?:i've|i|we've|we|he's|he|she's|she|they've|they)\b"
        ),
        asks=("What does it mean to you?",),
        says=("So there's a lot in that one thing.",),
        never=_HARM,
    ),
    Act(
        "wish_but",
        re.compile(
            r"\b(?:i'd|we'd|i would|we would) (?:\w+ )?(?:love|like) to (?!die|say|ask|know)\w+.*"
            r"\b(?:but|only|except)\b"
        ),
        asks=("What would it mean to you, if it could be?", "What's most in the way of it?"),
        says=("I can hear how gladly you'd do it.",),
        never=_HARM,
        where="sentence",
    ),
    Act(
        "wanted_but",
        re.compile(
            r"\b(?:i|we) (?:really |only |just )?(?:wanted|meant|was going|were going|tried|"
            r"would have liked) to "
            r"(?!die|kill|hurt)\w+.*\bbut\b"
        ),
        asks=(
            "How would you have liked it to go?",
            "And what would you do, if it came round again?",
        ),
        says=("So it stayed with the wish.",),
        never=_HARM,
        where="sentence",
    ),
    Act(
        "given_up",
        re.compile(
            r"(?:i've|we've|i|we) (?:not|never|haven't|didn't) (?:\w+ ){1,7}?since(?: then| that|"
            r" \w+)?$"
        ),
        asks=("Do you miss it?", "What was it like, when you did?"),
        says=("So it has stood still since then.",),
        never=re.compile(
            rf"{_HARM.pattern}|\b(?:eaten|slept|seen|heard|\w*day|noon|morning|lunch|"
            r"breakfast|then i)\b"
        ),
    ),
    Act(
        "pursuit",
        re.compile(
            rf"{_OWN}(?: just| still| often| always| mostly| mainly)? (?:play|practi[sc]e|sing|"
            rf"coach|run|teach|"
            rf"cook|bake|"
            r"paint|draw|write|swim|cycle|fish|knit|sew|garden|grow|collect|build|volunteer|"
            r"look after|"
            r"communicate|wear|share|breed|repair|restore|brew|carve|dance|take (?:it|them|her|"
            r"him)|keep "
            r"(?:bees|hens|chickens|a diary|a list|them|it))\b"
        ),
        asks=("How did that begin?", "What does it give you?"),
        says=("I can picture you doing that.",),
        never=re.compile(
            r"\b(?:pills?|drugs?|tablets?|away|out of|a risk|photos of myself|black)\b"
        ),
        is_soft=True,
    ),
    Act(
        "like",
        re.compile(
            rf"{_OWN}{_ADVERBS} (?:like|love|enjoy|loved|enjoyed) (?:it\b|that\b(?! \w+ did)|"
            rf"being\b|"
            r"(?!him|her|them|you)\w+ing\b|the \w+|my \w+)"
        ),
        asks=(
            "What is it you like about it?",
            "What does it give you?",
        ),
        says=("I can hear that you like it.",),
        never=re.compile(r"\b(?:don't|didn't|used to|wouldn't|never|you|to die)\b|\bi'd\b"),
        is_soft=True,
    ),
    Act(
        "own_way",
        re.compile(
            r"(?:i'm|i am|i was) (?:just |really )?(?:not|no|never) (?:one for|one to|much of an?|"
            r"much "
            r"good|(?:any |very |really |that )?good (?:at|with)|an? \w+ person|the (?:sort|type|"
            r"kind))\b|"
            r"(?:i've|i have) (?:just )?never been (?:one|any good|good|much|very|an?) ?"
            r"(?:for|to|at|of|with|good|\w+ person)\b|(?:i'm|i am) (?:hopeless|useless) (?:at|"
            r"with)\b"
        ),
        asks=(
            "Has that always been so?",
            "What's the hardest part of it for you?",
        ),
        says=("Plenty of people would say the same of themselves.",),
        never=re.compile(r"\b(?:eat\w*|alive|living|life)\b"),
    ),
    Act(
        "again",
        re.compile(
            rf"{_OWN} (?:just )?(?:keep|can't stop) (?:on )?(?!going$|going (?:to|for|strong)|"
            rf"smiling|"
            r"laughing|busy)\w+ing\b"
        ),
        asks=(
            "When does it come over you most?",
            "What goes through your mind then?",
        ),
        says=("So it won't let go of you.",),
        never=re.compile(
            r"\b(?:cutting|drinking|hurting|vomiting|bleeding|taking|using|gambling)\b"
        ),
    ),
    Act(
        "lack",
        re.compile(
            r"(?:there's|there is|there are|there was) (?:just |really |simply )?(?:nowhere|nobody|"
            r"no one|"
            r"nothing) (?:left |else )?to (?!worry|fear|be|lose|complain|stop|keep|say|tell|report|"
            r"it)\w+|"
            r"(?:there's|there is|there are) (?:just |really )?no (?!doubt|hurry|rush|need|point|"
            r"way|harm|"
            r"better|place|reason|pressure|problem|answer|one|such|fool|other|telling|denying|"
            r"more)\w+|"
            rf"(?:i've|we've|{_OWN} have)(?: just)?(?: got)? (?:nowhere|nobody|no one|no (?!idea|"
            r"doubt|problem|time for|choice|objection|regrets)\w+)\b|"
            rf"{_OWN} (?:just |really )?(?:can't|cannot|couldn't) (?:afford(?! to lose)|cover|pay|"
            rf"keep up|"
            r"cope with|manage|do both|get there|carry)\b"
        ),
        asks=(
            "And how do you manage?",
            "What do you do, then?",
        ),
        says=("That doesn't make it any easier.",),
        never=re.compile(r"\b(?:wrong with|cure|hope|pulse|treatment)\b"),
    ),
    Act(
        "not_want",
        re.compile(
            rf"{_OWN}(?: just| really| only)* don't want (?:to (?:get|lose|upset|ruin|end up|let|"
            rf"be the|spoil|"
            r"make|push|regret|turn into)|it to|him to|her to|them to)\b"
        ),
        asks=("What would you wish for instead?", "What would be the worst of it?"),
        says=("I can hear that it matters to you.",),
        never=_HARM,
    ),
    Act(
        "what_gets_me",
        re.compile(
            r"\bthat's what (?:really )?(?:worries|annoys|gets|scares|bothers|"
            r"gets to|puzzles|surprised) me\b"
        ),
        asks=("What is it about it that gets to you?",),
        says=("So that's the point where it gets to you.",),
        never=_HARM,
        where="sentence",
    ),
    Act(
        "fear",
        re.compile(
            r"(?:(?:i'm|i am|we're|i've been) (?:\w+ )?(?:afraid|scared|worried|frightened|"
            r"terrified|"
            r"anxious|nervous) (?!(?:so|not|i can't|i must|that's all)$|so$)(?:that |of |about |"
            r"i'll |"
            r"it'll |he'll |she'll |they'll |i |he |she |it |they |we )|i(?: \w+)? (?:worry|fear) )"
        ),
        asks=(
            "How long has that been on your mind?",
            "When does it weigh on you most?",
        ),
        says=("I can hear how much that's on your mind.",),
        never=re.compile(
            r"\b(?:of (?:him|her|my|me|what i)|hit|hurt|kill\w*|die|dying|dead|cancer)\b"
        ),
    ),
)
