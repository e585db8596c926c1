"""Data of the real files' shapes, made up: who runs it needs none of the real ones."""

import gzip
import json
import lzma
from pathlib import Path

FEELINGS = (("sad", "I lost my dog today.", "I am so sorry to hear that."),
            ("joyful", "I passed my exam!", "That is so good to hear!"))  # fmt: skip
CHAIN = {
    "event_scenario": "Loss of a pet.",
    "emotion_cause": "The dog died.",
    "goal": "Comfort.",
    "agent_gender": "Female",
    "agent_age": "Young Adults",
    "timbre": "Warm",
}


def felt_rows(count: int = 40) -> list[dict]:
    """Return dialogues of EmpatheticDialogues' shape, every fourth with a chain."""
    rows = []
    for at in range(count):
        emotion, said, reply = FEELINGS[at % 2]
        turns = [("speaker", said), ("listener", reply), ("speaker", "Yes."), ("listener", "Oh.")]
        row = {
            "id": f"hit:{at}_conv:{at}",
            "emotion": emotion,
            "situation": said,
            "turns": [{"role": role, "text": text} for role, text in turns],
        }
        rows.append(row | ({"coe": {"1": CHAIN}} if at % 4 == 0 else {}))
    return rows


def write_rows(path: Path, rows: list[dict]) -> Path:
    """Write JSON lines, .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def write_data(folder: Path) -> Path:
    """Write a folder of data; return it."""
    write_rows(folder / "empathetic_dialogues/train.jsonl.gz", felt_rows())
    write_rows(folder / "empathetic_dialogues/valid.jsonl.gz", felt_rows(4))
    talk = {"id": "sd0", "topic": "action", "turns": ["Hello!", "What a day.", "Tell me more."]}
    write_rows(folder / "text/self_dialogue.jsonl.gz", [talk] * 20)
    with lzma.open(folder / "text/books.txt.xz", "wt", encoding="utf-8") as file:
        file.write("It was a day like any other.\n\nNobody knew what was to come.\n" * 20)
    return folder


def avamerg_conversation(number: int) -> dict:
    """Return a conversation of AvaMERG's shape, of two answers."""
    said = FEELINGS[number % 2][1]
    history = [
        {"index": 0, "role": "speaker", "utterance": said},
        {"index": 1, "role": "listener", "utterance": FEELINGS[number % 2][2]},
        {"index": 2, "role": "speaker", "utterance": "Yes."},
    ]
    chain = {
        "speaker_emotion": FEELINGS[number % 2][0],
        "event_scenario": "Loss of a pet.",
        "emotion_cause": "The dog died.",
        "goal_to_response": "Comfort.",
    }
    return {
        "conversation_id": f"{number:05}",
        "speaker_profile": {"age": "young", "gender": "female", "timbre": "mid", "ID": 3},
        "listener_profile": {"age": "elderly", "gender": "male", "timbre": "low", "ID": 7},
        "topic": "Life Events",
        "turns": [
            {
                "turn_id": "0",
                "context": said,
                "dialogue_history": history[:1],
                "response": history[1]["utterance"],
                "chain_of_empathy": chain,
            },
            {
                "turn_id": "1",
                "context": said,
                "dialogue_history": history,
                "response": "Take your time.",
                "chain_of_empathy": chain | {"speaker_emotion": "frustration"},
            },
        ],
    }


def write_avamerg(folder: Path, count: int = 40) -> Path:
    """Write a folder in AvaMERG's own layout, without recordings; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    conversations = [avamerg_conversation(number) for number in range(count)]
    (folder / "train.json").write_text(json.dumps(conversations), encoding="utf-8")
    return folder
