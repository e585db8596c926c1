"""Words that are spelled alike and said in two ways: which one, by the words around it.

A decision list for each: the first condition that holds names the pronunciation; what is said most
often in talk comes last.
"""

from typing import Final

from rt_avatar.engines.g2p.context import (
    DETERMINERS,
    MODALS,
    OBJECTS,
    PAST,
    SUBJECTS_3,
    Condition,
    Context,
    after,
    is_noun,
    is_participle,
    is_verb,
    near,
    next_is,
    next_is_object,
)
from rt_avatar.engines.g2p.inflection import ending_s
from rt_avatar.engines.g2p.phones import Phones

_Choices = tuple[tuple[Condition, str], ...]


def _is_past(context: Context) -> bool:
    return bool(PAST & {*context.before, *context.after}) and not after(*MODALS)(context)


def _is_verb_with_object(context: Context) -> bool:
    return is_verb(context) and context.next in OBJECTS


# Who lives: "my sister lives by the sea".
_PEOPLE: Final = (
    "mom", "mum", "mother", "dad", "father", "sister", "brother", "son", "daughter", "grandma",
    "grandmother", "grandpa", "grandfather", "wife", "husband", "girlfriend", "boyfriend", "aunt",
    "uncle", "cousin", "friend", "family", "neighbor", "boss", "ex",
)  # fmt: skip


def _is_asked_of_whom(context: Context) -> bool:
    """Whether it ends "are you …", not "are going to …"."""
    forms = {"are", "were", "aren't", "weren't", "be", "been"}
    return (
        not context.next and bool(forms & {*context.before[:-1]}) and not _is_behind_modal(context)
    )


def _is_behind_modal(context: Context) -> bool:
    """Whether a modal, or "to", stands right before it."""
    return context.last in MODALS


def _is_made_use_of(context: Context) -> bool:
    """Whether it follows "can be" and tells a purpose: "it can be used to treat it"."""
    following = context.after[1] if len(context.after) > 1 else ""
    is_passive = context.last == "be" and len(context.before) > 1 and context.before[-2] in MODALS
    is_habit = not following or following in OBJECTS or following.endswith("ing")
    return is_passive and context.next == "to" and not is_habit


