import base64
import hashlib
import hmac

import pytest

from rt_avatar.config.server_settings import IceSettings
from rt_avatar.errors import SetupError
from rt_avatar.signaling.ice import check_ice_settings, mint_ice_servers

pytestmark = pytest.mark.unit

TURN = IceSettings(turn_urls=("turn:t.example.org",), turn_secret="north", turn_ttl_s=600)


def test_no_server_is_told_unless_configured():
    assert mint_ice_servers(IceSettings(), "s", 0) == ()


def test_turn_credentials_are_what_coturn_computes():
    (server,) = mint_ice_servers(TURN, "session1", 1_700_000_000.9)
    assert server.username == "1700000600:session1"
    mac = hmac.new(b"north", server.username.encode(), hashlib.sha1).digest()
    assert base64.b64decode(server.credential) == mac
    assert server.as_json() == {
        "urls": ["turn:t.example.org"],
        "username": server.username,
        "credential": server.credential,
    }


def test_stun_servers_come_without_credentials():
    (server,) = mint_ice_servers(IceSettings(stun_urls=("stun:s.example.org",)), "s", 0)
    assert server.as_json() == {"urls": ["stun:s.example.org"]}


def test_every_session_gets_its_own_credentials():
    first, second = (mint_ice_servers(TURN, name, 0)[0].credential for name in "ab")
    assert first != second


@pytest.mark.parametrize(
    "settings",
    [
        IceSettings(turn_urls=("turn:t.example.org",)),
        IceSettings(stun_urls=("http://s.example.org",)),
        IceSettings(turn_urls=("stun:t.example.org",), turn_secret="x"),
    ],
)
def test_what_cannot_work_is_refused_at_the_start(settings):
    with pytest.raises(SetupError, match="expected"):
        check_ice_settings(settings)


def test_good_settings_pass():
    check_ice_settings(TURN)
