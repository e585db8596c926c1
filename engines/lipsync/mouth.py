"""Where the mouth is by its sound: ``Heard`` (20 hops) → ``Articulation`` of the chunk before.

Two networks answer: one that many voices taught (``network``), and one that learnt lips
and closures from a person (``engines.motion.learnt_mouth``). They say how likely lips are shut;
here it becomes a decision, because lips that nearly meet look wrong in any language. And where
there is no sound, nothing is guessed: the mouth rests.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.lipsync.channels import LIPS, POUT, SHAPE_NAMES, TALKS, TEETH, unpack
from rt_avatar.engines.lipsync.network import HOPS_A_FRAME, Network, NetworkStream
from rt_avatar.engines.motion.learnt_mouth import SHAPES, TOUCH, HeardMouth, LearntMouth
from rt_avatar.engines.motion.speaking_face import Articulation
from rt_avatar.engines.motion.spectrum import Heard
from rt_avatar.engines.types import CHUNK_FRAMES

# Below the first a gate is open, above the second it is shut. Measured on voices held out
# (docs/LOG.md): lower ones close lips at every dip of the voice, higher ones miss short closures.
_GATE_OPEN, _GATE_SHUT = 0.2, 0.4
# Silence, in dBFS of 10 ms: what a 16-bit recording can hold at all is louder than the first.
_SILENT_DB, _SOUND_DB = -75.0, -65.0
# The mouth opens up to this many frames before a sound and shuts as many after it.
_AROUND_FRAMES: Final = 3
# How much is the person's, of lips and closures; of the jaw nothing, whose share on other voices
# would leave what the sounds ask for (docs/LOG.md).
_LEARNT_SHAPES: Final = np.array([0.0, *(0.2 for _ in SHAPES[1:])], np.float32)
_LEARNT_TOUCH: Final = 0.3
_LEARNT_NUMBERS: Final = [SHAPE_NAMES.index(name) for name in SHAPES]


class Mouth:
    """One stream's mouth. Not thread-safe."""

    def __init__(self, network: Network, learnt: LearntMouth) -> None:
        self._network = NetworkStream(network)
        self._learnt = HeardMouth(learnt)
        # (10,) loudest hop of each frame: the chunk asked for and the one before it.
        self._loudest_db: NDArray[np.float64] = np.full(2 * CHUNK_FRAMES, _SILENT_DB)

    def push(self, heard: Heard) -> Articulation:
        """Hear the next chunk; return the mouth of the one before."""
        numbers = self._network.push(heard)
        learnt = self._learnt.push(heard.bands)
        shapes = numbers[:, _LEARNT_NUMBERS]
        # Who learnt from clips guesses in silence when a clip's speech will begin: not asked there.
        share = _LEARNT_SHAPES * numbers[:, TALKS, None]
        numbers[:, _LEARNT_NUMBERS] += share * (learnt[:, :TOUCH] - shapes)
        numbers[:, LIPS] += _LEARNT_TOUCH * (learnt[:, TOUCH] - numbers[:, LIPS])
        for gate in (LIPS, POUT, TEETH):
            likely = (numbers[:, gate] - _GATE_OPEN) / (_GATE_SHUT - _GATE_OPEN)
            numbers[:, gate] = np.clip(likely, 0.0, 1.0)
        numbers *= self._sounds(heard)[:, None]
        return unpack(numbers)

    def _sounds(self, heard: Heard) -> NDArray[np.float32]:
        """Return whether there is any sound near each frame of the chunk before: (5,) 0..1."""
        new = heard.level_db.reshape(CHUNK_FRAMES, HOPS_A_FRAME).max(axis=1)
        loudest = np.concatenate((self._loudest_db, new))  # (15,)
        self._loudest_db = loudest[CHUNK_FRAMES:]
        near = np.lib.stride_tricks.sliding_window_view(loudest, 2 * _AROUND_FRAMES + 1)
        level = near[CHUNK_FRAMES - _AROUND_FRAMES :][:CHUNK_FRAMES].max(axis=1)
        share: NDArray[np.float32] = np.clip(
            (level - _SILENT_DB) / (_SOUND_DB - _SILENT_DB), 0.0, 1.0
        ).astype(np.float32)
        return share
