"""Words that are spelled alike and said in two ways: which one, by the words around it.

A decision list for each: the first condition that holds names the pronunciation; what is said most
often in talk comes last.
"""

from typing import Final

from rt_avatar.engines.g2p.context import (
    ASKING,
    DETERMINERS,
    MODALS,
    OBJECTS,
    PAST,
    SUBJECTS_3,
    Condition,
    Context,
    after,
    is_asked,
    is_noun,
    is_participle,
    is_said_in_past,
    is_verb,
    near,
    next_is,
    next_is_object,
)
from rt_avatar.engines.g2p.inflection import ending_s
from rt_avatar.engines.g2p.phones import Phones
from rt_avatar.engines.g2p.stress_pairs import FOLLOWED, STRESS_PAIRS

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


_ON_AIR: Final = frozenset(
    ("air", "tv", "television", "stage", "radio", "camera", "tape", "youtube", "instagram",
     "tiktok", "twitch", "facebook", "zoom")
)  # fmt: skip
_FACE: Final = frozenset(("face", "cheek", "cheeks", "chin", "nose", "neck"))


def _is_done_by_family(context: Context) -> bool:
    """Whether one of the family did it: "my mom read to me", not "did your mom read"."""
    return after(*_PEOPLE)(context) and not ASKING & {*context.before}


def _is_adverb_of_passive(context: Context) -> bool:
    """Whether it stands behind "was widely"."""
    forms = {"was", "were", "is", "are", "been", "be"}
    return context.last.endswith("ly") and bool(forms & {*context.before})


def _is_lived_on(context: Context) -> bool:
    """Whether it is where someone lives, "live on a farm", not "live on stage"."""
    return context.next == "on" and not _ON_AIR & {*context.after}


def _is_tear_in_eye(context: Context) -> bool:
    is_one = context.last in ("a", "one", "single", "another")
    return is_one and context.next == "in" and bool({"eye", "eyes"} & {*context.after})


def _is_down_a_face(context: Context) -> bool:
    return context.next == "down" and bool(_FACE & {*context.after})


_LIVED: Final = ("your", "every", "each", "as", "for")  # begin what is lived: "live your life"
# At the end: "someone close", "we aren't close".
_CLOSE_BEHIND: Final = ("someone", "somebody", "anyone", "isn't", "aren't", "wasn't", "weren't")
_CHOICES: Final[dict[str, tuple[_Choices, str]]] = {
    "read": (
        (
            (is_participle, "R EH1 D"),
            (is_asked, "R IY1 D"),
            (is_said_in_past, "R EH1 D"),
            (_is_done_by_family, "R EH1 D"),
            (_is_adverb_of_passive, "R EH1 D"),
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
            (after("go", "goes", "went", "going", "gone", "is", "are", "was", "were", "it's",
                   "we're", "perform", "performed", "performing", "streamed"), "L AY1 V"),
            (after("that", "families", "parents", "kids", "friends", "and", *_PEOPLE), "L IH1 V"),
            (lambda context: not context.last and context.next in _LIVED, "L IH1 V"),
            (lambda context: not context.next and "where" in context.before, "L IH1 V"),
            (_is_lived_on, "L IH1 V"),
            (
                next_is(
                    "in", "at", "with", "here", "there", "near", "together", "alone", "without",
                    "by", "up", "far", "like", "next", "under", "long", "forever", "abroad",
                    "nearby", "outside", "around", "over", "among", "across",
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
            (after("substance", "alcohol", "opioid", "cannabis", "tobacco", "media", "phone",
                   "screen", "internet", "heavy", "regular", "frequent", "excessive", "good",
                   "little"), "Y UW1 S"),
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
                     "range", "relationship", "with", "attention", "eye", "relationships",
                     "bond", "bonds", "knit", "contact", "circle", "ties", "ones", "people",
                     "proximity", "connection", "connections"), "K L OW1 S"),
            (lambda context: not context.next and context.last in _CLOSE_BEHIND, "K L OW1 S"),
            (after("very", "so", "too", "pretty", "really", "quite", "as", "how", "is", "are",
                   "was", "were", "be", "been", "get", "gets", "got", "getting", "come", "came",
                   "feel", "felt", "stay", "keep", "i'm", "you're", "we're", "they're", "it's",
                   "he's", "she's", "a", "my", "some", "up", "live", "lives", "stood", "hold",
                   "seem", "seems", "seemed", "sound", "sounds", "grow", "grew", "grown",
                   "growing", "super", "incredibly", "extremely"),
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
        ((_is_tear_in_eye, "T IH1 R"),
         (next_is("up", "down", "apart", "off", "it", "them", "the", "into", "out", "open", "away",
                  "this", "that", "myself", "yourself", "me", "you", "in"), "T EH1 R"),
         (is_verb, "T EH1 R")),
        "T IH1 R",
    ),
    "tears": (
        ((_is_down_a_face, "T IH1 R Z"),
         (next_is("up", "down", "apart", "off", "it", "me", "them", "the", "you", "us"),
          "T EH1 R Z")),
        "T IH1 R Z",
    ),
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
    if word in STRESS_PAIRS:
        noun, verb, usual = STRESS_PAIRS[word]
        return tuple((verb if _is_pair_verb(word, usual, context) else noun).split())
    stem = word[:-1]
    if word.endswith("s") and stem in STRESS_PAIRS:
        noun, verb, _ = STRESS_PAIRS[stem]
        is_third = context.last in SUBJECTS_3 and context.last not in DETERMINERS
        phones = tuple((verb if is_third else noun).split())
        return (*phones, *ending_s(phones))
    return ()


def _is_pair_verb(word: str, usual: str, context: Context) -> bool:
    if is_verb(context):
        return True
    if is_noun(context):
        return False
    return usual == "verb" or next_is_object(context) or context.next in FOLLOWED.get(word, ())
