"""A television in the room: what is cut off again and again is joined, and stays bounded."""

import asyncio

import numpy as np
import pytest

from rt_avatar.engines.encoders.pictures import MOST
from rt_avatar.engines.types import INPUT_RATE_HZ
from rt_avatar.perception.utterance_media import LONGEST_SAMPLES, join_words
from rt_avatar.turns.caller_commands import MAX_TEXT_CHARS
from tests.fakes.engines import ScriptedReasoner
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

SENTENCE = "and the weather of sentence {:03} stays as mild as it has been all of the week before."


def test_replies_cut_off_unheard_again_and_again_leave_a_bounded_request_with_the_latest():
    utterances = 28

    async def main(loop):
        reasoner = ScriptedReasoner(["Oh."], thinks_s=30.0)  # never heard
        spoken = [SENTENCE.format(number) for number in range(utterances)]
        async with calling(loop, reasoner, *spoken) as call:

            async def camera():
                for number in range(10**6):
                    call.session.media_input.push_image_nowait(
                        np.full((2, 2, 3), number % 256, np.uint8)
                    )
                    await asyncio.sleep(0.25)

            filming = asyncio.ensure_future(camera())
            for _ in range(utterances):
                await call.speak(1.0)
                await asyncio.sleep(0.9)
            filming.cancel()
            return reasoner.requests

    requests = run_virtual(main)
    last = requests[-1]
    assert max(len(request.transcript.text) for request in requests) <= MAX_TEXT_CHARS
    assert max(len(request.pictures) for request in requests) <= MOST
    assert max(len(request.sound) for request in requests) <= LONGEST_SAMPLES
    assert last.transcript.text.endswith(SENTENCE.format(utterances - 1))
    assert SENTENCE.format(utterances - 5) in last.transcript.text
    assert len(last.sound) > 20 * INPUT_RATE_HZ
    seen = [picture[0, 0, 0] for picture in last.pictures]
    assert len(seen) == len({id(picture) for picture in last.pictures})
    assert seen[-1] - seen[0] < utterances // 2 * 8  # of the later ones: 8 are filmed in each


def test_a_question_asked_again_after_a_cough_has_each_picture_once():
    async def main(loop):
        reasoner = ScriptedReasoner(["Oh."], thinks_s=2.0)
        async with calling(loop, reasoner, "i went home.") as call:
            for number in range(8):
                call.session.media_input.push_image_nowait(np.full((2, 2, 3), number, np.uint8))
                await call.speak(0.25)
            await asyncio.sleep(1.0)
            await call.speak(0.08)
            await asyncio.sleep(1.0)
            return reasoner.requests

    requests = run_virtual(main)
    assert len(requests) == 2
    assert [p[0, 0, 0] for p in requests[1].pictures] == [p[0, 0, 0] for p in requests[0].pictures]


def test_words_beyond_the_bound_are_forgotten_from_the_front_and_none_is_cut_in_two():
    words = " ".join(f"word{number}" for number in range(1000))
    kept = join_words(words, "at last")
    assert len(kept) <= MAX_TEXT_CHARS
    assert kept.endswith("word999 at last")
    assert set(kept.split()) <= {*words.split(), "at", "last"}
    assert join_words("", "  ") == ""
    unspaced = join_words("字" * 3000, "")
    assert 0 < len(unspaced) <= MAX_TEXT_CHARS
