"""What the two modules are to give: the nano voice's contents and styles, and the face's styles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from rt_avatar.engines.emotion_words import COARSE, FINE, Fine
from rt_avatar.engines.empatheia.dialogue import EMOTION_CLASSES
from rt_avatar.engines.llm.profile import AGES, GENDERS, PROFILES, TONES, Profile
from rt_avatar.engines.motion import style_vector as face_vectors
from rt_avatar.engines.nano_tts import style_vector as voice_vectors
from rt_avatar.engines.nano_tts.engine import SHIPPED
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.tokens import Tokens as Sounds
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic
from rt_avatar.engines.training.fusion.examples import Answer, FeltReply

Indices: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """Contents of some clauses, padded with 0.

    Attributes:
        own: (K, T, C) what is known of the phonemes alone.
        target: (K, T, C) what the voice makes of all that it knows.
        mask: (K, T).
    """

    own: Tensor
    target: Tensor
    mask: Tensor

    def along(self, places: Sequence[Indices]) -> "Contents":
        """Return contents of frames, each a place (L,) of the phonemes, by clause."""
        found = [torch.from_numpy(one) for one in places]
        return Contents(
            *(
                pad_sequence([part[at, one] for at, one in enumerate(found)], batch_first=True)
                for part in (self.own, self.target, self.mask)
            )
        )


def contents_of(acoustic: NanoAcoustic, clauses: Sequence[Sounds]) -> Contents:
    """Return the voice's contents of clauses."""
    own, target = [], []
    for sounds in clauses:
        parts = (sounds.symbol, sounds.place, sounds.mark, sounds.phrase)
        symbol, place, mark, phrase = map(torch.from_numpy, parts)
        own.append(acoustic.symbol(symbol))
        target.append(acoustic.content(symbol, place, mark, phrase))
    mask = [torch.ones(len(one)) for one in own]
    return Contents(*(pad_sequence(part, batch_first=True) for part in (own, target, mask)))


def frames_of(sounds: Sounds, dice: np.random.Generator, frames: int | None = None) -> Indices:
    """Return a phoneme for each frame of the face, (L,): each lasts as long as all, or as drawn.

    Args:
        sounds: Of a clause.
        dice: Draw one or two frames a phoneme where nothing is known.
        frames: L where it is known.
    """
    if frames is not None:
        return np.arange(frames) * len(sounds.symbol) // frames
    return np.repeat(np.arange(len(sounds.symbol)), dice.integers(1, 3, len(sounds.symbol)))


class Styles:
    """S^s and S^v of every feeling and profile, and the classes' numbers.

    Args:
        answer: How somebody answers who hears of a feeling.
    """

    def __init__(self, answer: Answer) -> None:
        speaker = NanoModel(SHIPPED).speaker
        self.asked = {fine: answer(fine) for fine in FINE}
        self.voice = torch.from_numpy(
            np.stack([
                np.stack([
                    voice_vectors.write_vector(
                        speaker,
                        voice_vectors.voice_of(profile),
                        voice_vectors.toned(self.asked[fine][0], profile.tone),
                    )
                    for profile in PROFILES
                ])
                for fine in FINE
            ])
        )  # fmt: skip
        self.face = torch.from_numpy(
            np.stack([face_vectors.write_vector(self.asked[fine][1]) for fine in FINE])
        )

    def of(self, replies: Sequence[FeltReply]) -> tuple[Tensor, Tensor]:
        """Return S^s (B, 256) and S^v (B, 192) of replies."""
        felt = [FINE.index(one.emotion) for one in replies]
        who = [PROFILES.index(one.profile) for one in replies]
        return self.voice[felt, who], self.face[felt]


def classes_of(emotion: Fine, profile: Profile) -> dict[str, int]:
    """Return the number of each class, as the classifiers have them."""
    return {
        "emotion": EMOTION_CLASSES.index(COARSE[emotion]),
        "age": AGES.index(profile.age),
        "gender": GENDERS.index(profile.gender),
        "tone": TONES.index(profile.tone),
    }


def labels_of(replies: Sequence[FeltReply]) -> dict[str, Tensor]:
    """Return class numbers (B,) by field."""
    rows = [classes_of(one.emotion, one.profile) for one in replies]
    return {name: torch.tensor([row[name] for row in rows]) for name in rows[0]}
