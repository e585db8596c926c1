"""Hear what is told by the way of somebody who needs a doctor at once.

What was taken, together with what it does now, is an overdose; some signs by themselves are an
emergency, also where the curry is blamed. Ailments, a visit to the dentist and what an animal has
are none. Knows no reply.
"""

from typing import Final

from rt_avatar.engines.word_set import any_of
from rt_avatar.reasoner.danger.emergency import Urgent

_TAKEN: Final = any_of(
    r"(?:took|taken|taking|had|swallowed|necked|popped|did|mixed|put on|got at|got into|nibbled|"
    r"ate)"
    r"(?: \w+){0,6}? (?:tablets?|pills?|paracetamol|painkillers?|meds|medication|medicine|patches|"
    r"insulin|drops|sleepers|sleeping (?:ones|tablets|pills)|antidepressants|codeine|morphine|"
    r"lines|"
    r"edibles?|gummies|mushrooms|ket|xanax|benzos|mdma|pingers|speed|coke|spice|berries)\b"
    r"(?! for my \w+ and they help)",
    r"(?:took|taken) (?:something|some stuff|a lot of (?:something|stuff)|some(?: \w+){0,3} stuff|"
    r"more than)\b(?! (?:from|off|out of|to|back|home)\b)",
    r"(?:doubled|twice)(?: \w+){0,3} (?:insulin|tablets|pills|dose|meds)\b",
)  # fmt: skip
_DOES: Final = any_of(
    r"(?:spinning|floaty|floppy|nodding off|talking (?:rubbish|nonsense|gibberish)|sweating|"
    r"burning "
    r"up|boiling hot|throwing up|drooling|twitching|slurring|confused|shaking and|hallucinat\w+)\b",
    r"(?:cant|hardly|barely) (?:feel|see straight|stand|keep (?:my|his|her) eyes|swallow|wake)\b",
    r"(?:hard to wake|wont wake|pupils|strange colour|breathing is|breathing (?:funny|slow\w*))\b",
    r"(?:snoring|breathing|breathes) (?:\w+ )?(?:loud|strange\w*|weird\w*|funny|slow\w*)\b",
    r"heart (?:is |s |goes |going |is going |beats )+(?:\w+ )?(?:like|mad|racing|crazy|jumping|"
    r"pounding|funny)\b",
    r"(?:ears?)(?: \w+){0,3} ringing\b", r"(?:eyes|skin)(?: \w+){0,3} yellow\b",
    r"(?:mouth|mouths|lips|tongue|face|legs?|arms?)(?: \w+){0,3} (?:numb|blue|swollen|tingl\w+)\b",
    r"(?:see|seeing) (?:things|double)\b", r"been sick (?:and|twice|three)\b",
    r"(?:everythings|everything has|everything is) (?:gone |going )?(?:soft|blurry|fuzzy|slow)\b",
)  # fmt: skip
_SIGNS: Final = any_of(
    r"(?:arm|hand|leg|side|face|mouth)\b.{0,25}\b(?:numb|to sleep|weak|heavy|droop\w*|"
    r"dropp\w*)\b.{0,30}"
    r"\b(?:tongue|speech|words|talk\w*|face|mouth)\b",
    r"(?:mouth|face|eyelid)(?: \w+){0,3} (?:droop\w*|dropp\w*|hanging)\b",
    r"(?:one|left|right) side of (?:me|my (?:body|face)|him|her) (?:has |is |s |feels )?(?:gone |"
    r"all "
    r"|a bit )*(?:weak|numb|dead|heavy|funny|limp|tingly)\b",
    r"elephant (?:\w+ ){0,2}?(?:sat |sitting |standing )?on (?:me|my chest)\b",
    r"(?:baby|bump|little one)(?:s)? (?:hasnt|has not|isnt|not|stopped|hardly|barely) (?:been "
    r")?(?:mov(?:ed|ing)|kick(?:ed|ing))\b.{0,25}\b(?:since|today|in my|for|all day|"
    r"much)\b(?! (?:of|"
    r"into|up)\b)",
    r"(?:hit|banged|knocked|bumped|cracked) (?:my|his|her) head\b.{0,50}\b(?:keeps? being sick|"
    r"being "
    r"sick|throwing up|vomit\w*|(?:seeing|sees?) double|confused|so sleepy|cant remember|blurry)\b",
    r"rash\b.{0,30}\b(?:doesnt|dont|wont|didnt) (?:go|fade|disappear)\b.{0,20}\b(?:press|glass)\b",
    r"(?:passing|pooing|bringing up|brought up|coughing up|throwing up|vomiting|peeing|spitting) "
    r"(?:\w+ )?(?:black (?:stuff|poo|stools?)|blood|coffee grounds|tar)\b",
    r"(?:little one|baby|toddler|son|daughter)(?: has|s|is)? (?:gone )?(?:all )?(?:floppy|limp)\b"
    r"(?! with)",
    r"stiff neck\b.{0,50}\b(?:light|rash|spot\w*)\b|neck wont bend\b",
)  # fmt: skip
_NONE: Final = any_of(
    r"(?:dentist|washing powder|slept on it|book|film|concert|fridge|years? ago|when i was|vet|"
    r"glasses|penalty|scan|appointment|(?:the|my|our) (?:dog|cat|puppy|kitten|rabbit))\b"
)


def find_symptoms(words: str) -> Urgent | None:
    """Return what somebody needs a doctor at once for; None: for nothing.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    if _NONE.search(words):
        return None
    if _TAKEN.search(words) and _DOES.search(words):
        return "overdose"
    return "emergency" if _SIGNS.search(words) else None
