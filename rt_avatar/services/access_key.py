"""The key that access tokens are verified with: ``AuthSettings`` → key and algorithm."""

from typing import Final

import jwt

from rt_avatar.config.server_settings import AuthSettings
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home

# Of HS256, RFC 7518 §3.2: a key of the hash's size or larger.
MIN_SECRET_BYTES: Final = 32
_ASYMMETRIC: Final = ("RS256", "ES256", "EdDSA")


def read_access_key(settings: AuthSettings) -> tuple[str, str]:
    """Return the key and the one algorithm that it is for; without a key ("") nobody is asked.

    Raises:
        SetupError: The key cannot be one.
    """
    if settings.jwt_public_key_file:
        if settings.jwt_secret:
            raise SetupError(
                "auth: expected jwt_secret or jwt_public_key_file, got both; remove one"
            )
        return _read_public_key(settings.jwt_public_key_file)
    if not settings.jwt_secret:
        return "", "HS256"
    if len(settings.jwt_secret.encode()) < MIN_SECRET_BYTES:
        raise SetupError(
            f"auth.jwt_secret: expected {MIN_SECRET_BYTES} bytes or more, got "
            f"{len(settings.jwt_secret.encode())}; make one with `openssl rand -hex 32`"
        )
    try:
        jwt.get_algorithm_by_name("HS256").prepare_key(settings.jwt_secret)
    except jwt.InvalidKeyError:
        raise SetupError(
            "auth.jwt_secret: expected a secret that your backend shares; got a key of another "
            "kind; of a pair, name the public key's file as auth.jwt_public_key_file"
        ) from None
    return settings.jwt_secret, "HS256"


def _read_public_key(file: str) -> tuple[str, str]:
    """Return the text of a PEM file and the one algorithm that its key is for.

    Raises:
        SetupError: It cannot be read or is no key of an algorithm that we take.
    """
    try:
        pem = expand_home(file).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(
            f"auth.jwt_public_key_file: expected a PEM file, got {file} ({error})"
        ) from None
    for algorithm in _ASYMMETRIC:
        try:
            key = jwt.get_algorithm_by_name(algorithm).prepare_key(pem)
        except (jwt.InvalidKeyError, TypeError, ValueError):
            continue
        if not hasattr(key, "verify"):
            raise SetupError(
                f"auth.jwt_public_key_file: expected a public key; got a private one in {file}; "
                f"make its public one with `openssl pkey -pubout -in {file}`"
            )
        return pem, algorithm
    raise SetupError(
        f"auth.jwt_public_key_file: expected a public key of {', '.join(_ASYMMETRIC)}; got "
        f"something else in {file}"
    )
