"""An own voice's whole way in a real Chromium: recorded or chosen, used in a call, deleted."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import expect

from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.nano_tts import SHIPPED, NanoVoice
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.own_voice.tuning import SAMPLE, say
from rt_avatar.engines.own_voice.voice_file import voice_names
from rt_avatar.services.own_voices import OwnVoices
from tests.fakes.in_process_server import SETTINGS, in_process_server
from tests.fakes.page_browser import expect_state, opened
from tests.media import wav_of

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]


def recording() -> dict:
    """Return ten seconds of somebody, as a file that is chosen."""
    pcm = say(NanoModel(SHIPPED), NanoVoice({"1898": 1.0}), SAMPLE[:3])
    return {"name": "me.wav", "mimeType": "audio/wav", "buffer": wav_of(pcm)}


async def test_an_own_voice_is_made_used_in_a_call_and_deleted(browser, tmp_path: Path) -> None:
    folder = tmp_path / "voices"
    settings = replace(SETTINGS, tts=TtsSettings(voices_folder=str(folder)))
    async with (
        in_process_server(settings=settings) as server,
        opened(browser, server.url) as page,
    ):
        await page.get_by_role("button", name="Use your voice").click()
        dialog = page.get_by_role("dialog", name="Use your voice")
        use = dialog.get_by_role("button", name="Use this voice")
        # Two seconds of a beeping microphone: a recording, but not one that can be used.
        await dialog.get_by_role("button", name="Record", exact=True).click()
        await expect(dialog.get_by_role("status")).to_contain_text("2 s recorded")
        await dialog.get_by_role("button", name="Stop").click()
        await expect(dialog.locator("audio")).to_be_visible()
        await expect(use).to_be_disabled()
        await dialog.get_by_role("checkbox", name="This is my voice").check()
        await use.click()
        await expect(dialog.get_by_role("alert")).to_contain_text("expected")
        assert not folder.exists()
        await dialog.get_by_label("Choose a recording").set_input_files(recording())
        await expect(dialog.get_by_role("alert")).to_have_count(0)
        await use.click()
        await expect(dialog).to_be_hidden()  # it measures the voice
        await expect(page.get_by_role("radio", name="My voice")).to_be_checked()
        (name,) = voice_names(folder)

        async with page.expect_request("**/api/sessions") as asked:
            await page.get_by_role("button", name="Call Ava").click()
        assert (await asked.value).post_data_json["voice"] == name
        await expect_state(page, "connected")
        await page.get_by_role("button", name="Change avatar").click()
        people = page.get_by_role("dialog", name="Who answers")
        await people.get_by_role("radio", name="Usual voice").check(force=True)
        await people.get_by_role("radio", name="My voice").check(force=True)
        await people.get_by_role("button", name="Delete my voice").click()
        await expect(people.get_by_role("button", name="Use your voice")).to_be_visible()
        assert voice_names(folder) == []


async def test_an_own_voice_can_be_deleted_where_none_are_made_any_more(
    browser, tmp_path: Path
) -> None:
    tts = TtsSettings(voices_folder=str(tmp_path), kind="espeak")
    name, key = OwnVoices(tts).keep(NanoVoice({"1898": 1.0}, timbre_db=(0.0,) * 14))
    own = json.dumps({"name": name, "key": key})
    kept = f"localStorage.setItem('rt-avatar.voice', {json.dumps(own)});"
    async with (
        in_process_server(settings=replace(SETTINGS, tts=tts)) as server,
        opened(browser, server.url, script=kept) as page,
    ):
        delete = page.get_by_role("button", name="Delete my voice")
        await expect(delete).to_be_visible()
        await expect(page.get_by_role("radio", name="My voice")).to_have_count(0)
        await delete.click()
        await expect(delete).to_have_count(0)
        assert voice_names(tmp_path) == []
