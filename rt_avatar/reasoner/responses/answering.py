"""Meet the feeling that a caller names when asked for it ("How do you feel?"): it is the answer.

What was asked for and told is taken as that, and not as the beginning of another story. Looks only
at what the avatar asked last; knows no reply of the bank, which knows answers of a few words.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

# Something good; something hard; what weighs on one's conscience; what one would rather not feel;
# two that pull each their way.
Told: TypeAlias = Literal["good", "hard", "conscience", "awkward", "both"]

TAKEN: Final[Mapping[Told, tuple[str, ...]]] = {
    "good": (
        "{F}! That's good to hear.",
        "{F}. How nice to hear that.",
        "{F}! I like hearing that.",
    ),
    "hard": (
        "{F}. I can understand that.",
        "{F}. Yes, that makes sense to me.",
        "{F}. Thank you for saying it as it is.",
    ),
    "conscience": (
        "That's not easy to say. Thank you for telling me.",
        "I can hear how that weighs on you.",
        "That's hard to carry. It's good that you say it.",
    ),
    "awkward": (
        "That's not easy to say. Thank you for telling me.",
        "I can understand that. It's honest of you to say it.",
        "I can imagine that. Thank you for saying it as it is.",
    ),
    "both": (
        "Both at once, then. That makes sense to me.",
        "One doesn't rule out the other. I can hear both.",
        "Both can be there at once. I can understand that.",
    ),
}
_FEELS: Final[Mapping[Told, str]] = {
    "good": r"glad|happy|relieved|thrilled|excited|delighted|chuffed|grateful|thankful|proud|"
    r"hopeful|touched|honoured|honored|flattered|content|over the moon",
    "hard": r"sad|gutted|furious|livid|angry|fuming|annoyed|upset|hurt|heartbroken|devastated|"
    r"lonely|scared|terrified|afraid|frightened|nervous|anxious|worried|frustrated|disappointed|"
    r"exhausted|shattered|overwhelmed|helpless|fed up|robbed|betrayed|humiliated|torn|numb|"
    r"miserable|scared stiff|awful|terrible|rotten|rubbish",
    "conscience": r"guilty|ashamed",
    "awkward": r"embarrassed|mortified|jealous|envious|stupid|foolish",
}
_WORD: Final = "|".join(_FEELS.values())
# "How do you feel about it?", "And what's that like for you?"
_ASKS: Final = re.compile(
    r"^(?:\w+ )??(?:how (?:do|did|does|are|is|was) (?:you|it|that) (?:feel|feeling|for you|with it|"
    r"sit with you|land with you|taking it|leave you)|whats? (?:(?:is|was) )?(?:it|"
    r"that) like for you|"
    r"how are you(?: now| today| with it| doing with it| feeling)?(?: now| today)?$)"
)
_ANSWERS: Final = re.compile(
    r"^(?:(?:oh|well|um|honestly|just|i|im|was|feel|felt|it|feels|its|a|bit|little|very|really|so|"
    rf"pretty|quite|kind|sort|of|mostly|mainly|mixed|totally|absolutely) )*({_WORD})(?=$|"
    r" (?:about|and|but|at|for|that|of|to|in|with|because|as|really|honestly|i|he|she|they|we|"
    r"my)\b)"
)
# Behind it: something else is felt, too.
_TURNS: Final = re.compile(r"\b(?:but|though|yet|only|and then)\b")
_OTHER: Final = re.compile(rf"(?<!not )\b({_WORD}|sick)\b")
_MOST: Final = 14  # words: more are a story
_CLAUSE_END: Final = re.compile(r"[.,;:!]")
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def find_told(text: str, last: str) -> tuple[Told, str] | None:
    """Return what feeling answers the avatar's question, and its word; None: none does.

    Args:
        text: The caller's turn.
        last: The avatar's turn before it.
    """
    asked = _SENTENCES.findall(last)
    words = words_of(text)
    if not asked or not asked[-1].rstrip().endswith("?") or len(words) > _MOST or "?" in text:
        return None
    if not _ASKS.search(" ".join(words_of(asked[-1]))):
        return None
    found = _ANSWERS.search(" ".join(words_of(_CLAUSE_END.split(text.strip())[0])))
    if not found:
        return None
    kind = _kind_of(found[1])
    behind = " ".join(words).partition(found[1])[2].strip()
    others = {_kind_of(one) == "good" for one in _OTHER.findall(behind)}
    is_turned = kind != "hard" and _TURNS.search(behind)
    return ("both" if is_turned or (kind != "good") in others else kind), found[1]


def meet_answer(text: str, last: str, own: Sequence[str]) -> str:
    """Return what is said to a feeling that was asked for; empty where none is told.

    Args:
        text: The caller's turn.
        last: The avatar's turn before it.
        own: The avatar's turns, the oldest first.
    """
    found = find_told(text, last)
    if found is None:
        return ""
    kind, word = found
    chosen = unsaid(TAKEN[kind], text, own, lambda one: one.replace("{F}", "").strip(" .!"))
    return chosen.format(F=word[:1].upper() + word[1:])


def _kind_of(word: str) -> Told:
    return next((kind for kind, words in _FEELS.items() if re.fullmatch(words, word)), "hard")
