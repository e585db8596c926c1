"""The voice's symbols in the IPA, as lips take them."""

from functools import cache
from typing import Final

from rt_avatar.engines.g2p import to_ipa
from rt_avatar.engines.g2p.phones import PHONES, stress_of

_STRESS: Final = (0, 2, 1)  # the dictionary's 1 is primary; a ``Phoneme``'s counts strength


@cache
def ipa_of(symbol: int) -> tuple[str, int]:
    """Return IPA and stress (0 none, 1 secondary, 2 primary) of a symbol; "" for a pause."""
    if symbol == 0:
        return "", 0
    phone = PHONES[symbol - 1]
    return to_ipa(phone), _STRESS[stress_of(phone)]
