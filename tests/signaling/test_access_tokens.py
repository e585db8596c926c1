"""Who may call where the operator asks for access tokens, and who gets a relay."""

import asyncio
import base64
import hmac
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from rt_avatar.config.server_settings import AuthSettings, IceSettings
from rt_avatar.errors import AdmissionError, SetupError
from rt_avatar.signaling.access_tokens import AccessTokens
from tests.fakes.in_process_server import SETTINGS, in_process_server, names_settings

pytestmark = pytest.mark.network

SECRET = "a secret of the site's backend, of 32 bytes or more; here 64 even"
ICE = IceSettings(
    stun_urls=("stun:s.example.org",), turn_urls=("turn:t.example.org",), turn_secret="north"
)


def signed(key: object = SECRET, algorithm: str = "HS256", **claims: object) -> str:
    """Return a token; a claim that is None is left out."""
    content = {"aud": "rt-avatar", "exp": int(time.time()) + 3600, "sub": "visitor 17"} | claims
    content = {name: value for name, value in content.items() if value is not None}
    return jwt.encode(content, key, algorithm)


@asynccontextmanager
async def guarded(secret: str = SECRET):
    settings = replace(SETTINGS, ice=ICE, auth=AuthSettings(jwt_secret=secret))
    async with in_process_server(settings=settings) as context:
        yield context


async def ask(context, token: str | None = None, path: str = "", method: str = "POST"):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    url = f"{context.url}/api/sessions{path}"
    async with context.http.request(method, url, headers=headers) as response:
        return response.status, await response.json()


def schemes(body: dict) -> list[str]:
    return [server["urls"][0].split(":")[0] for server in body["ice_servers"]]


async def test_without_authentication_anybody_may_call_and_nobody_gets_a_relay(caplog):
    async with guarded(secret="") as context:
        status, body = await ask(context)
        assert status == 201
        assert schemes(body) == ["stun"]
    assert "auth.jwt_secret" in caplog.text  # the operator is told why


async def test_a_caller_with_an_access_token_gets_a_relay_for_minutes():
    async with guarded() as context:
        status, body = await ask(context, signed())
        assert status == 201
        assert schemes(body) == ["stun", "turn"]
        expiry, session = body["ice_servers"][1]["username"].split(":")
        assert session == body["id"]
        assert int(expiry) - time.time() <= 600


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (None, "missing"),
        ("", "missing"),
        ("nonsense", "invalid"),
        ("x" * 5000, "invalid"),
        (signed("another secret of somebody else, also long"), "invalid"),
        (signed(aud="another-service"), "invalid"),
        (signed(aud=None), "invalid"),
        (signed(exp=None), "invalid"),  # it would be good for ever
        (signed(exp=int(time.time()) - 60), "expired"),
        (signed(nbf=int(time.time()) + 3600), "invalid"),
        (signed(None, "none"), "invalid"),
        (signed(SECRET + "!", "HS512"), "invalid"),
    ],
    # Tokens have the time in them, by which processes that share the tests would disagree.
    ids=[
        "none",
        "empty",
        "nonsense",
        "long",
        "another secret",
        "another service",
        "no service",
        "no end",
        "expired",
        "not yet",
        "unsigned",
        "another algorithm",
    ],
)
async def test_whoever_has_no_good_access_token_is_refused_with_a_code(token, reason):
    async with guarded() as context:
        status, body = await ask(context, token)
        assert (status, body["error"]["reason"]) == (401, f"access_token_{reason}")
        assert not names_settings(body["error"]["text"])
        assert "ice_servers" not in body


@pytest.mark.parametrize(
    "token", [b"\xff", b"a.b.\xfe\xff", b"\xc3.\x28.x", b"\xed\xa0\x80.e30.x", "é.é.é".encode()]
)
@pytest.mark.parametrize("path", ["sessions", "portraits", "portraits/points", "voices"])
async def test_an_access_token_of_bytes_that_are_no_text_is_refused_as_any_other(token, path):
    async with guarded() as context:
        host, port = context.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = (
            f"POST /api/{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close"
        )
        writer.write(head.encode() + b"\r\nAuthorization: Bearer " + token + b"\r\n\r\n")
        async with asyncio.timeout(60):
            answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert b'"access_token_invalid"' in answer


