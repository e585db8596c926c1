"""Acts of what goes on between people: said, shown, given, done again and again, met, held.

What another did is asked about by what the caller made of it, never judged. Knows no feeling.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.people import PEOPLE, SPEAKER, WHO, WHOM

_OWN: Final = r"(?:i|we)(?:'ve|'d)?"
_JUST: Final = (
    r"(?: (?:just|only|even|also|never|always|nearly|almost|all|both|really|actually|finally|still|"
    r"then))*"
)
# Said by a doctor, of an illness or of harm: left to what is grave.
_GRAVE: Final = re.compile(
    r"\b(?:cancer|spread|tumou?r|dying|died|dead|kill\w*|terminal|hospital|scan|biopsy|hit|hurt|"
    r"police|court|threat\w*|sack(?:ed)?|fired)\b"
)
_SAYS: Final = (
    r"(?:says?|thinks?|reckons?|insists?|claims?|tells? (?:me|us)|keeps? (?:saying|telling)|"
    r"calls it|"
    r"swears?|argues?)"
)
_SAID: Final = (
    r"(?:said|told (?:me|us)|asked (?:me|us|if|whether|why|who|what|how|when|where|about)|"
    r"wrote(?! to)|answered|replied|joked|"
    r"claimed|insisted)"
)
_OFFER: Final = (
    r"(?:\b(?:(?:he|she|they)(?:'d|'ll)|(?:he|she|they) (?:could|would|can|will|might)|"
    r"(?:i|we) (?:could|can|should) (?:come|stay|have|live|join|borrow|use))\b)"
)
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
    r"took my hand|ignored (?:me|us)|cheered|booed|giggled|coughed|winced|whispered|hummed|"
    r"whistled|stood back|stepped back)"
)
DEALINGS: Final = (
    Act(
        "offers",
        re.compile(
            rf"{WHO}{_JUST} (?:says?|said|thinks?|reckons?|suggested|suggests|offered|told (?:me|"
            rf"us))"
            rf"(?: that)? (?:to \w+|.*?{_OFFER})"
        ),
        asks=(
            "And would you like that?",
            "How does that sound to you?",
            "What's your first feeling about it?",
        ),
        says=("So that's one way that it could go.",),
        never=re.compile(rf"{_GRAVE.pattern}|\b(?:never|not|couldn't|wouldn't|can't|won't|if)\b"),
    ),
    Act(
        "taken_for",
        re.compile(
            rf"{WHO}{_JUST} (?:thought|took|assumed)(?: that)? (?:i was (?:an?|the|their|his|her|"
            rf"my)|"
            r"me for)\b"
        ),
        asks=("And did you put {him} right?", "What did you say to {him}?"),
        says=("I'd have liked to see {him} when it came out.",),
        never=_GRAVE,
    ),
    Act(
        "wants",
        re.compile(
            rf"{WHO}{_JUST} (?:wants?|would like|wanted|has decided|is thinking|insists on)"
            r"(?: (?:me|us|him|her|them))? (?:to (?!be|die|kill|hurt|paint)\w+|of \w+ing|\w+ing)"
        ),
        asks=(
            "And what would you like?",
            "How is that for you?",
            "What do you think is behind it?",
        ),
        says=("So that's what {he} would like.",),
        never=_GRAVE,
    ),
    Act(
        "says",
        re.compile(
            rf"{SPEAKER}{_JUST} {_SAYS}(?! (?:yes|no|hello|hi|goodbye|nothing|a word|so|sorry|much|"
            rf"of|about)$)"
            r" .*\w"
        ),
        asks=(
            "And what do you say to {him} then?",
            "And how do you see it?",
            "And what do you think yourself?",
        ),
        says=("So that's how {he} would have it.",),
        never=_GRAVE,
    ),
    Act(
        "said",
        re.compile(
            rf"{SPEAKER}{_JUST} {_SAID}(?! (?:yes|no|hello|hi|goodbye|nothing|a word|so|sorry|much|"
            rf"back)$)"
            r" .*\w"
        ),
        asks=(
            "What did you say to that?",
            "What went through your mind when you heard that?",
            "How did you take it, coming from {him}?",
        ),
        says=("I can imagine that those words stay with you.",),
        never=_GRAVE,
    ),
    Act(
        "contact",
        re.compile(
            rf"{WHO}(?: (?:of mine|i (?:used to know|know)))?{_JUST} (?:rang|phoned|called|texted|"
            rf"emailed|"
            r"messaged|wrote|got in touch|turned up|came (?:round|over|by)|knocked|dropped in|"
            r"popped in|"
            r"stopped)"
            r"(?: (?:me|us|to me|to us|back|me back|at the door|on the door|at ours|with me|"
            r"me in \w+ "
            r"\w+|in))?(?: (?:on|last|this|yesterday|out of|from|after|at|for|straight|again|"
            r"later)\b.*)?$"
        ),
        asks=(
            "And what did {he} say?",
            "What did {he} want?",
            "How was it to hear from {him}?",
        ),
        says=("I wonder what made {him} get in touch.",),
        never=re.compile(
            rf"{_GRAVE.pattern}|\bcalled (?:me|us|it|him|her) an?\b|\bcalled in\b|\bdrinking\b|"
            rf"\bthe bell\b"
        ),
    ),
    Act(
        "reaction",
        re.compile(rf"(?P<scene>{WHO}{_JUST} {_SHOWN})\b"),
        asks=(
            "What did you do when {scene}?",
            "What went through your mind when {scene}?",
            "How was it for you when {he} did that?",
        ),
        says=("I can see that moment when {scene}.", "I can see that moment."),
        never=re.compile(
            rf"{_GRAVE.pattern}|\b(?:funeral|laughing|laughed at (?:me|us|him|her|them|my))\b"
        ),
    ),
    Act(
        "gift",
        re.compile(
            rf"{WHO}{_JUST} (?:gave|brought|bought|posted|baked|knitted|passed|handed|lent|"
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
        never=_GRAVE,
    ),
    Act(
        "done_to",
        re.compile(
            rf"{_OWN}{_JUST} (?:(?:wrote|wrote to|gave|handed|lent|showed|offered|thanked|invited|"
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
            rf"{_GRAVE.pattern}|\b(?:told|asked|called) (?:him|her|them|my \w+) an?\b|\b(?:doctor|"
            rf"nurse|"
            r"vet|dentist|therapist)\b|\bup\b"
        ),
    ),
    Act(
        "met",
        re.compile(
            rf"(?:{_OWN}{_JUST} (?:bumped into|ran into|met|came across|sat next to|"
            rf"got talking to)|"
            rf"there was) {WHOM}(?! (?:at the door|shouting|fighting))"
        ),
        asks=(
            "And what did you say to each other?",
            "What was it like to meet {him}?",
        ),
        says=("I wonder what it was like for {him}.",),
        never=_GRAVE,
    ),
    Act(
        "somebody",
        re.compile(
            r"(?:there's|there is|there was|we've got|i've got|i know) (?P<who>(?:an?|this|"
            r"one) (?:\w+ ){0,2}?"
            rf"(?:{PEOPLE}))\b(?! (?:at the door|shouting|outside))|"
            rf"(?P<whom>(?:an?|this|one) (?:\w+ ){{0,2}}?(?:{PEOPLE}))\b.* \w{{2,}}s(?<!ss)\b"
        ),
        asks=("What's {he} like?", "What have you noticed about {him}?"),
        says=("I'm getting a picture of {him}.",),
        never=_GRAVE,
        is_soft=True,
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
        never=re.compile(rf"{_GRAVE.pattern}|\b(?:saying|that said|which said|it said)\b"),
    ),
    Act(
        "gathering",
        re.compile(
            rf"(?:{_OWN}|some of us|a few of us|they){_JUST} (?:had|held|went to|went for|got to) "
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
        never=_GRAVE,
    ),
    Act(
        "remembered",
        re.compile(
            rf"{WHO}{_JUST} (?:remembered|recogni[sz]ed|knew) (?:me|us|my|our|which|who i|who we|"
            rf"the name|"
            r"where (?:i|we)|what (?:i|we))\b"
        ),
        asks=("How did it feel that {he} remembered?", "And what did {he} say?"),
        says=("So {he} hadn't forgotten.",),
        never=_GRAVE,
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
        never=_GRAVE,
    ),
    Act(
        "habit",
        re.compile(
            rf"{WHO}(?: (?:has|have)|'s|'ve)?(?: (?:started|begun|taken to|"
            rf"got into the habit of) \w+ing|"
            r"(?: just| only| even)* (?:keeps? \w+ing|(?:always|never|constantly|still) (?!was|"
            r"were|be|had|"
            r"knew|a|an|the|said|told)\w+)|(?: just| only| often| sometimes)* (?!is|was|has|does|"
            r"says|wants|"
            r"likes|knows|thinks|seems|looks|lives|works|needs|loves|hates|means|misses|"
            r"takes after|feels|"
            r"this|yes)\w{2,}s(?<!ss) (?:me|us|my|our|to me|at me)\b)"
        ),
        asks=(
            "How is it for you when {he} {does} that?",
            "What do you do when {he} {does} that?",
            "And {is} {he} like that with everybody?",
        ),
        says=("I can picture {him} doing that.",),
        never=re.compile(
            rf"{_GRAVE.pattern}|\b(?:hits|beats|hurts|pushes|slaps|grabs|chokes|forces|locks|"
            rf"follows|"
            r"threatens|scares|controls|drinks|touches|shouts|screams)\b"
        ),
    ),
    Act(
        "outburst",
        re.compile(
            rf"{_OWN}{_JUST} (?:threw|slammed|walked out|hung up|shouted|snapped|lost it|"
            rf"lost my temper|"
            r"tore|deleted|blocked|smashed|stormed (?:off|out)|burst out|blurted|tipped|chucked)\b"
        ),
        asks=("What was going on in you just then?", "And what happened after that?"),
        says=("I can imagine that a lot had built up by then.",),
        never=re.compile(
            rf"{_GRAVE.pattern}|\b(?:party|laughing|him at|her at|at (?:him|her|them))\b"
        ),
    ),
)
