"""How what is told is taken: funny, pleasant, a success, unpleasant, or unclear; by its words.

The network of emotions learnt from stories that all have a strong feeling, and hears one in "my
grandson sat down and took his shoes off", too. These words are few and mean one thing each, so that
somebody is cheered or comforted only where they say so. Knows no history but what was laughed at.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

# "cheerful" and "downcast": nothing is said, but the whole talk sounds so.
Mood: TypeAlias = Literal[
    "unclear", "funny", "pleasant", "proud", "unpleasant", "cheerful", "downcast"
]

_FUNNY: Final = re.compile(
    r"\bhilarious\b|\bwith laughter\b|"
    r"\b(?:died|dying|cried|crying|howled|howling|wept) (?:of |with |from )?laugh(?:ing|ter)\b|"
    r"\b(?:laughed|laughing) (?:so|until|till|our|my|all)\b|"
    r"\b(?:we|we all|we both) (?:just |both |all |still )?(?:laughed|had a laugh)\b|"
    r"\bwe \w+(?: \w+){0,5} and laughed\b|"
    r"\b(?:laughed|laugh) like that\b|\b(?:still|keep|kept) laughing\b|"
    r"\b(?:had|have|has) to laugh\b|\bcracked (?:me|us) up\b|\bcracking up\b|\bmade my day\b|"
    r"(?<!not a )(?<!nothing )(?<!anything )\bfunny story\b|"
    r"\b(?:was|is|it's|that's) (?:so |really |very |pretty |quite )?funny\b(?! (?:how|that|what|"
    r"when|though|but|isn't|you|i|we)\b)|\bin stitches\b|"
    r"\bburst out laughing\b|\bcould(?:n't| not) stop laughing\b"
)
# Of others, it may be at somebody: funny where nothing sad was told.
_LAUGHED: Final = re.compile(
    r"\b(?:everybody|everyone|they all|whole \w+|all of them) (?:was |were |started )?"
    r"(?:laughed|laughing)\b(?! at)|\bteasing me\b|\bgiggl\w+"
)
_GLAD: Final = re.compile(
    r"\b(?:lovely|wonderful\w*|brilliant\w*|fantastic|amazing|gorgeous|delicious|beautiful\w*|"
    r"great(?! (?:deal|many|big|long|aunt|uncle|grand\w+)\b|-)|perfect|magical|marvellous|"
    r"so happy|very happy|happiest|delighted|thrilled|so excited|so relieved|"
    r"what a relief|such a relief|so proud|very proud|"
    r"rather proud|so much fun|great fun|so nice|"
    r"such a (?:good|nice|great) \w+|"
    r"(?:stranger|somebody|someone|lady|lad|neighbou?rs?) (?:just )?(?:paid for my|helped me|"
    r"carried my|ran after me|gave up (?:his|her) seat)|"
    r"really nice|very nice|in love|so sweet|so cute|adorable|"
    r"(?:was|is|it's|that's|were) (?:quite |pretty )?nice|(?:really|so|very) kind|"
    r"worth it|good tears|"
    r"can't wait(?! (?:much|any)\b)|looking forward|loved (?:it|every|that(?! \w+ more\b))|"
    r"love (?:it|that(?! \w+ more\b))|enjoyed|(?<!when he )(?<!when she )hugged (?:me|us)|"
    r"best (?:\w+ ){1,3}(?:ever|in ages|in years|i've|we've|of my life)|over the moon|good news)\b"
)
_DONE: Final = re.compile(
    r"\b(?:passed (?:it|(?:my|the) (?:\w+ )?(?:exams?|tests?|driving|finals|interview|course))|"
    r"i passed(?=$| [.]| i'm| and| with| at last| finally)|i'm (?:actually|finally|officially) an? "
    r"\w+|(?:i|we) (?:(?:finally|actually) )?(?:won(?!'| the (?:argument|fight|row))|"
    r"made it(?! (?:myself|with|from|for|all up|worse|hard|clear|out of)\b| up(?! the| to| there))|"
    r"managed(?! to (?:lose|break|drop|burn|spill|ruin|forget|miss|upset|hurt)| without| for| by)|"
    r"finished(?! (?:work|late|early|at|with|off|him|her)\b))|"
    r"(?:i|we) (?:finally|actually) did it|(?:^|[.] |and |then )(?:i|we) did it(?=$| [.]| i | we )|"
    r"got the (?:job|place|part|flat|promotion)"
    r"(?! (?:of|where|how|ready|back|all|\w+ed)\b| t[iy]re)|"
    r"without (?:one|a single|any) mistakes?|my (?:very )?first (?:honey|marathon|solo|medal|prize|"
    r"goal|harvest|book|painting|loaf|song)|personal best|graduated|well done|"
    r"it actually (?:rose|worked|grew)|sang it well|on my own for the first time|i was brave)\b"
)
_SAD: Final = re.compile(
    r"\b(?:awful\w*|terribl[ey]|horribl[ey]|humiliat\w+|hate|hates|hated|worse|worst|hurts?|"
    r"hurting|lonely|scared|afraid|frightened|terrified|dreading|ashamed|guilty|abandon\w*|sick|"
    r"died|dying|fight|fighting|(?:yelled|shouted) at|disappoint\w*|worried|worry|worries|"
    r"can't sleep|hardly (?:sleep|slept)|exhausted|miss (?:him|her|them|my|it|you)|"
    r"divorce\w*|moving out|moved out|failed|broke (?:my|his|her|down|up)|broken|never forgive|"
    r"unfair|nobody (?:cares|asks|called|came)|heartbr\w+|nightmare|panic\w*|upset|"
    r"depress\w+|ungrateful|hopeless|struggl\w+|painful|stressful|fed up|burgled|robbed|"
    r"was a mistake|fell through|cancelled|(?:call|called) it off|changed (?:his|her|their) "
    r"minds?|pulled out|stopped (?:answering|calling|talking)|turned (?:me|us) down|in hospital|"
    r"collapsed)\b"
)
_TEARS: Final = re.compile(r"\b(?:cried|cry|crying(?! with)|in tears)\b")
# Nothing but a word of praise: behind bad luck it means the contrary.
_PRAISE_ALONE: Final = re.compile(
    r"^(?:(?:so|oh|well|and|just|yeah|right|that's|it's|this is|how|what a|absolutely|all) )*"
    r"(?:great|wonderful|brilliant|fantastic|perfect|lovely|amazing|marvellous)"
    r"(?: (?:start|day|week|timing|news|that is|isn't it|then))*$"
)
# Laughs while it is told: funny or bitter, but hardly sunk in grief.
_LAUGHS: Final = re.compile(r"\b(?:lol|lmao|haha(?:ha)*|hehe)\b")
# Who was laughed at.
_SHAMED: Final = re.compile(
    r"\b(?:my face|i) (?:\w+ )?(?:went|turned) (?:bright )?red\b|\bfloor to (?:open|swallow)|"
    r"\bto disappear\b|\bmortified\b|\bembarrass\w+|\bstung\b|\blaughed at me\b"
)
# Between what was so at first and what came then.
_TURN: Final = re.compile(
    r"\b(?:and (?:now|today|still)|then|until|till|now|today|except|though)\b| [.] "
)
# What came between, and what could not be, did not come or was not done.
_TAKEN_BACK: Final = re.compile(
    r"^(?: \w+)?? (?:until|till) (?:i|we|he|she|it|they|my|our|the (?!(?:end|morning|early|small|"
    r"next)\b)|\w+ (?:came|turned|rang|called|started|said|walked))\b|"
    r"(?: [.] |\b(?:and|then|now) )(?:\w+ ){0,4}?(?:(?:i|we) (?:just |still |then )?(?:can't|"
    r"couldn't)|couldn't|(?:he|she|they|it|my \w+) (?:\w+ )?(?:didn't|doesn't|won't|wouldn't|"
    r"hasn't|haven't)|(?:have|had|got|with) nobody|(?:nobody|no one) (?:came|rang|called|asked|"
    r"spoke|noticed|said))\b(?! (?:\w+ )?(?:believe|stop|wait|thank|get enough|complain|mind|want|"
    r"regret|miss|need|know|care|matter|hurt|forget|tire|thought|think|expect\w*|been|felt|"
    r"laughed|seen|heard|tasted))"
)
# Tears and shaking that are of joy.
_HAPPILY: Final = re.compile(
    r"\b(?:happy|joyful|good) (?:cry|cries|crying|cried|tears|sobbing|scared|nervous|terrified)\b|"
    r"\b(?:cry|cries|crying|cried|tears|wept|weeping|sobbed|sobbing|shaking)(?: \w+)?? "
    r"(?:of|for|with|from|out of) (?:pure |sheer )?(?:joy|happiness|relief|pride)\b|"
    r"\b(?:cry|crying|cried|tears|sobbed|sobbing|scared|nervous|terrified|shaking)"
    r"(?: (?!not|never)\w+)?(?: it's| it was| they're)?(?: in)? (?:a|the) (?:really |very )?"
    r"(?:good|best|happy|nice) (?:way|kind|sort|ones?)\b|"
    r"\b(?:crying and laughing|laughing and crying|(?:cried and|cried then) laughed|"
    r"laughed and cried)\b"
)
# What was feared or not liked before, and what others do not like.
_NO_MORE: Final = re.compile(
    r"\b(?:i'd|i had|we'd|we had) (?:\w+ )?been (?:\w+ ){0,2}?(?:afraid|scared|frightened|worried|"
    r"terrified|dreading)\b|\bi (?:thought|was sure) (?:i'd|i would|we'd) (?:hate|fail|miss)\b|"
    r"\b(?:i|we) used to (?:hate|dread|worry|be (?:\w+ )?(?:afraid|scared|terrified|ashamed))\b|"
    r"\b(?!i\b|we\b|who\b|and\b)\w+ (?:would )?(?:hates?|hated) "
    r"(?!me\b|us\b|my\b|our\b|him\b|her\b|them\b|it\b)(?=\w)|"
    r"\b(?:he|she|they)'d hate\b|\bworst case\b"
)
# What somebody else finds or wants said, and what is no more than how.
_NOT_THEIRS: Final = re.compile(
    r"\b(?!i\b|we\b)\w+ (?:all |just )?(?:thinks?|finds?|found|thought|says?|said) (?:it|it's|"
    r"it was|that's|this|me) (?:is |was )?(?:so |really |all )?(?:hilarious|funny|great fun)\b|"
    r"\bgrounds for divorce\b|"
    r"\b(?:say|saying|said) something \w+|\b(?:told|tell|telling|tells) (?:me|us|him|her) how \w+|"
    r"\bperfectly (?:normal|calm|well|fine|clear|all right|honest|healthy)\b"
)
_RATHER_THAN: Final = re.compile(r"\bmore (\w+) than \w+")  # "more excited than scared"
_BUT: Final = re.compile(r"^.*\bbut (?=(?:\S+ ){2})")
_NEGATED: Final = re.compile(
    r"(?:\b(?:not|no|never|nobody|hardly|isn't|wasn't|aren't|weren't|don't|didn't|doesn't|won't|can't|"
    r"couldn't|nothing)(?: \w+){0,2}) $"
)

_RATHER: Final = 0.6  # pleasure from which tears may be good ones
_GLADLY: Final = 0.7  # the same, of what was told before them
_PLAINLY: Final = 0.85  # pleasure from which a whole talk sounds so; of 1 less this, the contrary


def leaning(said: Sequence[str], pleasure: float, before: float) -> Mood:
    """Return how a turn is taken, or where that is unclear what all that was said sounds like.

    Whom something sad does not make sad by all that they said may weep for joy, and who calls
    nothing but bad luck wonderful does not mean it.

    Args:
        said: As for ``mood_of``.
        pleasure: 0 to 1, by the network of emotions, of these turns.
        before: The same, of these turns without the last one.
    """
    mood, last = mood_of(said), _plain(said[-1])
    if mood == "unpleasant":
        weeps = _says(_TEARS, last)[0] and not _says(_SAD, last)[0]
        is_glad = before >= _GLADLY or (said[1:] and mood_of(said[:-1]) in ("pleasant", "proud"))
        return "unclear" if pleasure >= _RATHER or (weeps and is_glad) else mood
    is_praise_alone = bool(_PRAISE_ALONE.search(last.replace(" .", "")))
    if mood == "pleasant" and before <= 1 - _RATHER and is_praise_alone:
        return "downcast"
    if mood != "unclear" or 1 - _PLAINLY < pleasure < _PLAINLY:
        return mood
    if pleasure >= _PLAINLY:
        return "cheerful"
    return "unclear" if _LAUGHS.search(last) else "downcast"


def is_amused(said: Sequence[str]) -> bool:
    """Whether somebody tells, or told in these turns, that it was laughed about."""
    texts = [_plain(text) for text in said]
    is_sad = any(_is_sad(text)[0] or _SHAMED.search(text) for text in texts)
    patterns = (_FUNNY,) if is_sad else (_FUNNY, _LAUGHED)
    return any(_says(pattern, text)[0] for pattern in patterns for text in texts)


def mood_of(said: Sequence[str]) -> Mood:
    """Return how a turn is taken.

    Args:
        said: The caller's last turns, the oldest first; the last one decides, by what it ends with,
            and what was laughed about before it stays funny where nothing sad is told.
    """
    last = _BUT.sub("", _plain(said[-1]))  # the point comes behind it
    is_glad, is_not_glad = _says(_GLAD, last)
    is_done, _ = _says(_DONE, last)
    is_sad, is_not_sad = _is_sad(last)
    ends = _ending(last) if is_sad else 0
    is_sad = is_sad or is_not_glad
    if (_says(_FUNNY, last)[0] and ends >= 0) or (is_amused(said) and not is_sad):
        return "funny"
    if is_sad and (is_glad or is_done):
        return "pleasant" if ends > 0 else "unpleasant" if ends < 0 else "unclear"
    if is_sad:
        return "unpleasant"
    if (is_done or is_glad) and _is_taken_back(last):
        return "unclear"
    if is_done:
        return "proud"
    return "pleasant" if is_glad and not is_not_sad else "unclear"


def _ending(text: str) -> int:
    """Return whether something sad came after what was good, -1, or before it, 1; 0: neither."""
    good = _told_last(text, _FUNNY, _GLAD, _DONE)
    bad = _told_last(text, _SAD, _TEARS)
    if good is None or bad is None:
        return 0
    first, then = sorted((good, bad), key=lambda found: found.start())
    if not _TURN.search(text[first.end() : then.start()]):
        return 0
    return 1 if then is good else -1


def _is_taken_back(text: str) -> bool:
    """Whether something good is told first, and then what became of it, or what is missing."""
    good = _told_last(text, _GLAD, _DONE)
    return good is not None and bool(_TAKEN_BACK.search(text[good.end() :]))


def _told_last(text: str, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    """Return the last place that says one of these, and does not deny it."""
    found = [one for pattern in patterns for one in pattern.finditer(text)]
    told = [one for one in found if not _NEGATED.search(text[: one.start()])]
    return max(told, key=lambda one: one.start(), default=None)


def _plain(text: str) -> str:
    """Return the words, and " . " between sentences: what is denied in one is said in the next."""
    found = re.findall(r"[^\W_]+(?:['-][^\W_]+)*|[.!?;]+", text.casefold())
    words = " ".join(one if one[0].isalnum() else "." for one in found).strip(" .")
    words = _NOT_THEIRS.sub(" ", words)
    words, of_joy = _HAPPILY.subn(" so happy ", words)
    words = _NO_MORE.sub(" ", _TEARS.sub(" ", words) if of_joy else words)
    return _RATHER_THAN.sub(r"so \1", " ".join(words.split()))


def _is_sad(text: str) -> tuple[bool, bool]:
    """Return whether something sad is said, or somebody weeps, and whether it is denied."""
    is_sad, is_not_sad = zip(_says(_SAD, text), _says(_TEARS, text), strict=True)
    return any(is_sad), any(is_not_sad)


def _says(pattern: re.Pattern[str], text: str) -> tuple[bool, bool]:
    """Return whether something is said, and whether it is denied."""
    denied = [bool(_NEGATED.search(text[: found.start()])) for found in pattern.finditer(text)]
    return not all(denied), any(denied)
