"""Phrases for what is hard: loss, loneliness, anger, fear, shame. See ``bank.Bank``; data only."""

from typing import Final

from rt_avatar.reasoner.listener.bank import Bank

_ASK_HARD: Final = (
    "What's the hardest part right now?",
    "What's been on your mind the most?",
    "How have you been holding up?",
    "Who's by your side in this?",
    "When does it hit you the most?",
    "What would you want someone to understand about this?",
)
_PERSON_HARD: Final = (
    "It sounds like this with {noun} has left you feeling {feel}.",
    "This with {noun} stays on your mind.",
    "So there's {noun}, and you feel {feel}.",
)
_NOUN_HARD: Final = (
    "It sounds like this with {noun} has left you feeling {feel}.",
    "I can hear how much {noun} weighs on you.",
    "So it's about {noun}, and you feel {feel}.",
)

SADNESS: Final = Bank(
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
GRIEF: Final = Bank(
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
LONELINESS: Final = Bank(
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
LETDOWN: Final = Bank(
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
GUILT: Final = Bank(
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
EMBARRASSMENT: Final = Bank(
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
ANGER: Final = Bank(
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
FRIGHT: Final = Bank(
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
    person=_PERSON_HARD,
)
WORRY: Final = Bank(
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
ENVY: Final = Bank(
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
DISGUST: Final = Bank(
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
