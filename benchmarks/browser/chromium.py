"""Headless Chromium with files as its microphone and camera."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, async_playwright

from rt_avatar.errors import SetupError

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Where browsers are that are not on the path: macOS' own place, then Playwright's two.
PLACES: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "~/.cache/ms-playwright/chromium-*/chrome-linux*/chrome",
    "~/Library/Caches/ms-playwright/chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)
# A browser that does nothing by itself: no start page, no update, no phoning home.
QUIET_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Devices that need no person: files play in them and nobody is asked.
DEVICE_FLAGS: Final = (
    "--autoplay-policy=no-user-gesture-required",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
)


def chromium_path() -> str:
    """Find an installed Chromium or Chrome.

    Raises:
        SetupError: There is none; says how to get one.
    """
    for name in NAMES:
        if found := shutil.which(name):
            return found
    for place in PLACES:
        root, pattern = Path(os.path.expanduser(place)).anchor, os.path.expanduser(place)
        if matches := sorted(Path(root).glob(pattern.removeprefix(root))):
            return str(matches[-1])
    raise SetupError(
        "browser: expected Chromium or Chrome, found none; install one: "
        "`apt install chromium`, `brew install --cask google-chrome`, "
        "or `python -m playwright install chromium`"
    )


def chromium_flags(mic: Path | None = None, camera: Path | None = None) -> list[str]:
    """Return the command line of a browser that can call.

    Args:
        mic: WAV file that plays once, from when the microphone is opened; then silence. Without
            it the microphone beeps.
        camera: MJPEG file that plays in a loop; without it the camera shows a test picture.
    """
    flags = [*QUIET_FLAGS, *DEVICE_FLAGS]
    if mic is not None:
        flags.append(f"--use-file-for-fake-audio-capture={mic}%noloop")
    if camera is not None:
        flags.append(f"--use-file-for-fake-video-capture={camera}")
    return flags


@asynccontextmanager
async def running_chromium(mic: Path | None = None) -> AsyncIterator[Browser]:
    """Run a browser without a window; ``mic`` as of ``chromium_flags``.

    Raises:
        SetupError: No browser is installed.
    """
    path, flags = chromium_path(), chromium_flags(mic)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield browser
        finally:
            await browser.close()
