import pytest

from rt_avatar.config.server_settings import ServerSettings
from rt_avatar.errors import AdmissionError, SetupError
from rt_avatar.signaling.origin import SECURITY_HEADERS, OriginPolicy, is_loopback

pytestmark = pytest.mark.unit

PRIVATE = OriginPolicy(ServerSettings(host="127.0.0.1"))
PROXIED = OriginPolicy(
    ServerSettings(allowed_origins=("https://avatar.example", "https://Kiosk.example:8443/"))
)
WITH_PORTS = OriginPolicy(
    ServerSettings(allowed_origins=("https://shop.example:443", "http://[2001:db8::1]:80/"))
)
PUBLIC = OriginPolicy(ServerSettings(host="0.0.0.0", allowed_origins=("https://Shop.example/",)))


@pytest.mark.parametrize(
    ("policy", "headers"),
    [
        (PRIVATE, {"Host": "127.0.0.1:8080"}),  # no browser
        (PRIVATE, {"Host": "localhost:8080", "Origin": "http://localhost:8080"}),
        (PRIVATE, {"Host": "[::1]:8080", "Origin": "http://[::1]:8080"}),
        (PROXIED, {"Host": "avatar.example"}),  # no browser, behind a proxy
        (PROXIED, {"Host": "Avatar.example:443"}),
        (PROXIED, {"Host": "kiosk.example"}),  # as nginx' $host, without the port
        (PROXIED, {"Host": "kiosk.example:8443", "Sec-Fetch-Site": "same-origin"}),
        (PROXIED, {"Host": "avatar.example", "Origin": "https://avatar.example"}),
        (PROXIED, {"Host": "127.0.0.1:8080"}),
        (PUBLIC, {"Host": "a.example", "Origin": "https://a.example"}),  # TLS ended by a proxy
        (PUBLIC, {"Host": "a.example", "Origin": "https://shop.example"}),
        (PUBLIC, {"Host": "A.example", "Origin": "https://a.example", "Sec-Fetch-Site": "none"}),
        (WITH_PORTS, {"Host": "a.example", "Origin": "https://shop.example"}),
        (WITH_PORTS, {"Host": "a.example", "Origin": "http://[2001:db8::1]"}),
    ],
)
def test_own_and_allowed_pages_may_call(policy, headers):
    policy.check(headers)


@pytest.mark.parametrize(
    ("policy", "headers"),
    [
        (PRIVATE, {"Host": "127.0.0.1:8080", "Origin": "https://evil.example"}),
        (PRIVATE, {"Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:9999"}),
        (PRIVATE, {"Host": "127.0.0.1:8080", "Origin": "null"}),
        (PRIVATE, {"Host": "127.0.0.1:8080", "Sec-Fetch-Site": "cross-site"}),
        (PROXIED, {"Host": "avatar.example", "Origin": "https://evil.example"}),
        (PROXIED, {"Host": "avatar.example", "Origin": "http://avatar.example"}),
        (PROXIED, {"Host": "avatar.example", "Origin": "null"}),
        (PROXIED, {"Host": "avatar.example", "Sec-Fetch-Site": "cross-site"}),
        (PROXIED, {"Host": "avatar.example.evil"}),
        (PROXIED, {"Host": "evil.example"}),
        (PROXIED, {"Host": "evil.example", "Origin": "http://evil.example"}),
        (PROXIED, {"Host": ""}),
        (PUBLIC, {"Host": "a.example", "Origin": "https://shop.example.evil"}),
        (PUBLIC, {"Host": "a.example", "Origin": "http://shop.example"}),
        (PUBLIC, {"Host": "a.example", "Origin": "https://a.example:444"}),
        (PRIVATE, {"Host": "[x"}),
        (PRIVATE, {"Host": "127.0.0.1:8080", "Origin": "http://[x"}),
        (PUBLIC, {"Host": "[x", "Origin": "http://[x"}),
    ],
)
def test_foreign_pages_may_not(policy, headers):
    with pytest.raises(AdmissionError) as refused:
        policy.check(headers)
    assert refused.value.reason == "foreign_origin"
    assert "allowed_origins" in str(refused.value)


@pytest.mark.parametrize(
    "origin",
    ["example.org", "example.org:443", "//example.org", "https://", "https://example.org/page",
     "https://example.org?", "http://[x", "null", "*"],
)  # fmt: skip
def test_what_no_page_can_be_of_is_refused_at_the_start(origin):
    with pytest.raises(SetupError, match=r"expected origins like https://example\.org; got "):
        OriginPolicy(ServerSettings(allowed_origins=("https://good.example", origin)))


def test_a_name_that_was_bound_to_this_machine_from_outside_is_refused():
    rebound = {"Host": "evil.example:8080", "Origin": "http://evil.example:8080"}
    with pytest.raises(AdmissionError, match="loopback"):
        PRIVATE.check(rebound)


def test_only_allowed_pages_may_read_answers():
    assert PUBLIC.cors_headers("https://evil.example") == {}
    allowed = PUBLIC.cors_headers("https://shop.example")
    assert allowed["Access-Control-Allow-Origin"] == "https://shop.example"
    assert "*" not in str(allowed)


def test_no_inline_script_and_no_foreign_file():
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("127.8.9.1", True), ("::1", True), ("0.0.0.0", False), ("", False)],
)
def test_loopback_is_known_by_name_and_number(host, expected):
    assert is_loopback(host) is expected
