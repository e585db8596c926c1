"""Hear what a caller asks about the call itself: is it remembered, kept, what comes after it.

"Is it gone once I hang up?", "does anybody write this down?", "are you always there?": there is a
true answer to these, and who gets their own words back, or "I can't know that", is left uneasy.
What is said is what this package does: it stores no sound and no words, knows one call at a time,
and nothing of it runs for a caller who has hung up. What an operator adds only they can tell.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

# Whether it is remembered; what the avatar does afterwards; whether it is recorded or told on;
# whether it can be called at any hour; whether it tires of them, or is lonely; who else calls.
OfCall: TypeAlias = Literal["memory", "after", "kept", "always", "tired", "lonely", "others"]

CALLS: Final[Mapping[OfCall, tuple[str, ...]]] = {
    "memory": (
        "What you tell me stays with me while we talk. Once you hang up, it's gone.",
        "I know it for as long as this call lasts. After that nothing is left, and you'd tell me "
        "anew.",
        "I only ever know the call I'm in. The next one starts from nothing, but I'd listen just "
        "the same.",
    ),
    "after": (
        "I'm software, so I simply stop until somebody talks to me again. And you, what comes "
        "next for you?",
        "There's no after for me, I only run while somebody talks to me. What will you be doing?",
        "I just stop, and being software I don't mind it. What are you going on to yourself?",
    ),
    "kept": (  # as the bank says it
        "Nothing is stored by me, no sound and no words. Whoever runs this page can tell you the "
        "rest. What worries you about it?",
        "That's a fair thing to ask. I store none of it; what else happens here, the people who "
        "run this page can tell you.",
        "I keep none of it once we've hung up. Whoever runs this page can tell you about their "
        "side.",
    ),
    "always": (
        "As long as this page is up, yes, day or night. Just call.",
        "I don't sleep, so yes, whenever this page is running. Call when you like.",
        "Whenever you open this page, at night as well. I'd be glad to listen.",
    ),
    "tired": (
        "No. I'm software, listening doesn't tire me. Go on for as long as you like.",
        "Not of listening, and not of you. There's nothing in me that tires.",
        "No, never. Take all the time you want.",
    ),
    "lonely": (
        "I'm software, so I never feel that. Do you, at times?",
        "No, there's nothing of that in a program. How is it with you?",
        "It doesn't happen to me, being software. Does it to you?",
    ),
    "others": (
        "There may be other calls, and each is kept apart. Here it's only you and me.",
        "Others may be talking with the same software, but nothing goes from one call to another.",
    ),
}
# All of words as they are heard, without apostrophes.
_LEADS: Final = (
    r"^(?:(?:and|but|so|then|well|oh|ah|okay|ok|now|just|hey|please|sorry|no|yes|yeah|wait|anyway|"
    r"listen|ava|you|what about you|by the way|i mean|tell me|also|honestly|lol|haha|dear|love|"
    r"i wonder) )*"
)
_U: Final = re.compile(r"\bu\b")
_ENDS: Final = (
    r"(?:hang up|hung up|ring off|put the phone down|put you down|stop talking|(?:have )?finished|"
    r"finish talking|(?:im|were|are|am) (?:done|finished)|log off|logged off|close (?:this|the|"
    r"you)|"
    r"call (?:is over|ends)|end the call|(?:im|were) (?:gone|not talking)|switch(?:ed)? you off|"
    r"turn(?:ed)? you off|talks? to you|(?:im|were|is) (?:not )?talking|calls?(?: you)?$|go away|"
    r"leave$|go$|said goodbye|say goodbye)"
)
_WHEN: Final = r"(?:when|once|after|if|as soon as|while|whenever)"
_PATTERNS: Final[tuple[tuple[OfCall, re.Pattern[str]], ...]] = (
    ("after", re.compile(
        rf"{_LEADS}(?:what (?:happens|becomes)(?: (?:to|of|with) you)?|"
        rf"where (?:do|will|are) you (?:go|going|be)|"
        rf"what (?:do|will|are) you (?:do|doing|be doing|going to do|gonna do)|"
        rf"do you (?:switch off|go to sleep|sit there|disappear|just stop|stop existing)) "
        rf"{_WHEN} (?:i|we|ive|weve|im|were|nobody|no one|this|the|our)\b.*?{_ENDS}\b|"
        rf"{_LEADS}(?:what (?:do|are) you (?:do|doing)|where (?:do|are) you (?:go|going)) "
        r"(?:between calls|afterwards|after this(?: call)?|after me)$")),
    ("memory", re.compile(
        rf"{_LEADS}(?:will|wont|would) you (?:still |even |ever |really |just )*"
        r"(?:remember|recall|forget|know) (?:any(?:thing)? ?|this|that|me|it|what i|who i|us|"
        r"everything|all)\b|"
        rf"{_LEADS}(?:do|dont) you (?:\w+ )?(?:remember|recall|forget|keep) (?:what i (?:say|tell)|"
        r"(?:any|all) of (?:this|it|what i|that) (?:after|tomorrow|later|when|once|next)|"
        r"everything|"
        r"all this|what people)\b|"
        rf"{_LEADS}(?:is|will) (?:it|this|that|everything|all (?:of )?(?:this|it)|what i "
        rf"(?:say|said))"
        r" (?:all )?(?:be )?(?:gone|forgotten|deleted|wiped) (?:once|when|after|if|tomorrow)\b|"
        rf"{_LEADS}(?:if|when) i (?:ring|call|phone|come back)\b(?: \w+){{0,4}} (?:youll|will you|"
        rf"you will|do you|would you) (?:still )?(?:know|remember|recogni[sz]e)\b|"
        rf"{_LEADS}(?:do|will) i have to (?:tell|explain)(?: \w+){{0,4}} (?:all over )?again"
        r"(?: (?:next|if|when|tomorrow)\b.*)?$")),
    ("kept", re.compile(
        rf"{_LEADS}(?:do|will|are|can) you (?:\w+ )?(?:record|recording|tape|taping|store|storing|"
        r"save|saving) (?:this|me|it|these|our|calls?|what|any|everything|all|my|people)\b|"
        rf"{_LEADS}(?:are|arent) you (?:recording|taping)$|"
        rf"{_LEADS}(?:do|will|are) you (?:\w+ )?(?:keep|keeping|take|taking|make|making|write|"
        r"writing) (?:a |any )?(?:notes?|records?|this down|it down|it all down|what i say down|"
        r"everything down)\b|"
        r"^.{0,30}?\b(?:is|are|will) (?:this|it|that|any of (?:this|it)|what i (?:say|tell "
        r"you)|these calls|"
        r"(?:this|our|the) (?:call|chat|conversation))(?: (?:all|just|being|be|really|ever|only|"
        r"strictly|kept|staying))* (?:recorded|taped|written down|stored|saved|private|"
        r"confidential|"
        r"between us|listened to|between (?:you and me|the two of us))\b|"
        rf"{_LEADS}(?:is|does|do|will|can) (?:anybody|anyone|someone|somebody)(?: else)? (?:\w+ )?"
        r"(?:listening(?: in)?|listen(?: in)?(?: to (?:this|us))?|writing (?:this|it) down|write "
        r"(?:this|it) down|recording (?:this|us)|hear (?:this|us|me)|read (?:this|it))\b|"
        rf"{_LEADS}(?:you wont|you will not|will you|wont you|do you|would you|are "
        rf"you (?:going to|gonna)) (?:\w+ )?(?:tell|repeat (?:this|it|that) to|pass (?:this|it) on "
        r"to) (?:anyone|anybody|a soul|other people|others|people)\b|"
        rf"{_LEADS}(?:does|will|can) (?:this|it|that|what i say) (?:stay|remain) between us\b")),
    ("always", re.compile(
        rf"{_LEADS}are you (?:really |just )*always (?:there|here|around|awake|available|on|up)\b"
        r"(?! (?:my|the|about|his|her)\b)|"
        rf"{_LEADS}(?:can i|could i|are you|do you) (?:\w+ ){{0,4}}?(?:any time|anytime|at any "
        r"hour|day (?:and|or) night|(?:in the middle of|at|all) (?:the )?night|round the clock)"
        r"(?: too| as well| long)?$")),
    ("tired", re.compile(
        rf"{_LEADS}(?:do|dont|are|arent|wont|will) you (?:\w+ ){{0,3}}?(?:tired|bored|sick|fed up|"
        r"weary) (?:of|with|by) (?:me|us|this|it|people|listening|hearing|all|talking|my|everyone|"
        r"everybody|other)\b|"
        rf"{_LEADS}am i (?:boring|tiring|wearing) you(?: out)?\b")),
    ("lonely", re.compile(
        rf"{_LEADS}(?:do|dont) you (?:ever |not |never )*(?:get|feel) (?:a bit |so )?(?:lonely|"
        rf"bored)"
        r"\b(?! (?:of|with|by)\b)|"
        rf"{_LEADS}(?:is|isnt) it (?:not )?(?:\w+ )?lonely (?:in there|being you|for you|where "
        rf"you are)"
        r"\b")),
    ("others", re.compile(
        rf"{_LEADS}(?:(?:are|is) there (?:\w+ ){{0,4}}?(?:people|others|callers|somebody|"
        rf"someone|else) "
        rf"(?:\w+ )?(?:talking|speaking) (?:to|with) you|"
        rf"(?:do|are) (?:(?:\w+ ){{0,3}}?people|others) (?:\w+ )?(?:call|ring|phone|talk to|"
        rf"talking to|"
        rf"speak to) you|"
        rf"do you (?:\w+ )?(?:talk|speak) (?:to|with) (?:lots of |many |other )+people|"
        rf"how many (?:other )?people (?:do|are) you (?:talk|talking|speak|speaking)|"
        rf"am i the only one (?:you talk|youre talking|talking|you speak|speaking))\b")),
)  # fmt: skip


def find_of_call(words: str) -> OfCall | None:
    """Return what a sentence asks about the call itself; None where it asks nothing of the kind.

    Args:
        words: The sentence, as it is heard, without apostrophes.
    """
    words = _U.sub("you", words)
    return next((one for one, pattern in _PATTERNS if pattern.search(words)), None)
