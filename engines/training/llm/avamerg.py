"""AvaMERG's own layout as the stages learn from it: JSON of a split, sound and video of answers.

    train.json  valid.json            a list of conversations (``rt_avatar.engines.avamerg``)
    audio_v5_0/dia01118utt1_18.wav    sound and video of an utterance, in any folder below:
    video_v5_0/dia01118utt1_18.mp4    conversation, place from 0 on, avatar

Conversations carry the speaker's emotion and the chain of every answer, and who answers. Without a
``valid.json`` one in ten conversations is measured on, and never learnt from. Media may be missing;
an answer's tell how long its face speaks.
"""

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from rt_avatar.engines.avamerg import (
    FORM,
    as_object,
    history_of,
    listener_of,
    read_conversations,
    recording_name,
    turns_of,
)
from rt_avatar.engines.emotion_words import to_fine
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.templates import Turn
from rt_avatar.engines.training.llm.corpus import (
    CHOOSING_SHARE,
    TRAIN,
    VALID,
    FeltDialogue,
    phrase,
    read_felt,
)

Part = Literal["train", "valid"]
_OURS: Final[dict[Part, Path]] = {"train": TRAIN, "valid": VALID}
_MEDIA: Final = (".wav", ".mp4")  # the later one's length is taken where there are both
_CHAIN: Final = ("event_scenario", "speaker_emotion", "emotion_cause", "goal_to_response")


def is_avamerg(data: Path) -> bool:
    """Return whether a folder is of AvaMERG's own layout."""
    return (data / "train.json").is_file()


def corpus_of(data: Path) -> str:
    """Return the name of the felt dialogues in a folder, as cards tell it."""
    return "AvaMERG (texts of EmpatheticDialogues)" if is_avamerg(data) else "EmpatheticDialogues"


def source_of(data: Path, part: Part) -> Path:
    """Return the file that a part of the felt dialogues in a folder is read from."""
    if not is_avamerg(data):
        return data / _OURS[part]
    return data / (f"{part}.json" if (data / "valid.json").is_file() else "train.json")


def read_part(data: Path, part: Part) -> list[FeltDialogue]:
    """Return a part of the felt dialogues in a folder, of AvaMERG's own layout or of ours.

    Raises:
        OSError: A file is missing or cannot be read.
        ValueError: One is of another shape; the message names it, and where.
    """
    path = source_of(data, part)
    if not is_avamerg(data):
        return read_felt(path)
    is_split = (data / "valid.json").is_file()
    files = {found.stem: found for end in _MEDIA for found in sorted(data.rglob(f"dia*{end}"))}
    read = []
    for each in read_conversations(path):
        conversation = as_object(each, "a conversation", path)
        number = str(conversation.get("conversation_id", ""))
        if is_split or _is_apart(number) == (part == "valid"):
            read.append(_dialogue(conversation, number, files, path))
    if not read:
        raise ValueError(f"{path}: expected conversations to {part} with; got none. {FORM}")
    return read


def seconds_of(path: Path) -> float:
    """Return how long a recording lasts.

    Raises:
        ValueError: It is no sound or video, or an empty one.
    """
    # Only here: who learns from texts alone needs no FFmpeg.
    from rt_avatar.engines.media_file import FILMS, open_media

    with open_media(path, "a recording", FILMS) as file:
        lasts = (file.duration or 0) / 1e6  # AV_TIME_BASE
    if lasts <= 0:
        raise ValueError(f"{path}: expected a recording; got one without length. Copy it again")
    return lasts


def _dialogue(
    conversation: Mapping[str, Any], number: str, files: Mapping[str, Path], path: Path
) -> FeltDialogue:
    where = Path(f"{path}, conversation {number or 'without conversation_id'}")
    said: list[Turn] = []
    chains: dict[int, Chain] = {}
    recorded: dict[int, Path] = {}
    profile = listener_of(conversation, where)
    for turn in turns_of(conversation, where):  # each repeats what was said before, and goes on
        history = [Turn(line.role, " ".join(line.text.split())) for line in history_of(turn, where)]
        response = turn.get("response")
        if not isinstance(response, str) or not response.strip():
            raise ValueError(
                f"{where}: response: expected what the listener says; got {response!r}"
            )
        at = len(history)
        said = [*history, Turn("avatar", " ".join(response.split()))]
        if turn.get("chain_of_empathy") is not None:
            chains[at] = _chain(as_object(turn["chain_of_empathy"], "chain_of_empathy", where))
        if profile is not None:
            speaker = conversation["listener_profile"].get("ID")
            found = files.get(recording_name(number, at, speaker))
            recorded |= {} if found is None else {at: found}
    return FeltDialogue(
        next((chain.emotion for _, chain in sorted(chains.items(), reverse=True)), ""),
        tuple(said),
        chains,
        {} if profile is None else dict.fromkeys(_answers(said), profile),
        zlib.crc32(number.encode()) % CHOOSING_SHARE == 0,
        recorded,
    )


def _answers(said: list[Turn]) -> list[int]:
    return [at for at, turn in enumerate(said) if turn.role == "avatar"]


def _chain(fields: Mapping[str, Any]) -> Chain:
    scenario, felt, cause, goal = (phrase(str(fields.get(name) or "")) for name in _CHAIN)
    return Chain(scenario, to_fine(felt) or felt, cause, goal)


def _is_apart(number: str) -> bool:
    return zlib.crc32(f"apart {number}".encode()) % CHOOSING_SHARE == 0
