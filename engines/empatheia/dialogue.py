"""What goes into the graph and what comes out: a dialogue with sound and pictures → an answer.

Numbers and text only: who reads files, and who writes them, is elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.types import Emotion, Image, Pcm

Style = NDArray[np.float32]  # (1, size)
Pictures = NDArray[np.uint8]  # (frames, height, width, 3) RGB

# The classes in the order of the classifiers (AvaMERG's published text baseline).
EMOTION_CLASSES: Final[tuple[Emotion, ...]] = (
    "happy", "surprised", "angry", "fear", "sad", "disgusted", "contempt",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Utterance:
    """What somebody said, as far as it was heard and seen.

    Attributes:
        role: Who.
        text: The words.
        pcm: The sound at 16 kHz; None: there is none.
        pictures: Of the face, those to look at (``encoders.pictures.choose``); may be empty.
    """

    role: Literal["user", "avatar"]
    text: str
    pcm: Pcm | None = None
    pictures: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What a listener understood and wrote, for the language model to read.

    Attributes:
        chain: What was understood.
        text: The reply; not empty.
    """

    chain: Chain
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Dialogue:
    """What is to be answered, and by whom.

    Attributes:
        utterances: From the first to the user's last.
        portrait: Whose face answers; None: a plain one, in which nobody can be seen.
        voice: Sound at 24 kHz of whose voice answers; only for ``style_source = "reference"``.
        style_clip: (frames, 64) expressions at 25 fps of how its face moves; the same.
        profile: Who answers, for the language model; None: nobody says.
        written: What is answered, if somebody else than the language model writes it.
    """

    utterances: tuple[Utterance, ...]
    portrait: Image | None = None
    voice: Pcm | None = None
    style_clip: NDArray[np.float32] | None = None
    profile: Profile | None = None
    written: Written | None = None

    def __post_init__(self) -> None:
        if not self.utterances or self.utterances[-1].role != "user":
            raise ValueError("dialogue: expected the user's utterance at its end")


@dataclass(frozen=True, slots=True, eq=False)
class Styles:
    """How the answer sounds and looks.

    Attributes:
        voice: S^s (1, 256), acoustic half first.
        face: S^v (1, D).
        classes: Logits of emotion, age, gender, tone; empty where no disentangler was asked.
    """

    voice: Style
    face: Style
    classes: Mapping[str, NDArray[np.float32]]

    @property
    def emotion(self) -> Emotion:
        """The likeliest emotion; neutral where none was asked for."""
        if "emotion" not in self.classes:
            return "neutral"
        return EMOTION_CLASSES[int(self.classes["emotion"][0].argmax())]
