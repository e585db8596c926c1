"""Audio recognition with the real recogniser: one caller's trouble with it is nobody else's."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import numpy as np
import psutil
import pytest

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines import sphinx
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.sphinx import SphinxEngine
from rt_avatar.messages import MicChunk, Trace, Transcript, TurnEvent
from rt_avatar.perception import transcription
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.audio_recognition import AudioRecognition
from rt_avatar.perception.capture import BUFFER_SAMPLES, MediaInputBuffer
from rt_avatar.playout.echo_reference import EchoReference
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner, ScriptedRecogniser
from tests.fakes.scripted_call import calling
from tests.fakes.speech_endpoint import spoken, wire
from tests.fakes.virtual_time import run_virtual
from tests.recogniser import recogniser_processes

pytestmark = pytest.mark.unit

SPEECH = np.frombuffer(wire(spoken("I went home to see my mother.", "onyx")[0], 16_000), "<i2")
SILENCE = np.zeros(24_000, np.int16)
PATIENCE_S = 60.0


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEngines]:
    # What waits for a stuck process waits for so long; on a busy machine nothing else does.
    monkeypatch.setattr(sphinx, "_PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(transcription, "FINAL_LIMIT_S", PATIENCE_S)
    engines = ScriptedEngines()
    engines.vad = SileroEngine()
    engines.recogniser = SphinxEngine()
    engines.recogniser.warmup()
    yield engines
    engines.close()
    engines.recogniser.close()


class MediaInput(MediaInputBuffer):
    """Tells when all that was said has been heard, and how much at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.was_heard = asyncio.Event()
        self.portions: list[int] = []

    async def read_chunk(self, least: int = 1) -> MicChunk:
        self.was_heard.set()
        chunk = await super().read_chunk(least)
        self.portions.append(len(chunk.pcm))
        return chunk


class Caller:
    """Somebody who speaks into a recogniser of their own."""

    def __init__(self, engines: ScriptedEngines) -> None:
        self._engines = engines
        self.media_input = MediaInput()
        self.transcripts: asyncio.Queue[Transcript] = asyncio.Queue(maxsize=1000)
        self.findings: list[TurnEvent | Transcript] = []
        self.audio_recognition = AudioRecognition(
            TurnDetectionSettings(),
            engines,
            self.media_input,
            EchoReference(),
            AffectEstimator(),
            self._tell,
        )

    def _tell(self, finding: TurnEvent | Transcript) -> None:
        self.findings.append(finding)
        if isinstance(finding, Transcript):
            self.transcripts.put_nowait(finding)

    async def say(self, sound: np.ndarray) -> None:
        for start in range(0, len(sound), 3_200):
            self.media_input.was_heard.clear()
            self.media_input.push_audio_nowait(sound[start : start + 3_200], 16_000)
            await self.media_input.was_heard.wait()

    async def say_in_packets(self, sound: np.ndarray) -> list[int]:
        """Say it 20 ms at a time; return how many samples were analysed at once."""
        self.media_input.portions.clear()
        for start in range(0, len(sound), 320):
            self.media_input.push_audio_nowait(sound[start : start + 320], 16_000)
            await asyncio.sleep(0)  # it is read, if it is enough …
            await self._engines.audio_worker.call(lambda: None)  # … and analysed
            await asyncio.sleep(0)
        return self.media_input.portions

    async def say_at_once(self, sound: np.ndarray) -> None:
        self.media_input.was_heard.clear()
        for start in range(0, len(sound), 320):
            self.media_input.push_audio_nowait(sound[start : start + 320], 16_000)
        await self.media_input.was_heard.wait()

    async def pause(self) -> str:
        """Pause, no longer than until all words until there are told; return them."""
        await self.say(SILENCE[:3_200])
        while not (words := await self.transcripts.get()).is_preflight:
            pass
        return words.text

    async def words(self) -> str:
        """Fall silent, and return the final words."""
        await self.say(SILENCE)
        while not (words := await self.transcripts.get()).is_final:
            pass
        return words.text


@asynccontextmanager
async def call(engines: ScriptedEngines) -> AsyncIterator[Caller]:
    caller = Caller(engines)
    async with asyncio.TaskGroup() as group:
        listening = group.create_task(caller.audio_recognition.run())
        yield caller
        listening.cancel()


async def stop_child(engines: ScriptedEngines, caller: Caller) -> psutil.Process:
    """Say a word; stop the process that hears it in the middle of it."""
    await caller.say(SPEECH[:16_000])
    await caller.pause()
    (child,) = recogniser_processes()[-1].children()
    child.suspend()
    return child


async def test_hanging_up_waits_for_no_stuck_recogniser(engines):
    loop = asyncio.get_running_loop()
    async with call(engines) as caller:
        child = await stop_child(engines, caller)
        await caller.say(SPEECH[16_000:])
        began_s = loop.time()
    assert loop.time() - began_s < PATIENCE_S / 2
    await asyncio.to_thread(psutil.wait_procs, [child], 60)
    assert not child.is_running()
    assert not recogniser_processes()[-1].children()


