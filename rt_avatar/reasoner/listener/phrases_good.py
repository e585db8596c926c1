"""Phrases for what is good, moving or surprising. See ``bank.Bank``; data only."""

from typing import Final

from rt_avatar.reasoner.listener.bank import Bank

_ASK_GOOD: Final = (
    "What was the best moment?",
    "How did it feel when it happened?",
    "Who did you tell first?",
    "What makes it so special for you?",
    "What are you looking forward to most now?",
)
_NOUN_GOOD: Final = (
    "I can hear how much {noun} means to you.",
    "It sounds like {noun} has left you feeling {feel}.",
    "So it's about {noun}, and you feel {feel}.",
)
_PERSON_GOOD: Final = (
    "I can hear how much {noun} means to you.",
    "So there's {noun}, and you feel {feel}.",
    "{noun} must be glad to have you.",
)

MEMORY: Final = Bank(
    goal="to dwell with them on what they remember",
    react=(
        "What a memory.",
        "Oh, that's lovely.",
        "I can hear the warmth in that.",
        "Ah, those times.",
    ),
    event=("{event}, and so much came back.", "{event}, and it moved you."),
    noun=(
        "It sounds like {noun} holds a lot for you.",
        "So much comes back with {noun}.",
        "I can hear how dear {noun} is to you.",
    ),
    bare=(
        "It sounds like you're feeling {feel}.",
        "It sounds sweet, and a little sad too.",
        "A part of you would love to be back there.",
    ),
    ask=(
        "What do you remember most clearly?",
        "Who was with you back then?",
        "What do you miss most about it?",
        "What brought it back to you?",
        "What was it like, being there?",
    ),
    ask_noun=("What comes to mind first when you think of {noun}?",),
)
SURPRISE: Final = Bank(
    goal="to share the surprise and ask what it means to them",
    react=("Oh wow!", "Really?", "Wow, I didn't see that coming.", "Goodness!"),
    event=("{event}, just like that!", "{event}, and you felt {feel}."),
    noun=("So {noun} really took you by surprise.", "It sounds like {noun} left you {feel}."),
    bare=(
        "It sounds like it really took you by surprise.",
        "I can hear that you were {feel}.",
        "That's not something you see every day.",
    ),
    ask=(
        "How did it feel in that moment?",
        "What did you do?",
        "What went through your mind?",
        "What struck you the most?",
        "How do you feel about it now?",
    ),
)
JOY: Final = Bank(
    goal="to share their joy and let them savor it",
    react=("Oh, that's wonderful!", "I love hearing that!", "How lovely!", "That's great news!"),
    event=("{event}, that must feel so good!", "{event}! I can hear the smile."),
    noun=_NOUN_GOOD,
    bare=(
        "You sound so {feel}.",
        "I can hear how much this lights you up.",
        "It sounds like your heart's full.",
        "Your excitement is catching.",
    ),
    ask=_ASK_GOOD,
    person=_PERSON_GOOD,
)
PRIDE: Final = Bank(
    goal="to honor what was achieved",
    react=(
        "That's amazing!",
        "Wow, well done!",
        "What an achievement!",
        "Oh, I'm so happy for you!",
    ),
    event=("{event}! That took something.", "{event}, and you can be proud."),
    noun=(
        "I can hear how proud you are of {noun}.",
        "It sounds like {noun} made you really proud.",
    ),
    bare=(
        "You sound so {feel}, and you should.",
        "It sounds like a lot of work went into it.",
        "I can hear how much it means to you.",
    ),
    ask=(
        "What are you most proud of in it?",
        "What did it take to get there?",
        "How did you celebrate?",
        "What was that moment like?",
        "Who did you tell first?",
    ),
)
PEACE: Final = Bank(
    goal="to rest with them in what is good",
    react=("That sounds lovely.", "How nice.", "I'm happy to hear that.", "Oh, that's so good."),
    event=("{event}, and it feels right.", "{event}, and you feel {feel}."),
    noun=_NOUN_GOOD,
    bare=(
        "It sounds like you're feeling {feel}.",
        "There's something so calm in how you say it.",
        "It sounds like things are good right now.",
    ),
    ask=(
        "What do you enjoy the most about it?",
        "What made the difference for you?",
        "What does it mean to you?",
        "How did it come about?",
        "What would you like to keep from this?",
    ),
    person=_PERSON_GOOD,
)
READY: Final = Bank(
    goal="to trust their strength with them",
    react=("That's great to hear.", "Good for you!", "I love that.", "You sound ready."),
    event=("{event}, and you feel {feel}.", "{event}. That's a good feeling."),
    noun=(
        "It sounds like you feel {feel} about {noun}.",
        "It sounds like {noun} is in good hands.",
    ),
    bare=(
        "It sounds like you're feeling {feel}.",
        "I can hear the work behind that.",
        "There's a lot of strength in how you say it.",
    ),
    ask=(
        "What helped you feel this way?",
        "What are you looking forward to?",
        "What has it taken to get here?",
        "How will you know it went well?",
        "What's the next step for you?",
    ),
    person=_PERSON_GOOD,
)
HOPE: Final = Bank(
    goal="to look forward with them",
    react=("Oh, how exciting!", "I love that.", "That sounds so good.", "I can hear the hope."),
    event=("{event}, and now you're {feel}.", "{event}, and there's more to come."),
    noun=("It sounds like you're {feel} about {noun}.", "There's a lot of hope in {noun} for you."),
    bare=(
        "It sounds like you're feeling {feel}.",
        "I can hear how much you're looking forward to it.",
        "It sounds like something good is on its way.",
    ),
    ask=(
        "What are you looking forward to the most?",
        "What would it change for you?",
        "How do you picture it?",
        "What gives you that feeling?",
        "Who will you share it with?",
    ),
    person=_PERSON_GOOD,
)
LOVE: Final = Bank(
    goal="to value the bond they speak of",
    react=(
        "That's beautiful.",
        "That says a lot about you.",
        "How kind.",
        "That really touches me.",
    ),
    event=("{event}, and that's what love looks like.", "{event}, and it matters to you."),
    noun=(
        "I can hear how much {noun} means to you.",
        "There's so much care between you and {noun}.",
        "It sounds like {noun} is close to your heart.",
    ),
    bare=(
        "It sounds like you care very deeply.",
        "I can hear how much it means to you.",
        "Being there like that isn't always easy.",
    ),
    ask=(
        "What does that bond mean to you?",
        "How did it come to be like that?",
        "What's it like for you, being there?",
        "What do you get back from it?",
        "How are you doing in all of this?",
    ),
    ask_noun=("What's {noun} like?",),
)
