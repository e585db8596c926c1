"""Pick up what a turn does, where what would be said could be said to anything.

``nods`` says how much a reply says, ``acts`` what a turn does and what goes with that. What only
was heard gives way to a question or a word about what was told, and of what is felt a word is kept
before it. Knows no network.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.acts import Act, acts_in, say
from rt_avatar.reasoner.coping import COPING
from rt_avatar.reasoner.dealings import DEALINGS
from rt_avatar.reasoner.grave import find_grave
from rt_avatar.reasoner.longings import LONGINGS
from rt_avatar.reasoner.moments import MOMENTS
from rt_avatar.reasoner.mood import Mood
from rt_avatar.reasoner.nods import Kind
from rt_avatar.reasoner.people import CLOSE, WHO
from rt_avatar.reasoner.portraits import PORTRAITS
from rt_avatar.reasoner.remarks import REMARKS
from rt_avatar.reasoner.spans import SPANS
from rt_avatar.reasoner.untold import UNTOLD_ACTS
from rt_avatar.reasoner.weighing import WEIGHING

_OPEN: Final = frozenset[Mood]({"unclear", "downcast", "cheerful"})
_KIN: Final = "|".join(sorted(CLOSE))
# Where nothing else is known: how somebody close sees it, why another did it, and what the caller
# makes of it.
_LEFT: Final = (
    Act(
        "beside",
        re.compile(
            r"^(?:\w+ )?(?:i|we|it|there|that|this|i'm|i've|it's|there's)\b.*\b(?P<who>(?:my|our) "
            rf"(?:{_KIN}))(?:'s)?(?: |$)"
        ),
        asks=("And how {does} {who} see it?", "And what {does} {who} say to it?"),
        never=re.compile(r"\b(?:late|died|dead|passed|ex|baby|left|tell|told|says|said)\b"),
        is_soft=True,
    ),
    Act(
        "way",
        re.compile(
            rf"{WHO} (?:(?:just|always|never|only|even|often) )*(?:(?:doesn't|won't)(?! know\b|"
            rf" like\b| want\b| need\b| feel\b| have\b| mind\b| live\b)|(?!is\b|was\b|has\b|this\b|"
            r"does\b|yes\b|knows|lives|works|weighs|gets|costs|smells|sounds|feels|looks|seems|"
            r"wants|"
            r"needs|likes|means|"
            r"remembers)\w{2,}s(?<!ss))\b"
        ),
        asks=("What goes through your mind when {he} {does} that?", "And how do you take that?"),
        says=("I can picture that of {him}.",),
        is_soft=True,
    ),
    Act(
        "not_doing",
        re.compile(
            rf"{WHO}(?: \w+)?? (?:hasn't|haven't|won't)(?: even| ever)? "
            r"(?!die|been|have|had|know|want|feel|like|mind)\w+"
        ),
        asks=("What do you think keeps {him} from it?",),
        says=("I wonder what keeps {him} from it.",),
        never=re.compile(r"\b(?:didn't|eat|eaten|hit|hurt|cats?|dogs?|baby)\b"),
        is_soft=True,
    ),
    Act(
        "doing",
        re.compile(
            rf"{WHO}(?:(?:'s|'ve| has| have) (?:(?:just|only|even|all|already) )*(?:gone|left|"
            rf"taken|put|"
            r"told|got|kept|sent|sold|chosen|hidden|written|moved|stopped|started|turned|changed|"
            r"asked|refused|decided|forgotten)|(?:'d| had)? "
            r"(?:(?:just|always|never|only|even|all|both) )*(?:left|went|came|took|put|told|got|"
            r"kept|"
            r"sent|sold|chose|hid|ran|taken|forgot|threw|ate|wore|tore|broke|spent|cut|shut|"
            r"(?!painted|baked|cooked|knitted|played|helped|mended|fixed|carried|offered|smiled|"
            r"laughed|invited|thanked|planted|picked|cleaned|washed|worked|visited|"
            r"learned)\w{4,}ed))\b"
        ),
        asks=("What do you think made {him} do that?", "How did you take it when {he} did that?"),
        says=("I wonder what made {him} do that.",),
        never=re.compile(
            r"\b(?:died|born|married|ill|hospital|hurt|hit|cats?|dogs?|baby|tired|bored|excited|"
            r"worried|"
            r"scared|disappointed|embarrassed|exhausted|retired|engaged|divorced|called|named|"
            r"supposed|"
            r"allowed|ashamed|relieved|needed|liked|loved|hated|seemed|looked|lived|used|shouted|"
            r"insisted)\b"
        ),
        is_soft=True,
    ),
    Act(
        "own_deed",
        re.compile(
            r"(?:i|we)(?:'ve| have)? (?:(?:just|even|also|then|both|all) )*(?:went|did (?!it|not|"
            r"that)|played|drove|"
            r"walked|sat|"
            r"stood|sang|danced|cooked|baked|made|built|took|visited|ran|swam|painted|planted|read|"
            r"wrote|"
            r"carried|climbed|cycled|picked|cut|sewed|knitted|cleaned|cleared|dug|put up)\b"
        ),
        asks=("And how was it?", "How did you feel, doing that?"),
        says=("I can picture you there.",),
        is_soft=True,
    ),
    Act(
        "others",
        re.compile(
            rf"{WHO} (?!would\b)\w+|(?:that|there|this) (?!was a (?:bit|lot))\w+|"
            rf"the \w+ (?!of\b)\w+|"
            rf"it (?!is\b|was\b)\w+"
        ),
        asks=("What do you make of that?",),
        is_soft=True,
    ),
    Act(
        "state",
        re.compile(r"(?:nobody|everybody|everyone|no one|there's|there are|they're|they) \w+"),
        asks=("And how is that for you?",),
        never=re.compile(r"\b(?:was|were|had|did|went|came|\w{3,}ed)\b"),
        is_soft=True,
    ),
)
ACTS: Final = (
    *WEIGHING, *UNTOLD_ACTS, *MOMENTS, *COPING[:-1], *LONGINGS, *SPANS, *PORTRAITS[:1],
    *REMARKS, *DEALINGS, *PORTRAITS[1:], *COPING[-1:], *_LEFT,
)  # fmt: skip


def picked_up(
    reply: str,
    kind: Kind,
    mood: Mood,
    text: str,
    told: Sequence[str],
    own: Sequence[str],
    *,
    tells_back: bool,
) -> str:
    """Return what is said to what a turn does, where a reply could be said to anything; or it.

    Args:
        reply: What would be said.
        kind: How much it says.
        mood: How the turn is taken.
        text: The turn.
        told: The caller's turns before it, the oldest first.
        own: The avatar's turns, likewise.
        tells_back: Whether the caller's own words may be part of it.
    """
    is_open = mood in _OPEN and kind in ("nod", "scrap", "news", "vague")
    if not (is_open or kind == "taken") or find_grave(text):
        return reply
    for found in acts_in(text, ACTS, told):
        if found.act.is_soft and kind not in ("nod", "scrap"):
            continue
        said = say(found, text, own, tells_back=tells_back)
        if not said or find_unsafe(said) or (kind == "taken" and not said.endswith("?")):
            continue
        return f"{reply} {said}" if kind == "taken" else said
    return reply
