"""What the rule-based listener can say: for each kind of feeling, ways to react, reflect and ask.

Spoken English, contractions, no advice. ``{event}`` is "you lost your job", ``{noun}`` "your job",
``{feel}`` a word for the feeling. Data only; ``reflective`` chooses and fills in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rt_avatar.reasoner.emotions import Fine


@dataclass(frozen=True, slots=True)
class Bank:
    """What to say to one kind of feeling.

    Attributes:
        goal: What the reply is meant to do, for the chain of empathy.
        react: First words; short, so that speech begins early.
        event: Reflections that give an event back.
        noun: Reflections that give a person or thing back.
        bare: Reflections of the feeling alone.
        ask: Open questions.
        ask_noun: Open questions about a person.
        person: Reflections that give a person back, where those of ``noun`` only suit things.
    """

    goal: str
    react: tuple[str, ...]
    event: tuple[str, ...]
    noun: tuple[str, ...]
    bare: tuple[str, ...]
    ask: tuple[str, ...]
    ask_noun: tuple[str, ...] = ()
    person: tuple[str, ...] = ()


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

_ASK_HARD: Final = (
    "What's the hardest part right now?",
    "What's been on your mind the most?",
    "How have you been holding up?",
    "Who's been there for you in this?",
    "When does it hit you the most?",
    "What would you want someone to understand about this?",
)
_PERSON_HARD: Final = (
    "It sounds like this with {noun} has left you feeling {feel}.",
    "I can hear how much {noun} matters to you.",
    "So there's {noun}, and you feel {feel}.",
)
_PERSON_GOOD: Final = (
    "I can hear how much {noun} means to you.",
    "So there's {noun}, and you feel {feel}.",
    "{noun} must be glad to have you.",
)
_NOUN_HARD: Final = (
    "It sounds like this with {noun} has left you feeling {feel}.",
    "I can hear how much {noun} weighs on you.",
    "So it's about {noun}, and you feel {feel}.",
)
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

_SADNESS = Bank(
    goal="to comfort them and let them talk about it",
    react=("Oh, I'm so sorry.", "I'm sorry to hear that.", "Oh no.", "That sounds really hard."),
    event=(
        "{event}, and of course that hurts.",
        "{event}. That's a lot to carry.",
        "{event}, and it left you feeling {feel}.",
    ),
    noun=_NOUN_HARD,
    bare=(
        "It sounds like you're feeling {feel}.",
        "I can hear that you're {feel}.",
        "You sound {feel}, and that makes sense.",
        "There's a lot of hurt in what you're saying.",
    ),
    ask=_ASK_HARD,
    ask_noun=("What has it been like since, with {noun}?", "What do you wish were different?"),
    person=_PERSON_HARD,
)
_GRIEF = Bank(
    goal="to be with them in their loss",
    react=(
        "Oh, I'm so very sorry.",
        "Oh no, I'm so sorry.",
        "That's heartbreaking.",
        "I'm so sorry.",
    ),
    event=(
        "{event}. That's an enormous loss.",
        "{event}, and nothing feels the same, does it.",
        "{event}. No wonder your heart's so heavy.",
    ),
    noun=(
        "I can hear how much {noun} means to you.",
        "This with {noun} must hurt so deeply.",
        "It sounds like {noun} is right at the center of this.",
    ),
    bare=(
        "It sounds like your world's been turned upside down.",
        "I can hear how deeply this hurts.",
        "It makes sense that you feel {feel}.",
    ),
    ask=(
        "Would you like to tell me what happened?",
        "What's it been like for you since then?",
        "What do you find yourself thinking of most?",
        "How are you getting through the days?",
        "Who's with you in this?",
    ),
    ask_noun=(
        "Would you tell me a little about {noun}?",
        "What do you keep remembering about {noun}?",
    ),
)
_LONELINESS = Bank(
    goal="to keep them company and ask what they miss",
    react=(
        "I'm glad you're telling me.",
        "Oh, that sounds lonely.",
        "I'm here with you.",
        "I hear you.",
    ),
    event=("{event}, and it got very quiet around you.", "{event}, and you've felt {feel} since."),
    noun=(
        "It sounds like you miss being close to {noun}.",
        "So there's {noun}, and you feel {feel}.",
        "I can hear how much {noun} weighs on you.",
    ),
    bare=(
        "It sounds like you're feeling really {feel}.",
        "It's hard to carry things with nobody beside you.",
        "It's hard when there's no one to share things with.",
    ),
    ask=(
        "When do you feel it the most?",
        "Who do you miss most right now?",
        "What would good company look like for you?",
        "What did it use to be like?",
        "What are your evenings like these days?",
    ),
)
_LETDOWN = Bank(
    goal="to acknowledge what they had hoped for",
    react=(
        "Oh, that's a letdown.",
        "Ah, I'm sorry.",
        "Oh, that's rough.",
        "That's so disappointing.",
    ),
    event=("{event}, after you'd hoped for something else.", "{event}, and you feel {feel}."),
    noun=(
        "You'd hoped for something else with {noun}.",
        "It sounds like {noun} left you feeling {feel}.",
        "So it's about {noun}, and you'd wanted it to go differently.",
    ),
    bare=(
        "It sounds like you'd really hoped for something else.",
        "It makes sense that you feel {feel}.",
        "You put your hopes into it, and then this.",
    ),
    ask=(
        "What had you been hoping for?",
        "What stings the most about it?",
        "How did you find out?",
        "What did it mean to you?",
        "How are you with it today?",
    ),
    person=_PERSON_HARD,
)
_GUILT = Bank(
    goal="to take the weight seriously without judging",
    react=(
        "Thank you for telling me.",
        "That takes courage to say.",
        "I hear you, and I'm not judging.",
        "That sounds heavy.",
    ),
    event=("{event}, and it won't leave you alone.", "{event}, and you feel {feel}."),
    noun=(
        "It sounds like this with {noun} is weighing on you.",
        "So it's about {noun}, and you feel {feel}.",
        "I can tell that {noun} matters to you.",
    ),
    bare=(
        "It sounds like you feel {feel}.",
        "It sounds like it's still weighing on you.",
        "It sounds like you hold yourself to a lot.",
    ),
    ask=(
        "What bothers you the most about it?",
        "What was going on for you back then?",
        "What do you wish you could say about it?",
        "How have you been carrying this?",
        "Who else knows how you feel?",
    ),
    person=_PERSON_HARD,
)
_EMBARRASSMENT = Bank(
    goal="to take the sting out of it and stay on their side",
    react=("Oh no!", "Oh, I can picture that.", "Ouch.", "Oh, that's one of those moments."),
    event=("{event}, and you wanted to disappear.", "{event}, with people there to see it."),
    noun=("So it was about {noun}, and you felt {feel}.", "Of all things, {noun}."),
    bare=(
        "I bet you wished the ground would open.",
        "It sounds like you felt {feel}.",
        "That's an uncomfortable feeling to sit with.",
    ),
    ask=(
        "What went through your head right then?",
        "How did the others react?",
        "How do you feel about it now?",
        "What happened after that?",
    ),
    person=_PERSON_HARD,
)
_MEMORY = Bank(
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
_ANGER = Bank(
    goal="to let them feel heard and find what was hurt",
    react=("Oh, that's maddening.", "Wow, I get it.", "That's really frustrating.", "No wonder."),
    event=("{event}, and that's just not okay with you.", "{event}, and it made you {feel}."),
    noun=(
        "It sounds like {noun} really got to you.",
        "So it's {noun}, and you feel {feel}.",
        "This with {noun} crossed a line for you.",
    ),
    bare=(
        "It sounds like you're {feel}, and with reason.",
        "I can hear that you're {feel}.",
        "It sounds like a line was crossed.",
        "That would get under anyone's skin.",
    ),
    ask=(
        "What got to you the most?",
        "What happened right before that?",
        "What would feel fair to you?",
        "How long has this been going on?",
        "What do you wish they understood?",
        "Where does it leave you now?",
    ),
)
_FRIGHT = Bank(
    goal="to steady them and hear what happened",
    react=("Oh, how frightening.", "Wow, that sounds scary.", "Oh my.", "That must've been scary."),
    event=("{event}, and that shook you.", "{event}, and you were {feel}."),
    noun=(
        "It sounds like {noun} really frightened you.",
        "So it's about {noun}, and you feel {feel}.",
        "This with {noun} has you on edge.",
    ),
    bare=(
        "It sounds like you're really {feel}.",
        "I can hear how much that shook you.",
        "Your whole body must've been on alert.",
    ),
    ask=(
        "How are you feeling right now?",
        "What went through your mind?",
        "What happened then?",
        "What scares you the most about it?",
        "Was anyone with you?",
    ),
)
_WORRY = Bank(
    goal="to make room for the worry and find what is at stake",
    react=(
        "I can hear the worry.",
        "That's a lot to hold.",
        "I hear you.",
        "That sounds stressful.",
    ),
    event=("{event}, and your mind won't rest.", "{event}, and now you're {feel}."),
    noun=(
        "It sounds like you're {feel} about {noun}.",
        "There's a lot riding on {noun} for you.",
        "So {noun} is what keeps your mind busy.",
    ),
    bare=(
        "It sounds like you're feeling {feel}.",
        "It's hard not knowing how it'll turn out.",
        "It sounds like it's been on your mind a lot.",
    ),
    ask=(
        "What worries you the most?",
        "What goes through your head at night?",
        "What do you imagine might happen?",
        "What would it mean if it went well?",
        "Where do you feel it in your body?",
    ),
    ask_noun=("What is it with {noun} that worries you the most?",),
    person=_PERSON_HARD,
)
_ENVY = Bank(
    goal="to accept the feeling and find the wish behind it",
    react=(
        "That's a hard one to admit.",
        "I get that.",
        "That can really sting.",
        "It's okay to feel that.",
    ),
    event=("{event}, and there's a pinch in it.", "{event}, and you feel {feel}."),
    noun=("It's not easy to watch that with {noun}.", "So it's {noun}, and you feel {feel}."),
    bare=(
        "It sounds like you're feeling {feel}.",
        "It sounds like there's something you long for too.",
        "It's hard to watch someone have what you want.",
    ),
    ask=(
        "What is it that you'd wish for yourself?",
        "What would having that change for you?",
        "When did you first notice the feeling?",
        "What does it bring up in you?",
    ),
)
_DISGUST = Bank(
    goal="to share the reaction and let them shake it off",
    react=("Oh, yuck.", "Ugh, that's awful.", "Oh no, really?", "That's so unpleasant."),
    event=("{event}, and it turned your stomach.", "{event}. I'd want to look away."),
    noun=("Of all places, with {noun}.", "So it was about {noun}, and you felt {feel}."),
    bare=(
        "It sounds like it really turned your stomach.",
        "I can see why you felt {feel}.",
        "That's hard to get out of your mind.",
    ),
    ask=(
        "What did you do when you noticed?",
        "What was the worst of it?",
        "How are you feeling about it now?",
        "What happened next?",
    ),
    person=_PERSON_HARD,
)
_SURPRISE = Bank(
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
_JOY = Bank(
    goal="to share their joy and let them savor it",
    react=("Oh, that's wonderful!", "I love hearing that!", "How lovely!", "That's great news!"),
    event=("{event}, how wonderful!", "{event}! I can hear the smile."),
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
_PRIDE = Bank(
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
_PEACE = Bank(
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
_READY = Bank(
    goal="to trust their strength with them",
    react=("That's great to hear.", "Good for you!", "I love that.", "You sound ready."),
    event=("{event}, and you feel {feel}.", "{event}. That's a good feeling."),
    noun=("It sounds like you feel {feel} about {noun}.", "So {noun} can come."),
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
_HOPE = Bank(
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
_LOVE = Bank(
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
    "sad": _SADNESS, "devastated": _GRIEF, "lonely": _LONELINESS, "disappointed": _LETDOWN,
    "guilty": _GUILT, "ashamed": _GUILT, "embarrassed": _EMBARRASSMENT, "nostalgic": _MEMORY,
    "sentimental": _MEMORY, "annoyed": _ANGER, "angry": _ANGER, "furious": _ANGER,
    "afraid": _FRIGHT, "terrified": _FRIGHT, "anxious": _WORRY, "apprehensive": _WORRY,
    "jealous": _ENVY, "disgusted": _DISGUST, "surprised": _SURPRISE, "impressed": _SURPRISE,
    "joyful": _JOY, "excited": _JOY, "proud": _PRIDE, "content": _PEACE, "grateful": _PEACE,
    "confident": _READY, "prepared": _READY, "hopeful": _HOPE, "anticipating": _HOPE,
    "caring": _LOVE, "trusting": _LOVE, "faithful": _LOVE,
}  # fmt: skip
