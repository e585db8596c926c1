"""Phrase banks of the rule-based reasoner, by emotion.

Spoken English, contractions, no advice. ``{event}`` is "you lost your job", ``{noun}`` "your job",
``{feel}`` a word for the feeling. Data only; ``composing`` chooses and fills in.
"""

from collections.abc import Mapping
from typing import Final

from rt_avatar.engines.emotion_words import Fine
from rt_avatar.reasoner.listener import phrases_good as good
from rt_avatar.reasoner.listener import phrases_hard as hard
from rt_avatar.reasoner.listener.bank import Bank

# Two or three ways to say each feeling after "you're feeling …" / "you feel …".
FEELS: Final[Mapping[Fine, tuple[str, ...]]] = {
    "surprised": ("surprised", "caught off guard"),
    "excited": ("excited", "thrilled"),
    "angry": ("angry", "upset"),
    "proud": ("proud", "pleased"),
    "sad": ("sad", "down", "low"),
    "annoyed": ("annoyed", "fed up", "frustrated"),
    "grateful": ("grateful", "thankful"),
    "lonely": ("lonely", "alone"),
    "afraid": ("scared", "afraid"),
    "terrified": ("terrified", "frightened"),
    "guilty": ("guilty", "bad about it"),
    "impressed": ("impressed", "amazed"),
    "disgusted": ("disgusted", "grossed out"),
    "hopeful": ("hopeful", "quite hopeful"),
    "confident": ("confident", "sure of yourself"),
    "furious": ("furious", "so angry"),
    "anxious": ("anxious", "nervous", "worried"),
    "anticipating": ("full of anticipation", "eager"),
    "joyful": ("happy", "full of joy"),
    "nostalgic": ("nostalgic", "a little wistful"),
    "disappointed": ("disappointed", "let down"),
    "prepared": ("ready", "well prepared"),
    "jealous": ("a bit jealous", "envious"),
    "content": ("content", "at peace"),
    "devastated": ("heartbroken", "devastated"),
    "embarrassed": ("embarrassed", "pretty awkward"),
    "caring": ("caring", "full of care"),
    "sentimental": ("sentimental", "moved"),
    "trusting": ("trusting", "able to rely on someone"),
    "ashamed": ("ashamed", "hard on yourself"),
    "apprehensive": ("unsure", "uneasy"),
    "faithful": ("committed", "loyal"),
}

OPEN: Final = Bank(
    goal="to show interest and find out how they feel",
    react=("I see.", "Mm, I hear you.", "Okay.", "Thanks for sharing that.", "I'm listening."),
    event=("So {event}.", "{event}, I see."),
    noun=("So it's about {noun}.", "You mentioned {noun}.", "{noun}, I see."),
    bare=("I'd like to understand that better.", "I'm with you.", "Take your time with it."),
    ask=(
        "How do you feel about that?",
        "What's that like for you?",
        "Can you tell me a bit more?",
        "What matters most to you in that?",
        "How has that been for you lately?",
        "What's on your mind when you think about it?",
    ),
    ask_noun=("How do you feel about {noun}?", "What's going on with {noun}?"),
)

BANKS: Final[Mapping[Fine, Bank]] = {
    "sad": hard.SADNESS,
    "devastated": hard.GRIEF,
    "lonely": hard.LONELINESS,
    "disappointed": hard.LETDOWN,
    "guilty": hard.GUILT,
    "ashamed": hard.GUILT,
    "embarrassed": hard.EMBARRASSMENT,
    "nostalgic": good.MEMORY,
    "sentimental": good.MEMORY,
    "annoyed": hard.ANGER,
    "angry": hard.ANGER,
    "furious": hard.ANGER,
    "afraid": hard.FRIGHT,
    "terrified": hard.FRIGHT,
    "anxious": hard.WORRY,
    "apprehensive": hard.WORRY,
    "jealous": hard.ENVY,
    "disgusted": hard.DISGUST,
    "surprised": good.SURPRISE,
    "impressed": good.SURPRISE,
    "joyful": good.JOY,
    "excited": good.HOPE,
    "proud": good.PRIDE,
    "content": good.PEACE,
    "grateful": good.PEACE,
    "confident": good.READY,
    "prepared": good.READY,
    "hopeful": good.HOPE,
    "anticipating": good.HOPE,
    "caring": good.LOVE,
    "trusting": good.LOVE,
    "faithful": good.LOVE,
}