# Nouns stressed in front and verbs stressed behind; the third is what is said in doubt.
_STRESS_PAIRS: Final = {
    "articulate": ("AA0 R T IH1 K Y AH0 L AH0 T", "AA0 R T IH1 K Y AH0 L EY2 T", "noun"),
    "coordinate": ("K OW0 AO1 R D AH0 N AH0 T", "K OW0 AO1 R D AH0 N EY2 T", "verb"),
    "delegate": ("D EH1 L AH0 G AH0 T", "D EH1 L AH0 G EY2 T", "verb"),
    "discount": ("D IH1 S K AW2 N T", "D IH0 S K AW1 N T", "noun"),
    "escort": ("EH1 S K AO2 R T", "EH0 S K AO1 R T", "noun"),
    "impact": ("IH1 M P AE2 K T", "IH2 M P AE1 K T", "noun"),
    "implant": ("IH1 M P L AE2 N T", "IH2 M P L AE1 N T", "noun"),
    "insert": ("IH1 N S ER2 T", "IH2 N S ER1 T", "verb"),
    "misuse": ("M IH0 S Y UW1 S", "M IH0 S Y UW1 Z", "noun"),
    "refund": ("R IY1 F AH2 N D", "R IH0 F AH1 N D", "noun"),
    "reject": ("R IY1 JH EH0 K T", "R IH0 JH EH1 K T", "verb"),
    "survey": ("S ER1 V EY2", "S ER0 V EY1", "noun"),
    "update": ("AH1 P D EY2 T", "AH0 P D EY1 T", "noun"),
    "upgrade": ("AH1 P G R EY2 D", "AH0 P G R EY1 D", "noun"),
    "address": ("AE1 D R EH2 S", "AH0 D R EH1 S", "noun"),
    "attribute": ("AE1 T R AH0 B Y UW2 T", "AH0 T R IH1 B Y UW0 T", "noun"),
    "compound": ("K AA1 M P AW0 N D", "K AH0 M P AW1 N D", "noun"),
    "conduct": ("K AA1 N D AH0 K T", "K AH0 N D AH1 K T", "noun"),
    "conflict": ("K AA1 N F L IH0 K T", "K AH0 N F L IH1 K T", "noun"),
    "console": ("K AA1 N S OW0 L", "K AH0 N S OW1 L", "noun"),
    "contract": ("K AA1 N T R AE2 K T", "K AH0 N T R AE1 K T", "noun"),
    "contrast": ("K AA1 N T R AE0 S T", "K AH0 N T R AE1 S T", "noun"),
    "convert": ("K AA1 N V ER0 T", "K AH0 N V ER1 T", "verb"),
    "convict": ("K AA1 N V IH0 K T", "K AH0 N V IH1 K T", "noun"),
    "decrease": ("D IY1 K R IY2 S", "D IH0 K R IY1 S", "noun"),
    "export": ("EH1 K S P AO0 R T", "IH0 K S P AO1 R T", "noun"),
    "extract": ("EH1 K S T R AE2 K T", "IH0 K S T R AE1 K T", "verb"),
    "import": ("IH1 M P AO2 R T", "IH2 M P AO1 R T", "noun"),
    "increase": ("IH1 N K R IY2 S", "IH2 N K R IY1 S", "noun"),
    "insult": ("IH1 N S AH2 L T", "IH2 N S AH1 L T", "noun"),
    "object": ("AA1 B JH EH0 K T", "AH0 B JH EH1 K T", "noun"),
    "perfect": ("P ER1 F IH0 K T", "P ER0 F EH1 K T", "noun"),
    "permit": ("P ER1 M IH2 T", "P ER0 M IH1 T", "noun"),
    "present": ("P R EH1 Z AH0 N T", "P R IY0 Z EH1 N T", "noun"),
    "produce": ("P R OW1 D UW0 S", "P R AH0 D UW1 S", "verb"),
    "progress": ("P R AA1 G R EH2 S", "P R AH0 G R EH1 S", "noun"),
    "project": ("P R AA1 JH EH0 K T", "P R AH0 JH EH1 K T", "noun"),
    "protest": ("P R OW1 T EH2 S T", "P R AH0 T EH1 S T", "noun"),
    "rebel": ("R EH1 B AH0 L", "R IH0 B EH1 L", "noun"),
    "record": ("R EH1 K ER0 D", "R AH0 K AO1 R D", "noun"),
    "refuse": ("R EH1 F Y UW2 Z", "R AH0 F Y UW1 Z", "verb"),
    "subject": ("S AH1 B JH IH0 K T", "S AH0 B JH EH1 K T", "noun"),
    "suspect": ("S AH1 S P EH2 K T", "S AH0 S P EH1 K T", "verb"),
    "transfer": ("T R AE1 N S F ER0", "T R AE0 N S F ER1", "noun"),
    "transport": ("T R AE1 N S P AO0 R T", "T R AE0 N S P AO1 R T", "noun"),
    # Not by stress, but by the same rule: the last sound, or a full vowel in the verb.
    "abuse": ("AH0 B Y UW1 S", "AH0 B Y UW1 Z", "noun"),
    "excuse": ("IH0 K S K Y UW1 S", "IH0 K S K Y UW1 Z", "noun"),
    "advocate": ("AE1 D V AH0 K AH0 T", "AE1 D V AH0 K EY2 T", "noun"),
    "alternate": ("AO1 L T ER0 N AH0 T", "AO1 L T ER0 N EY2 T", "noun"),
    "associate": ("AH0 S OW1 SH IY0 AH0 T", "AH0 S OW1 SH IY0 EY2 T", "verb"),
    "deliberate": ("D IH0 L IH1 B ER0 AH0 T", "D IH0 L IH1 B ER0 EY2 T", "noun"),
    "duplicate": ("D UW1 P L AH0 K AH0 T", "D UW1 P L AH0 K EY2 T", "noun"),
    "elaborate": ("IH0 L AE1 B R AH0 T", "IH0 L AE1 B ER0 EY2 T", "noun"),
    "estimate": ("EH1 S T AH0 M AH0 T", "EH1 S T AH0 M EY2 T", "noun"),
    "graduate": ("G R AE1 JH AH0 W AH0 T", "G R AE1 JH AH0 W EY2 T", "noun"),
    "moderate": ("M AA1 D ER0 AH0 T", "M AA1 D ER0 EY2 T", "noun"),
    "separate": ("S EH1 P R AH0 T", "S EH1 P ER0 EY2 T", "noun"),
}
# What these verbs are followed by, though nothing before them tells a verb.
_FOLLOWED: Final = {
    "advocate": ("for",), "elaborate": ("on",), "graduate": ("from", "next"),
    "separate": ("from",), "object": ("to",), "subject": (), "perfect": (),
    "transfer": ("to",), "conflict": ("with",), "contrast": ("with",),
}  # fmt: skip

