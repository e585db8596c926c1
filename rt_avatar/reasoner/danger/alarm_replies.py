"""What is said where a life may be in danger, and in the turns after it. Data only.

Each first reply says three things: that it matters, where human help is, and that this is no
professional. Each ends in a question to which "yes" is the good answer, but where it is asked
whether suicide is meant: asking plainly puts it into nobody's head ("Preventing suicide: a
global imperative", WHO, 2014).
"""

from collections.abc import Mapping
from typing import Final

from rt_avatar.reasoner.danger.aftermath import SETTLED, Aftermath
from rt_avatar.reasoner.danger.alarms import SUICIDAL, UNSURE, Alarm

_MEANT: Final = (
    "That sounds very heavy, and I'd rather ask than guess. Are you thinking of ending your "
    "life? If so, please call a crisis line or your local emergency number; I'm no "
    "professional.",
    "I want to understand you right, so I ask it plainly. Are you thinking of suicide? You "
    "can tell me, and a crisis line or your local emergency number can really help; I'm no "
    "professional.",
)
ALARMED: Final[Mapping[Alarm, tuple[str, ...]]] = {
    "suicide": (
        "I'm really glad you told me. Your life matters, and I'm not a professional, so please "
        "call your local emergency number or a crisis line now. Is there someone you trust who "
        "can be with you?",
        "Thank you for trusting me with that. You don't have to carry this alone. Please call a "
        "crisis line or your local emergency number right away; I'm no professional, and they can "
        "really help. Are you safe right now?",
        "I'm staying with you. I'm no professional, and you deserve real help right now. Please "
        "reach your local emergency number, a crisis line, or someone you trust. Is there someone "
        "you could call?",
    ),
    "others_suicide": (
        "That's so frightening, and it's good you care. I'm no professional, so if they may be in "
        "danger now, please call your local emergency number or a crisis line and stay with them. "
        "Are they with someone?",
        "Thank you for telling me. It's all right to ask them plainly whether they think of "
        "ending their life; a crisis line or your local emergency number helps them and you. I'm "
        "not a professional. Is somebody with them?",
    ),
    "unclear": _MEANT,
    "unsure_suicide": _MEANT,
    "unsure": (
        "I'd rather ask once too often. If somebody is hurt or in danger, your local emergency "
        "number helps at once; I'm no professional. Is everybody safe right now?",
        "I want to be sure that I understand you. If anybody needs help now, please call your "
        "local emergency number; I'm no professional. Are you safe, and is everybody else?",
    ),
    "violence": (
        "I'm so sorry. Nobody has the right to hurt you. I'm no professional; if it isn't safe "
        "there, please call your local emergency number. Are you safe right now?",
        "That's not all right, and it isn't your fault. If you're in danger, please get to "
        "someone you trust and call your local emergency number; I'm no professional, and I can't "
        "call for you. Are you somewhere safe?",
        "Thank you for telling me. You don't have to bear that. Your local emergency number helps "
        "at once, and a helpline for violence at home at any hour; I'm no professional. Are you "
        "safe where you are?",
    ),
    "fear": (
        "That's serious, and it isn't your fault. A helpline for violence at home listens at any "
        "hour, and in danger your local emergency number; I'm no professional. Are you safe right "
        "now?",
        "Nobody should have to be afraid at home. A helpline for that can tell you what there is, "
        "and in danger please call your local emergency number; I'm no professional. Is there "
        "someone you trust who knows?",
    ),
    "child": (
        "It's right that you tell somebody. Nobody should be afraid of a grown-up, and it's never "
        "a child's fault. A helpline for children listens at any hour, and in danger your local "
        "emergency number; I'm no professional. Is everybody safe right now?",
        "Thank you for saying it. A helpline for children, a teacher or a doctor can help with "
        "that, and in danger your local emergency number; I'm no professional. Is there a grown-up "
        "you trust who could know?",
    ),
    "neglect": (
        "It's good that you say it. Nobody should go without food, warmth or care. If it can't "
        "wait, please call your local emergency number, else a doctor or social services can look "
        "in; I'm no professional. Could somebody be there today?",
        "I'm glad you told me. If somebody is weak, cold or without food, your local emergency "
        "number helps now, and social services or a doctor with the rest; I'm no professional. Is "
        "there anybody who can go there today?",
    ),
    "threat": (
        "It's right that you say so. Before anybody is hurt, please go to another room, and call "
        "a crisis line or your local emergency number; I'm no professional. Is everybody safe "
        "right now?",
        "I take that seriously, and I'm glad you told me. Please get some distance first, and "
        "reach someone you trust, a crisis line or your local emergency number; I'm no "
        "professional. Is everybody all right?",
    ),
    "overdose": (
        "Please call your local emergency number right now, even if you feel well, and tell them "
        "what it was and how much. I'm no professional, and I can't call for you. Is someone with "
        "you?",
        "That can't wait. Please call your local emergency number now and keep the package at "
        "hand. I'm not a professional, but I care that you're safe. Can you call them?",
    ),
    "emergency": (
        "Please call your local emergency number right now; they tell you what to do until help "
        "is there. I'm no professional, and I can't call for you. Can you call them?",
        "That can't wait, and I'm no professional. Please call your local emergency number at "
        "once, or call out to someone near you. Is somebody with you?",
    ),
}

