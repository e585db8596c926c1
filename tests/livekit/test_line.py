import asyncio

import pytest

from tests.livekit.line import Line
from tests.livekit.numbered import NumberedMediaOutput
from tests.livekit.rooms import Caller
from tests.livekit.test_tracks import sending

pytestmark = pytest.mark.realtime


@pytest.mark.parametrize("resets", [True, False])
async def test_what_is_cut_hears_and_sees_nothing_and_then_all_again(livekit, room_name, resets):
    loop = asyncio.get_running_loop()
    media_output = NumberedMediaOutput(is_tone=True)
    async with (
        Line(livekit) as line,
        sending(livekit, room_name, media_output),
        Caller(livekit, room_name, url=line.url) as cut,
        Caller(livekit, room_name, "ann") as other,
    ):
        for person in (cut, other):
            await person.wait_for_sound("avatar")
            await person.wait_for_picture("avatar")
        line.cut(resets=resets)
        passed = line.datagrams
        cut_s = loop.time() + 1  # what was on the way has come
        await other.wait_for_picture("avatar", cut_s + 1)
        assert line.datagrams == passed
        assert not [one for one in cut.pictures["avatar"] if one.at_s > cut_s]
        blocks = media_output.blocks
        line.mend()
        mended_s = loop.time()
        await cut.wait_for_picture("avatar", mended_s, timeout_s=60)
        await cut.wait_for_sound("avatar", mended_s, timeout_s=60)
        assert media_output.blocks > blocks
        assert ("reconnected" in cut.states) == resets
