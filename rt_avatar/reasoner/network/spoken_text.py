"""Remove from the network's text what cannot be spoken.

Untrained or lost, it writes the marks of its notation, halves of characters and control signs.
"""

import re
from typing import Final

from rt_avatar.reasoner.sentences import speakable

_MARKS: Final = re.compile(r"</?[a-z]{1,12}/?>|\[(?:AUD|VID)\d{1,2}\]", re.IGNORECASE)
_UNFINISHED: Final = "\ufffd"  # what stands for bytes that are no character


def spoken(text: str) -> str:
    """Return what of a text can be spoken; "" if there is nothing."""
    words = _MARKS.sub(" ", text).replace(_UNFINISHED, " ")
    return speakable("".join(sign if sign.isprintable() else " " for sign in words))
