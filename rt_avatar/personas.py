"""Personas by name: a look for the renderer and a voice for the speech engine."""

from dataclasses import dataclass
from typing import Final, Literal

from rt_avatar.engines.llm.profile import Profile
from rt_avatar.errors import SetupError


@dataclass(frozen=True, slots=True)
class Persona:
    """One person.

    Attributes:
        name: Key in config, CLI and protocol; also the name of the look in ``engines.rig.looks``.
        label: Name shown to people.
        age: One of AvaMERG's four age bands.
        gender: One of AvaMERG's two.
        tone: One of AvaMERG's three: "high" is emphatic, "mid" mild, "low" gentle.
        voice: Name of the voice in ``engines.nano_tts.VOICES`` and ``engines.espeak.VOICES``.
        about: One sentence for the picker and for a language model's system prompt.
    """

    name: str
    label: str
    age: Literal["child", "young", "middle-aged", "elderly"]
    gender: Literal["female", "male"]
    tone: Literal["high", "mid", "low"]
    voice: str
    about: str

    @property
    def profile(self) -> Profile:
        """Who answers, as the language model of the network is told."""
        return Profile(self.age, self.gender, self.tone)


PERSONAS: Final[dict[str, Persona]] = {
    persona.name: persona
    for persona in (
        Persona(
            "ava",
            "Ava",
            "young",
            "female",
            "mid",
            "young_female",
            "Warm, curious, in her twenties.",
        ),
        Persona("leo", "Leo", "young", "male", "mid", "young_male", "Easy-going and attentive."),
        Persona(
            "mei", "Mei", "middle-aged", "female", "low", "middle_female", "Calm and thoughtful."
        ),
        Persona(
            "tom", "Tom", "middle-aged", "male", "mid", "middle_male", "Friendly and down to earth."
        ),
        Persona(
            "rose", "Rose", "elderly", "female", "low", "elderly_female", "Gentle, with much time."
        ),
        Persona(
            "sam", "Sam", "elderly", "male", "low", "elderly_male", "Patient, with a quiet humour."
        ),
        Persona(
            "zuri", "Zuri", "child", "female", "high", "child_female", "Lively and kind, nine."
        ),
        Persona("finn", "Finn", "child", "male", "high", "child_male", "Cheerful and honest, ten."),
    )
}


def find_persona(name: str) -> Persona:
    """Return the persona of that name.

    Raises:
        SetupError: There is none; the message lists all.
    """
    try:
        return PERSONAS[name]
    except KeyError:
        known = ", ".join(PERSONAS)
        raise SetupError(f"persona: expected one of {known}; got {name!r}") from None


def persona_of(profile: Profile | None) -> Persona:
    """Return the persona of a profile's age and gender; the first where nobody says."""
    alike = (
        persona
        for persona in PERSONAS.values()
        if profile is not None and (persona.age, persona.gender) == (profile.age, profile.gender)
    )
    return next(alike, PERSONAS["ava"])
