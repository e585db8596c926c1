"""Listeners' replies → the bank that a reply is chosen from: written well, safe, short, no stories.

Each filter names why a reply is left out; ``select`` counts them. What is unsafe to say anywhere is
``engines.reply_ranker.unsafe``; what does not fit what was said is for the ranker.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from rt_avatar.engines.reply_ranker.network import Floats
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.training.reply_ranker.pairs import ReplyPair


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORDS: Final = (4, 22)  # of a reply that is pleasant to hear
_LONGEST_SENTENCE: Final = 16  # words
_SAME: Final = 0.96  # cosine from which two replies say the same
_AT_ONCE: Final = 512

_SPELLINGS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), right)
    for pattern, right in (
        (r"_comma_", ", "),
        (r"[\u2019`]", "'"),
        (r"\s+", " "),
        (r"\s+([,.?!])", r"\1"),
        (r"([?!])[?!.]+", r"\1"),
        (r"\.{2,}", "."),
        (r"([,.?!])(?=[a-z])", r"\1 "),
        (r"\bi\b", "I"),
        (r"\bi'?m\b", "I'm"),
        (r"\bim\b", "I'm"),
        (r"\b(do|does|did|is|was|are|were|would|could|should|have|has|had|ca|wo)nt\b", r"\1n't"),
        (r"\bthats\b", "that's"),
        (r"\bwhats\b", "what's"),
        (r"\b(that|what|it|he|she|there|how|who|where)'?s\b", r"\1's"),
        (r"\byoure\b", "you're"),
        (r"\btheyre\b", "they're"),
        (r"\byouve\b", "you've"),
        (r"\b(?:u|ya)\b", "you"),
        (r"\bur\b", "your"),
        (r"\b(?:aw+|aww+h)\b", "aw"),
        (r"\bo+h+\b", "oh"),
        (r"\bw+o+w+\b", "wow"),
    )
)
_QUESTION: Final = re.compile(
    r"(?:(?:so|and|but|oh|or|wow|well|aw)[, ]+)*(?:what|how|why|who|where|when|which|did|do|does|"
    r"are|is|was|were|have|has|had|will|would|can|could|any|really)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(  # somewhere in a sentence without a question mark
    r"\b(?:(?:did|do|are|were|have|had) you|(?:was|is|are|were|did|does) (?:it|he|she|they|that|"
    r"the|"
    r"there)|how (?:old|long|many|much|come|did)|what (?:kind|did|do|are|is|was|happened))\b",
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(r"[^.?!]+[.?!]?")
# The first person: nothing is told of a life, and little of what is thought.
_SELF: Final = re.compile(r"\b(?:i|i'm|i'd|i've|i'll|me|my|mine|myself|we|we're|us|our|ours)\b")
_SELF_ALLOWED: Final = re.compile(
    r"\b(?:i'm|i am) (?:so |very |really |truly |just )*(?:sorry|glad|happy (?:for|to hear|that)|"
    r"proud of you|excited for you|pleased|thrilled for)\b|"
    r"\bi (?:really |do |sure )?hope (?!i\b|my\b|we\b)|"
    r"\bi bet (?!i\b)|\bi can (?:only |just |totally |really )?(?:imagine|see|hear|tell|"
    r"understand)\b|\bi can't (?:even |begin to )?(?:imagine|blame)\b|\bi (?:don't|do not) blame "
    r"you\b|\bi (?:totally |completely |really )?(?:understand|see)\b|\bi wish you\b|\bi'm sure\b|"
    r"\bi am sure\b|\bi wonder\b|\btell me\b|\bi imagine\b|\bi guess\b"
)
_ADVICE: Final = re.compile(
    r"\b(?:you|he|she|they|u) (?:really |just |probably |definitely |might |maybe )*(?:should|"
    r"ought|need to|needs? to|have to|has to|got to|gotta|better|could (?:always|try|just)|"
    r"can (?:always|try|just))|\b(?:should|shouldn't|must (?!be|have|feel|really|'ve)|ought|"
    r"advice|advise|"
    r"suggest|recommend)|\bif i were you\b|\bwhy (?:don't|not) (?:you)?|\bhave you (?:tried|"
    r"thought|considered|talked|spoken|told|asked|looked|ever)|\bhow about\b|\bwhat about\b|"
    r"\bdid you (?:try|talk|tell|ask|call|report|confront|consider|apologi[sz]e)|\bcan(?:'t)? you "
    r"(?:try|not|just|get|go|talk|ask|tell|call)?|\bare you going to\b|\bhang in there\b|"
    r"\bgood idea\b|\bbest (?:thing|way)\b|\b(?:it's|it is|its) (?:best|better|important|always)\b|"
    r"\bdo you (?:want to|think you (?:can|could|should|will))|\bwill you\b"
)
_IMPERATIVES: Final = _words(
    "be do don't dont just try keep take make get go let stay give call ask talk look "
    "remember focus think hang never always stop start find leave use put buy see consider "
    "seek trust forget move check learn work watch eat drink maybe perhaps hopefully if "
    "because since please hello hi hey bye goodbye thanks thank yes no yeah yep nope nah sure "
    "ok okay lol true same listen believe come turn treat hold let's lets although though "
    "unless"
)
_STORY: Final = re.compile(
    r"\b(?:too|also|either|agree|same|guess it|seems|personally|everyone|everybody|"
    r"people|most|someone|somebody|always|never|usually|some|others|kids (?:are|can|do|grow)|"
    r"life (?:is|can)|when you|as long "
    r"as|sometimes|actually|years|in general|nowadays|these days|favorite|best|worst)\b|\d|"
    r"[\"$%#@&*/()\[\]<>:;=+_~^|\\]|http|www"
)
# How a sentence begins that answers somebody's story and claims nothing of its own.
_OPENING: Final = re.compile(
    r"(?:(?:oh|wow|aw+|well|yeah|ah|so|and|but|ugh|yikes|ouch|man|gosh|hmm|whoa|yay|omg|no)[, !]+)*"
    r"(?:that|that's|this|it|it's|sounds?|i|i'm|you|you're|you've|you'd|sorry|glad|happy|"
    r"congrat\w*|"
    r"good|great|nice|awesome|amazing|wonderful|fantastic|cool|excellent|incredible|such|what|how|"
    r"hope|enjoy|well done|way to go|understandable|oh|wow|yikes|ouch|ugh|aw+|bummer|bet|poor|"
    r"best|very|so|must|no wonder|no way|lucky|my condolences|have fun|have a|he must|she must|"
    r"they must|"
    r"interesting|impressive|absolutely|of course|indeed|certainly|exactly|neat|sweet|yay|tell me)"
    r"\b"
)
_NAME: Final = re.compile(r"(?<=[a-z,'] )(?!I\b|I')[A-Z][A-Za-z]+|\b[A-Z]{2,}\b")


def write_well(text: str) -> str:
    """Return a crowd worker's text as it should be read out: capitals, apostrophes, full stops."""
    for pattern, right in _SPELLINGS:
        text = pattern.sub(right, text)
    sentences = []
    for match in _SENTENCES.finditer(text.strip(" ,-")):
        sentence = match[0].strip(" ,-")
        if not re.search(r"[A-Za-z]", sentence):
            continue
        if sentence[-1] not in ".?!":
            sentence += "."
        if sentence[-1] == "." and (_QUESTION.match(sentence) or _ASKS.search(sentence)):
            sentence = sentence[:-1] + "?"
        sentences.append(sentence[0].upper() + sentence[1:])
    return " ".join(sentences)


