"""What each stage runs at each size: as the stages themselves run it."""

import pytest

from rt_avatar.benchmarks.engines.network import row_names
from rt_avatar.benchmarks.engines.parts import parts

pytestmark = pytest.mark.unit


def test_every_part_has_a_name_of_its_own():
    every = [part.name for size in ("nano", "official") for part in parts(size)]
    assert len(set(every)) == len(every)


def test_nanos_parts_are_rows_of_the_table_and_official_ones_are_the_same_stages():
    nano = {part.name.removeprefix("nano ") for part in parts("nano")}
    assert {f"nano {name}" for name in nano} <= set(row_names("nano"))
    official = {part.name.removeprefix("official ").partition(",")[0] for part in parts("official")}
    assert official == nano


def test_an_utterance_is_heard_in_the_windows_of_the_engine():
    hearing = next(part for part in parts("nano") if part.name == "nano speech encoder")
    *windows, pooled = hearing.runs
    # Two seconds each, a second before them and 0.2 s after; what follows the last is not there.
    assert [run.sizes["samples"] for run in windows] == [35_200, 51_200, 32_000]
    assert pooled.sizes == {"frames": 249}


def test_a_voice_has_one_chunks_share_of_its_clause():
    for size, name in (("nano", "nano voice"), ("official", "official voice, Kokoro")):
        voice = next(part for part in parts(size) if part.name == name)
        assert sum(run.times for run in voice.runs[:-1]) == pytest.approx(5 / 12)
        assert voice.runs[-1].times == 1
        assert voice.seconds == pytest.approx(0.2)
