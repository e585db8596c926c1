"""Who the avatar can be: a look for the renderer and a voice for the speech engine, by one name."""

from dataclasses import dataclass
from typing import Final, Literal

from rt_avatar.errors import SetupError


@dataclass(frozen=True, slots=True)
class Profile:
    """One person.

    Attributes:
        name: Key in config, CLI and protocol; also the name of the look in ``engines.rig.looks``.
        label: Name shown to people.
        age: One of AvaMERG's four age bands.
        gender: One of AvaMERG's two.
        voice: Name of the voice in ``engines.espeak.VOICES``.
        about: One sentence for the picker and for a language model's system prompt.
    """

    name: str
    label: str
    age: Literal["child", "young", "middle-aged", "elderly"]
    gender: Literal["female", "male"]
    voice: str
    about: str


PROFILES: Final[dict[str, Profile]] = {
    profile.name: profile
    for profile in (
        Profile("ava", "Ava", "young", "female", "young_female", "Warm, curious, in her twenties."),
        Profile("leo", "Leo", "young", "male", "young_male", "Easy-going and attentive."),
        Profile("mei", "Mei", "middle-aged", "female", "middle_female", "Calm and thoughtful."),
        Profile("tom", "Tom", "middle-aged", "male", "middle_male", "Friendly and down to earth."),
        Profile("rose", "Rose", "elderly", "female", "elderly_female", "Gentle, with much time."),
        Profile("sam", "Sam", "elderly", "male", "elderly_male", "Patient, with a quiet humour."),
        Profile("zuri", "Zuri", "child", "female", "child_female", "Lively and kind, nine."),
        Profile("finn", "Finn", "child", "male", "child_male", "Cheerful and honest, ten."),
    )
}


def find_profile(name: str) -> Profile:
    """Return the profile of that name.

    Raises:
        SetupError: There is none; the message lists all.
    """
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise SetupError(f"profile: expected one of {known}; got {name!r}") from None
