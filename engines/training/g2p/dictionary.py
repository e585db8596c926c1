"""CMUdict's text → entries for the lexicon, and the split of them for training.

The split goes by stems, so that no form of a held-out word ("abandons", "abandoned") is trained on.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rt_avatar.engines.g2p.phones import PHONE_ID, Phones, is_vowel, stress_of, with_stress

_WORD: Final = re.compile(r"'?[a-z]+(?:['-][a-z]+)*'?")
_VARIANT: Final = re.compile(r"\(\d+\)$")
_SUFFIX: Final = re.compile(r"(?:'s?|s'|s|es|ed|er|ers|ing|ings|ly|ness|ment|ments)$")
_SHORTEST_STEM: Final = 3
_LONGEST_ACRONYM: Final = 5
_PARTS: Final = 40  # of which one is for choosing, one for the figures of the model card

Entries = dict[str, tuple[Phones, ...]]
SUPPLEMENT: Final = Path(__file__).with_name("supplement.dict")


@dataclass(frozen=True, slots=True)
class Split:
    """Entries to train on, to choose by, and to measure on."""

    training: Entries
    validation: Entries
    test: Entries


def read_dictionary(path: Path) -> Entries:
    """Read ``cmudict.dict``: a word, its phones and perhaps a comment a line.

    Entries with a full stop are left out: abbreviations are for text normalisation.

    Raises:
        ValueError: A line has a phone that is not of the set.
    """
    entries: dict[str, list[Phones]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        parts = line.split("#", 1)[0].split()
        if not parts:
            continue
        word, phones = _VARIANT.sub("", parts[0]), tuple(parts[1:])
        unknown = [phone for phone in phones if phone not in PHONE_ID]
        if unknown or not phones:
            raise ValueError(
                f"{path}:{number}: expected ARPAbet phones with stress, as cmudict.dict has; "
                f"got {line.strip()!r}"
            )
        if _WORD.fullmatch(word):
            known = entries.setdefault(word, [])
            if phones not in known:
                known.append(phones)
    return {word: tuple(known) for word, known in entries.items()}


def lexicon_entries(entries: Entries, supplement: Entries) -> Entries:
    """Return what the lexicon holds: the supplement's words instead of the dictionary's.

    Stress is made regular: every pronunciation has a primary one, the last letter of an acronym
    bears it, and an unstressed ending in y ("company") is written in one way.
    """
    return {
        word: tuple(dict.fromkeys(_regular(word, phones) for phones in known))
        for word, known in {**entries, **supplement}.items()
    }


def _regular(word: str, phones: Phones) -> Phones:
    stressed = list(phones)
    vowels = [at for at, phone in enumerate(stressed) if is_vowel(phone)]
    stresses = [stress_of(stressed[at]) for at in vowels]
    if vowels and 1 not in stresses:
        strongest = vowels[stresses.index(max(stresses))]
        stressed[strongest] = with_stress(stressed[strongest], 1)
    elif len(vowels) > 1 and len(word) <= _LONGEST_ACRONYM and set(stresses) == {1}:
        for at in vowels[:-1]:
            stressed[at] = with_stress(stressed[at], 2)
    elif stressed[-1] == "IY2" and word[-1] in "yie":
        stressed[-1] = "IY0"
    return tuple(stressed)


def split(entries: Mapping[str, tuple[Phones, ...]]) -> Split:
    """Split by stem. Words with a hyphen or of one letter are no examples of spelling."""
    parts: tuple[Entries, Entries, Entries] = ({}, {}, {})
    for word, variants in entries.items():
        if len(word) > 1 and "-" not in word:
            bucket = int(hashlib.sha256(_stem(word).encode()).hexdigest()[:8], 16) % _PARTS
            parts[bucket + 1 if bucket < 2 else 0][word] = variants
    return Split(*parts)


def _stem(word: str) -> str:
    """Return the word without usual endings, also without a doubled letter or an e there."""
    while (ending := _SUFFIX.search(word)) and ending.start() >= _SHORTEST_STEM:
        word = word[: ending.start()]
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return word.rstrip("eyi'") or word
