"""Who answers, as the published dialogues tell it: an age, a gender and a tone."""

from dataclasses import dataclass
from itertools import product
from typing import Final

# The classes in the order of the classifiers (AvaMERG's published text baseline).
AGES: Final = ("child", "young", "middle-aged", "elderly")
GENDERS: Final = ("male", "female")
TONES: Final = ("high", "mid", "low")
# The data has a timbre where the paper has a tone: docs/gaps.md.
TONE_WORDS: Final = {"high": "emphatic", "mid": "mild", "low": "gentle"}


@dataclass(frozen=True, slots=True)
class Profile:
    """One of the 24 kinds of people that the data tells apart.

    Attributes:
        age: One of ``AGES``.
        gender: One of ``GENDERS``.
        tone: One of ``TONES``, which data calls timbre.

    Raises:
        ValueError: A class that there is not.
    """

    age: str
    gender: str
    tone: str

    def __post_init__(self) -> None:
        for name, classes in (("age", AGES), ("gender", GENDERS), ("tone", TONES)):
            if getattr(self, name) not in classes:
                raise ValueError(
                    f"profile: {name}: expected one of {', '.join(classes)}; "
                    f"got {getattr(self, name)!r}"
                )

    def write(self, form: str) -> str:
        """Return ``form`` with age, gender and tone in the places of ``{age}`` and so on."""
        return form.format(age=self.age, gender=self.gender, tone=TONE_WORDS[self.tone])


def profile_classes(profile: Profile | None) -> tuple[int, int, int]:
    """Return the numbers of age, gender and tone; None: nobody says, so a young woman's."""
    profile = profile or Profile("young", "female", "mid")
    return AGES.index(profile.age), GENDERS.index(profile.gender), TONES.index(profile.tone)


PROFILES: Final = tuple(Profile(*classes) for classes in product(AGES, GENDERS, TONES))
