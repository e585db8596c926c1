"""Whatever a network writes, only words come out."""

import pytest

from rt_avatar.reasoner.network.spoken_text import spoken

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("I am so sorry.", "I am so sorry."),
        ("<emo>sad</emo> I am<reply> here </response>", "sad I am here"),
        ("[AUD3] Yes [VID12], [you] are.", "Yes, [you] are."),
        ("na\ufffdve\ufffd", "na ve"),
        ("tab\tline\nbell\x07", "tab line bell"),
        ("2 < 3 and 4 > 1", "2 < 3 and 4 > 1"),
        ("<scene><cause>", ""),
        ("*** 🙂 ...", ""),
    ],
)
def test_marks_and_broken_signs_are_taken_out(written, said):
    assert spoken(written) == said
