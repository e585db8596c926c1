"""What ``rt-avatar doctor`` says of settings that do not do what they seem to."""

import socket

import pytest

from rt_avatar.commands.doctor import examine
from rt_avatar.config.server_settings import AuthSettings, IceSettings, ServerSettings
from rt_avatar.config.settings import Settings

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


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
def test_an_address_of_ipv6_is_looked_at_as_one():
    with socket.socket(socket.AF_INET6) as taken:
        try:
            taken.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6")
        taken.listen()
        port = taken.getsockname()[1]
        server = ServerSettings(host="::1", port=port)
        found = {one.part: one for one in examine(Settings(server=server))}
        assert found["server port"].state == "missing"
        assert found["server port"].what == f"[::1]:{port}: Address already in use"
    free = {one.part: one for one in examine(Settings(server=server))}
    assert free["server port"].state == "ok"


def test_a_host_that_is_none_is_named_as_what_to_change():
    server = ServerSettings(host="nowhere.invalid")
    found = {one.part: one for one in examine(Settings(server=server))}
    assert found["server port"].state == "missing"
    assert "--server.host" in found["server port"].advice
