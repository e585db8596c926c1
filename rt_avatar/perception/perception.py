"""Perception of one caller: ``MediaInput`` → ``TurnEvent``, ``Transcript``, ``Affect``.

It owns what they share: the buffer that transports fill and the affect that voice, face and words
feed.
"""

import asyncio
import logging
from collections.abc import Callable

from rt_avatar.config.settings import Settings
from rt_avatar.engines.types import INPUT_RATE_HZ, Image
from rt_avatar.messages import Affect, Transcript, TurnEvent, TurnId
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.audio_recognition import AudioRecognition
from rt_avatar.perception.capture import MediaInputBuffer
from rt_avatar.perception.face_observer import FaceObserver
from rt_avatar.perception.utterance_media import UtteranceImages
from rt_avatar.playout.echo_reference import EchoReference
from rt_avatar.services.engines import Engines

_log = logging.getLogger(__name__)

PerceptionEvent = TurnEvent | Transcript | Affect


class Perception:
    """One caller's speech, face and affect. ``tell`` gets every event, in order."""

    def __init__(
        self,
        settings: Settings,
        engines: Engines,
        reference: EchoReference,
        tell: Callable[[PerceptionEvent], None],
    ) -> None:
        self.media_input = MediaInputBuffer()
        self._affect = AffectEstimator()
        self.audio = AudioRecognition(
            settings.turn_detection, engines, self.media_input, reference, self._affect, tell
        )
        self._face_observer = (
            FaceObserver(engines, self._affect) if settings.vision.enabled else None
        )
        self._seen = UtteranceImages()
        self._reported = Affect(TurnId(0), 0)
        self._period_s = 1 / settings.vision.rate_hz
        self._tell = tell

    @property
    def pts(self) -> int:
        """Microphone sample up to which was heard."""
        return self.audio.pts

    async def run(self) -> None:
        """Perceive until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.audio.run())
                group.create_task(self._feel())
                if self._face_observer is not None:
                    group.create_task(self._watch(self._face_observer))
        finally:
            if self._face_observer is not None:
                self._face_observer.close()

    def affect(self, turn: TurnId) -> Affect:
        """Return how the caller seems to feel now."""
        return self._affect.affect(turn, self.pts)

    def pictures(self, pts: int) -> tuple[Image, ...]:
        """Return the pictures to look at of the newest utterance, as it was at that sample."""
        self._seen.begin(self.audio.newest_start)  # no picture may have come since
        return self._seen.until(pts)

    def read_words(self, text: str) -> None:
        """Let words, spoken or typed, count for the affect."""
        self._affect.update_words(text)

    async def _feel(self) -> None:
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        while True:
            self._affect.update_time(round((loop.time() - begun_s) * INPUT_RATE_HZ))
            self._tell_affect()
            await asyncio.sleep(self._period_s)

    async def _watch(self, observer: FaceObserver) -> None:
        """Look at the caller's images as they come, but no more often than is set."""
        loop, is_blind = asyncio.get_running_loop(), False
        while True:
            image = await self.media_input.read_image()
            next_s = loop.time() + self._period_s
            self._seen.keep(self.audio.utterance_start, self.pts, image)
            try:
                await observer.look(image)
            except Exception:  # the call goes on without vision; every image would say the same
                if not is_blind:
                    _log.exception("the caller's picture could not be looked at")
                is_blind = True
            self._tell_affect()
            await asyncio.sleep(next_s - loop.time())

    def _tell_affect(self) -> None:
        felt = self.affect(TurnId(0))
        if _differs(felt, self._reported):
            self._reported = felt
            self._tell(felt)


def _differs(felt: Affect, reported: Affect) -> bool:
    """Whether anybody could see the change: 0.05 is what the page's smallest bar shows."""
    return (
        felt.emotion != reported.emotion
        or felt.has_face != reported.has_face
        or felt.is_smiling != reported.is_smiling
        or abs(felt.valence - reported.valence) > 0.05
        or abs(felt.arousal - reported.arousal) > 0.05
    )
