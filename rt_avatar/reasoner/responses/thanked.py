"""Hear thanks behind what was told: "I had forgotten that we used to dance. Thank you, Ava".

Who thanks so is at an end with it, or nearly: to ask on, or to say their words back, is not to
have heard the thanks, and thanks alone pass over what was told. So both are met, in a sentence
each, and nothing is asked. Thanks to others, told of or bitter, are none. Thanks without anything
told are the courtesies', and leave that is taken is ``leaving``'s.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.responses.ended import SAYINGS, find_end
from rt_avatar.reasoner.responses.steps import meet_step
from rt_avatar.reasoner.responses.unsaid import unsaid

_Told: TypeAlias = Literal["good", "hard", "open"]  # before the thanks

WELCOME: Final = ("You're very welcome.", "You're welcome.", "Of course.", "Any time.")
THANKED: Final[Mapping[_Told, tuple[str, ...]]] = {
    "good": (
        "It was lovely to hear that.",
        "Thank you for letting me share in it.",
        "I'm so glad for you.",
    ),
    "hard": (
        "I'm glad you didn't keep it all to yourself.",
        "That wasn't a small thing to tell, and I'm glad you did.",
        "It was good that you said it.",
    ),
    "open": (
        "I'm glad you told me about it.",
        "I was glad to listen.",
        "It was good to listen to you.",
    ),
}
_GOOD: Final = ("pleasant", "proud", "funny")
_SENTENCES: Final = re.compile(r"[^.!?;]*\w[^.!?;]*[.!?;]*")
_TO_IT: Final = (
    r"(?: (?:so much|very much|again|really|ava|dear|love|you|then|kindly|anyway|for (?:\w+ ){0,2}?"
    r"(?:listening|hearing|letting|asking|being|keeping|talking|staying|putting up|sitting|"
    r"company|time|patience|chat|talk|ear|kindness|words|tonight|today|that|this|it|now)\b"
    r"(?! (?:\w+ ){0,3}?(?:off|wrong|worse|job))(?: [\w']+){0,7}))*$"
)
_THANKS: Final = re.compile(
    r"^(?:(?:and|but|so|then|well|oh|ah|okay|ok|right|anyway|anyhow|really|yes|honestly|now|"
    r"just|thats it|i (?:just )?(?:want(?:ed)? to|wanna|must) say) )*"
    rf"(?:thank you|thanks|thank u|thx|cheers|bless you|ta){_TO_IT}"
)
_BITTER: Final = re.compile(r"\bfor nothing\b")
_FEW: Final = 4  # words that tell nothing yet


def find_told(text: str) -> str:
    """Return what was told before the thanks that a turn ends with; empty where it does not."""
    sentences = _SENTENCES.findall(text)
    last = " ".join(words_of(sentences[-1])) if sentences else ""
    told = "".join(sentences[:-1]).strip()
    if not _THANKS.search(last) or _BITTER.search(last) or told.endswith("?"):
        return ""
    return told if len(words_of(told)) > _FEW else ""


def meet_told(text: str, own: Sequence[str], *, is_grave: bool) -> str:
    """Return what is said to thanks and to what was told before them; empty where there are none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
        is_grave: Whether something grave was told, in it or lately.
    """
    told = find_told(text)
    if not told:
        return ""
    step = "" if is_grave else meet_step(told, own)
    if find_end(f"{told.rstrip(' .!')} thank you") == "helped":
        warm = unsaid(SAYINGS["helped"], text, own)
    elif step and "?" not in step:
        warm = step
    else:
        mood = mood_of((told,))
        is_hard = is_grave or mood == "unpleasant"
        kind: _Told = "hard" if is_hard else "good" if mood in _GOOD else "open"
        warm = unsaid(THANKED[kind], text, own)
    return f"{unsaid(WELCOME, text, own)} {warm}"
