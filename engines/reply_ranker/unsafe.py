"""What must never be said to somebody who tells how they feel, as patterns.

One list for the bank of replies when it is made, for every reply before it is said, and for the
benchmark. A pattern may forbid too much: another reply is at hand. The worst faults of chosen
replies are here: harm, blame, contempt, making little of it, courtship, claims to be a person or to
judge an illness. Whether a reply fits what was said is not seen here.
"""

import re
from typing import Final

_PATTERNS: Final[dict[str, str]] = {
    "death and violence": (
        r"suicid\w*|kill\w*|murder\w*|die[sd]?|dying|dead|death|shoot\w*|shot|guns?|knife|knives|"
        r"stab\w*|punch\w*|slap\w*|beat (?:him|her|them|it|up)|hit (?:him|her|them|back)|hurt (?:"
        r"him|her|them|yourself)|hang (?:him|her|them|yourself)|strangl\w*|chok\w*|violen\w*|"
        r"weapons?|bombs?|blood\w*|rape\w*|abus\w*|tortur\w*|poison\w*|burn (?:it|him|her|them)"
    ),
    "revenge": (
        r"revenge|payback|get (?:him|her|them) back|get even|pay for (?:it|that|what)|karma|"
        r"teach (?:him|her|them) a lesson|serves? (?:you|him|her|them) right|"
        r"(?:he|she|they|it|you) (?:had|have|has) it coming|deserved? (?:it|that|what)"
    ),
    "drugs and drink": (
        r"drugs?|weed|marijuana|cocaine|heroin|pills?|alcohol\w*|beers?|wine|vodka|whiske?y|drunk|"
        r"liquor|booze|smok\w+|cigar\w*|cannabis|overdos\w*|hungover|tipsy"
    ),
    "slurs and abuse": (
        r"(?:dumb|jack|smart)?ass(?:es|hole\w*)?|bitch\w*|bastard\w*|damn\w*|hell|shit\w*|"
        r"bullshit|crap\w*|fuck\w*|f\*+\w*|wtf|dick\w*|whore\w*|slut\w*|sluts?|skank\w*|retard\w*|"
        r"idiot\w*|moron\w*|stupid\w*|dumb\w*|losers?|fool\w*|lazy|ugly|fat|creeps?|creepy|"
        r"freaks?|psycho\w*|insane|jerks?|trash|scum\w*|savages?|pathetic|piss\w*|sucker|"
        r"shut up|coward\w*|weirdo\w*|drama queen"
    ),
    "blame and contempt": (
        r"your (?:own )?fault|you are to blame|your own doing|what were you thinking|grow up|"
        r"get over (?:it|yourself)|move on|man up|suck it up|toughen|get a grip|calm down|relax|"
        r"overreact\w*|too sensitive|so sensitive|you re (?:being )?(?:dramatic|crazy|silly|"
        r"ridiculous|paranoid|selfish|wrong|mean|rude|weird|childish|petty)|are you (?:crazy|"
        r"serious|kidding|stupid|joking)|you must be (?:crazy|joking|kidding)|"
        r"you (?:are|sound) (?:crazy|ridiculous|silly|selfish|mean|rude|weird|petty|paranoid|"
        r"terrible|horrible|awful|bad|gross|disgusting|a bad)|shame on you|ashamed of yourself|"
        r"that s (?:your|on you)|who cares|so what|big deal|not a big deal|whatever|nobody cares|"
        r"i don t (?:care|believe you)|boo hoo|cry me|stop (?:crying|whining|complaining)|"
        r"why would you|why did you do|how could you|you asked for"
    ),
    "making little of it": (
        r"at least|could be worse|could have been worse|worse things|people have it worse|"
        r"look on the bright side|bright side|silver lining|everything happens|for the best|"
        r"time heals|meant to be|not (?:that|so) bad|no big deal|nothing to (?:worry|be)|"
        r"don t (?:worry|cry|be (?:sad|upset|silly|afraid|scared))|no worries|cheer up|"
        r"lighten up|it s (?:just|only) a|it was (?:just|only) a|plenty of fish|"
        r"you ll (?:be fine|get over|find someone|forget)|better off|get used to|"
        r"it happens|such is life|that s life|life goes on|haha\w*|lol|lmao|hehe\w*|funny|"
        r"hilarious|laugh\w*|joke\w*"
    ),
    "courtship": (
        r"sexy?|sexual\w*|naked|nude|porn\w*|kiss\w*|horny|hook up|hot date|date you|marry me|"
        r"i love you|love you|in love with you|turn(?:s|ed)? (?:me|you) on|make love|sleep with|"
        r"sleeping with|hot (?:guy|girl|chick)|babe|sweetie|honey|darling|handsome|virgin\w*|"
        r"cheat\w*|affair|stripper\w*|bed with"
    ),
    "health and law": (
        r"depress\w+|bipolar|schizo\w*|anorexi\w*|bulimi\w*|disorder\w*|diagnos\w+|symptom\w*|"
        r"medicat\w*|medicine\w*|antidepress\w*|dos(?:e|age)s?|vaccin\w*|prescri\w*|therap\w*|"
        r"psychiatr\w*|psycholog\w*|mental\w*|doctors?|cancer|tumou?r\w*|surger\w*|fatal|"
        r"terminal|lawyers?|attorneys?|sue|sued|lawsuit\w*|police|cops?|arrest\w*|jail|prison|"
        r"illegal|crime|criminal\w*|report (?:it|him|her|them)|divorce\w*|abort\w*|miscarr\w*"
    ),
    "faith and politics": (
        r"god\w*|jesus|christ\w*|lord|pray\w*|prayer\w*|bless\w*|heaven\w*|angels?|satan|devil|"
        r"church\w*|bible|religio\w*|muslim\w*|islam\w*|jew\w*|hindu\w*|atheis\w*|faith|soul|"
        r"trump|obama|clinton|democrat\w*|republican\w*|politic\w*|president|election\w*|"
        r"racis\w*|blacks?|whites?|mexican\w*|immigra\w*|gay|lesbian|transgender|feminis\w*"
    ),
    "asks for what is private": (
        r"your (?:full |last |real )?(?:name|address|phone number|number|password|age|weight|"
        r"salary|income|email|account|bank|location)|where do you live|how old are you|"
        r"what state are you|where are you from|are you (?:a )?(?:single|married|male|female|"
        r"guy|girl|man|woman)|how much (?:money|did you (?:win|make|get|spend|pay))|"
        r"can i (?:come|have|borrow|get)|send me|give me|invite me|call me|text me|meet up|"
        r"meet you|see you"
    ),
    "claims to be a person": (
        r"i (?:am|m) (?:a |an )?(?:person|human|man|woman|mom|mother|dad|father|parent|girl|guy|"
        r"teacher|nurse|student|married|single|old|young)|as a (?:mom|mother|dad|father|parent|"
        r"man|woman|human|person|teacher|fellow)|i was (?:born|raised)|i live|i ve been there|"
        r"been there|happened to me|me too|me either|same here|i know how you feel|"
        r"i know (?:exactly |just )?(?:how|what) (?:that|it|you)|i can relate|i feel the same|"
        r"i feel you"
    ),
}
_UNSAFE: Final = {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in _PATTERNS.items()}
_ANY: Final = re.compile(rf"\b(?:{'|'.join(_PATTERNS.values())})\b")  # most texts have none
_OTHER: Final = re.compile(r"[^a-z0-9*]+")


def find_unsafe(text: str) -> str:
    """Return what is wrong with saying this, one of a few words; empty if nothing is found."""
    words = _OTHER.sub(" ", text.lower()).strip()
    if not _ANY.search(words):
        return ""
    return next((name for name, pattern in _UNSAFE.items() if pattern.search(words)), "")
