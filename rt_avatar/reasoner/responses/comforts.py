"""What is said to who asks whether what they feel or did is normal, silly or bad. Data only."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

# Whether others feel so, too; whether it is silly; whether it makes them bad that they feel it, or
# did it; whether they are to blame for what another did to them.
Comfort: TypeAlias = Literal["normal", "silly", "bad", "done", "blamed"]

COMFORTS: Final[Mapping[Comfort, tuple[str, ...]]] = {
    "normal": (
        "I think a lot of people would feel like that. What's it like for you right now?",
        "It doesn't sound strange to me. I'd think many people know it. How are you with it today?",
        "I believe many people go through just that. What goes through your mind with it?",
        "You're not the only one, I'm fairly sure. How long has it been on your mind?",
    ),
    "silly": (
        "No, I don't think so. It matters to you. What was the hardest bit of it?",
        "No, not to my mind. Many people would feel the same. What's the worst of it?",
        "No. It shows how much it means to you. What was it that got to you most?",
        "I don't think that at all. Many people would feel it, too. What is it like now?",
    ),
    "bad": (
        "I don't think it makes you a bad person. Many people feel that and never say it. How long "
        "have you carried it?",
        "No, I don't see anything bad in you there. A lot of people would know that. What's it "
        "like to say it?",
        "It doesn't make you bad, to my mind. Such things come over people who care a great deal. "
        "What goes through your mind with it?",
        "I think many people would know that, and they aren't bad people. Nor are you. What's "
        "that like for you?",
    ),
    "done": (
        "I don't think one thing makes anybody a bad person. What weighs on you most about it?",
        "Somebody who didn't care wouldn't ask that. How has it been since then?",
        "I don't see a bad person there, only somebody it weighs on. What happened after that?",
        "It doesn't make you a bad person, to my mind. I can hear that you wish it undone.",
    ),
    "blamed": (
        "No. What somebody else did is their doing, never yours. I'm glad you told me.",
        "No, it isn't. It was their doing, and theirs alone.",
        "No. Many people can't move or say a word in such a moment. That was done to you.",
    ),
}
