"""Words belong to the utterance in which they were said, however late the recogniser tells them."""

import asyncio
import threading

import numpy as np
import pytest

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.messages import Transcript
from rt_avatar.perception.transcription import Transcription
from rt_avatar.perception.turn_detector import TurnDetector
from rt_avatar.perception.utterance import VadFrame
from tests.fakes.engines import WINDOW, ScriptedEngines, ScriptedRecogniser

pytestmark = pytest.mark.unit

VOICE, SILENCE = (0.95, -25.0), (0.05, -60.0)


class LateRecogniser(ScriptedRecogniser):
    """Knows its words when it is let go."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.may_tell = threading.Event()

    def push(self, pcm):
        self.may_tell.wait()
        return super().push(pcm)


@pytest.mark.parametrize("is_late", [False, True])
async def test_a_cough_over_the_reply_does_not_get_the_words_of_the_turn_before(is_late: bool):
    engines = ScriptedEngines()
    engines.recogniser = recogniser = LateRecogniser("Wait, I will tell you.")
    detector = TurnDetector(TurnDetectionSettings())
    transcripts: asyncio.Queue[Transcript] = asyncio.Queue()
    transcription = Transcription(engines, detector, lambda: 0, transcripts.put_nowait)
    windows = 0

    def hear(count: int, sound: tuple[float, float]) -> list[str]:
        nonlocal windows
        told = []
        for _ in range(count):
            told += [event.kind for event in detector.push(VadFrame(windows * WINDOW, *sound))]
            windows += 1
        return told

    running = asyncio.create_task(transcription.run())
    try:
        hear(30, VOICE)
        transcription.give(np.full(1536, 0.1, np.float32))
        if not is_late:
            recogniser.may_tell.set()
            await transcripts.get()
        while "end_of_turn" not in hear(1, SILENCE):
            pass
        transcription.mark_end(windows * WINDOW, is_wanted=True)
        detector.set_playing(True)
        hear(10, SILENCE)
        over = hear(5, VOICE)
        recogniser.may_tell.set()
        while not (await transcripts.get()).is_final:
            pass
        over += hear(20, SILENCE)
    finally:
        recogniser.may_tell.set()
        running.cancel()
        transcription.close()
        engines.close()
    assert over == ["pause_reply", "resume_reply"]
