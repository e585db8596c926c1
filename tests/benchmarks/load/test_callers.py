"""A caller's record tells what was on the wire, and nothing is lost on its way home."""

import numpy as np
import pytest

from rt_avatar.benchmarks.callers.record import Flow, Record, merged
from rt_avatar.benchmarks.callers.rtp_flow import RtpTap

pytestmark = pytest.mark.unit

PICTURE = 3600  # 40 ms at 90 kHz
BLOCK = 960  # 20 ms at 48 kHz
ORIGIN = (1 << 32) - 5 * PICTURE  # so that the RTP times wrap soon


def pictures(numbers, late_s=None, packets: int = 3) -> Flow:
    """Send pictures of those numbers, each when it is due or so much later; return the flow."""
    flow = RtpTap().video
    for number in numbers:
        at_s = 100 + number * 0.040 + (late_s or {}).get(number, 0.0)
        for packet in range(packets):
            flow.note((ORIGIN + number * PICTURE) % (1 << 32), at_s + packet * 0.0005)
    flow.note((ORIGIN + (max(numbers) + 1) * PICTURE) % (1 << 32), 100 + (max(numbers) + 1) * 0.040)
    return flow.take()


def test_pictures_that_come_in_time_are_neither_skipped_nor_late() -> None:
    assert pictures(range(100)) == Flow(due=101)


def test_a_gap_in_the_media_times_is_as_many_skipped_pictures() -> None:
    numbers = [n for n in range(100) if n not in (3, 50, 51, 52)]
    flow = pictures(numbers)
    assert flow == Flow(due=101, skipped=4)
    assert flow.bad_share == pytest.approx(4 / 101)


@pytest.mark.parametrize(("late_s", "late"), [(0.035, 0), (0.045, 1)])
def test_a_picture_is_late_when_the_next_is_due(late_s: float, late: int) -> None:
    assert pictures(range(100), {20: late_s}).late == late


def test_the_last_packet_of_a_picture_decides() -> None:
    flow = RtpTap().video
    for number in range(10):
        flow.note(number * PICTURE, number * 0.040)
        flow.note(number * PICTURE, number * 0.040 + (0.050 if number == 5 else 0.001))
    assert flow.take().late == 1


def test_lateness_counts_from_the_best_there_ever_was_also_in_a_later_window() -> None:
    flow = RtpTap().video
    for number in range(10):
        flow.note(number * PICTURE, number * 0.040)
    assert flow.take().late == 0
    for number in range(10, 21):
        flow.note(number * PICTURE, number * 0.040 + 0.070)
    assert flow.take() == Flow(due=11, late=10)  # the newest is not judged yet


def test_sound_is_judged_by_its_own_measure() -> None:
    flow = RtpTap().audio
    for number in range(100):
        if number != 30:
            late_s = {10: 0.055, 20: 0.065}.get(number, 0.0)
            flow.note(7 + number * BLOCK, 5 + number * 0.020 + late_s)
    assert flow.take() == Flow(due=100, skipped=1, late=1)


def test_a_packet_that_is_sent_again_does_not_count_twice() -> None:
    flow = RtpTap().video
    for number in (0, 1, 3, 2, 4, 5):
        flow.note(number * PICTURE, number * 0.040)
    assert flow.take() == Flow(due=6, skipped=1)


def test_another_time_line_is_no_gap() -> None:
    flow = RtpTap().video
    for number in range(10):
        flow.note(number * PICTURE, number * 0.040)
    for number in range(10):
        flow.note(2_000_000_000 + number * PICTURE, 9 + number * 0.040)
    assert flow.take() == Flow(due=20)


def test_a_record_comes_home_as_it_was() -> None:
    record = Record(
        [410.5, 522.0], [120.0], [1.5], 1, 2, 3, 4, 50, 6, 7, 8, Flow(9, 1), Flow(5, 2, 1)
    )
    assert Record.from_json(record.as_json()) == record
    assert record.turns == 6


def test_records_add_up_field_by_field() -> None:
    one = Record([400.0], unanswered=1, video=Flow(100, 2, 1))
    other = Record([500.0], [90.0], pictures=3, video=Flow(50, 0, 1), audio=Flow(10))
    total = merged([one, other])
    assert total.spoken_ms == [400.0, 500.0]
    assert total.typed_ms == [90.0]
    assert (total.unanswered, total.pictures) == (1, 3)
    assert (total.video, total.audio) == (Flow(150, 2, 2), Flow(10, 0, 0))
    assert one.video == Flow(100, 2, 1), "what is added stays as it was"


def test_all_of_a_record_is_numbers_that_json_can_carry() -> None:
    def leaves(value):
        if isinstance(value, dict):
            return [leaf for part in value.values() for leaf in leaves(part)]
        return (
            [leaf for part in value for leaf in leaves(part)]
            if isinstance(value, list)
            else [value]
        )

    record = Record(spoken_ms=[float(np.float64(3))])
    assert {type(leaf) for leaf in leaves(record.as_json())} <= {int, float}
