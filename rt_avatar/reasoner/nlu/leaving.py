"""Notice that a caller takes leave: by the word for it, by what calls them away, or by both.

"I'd better get on, the kids are up" ends a call as "bye" does; "she never says bye" does not. What
others say is no leave of the caller's, nor what they told of going.
"""

import re
from typing import Final

from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.steps import find_step

_LONGEST: Final = 14  # words of a sentence that takes leave
_BEHIND: Final = 2  # sentences that may stand behind it: thanks, a name, a reason
_LONGEST_BEHIND: Final = 9  # words of one of them
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_PIECES: Final = re.compile(r"[,;:]|\s-+\s|\s(?:so|and)\s|\s(?=but\s)")
_LEADS: Final = (
    r"^(?:(?:well|so|oh|ok|okay|anyway|anyhow|anyways|right|and|then|but|sorry|listen|look|hey|"
    r"yeah|yes|no|thats|all|fine|good|now|gosh|for now|thanks|thank you|you too|just|lol|haha) )*"
)
_HAVE: Final = (
    r"(?:i(?:d| had)? (?:better|best)|i should(?: really)?|i must|i(?: really)? (?:need|have|"
    r"ought) to|ive (?:really )?(?:got|gotta) ?(?:to)?|i got to|i gotta|gotta|got to|have to|"
    r"better|best|must|"
    r"im (?:going to|gonna)|i am going to|i think i should)"
)
# Behind "go": nothing, or why; "I have to go to work tomorrow" is told.
_NOW: Final = (
    r"(?:$| (?:now|then|soon|ava|bye|cheers|thanks|thank|sorry|my|the|its|hes|shes|theyre|"
    r"because|so)\b(?! (?:to|and|but)\b))"
)
# The words for it: enough by themselves.
_LEAVES: Final = re.compile(
    rf"{_LEADS}(?:"
    rf"{_HAVE} (?:be )?(?:just )?(?:go(?:ing)?|run|dash|get (?:going|on)){_NOW}|"
    rf"(?:{_HAVE}|(?:i think )?ill) (?:(?:be|head|shoot) off|hang up|ring off|"
    rf"get off the (?:phone|line)|stop here|leave it (?:there|at that|here)|"
    rf"say (?:bye|goodbye|good ?night)){_NOW}|"
    r"(?:ill|i should|id better|let me|better) let you (?:go|get on|be)\b|"
    r"i (?:wont|mustnt|shouldnt|dont want to) keep you(?: \w+){0,2}$|"
    r"(?:(?:ill|we|ill) )?(?:talk|speak|chat|catch)(?: to)?(?: you)? (?:again )?"
    r"(?:soon|later|tomorrow|next (?:week|time))$|"
    r"thats me(?: (?:then|done))?(?: for (?:now|today|tonight))$|thats me (?:then|done)$|"
    r"(?:i )?(?:ill|might|may|will) (?:ring|call|phone) you(?: again)?"
    r"(?: (?:soon|later|tomorrow|next (?:week|time)))?$|"
    r"(?:see|hear) (?:you|ya)(?: (?:soon|later|tomorrow|around))?(?: (?:then|ava|love))*$|"
    r"(?:same time|until|till) (?:tomorrow|next (?:week|time)|then)\b|"
    r"(?:bye|bye bye|goodbye|cheerio|ciao|ta ta|ta ra|toodle\w*|so long|farewell)"
    r"(?: (?:bye|then|now|for now|ava|love|dear|and thanks?|and thank you|everyone))*$|"
    r"(?:night|night night|nighty night|nite)(?: (?:night|then|ava|love|dear|and thanks?))*$)"
)  # fmt: skip
# What calls them away: enough with a word that one ends with, before or behind.
_CALLED: Final = re.compile(
    rf"{_LEADS}(?:"
    rf"(?:{_HAVE} )(?:go|get|start|make|put|be|head|run|crack|pop|see to|feed|let)\b"
    r"(?! (?:used|rid|over|through|better|away with|out of|my life|a (?:job|divorce|lawyer)))|"
    r"im (?:just )?off\b|im (?:going|putting|getting)\b|"
    r"(?:(?:my|the|our) \w+(?: \w+)?(?: is| are|s| has)?|thats (?:my|the) \w+|\w+s) "
    r"(?:wants|calling|ringing|ready|here|outside|waiting|coming|boiling|up|back|next|over)\b|"
    r"thats (?:my|the) (?:\w+ )?(?:bus|train|taxi|stop|kettle|phone|door|doorbell|bell|timer|"
    r"dinner|tea|lunch|break|oven|lift|ride)\b|"
    r"(?:my|the) (?:bus|train|taxi|cab|stop|lift|ride|break|shift|dinner|battery)s? "
    r"(?:is |s )?(?:here|next|over|outside|starting|nearly|almost|dying|flat)\b)"
)  # fmt: skip
_ENDS: Final = re.compile(
    r"^(?:(?:right|well|ok|okay|anyway|anyhow|oh) )*(?:right|anyway|anyhow)\b|"
    r"\b(?:thanks|thank you|cheers|bless you|ta)(?: \w+){0,3}$|"
    r"\b(?:thanks|thank you|cheers)(?: so much| very much)? for (?:\w+ ){0,2}"
    r"(?:listening|letting|the (?:chat|talk|company)|your (?:time|company)|talking|hearing|"
    r"being|keeping|tonight|today|this|that)\b"
)
THANKS_FOR_IT: Final = re.compile(
    r"\b(?:thanks|thank you|cheers)(?: so much| very much| again)? for (?:\w+ ){0,2}"
    r"(?:listening|letting me|the (?:chat|talk|company)|your (?:time|company)|talking|hearing me|"
    r"being (?:here|there)|keeping me)\b"
)
_GOES_ON: Final = re.compile(r"^(?:and |but )*(?:he|she|they|we|it|hes|shes|theyre) ")
_BUT: Final = re.compile(r"(?:but|or)\b(?! (?:thanks|thank))")
_OTHERS: Final = re.compile(
    r"\b(?:say|says|said|saying|goes|told|tells|asked|wrote|texted|when|if|before|until i|"
    r"because i|that i|used to|dont want to|cant)\b"
)


