"""English text → words with their phonemes: ``load_phonemizer().phonemize(text)``."""

from rt_avatar.engines.g2p.espeak_symbols import to_espeak
from rt_avatar.engines.g2p.phonemizer import PhonemizedWord, Phonemizer, SpokenWord, load_phonemizer
from rt_avatar.engines.g2p.transcription import to_ipa, to_misaki

__all__ = [
    "PhonemizedWord",
    "Phonemizer",
    "SpokenWord",
    "load_phonemizer",
    "to_espeak",
    "to_ipa",
    "to_misaki",
]