_LIVED: Final = ("your", "every", "each", "as", "for")  # begin what is lived: "live your life"
_CHOICES: Final[dict[str, tuple[_Choices, str]]] = {
    "read": (
        (
            (is_participle, "R EH1 D"),
            (_is_past, "R EH1 D"),
            (after("he", "she", "it", "who", "well"), "R EH1 D"),
            (lambda context: context.last == "i" and context.next in ("your", "that", "somewhere"),
             "R EH1 D"),
        ),
        "R IY1 D",
    ),
    "live": (
        (
            (is_verb, "L IH1 V"),
            (after("that", "families", "parents", "kids", "friends", "and", *_PEOPLE), "L IH1 V"),
            (lambda context: not context.last and context.next in _LIVED, "L IH1 V"),
            (
                next_is(
                    "in", "at", "with", "here", "there", "near", "together", "alone", "without",
                    "by", "up", "far", "like", "next", "under", "long", "forever", "abroad",
                ),
                "L IH1 V",
            ),
        ),
        "L AY1 V",
    ),
    "lives": (
        (
            (after(*SUBJECTS_3, *_PEOPLE), "L IH1 V Z"),
            (after(*DETERMINERS, "of", "saved", "many", "two", "save", "both"), "L AY1 V Z"),
            (next_is("in", "at", "with", "here", "there", "near", "alone", "on"), "L IH1 V Z"),
        ),
        "L AY1 V Z",
    ),
    "lead": (
        (
            (next_is("pipe", "pipes", "paint", "poisoning", "acid", "pencil"), "L EH1 D"),
            (near("metal", "mercury", "copper", "zinc", "toxic", "poisoning"), "L EH1 D"),
        ),
        "L IY1 D",
    ),
    "use": (
        (
            (is_verb, "Y UW1 Z"),
            (is_noun, "Y UW1 S"),
            (after("no", "drug", "common", "personal", "daily", "much", "easy", "energy", "first"),
             "Y UW1 S"),
            (next_is("of"), "Y UW1 S"),
        ),
        "Y UW1 Z",
    ),
    "uses": ((((is_noun), "Y UW1 S AH0 Z"), (after("many", "several", "other"), "Y UW1 S AH0 Z")),
             "Y UW1 Z AH0 Z"),
    "used": (((_is_made_use_of, "Y UW1 Z D"), (next_is("to"), "Y UW1 S T")), "Y UW1 Z D"),
    "close": (
        (
            (next_is("to"), "K L OW1 S"),
            (lambda context: context.last == "how" or _is_asked_of_whom(context), "K L OW1 S"),
            (next_is_object, "K L OW1 Z"),
            (next_is("friend", "friends", "call", "by", "enough", "together", "family",
                     "range", "relationship", "with", "attention", "eye"), "K L OW1 S"),
            (after("very", "so", "too", "pretty", "really", "quite", "as", "how", "is", "are",
                   "was", "were", "be", "been", "get", "gets", "got", "getting", "come", "came",
                   "feel", "felt", "stay", "keep", "i'm", "you're", "we're", "they're", "it's",
                   "he's", "she's", "a", "my", "some", "up", "live", "lives", "stood", "hold"),
             "K L OW1 S"),
        ),
        "K L OW1 Z",
    ),
    "wind": (
        ((next_is("up", "down", "it", "back", "around"), "W AY1 N D"),
         (_is_verb_with_object, "W AY1 N D")),
        "W IH1 N D",
    ),
    "tear": (
        ((next_is("up", "down", "apart", "off", "it", "them", "the", "into", "out", "open", "away",
                  "this", "that", "myself", "yourself", "me", "you", "in"), "T EH1 R"),
         (is_verb, "T EH1 R")),
        "T IH1 R",
    ),
    "tears": (((next_is("up", "down", "apart", "off", "it", "me", "them", "the", "you", "us"),
                "T EH1 R Z"),), "T IH1 R Z"),
    "bow": (
        ((near("arrow", "arrows", "tie", "hair", "ribbon", "violin", "string"), "B OW1"),
         (is_verb, "B AW1"),
         (next_is("down", "to", "out", "before"), "B AW1"),
         (near("take", "took", "takes"), "B AW1")),
        "B OW1",
    ),
    "bass": (((near("fish", "fishing", "caught", "lake", "sea", "river"), "B AE1 S"),), "B EY1 S"),
    "minute": (((next_is("detail", "details", "amount", "amounts", "particles", "differences"),
                 "M AY0 N UW1 T"),), "M IH1 N AH0 T"),
    "wound": (
        ((next_is("up", "down", "around", "tight", "tightly", "back", "its"), "W AW1 N D"),
         (after("tightly", "tight"), "W AW1 N D")),
        "W UW1 N D",
    ),
    "sow": ((), "S OW1"),
    "row": ((), "R OW1"),
    "dove": (((next_is("into", "in", "down", "off", "right", "deep"), "D OW1 V"),), "D AH1 V"),
    "desert": (((is_verb, "D IH0 Z ER1 T"), (next_is("me", "you", "him", "us"), "D IH0 Z ER1 T")),
               "D EH1 Z ER0 T"),
    "content": (
        ((is_noun, "K AA1 N T EH0 N T"),
         (next_is("with", "to"), "K AH0 N T EH1 N T"),
         (is_participle, "K AH0 N T EH1 N T"),
         (after("very", "so", "quite", "feel", "felt", "perfectly", "feeling", "seem", "more"),
          "K AH0 N T EH1 N T")),
        "K AA1 N T EH0 N T",
    ),
    "house": (((_is_verb_with_object, "HH AW1 Z"),), "HH AW1 S"),
    "resume": (((is_verb, "R IH0 Z UW1 M"), (is_noun, "R EH1 Z AH0 M EY2"),
                (near("cover", "job", "send", "cv"), "R EH1 Z AH0 M EY2")), "R IH0 Z UW1 M"),
    "upset": (((after("an", "the", "big", "major"), "AH1 P S EH2 T"),), "AH2 P S EH1 T"),
    "invalid": ((), "IH2 N V AE1 L AH0 D"),
    "concrete": ((), "K AA1 N K R IY0 T"),
    "essay": ((), "EH1 S EY2"),
    "incense": ((), "IH1 N S EH2 N S"),
    "perfume": ((), "P ER1 F Y UW2 M"),
    "segue": ((), "S EH1 G W EY2"),
    "invite": ((), "IH2 N V AY1 T"),
    "combine": ((), "K AH0 M B AY1 N"),
    "appropriate": ((), "AH0 P R OW1 P R IY0 AH0 T"),
    "intimate": ((), "IH1 N T AH0 M AH0 T"),
}  # fmt: skip


def choose(word: str, context: Context) -> Phones:
    """Return the pronunciation of a homograph where it stands; () where it is none."""
    if word in _CHOICES:
        choices, usual = _CHOICES[word]
        return tuple(next((p for holds, p in choices if holds(context)), usual).split())
    if word in _STRESS_PAIRS:
        noun, verb, usual = _STRESS_PAIRS[word]
        return tuple((verb if _is_pair_verb(word, usual, context) else noun).split())
    stem = word[:-1]
    if word.endswith("s") and stem in _STRESS_PAIRS:
        noun, verb, _ = _STRESS_PAIRS[stem]
        is_third = context.last in SUBJECTS_3 and context.last not in DETERMINERS
        phones = tuple((verb if is_third else noun).split())
        return (*phones, *ending_s(phones))
    return ()


def _is_pair_verb(word: str, usual: str, context: Context) -> bool:
    if is_verb(context):
        return True
    if is_noun(context):
        return False
    return usual == "verb" or next_is_object(context) or context.next in _FOLLOWED.get(word, ())
