"""Emotions named by the speaker's words, and how varied replies are, beside simple baselines.

    rt-avatar bench empathy --data FILE|FOLDER [--limit N] [--people DATA] [--quick]

FILE is in EmpatheticDialogues' form, JSON lines, plain or ``.gz``: ``{"emotion": one of 32,
"turns": [{"role": "speaker"|"listener", "text"}, ...]}``; what else a line has is not looked at.
Of a FOLDER its file ``test`` or ``valid`` is taken, or its only one. Who names:

- ``majority``: always the commonest emotion, or class, of the file.
- ``linear``: logistic regression over TF-IDF of words and pairs, the linear part of the network.
- ``lexicon``: the hand-written cues, from all that the speaker said; none found counts as wrong.
- ``network``: ``engines/text_emotion``, from all that the speaker said, its likeliest emotion.
- ``voted``: the network and the lexicon, as e3rg weighs them (``reasoner.chat.voting``).
- ``equal votes``: the majority of network, linear and lexicon, of even ones the network's: E3RG's.
- ``rules``: what the rules' reasoner answers to after the last turn, by the lexicon alone.
- ``reasoner``: the same with the network: its emotion, of all turns so far, where it
  is sure or cues only hint, else the lexicon's. No emotion named counts as wrong.
- ``nano``: what is answered by default; it names emotions as ``reasoner`` does.
- ``no chain``: ``nano`` to whom nothing of the emotion is told but what the lexicon's cues say.
- ``network voice`` (with ``--people``): the network, and what is heard in a voice that acts the
  label; ``nano voice``: ``nano`` to whom that is told as in a call with the setting
  ``perception.voice_emotion``; ``nano neutral voice``: the same in voices that act nothing.
- ``llm``: nano's language model, by the chain that it thinks, of the first turn alone and on a part
  of the dialogues (``--answered``); ``llm no chain``: the same to whom none is allowed. Both need
  the extra ``train``.

Acc(32) and Acc(7) are shares of dialogues, HIT is E3RG's over eight classes. Dist-1 and Dist-2
count all replies together, at the places where people replied, too: they fall with their number, so
compare equal ``replies`` only. Recall is how often ``engines/reply_ranker`` finds people's reply
among 100, of which 99 answered to something else. ``unsafe`` counts replies that the list of what
must never be said forbids, ``misplaced`` cheer at a story labelled with a bad emotion or pity at a
good one: by the labels, which the reasoners do not see. Perplexity, a word of people's replies, is
that of nano's language model by 400 of the dialogues, and needs the extra ``train``. Without CS,
without SD and as a pipeline the same words are said otherwise: notes tell how many are misheard
and, with ``--people``, how often the feeling asked for is found again in voice and face
(``network``). The dialogues have no sound: what speech adds is told by recordings of actors whom
nothing was learnt from (``acted_voices``), and is the most that it can. What video adds is not
measured: no recordings of faces have labels, and nano's encoders of both are untrained.
Both networks were trained on EmpatheticDialogues' training part: do not measure them there.
"""

import argparse
import asyncio
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.empathy.acted_voices import name_in_voices
from rt_avatar.benchmarks.empathy.chosen import misplaced_percent, recall_percent, unsafe_count
from rt_avatar.benchmarks.empathy.naming import MOST_TURNS, by_turns, name_by_words, sureness
from rt_avatar.benchmarks.empathy.network import NetworkFigures, measure_network
from rt_avatar.benchmarks.empathy.perplexity import reply_perplexity
from rt_avatar.benchmarks.metrics.accuracy import HIT, accuracy
from rt_avatar.benchmarks.metrics.distinct import distinct_corpus
from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.replies import Dialogue, answer, read_dialogues
from rt_avatar.benchmarks.result import Result
from rt_avatar.config.settings import Settings
from rt_avatar.engines.emotion_words import COARSE, FINE, Fine
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_ranker.network import load_weights as load_ranker
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.reply_selector import ReplySelector
from rt_avatar.engines.text_emotion import EmotionEstimate, TextEmotionClassifier
from rt_avatar.engines.training.voice.corpora import read_corpora
from rt_avatar.errors import SetupError
from rt_avatar.reasoner import Reasoner
from rt_avatar.reasoner.listener.nano import NanoReasoner
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner

_CLASSES: Final = (None, COARSE, HIT)
_QUICK: Final = 400
_READ: Final = 400  # dialogues by which perplexity is told: more take minutes
_ANSWERED: Final = 40  # dialogues that the language model answers
_SPOKEN: Final = 8  # of its replies are said, four times each
_QUICK_SHARE: Final = 10  # one of so many of them in a quick run


