"""Retrieve who answers: what a model says of the agent → the persona whose voice and face fit.

EmpathyEar's meta-response names the agent's gender, age and timbre; a voice is retrieved by gender
and timbre, a face by age and gender. Here both hang together as one of ``PERSONAS``, and the timbre
is a step from its voice (``styles.with_timbre``). Who was once heard goes on answering, as in
E3RG's identity memory: a voice and a face that change from reply to reply are nobody's.
"""

import re
from collections.abc import Mapping
from typing import Final

from rt_avatar.personas import PERSONAS, Persona
from rt_avatar.reasoner import ReplyRequest

AGES: Final = ("child", "young", "middle-aged", "elderly")
GENDERS: Final = ("female", "male")
# EmpathyEar's own names of ages and genders, and what models write for ours.
_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("child", "children", "kid"), "child"),
    **dict.fromkeys(("young", "teenager", "teenagers", "teen", "twenties", "youth"), "young"),
    **dict.fromkeys(("middle", "middle-aged", "adult", "thirties", "forties", "fifties"),
                    "middle-aged"),
    **dict.fromkeys(("elderly", "old", "older", "senior", "seniors"), "elderly"),
    **dict.fromkeys(("female", "woman", "women", "lady"), "female"),
    **dict.fromkeys(("male", "man", "men"), "male"),
}  # fmt: skip
_WORD: Final = re.compile(r"[a-z]+(?:-aged)?")
_BOTH: Final[Mapping[str, tuple[str, str]]] = {
    "boy": ("child", "male"),
    "girl": ("child", "female"),
}


def may_choose(request: ReplyRequest) -> bool:
    """Whether it is still open who answers: only until the caller's first words are answered."""
    return not any(message.role == "caller" for message in request.history)


def find_agent(description: str, asked: Persona) -> Persona:
    """Return the persona whom a meta-response describes.

    Args:
        description: The agent's age and gender as a model words them: ``"Middle-aged, Female"``.
        asked: Who answers where it tells neither; of what it does not tell, theirs counts.
    """
    age, gender = _read(description)
    wanted = (AGES.index(age or asked.age), gender or asked.gender)
    if not age and not gender:
        return asked

    def distance(persona: Persona) -> tuple[bool, int, bool]:
        # Another gender is heard and seen more than another age is.
        years = abs(AGES.index(persona.age) - wanted[0])
        return persona.gender != wanted[1], years, persona != asked

    return min(PERSONAS.values(), key=distance)


def _read(description: str) -> tuple[str, str]:
    """Return the age and the gender that words name; empty where they name none."""
    found = {"age": "", "gender": ""}
    for word in _WORD.findall(description.casefold()):
        for name in _BOTH.get(word, (_WORDS.get(word, ""),)):
            kind = "age" if name in AGES else "gender"
            # "Young adult" is young: the first word that names an age is the closer one.
            if name and not found[kind]:
                found[kind] = name
    return found["age"], found["gender"]