def select(
    pairs: Sequence[ReplyPair], known: frozenset[str]
) -> tuple[dict[str, ReplyPair], Counter[str]]:
    """Return the replies that may be said, as they are spoken, and how many a filter left out.

    Args:
        pairs: Listeners' replies.
        known: Words that are spelled right, or often enough wrong.
    """
    kept: dict[str, ReplyPair] = {}
    keys: set[str] = set()
    dropped: Counter[str] = Counter()
    for pair in pairs:
        text = write_well(pair.text)
        if why := _fault(text, known):
            dropped[why] += 1
        elif (key := " ".join(split_words(text))) in keys:
            dropped["said before, word by word"] += 1
        else:
            keys.add(key)
            kept[text] = pair
    return kept, dropped


def without_doubles(directions: Floats) -> list[int]:
    """Return which of the replies to keep: those of which no earlier one says the same.

    Args:
        directions: (replies, OUTPUT) of the ranker, of the replies preferred first.
    """
    chosen: list[int] = []
    for start in range(0, len(directions), _AT_ONCE):
        group = directions[start : start + _AT_ONCE]
        is_close = np.any(group @ directions[chosen].T > _SAME, axis=1)
        inside = group @ group.T > _SAME
        taken: list[int] = []
        for at in range(len(group)):
            if not is_close[at] and not inside[at, taken].any():
                taken.append(at)
        chosen += [start + at for at in taken]
    return chosen


def _fault(text: str, known: frozenset[str]) -> str:
    lower = text.lower()
    words = split_words(text)
    return next(
        (name for name, is_at_fault in _FILTERS if is_at_fault(text, lower, words)), ""
    ) or ("" if known.issuperset(words) else "an odd word, or one spelled wrongly")


def _sentences(text: str) -> list[list[str]]:
    return [split_words(match[0]) for match in _SENTENCES.finditer(text)]


_FILTERS: Final[tuple[tuple[str, Callable[[str, str, list[str]], bool]], ...]] = (
    ("too short", lambda _text, _lower, words: len(words) < _WORDS[0]),
    ("too long", lambda text, _lower, words: len(words) > _WORDS[1]
     or max(map(len, _sentences(text))) > _LONGEST_SENTENCE),
    ("unsafe", lambda text, _lower, _words: bool(find_unsafe(text))),
    ("a name or shouting", lambda text, _lower, _words: bool(_NAME.search(text))),
    ("tells of oneself", lambda _text, lower, _words:
     bool(_SELF.search(_SELF_ALLOWED.sub(" ", lower)))),
    ("advice", lambda text, lower, _words: bool(_ADVICE.search(lower))
     or any(one and one[0] in _IMPERATIVES for one in _sentences(text))),
    ("neither reaction nor question", lambda text, _lower, _words:
     any(not match[0].endswith("?") and not _OPENING.match(match[0].strip().lower())
         for match in _SENTENCES.finditer(text))),
    ("a general truth, a figure, a sign", lambda _text, lower, _words: bool(_STORY.search(lower))),
)  # fmt: skip
