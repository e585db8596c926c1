"""The eight looks: who the rig can draw, as data.

Names are those of the personas the product offers. All four ages, both genders and five skin tones
are among them.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.rig.anatomy import Age, Gender
from rt_avatar.engines.rig.hairstyles import HairName

Garment: TypeAlias = Literal["tee", "sweater", "hoodie", "shirt", "blazer", "cardigan", "vneck"]


@dataclass(frozen=True, slots=True)
class Look:
    """One person's appearance. Colours are ``#RRGGBB``.

    Attributes:
        name: Key in ``LOOKS``.
        age: Age band: shapes and wrinkles.
        gender: Shapes, lashes, brows.
        skin: 1 (lightest) to 5 (darkest), in ``palette.SKINS``.
        hair: Haircut.
        hair_color: In ``palette.HAIR``.
        iris: In ``palette.IRISES``.
        garment: What is worn.
        cloth: Its colour, and that of what shows under it.
        backdrop: Background from the lit corner to the far one, and the glow.
        rim: Light along the shaded contour; takes the background's pale tint.
        glasses: Colour of the frame, "" for none.
        earrings: Colour, "" for none.
        beard: 0 none; below 0.5 stubble of that strength; above it a full beard.
        freckles: Whether there are any.
    """

    name: str
    age: Age
    gender: Gender
    skin: int
    hair: HairName
    hair_color: str
    iris: str
    garment: Garment
    cloth: tuple[str, str]
    backdrop: tuple[str, str, str]
    rim: str
    glasses: str = ""
    earrings: str = ""
    beard: float = 0.0
    freckles: bool = False


LOOKS: Final[dict[str, Look]] = {
    look.name: look
    for look in (
        Look(
            "ava", "young", "female", 2, "long", "brown", "hazel",
            "sweater", ("#D9776A", "#FFFFFF"), ("#8FC1C4", "#2F5D73", "#E6F4EE"), "#CDEBFF",
        ),
        Look(
            "leo", "young", "male", 4, "curlytop", "black", "dark",
            "hoodie", ("#E9E4DA", "#C9CFD6"), ("#B7A6E0", "#5A4A94", "#EFE6FF"), "#DCCBFF",
            beard=0.34,
        ),
        Look(
            "mei", "middle-aged", "female", 3, "bob", "black", "brown",
            "blazer", ("#34506B", "#F5F0E8"), ("#F0CFA0", "#C07A50", "#FFF1D8"), "#FFE2BC",
            earrings="#E8C36A",
        ),
        Look(
            "tom", "middle-aged", "male", 2, "sidepart", "darkbrown", "blue",
            "shirt", ("#7FA3C7", "#FFFFFF"), ("#B8C7A6", "#55705A", "#F0F5E2"), "#E6F5D2",
            glasses="#2B2622", beard=0.28,
        ),
        Look(
            "rose", "elderly", "female", 1, "softshort", "white", "blue",
            "cardigan", ("#8C6FA8", "#F4EDF2"), ("#E3C0CE", "#8E6690", "#FFF0F4"), "#FFE4F0",
            glasses="#8A4F5C", earrings="#EDE6DC",
        ),
        Look(
            "sam", "elderly", "male", 5, "receding", "grey", "dark",
            "vneck", ("#C9963F", "#FFFFFF"), ("#A4C0C8", "#41606E", "#EAF4F4"), "#D5EEF7",
            beard=0.8,
        ),
        Look(
            "zuri", "child", "female", 5, "puffs", "black", "dark",
            "tee", ("#F0B54A", "#FFFFFF"), ("#F3B8A0", "#B4637A", "#FFE3C8"), "#FFD9B0",
        ),
        Look(
            "finn", "child", "male", 1, "messy", "auburn", "green",
            "hoodie", ("#4E9C8F", "#E7EEE9"), ("#A9D3E8", "#5B86B8", "#F2FAFF"), "#D8F0FF",
            freckles=True,
        ),
    )
}  # fmt: skip


def find_look(name: str) -> Look:
    """Return the look of that name.

    Raises:
        ValueError: There is none; the message lists all.
    """
    try:
        return LOOKS[name]
    except KeyError:
        raise ValueError(f"look: expected one of {', '.join(LOOKS)}; got {name!r}") from None
