"""Phrases for everything that is no story: greetings, thanks, questions about the avatar.

Whole replies. ``{name}`` is the avatar's name, ``{caller}`` the caller's, ``{topic}`` something the
caller spoke of before, ``{told}`` what they told ("you moved to Oslo"), ``{look}`` a feeling that
voice or face show, ``{last}`` the avatar's last words. Data only;
danger is answered by ``alarm_replies``.
"""

from collections.abc import Mapping
from typing import Final

from rt_avatar.reasoner.nlu.intents import Intent

GREETINGS: Final = (
    "Hi, I'm {name}. It's good to have you here. What's on your mind today?",
    "Hello, I'm {name}. I'm glad you're here. How are you feeling today?",
    "Hi there, I'm {name}. I've got time, and I'm listening. What would you like to talk about?",
    "Hello! I'm {name}. How has your day been so far?",
)

COURTESIES: Final[Mapping[Intent, tuple[str, ...]]] = {
    "unheard": (
        "Sorry, I didn't catch that. Could you say it again?",
        "I didn't quite hear you. Would you say that once more?",
        "Hmm, that didn't come through clearly. Could you tell me again?",
        "Sorry, that got lost. What did you say?",
    ),
    "backchannel": (
        "Take your time. I'm listening.",
        "Mm-hm. Go on whenever you're ready.",
        "I'm here. Tell me more if you like.",
        "No rush. What else is on your mind?",
    ),
    "greeting": (
        "Hello! It's good to have you here. How are you feeling today?",
        "Hi there! What's on your mind?",
        "Hey! I'm glad you're here. How has your day been?",
    ),
    "how_are_you": (
        "I'm well, thanks for asking. But I'd love to hear about you. How are you, really?",
        "I'm good, and all ears. How are you feeling today?",
        "All good here, thank you. What about you? How's your day been?",
    ),
    "thanks": (
        "You're very welcome.",
        "Any time.",
        "You're welcome.",
        "Of course. I'm glad we could talk.",
    ),
    "goodbye": (
        "Goodbye, and take good care of yourself.",
        "It was good talking with you. Take care.",
        "Bye for now. I'm glad you came by.",
    ),
    "who_are_you": (
        "I'm {name}, a synthetic avatar. I'm here to listen. What would you like to talk about?",
        "My name's {name}. I'm not a person, I'm a computer-made listener. What's on your mind?",
        "I'm {name}, a listener made by software. I can't do much but listen, and I like to. How "
        "are you today?",
    ),
    "tells_name": (
        "Hi {caller}, it's good to have you here. I'm {name}. What would you like to talk about?",
        "Hello, {caller}! I'm {name}. How has your day been so far?",
        "It's a pleasure, {caller}. My name's {name}. What brings you here today?",
    ),
    "asks_name": (
        "I don't know it yet. What should I call you?",
        "You haven't told me, or I missed it. What's a good way to say hello to you?",
    ),
    "asks_memory": (
        "I follow along while we talk, and I know nothing from before. What should I keep in mind?",
        "I know only this conversation. What part of it do you want to come back to?",
    ),
    "are_you_real": (
        "I'm not a real person. I'm a synthetic avatar, face and voice included. Does that change "
        "how it feels to talk?",
        "No, I'm software with a face. But I'm listening to what you say. How's that for you?",
        "I'm computer-made, so not human. What made you wonder?",
    ),
    "do_you_feel": (
        "I'm a synthetic avatar, so I don't feel the way you do. But I try to understand. What are "
        "you feeling right now?",
        "Not like a person does, no. I listen for how you feel. What would you like me to "
        "understand?",
        "I don't have feelings of my own, being software. But yours matter here. What's going on "
        "in "
        "you?",
    ),
    "can_you_hear": (
        "Yes, I'm here, and I'm listening. What's on your mind?",
        "I can hear you. Go ahead, I'm with you.",
        "I'm right here. What would you like to tell me?",
    ),
    "say_again": (
        "Sure, I said: {last}",
        "Of course. What I said was: {last}",
        "Happy to repeat it: {last}",
    ),
    "medical": (
        "I'm not a professional, so I can't judge that. When in doubt, asking a doctor is right, "
        "and an emergency line if it can't wait. How is it right now?",
        "That's one for a doctor, not for me. If you're in doubt, do call one, or an emergency "
        "line if it gets worse. What worries you most about it?",
        "I can't answer that safely. It's always right to ask a doctor when in doubt, or an "
        "emergency line. What's it been like for you?",
    ),
    "advice": (
        "I'd rather not tell you what to do. What does your gut say?",
        "That's a real question. What feels right to you, when you're quiet with it?",
        "I don't think I should decide that for you. What matters most to you in it?",
        "I wonder what you'd say to a friend who asked you that. What comes to mind?",
    ),
    "insult": (
        "Okay. It sounds like something's frustrating you. What is it?",
        "I hear that you're not happy with me. What would you need right now?",
        "Fair enough. I'll be quiet if you like, and I'm here if you want to talk.",
    ),
    "fact": (
        "I don't know that, I'm afraid. I'm just a listener. What made you think of it?",
        "That's beyond me, sorry. But I'm good at listening. What's on your mind today?",
        "I can't look things up. What I can do is listen. How are you doing?",
    ),
    "yes": (
        "Mm, yes. Can you tell me more about that?",
        "I see. And what's that like for you?",
        "Right. I'm listening, if there's more to it.",
        "Okay. And how do you find that?",
    ),
    "no": (
        "Okay. What's it like for you at the moment?",
        "All right. Tell me how it is for you.",
        "I see. Tell me a little more, if you like.",
        "I see, no. And how is that for you?",
    ),
    "dont_know": (
        "That's okay. You don't have to know. What do you notice right now?",
        "It's fine not to be sure. What comes to mind first?",
        "No need to have an answer. Let's just stay with it a moment.",
    ),
}
# Before a goodbye: to thanks, or with a word on what was talked about; and behind it, at night.
THANKED: Final = (
    "You're very welcome.",
    "I was glad to listen.",
    "Thank you for telling me all that.",
)
TALKED_ABOUT: Final = (
    "I'm glad you told me about {topic}.",
    "Thank you for telling me about {topic}.",
)
GRAVE_GOODBYES: Final = (
    "Goodbye, and take good care of yourself.",
    "Take good care of yourself. I'm glad you called.",
)
GOOD_NIGHT: Final = (
    "Good night, and sleep well.",
    "Good night. I hope you get some rest.",
    "Good night, then. Take care.",
)
KNOWN_NAME: Final = (
    "{caller}, if I heard you right. What's on your mind, {caller}?",
    "You told me it's {caller}. How are you doing, {caller}?",
)
REMEMBERED: Final = (
    "You told me that {told}. What more is there to it?",
    "You said {told}. How do you feel about it now?",
)
# To a few words that answer what was asked.
ANSWERED: Final = (
    "I see. Tell me a little more about that, if you like.",
    "Mm, I see. And how is that for you?",
    "Ah, I see. What else is there to it?",
    "Okay. How do you feel about it?",
)
# The same, where the words can be said back.
TAKEN: Final = (
    "{answer}, I see. Tell me more, if you like.",
    "{answer}, then. I'd like to hear more about that.",
    "{answer}, okay. And what more is there to it?",
    "{answer}, right. Go on, if you like.",
)
# "I'm fine", said with another face; always put as a guess, since voice and face can mislead.
MIXED: Final = (
    "I hear you. I may be wrong, but you seem {look}. How are you, really?",
    "Okay. And yet you sound {look} to me. Is there more to it?",
    "I believe you. Still, something in your voice seems {look}. What's underneath?",
)
LOOKS_ONLY: Final = (
    "I may be wrong, but you seem {look}. What's going on?",
    "You seem {look} to me. Would you tell me about it?",
    "Something about you seems {look} right now. What's on your mind?",
)
UNHEARD_LOOK: Final = (
    "I didn't catch the words, but you seem {look}. Take your time.",
    "Sorry, I missed that. You seem {look}, though. Could you say it again?",
)
FOLLOW_UP: Final = (
    "I'd like to hear more about {topic}, if you want to tell me.",
    "What else is there to say about {topic}?",
    "And what more comes to mind about {topic}?",
)
