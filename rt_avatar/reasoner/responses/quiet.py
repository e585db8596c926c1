"""What is said to something grave: short, true, and no more than room to speak.

Sentences: an opening, if need be the feeling that the caller named (``{feel}``), and room. They
name no feeling that the caller did not, give no hope that nobody has, ask nothing, and never cheer.
``find_question`` tells whether something is asked; ``composing`` chooses what is said to it.
"""

import re
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of

# "may": asks to speak; "like_me": asks whether the listener knows it, too; "asks": anything else.
Question: TypeAlias = Literal["may", "like_me", "asks"]

SORRY: Final = (
    "I'm so sorry.",
    "I'm so very sorry.",
    "I'm truly sorry.",
    "Oh, I'm sorry.",
    "I'm deeply sorry.",
)
HEARD: Final = (
    "Thank you for telling me.",
    "I hear you.",
    "It matters that you say it.",
    "Thank you for saying that to me.",
    "I'm with you.",
    "That's a lot to carry.",
)
FELT: Final = (
    "It makes sense that you feel {feel}.",
    "Of course you feel {feel}.",
    "Feeling {feel} belongs here, too.",
)
ASKED: Final = (
    "I wish I had an answer to that.",
    "I don't have an answer to that, and I won't make one up.",
    "That's not a question I can answer, much as I'd like to.",
    "I can't answer that, and I'm sorry it weighs on you.",
)
NOT_KNOWN: Final = (
    "I'm software, so I can't know that the way you do.",
    "No, I can't know that, being software.",
)
MAY: Final = ("Of course.", "Yes, of course.", "Please do.")
ROOM: Final = (
    "I'm here, and I'm listening.",
    "Take all the time you need.",
    "You can tell me as much or as little as you like.",
    "There's no hurry, and no right way to say it.",
    "I'm staying right here, also if no words come.",
    "You can say anything about it here.",
    "If you'd like to talk about it, I'd like to hear.",
    "Take all the time you need for it.",
    "We can stay with this for as long as you like.",
    "I'll listen for as long as you want to talk.",
    "All of it has a place here.",
    "I'll stay with you in this.",
)

_MAY: Final = re.compile(
    r"\b(?:can|may|could) (?:i|we) (?:please |just )?(?:talk|tell|speak|say|ask|share)\b"
)
_LIKE_ME: Final = re.compile(
    r"\b(?:do|can|could|would) you (?:even |really )?(?:know|understand|imagine|feel) "
    r"(?:what|how)\b|"
    r"\bhave you ever (?:lost|seen|had|been|buried|watched)\b|\bcan you imagine\b|"
    r"\bdid you ever lose\b"
)
_TELLS: Final = re.compile(r"^(?:\w+ )?(?:can|could|would) you believe\b|^you know what\b")
_ASKS: Final = re.compile(
    r"^(?:and |but |so |then |well )?(?:why|how come|is|isnt|was|wasnt|are|were|did|does|do|will|"
    r"would|could|should|am|how (?:do|does|can|could|should|will|am)|what (?:do|should|if|would|am|"
    r"kind)|who (?:would|does|could))\b"
)


def find_question(text: str) -> Question | None:
    """Return what is asked in a turn; None where nothing is, as in "can you believe it?".

    Args:
        text: What was said; recognisers write no question marks.
    """
    words = " ".join(words_of(text))
    if _TELLS.search(words):
        return None
    if _MAY.search(words):
        return "may"
    if _LIKE_ME.search(words):
        return "like_me"
    return "asks" if text.rstrip().endswith("?") or _ASKS.search(words) else None
