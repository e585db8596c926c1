"""What the two modules are worth on replies that nothing was learnt from."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.llm.profile import PROFILES
from rt_avatar.engines.motion import style_vector as face_vectors
from rt_avatar.engines.nano_tts.style_vector import HALF, voice_of
from rt_avatar.engines.nano_tts.tokens import Tokens as Sounds
from rt_avatar.engines.networks.fusion.disentangler import Styles
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.training.fusion import targets
from rt_avatar.engines.training.fusion.examples import FeltReply
from rt_avatar.engines.training.fusion.lesson import Networks, ReadReply, contents, read, styles

_BATCH: Final = 16  # replies


def measure_contents(networks: Networks, replies: Sequence[FeltReply]) -> dict[str, float]:
    """Return what contents are worth.

    Percents of phonemes whose own sound (``phoneme``), place in the word (``place``) and mark
    (``mark``) is the nearest of all that there are, of the voice and of the face; and how much of
    what phonemes leave open is not found (``open``), also without the reply's states (``unread``).
    """
    totals: dict[str, list[float]] = {}
    errors = dict.fromkeys(("made", "own", "unread"), 0.0)
    dice = np.random.default_rng(0)
    with torch.inference_mode():
        for some in _batches([one for one in replies if one.clauses]):
            rows = read(networks.llm, some)[0]
            (spoken, seen), (wanted, shown) = contents(networks, rows, some, dice)
            sounds = [clause.sounds for one in some for clause in one.clauses]
            where = wanted.mask > 0
            guessed, target, own = (
                part[where] for part in (spoken.content.cpu(), wanted.target, wanted.own)
            )
            for name, share in _nearest(networks.acoustic, guessed, target, sounds).items():
                totals.setdefault(name, []).append(share)
            table = networks.acoustic.symbol.weight
            frames = shown.mask > 0
            nearest = _closest(
                seen.content.cpu()[frames], shown.target[frames], shown.own[frames], table
            )
            known = torch.cdist(shown.own[frames], table).argmin(1)
            totals.setdefault("face_phoneme", []).append(float((nearest == known).float().mean()))
            unread = [
                ReadReply(tuple(map(torch.zeros_like, row.said)), row.signals, row.felt)
                for row in rows
            ]
            blind = contents(networks, unread, some, dice)[0][0].content.cpu()[where]
            for name, guess in (("made", guessed), ("own", own), ("unread", blind)):
                errors[name] += float((guess - target).square().sum())
    found = {name: 100 * float(np.mean(shares)) for name, shares in totals.items()}
    return found | {
        "open": 100 * errors["made"] / errors["own"],
        "unread": 100 * errors["unread"] / errors["own"],
    }


def _nearest(
    acoustic: NanoAcoustic, guessed: Tensor, target: Tensor, sounds: Sequence[Sounds]
) -> dict[str, float]:
    found = {}
    for name, table, column in (
        ("phoneme", acoustic.symbol, "symbol"),
        ("place", acoustic.place, "place"),
        ("mark", acoustic.mark, "mark"),
    ):
        right = torch.from_numpy(np.concatenate([getattr(one, column) for one in sounds]))
        nearest = _closest(guessed, target, table(right), table.weight)
        found[name] = float((nearest == right).float().mean())
    return found


def _closest(guessed: Tensor, target: Tensor, own: Tensor, table: Tensor) -> Tensor:
    """Return which row of a table would be nearest in the place of the right one."""
    return torch.cdist(guessed - (target - own), table).argmin(1)


def measure_styles(networks: Networks, replies: Sequence[FeltReply]) -> dict[str, float]:
    """Return what styles are worth.

    Percents of replies whose classes are right (``emotion``, ``age``, ``gender``, ``tone``), whose
    S^s is nearest to the person who answers (``person``) and to the feeling asked for among that
    person's (``voice``), whose S^v is nearest to the one asked for (``face``); mean cosines.
    """
    found: dict[str, list[Tensor]] = {}
    with torch.inference_mode():
        for some in _batches(replies):
            for name, right in _judged(networks, some).items():
                found.setdefault(name, []).append(right.float())
    means = {name: float(torch.cat(parts).mean()) for name, parts in found.items()}
    return {name: value * (1 if "cosine" in name else 100) for name, value in means.items()}


def _judged(networks: Networks, replies: Sequence[FeltReply]) -> dict[str, Tensor]:
    drawn: Styles = styles(networks, read(networks.llm, replies)[0], replies)
    bank, speech, video = networks.styles, drawn.speech.cpu(), drawn.video.cpu()
    wanted = bank.of(replies)
    labels = targets.labels_of(replies)
    right = {
        name: getattr(drawn.logits, name).argmax(1).cpu() == label for name, label in labels.items()
    }
    right["profile"] = right["age"] & right["gender"] & right["tone"]
    voices = [voice_of(profile) for profile in PROFILES]
    persons, felt = [], []
    for at, one in enumerate(replies):
        who = PROFILES.index(one.profile)
        asked = bank.asked[one.emotion][0].emotion
        # By timbre, formant and pitch of neutral persons; by feeling, among the person's own.
        rest = bank.voice[:, :, :HALF].mean(0)
        nearest = int((rest - speech[at, :HALF]).square().sum(1).argmin())
        persons.append(voices[nearest] == voices[who])
        near = int((bank.voice[:, who] - speech[at]).square().sum(1).argmin())
        felt.append(bank.asked[FINE[near]][0].emotion == asked)
    right["person"], right["voice"] = torch.tensor(persons), torch.tensor(felt)
    right["face"] = torch.tensor([
        face_vectors.read_vector(row.numpy()).emotion == bank.asked[one.emotion][1].emotion
        for row, one in zip(video, replies, strict=True)
    ])  # fmt: skip
    right["voice_cosine"] = F.cosine_similarity(speech, wanted[0])
    right["face_cosine"] = F.cosine_similarity(video, wanted[1])
    return right


def _batches(replies: Sequence[FeltReply]) -> Iterator[list[FeltReply]]:
    order = sorted(replies, key=lambda one: len(one.example.ids))
    return (list(order[at : at + _BATCH]) for at in range(0, len(order), _BATCH))
