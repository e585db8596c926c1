"""A photograph's whole way in a real Chromium: chosen, put right by keyboard, worn in a call."""

import asyncio
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from playwright.async_api import Route, expect

from rt_avatar.config.settings import AvatarSettings
from rt_avatar.engines.photo.face_file import face_names, load_face
from rt_avatar.services.engine_choice import make_renderer
from tests.fakes.in_process_server import SETTINGS, in_process_server
from tests.fakes.page_browser import expect_state, opened
from tests.media import photograph

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]

# Whether the call's picture, 8 by 8, is like a face or not: a drawn one is some 60 levels off.
SHOWS = """([face, isLike]) => {
  const pen = new OffscreenCanvas(8, 8).getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(document.querySelector("#avatar"), 0, 0, 8, 8);
  const shown = [...pen.getImageData(0, 0, 8, 8).data].filter((_, index) => index % 4 < 3);
  const off = shown.reduce((sum, one, index) => sum + Math.abs(one - face[index]), 0) / 192;
  return isLike ? off < 20 : off > 30;
}"""


async def test_a_photograph_is_put_right_by_keyboard_worn_and_deleted(
    browser, tmp_path: Path
) -> None:
    picture, folder = tmp_path / "me.jpg", tmp_path / "portraits"
    cv2.imwrite(str(picture), cv2.cvtColor(photograph(), cv2.COLOR_RGB2BGR))
    avatar = AvatarSettings(portraits_folder=str(folder), size_px=256, greeting=False)
    settings = replace(SETTINGS, avatar=avatar)
    async with (
        in_process_server(settings=settings, renderer=make_renderer(settings)) as server,
        opened(browser, server.url) as page,
    ):
        await page.get_by_role("button", name="Use a photograph").click()
        dialog = page.get_by_role("dialog", name="Use a photograph")
        chooser = dialog.get_by_label("Choose a picture")
        bad = {"name": "me.gif", "mimeType": "image/gif", "buffer": b"GIF89a" + bytes(20)}
        await chooser.set_input_files(bad)
        await expect(dialog.get_by_role("alert")).to_contain_text("expected a still one")
        edited = asyncio.Event()

        async def after_the_edit(route: Route) -> None:
            await edited.wait()
            await route.continue_()

        await page.route("**/preview", after_the_edit)
        await chooser.set_input_files(picture)
        await expect(dialog.get_by_role("alert")).to_have_count(0)
        await dialog.get_by_role("radio", name="Outline").check(force=True)
        chin = dialog.get_by_role("button", name="Chin")
        found = await chin.get_attribute("aria-label")
        await chin.focus()
        await page.keyboard.press("Shift+ArrowDown")
        assert await chin.get_attribute("aria-label") != found
        edited.set()
        await expect(dialog.get_by_text("Making it move…")).to_be_hidden()
        await expect(dialog.locator("#photograph-strip")).to_be_hidden()  # it shows other points
        await dialog.get_by_role("button", name="See it move").click()
        await expect(dialog.locator("#photograph-strip")).to_be_visible()
        use = dialog.get_by_role("button", name="Use this face")
        await expect(use).to_be_disabled()
        assert not folder.exists()
        await dialog.get_by_role("checkbox", name="This is me, or I may use").check()
        await use.click()
        await expect(page.get_by_role("radio", name="My photograph")).to_be_checked()
        (name,) = face_names(folder)
        picture = load_face(folder, name).picture
        face = cv2.resize(picture, (8, 8), interpolation=cv2.INTER_AREA).ravel().tolist()

        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        await expect(page.get_by_text("synthetic face")).to_be_visible()
        await expect(page.locator("#stage")).to_have_attribute("data-picture", "true")
        await page.wait_for_function(SHOWS, arg=[face, True])
        await page.get_by_role("button", name="Change avatar").click()
        people = page.get_by_role("dialog", name="Who answers")
        await people.get_by_role("radio", name="Own face").check(force=True)
        await page.wait_for_function(SHOWS, arg=[face, False])
        await people.get_by_role("radio", name="My photograph").check(force=True)
        await page.wait_for_function(SHOWS, arg=[face, True])
        await people.get_by_role("button", name="Delete my photograph").click()
        await expect(page.get_by_text("synthetic face")).to_be_hidden()
        assert face_names(folder) == []
        await page.wait_for_function(SHOWS, arg=[face, False])
