"""Hear what a caller has made up their mind to do, and meet it warmly.

"I think I'll ring her tomorrow and say it straight" is where a talk has led to: "Go on." to that is
no answer, and whether it is right is not the avatar's to say. Only what is the caller's own and
meant counts: no wish, no fear, no plan for the evening. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

# Hard to say or to do; settled; only thought of; done at last.
Step: TypeAlias = Literal["daring", "decided", "maybe", "done"]

SAYINGS: Final[Mapping[Step, tuple[str, ...]]] = {
    "daring": (
        "That takes some courage. I hope it goes the way you'd want.",
        "That's a real step. How does it feel to know what you'll do?",
        "I can hear that you mean it. I hope it turns out well.",
        "That won't be easy, and you're doing it. I hope it goes well for you.",
    ),
    "decided": (
        "So that's decided. I hope it turns out the way you'd want.",
        "You've made up your mind, then. How does that feel?",
        "So you know what you'll do. How does it feel now?",
        "I can hear that you mean it. I hope it turns out well.",
    ),
    "maybe": (
        "It sounds as if part of you would like to.",
        "I can hear that you're thinking about it seriously.",
        "That's a thought. How does it feel to picture it?",
        "I like that thought. I hope it turns out well if you do.",
    ),
    "done": (
        "Well done. I'm sure that wasn't easy.",
        "That's done, then. How do you feel now?",
        "That took something. How is it, now that it's done?",
    ),
}
_BETWEEN: Final = r"(?:(?:just|really|actually|finally|definitely|still|then|probably|also) )*"
_GOES: Final = (
    r"(?:(?:go|sit down|knock|ring|call|phone|write|(?:ring|call) (?:him|her|them)|"
    r"go (?:in|up|down|over|round|there|back))(?: \w+){0,4} and )?"
)
_WILL: Final = (
    rf"(?:(?:im|i am|were|we are) {_BETWEEN}(?:not )?(?:going to|gonna)|ill|i will|we will|imma) "
    rf"{_BETWEEN}{_GOES}{_BETWEEN}"
)
_WHOM: Final = (
    r"(?:him|her|them|everyone|everybody|(?:my|our|the) (?!tv|telly|cat|dog|kitchen)\w+(?: \w+)??|"
    r"mum|mom|dad|gran|nan)"
)
# Hard to say, or to do alone.
_DARED: Final = (
    r"(?:say (?:it (?:straight|calmly|to|tomorrow|tonight|anyway|before|plainly|out)\b|no\b|sorry|"
    r"yes\b|something|that i|how i|what i)|apologi[sz]e|own up|come clean|"
    r"ask (?:him|her|them) out\b|go (?:for it|anyway|on my own|alone|by myself)|"
    r"(?:hand|put) in (?:my|our) notice|quit (?:my|the|this)|stand up (?:to|for)|"
    r"face (?:him|her|them|it|my|the)|ask for (?:help|more|a rise|a raise)|"
    rf"tell {_WHOM} (?:straight|to (?:his|her|their) face|(?:that )?i\b|the truth|everything|no\b|"
    r"how|what|it|tomorrow|tonight|today|myself|about it)|"
    rf"ask {_WHOM} (?:if|whether|straight|to (?:stop|turn|move|leave|come|help|stay)|why|out|"
    r"for (?:my|help|more|(?:a )?(?:raise|rise|divorce|chance|break|refund)))|"
    rf"(?:talk|speak) to {_WHOM}(?: (?:about|tomorrow|tonight|today|on|face|properly|instead)|$)|"
    r"give it (?:a go|a try|another (?:go|try))|"
    r"go (?:to|in(?:to)?) (?:the|that) \w+(?: \w+)? (?:on my own|alone|by myself|anyway))"
)
# Only to be done.
_SETTLED: Final = (
    r"(?:sign up|put my name down|(?:book|make) (?:an|the) appointment|"
    r"(?:see|ring|call) (?:the|a|my) (?:doctor|gp|counsell?or|therapist)|get (?:some )?help)"
)
# Told as it happens: "tomorrow im asking her out".
_DOING: Final = (
    r"\b(?:im|i am|were|we are) (?:just |finally |definitely )*(?:handing in my|"
    r"asking (?:him|her|them) (?:out|if|for|tomorrow|tonight)|telling (?:him|her|them|my \w+) "
    r"(?:tomorrow|tonight|today|the|that|on|no)|quitting (?:my|the|on)|moving out (?:on|next|at|"
    r"in|tomorrow)|going anyway|going for it|doing it(?=$| (?:anyway|tomorrow|tonight|this)))"
)
_PATTERNS: Final[Sequence[tuple[Step, re.Pattern[str]]]] = (
    ("done", re.compile(
        r"\b(?:i|ive|we|weve)(?: have)? (?:\w+ )?finally (?:rang|rung|called|told|asked|"
        r"(?:booked|made) (?:an|the) appointment|wrote to|written to|said (?:it|sorry|no|yes)|"
        r"handed in|spoke to|spoken to|apologi[sz]ed|went to see the doctor)\b|"
        r"\bi (?:rang|called|told|asked|wrote to|spoke to)\b(?: \w+){1,9} finally$")),
    ("maybe", re.compile(
        rf"\b(?:maybe|perhaps) (?:ill|i will|im going to|im gonna|i might|i could) {_BETWEEN}"
        rf"(?:{_DARED}|(?:write|text|ask|tell|invite|go|join|try (?:it|that|to|again))\b)|"
        rf"\bi (?:might|may) {_BETWEEN}{_DARED}")),
    ("daring", re.compile(rf"(?<!maybe )(?<!perhaps )\b{_WILL}{_DARED}|{_DOING}")),
    ("decided", re.compile(
        r"\b(?:ive|i have|weve|we have) (?:\w+ )?(?:decided(?=$| im | ill | that i| not | to "
        r"(?!name|call (?:it|the|our|(?:him|her) (?!now|today|tonight|tomorrow|back|and)\w+))\b)|"
        r"made up (?:my|our) minds?\b)|"
        rf"\b{_WILL}{_SETTLED}|\b(?:im|i am) (?:\w+ )?signing up\b|"
        r"\bive thought (?:about it|it over|long)\b.* (?:im (?:going to|gonna)|ill)\b|"
        r"\b(?:my|our) (?:mind is|minds|mind s) made up\b|\bi made up my mind\b|"
        r"\b(?:im|i am|were|we are) (?:just |really )?not (?:going to|gonna) (?:answer|write|call|"
        r"ring|apologi[sz]e|go back|take (?:him|her) back|put up|do (?:it|this|that)|say|stay|"
        r"let (?:him|her|them)|be (?:treated|spoken))\b")),
)  # fmt: skip
# What was only feared, wished, said by others, or is no step but a harm; what is not settled.
_UNREAL: Final = re.compile(
    r"\b(?:if|unless|until|before|when|once|wish|hope|cant|could|should|would|was going|were going|"
    r"havent|not sure|dont know|scared|afraid|used to|says|said|told me|thinks|wants|asked me)\b"
    r"(?:(?! (?:and|but|so) ).)*$"
)
_NEVER: Final = re.compile(
    r"\b(?:pills?|tablets?|meds|medication|medicine|chemo\w*|treatment|insulin|dose|dialysis|"
    r"kill\w*|die|dead|dying|hit|punch|hurt|burn|gun|knife|end (?:it|things|everything|my)|goodbye|"
    r"give up|giving up|disappear|drink\w*|drunk|bet|betting|casino|drugs?|starve|fast|eating|"
    r"mad|sick|funeral|my will)\b"
)
_SENTENCES: Final = re.compile(r"[^.!?:;]*\w[^.!?:;]*[.!?:;]*")
_LAST: Final = 3  # sentences of a turn, in which what it comes to is said


def find_step(text: str) -> Step | None:
    """Return what a caller says that they will do, or did at last; None where they do not."""
    for behind, sentence in enumerate(reversed(_SENTENCES.findall(text)[-_LAST:])):
        words = " ".join(words_of(sentence))
        if sentence.rstrip().endswith("?") or _NEVER.search(words) or is_reported(sentence):
            continue
        for step, pattern in _PATTERNS:
            found = pattern.search(words)
            is_over = step == "done" and behind > 0  # how it went is told behind it
            if found and not is_over and not _UNREAL.search(words[: found.start()]):
                return step
    return None


def meet_step(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: none is taken.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    step = find_step(text)
    return unsaid(SAYINGS[step], text, own) if step else ""
