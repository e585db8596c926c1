"""Ten dialogues to read: each turn of each caller is answered, in order; none is chosen."""

import pytest

from rt_avatar.benchmarks.empathy.dialogues import callers, dialogues
from rt_avatar.config.settings import LlmSettings, Settings

pytestmark = pytest.mark.unit


async def test_every_turn_is_written_with_its_reply():
    text = await dialogues(Settings(llm=LlmSettings(kind="reflective")))
    lines = [line for line in text.splitlines() if line.startswith((">", "**"))]
    assert lines[::2] == [f"> {words}" for said in callers() for words in said]
    assert all(line.startswith("**") and len(line) > 6 for line in lines[1::2])
    assert text.startswith("# Ten dialogues, as `reflective` answered them")
