import sys

import pytest

from rt_avatar.engines.espeak import _library
from rt_avatar.engines.espeak._library import Library, Settings, VoiceMissingError, load_library

pytestmark = pytest.mark.unit


def test_a_missing_package_is_named_with_its_extra_and_licence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(VoiceMissingError, match=r"make install EXTRAS=espeak.*GPL-3\.0"):
        Library()


def test_a_library_that_does_not_load_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(_library, "_find_files", lambda: (f"{tmp_path}/no.so", tmp_path))
    with pytest.raises(VoiceMissingError, match="does not load"):
        Library()


def test_it_is_loaded_once_a_process() -> None:
    assert load_library() is load_library()


def test_speech_ends_at_the_limit() -> None:
    raw = load_library().speak("nine " * 150, "en-us", Settings("f5", 160, 50, 50), limit_s=2.0)
    assert 2.0 <= len(raw.pcm) / _library.RATE_HZ < 2.5


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="xx-none"):
        load_library().speak("Hello", "xx-none", Settings("f5", 160, 50, 50), limit_s=2.0)
