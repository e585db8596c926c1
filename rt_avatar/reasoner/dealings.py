"""Acts of what goes on between people: shown, given, done again and again, done to them, met, held.

What another did is asked about by what the caller made of it, never judged. Knows no feeling.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.people import GRAVE, JUST, PEOPLE, WHO, WHOM

_OWN: Final = r"(?:i|we)(?:'ve|'d)?"
# What was shown, and seen: a past tense.
_SHOWN: Final = (
    r"(?:cried|wept|burst into tears|laughed|smiled|grinned|waved|clapped|nodded|shrugged|sighed|"
    r"blushed|winked|frowned|hung up|walked (?:off|out|away|past me|past us)|looked (?:away|down|"
    r"up)|"
    r"looked at (?:me|us)|stared(?: at me| at us)?|stormed (?:off|out)|slammed the \w+|"
    r"hugged (?:me|us)|"
    r"went (?:all |very |completely |really )?(?:quiet|silent|red|white|pale)|"
    r"turned (?:away|round|around|red|white)|rolled (?:his|her|their) eyes|shook (?:his|her|"
    r"their) heads?|"
    r"pulled a face|sat (?:there|down)|stood (?:there|up)|saluted|bowed|wagged|squeezed my hand|"
    r"took my hand|ignored (?:me|us)|high fived me|high-fived me|cheered|booed|giggled|coughed|"
    r"winced|whispered|hummed|"
    r"whistled|fell asleep|dozed off|stood back|stepped back)"
)
DEALINGS: Final = (
    Act(
        "reaction",
        re.compile(
            rf"(?P<scene>{WHO}{JUST}(?: (?:caught my eye|came (?:in|up|over)|looked at me|"
            rf"turned round|got up|stopped) and)? {_SHOWN})\b"
        ),
        asks=(
            "How did you take it when {scene}?",
            "What went through your mind when {scene}?",
            "How was it for you when {he} did that?",
        ),
        says=("I can see that moment when {scene}.", "I can see that moment."),
        never=re.compile(
            rf"{GRAVE.pattern}|\b(?:funeral|laughing|laughed at (?:me|us|him|her|them|my))\b"
        ),
    ),
    Act(
        "gift",
        re.compile(
            rf"{WHO}{JUST} (?:gave|brought|bought|posted|baked|knitted|passed|handed|lent|"
            r"sent|made|cooked|built|saved)"
            r" (?:me|us) (?:an?|some|the|his|her|their|my|one|two|three|four|five|ten|\w+ty) "
            r"(?!sack|boot|look|bill|letter|warning|fine|fright|start|headache|lift|hard|cold|"
            r"funny|text|"
            r"message|leaflet|form|questionnaire|invoice|reminder|parking|deadline|week|month|"
            r"notice|black)\w+"
        ),
        asks=(
            "What did you say to {him}?",
            "What did that mean to you?",
        ),
        says=("So {he} thought of you.",),
        never=GRAVE,
    ),
    Act(
        "done_to",
        re.compile(
            rf"{_OWN}{JUST} (?:(?:wrote|wrote to|gave|handed|lent|showed|offered|thanked|invited|"
            r"apologised to|apologized to|waved at|waved to|smiled at|shouted at|drove past|"
            r"walked past|"
            r"spoke to|talked to|confronted|emailed|texted|rang|called|told|asked|complimented|"
            rf"helped|hugged) {WHOM}|(?:left|brought|sent|bought|baked|made|"
            rf"cooked) {WHOM.replace('who', 'whom')}"
            r" (?:an?|some|the|my|our|two|three)\b)"
        ),
        asks=(
            "And how did {he} take it?",
            "And what did {he} say to that?",
        ),
        says=("I wonder how {he} took it.",),
        never=re.compile(
            rf"{GRAVE.pattern}|\b(?:told|asked|called) (?:him|her|them|my \w+) an?\b|\b(?:doctor|"
            rf"nurse|"
            r"vet|dentist|therapist)\b|\bup\b"
        ),
    ),
    Act(
        "met",
        re.compile(
            rf"(?:{_OWN}{JUST} (?:bumped into|ran into|met|came across|sat next to|"
            rf"got talking to)|"
            rf"there was) {WHOM}(?! (?:at the door|shouting|fighting))"
        ),
        asks=(
            "And what did you say to each other?",
            "What was it like to meet {him}?",
        ),
        says=("I wonder what it was like for {him}.",),
        never=GRAVE,
    ),
    Act(
        "somebody",
        re.compile(
            r"(?:there's|there is|there was|we've got|i've got|i know) (?P<who>(?:an?|this|"
            r"one) (?:\w+ ){0,2}?"
            rf"(?:{PEOPLE}))\b(?! (?:at the door|shouting|outside))|"
            rf"(?P<whom>(?:an?|this|one) (?:\w+ ){{0,2}}?(?:{PEOPLE}))\b.* (?!was\b|is\b|"
            rf"has\b)\w{{2,}}s(?<!ss)\b"
        ),
        asks=("What's {he} like?", "How did you come to notice {him}?"),
        says=("I'm getting a picture of {him}.",),
        never=GRAVE,
        is_soft=True,
    ),
    Act(
        "never_did",
        re.compile(
            r"(?P<who>he|she|they)(?:'s|'ve| has| have) never (?:\w+ )?(?:been|lived|seen|tried|"
            r"left|had|"
            r"done|met|gone|travelled|danced|worked|learned|learnt|flown|owned)\b"
        ),
        asks=("Do you think {he} would have liked to?", "What do you think it has made of {him}?"),
        says=("So that's something {he} never knew.",),
        never=GRAVE,
    ),
    Act(
        "gathering",
        re.compile(
            rf"(?:{_OWN}|some of us|a few of us|they){JUST} (?:had|held|went to|went for|got to) "
            r"(?:an?|the|our|my|their|that) (?:\w+ ){0,2}?(?:meeting|interview|chat|talk|"
            r"appointment|lesson|"
            r"date|session|viewing|trial|audition|rehearsal|check-up|dinner|lunch|conversation|"
            r"match|"
            r"exam|performance|hearing)\b|(?:\w+ ){0,3}?(?:people|of us|of them|couple|man|woman|"
            r"lot) "
            r"(?:came to (?:see|look|view)|came(?! (?:down|off|out|back|up|home|from))|turned up)\b"
        ),
        asks=("And how did it go?", "And what came of it?"),
        says=("I wonder what came of it.",),
        never=GRAVE,
    ),
    Act(
        "remembered",
        re.compile(
            rf"{WHO}{JUST} (?:remembered|recogni[sz]ed|knew) (?:me|us|my|our|which|who i|who we|"
            rf"the name|"
            r"where (?:i|we)|what (?:i|we))\b"
        ),
        asks=("How did it feel that {he} remembered?", "And what did {he} say?"),
        says=("So {he} hadn't forgotten.",),
        never=GRAVE,
    ),
    Act(
        "changed",
        re.compile(
            rf"{WHO}(?:'s| is| seems| looks|'re| are| seem| look)(?: a lot| a bit| much| so much|"
            rf" \w+)? (?:happier|better|worse|calmer|quieter|"
            r"kinder|brighter|busier|stricter|different|more \w+|less \w+)\b"
        ),
        asks=("What do you think is behind it?", "When did you first notice that?"),
        says=("So something has changed with {him}.",),
        never=GRAVE,
    ),
    Act(
        "begun",
        re.compile(
            rf"{WHO}(?: has| have|'s|'ve)?{JUST} (?:started|begun|began|taken to|taken up|"
            r"got into the habit of) \w+ing\b"
        ),
        asks=("What do you think brought that on?", "How is it for you when {he} {does} that?"),
        says=("So that's new with {him}.",),
        never=re.compile(rf"{GRAVE.pattern}|\b(?:hitting|shouting|drinking|cutting|locking me)\b"),
    ),
    Act(
        "habit",
        re.compile(
            rf"{WHO}(?:(?: has| have|'s|'ve)? (?:started|begun|taken to|"
            rf"got into the habit of) \w+ing|"
            r"(?: just| only| even)* (?:keeps? \w+ing|(?:always|never|constantly|still) "
            r"(?!was|were|be|had|knew|a|an|the|said|told)\w+)|"
            r"(?: just| only| often| sometimes)* (?!is|was|has|does|says|wants|likes|knows|thinks|"
            r"seems|looks|lives|works|needs|loves|hates|means|misses|takes after|feels|this|yes)"
            r"\w{2,}s(?<!ss) (?:me|us|my|our|to me|at me)\b)"
        ),
        asks=(
            "How is it for you when {he} {does} that?",
            "What do you do when {he} {does} that?",
            "And {is} {he} like that with everybody?",
        ),
        says=("I can picture {him} doing that.",),
        never=re.compile(
            rf"{GRAVE.pattern}|\b(?:hits|beats|hurts|pushes|slaps|grabs|chokes|forces|locks|"
            rf"follows|"
            r"threatens|scares|controls|drinks|touches|shouts|screams)\b"
        ),
    ),
    Act(
        "outburst",
        re.compile(
            rf"{_OWN}{JUST} (?:threw|slammed|walked out|hung up|shouted|snapped|lost it|"
            rf"lost my temper|"
            r"tore|deleted|blocked|smashed|stormed (?:off|out)|burst out|blurted|tipped|chucked)\b"
        ),
        asks=("What was going on in you just then?", "And what happened after that?"),
        says=("I can imagine that a lot had built up by then.",),
        never=re.compile(
            rf"{GRAVE.pattern}|\b(?:party|laughing|him at|her at|at (?:him|her|them))\b"
        ),
    ),
)
