"""Transcription of one caller: the utterances' sound, in order → ``Transcript``s.

It feeds the recogniser, which is slow and has its own thread. Marks in the sound say where a pause
is or an utterance ends: the words until there are told when they are recognised, the final ones at
the latest after ``FINAL_LIMIT_S``. What belongs to an utterance is not decided here.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from rt_avatar.engines.types import Pcm
from rt_avatar.messages import Transcript, TurnId
from rt_avatar.perception.turn_detector import TurnDetector
from rt_avatar.perception.utterance_media import UtteranceAudio
from rt_avatar.services.engines import Engines

_log = logging.getLogger(__name__)

# So long after the end of a turn the recogniser's latest words are taken for the final ones. It
# takes 0.02 to 0.6 s on a machine that is not overloaded; later the last words are mostly missing,
# so only the reply waits, and no longer than until people ask whether somebody is there.
FINAL_LIMIT_S = 3.0
SOUND_CHUNKS: Final = 100  # 10 s of sound wait for the recogniser, at most
MARKS: Final = 100  # and so many marks in it: every pause and every utterance has one


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    """Sound for the recogniser, and the loop time at which it was given."""

    pcm: Pcm
    given_s: float


@dataclass(slots=True, eq=False)
class Mark:
    """A place in the sound, a pause or an utterance's end, where all words until there are told.

    ``is_settled``: they are told already, or not wanted.
    """

    kind: Literal["pause", "end"]
    pts: int
    is_settled: bool = False
    deadline: asyncio.TimerHandle | None = None

    def settle(self) -> None:
        """Take note that the words are told, or not wanted any more."""
        self.is_settled = True
        if self.deadline is not None:
            self.deadline.cancel()


class Transcription:
    """Fed without waiting, on the event loop; ``run`` is a task of audio recognition.

    Args:
        engines: The recogniser's among them.
        turn_detector: Gets the words so far, too.
        pts: Tells the microphone sample up to which was heard.
        tell: Gets the transcripts.
    """

    def __init__(
        self,
        engines: Engines,
        turn_detector: TurnDetector,
        pts: Callable[[], int],
        tell: Callable[[Transcript], None],
    ) -> None:
        self._metrics = engines.metrics
        self._recogniser = engines.recogniser.open()
        self._lane = engines.recogniser_worker.lane()
        self._turn_detector = turn_detector
        self._pts = pts
        self._tell = tell
        self._text = ""
        self._has_failed = False  # the recogniser, in its utterance; told once
        self._spoken = UtteranceAudio()  # of the recogniser's utterance
        # Full of sound (the recogniser is that far behind): the newest is lost, and listening goes
        # on. Full of marks (it hangs for good): asyncio.QueueFull ends the session.
        self._sound: asyncio.Queue[_Chunk | Mark] = asyncio.Queue(maxsize=SOUND_CHUNKS + MARKS)
        self._ends: deque[Mark] = deque()  # of utterances that the recogniser has not ended

    def close(self) -> None:
        """Want no more words, and let the recogniser go."""
        for end in self._ends:
            end.settle()
        self._recogniser.close()
        self._lane.close(wait=False)

    def give(self, pcm: Pcm) -> None:
        """Take the next sound of an utterance."""
        if self._sound.qsize() < SOUND_CHUNKS:
            self._sound.put_nowait(_Chunk(pcm, asyncio.get_running_loop().time()))
        else:
            self._metrics.count_dropped("recogniser", len(pcm))

    def mark_pause(self, pts: int) -> Mark:
        """Want the words until here."""
        pause = Mark("pause", pts)
        self._sound.put_nowait(pause)
        return pause

    def mark_end(self, pts: int, *, is_wanted: bool) -> None:
        """End the utterance; whether its words are wanted."""
        end = Mark("end", pts, is_settled=not is_wanted)
        if is_wanted:
            loop = asyncio.get_running_loop()
            end.deadline = loop.call_later(FINAL_LIMIT_S, self._give_up, end)
        self._ends.append(end)
        self._sound.put_nowait(end)

    def tell_end(self) -> None:
        """Take the words so far for the final ones of the utterance that ended last."""
        self._tell_words(self._ends[-1], self._text, self._spoken.all())

    async def run(self) -> None:
        """Recognise until cancelled."""
        while True:
            item = await self._sound.get()
            try:
                if isinstance(item, Mark):
                    await self._read(item)
                elif not self._is_stale:
                    waited_s = asyncio.get_running_loop().time() - item.given_s
                    self._metrics.observe_recogniser_queue(waited_s)
                    await self._hear(item.pcm)
            except Exception as error:
                # Nothing is lost but words of this utterance; the next one is heard again.
                if not self._has_failed:
                    _log.error("the recogniser failed; words are lost", exc_info=error)
                self._has_failed = True
            if isinstance(item, Mark):
                self._pass(item)

    @property
    def _is_stale(self) -> bool:
        """Whether nobody wants the words of the utterance that the recogniser is at."""
        return bool(self._ends) and self._ends[0].is_settled

    async def _hear(self, pcm: Pcm) -> None:
        """Give sound to the recogniser; its words go to turn detection and to the session."""
        self._spoken.push(pcm)
        for hypothesis in await self._lane.call(self._recogniser.push, pcm):
            self._text = hypothesis.text
            if not self._is_stale:
                if not self._ends:  # else another voice may have begun: these are not its words
                    self._turn_detector.words(self._text, hypothesis.confidence)
                sound = self._spoken.all()
                self._tell(
                    Transcript(TurnId(0), self._pts(), self._text, is_final=False, sound=sound)
                )

    async def _read(self, mark: Mark) -> None:
        """Wait for all words until a mark; behind an utterance's end another one begins."""
        if mark.kind == "end":
            for hypothesis in await self._lane.call(self._recogniser.flush):
                self._text = hypothesis.text
        elif not (mark.is_settled or self._is_stale):
            hypothesis = await self._lane.call(self._recogniser.heard)
            self._text = hypothesis.text
            if not (mark.is_settled or self._ends):  # the caller pauses still
                self._turn_detector.words(self._text, hypothesis.confidence)

    def _pass(self, mark: Mark) -> None:
        """Tell the words until a mark, if they are still wanted."""
        if not self._is_stale:
            self._tell_words(mark, self._text, self._spoken.all())
        if mark.kind == "end":
            self._ends.popleft()
            self._text, self._has_failed = "", False
            self._spoken.clear()

    def _give_up(self, end: Mark) -> None:
        """Take the words so far for the final ones: the recogniser is too late."""
        _log.warning("the recogniser is more than %g s late: words may be lost", FINAL_LIMIT_S)
        if end is self._ends[0]:
            self._tell_words(end, self._text, self._spoken.all())
        else:  # it is still at an earlier utterance
            self._tell_words(end, "", None)

    def _tell_words(self, mark: Mark, text: str, sound: Pcm | None) -> None:
        if mark.is_settled:
            return
        mark.settle()
        is_final = mark.kind == "end"
        words = Transcript(TurnId(0), mark.pts, text, is_final, sound=sound)
        self._tell(replace(words, is_preflight=not is_final))
