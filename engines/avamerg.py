"""AvaMERG's JSON → conversations: who says what to whom, and what is thought before the answer.

A file holds one conversation or the list of a whole split. Sound and pictures of an utterance lie
in files beside it, named by the published convention (``recording_name``) or by the entry itself.

    {"conversation_id": "01118",
     "speaker_profile": {"age": "young", "gender": "male", "timbre": "high", "ID": 28},
     "listener_profile": {"age": "young", "gender": "female", "timbre": "mid", "ID": 18},
     "turns": [{"turn_id": "0",
                "dialogue_history": [{"index": 0, "role": "speaker", "utterance": "I won."}],
                "response": "Were you happy?",
                "chain_of_empathy": {"speaker_emotion": "surprised", "event_scenario": "A race",
                                     "emotion_cause": "Winning", "goal_to_response": "To ask"}}]}

Source: the challenge's page (AvaMERG/MM25-challenge) and AvaMERG-Pipeline's data set.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from rt_avatar.engines.llm.profile import Profile

_ROLES: Final[dict[str, Literal["user", "avatar"]]] = {"speaker": "user", "listener": "avatar"}
_LONGEST_BYTES: Final = 256 << 20  # of the JSON: a whole split has some 60 MB
FORM: Final = (
    'Expected {"turns": [{"dialogue_history": [{"role": "speaker", "utterance": "..."}]}]}, '
    "roles speaker and listener, the speaker last"
)


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody says, and the entry that it is written in."""

    role: Literal["user", "avatar"]
    text: str
    entry: Mapping[str, Any]


def read_conversations(path: Path) -> list[Any]:
    """Return a file's conversations, one or more; nothing of them is looked at.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no JSON, or too long.
    """
    if path.stat().st_size > _LONGEST_BYTES:
        raise ValueError(f"{path}: expected a dialogue, got a file above 256 MB")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON; got {error}. {FORM}") from error
    return data if isinstance(data, list) else [data]


def turns_of(conversation: Mapping[str, Any], path: Path) -> list[Any]:
    """Return the turns of a conversation, one or more.

    Raises:
        ValueError: There is none.
    """
    return _filled(conversation, "turns", path)


def history_of(turn: Any, path: Path) -> tuple[Line, ...]:
    """Return what was said before a turn's answer; the last is the user's.

    Raises:
        ValueError: It is of another shape.
    """
    history = _filled(as_object(turn, "turns", path), "dialogue_history", path)
    lines = tuple(_line(as_object(entry, "dialogue_history", path), path) for entry in history)
    if lines[-1].role != "user":
        raise ValueError(f"{path}: the last utterance is the listener's. {FORM}")
    return lines


def listener_of(conversation: Mapping[str, Any], path: Path) -> Profile | None:
    """Return who answers; None where nobody says.

    Raises:
        ValueError: It is nobody that there is.
    """
    if conversation.get("listener_profile") is None:
        return None
    fields = as_object(conversation["listener_profile"], "listener_profile", path)
    try:
        return Profile(*(str(fields.get(name, "")).lower() for name in ("age", "gender", "timbre")))
    except ValueError as error:
        raise ValueError(f"{path}: listener_profile: {error}") from error


def recording_name(number: str, index: int, speaker: object) -> str:
    """Return the published name, without its ending, of an utterance's sound and video.

    Args:
        number: The ``conversation_id``.
        index: Of the utterance, from 0 on; an answer's is the length of its history.
        speaker: The ``ID`` of who speaks.
    """
    return f"dia{number}utt{index}_{speaker}"


def as_object(data: Any, what: str, path: Path) -> Mapping[str, Any]:
    """Return an object of the JSON.

    Raises:
        ValueError: It is something else.
    """
    if not isinstance(data, dict):
        raise ValueError(f"{path}: {what}: expected an object; got {type(data).__name__}. {FORM}")
    return data


def _filled(data: Mapping[str, Any], name: str, path: Path) -> list[Any]:
    found = data.get(name)
    if not isinstance(found, list) or not found:
        raise ValueError(f"{path}: expected a list {name!r} that is not empty. {FORM}")
    return found


def _line(entry: Mapping[str, Any], path: Path) -> Line:
    role, text = entry.get("role"), entry.get("utterance")
    is_known = isinstance(role, str) and role in _ROLES
    if not is_known or not isinstance(text, str) or not text.strip():
        raise ValueError(f"{path}: got an utterance {json.dumps(entry)[:80]}. {FORM}")
    return Line(_ROLES[str(role)], text.strip(), entry)
