"""All senses of one caller in one place: ``Inlet`` → ``Endpoint``, ``Transcript``, ``Affect``.

It owns what they share: the buffer that doors fill and the affect that voice, face and words feed.
"""

import asyncio
import logging
from collections.abc import Callable

from engines.types import Image
from rt_avatar.config.settings import Settings
from rt_avatar.engine_room.engines import Engines
from rt_avatar.messages import Affect, Endpoint, Transcript, TurnId
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.capture import InletBuffer
from rt_avatar.perception.ears import Ears
from rt_avatar.perception.eyes import Eyes
from rt_avatar.perception.remembered import RememberedPictures
from rt_avatar.playout.echo_reference import EchoReference

_log = logging.getLogger(__name__)

Finding = Endpoint | Transcript | Affect


class Senses:
    """One caller's hearing, sight and affect. ``tell`` gets every finding, in order."""

    def __init__(
        self,
        settings: Settings,
        engines: Engines,
        reference: EchoReference,
        tell: Callable[[Finding], None],
    ) -> None:
        self.inlet = InletBuffer()
        self._affect = AffectEstimator()
        self.ears = Ears(settings.endpointing, engines, self.inlet, reference, self._affect, tell)
        self._eyes = Eyes(engines, self._affect) if settings.sight.enabled else None
        self._seen = RememberedPictures()
        self._is_blind = False  # looking has failed; told once
        self._period_s = 1 / settings.sight.rate_hz
        self._tell = tell

    @property
    def pts(self) -> int:
        """Microphone sample up to which was heard."""
        return self.ears.pts

    async def run(self) -> None:
        """Perceive until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.ears.run())
                group.create_task(self._feel())
        finally:
            if self._eyes is not None:
                self._eyes.close()

    def affect(self, turn: TurnId) -> Affect:
        """Return how the caller seems to feel now."""
        return self._affect.affect(turn, self.pts)

    def pictures(self, pts: int) -> tuple[Image, ...]:
        """Return the pictures to look at of the newest utterance, as it was at that sample."""
        return self._seen.until(pts)

    def read_words(self, text: str) -> None:
        """Let words, spoken or typed, count for the affect."""
        self._affect.update_words(text)

    async def _feel(self) -> None:
        told = Affect(TurnId(0), 0)
        while True:
            image = self.inlet.take_image()
            if image is not None and self._eyes is not None:
                if (start := self.ears.utterance_start) is not None:
                    self._seen.keep(start, self.pts, image)
                await self._look(self._eyes, image)
            felt = self.affect(TurnId(0))
            if _differs(felt, told):
                told = felt
                self._tell(felt)
            await asyncio.sleep(self._period_s)

    async def _look(self, eyes: Eyes, image: Image) -> None:
        try:
            await eyes.look(image)
        except Exception:  # the call goes on without sight; every image would say the same
            if not self._is_blind:
                _log.exception("the caller's picture could not be looked at")
            self._is_blind = True


def _differs(felt: Affect, told: Affect) -> bool:
    """Whether anybody could see the change: 0.05 is what the page's smallest bar shows."""
    return (
        felt.emotion != told.emotion
        or felt.has_face != told.has_face
        or felt.is_smiling != told.is_smiling
        or abs(felt.valence - told.valence) > 0.05
        or abs(felt.arousal - told.arousal) > 0.05
    )
