"""Drawn people to learn from: the rig's looks, and others at random; one look is held out.

Of the look that is held out nothing is shown: neither itself, nor its anatomy (age and gender), nor
its haircut.
"""

from dataclasses import replace
from typing import Final, get_args

import numpy as np

from rt_avatar.engines.rig.anatomy import Age, Gender
from rt_avatar.engines.rig.hairstyles import HairName
from rt_avatar.engines.rig.looks import LOOKS, Garment, Look
from rt_avatar.engines.rig.palette import HAIR, IRISES, SKINS

HELD_OUT: Final = "mei"
LEARNT: Final = tuple(look for look in LOOKS.values() if look.name != HELD_OUT)
_PEOPLE: Final = tuple(
    (age, gender)
    for age in get_args(Age)
    for gender in get_args(Gender)
    if (age, gender) != (LOOKS[HELD_OUT].age, LOOKS[HELD_OUT].gender)
)
_HAIRCUTS: Final = tuple(name for name in get_args(HairName) if name != LOOKS[HELD_OUT].hair)


def random_look(rng: np.random.Generator) -> Look:
    """Return somebody: all attributes are drawn apart from each other."""
    age, gender = _PEOPLE[rng.integers(len(_PEOPLE))]
    return replace(
        LEARNT[0],
        name="somebody",
        age=age,
        gender=gender,
        skin=int(rng.choice(list(SKINS))),
        hair=_HAIRCUTS[rng.integers(len(_HAIRCUTS))],
        hair_color=str(rng.choice(list(HAIR))),
        iris=str(rng.choice(list(IRISES))),
        garment=get_args(Garment)[rng.integers(len(get_args(Garment)))],
        cloth=(_color(rng), _color(rng)),
        backdrop=(_color(rng), _color(rng), _color(rng)),
        rim=_color(rng, 180),
        glasses=_color(rng, most=160) if rng.random() < 0.3 else "",
        earrings=_color(rng, 90) if rng.random() < 0.25 else "",
        beard=float(rng.uniform(0.2, 0.9)) if gender == "male" and rng.random() < 0.4 else 0.0,
        freckles=bool(rng.random() < 0.15),
    )


def _color(rng: np.random.Generator, least: int = 20, most: int = 256) -> str:
    return "#" + "".join(f"{channel:02X}" for channel in rng.integers(least, most, 3))
