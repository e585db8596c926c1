"""Anatomy: the measures of a head by age and gender, in head pixels.

Chosen by eye: eyes a fifth larger than life, a short lower face and wide cheeks read as friendly; a
long face reads as stern. See ``docs/rig.md`` for the layout these numbers belong to.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

Age: TypeAlias = Literal["child", "young", "middle-aged", "elderly"]
Gender: TypeAlias = Literal["female", "male"]
Point3: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Measures of one head; lengths in head pixels, y from the eye line down.

    Attributes:
        outline: Contour from the skull's top to the chin on the side x > 0, with depth. The depth
            decides how the outline turns: the hidden skull rides with the hairline.
        eye: Middle of the eye (x, y).
        eye_half: Half the width of the eye.
        lid_up: Upper lid's middle above the eye's middle (negative).
        lid_low: Lower lid's middle below it.
        iris: Radius.
        brow: The brow above the eye's middle (negative).
        brow_thick: Thickness of the brow.
        nose: y of the nose's base.
        nose_half: Half the width of the wings.
        mouth: y of the mouth.
        mouth_half: Half its width.
        lips: Thickness of the upper and the lower lip.
        neck: Half the width of the neck.
        shoulder: Half the width of the shoulders, in layout pixels.
        ear: How far the ears sit below the standard place.
    """

    outline: tuple[Point3, ...]
    eye: tuple[float, float]
    eye_half: float
    lid_up: float
    lid_low: float
    iris: float
    brow: float
    brow_thick: float
    nose: float
    nose_half: float
    mouth: float
    mouth_half: float
    lips: tuple[float, float]
    neck: float
    shoulder: float
    ear: float

    @property
    def chin(self) -> float:
        """Y of the chin at rest."""
        return self.outline[-1][1]


# fmt: off
_CHILD: Final = Anatomy(
    outline=((0, -124, 36), (54, -116, 26), (90, -88, 16), (96, -28, 11), (97, 20, 5),
             (89, 60, 2), (66, 90, 20), (34, 107, 34), (0, 112, 40)),
    eye=(42, 6), eye_half=26, lid_up=-16.6, lid_low=11.8, iris=14.8, brow=-30, brow_thick=5.4,
    nose=45, nose_half=13.5, mouth=70, mouth_half=21.5, lips=(6.2, 8.0), neck=36, shoulder=134,
    ear=12,
)
_WOMAN: Final = Anatomy(
    outline=((0, -124, 36), (53, -116, 26), (88, -87, 16), (92, -28, 11), (91, 18, 5),
             (83, 58, 2), (62, 93, 20), (30, 115, 34), (0, 120, 40)),
    eye=(40.5, 2), eye_half=25.5, lid_up=-14.6, lid_low=10.2, iris=13.2, brow=-31, brow_thick=6.2,
    nose=49, nose_half=15, mouth=77, mouth_half=25, lips=(8.0, 10.5), neck=42, shoulder=160, ear=6,
)
_MAN: Final = Anatomy(
    outline=((0, -124, 36), (54, -116, 26), (90, -87, 16), (94, -28, 11), (93, 22, 5),
             (85, 60, 2), (63, 97, 20), (33, 122, 34), (0, 127, 40)),
    eye=(40.5, 1), eye_half=24, lid_up=-12.4, lid_low=9.0, iris=12, brow=-28, brow_thick=8.6,
    nose=52, nose_half=17.5, mouth=81, mouth_half=27, lips=(6.6, 9.2), neck=55, shoulder=192, ear=6,
)
# fmt: on


def anatomy_of(age: Age, gender: Gender) -> Anatomy:
    """Return the measures of a head of that age and gender."""
    if age == "child":
        return _CHILD if gender == "female" else replace(_CHILD, brow_thick=6.4, brow=-27)
    young = _WOMAN if gender == "female" else _MAN
    upper, lower = young.lips
    if age == "middle-aged":
        return replace(
            young,
            outline=tuple((x * (1.012 if y < 40 else 1.03), y, z) for x, y, z in young.outline),
            lid_up=young.lid_up * 0.93,
            nose_half=young.nose_half * 1.05,
            lips=(upper * 0.92, lower * 0.95),
        )
    if age == "elderly":
        return replace(
            young,
            outline=tuple(
                (x * (0.985 if y < 30 else 1.05), y + (2 if y > 90 else 0), z)
                for x, y, z in young.outline
            ),
            lid_up=young.lid_up * 0.84,
            lid_low=young.lid_low * 0.92,
            iris=young.iris * 0.95,
            nose=young.nose + 2,
            nose_half=young.nose_half * 1.12,
            brow=young.brow + 1,
            lips=(upper * 0.74, lower * 0.82),
        )
    return young
