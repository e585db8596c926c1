"""What a text is said with, as one line."""

from rt_avatar.engines.g2p.lexicon import load_lexicon
from rt_avatar.engines.text.normalization import normalize


def said(text: str) -> str:
    words = [word for part in normalize(text, load_lexicon()) for word in part.words]
    joined = " ".join(words)
    for mark in ",;:.?!—…":
        joined = joined.replace(f" {mark}", mark)
    return joined
