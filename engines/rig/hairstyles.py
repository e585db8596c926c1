"""The haircuts of the eight looks, as data: name in, ``HairStyle`` out.

Read a lock as the stroke of a wide brush from the root to the tip. Numbers are head pixels (origin
between the eyes, y down), chosen by eye.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.rig.curves import mirrored
from rt_avatar.engines.rig.locks import Cloud, HairStyle, Lock, both_sides, curly_arc

HairName: TypeAlias = Literal[
    "long", "bob", "messy", "curlytop", "puffs", "sidepart", "softshort", "receding"
]

# fmt: off
# Short hair shows only a rim behind the head.
_SHORT_BACK: Final = Lock(
    [(0, -130), (-60, -122), (-94, -70), (-94, 0), (-74, 50)],
    [(0, -130), (60, -122), (94, -70), (94, 0), (74, 50)],
    depth=-45, on_face=False, tone=-0.6, strands=60,
)


def _crown(end_left: list[tuple[float, float]], end_right: list[tuple[float, float]],
           out_left: list[tuple[float, float]], out_right: list[tuple[float, float]],
           tip_left: list[tuple[float, float]], tip_right: list[tuple[float, float]]) -> list[Lock]:
    """Parted hair that frames the face: two great ribbons and the locks that break them up."""
    return [
        Lock([(-20, -88), (-40, -84), (-63, -66), (-81, -36), (-90, -6), *end_left],
             [(-20, -152), (-44, -155), (-80, -142), (-108, -108), (-121, -60), (-125, -14),
              *out_left],
             depth=8, strands=80, tip=tip_left),
        Lock([(-24, -88), (4, -93), (46, -80), (77, -46), (91, -6), *end_right],
             [(-24, -152), (6, -158), (52, -153), (94, -126), (119, -74), (127, -14), *out_right],
             depth=10, strands=90, tip=tip_right),
        Lock([(-24, -89), (6, -84), (40, -68), (68, -44), (85, -16), (95, 14)],
             [(-24, -126), (22, -126), (68, -100), (96, -60), (107, -20), (104, 16)],
             depth=13, tone=0.07, strands=34, tip=[(102, 34)], fade=0.4, sheen=(0.25, 0.6)),
        Lock([(-22, -90), (-40, -80), (-61, -60), (-79, -30), (-90, 4)],
             [(-22, -120), (-52, -112), (-82, -86), (-98, -48), (-103, 0)],
             depth=12, tone=0.05, strands=26, tip=[(-99, 26)], fade=0.4, sheen=(0.25, 0.6)),
        Lock([(-22, -126), (14, -134), (54, -120), (88, -88), (107, -46)],
             [(-22, -140), (14, -147), (59, -133), (96, -98), (113, -52)],
             depth=10, tone=-0.16, strands=18, tip=[(116, -22)], fade=0.5, sheen=None),
        Lock([(-22, -126), (-50, -128), (-84, -104), (-104, -64)],
             [(-22, -140), (-54, -143), (-92, -118), (-113, -70)],
             depth=10, tone=-0.14, strands=16, tip=[(-118, -30)], fade=0.5, sheen=None),
    ]


def _long() -> HairStyle:
    front = _crown(
        [(-91, 20), (-84, 58), (-80, 98), (-87, 138), (-84, 176)],
        [(92, 20), (86, 58), (82, 98), (91, 138), (88, 178)],
        [(-125, 16), (-123, 60), (-132, 104), (-131, 150), (-113, 196)],
        [(127, 16), (126, 62), (135, 106), (134, 152), (117, 198)],
        [(-92, 204), (-103, 206)], [(96, 206), (107, 208)],
    )
    front += [
        Lock([(-101, 0), (-94, 40), (-85, 80), (-83, 118), (-93, 154)],
             [(-104, 0), (-112, 40), (-105, 80), (-109, 122), (-113, 158)],
             depth=11, tone=0.06, strands=26, tip=[(-103, 200)], sheen=(0.2, 0.6), fade=0.35),
        Lock([(104, 0), (97, 40), (88, 80), (87, 118), (97, 154)],
             [(107, 0), (116, 40), (109, 80), (114, 122), (117, 158)],
             depth=11, tone=0.05, strands=26, tip=[(108, 202)], sheen=(0.2, 0.6), fade=0.35),
        Lock([(-116, 44), (-121, 86), (-120, 128), (-113, 160)],
             [(-119, 44), (-133, 88), (-133, 134), (-126, 168)],
             depth=11, tone=-0.12, strands=14, tip=[(-113, 200)], sheen=(0.3, 0.6), fade=0.35),
        Lock([(120, 44), (125, 86), (123, 128), (117, 160)],
             [(123, 44), (136, 88), (136, 134), (129, 168)],
             depth=11, tone=-0.12, strands=14, tip=[(117, 202)], sheen=(0.3, 0.6), fade=0.35),
        # One loose lock that falls beside the cheek.
        Lock([(74, -58), (86, -26), (91, 10), (86, 44), (80, 70)],
             [(78, -64), (94, -28), (99, 12), (95, 48), (87, 76)],
             depth=15, tone=0.12, strands=14, tip=[(76, 96)], sheen=(0.3, 0.6), fade=0.45),
    ]
    edge = [(0, -146), (-58, -138), (-104, -90), (-114, 0), (-112, 80), (-108, 140), (-98, 178)]
    back = Lock(edge, mirrored(edge), depth=-48, on_face=False, tone=-0.45, strands=120,
                sheen=(0.5, 0.75), tip=[(-70, 192), (-40, 186), (0, 190), (40, 186), (70, 192)])
    return HairStyle([back], front, parting=[(-22, -90), (-23, -118), (-20, -148)],
                     is_long=True, covers_ears=True)


def _bob() -> HairStyle:
    front = _crown(
        [(-90, 18), (-89, 46), (-84, 76), (-72, 98)], [(91, 18), (90, 46), (86, 76), (75, 98)],
        [(-122, 12), (-127, 50), (-125, 86), (-107, 115)],
        [(124, 12), (129, 50), (127, 86), (110, 117)],
        [(-62, 112), (-80, 121)], [(65, 113), (83, 123)],
    )
    front += [
        Lock([(-98, 6), (-97, 40), (-92, 72), (-80, 98)],
             [(-103, 6), (-112, 42), (-108, 80), (-92, 106)],
             depth=11, tone=0.06, strands=22, tip=[(-66, 115)], sheen=(0.25, 0.6), fade=0.35),
        Lock([(100, 6), (99, 40), (94, 72), (82, 98)],
             [(106, 6), (115, 42), (111, 80), (95, 107)],
             depth=11, tone=0.06, strands=22, tip=[(69, 116)], sheen=(0.25, 0.6), fade=0.35),
    ]
    back = Lock([(0, -142), (-58, -134), (-102, -86), (-113, 0), (-113, 56), (-98, 98)],
                [(0, -142), (58, -134), (102, -86), (113, 0), (113, 56), (98, 98)],
                depth=-48, on_face=False, tone=-0.5, strands=90,
                tip=[(-78, 112), (-44, 108), (0, 104), (44, 108), (78, 112)])
    return HairStyle([back], front, parting=[(-22, -90), (-23, -118), (-20, -148)],
                     covers_ears=True)


def _sidepart() -> HairStyle:
    side = Lock([(-62, -92), (-76, -58), (-83, -30), (-87, -2)],
                [(-86, -112), (-100, -66), (-101, -36), (-95, 6)],
                depth=1, tone=-0.2, strands=26, sheen=None)
    return HairStyle([_SHORT_BACK], [
        *both_sides(side),
        Lock([(-40, -87), (-63, -83), (-80, -66), (-89, -38)],
             [(-40, -146), (-72, -136), (-97, -102), (-103, -40)], depth=6, strands=36),
        Lock([(-50, -85), (-24, -90), (0, -94), (36, -95), (70, -79), (91, -38)],
             [(-50, -146), (-26, -158), (14, -163), (62, -151), (95, -113), (103, -40)],
             depth=7, strands=80, sheen=(0.15, 0.5)),
        Lock([(-46, -88), (-18, -98), (22, -99), (54, -89), (80, -62)],
             [(-48, -126), (-8, -136), (44, -129), (77, -104), (93, -56)],
             depth=12, tone=0.1, strands=30, sheen=(0.2, 0.55), fade=0.35),
        Lock([(-48, -128), (-14, -140), (32, -138), (70, -117)],
             [(-48, -142), (-14, -155), (38, -151), (78, -127)],
             depth=9, tone=-0.1, strands=20, tip=[(95, -92)], sheen=(0.2, 0.5), fade=0.4),
    ], parting=[(-50, -87), (-51, -112), (-48, -136)])


def _messy() -> HairStyle:
    side = Lock([(-70, -86), (-82, -50), (-87, -26), (-89, 2)],
                [(-92, -110), (-106, -60), (-108, -28), (-98, 14)],
                depth=2, tone=-0.2, strands=20, sheen=None)
    cap = Lock([(-94, -30), (-84, -72), (-50, -90), (0, -92), (50, -90), (84, -72), (94, -30)],
               [(-108, -36), (-111, -92), (-80, -140), (-12, -160), (62, -152), (106, -104),
                (108, -36)],
               depth=4, strands=70, sheen=(0.3, 0.6))
    # Tufts that break the crown: they lie along it and lift only at the tip.
    tufts = [
        Lock([(-30, -142), (4, -154), (34, -156)], [(-34, -152), (4, -166), (38, -166)],
             depth=1, tip=[(60, -168)], strands=16, tone=0.02, sheen=None),
        Lock([(20, -140), (52, -144), (78, -132)], [(18, -152), (58, -158), (88, -142)],
             depth=1, tip=[(108, -138)], strands=14, tone=-0.05, sheen=None),
        Lock([(-56, -128), (-78, -128), (-94, -112)], [(-50, -142), (-82, -144), (-102, -122)],
             depth=1, tip=[(-110, -113)], strands=14, tone=-0.08, sheen=None),
    ]
    fringe = [
        Lock([(-26, -140), (-64, -124), (-84, -86)], [(-6, -148), (-60, -98), (-74, -70)],
             depth=12, tip=[(-88, -44)], strands=20, tone=-0.04, sheen=(0.3, 0.6), fade=0.4),
        Lock([(60, -142), (78, -110), (82, -78)], [(84, -124), (98, -92), (95, -64)],
             depth=12, tip=[(86, -42)], strands=20, tone=-0.02, sheen=(0.3, 0.6), fade=0.4),
        Lock([(30, -146), (48, -110), (56, -80)], [(72, -136), (82, -98), (76, -70)],
             depth=12, tip=[(62, -56)], strands=24, tone=0.04, sheen=(0.3, 0.62), fade=0.4),
        Lock([(-42, -144), (-58, -108), (-58, -80)], [(2, -150), (-28, -102), (-36, -72)],
             depth=12, tip=[(-52, -54)], strands=24, tone=0.05, sheen=(0.3, 0.62), fade=0.4),
        Lock([(-24, -146), (-28, -108), (-22, -80)], [(22, -150), (10, -106), (2, -74)],
             depth=13, tip=[(-10, -60)], strands=24, tone=0.11, sheen=(0.3, 0.62), fade=0.45),
        Lock([(0, -148), (14, -110), (26, -82)], [(48, -144), (56, -106), (50, -76)],
             depth=13, tip=[(38, -62)], strands=24, tone=0.13, sheen=(0.3, 0.62), fade=0.45),
    ]
    return HairStyle([_SHORT_BACK], [*both_sides(side), *tufts, cap, *fringe])


def _softshort() -> HairStyle:
    side = Lock([(-84, -60), (-90, -6), (-91, 30), (-82, 58)],
                [(-104, -70), (-121, -4), (-119, 42), (-96, 78)],
                depth=2, strands=34, tip=[(-78, 72)])
    back = Lock([(0, -142), (-58, -134), (-104, -86), (-114, 0), (-106, 56), (-84, 88)],
                [(0, -142), (58, -134), (104, -86), (114, 0), (106, 56), (84, 88)],
                depth=-45, on_face=False, tone=-0.4, strands=80,
                tip=[(-60, 98), (0, 92), (60, 98)])
    return HairStyle([back], [
        *both_sides(side),
        Lock([(-34, -88), (-58, -82), (-80, -58), (-91, -26), (-95, 10)],
             [(-34, -155), (-80, -147), (-115, -100), (-124, -40), (-120, 12)],
             depth=8, strands=50, tip=[(-106, 46)]),
        Lock([(-40, -88), (0, -88), (46, -80), (78, -54), (92, -20), (96, 12)],
             [(-40, -155), (10, -166), (78, -147), (117, -96), (125, -40), (121, 12)],
             depth=9, strands=70, tip=[(107, 46)]),
        Lock([(-36, -90), (-6, -80), (34, -66), (66, -54), (84, -32)],
             [(-38, -122), (8, -126), (60, -106), (92, -70), (100, -28)],
             depth=14, tone=0.1, strands=26, tip=[(95, -18)], fade=0.35),
        Lock([(-38, -94), (-56, -90), (-78, -66), (-92, -34)],
             [(-40, -126), (-72, -118), (-100, -78), (-107, -28)],
             depth=12, tone=0.1, strands=22, tip=[(-100, -16)], fade=0.35),
        Lock([(-34, -130), (12, -140), (62, -124), (98, -84)],
             [(-34, -146), (12, -156), (70, -139), (110, -94)],
             depth=10, tone=-0.2, strands=18, tip=[(120, -44)], fade=0.45, sheen=None),
        Lock([(96, -30), (106, 4), (104, 36)], [(108, -34), (119, 4), (116, 40)],
             depth=9, tone=-0.15, strands=16, tip=[(96, 70)], fade=0.4, sheen=(0.4, 0.7)),
        Lock([(-96, -30), (-104, 4), (-102, 36)], [(-108, -34), (-117, 4), (-114, 40)],
             depth=9, tone=-0.12, strands=16, tip=[(-94, 70)], fade=0.4, sheen=(0.4, 0.7)),
    ], parting=[(-38, -89), (-39, -116), (-36, -146)], covers_ears=True)


def _receding() -> HairStyle:
    side = Lock([(-58, -104), (-72, -66), (-82, -38), (-87, 0)],
                [(-64, -116), (-98, -84), (-106, -40), (-98, 14)],
                depth=1, strands=34, sheen=None, tone=-0.05)
    back = Lock([(0, -118), (-60, -112), (-100, -66), (-101, 0), (-78, 50)],
                [(0, -118), (60, -112), (100, -66), (101, 0), (78, 50)],
                depth=-45, on_face=False, tone=-0.4, strands=60)
    return HairStyle([back], [
        *both_sides(side),
        Lock([(-78, -54), (-64, -86), (-34, -102), (10, -100), (46, -94), (66, -80), (80, -52)],
             [(-101, -58), (-88, -116), (-38, -139), (16, -142), (64, -131), (91, -106),
              (101, -58)],
             depth=0, strands=70, sheen=(0.25, 0.7), tone=0.05),
        Lock([(-56, -98), (-24, -112), (18, -112), (50, -102)],
             [(-62, -110), (-26, -132), (22, -133), (62, -118)],
             depth=4, tone=0.12, strands=24, tip=[(80, -88)], sheen=(0.3, 0.65), fade=0.4),
    ], shadow=False)


def _puffs() -> HairStyle:
    half = Lock([(-90, -12), (-84, -50), (-60, -80), (-28, -90), (2, -92)],
                [(-99, -10), (-105, -66), (-84, -114), (-46, -137), (2, -143)],
                depth=5, strands=56, sheen=(0.35, 0.7), tone=-0.1)
    puffs = [
        Cloud(curly_arc((x, -114), (50, 48), (0, 1), 13, seed),
              depth=-25, on_face=False, tone=-0.02)
        for x, seed in ((-90, 5), (90, 6))
    ]
    return HairStyle(puffs, [*both_sides(half)], parting=[(0, -93), (1, -116), (0, -140)])


def _curlytop() -> HairStyle:
    side = Lock([(-60, -88), (-76, -56), (-83, -30), (-87, -4)],
                [(-84, -104), (-98, -66), (-99, -36), (-94, 2)],
                depth=1, tone=-0.1, strands=20, sheen=None)
    hairline = [(88, -44), (80, -56), (74, -65), (62, -69), (56, -78), (44, -77), (36, -84),
                (22, -80), (10, -87), (-4, -81), (-16, -86), (-30, -80), (-44, -82), (-56, -74),
                (-68, -72), (-78, -58), (-88, -44)]
    top = curly_arc((0, -64), (101, 92), (0.485, 1.015), 15, 4)
    back = Lock([(0, -118), (-60, -112), (-93, -66), (-93, 0), (-74, 46)],
                [(0, -118), (60, -112), (93, -66), (93, 0), (74, 46)],
                depth=-45, on_face=False, tone=-0.6, strands=50)
    return HairStyle([back], [*both_sides(side), Cloud([*top, *hairline], depth=8)])
# fmt: on


_STYLES: Final[dict[HairName, Callable[[], HairStyle]]] = {
    "long": _long,
    "bob": _bob,
    "messy": _messy,
    "curlytop": _curlytop,
    "puffs": _puffs,
    "sidepart": _sidepart,
    "softshort": _softshort,
    "receding": _receding,
}


def hair_style(name: HairName) -> HairStyle:
    """Return the haircut of that name."""
    return _STYLES[name]()
