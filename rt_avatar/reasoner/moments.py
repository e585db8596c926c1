"""Acts of a moment that came over somebody: found, surprised, overcome, awake at night.

What may be an illness or a harm is none of them.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.coping import HARM

_OWN: Final = r"(?:i|we)"
MOMENTS: Final = (
    Act(
        "found",
        re.compile(
            rf"\b{_OWN} (?:came|got|walked) (?:home|back|in|down)(?: \w+){{0,4}} and (?:the|my|our|"
            rf"his|her|"
            rf"their|it|there|everything)\b|{_OWN} (?:just |only )?(?:found|saw|caught|noticed|"
            rf"spotted|"
            rf"discovered)"
            r" (?:that |out |him |her |them |it |somebody |someone |the |my |his |their |a |an )"
            r"(?!(?:job|flat|film|doctor|house|play|show|match)\b)"
        ),
        asks=("What went through your mind in that moment?", "What did you do then?"),
        says=("I can imagine that moment.",),
        never=re.compile(
            rf"{HARM.pattern}|\b(?:hard|difficult|easy|looking for|lump|blood|body)\b"
        ),
        where="sentence",
    ),
    Act(
        "turned_out",
        re.compile(
            r"(?:it )?(?:turns|turned) out(?: that)? (?!fine|well|all right|ok|great|badly|"
            r"lovely)\w+"
        ),
        asks=("How was it to find that out?", "And what did you make of it?"),
        says=("So that's what came out.",),
        never=HARM,
        where="within",
    ),
    Act(
        "surprised",
        re.compile(
            r"\b(?:of all (?:the )?(?:things|people|places|days|times|jobs)|out of (?:the blue|"
            r"nowhere)|"
            rf"{_OWN}(?:'d)? (?:never|didn't|hadn't) (?:expect|expected|see it coming|"
            rf"saw it coming|"
            r"thought (?:i'd|it|he|she|they|we))\b)"
        ),
        asks=("And how do you feel about it?", "What was your first thought?"),
        says=("You didn't see that coming.",),
        never=HARM,
        where="sentence",
    ),
    Act(
        "overcome",
        re.compile(
            rf"{_OWN} (?:just )?had to (?:go (?:and )?(?:stand|sit|outside|out)|leave the \w+|"
            rf"get out|sit "
            r"down|walk (?:away|off|out)|look away|turn away|pull over|stop|step out|hang up)\b|"
            r"my (?:voice|hands?|legs|knees|heart|stomach) (?:just )?(?:shook|was shaking|"
            r"were shaking|trembled|"
            r"pounded|was pounding|sank|turned|went|cracked|wobbled)\b"
        ),
        asks=("What was going on in you just then?", "What was it that got to you?"),
        says=("I can imagine that it all came at once.",),
        never=HARM,
    ),
    Act(
        "sleepless",
        re.compile(
            r"\b(?:i|i'm|i've|i was|we|we're|we've|we were) (?:\w+ ){0,2}?(?:up|awake|lay|lie|"
            r"lying|wake|woke|"
            r"wide)\b"
            r".*\b(?:half (?:of )?the night|all night|most of the night|(?:two|three|four|five|"
            r"\d) in the "
            r"morning|at night|until (?:two|three|four|five))\b"
        ),
        asks=("What goes through your mind in those hours?", "What keeps you company then?"),
        says=("Those hours can be long.",),
        never=re.compile(rf"{HARM.pattern}|\b(?:party|danc\w+|shift|baby|work)\b"),
        where="within",
    ),
    Act(
        "abed",
        re.compile(
            r"(?:i|we) (?:just |still )?(?:lie|lay) (?:in bed|there|awake|down) (?:and|thinking|"
            r"wondering|listening)\b"
        ),
        asks=("What goes through your mind in those hours?", "What comes up then?"),
        says=("Those hours can be long.",),
        never=HARM,
    ),
    Act(
        "still_feels",
        re.compile(
            r"i (?:can )?still (?:see|hear|smell|feel|taste|remember|dream|think|wake|reach|turn|"
            r"look|listen)\b"
        ),
        asks=("When does it come back to you most?", "What comes back first?"),
        says=("So it hasn't left you.",),
        never=HARM,
    ),
    Act(
        "times",
        re.compile(
            r"(?:i|i've|we|we've) (?!was|were)\w+.*\b(?:two|three|four|five|six|seven|eight|nine|"
            r"ten|twelve|twenty|"
            r"a hundred|a dozen|several) times$"
        ),
        asks=("What goes through your mind each time?",),
        says=("So you keep coming back to it.",),
        never=HARM,
    ),
    Act(
        "feels_like",
        re.compile(r"i (?:just |now |sort of |always )?feel like (?:the|an?) (?!million|new)\w+"),
        asks=("What is it that makes you feel so?", "How would you rather see yourself?"),
        says=("I can hear that it sits badly with you.",),
        never=re.compile(rf"{HARM.pattern}|\b(?:burden|failure|waste)\b"),
    ),
    Act(
        "getting",
        re.compile(
            r"(?:it|this|that|everything)(?:'s| is) (?:just |only |"
            r"really )?getting (?:\w+ )?(?:full|harder|heavy|"
            r"heavier|too much|bigger|louder|tight|tighter|closer|worse|more)\b"
        ),
        asks=("When do you notice it most?",),
        says=("So it's growing.",),
        never=re.compile(rf"{HARM.pattern}|\b(?:cough|pain|lump|rash|ill)\b"),
    ),
    Act(
        "mistook",
        re.compile(
            rf"{_OWN} (?:just |first |only )?thought (?P<who>he|she|they) (?:was|were|wasn't|"
            rf"weren't)\b"
        ),
        asks=("And {was} {he}?",),
        says=("I can see how you'd have thought so.",),
        never=re.compile(rf"{HARM.pattern}|\b(?:asleep|ill)\b"),
    ),
)
