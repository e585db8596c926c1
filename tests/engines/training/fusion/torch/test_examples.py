"""Replies are read with who answers and, where the face was filmed, with how long it spoke."""

import numpy as np
import pytest

from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.llm.templates import NANO_PROFILE
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.networks.llm import shipped
from rt_avatar.engines.training.fusion.examples import replies_of
from rt_avatar.engines.training.fusion.targets import frames_of
from rt_avatar.engines.training.llm.avamerg import read_part
from rt_avatar.engines.training.llm.examples import Writer
from tests.engines.training.llm.made_up import write_avamerg
from tests.engines.training.llm.test_avamerg import save_video

pytestmark = pytest.mark.networks


def test_a_filmed_reply_is_by_who_was_filmed_and_takes_its_frames(tmp_path):
    data = write_avamerg(tmp_path)
    save_video(data / "video_v5_0" / "dia00001utt1_7.mp4", 48)
    tokens = Tokens.load(shipped.TOKENIZER)
    writer = Writer(tokens, NANO_PROFILE, NOTATIONS["tags"], 256)
    dialogues = [one for part in ("train", "valid") for one in read_part(data, part)]
    replies = replies_of(tokens, writer, dialogues, 1_000, 1)
    assert len(replies) == 80  # two a conversation
    filmed = [one for one in replies if one.clauses[0].frames is not None]
    (reply,) = filmed
    assert reply.profile == Profile("elderly", "male", "low")
    assert sum(clause.frames for clause in reply.clauses) == 48
    for clause in reply.clauses:
        shown = frames_of(clause.sounds, np.random.default_rng(0), clause.frames)
        assert len(shown) == clause.frames
        assert (shown[0], shown[-1]) == (0, len(clause.sounds.symbol) - 1)
        assert (np.diff(shown) >= 0).all()
    assert {one.emotion for one in replies} == {"sad", "joyful", "annoyed"}
