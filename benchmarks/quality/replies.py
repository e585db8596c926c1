"""Replies to people's own stories: is the feeling named, and do replies differ from each other?

Dialogues come from a file of the reader's own, in the form of EmpatheticDialogues as JSON lines:
``{"emotion": one of 32, "turns": [{"role": "speaker"|"listener", "text"}, …]}``, plain or ``.gz``.
The reasoner hears what people said, with what people answered before, and no voice and no face.
"""

import asyncio
import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast

from rt_avatar.benchmarks.metrics.accuracy import HIT, Accuracy, accuracy
from rt_avatar.benchmarks.metrics.distinct import distinct_corpus, distinct_response
from rt_avatar.benchmarks.quality.group import Group, percent, progress
from rt_avatar.config.settings import Settings
from rt_avatar.engines.emotion_words import COARSE, FINE, Fine, to_fine
from rt_avatar.errors import BadInputError, ReasonerError, SetupError
from rt_avatar.messages import Affect, Plan, Transcript, TurnId
from rt_avatar.personas import find_persona
from rt_avatar.reasoner import ChatMessage, Conversation, ReplyRequest
from rt_avatar.reasoner.factory import kind_of, make_reasoner
from rt_avatar.telemetry.metrics import Metrics
from rt_avatar.turns.chat_history import MAX_MESSAGES

