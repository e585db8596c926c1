"""Colours of skin, hair, irises and everything they are mixed into.

Colours are 8-bit RGB triples; alpha travels beside them. Nothing here knows a canvas. The tables
were chosen by eye on the sheets of ``docs/rig.md``: lines are never black but the skin's own
``deep``, and ``warm`` is the saturated band between light and shade without which shadows look
grey.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

Color: TypeAlias = tuple[int, int, int]  # red, green, blue, 0..255

WHITE: Final[Color] = (255, 255, 255)
BLACK: Final[Color] = (0, 0, 0)
# Below this sum of channels a hair tone counts as dark and wants deeper roots and outlines.
DARK_TONE_SUM: Final = 450


def rgb(text: str) -> Color:
    """Read a colour written as ``#RRGGBB``.

    Raises:
        ValueError: It is written otherwise.
    """
    digits = text.removeprefix("#")
    if len(digits) != 6:
        raise ValueError(f"colour: expected #RRGGBB, got {text!r}")
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


@lru_cache(8192)
def mix(first: Color, second: Color, share: float) -> Color:
    """Return ``first`` with ``share`` (0 to 1) of ``second`` mixed in."""
    return (
        round(first[0] + (second[0] - first[0]) * share),
        round(first[1] + (second[1] - first[1]) * share),
        round(first[2] + (second[2] - first[2]) * share),
    )


def argb(color: Color, alpha: float = 1.0) -> int:
    """Pack a colour and an alpha (clipped to 0..1) as the canvas wants them."""
    return int(max(0.0, min(1.0, alpha)) * 255) << 24 | color[0] << 16 | color[1] << 8 | color[2]


def is_dark(color: Color) -> bool:
    """Whether a hair tone is dark."""
    return sum(color) < DARK_TONE_SUM


@dataclass(frozen=True, slots=True)
class Skin:
    """The seven roles of a skin tone.

    Attributes:
        light: Lit planes: forehead, bridge, cheekbone.
        base: The tone itself.
        warm: Saturated terminator between light and shade.
        shade: Planes turned away from the light.
        deep: Lines, nostrils, cast shadows.
        blush: Cheeks and nose tip.
        lip: Lips before they are mixed with ``warm``.
    """

    light: Color
    base: Color
    warm: Color
    shade: Color
    deep: Color
    blush: Color
    lip: Color


class Tones(NamedTuple):
    """Three tones of hair or of an iris."""

    dark: Color
    mid: Color
    light: Color


def _skin(text: str) -> Skin:
    return Skin(*(rgb(color) for color in text.split()))


def _tones(text: str) -> Tones:
    return Tones(*(rgb(color) for color in text.split()))


# 1 is the lightest, 5 the darkest; in the order of Skin's attributes.
SKINS: Final[dict[int, Skin]] = {
    1: _skin("#FFEDE2 #FAD7C4 #EE9F86 #DE9D88 #A65E52 #F0837F #D4707A"),
    2: _skin("#FFE2C6 #F3C5A2 #E08A66 #CF8C6B #8F4F3C #EA7A66 #C9615F"),
    3: _skin("#F6CFA2 #DCA577 #C07343 #AE7147 #6E3F26 #D1664A #B4584F"),
    4: _skin("#CD9468 #AC7048 #8E4A28 #7C492D #482616 #B04C38 #934743"),
    5: _skin("#996748 #754730 #5C2C1A #4C2919 #29130B #8A3A2C #7B3A38"),
}
# Black needs a violet-grey light, or it becomes a hole in the picture.
HAIR: Final[dict[str, Tones]] = {
    "black": _tones("#100D13 #27212A #756C84"),
    "darkbrown": _tones("#21130E #3D261C #86593E"),
    "brown": _tones("#351C12 #6A3F28 #CB8C5C"),
    "auburn": _tones("#4A1B10 #85371D #D67E47"),
    "grey": _tones("#55575E #8A8D95 #D5D8DE"),
    "white": _tones("#8E90A4 #C9CAD6 #FFFFFF"),
}
IRISES: Final[dict[str, Tones]] = {
    "brown": _tones("#2A150C #6B3D20 #B9783F"),
    "hazel": _tones("#3A2A12 #7A5B2A #C7A25A"),
    "blue": _tones("#1C3552 #3F76A8 #A6D4EC"),
    "green": _tones("#22392A #4E7D55 #B0D19A"),
    "dark": _tones("#1A0E09 #4A2A1A #9A5E36"),
}
