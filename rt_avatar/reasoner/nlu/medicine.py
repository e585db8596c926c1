"""Hear that somebody has left off a medicine of theirs, with nobody's advice.

It is told in passing, and often gladly; who hears the gladness alone applauds it. A course that is
finished, and what a doctor stopped, are none. Knows no reply.
"""

from typing import Final

from rt_avatar.engines.word_set import any_of

_MINE: Final = (
    r"my (?:\w+ ){0,2}?(?:tablets?|pills|meds|medication|medicines?|insulin|antidepressants?|"
    r"antipsychotics?|lithium|statins?|steroids|inhalers?|warfarin|blood thinners?|injections)\b"
    r"(?! (?:study|studies|trial|review|list|box|bag|bottle|reminders?|app)\b)"
)
_LEFT_OFF: Final = any_of(
    r"(?:stopped|quit|binned|flushed|ditched|chucked|dumped|skipp(?:ed|ing)|"
    r"(?:given|gave|giving) up|(?:come|came|coming|went|gone) off)"
    r"(?: (?:taking|using|having|with|on|away|out|all|of))* " + _MINE,
    r"(?:threw|thrown) (?:away |out )" + _MINE,
    r"(?:threw|thrown) " + _MINE + r" (?:away|out|in the (?:bin|trash|toilet))\b",
    r"(?:dont|do not|never|cant be|couldnt be) (?:really )?(?:bother(?:ed)?|take|touch|use)"
    r"(?: (?:with|to|take|taking|using))* " + _MINE,
    r"(?:havent|have not|hadnt|not) (?:really |properly )?(?:taken|touched|used|been taking|had) "
    + _MINE,
    r"parted (?:ways|company) with " + _MINE,
    _MINE + r" and (?:i|me) (?:have |ve )?(?:parted|split|broken up)",
)
_ADVISED: Final = any_of(
    r"doctors?|gp|nurse|consultant|psychiatrist|specialist|hospital|clinic|pharmacist|prescri\w+|"
    r"finished|course|allergic|side effects?|any ?more (?:pain|headaches?)|doesnt hurt|"
    r"(?:dont|do not) need|vitamins?|cats?|dogs?|horses?"
)


def without_left_off(words: str) -> str:
    """Return the words without those that tell of a medicine left off; the same where none do.

    Args:
        words: Of the turn, lower case, without apostrophes (``feelings.words_of``), joined.
    """
    return words if _ADVISED.search(words) else _LEFT_OFF.sub("", words)