async def test_words_are_heard_while_another_caller_s_recogniser_is_stuck(engines):
    async with call(engines) as stuck, call(engines) as other:
        child = await stop_child(engines, stuck)
        await stuck.say(SPEECH[16_000:])
        async with asyncio.timeout(PATIENCE_S / 2):
            await other.say(SPEECH)
            assert await other.words()
        assert child.status() == psutil.STATUS_STOPPED


async def test_the_words_of_a_pause_that_ends_the_turn_are_not_asked_for_again(engines):
    async with call(engines) as caller:
        await caller.say(SPEECH[:16_000])
        heard = await caller.pause()
        (child,) = recogniser_processes()[-1].children()
        child.suspend()
        async with asyncio.timeout(PATIENCE_S / 2):
            assert await caller.words() == heard != ""
        child.resume()
        end, words = caller.findings[-2:]
        assert isinstance(end, TurnEvent)
        assert end.kind == "end_of_turn"
        assert words.is_final
        await caller.say(SPEECH[:16_000])  # another utterance begins with no word
        assert await caller.pause() == heard


async def test_words_of_a_turn_that_was_given_up_are_never_those_of_the_next(engines, monkeypatch):
    monkeypatch.setattr(transcription, "FINAL_LIMIT_S", 3.0)
    async with call(engines) as caller:
        child = await stop_child(engines, caller)
        await caller.say(SPEECH[16_000:])
        await caller.say(SILENCE)
        await caller.say(SPEECH[:16_000])
        await caller.say(SILENCE[:3_200])  # the recogniser is still at the turn before
        while not (await caller.transcripts.get()).is_final:
            pass
        await caller.say(SILENCE)
        ends = [one for one in caller.findings if getattr(one, "kind", "") == "end_of_turn"]
        assert len(ends) == 2
        assert caller.findings[-1] is ends[-1]  # whose words are waited for
        child.resume()


def counted(engines: ScriptedEngines, name: str) -> float:
    lines = engines.metrics.exposition().decode().splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(name))


async def test_two_windows_are_analysed_at_once_until_somebody_speaks_and_then_each(engines):
    async with call(engines) as caller:
        silent = await caller.say_in_packets(SILENCE[:10_240])
        assert 8 <= len(silent) <= 10
        spoken = await caller.say_in_packets(SPEECH[4_800:16_000])
        assert max(spoken[-10:]) <= 640


async def test_how_long_sound_waits_for_the_recogniser_is_measured(engines):
    async with call(engines) as caller:
        await caller.say(SPEECH)
        await caller.words()
    assert counted(engines, "rt_avatar_recogniser_queue_seconds_count") >= len(SPEECH) // 3_200 - 4
    assert counted(engines, "rt_avatar_recogniser_queue_seconds_sum") > 0


async def test_sound_that_nobody_was_free_to_listen_to_is_counted(engines):
    async with call(engines) as caller:
        await caller.say(SPEECH[:3_200])
        # All at once is more than waits for its reader.
        await caller.say_at_once(np.zeros(BUFFER_SAMPLES + 1_600, np.int16))
    name = 'rt_avatar_mic_dropped_samples_total{stage="capture"}'
    assert counted(engines, name) == 1_600


@pytest.mark.parametrize("lost_s", [[0.3], [3.0], [1.0, 2.0], [30.0]])
def test_after_lost_sound_the_end_of_speech_is_still_told_at_its_time(lost_s):
    async def main(loop):
        async with calling(loop, ScriptedReasoner(["Oh."]), "i lost it.", "again.") as caller:
            await caller.speak(1.0)
            await caller.until(Trace, turn=1)
            for seconds in lost_s:  # beyond what waits for its reader
                sound = np.zeros(48_000 * 2 + int(48_000 * seconds), np.int16)
                caller.session.media_input.push_audio_nowait(sound, 48_000)
                await asyncio.sleep(1)
            end_s = await caller.speak(1.0)
            trace = await caller.until(Trace, turn=2)
            return trace.marks_s["audio_released"], caller.loud_after(end_s)[0] - end_s

    told_s, real_s = run_virtual(main)
    assert told_s == pytest.approx(real_s, abs=0.08)


class AtPauses(ScriptedRecogniser):
    """Knows its words only when it is asked for all until a pause."""

    def push(self, pcm):
        super().push(pcm)
        return []


def test_words_that_only_the_pause_brings_end_a_turn_as_soon_as_words_known_before():
    async def main(loop, recogniser):
        engines = ScriptedEngines()
        engines.recogniser = recogniser
        async with calling(loop, ScriptedReasoner(["Oh."]), engines=engines) as caller:
            await caller.speak(1.0)
            return (await caller.until(Trace)).marks_s["end_of_turn"]

    before_s = run_virtual(lambda loop: main(loop, ScriptedRecogniser("i lost it.")))
    pause_s = run_virtual(lambda loop: main(loop, AtPauses("i lost it.")))
    assert pause_s == pytest.approx(before_s, abs=0.001)


async def test_sound_that_finds_the_recogniser_s_queue_full_is_counted(engines, monkeypatch):
    monkeypatch.setattr(transcription, "SOUND_CHUNKS", 3)
    async with call(engines) as caller:
        await stop_child(engines, caller)
        await caller.say(SPEECH[16_000:])
    name = 'rt_avatar_mic_dropped_samples_total{stage="recogniser"}'
    assert counted(engines, name) > 0
