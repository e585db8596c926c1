"""Meet an answer that is neither yes nor no: "a bit", "sort of", "it depends", "both".

Who answers so has more to say, and is asked for it; "A bit. I see." ends the matter. Knows no reply
of the bank, and looks only at what the avatar asked last.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

# Partly; at times; if something else is so; both of what was asked about; neither of it.
Half: TypeAlias = Literal["partly", "at_times", "depends", "both", "neither"]

HALVES: Final[Mapping[Half, tuple[str, ...]]] = {
    "partly": (
        "Only partly, then? What's the rest of it?",
        "Somewhere in between, then. What's that like?",
        "I see, not altogether. How would you put it?",
        "Not quite a yes, then. What's it like?",
    ),
    "at_times": (
        "And when is it like that?",
        "What are those times like?",
        "I see, now and then. What is it like when it comes?",
    ),
    "depends": (
        "What does it depend on?",
        "On what, would you say?",
        "I see. What makes the difference?",
    ),
    "both": (
        "Both, then. Does one count for more?",
        "Both? How do the two go together?",
        "Both at once. Which is the stronger one today?",
    ),
    "neither": (
        "Neither? How would you put it?",
        "Neither, then. What comes nearer to it?",
        "So neither. What would you say instead?",
    ),
}
_LEADS: Final = (
    r"(?:(?:well|hm|hmm|um|oh|yeah|yes|i|mean|guess|suppose|honestly|only|just|maybe|probably|id|"
    r"say|think|its) )*"
)
_TRAILS: Final = (
    r"(?: (?:yeah|yes|really|i|guess|suppose|think|honestly|maybe|though|actually|tbh|now|id|say|"
    r"to|be|honest))*"
)
_OF: Final[Mapping[Half, str]] = {
    "partly": r"(?:a (?:little |tiny )?bit|a little|kind of|sort of|kinda|sorta|in a way|partly|"
    r"half and half|somewhat|more or less|slightly|a touch|mixed)",
    "at_times": r"(?:sometimes|at times|now and then|now and again|once in a while|off and on|"
    r"on and off|occasionally|every so often|it comes and goes|comes and goes)",
    "depends": r"(?:(?:it|that) )?depends|yes and no|no and yes",
    "both": r"(?:(?:a )?(?:little )?bit of both|both(?: of (?:them|it))?)",
    "neither": r"(?:neither(?: of (?:them|it))?|none of (?:them|that|those))",
}  # fmt: skip
_PATTERNS: Final = {
    half: re.compile(rf"{_LEADS}(?:{words}){_TRAILS}") for half, words in _OF.items()
}
_QUESTION: Final = re.compile(r"[^.!?]+(?=\?\s*$)")
_YES_OR_NO: Final = re.compile(
    r"^(?:(?:and|but|so|oh|then|now) )*(?:is|are|am|was|were|do|does|did|have|has|had|can|could|"
    r"will|would|should)\b"
)
_CHOICE: Final = re.compile(r"\b(?:or|which|what)\b")
_COUNTED: Final = re.compile(r"\bhow (?:often|many|much|long)\b")


def find_half(text: str, last: str) -> Half | None:
    """Return how a caller answers neither yes nor no; None where they do not, or were not asked.

    Args:
        text: What the caller says; all of it is the answer.
        last: The avatar's turn before it.
    """
    asked = _QUESTION.search(last)
    if not asked:
        return None
    question, words = " ".join(words_of(asked[0])), " ".join(words_of(text))
    half = next((half for half, one in _PATTERNS.items() if one.fullmatch(words)), None)
    if half is None or _COUNTED.search(question):
        return None
    wanted = _CHOICE if half in ("both", "neither") else _YES_OR_NO
    return half if wanted.search(question) else None


def ask_for_rest(half: Half, text: str, own: Sequence[str]) -> str:
    """Return how the rest is asked for: in words that were not said in this call, or longest ago.

    Args:
        half: How they answered.
        text: What the caller says; the same words begin with the same saying.
        own: The avatar's turns, the oldest first.
    """
    return unsaid(HALVES[half], text, own)