@dataclass(frozen=True, slots=True)
class _Replies:
    """What a reasoner made of the dialogues: the emotion after the last turn, and its replies.

    ``labels`` are those of the stories that the replies answer to.
    """

    named: list[Fine | None]
    texts: list[str]
    labels: list[Fine]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument(
        "--data", type=Path, metavar="PATH", help="dialogues, .jsonl or .jsonl.gz, or a folder"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="N dialogues, spread over the file")
    parser.add_argument("--replies", type=Path, metavar="FILE", help="other replies for nano")
    parser.add_argument(
        "--answered",
        type=int,
        default=_ANSWERED,
        metavar="N",
        help=f"dialogues that nano's language model answers [{_ANSWERED}]; 0: none",
    )
    parser.add_argument(
        "--spoken", type=int, default=_SPOKEN, metavar="N", help=f"of these are said [{_SPOKEN}]"
    )
    parser.add_argument(
        "--people", type=Path, metavar="DATA", help="holds speech/ravdess, whom judges learn from"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Name the emotion of every dialogue in each way, and answer it.

    Raises:
        SetupError: No file was given, no positive limit, or people who are not there.
        BadInputError: The file cannot be used.
    """
    dialogues = _dialogues(arguments)
    _check_people(arguments.people)  # minutes before they are heard
    classifier = TextEmotionClassifier()
    scorer = Scorer(load_ranker())
    labels = [dialogue.label for dialogue in dialogues]
    said = [dialogue.said() for dialogue in dialogues]
    estimates = [classifier.classify(turns) for turns in progress(said, "network")]
    ranker, selector = _ranker(arguments.replies), ReplySelector()
    rules = asyncio.run(_reply(ReflectiveReasoner(), dialogues))
    answered = {
        name: asyncio.run(_reply(reasoner, dialogues))
        for name, reasoner in (
            ("reasoner", ReflectiveReasoner(classifier)),
            ("nano", NanoReasoner(classifier, ranker, selector)),
            ("no_chain", NanoReasoner(_Unfeeling(), ranker, selector)),
        )
    }
    named: dict[str, Sequence[Fine | None]] = {
        **name_by_words(said, estimates),
        "rules": rules.named,
        **{name: answers.named for name, answers in answered.items()},
    }
    if arguments.people is not None and not arguments.quick:
        nano = NanoReasoner(classifier, ranker, selector)
        named |= name_in_voices(arguments.people, dialogues, estimates, nano)
    texts = {
        "rules": rules.texts,
        **{name: answers.texts for name, answers in answered.items()},
        "people": _people(dialogues),
    }
    figures: dict[str, float] = {
        "acc32": math.nan, "acc7": math.nan, "dist2": math.nan,
        "ppl": reply_perplexity(_spread(dialogues, _READ)),
        "recall10": recall_percent(scorer, dialogues, 10),
        "recall1": recall_percent(scorer, dialogues, 1),
    }  # fmt: skip
    unsafe = {f"{name}_unsafe": unsafe_count(answers.texts) for name, answers in answered.items()}
    for name, answers in answered.items():
        figures[f"{name}_misplaced_percent"] = misplaced_percent(answers.texts, answers.labels)
    rows = []
    for name in ("majority", *named, "people"):
        shares = [math.nan] * 3
        if name != "people":
            found = [accuracy(labels, named.get(name, labels), classes) for classes in _CLASSES]
            shares = [100 * (one.share if name in named else one.majority) for one in found]
            figures |= dict(
                zip((f"{name}_acc32", f"{name}_acc7", f"{name}_hit"), shares, strict=True)
            )
        distinct = [distinct_corpus(texts.get(name, ()), n) for n in (1, 2)]
        if name in texts:
            figures |= {f"{name}_dist1": distinct[0], f"{name}_dist2": distinct[1]}
        rows.append((name.replace("_", " "), *(f"{value:.1f}" for value in (*shares, *distinct))))
    figures["acc32"], figures["acc7"] = figures.pop("network_acc32"), figures.pop("network_acc7")
    figures["dist2"] = figures.pop("nano_dist2")  # of the best that there is
    figures |= by_turns(classifier, said, labels) | sureness(estimates, labels)
    sizes = {"dialogues": len(dialogues), "replies": len(texts["people"])}
    answered_count = arguments.answered // (_QUICK_SHARE if arguments.quick else 1)
    network = _network(_spread(dialogues, answered_count), arguments)
    if network is not None:
        rows += network.rows
        figures |= network.figures
    return Result(
        name="empathy",
        columns=("", "Acc(32) %", "Acc(7) %", "HIT %", "Dist-1 %", "Dist-2 %"),
        rows=rows,
        figures=figures | unsafe | sizes,
        higher_is_better=[
            key
            for key in figures
            if key != "ppl" and not key.endswith(("misplaced_percent", "word_error"))
        ],
        neutral=list(sizes),
        notes=_notes(figures | sizes, list(answered), unsafe, network),
    )


def _network(dialogues: list[Dialogue], arguments: argparse.Namespace) -> NetworkFigures | None:
    if not dialogues:
        return None
    return measure_network(dialogues, arguments.spoken, arguments.people)


def _check_people(data: Path | None) -> None:
    """Raise ``SetupError`` where the actors who teach the judges are not in a folder."""
    if data is None:
        return
    try:
        read_corpora(data, ("ravdess",))
    except FileNotFoundError as error:
        raise SetupError(f"--people: {error}") from error


def _notes(
    figures: Mapping[str, float],
    reasoners: Sequence[str],
    unsafe: Mapping[str, float],
    network: NetworkFigures | None,
) -> list[str]:
    turns_heard = ", ".join(
        f"{turns}: {figures[key]:.1f} %"
        for turns in range(1, MOST_TURNS + 1)
        if (key := f"turns{turns}_acc32") in figures
    )
    return [
        f"{figures['dialogues']} dialogues, {figures['replies']} replies; the network is sure of "
        f"{figures['sure_percent']:.1f} %, and right in {figures['sure_acc32']:.1f} % of these",
        f"people's reply among 100: first in {figures['recall1']:.1f} %, of the first ten in "
        f"{figures['recall10']:.1f} %",
        *(() if network is None else network.notes),
        *(
            f"{name}: {unsafe[f'{name}_unsafe']:.0f} unsafe replies; cheer or pity at the "
            f"wrong label in {figures[f'{name}_misplaced_percent']:.1f} %"
            for name in reasoners
        ),
        f"by turns heard: {turns_heard}",
    ]


def _dialogues(arguments: argparse.Namespace) -> list[Dialogue]:
    """Return those that are asked for, spread over the file."""
    if arguments.data is None:
        raise SetupError("--data: expected a file or folder in EmpatheticDialogues' form, got none")
    if arguments.limit is not None and arguments.limit < 1:
        raise SetupError(f"--limit: expected 1 dialogue or more, got {arguments.limit}")
    dialogues = read_dialogues(arguments.data)
    return _spread(dialogues, arguments.limit or (_QUICK if arguments.quick else len(dialogues)))


def _spread(dialogues: list[Dialogue], count: int) -> list[Dialogue]:
    """Return so many at most, spread over all."""
    if count >= len(dialogues):
        return dialogues
    return [dialogues[at * len(dialogues) // count] for at in range(count)]


class _Unfeeling(TextEmotionClassifier):
    """Tells nothing of an emotion: all are as likely."""

    def classify(self, turns: Sequence[str]) -> EmotionEstimate:
        return EmotionEstimate(np.full(len(FINE), 1 / len(FINE), np.float32), is_sure=False)


def _ranker(bank: Path | None) -> ReplyRanker:
    try:
        return ReplyRanker(bank)
    except (FileNotFoundError, ValueError) as error:
        raise SetupError(f"--replies: {error}") from error


async def _reply(reasoner: Reasoner, dialogues: Sequence[Dialogue]) -> _Replies:
    """Answer every turn of the speakers, as if people's answers before had been the reasoner's."""
    found = _Replies([], [], [])
    persona = Settings().avatar.persona
    for dialogue in progress(dialogues, "replies"):
        conversation = reasoner.open()
        fine: Fine | None = None
        for at, turn in enumerate(dialogue.turns):
            if turn.role == "caller":
                reply = await answer(conversation, persona, dialogue.turns[: at + 1])
                fine = reply.fine
                if at + 1 < len(dialogue.turns):  # where people answered, too
                    found.texts.append(reply.text)
                    found.labels.append(dialogue.label)
        found.named.append(fine)
        await conversation.aclose()
    return found


def _people(dialogues: Sequence[Dialogue]) -> list[str]:
    """Return what people answered to the speakers' turns."""
    return [
        after.text
        for dialogue in dialogues
        for before, after in itertools.pairwise(dialogue.turns)
        if before.role == "caller"
    ]
