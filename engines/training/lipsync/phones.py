"""The phones of the CMU dictionary, which pocketsphinx and flite name sounds by, in the IPA."""

from typing import Final

from rt_avatar.engines.types import Phoneme

_IPA: Final[dict[str, tuple[str, int]]] = {  # with the stress that the phone usually has
    "AA": ("ɑː", 2), "AE": ("æ", 2), "AH": ("ə", 0), "AO": ("ɔː", 2), "AW": ("aʊ", 2),
    "AY": ("aɪ", 2), "B": ("b", 0), "CH": ("tʃ", 0), "D": ("d", 0), "DH": ("ð", 0),
    "EH": ("ɛ", 2), "ER": ("ɚ", 0), "EY": ("eɪ", 2), "F": ("f", 0), "G": ("ɡ", 0),
    "HH": ("h", 0), "IH": ("ɪ", 0), "IY": ("iː", 1), "JH": ("dʒ", 0), "K": ("k", 0),
    "L": ("l", 0), "M": ("m", 0), "N": ("n", 0), "NG": ("ŋ", 0), "OW": ("oʊ", 2),
    "OY": ("ɔɪ", 2), "P": ("p", 0), "R": ("ɹ", 0), "S": ("s", 0), "SH": ("ʃ", 0),
    "T": ("t", 0), "TH": ("θ", 0), "UH": ("ʊ", 1), "UW": ("uː", 1), "V": ("v", 0),
    "W": ("w", 0), "Y": ("j", 0), "Z": ("z", 0), "ZH": ("ʒ", 0),
    # flite's own
    "AX": ("ə", 0), "AXR": ("ɚ", 0), "IX": ("ɪ", 0), "UX": ("uː", 1), "EL": ("l", 0),
    "EM": ("m", 0), "EN": ("n", 0), "NX": ("n", 0), "DX": ("ɾ", 0), "HV": ("h", 0),
}  # fmt: skip


def phone(name: str, start: int, end: int) -> Phoneme:
    """Return a sound by its name, in either case; silence and noise are pauses."""
    ipa, stress = _IPA.get(name.upper(), ("", 0))
    return Phoneme(ipa, start, end, stress)
