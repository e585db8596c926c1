"""What ``rt-avatar doctor`` says of settings that do not do what they seem to."""

import pytest

from rt_avatar.commands.doctor import examine
from rt_avatar.config.settings import AuthSettings, IceSettings, Settings

pytestmark = pytest.mark.unit

TURN = IceSettings(turn_urls=("turn:turn.example.org",), turn_secret="s" * 32)


@pytest.mark.parametrize(
    ("auth", "state"),
    [(AuthSettings(), "optional"), (AuthSettings(jwt_secret="k" * 32), "ok")],
)
def test_turn_that_nobody_is_given_is_told(auth, state):
    found = {one.part: one for one in examine(Settings(ice=TURN, auth=auth))}
    assert found["TURN"].state == state
    assert ("given to nobody" in found["TURN"].what) == (state == "optional")