_MODEL_DIALOGUES: Final = 60  # with a language model: some seconds a reply
_HOPELESS: Final = 3  # requests without any reply before it: nobody is there
_QUICK: Final = 400
_QUICK_MODEL: Final = 8
_MEASURED: Final = ("test", "valid")  # parts of a folder, the first that is there; never train
_ROLES: Final[Mapping[object, Literal["caller", "avatar"]]] = {
    "speaker": "caller",
    "listener": "avatar",
}


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A speaker's story: its label and who said what, the speaker first."""

    label: Fine
    turns: tuple[ChatMessage, ...]

    def said(self) -> list[str]:
        """Return what the speaker said."""
        return [turn.text for turn in self.turns if turn.role == "caller"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply: the emotion that it answers to, and its words."""

    fine: Fine | None
    text: str


def file_of(path: Path) -> Path:
    """Return the file of dialogues that a path names: itself, or of a folder what to measure on.

    Raises:
        BadInputError: The folder holds neither a part to measure on nor one file alone.
    """
    if not path.is_dir():
        return path
    files = sorted(one for one in path.iterdir() if one.name.endswith((".jsonl", ".jsonl.gz")))
    for part in _MEASURED:
        for one in files:
            if one.name.partition(".")[0] == part:
                return one
    if len(files) == 1:
        return files[0]
    raise BadInputError(
        f"dialogues {path}: expected {' or '.join(_MEASURED)}, .jsonl or .jsonl.gz, or one such "
        f"file alone; got {', '.join(one.name for one in files) or 'none'}"
    )


def read_dialogues(path: Path) -> list[Dialogue]:
    """Read the dialogues of a file, or of a folder's part to measure on.

    Raises:
        BadInputError: It cannot be read, is of another form, or holds none.
    """
    path = file_of(path)
    found: list[Dialogue] = []
    number = 0
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open(encoding="utf-8")
        ) as lines:
            for line in lines:
                number += 1
                if (dialogue := _dialogue(json.loads(line))) is not None:
                    found.append(dialogue)
    except (OSError, EOFError, zlib.error) as error:  # the last two: a gzip file cut or damaged
        raise BadInputError(f"dialogues {path}: cannot be read ({error})") from error
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise BadInputError(
            f'dialogues {path}, line {number}: expected {{"emotion": …, "turns": [{{"role": '
            f'"speaker", "text": …}}]}}; got something else ({error!r})'
        ) from error
    if not found:
        raise BadInputError(
            f"dialogues {path}: expected dialogues labelled with one of the 32 emotions, got none"
        )
    return found


def _dialogue(row: dict[str, object]) -> Dialogue | None:
    """Return a dialogue; None where its label is none of the 32 or its speaker says nothing."""
    label = next((fine for fine in FINE if fine == row["emotion"]), None)
    turns = tuple(
        ChatMessage(_ROLES[turn["role"]], _text(turn["text"]))
        for turn in cast("list[dict[str, object]]", row["turns"])
    )
    if label is None or not any(turn.role == "caller" for turn in turns):
        return None
    return Dialogue(label, turns)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text: {value!r}")
    return value


def replies(path: Path, settings: Settings, *, quick: bool, most: int | None) -> Group:
    """Return how well a reasoner names feelings, and how varied its replies are.

    Args:
        path: The dialogues.
        settings: ``reasoner.*`` says who answers.
        quick: Fewer dialogues.
        most: So many dialogues; None decides by the reasoner.

    Raises:
        BadInputError: The file cannot be used.
        SetupError: The reasoner cannot be made, or never answers.
    """
    dialogues = read_dialogues(path)
    is_model = kind_of(settings.llm) in ("empathyear", "e3rg")
    if most is None and is_model:
        most = _QUICK_MODEL if quick else _MODEL_DIALOGUES
    elif most is None and quick:
        most = _QUICK
    if most is not None and most < len(dialogues):
        # Spread over the file: its beginning is of few speakers.
        dialogues = [dialogues[at * len(dialogues) // most] for at in range(most)]
    return asyncio.run(_replies(dialogues, settings))


async def _replies(dialogues: Sequence[Dialogue], settings: Settings) -> Group:
    reasoner = make_reasoner(settings.llm, Metrics())
    persona = settings.avatar.persona
    first: list[Fine | None] = []
    last: list[Fine | None] = []
    whole: list[Fine | None] = []
    texts: list[str] = []
    people: list[str] = []
    failed = 0
    try:
        for dialogue in progress(dialogues, f"dialogues, {reasoner.name}"):
            conversation = reasoner.open()
            named: list[Fine | None] = []
            for at, turn in enumerate(dialogue.turns):
                if turn.role != "caller":
                    continue
                try:
                    reply = await answer(conversation, persona, dialogue.turns[: at + 1])
                except ReasonerError as error:
                    failed += 1
                    if failed == _HOPELESS and not texts:
                        raise SetupError(f"no reply in {failed} requests: {error}") from error
                    reply = Answer(None, "")
                named.append(reply.fine)
                if reply.text and at + 1 < len(dialogue.turns):  # where people answered, too
                    texts.append(reply.text)
                    people.append(dialogue.turns[at + 1].text)
            first.append(named[0])
            last.append(named[-1])
            if reasoner.name in ("reflective", "nano"):
                story = ChatMessage("caller", " ".join(dialogue.said()))
                whole.append((await answer(conversation, persona, (story,))).fine)
            await conversation.aclose()
    finally:
        await reasoner.aclose()
    labels = [dialogue.label for dialogue in dialogues]
    return _group(reasoner.name, labels, (first, last, whole), texts, people, failed)


def request_of(
    persona: str, turns: Sequence[ChatMessage], affect: Affect | None = None
) -> ReplyRequest:
    """Return the request for a reply to the last of the turns; None: voice unknown."""
    number = TurnId(len(turns))
    return ReplyRequest(
        turn=number,
        transcript=Transcript(number, 0, turns[-1].text, is_final=True),
        affect=affect or Affect(number, 0),
        history=tuple(turns[:-1][-MAX_MESSAGES:]),
        persona=find_persona(persona),
    )


async def answer(
    conversation: Conversation,
    persona: str,
    turns: Sequence[ChatMessage],
    affect: Affect | None = None,
) -> Answer:
    """Return the reply to the last of the turns, said with this affect; None: voice unknown."""
    request = request_of(persona, turns, affect)
    fine: Fine | None = None
    words: list[str] = []
    async with aclosing(conversation.reply(request)) as parts:
        async for part in parts:
            if isinstance(part, Plan):
                fine = to_fine(part.chain.emotion)
            else:
                words.append(part.text)
    return Answer(fine, " ".join(words))


def _group(
    name: str,
    labels: Sequence[Fine],
    answers: tuple[Sequence[Fine | None], Sequence[Fine | None], Sequence[Fine | None]],
    texts: Sequence[str],
    people: Sequence[str],
    failed: int,
) -> Group:
    first, last, whole = answers
    rows: list[tuple[str, str, str]] = []
    figures: dict[str, float] = {}
    kinds: tuple[tuple[str, str, Sequence[Fine | None]], ...] = (
        ("first", "of the first utterance", first),
        ("last", "of the last, with history", last),
        ("whole", "of all that was said, as one", whole),
    )
    for key, words, given in kinds:
        if not given:
            continue
        fine, coarse = accuracy(labels, given), accuracy(labels, given, COARSE)
        hit = accuracy(labels, given, HIT)
        rows.append(
            (
                f"feeling named {words}: 32 / 7 / HIT",
                f"{percent(fine.share)} / {percent(coarse.share)} / {percent(hit.share)}",
                f"majority {percent(fine.majority)} / {percent(coarse.majority)} / "
                f"{percent(hit.majority)}",
            )
        )
        figures[f"{key}_acc32_percent"] = 100 * fine.share
        figures[f"{key}_acc7_percent"] = 100 * coarse.share
        figures[f"{key}_hit_percent"] = 100 * hit.share
    rows.append(_classes(accuracy(labels, whole or last, COARSE)))
    rows += _distinct(texts, people, figures)
    if failed:
        rows.append(("replies that failed", str(failed), f"of {len(texts)}"))
    figures |= {"dialogues": float(len(labels)), "replies": float(len(texts))}
    if failed:
        figures["failed_replies"] = float(failed)
    return Group(
        "replies",
        rows,
        figures,
        higher_is_better=tuple(key for key in figures if key.endswith("_percent")),
        neutral=("dialogues", "replies", "people_dist1_percent", "people_dist2_percent"),
        notes=(
            f'Replies are of the reasoner "{name}" on {len(labels)} dialogues, words only. '
            "Published, for scale and on other splits: accuracy over 32 of Empatheia 48.5 %, "
            "EmpathyEar 57.3 % (both inferred to be 32-way); HIT of E3RG 76.3 % on AvaMERG, last "
            "turn; Dist of Empatheia 2.69 / 14.76 % on AvaMERG.",
            "Dist over all replies falls with their number, so compare it only with people's over "
            "the same turns, or at equal numbers; Dist of each reply is near 1 for any short one.",
        ),
    )


def _classes(coarse: Accuracy) -> tuple[str, str, str]:
    """Return what every class reaches: uneven labels hide in the mean."""
    shown = ", ".join(f"{name} {100 * share:.0f}" for name, share in coarse.recall.items())
    return (
        "  each of the 7 (last line), their mean",
        percent(coarse.macro_recall),
        f"{shown} (guessing {percent(1 / len(coarse.recall))})",
    )


def _distinct(
    texts: Sequence[str], people: Sequence[str], figures: dict[str, float]
) -> list[tuple[str, str, str]]:
    ours = [distinct_corpus(texts, n) for n in (1, 2)]
    theirs = [distinct_corpus(people, n) for n in (1, 2)]
    each = [distinct_response(texts, n) for n in (1, 2)]
    people_each = [distinct_response(people, n) for n in (1, 2)]
    figures |= {
        "dist1_percent": ours[0],
        "dist2_percent": ours[1],
        "people_dist1_percent": theirs[0],
        "people_dist2_percent": theirs[1],
    }
    return [
        (
            "Dist-1 / Dist-2 over all replies",
            f"{ours[0]:.2f} / {ours[1]:.2f} %",
            f"people, same turns: {theirs[0]:.2f} / {theirs[1]:.2f} %",
        ),
        (
            "Dist-1 / Dist-2 of each reply",
            f"{each[0]:.3f} / {each[1]:.3f}",
            f"people: {people_each[0]:.3f} / {people_each[1]:.3f}; E3RG: .990 / .999",
        ),
    ]
