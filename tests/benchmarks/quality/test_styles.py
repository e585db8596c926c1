"""Style told from pixels: strengths in order, feelings apart, and nothing where nothing differs."""

import numpy as np
import pytest

from rt_avatar.benchmarks.quality.styles import frames, styles
from rt_avatar.engines.types import EXPRESSION_SIZE, FaceStyle
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit


def test_frames_of_a_style_differ_by_the_style_alone():
    neutral, weak, strong = (
        np.array(frames(FaceStyle("surprised", strength))) for strength in (0.0, 0.4, 1.0)
    )
    assert not strong[:, EXPRESSION_SIZE:].any()
    far = [np.abs(one - neutral).max() for one in (weak, strong)]
    assert far[1] > 1.5 * far[0] > 0.1


def test_styles_of_drawn_faces_are_named():
    group = styles(None, quick=True)
    assert group.figures["style_drawn_feeling_percent"] > 75
    assert list(group.figures) == ["style_drawn_percent", "style_drawn_feeling_percent"]


def test_one_photograph_is_too_few(tmp_path):
    (tmp_path / "me.png").write_bytes(b"")
    with pytest.raises(BadInputError, match="two photographs or more; got 1"):
        styles(tmp_path, quick=True)