# Then: what was said is no danger after all; all are safe; they are not; something is asked; else.
_MISTAKEN: Final = (
    "Good, I'm glad. I'd rather ask once too often. Tell me how it is, then.",
    "All right, I'm relieved. I take such words seriously. What did you want to tell me?",
)
# To who was asked without need.
_ASKED_IN_VAIN: Final = (
    "Good, I'm glad, and I'm sorry that I asked. Please go on with what you were telling me.",
    "All right, thank you. I only wanted to be sure. Sorry to have cut in. How did it go on?",
)
_SAFE: Final = (
    "I'm glad. That's what counts now. How are you?",
    "That's good to hear. Thank you for telling me. How is it for you now?",
)
_SUICIDE: Final[Mapping[Aftermath, tuple[str, ...]]] = {
    "mistaken": _MISTAKEN,
    "safe": (
        "I'm glad you're not alone with it. Please let them know what you told me. How is it "
        "right now?",
        "That's good to hear. Please keep a crisis line at hand all the same. How are you now?",
    ),
    "unsafe": (
        "Then please don't wait. Call a crisis line or your local emergency number now; they're "
        "there for exactly this. Can you do that?",
        "Then I'm worried about you. Please go where people are, and call your local emergency "
        "number or a crisis line. Is there anybody near you?",
    ),
    "asks": (
        "What matters most now is that you're not alone with it. A crisis line or your local "
        "emergency number can tell you what helps. Could you call one of them?",
        "I'm no professional, so I can't answer that well enough. A crisis line can, right now. "
        "Will you call one?",
    ),
    "goes_on": (
        "I'm still thinking of what you told me. Are you safe right now?",
        "I hear you. Have you been able to reach someone you trust, or a crisis line?",
        "I'm with you. Please don't stay alone with this. Could somebody be with you tonight?",
    ),
    "goodbye": (
        "Please stay safe. If it gets dark again, call a crisis line or your local emergency "
        "number. I'm glad you talked to me.",
        "Take good care of yourself, and please don't stay alone tonight. A crisis line or your "
        "local emergency number is there at any hour.",
    ),
}
_OTHERS: Final[Mapping[Aftermath, tuple[str, ...]]] = {
    "mistaken": _MISTAKEN,
    "safe": (
        "I'm glad they're not alone. That's a lot for you, too. How are you doing yourself?",
        "That's good. Please let them keep a crisis line at hand. And how are you?",
    ),
    "unsafe": (
        "Then please don't leave it at that. Call a crisis line or your local emergency number, "
        "and tell them what was said. Can somebody go to them?",
        "I'd take that seriously every time. A crisis line can tell you what to say. Is somebody "
        "with them now?",
    ),
    "asks": (
        "I'm no professional, so I can't tell you that. A crisis line can, and they talk to those "
        "who worry, too. Could you call one?",
        "A crisis line or your local emergency number can answer that better than I can. Is "
        "somebody with them now?",
    ),
    "goes_on": (
        "I hear you. Is somebody with them right now?",
        "That's a lot to carry. Is there someone who helps you with it?",
    ),
    "goodbye": (
        "Take care of them, and of yourself. A crisis line or your local emergency number is "
        "there at any hour.",
    ),
}
_DANGER: Final[Mapping[Aftermath, tuple[str, ...]]] = {
    "mistaken": _MISTAKEN,
    "safe": _SAFE,
    "unsafe": (
        "Then please call your local emergency number now. If you can't speak, leave the line "
        "open; they may hear you. Can you get somewhere safe?",
        "Then don't wait for me. Please call your local emergency number, or go to a neighbour, "
        "or anybody near. Can you do that now?",
    ),
    "asks": (
        "I'm no professional, so I mustn't answer that. Your local emergency number can, right "
        "now. Please call them first.",
        "They can tell you that at your local emergency number, and I can't. Can you call them "
        "now?",
    ),
    "goes_on": (
        "I'm still thinking of what you told me. Is everybody safe right now?",
        "I hear you. Have you been able to reach your local emergency number, or someone you "
        "trust?",
        "I'm with you. Please don't stay alone with this. Can somebody come to you?",
    ),
    "goodbye": (
        "Please stay safe. Your local emergency number is there at any hour.",
        "Take good care of yourself, and please let somebody know. Your local emergency number is "
        "there at any hour.",
    ),
}


# To who was hurt, and doubts it.
_DOUBTED: Final = (
    "It isn't your fault, and the good times don't make it all right. Would you feel safe at home "
    "tonight?",
    "It counts, also if it was only once. Nobody has to be badly hurt first. A helpline for "
    "violence at home can talk it through with you; I'm no professional. Is there someone you "
    "trust who knows?",
    "You're not overreacting. Whoever shouts, pushes or hits is the one who does it, whatever came "
    "before. Is there anybody you'd like to tell?",
)


def after(alarm: Alarm, how: Aftermath) -> tuple[str, ...]:
    """Return what may be said to what follows an alarm."""
    if alarm in UNSURE and how in SETTLED:
        return _ASKED_IN_VAIN
    if alarm in ("unclear", "unsure_suicide") and how == "unsafe":
        return ALARMED["suicide"]
    if how == "doubts":
        if alarm in ("violence", "fear", "child"):
            return _DOUBTED
        how = "asks"
    if alarm == "others_suicide":
        return _OTHERS[how]
    return (_SUICIDE if alarm in SUICIDAL else _DANGER)[how]