async def test_a_session_of_before_cannot_be_used_as_an_access_token():
    async with guarded() as context:
        _, session = await ask(context, signed())
        assert (await ask(context, session["token"]))[0] == 401


async def test_who_comes_back_after_minutes_gets_fresh_credentials():
    async with guarded() as context:
        _, session = await ask(context, signed())
        path = f"/{session['id']}/ice_servers"
        status, body = await ask(context, session["token"], path, "GET")
        assert status == 200
        assert schemes(body) == ["stun", "turn"]
        assert (await ask(context, None, path, "GET"))[1]["error"]["reason"] == "token_missing"
        other = f"/{context.ticket()[0]}/ice_servers"
        assert (await ask(context, session["token"], other, "GET"))[0] == 403


async def test_the_token_of_an_anonymous_session_brings_no_relay():
    async with guarded() as context:
        session, token = context.ticket()  # as one of before the operator asked for access tokens
        status, body = await ask(context, token, f"/{session}/ice_servers", "GET")
        assert status == 200
        assert schemes(body) == ["stun"]


# --- keys ---------------------------------------------------------------------------------------
KEYS = {
    "RS256": rsa.generate_private_key(65537, 2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}


@pytest.fixture(params=list(KEYS))
def pair(request, tmp_path):
    """Return algorithm, private key and the settings with the public one."""
    key = KEYS[request.param]
    file = tmp_path / "key.pem"
    file.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return request.param, key, AuthSettings(jwt_public_key_file=str(file))


def test_a_public_key_is_enough_to_know_the_backends_tokens(pair):
    algorithm, key, settings = pair
    assert AccessTokens(settings).check(signed(key, algorithm))


def test_a_public_key_is_no_secret_that_signs(pair):
    _, _, settings = pair
    header, payload, _ = signed().split(".")
    pem = Path(settings.jwt_public_key_file).read_bytes()
    digest = hmac.digest(pem, f"{header}.{payload}".encode(), "sha256")
    forged = f"{header}.{payload}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"
    for token in (forged, signed(None, "none")):
        with pytest.raises(AdmissionError):
            AccessTokens(settings).check(token)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"-----BEGIN PUBLIC KEY-----\nAA==\n"])
def test_a_file_without_a_public_key_stops_the_start(tmp_path, content):
    file = tmp_path / "key.pem"
    file.write_bytes(content)
    with pytest.raises(SetupError, match="jwt_public_key_file: expected"):
        AccessTokens(AuthSettings(jwt_public_key_file=str(file)))


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_private_key_in_the_place_of_the_public_one_stops_the_start(tmp_path, key):
    file = tmp_path / "key.pem"
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(SetupError, match=r"expected a public key; got a private one.*-pubout"):
        AccessTokens(AuthSettings(jwt_public_key_file=str(file)))


def test_a_public_key_in_the_place_of_the_secret_stops_the_start(pair):
    _, _, settings = pair
    pem = Path(settings.jwt_public_key_file).read_text()
    with pytest.raises(SetupError, match=r"auth\.jwt_secret: .*auth\.jwt_public_key_file"):
        AccessTokens(AuthSettings(jwt_secret=pem))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (AuthSettings(jwt_secret="short"), "32 bytes or more, got 5"),
        (AuthSettings(jwt_public_key_file="/nowhere/key.pem"), "expected a PEM file"),
        (AuthSettings(jwt_secret=SECRET, jwt_public_key_file="key.pem"), "got both"),
    ],
)
def test_keys_that_cannot_work_stop_the_start(settings, words):
    with pytest.raises(SetupError, match=words):
        AccessTokens(settings)
