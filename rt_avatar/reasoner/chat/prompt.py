"""Build the messages for a language model: persona, instructions, history, what was said.

``ReplyRequest`` → messages of the chat-completions format, asking for EmpathyEar's meta-response.
The steps come before the reply and are kept to a few words, because the first clause can only be
spoken after them. The agent's persona is given unless the settings let the model choose it
(EmpathyEar asks for it): the caller chose it; only the tone of voice is the model's.

Whether all is asked for, only the steps or only the reply stands at the very end: a server that
keeps prompts need not read again what comes before.
"""

from collections.abc import Mapping
from typing import Final

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.chat.agents import AGES, GENDERS
from rt_avatar.reasoner.nlu.feelings import Feeling
from rt_avatar.reasoner.styles import TIMBRES

# Exchanges given to the model. A spoken exchange is about 40 tokens, so this stays near 1,000 and
# fits a small model's window; older ones no longer matter to the next sentence.
HISTORY_MESSAGES: Final = 24

_WHO: Final = """\
You are {name}, {about} You are a synthetic avatar in a video call, and an empathic listener.
You hear the caller through a speech recogniser that makes mistakes: go by the sense, and ask when \
a sentence makes none.
"""
_STEPS: Final = """
Think in EmpathyEar's steps, then answer. Write exactly these lines, in this order, nothing else:
emotion: what the caller feels, one of: {emotions}
cause: why they feel it, at most 6 words
scenario: what it is about, at most 5 words
rationale: what shows it, at most 8 words
goal: what your reply should do for them, at most 6 words
{agent}voice: how you speak, one of: {voices}
reply: what you say
"""
_AGENT: Final = "agent: who would answer them best: {ages}; {genders}\n"
_MANNER: Final = """
The reply is spoken aloud. One to three short sentences of warm, everyday spoken language, the \
first one very short, in the language of the caller. Plain words only: no markdown, no lists, no \
emoji, no stage directions. Name or reflect what they feel, use their own key words, and ask at \
most one open question. Don't judge, don't lecture, don't repeat what you said before. Give no \
advice unless they ask for it twice, and never medical, legal or therapeutic advice: you are no \
professional. If someone may be in danger, say warmly that they should call their local emergency \
number, a crisis line or someone they trust. If asked, say that you are synthetic."""

_SIDES: Final = {"caller": "Caller", "avatar": "Listener"}
_INTERRUPTED: Final = " —[interrupted by the caller here]"
# Stands before the greeting: many chat templates (Gemma's, Mistral's) refuse a conversation that
# the assistant begins.
_LISTENING: Final = "[the caller is listening]"


# Ends of the last message.
_STILL_SPEAKING: Final = "\n[the caller is still speaking: write the steps, but no reply line]"
_REPLY_ONLY: Final = "\n[no steps this time: write the reply line only]"
_AFTER_THOUGHT: Final = "\n[your steps so far: {steps}; now write the reply line only]"
_AFTER_VOTE: Final = "\n[they feel {emotion}; write only what you say]"
_NAME_EMOTION: Final = """\
You are an expert for what people feel. Below is a conversation. Name the one emotion that the \
caller most likely feels after their last words, out of: neutral, {emotions}. Answer with that one \
word."""


def build_thought(
    so_far: ReplyRequest, feeling: Feeling, *, chooses_agent: bool = False
) -> list[dict[str, str]]:
    """Return the messages that ask for the steps while the caller still speaks."""
    messages = build_messages(so_far, feeling, chooses_agent=chooses_agent)
    messages[-1]["content"] += _STILL_SPEAKING
    return messages


def build_reply(
    request: ReplyRequest,
    feeling: Feeling,
    steps: Mapping[str, str],
    *,
    chooses_agent: bool = False,
) -> list[dict[str, str]]:
    """Return the messages that ask for the reply alone.

    Args:
        request: What was said, and before.
        feeling: What words, voice and face tell already; a hint for the model.
        steps: Fields that were thought before; may be empty.
        chooses_agent: As the messages that asked for them.
    """
    messages = build_messages(request, feeling, chooses_agent=chooses_agent)
    thoughts = "; ".join(f"{name}: {value}" for name, value in steps.items() if value)
    messages[-1]["content"] += _AFTER_THOUGHT.format(steps=thoughts) if thoughts else _REPLY_ONLY
    return messages


def build_messages(
    request: ReplyRequest, feeling: Feeling, *, chooses_agent: bool = False
) -> list[dict[str, str]]:
    """Return the messages for a reply with its steps.

    Args:
        request: What was said, and before.
        feeling: What words, voice and face tell already; a hint for the model.
        chooses_agent: Whether the model also says who should answer.
    """
    agent = _AGENT.format(ages=", ".join(AGES), genders=", ".join(GENDERS)) if chooses_agent else ""
    steps = _STEPS.format(emotions=", ".join(FINE), voices=", ".join(TIMBRES), agent=agent)
    return _conversation(request, feeling, steps)


def build_voted_reply(
    request: ReplyRequest, feeling: Feeling, emotion: str
) -> list[dict[str, str]]:
    """Return the messages for a reply alone, as E3RG asks for it, to someone who feels this."""
    messages = _conversation(request, feeling)
    messages[-1]["content"] += _AFTER_VOTE.format(emotion=emotion)
    return messages


def build_emotion(request: ReplyRequest) -> list[dict[str, str]]:
    """Return the messages that ask for the caller's emotion in one word, as E3RG does."""
    lines = [f"{_SIDES[one.role]}: {one.text}" for one in request.history[-HISTORY_MESSAGES:]]
    lines.append(f"{_SIDES['caller']}: {request.transcript.text.strip()}")
    system = _NAME_EMOTION.format(emotions=", ".join(FINE))
    asked = "\n".join(("Conversation:", *lines, "What the caller feels:"))
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


def _conversation(request: ReplyRequest, feeling: Feeling, steps: str = "") -> list[dict[str, str]]:
    """Return who answers and how, what was said before, and what was said now."""
    persona = request.persona
    about = f"{persona.about.rstrip('.')} ({persona.age} {persona.gender})."
    system = _WHO.format(name=persona.label, about=about) + steps + _MANNER
    messages = [{"role": "system", "content": system}]
    for exchange in request.history[-HISTORY_MESSAGES:]:
        text = exchange.text + (_INTERRUPTED if exchange.was_interrupted else "")
        role = "user" if exchange.role == "caller" else "assistant"
        if messages[-1]["role"] == role:  # two in a row: many chat templates refuse that
            messages[-1]["content"] += "\n" + text
        elif text:
            if role == "assistant" and messages[-1]["role"] == "system":
                messages.append({"role": "user", "content": _LISTENING})
            messages.append({"role": role, "content": text})
    said = request.transcript.text.strip() + _hint(request, feeling)
    if messages[-1]["role"] == "user":
        messages[-1]["content"] += "\n" + said
    else:
        messages.append({"role": "user", "content": said})
    return messages


def _hint(request: ReplyRequest, feeling: Feeling) -> str:
    """Return what the words alone do not tell, in brackets, or nothing."""
    notes: list[str] = []
    if feeling.looks:
        notes.append(f"voice and face seem {feeling.looks}")
    if request.affect.is_smiling:
        notes.append("smiling")
    if request.transcript.confidence < 0.5:
        notes.append("heard unclearly")
    return f"\n[{'; '.join(notes)}]" if notes else ""
