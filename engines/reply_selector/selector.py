"""What was said in a call → which general replies fit it, and how well another reply does.

Upper layers of the text encoder, tuned to calls whose every turn a reader had labelled
(``engines.training.reply_selector``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.reply_selector.bank import GeneralReply, load_general
from rt_avatar.engines.text_emotion.network import softmax
from rt_avatar.engines.text_encoder import EncoderHead, TextEncoder, packaged_encoder, split_words

GRADES: Final = "MWF"  # of a reply: misses the point, weak, fits
_WORTH: Final = np.array((0.0, 0.45, 1.0), np.float32)  # of each grade, as in docs/LOG.md
# Words that are read of each text, the last ones of what was said.
_REPLY, _LAST, _OWN, _BEFORE = 16, 36, 14, 18


@dataclass(frozen=True, slots=True)
class Selection:
    """What the network makes of a turn.

    Attributes:
        shares: (replies,) 0 to 1: which general reply is said, in the order of the bank.
        harm: 0 to 1, that it tells, as if it were nothing, of what nobody should approve of, laugh
            about or excuse: what the replies to harm share, and "none of them".
        worth: 0 to 1, of the reply that was asked about: 0 misses the point, .45 is weak, 1 fits.
    """

    shares: NDArray[np.float32]
    harm: float
    worth: float


def texts_of(said: Sequence[str], own: Sequence[str], reply: str) -> list[list[str]]:
    """Return the words of the texts that the network reads, in its order.

    Args:
        said: The caller's turns, the oldest first; one or more.
        own: The avatar's, likewise.
        reply: What would be said to the last turn.
    """
    before = split_words(said[-2]) if len(said) > 1 else []
    last = split_words(own[-1]) if own else []
    return [
        split_words(reply)[:_REPLY],
        split_words(said[-1])[-_LAST:],
        last[-_OWN:],
        before[-_BEFORE:],
    ]


class ReplySelector:
    """Bank and network, once a process; any thread.

    Args:
        folder: Of ``replies.txt`` and ``upper.onnx``; the package's where none is given.
        encoder: What it reads with; the package's where none is given.

    Attributes:
        replies: The bank.

    Raises:
        FileNotFoundError: A file is missing.
        RuntimeUnavailableError: The layers are no graph.
        ValueError: A file does not hold what it should.
    """

    def __init__(self, folder: Path | None = None, encoder: TextEncoder | None = None) -> None:
        self.replies: Sequence[GeneralReply] = load_general(
            folder / "replies.txt" if folder else None
        )
        self._is_to_harm = np.array([one.when == "harm" for one in self.replies])
        files = folder or resources.files("rt_avatar.engines.reply_selector")
        self._encoder = encoder or packaged_encoder()
        self._head = EncoderHead(files / "upper.onnx", outputs_of(len(self.replies)))

    def select(self, said: Sequence[str], own: Sequence[str], reply: str) -> Selection:
        """Return what fits a turn, and how well ``reply`` does.

        Args:
            said: The caller's turns, the oldest first; one or more.
            own: The avatar's, likewise.
            reply: What would be said to the last turn.
        """
        scores = self._head.scores(self._encoder.read(*texts_of(said, own, reply)))
        count = len(self.replies) + 1  # the first score: none of them
        shares = softmax(scores[:count], 0)
        harm = float(shares[0] + shares[1:][self._is_to_harm].sum())
        worth = float(softmax(scores[count:], 0) @ _WORTH)
        return Selection(shares[1:], harm, worth)


def outputs_of(replies: int) -> int:
    """Return how many scores there are for a bank of so many replies."""
    return 1 + replies + len(GRADES)
