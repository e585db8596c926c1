"""An avatar at the other end of a scripted caller's line: it answers after known delays.

It hears the caller's microphone, packet by packet, and knows the true end of speech to the sample.
"""

import asyncio
import json
from collections.abc import Callable

import numpy as np
from aiortc.mediastreams import MediaStreamError
from av import VideoFrame

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.media import BLOCK_S
from tests.benchmarks.scripted_caller import packets

RATE = 48_000
PICTURE_S = 0.04
LOUD = 4000


class ScriptedAvatar:
    """Answers each voice ``sound_s`` after its end, and opens its mouth ``mouth_s`` after it.

    Attributes:
        pause_s: So much silence is the end of a voice: a longer pause gets a reply into it.
        messages: What it was sent on the data channel.
    """

    def __init__(self, caller: Caller, sound_s: float, mouth_s: float, pause_s: float = 0.1):
        self.sound_s, self.mouth_s, self.pause_s = sound_s, mouth_s, pause_s
        self.messages: list[dict] = []
        self._caller = caller
        self._voice_end_s: float | None = None
        self._speaks_s: float | None = None  # when the reply begins
        self._moves_s: float | None = None
        self._turn = 0
        self._handlers: list[Callable[[str], None]] = []
        caller.channel = self
        caller.start(self._listen())
        caller.start(caller._keep_sound(_Sounds(self)))
        caller.start(caller._keep_pictures(_Pictures(self)))

    # --- the data channel, as the caller sees it ------------------------------------------------
    def on(self, event: str, handler: Callable[[str], None]) -> None:
        self._handlers.append(handler)

    def send(self, text: str) -> None:
        message = json.loads(text)
        self.messages.append(message)
        if message["type"] == "interrupt" and self._speaks_s is not None:
            self._speaks_s = self._moves_s = None
            marks = {"end_of_turn": 200.0, "audio_released": self.sound_s * 1000}
            self._tell("trace", turn=self._turn, marks_ms=marks, preemptive_used=False)
            self._tell("state", turn=self._turn + 1, state="listening")

    def _tell(self, kind: str, **fields: object) -> None:
        text = json.dumps({"type": kind, **fields})
        self._caller._on_message(text)
        for handler in self._handlers:
            handler(text)

    # --- ears -----------------------------------------------------------------------------------
    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            pcm = (await self._caller.microphone.recv()).to_ndarray().ravel()
            begin_s = loop.time() - BLOCK_S  # a packet is handed over when it has been recorded
            loud = np.flatnonzero(np.abs(pcm.astype(int)) > LOUD)
            if len(loud):
                self._voice_end_s = begin_s + (int(loud[-1]) + 1) / RATE
            elif self._voice_end_s is not None and loop.time() > self._voice_end_s + self.pause_s:
                self._answer(self._voice_end_s)
                self._voice_end_s = None

    def _answer(self, end_s: float) -> None:
        self._turn += 1
        self._speaks_s, self._moves_s = end_s + self.sound_s, end_s + self.mouth_s
        self._tell("state", turn=self._turn, state="thinking")
        self._caller.start(self._begin(self._turn, self._speaks_s))

    async def _begin(self, turn: int, at_s: float) -> None:
        await asyncio.sleep(max(0.0, at_s - asyncio.get_running_loop().time()))
        self._tell("plan", turn=turn)
        self._tell("state", turn=turn, state="speaking")

    # --- voice and face -------------------------------------------------------------------------
    def sound(self, begin_s: float) -> np.ndarray:
        """The 20 ms from that loop time on."""
        pcm = np.zeros(960, np.int16)
        if self._speaks_s is not None:
            first = max(0, round((self._speaks_s - begin_s) * RATE))
            pcm[first:] = 8000
        return pcm

    def picture(self, at_s: float) -> VideoFrame:
        """Gray, with lips; they are apart while it speaks."""
        luma = np.full((768, 512), 128, np.uint8)
        luma[:512] = 180
        luma[338:350, 225:287] = 90
        if self._moves_s is not None and at_s >= self._moves_s:
            luma[330:358, 235:277] = 10
        return VideoFrame.from_ndarray(luma, format="yuv420p")


class _Sounds:
    kind = "audio"

    def __init__(self, avatar: ScriptedAvatar) -> None:
        self._avatar, self._due_s = avatar, asyncio.get_running_loop().time()

    async def recv(self):
        self._due_s += BLOCK_S
        await asyncio.sleep(self._due_s - asyncio.get_running_loop().time())
        if self._avatar._caller.pc.connectionState == "closed":
            raise MediaStreamError
        ((_, frame),) = packets(self._avatar.sound(self._due_s), self._due_s)
        return frame


class _Pictures:
    kind = "video"

    def __init__(self, avatar: ScriptedAvatar) -> None:
        self._avatar, self._due_s = avatar, asyncio.get_running_loop().time() + 0.007

    async def recv(self) -> VideoFrame:
        self._due_s += PICTURE_S
        await asyncio.sleep(self._due_s - asyncio.get_running_loop().time())
        return self._avatar.picture(self._due_s)