def takes_leave(text: str) -> bool:
    """Whether a turn ends with its speaker's taking leave."""
    sentences = _SENTENCES.findall(text)
    for behind in range(min(_BEHIND + 1, len(sentences))):
        at = len(sentences) - 1 - behind
        if _leaves(sentences[at]) or (
            _is_called(sentences[at]) and _is_ended(sentences[at:], sentences[:at])
        ):
            return True
        words = words_of(sentences[at])
        if len(words) > _LONGEST_BEHIND or "?" in sentences[at] or _GOES_ON.search(" ".join(words)):
            return False
    return False


def _leaves(sentence: str) -> bool:
    return _found(_LEAVES, sentence)


def _is_called(sentence: str) -> bool:
    return "?" not in sentence and _found(_CALLED, sentence) and find_step(sentence) is None


def _found(pattern: re.Pattern[str], sentence: str) -> bool:
    """Whether a piece of a sentence begins with it, and it is the caller's own."""
    if is_reported(sentence):
        return False
    pieces = [piece for piece in _PIECES.split(sentence) if words_of(piece)]
    for at, piece in enumerate(pieces):
        words = words_of(piece)
        joined = " ".join(words)
        before = " ".join(words_of(" ".join(pieces[:at])))
        behind = " ".join(words_of(" ".join(pieces[at + 1 : at + 2])))
        if _OTHERS.search(before) or _BUT.match(behind):
            continue
        if len(words) <= _LONGEST and pattern.search(joined) and not _OTHERS.search(joined):
            return True
    return False


def _is_ended(last: list[str], before: list[str]) -> bool:
    """Whether what calls them away stands beside a word that one ends with."""
    joined = " ".join(" ".join(words_of(one)) for one in last)
    ahead = " ".join(words_of(before[-1])) if before else ""
    return bool(_ENDS.search(joined) or THANKS_FOR_IT.search(ahead))
