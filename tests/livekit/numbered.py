"""A media output whose content says what it is: numbered pictures, a beep with every 25th."""

import asyncio

import numpy as np

from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.media_io import BLOCK_SAMPLES, AudioBlock, MediaEndedError, VideoPicture
from rt_avatar.playout.clock import PlayoutClock

BEEP_HZ = 1000
BEEP_EVERY = 25  # pictures: once a second
BEEP_PICTURES = 5  # 200 ms: a busy machine may skip some of it, never all
BITS = 16
SIDE = 4  # cells of a picture's number, 4 × 4
BLACK, WHITE = 40, 210


class NumberedMediaOutput:
    """Implements ``rt_avatar.media_io.MediaOutput`` in real time.

    Picture ``n`` shows ``n`` in 16 cells. With every 25th, a tone of 1 kHz begins; with
    ``is_tone`` it never stops.
    """

    def __init__(self, size_px: int = 256, *, is_tone: bool = False) -> None:
        clock = PlayoutClock()
        self._audio, self._video = clock.audio_ticker(), clock.video_ticker()
        self._size_px = size_px
        self.is_tone = is_tone
        self.is_silent = False  # no beeps either
        self.is_over = False
        self.sent_at_s: dict[int, float] = {}  # loop time of each picture
        self.beep_at_s: dict[int, float] = {}  # loop time of each beep, by its picture's number
        self.blocks = 0
        self.next_block = asyncio.Event()  # set and cleared at once: wakes who waits

    async def next_audio(self) -> AudioBlock:
        index = await self._audio.wait_next()
        if self.is_over:
            raise MediaEndedError
        self.blocks += 1
        self.next_block.set()
        self.next_block.clear()
        picture = index // 2
        pcm = np.zeros(BLOCK_SAMPLES, np.int16)
        if self.is_tone or (not self.is_silent and picture % BEEP_EVERY < BEEP_PICTURES):
            at = (index * BLOCK_SAMPLES + np.arange(BLOCK_SAMPLES)) / 48_000
            pcm = (12_000 * np.sin(2 * np.pi * BEEP_HZ * at)).astype(np.int16)
            if picture % BEEP_EVERY < BEEP_PICTURES:
                self.beep_at_s.setdefault(
                    picture // BEEP_EVERY * BEEP_EVERY, asyncio.get_running_loop().time()
                )
        return AudioBlock(index * BLOCK_SAMPLES, pcm)

    async def next_video(self) -> VideoPicture:
        index = (await self._video.wait_next()) // 2
        if self.is_over:
            raise MediaEndedError
        self.sent_at_s[index] = asyncio.get_running_loop().time()
        motion = np.full(MOTION_SIZE, index, np.float32)
        return VideoPicture(index * 2 * BLOCK_SAMPLES, draw_number(index, self._size_px), motion)


def draw_number(number: int, size_px: int) -> np.ndarray:
    """Return I420 planes that show a number of 16 bits."""
    planes = np.full((size_px * 3 // 2, size_px), 128, np.uint8)
    bits = [(number >> bit) & 1 for bit in range(BITS)]
    cells = np.where(np.array(bits).reshape(SIDE, SIDE) == 1, WHITE, BLACK).astype(np.uint8)
    planes[:size_px] = np.kron(cells, np.ones((size_px // SIDE, size_px // SIDE), np.uint8))
    return planes


def read_number(luma: np.ndarray) -> int:
    """Return the number that (height, width) uint8 luminance shows."""
    height, width = (side // SIDE for side in luma.shape)
    middles = luma[height // 2 :: height, width // 2 :: width][:SIDE, :SIDE]
    return sum(1 << bit for bit, value in enumerate(middles.reshape(-1)) if value > 125)
