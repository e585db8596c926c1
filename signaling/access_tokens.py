"""Access tokens: who may ask for a session, as the operator's own backend says. ``str → bool``.

A JWT (RFC 7519) that the backend signs for a visitor whom it knows: ``{"aud": "rt-avatar", "exp":
…}``. Without a key in the settings nobody needs one. Which of them has which rights is the
backend's affair; here a token is good or not.
"""

from pathlib import Path
from typing import Final

import jwt

from rt_avatar.config.server_settings import AuthSettings
from rt_avatar.errors import AdmissionError, SetupError

# Of HS256, RFC 7518 §3.2: a key of the hash's size or larger.
MIN_SECRET_BYTES: Final = 32
CLOCK_SKEW_S: Final = 10.0  # by which the backend's clock may be off
MAX_CHARS: Final = 4096
_ASYMMETRIC: Final = ("RS256", "ES256", "EdDSA")


class AccessTokens:
    """Verifies; made once from the settings.

    Attributes:
        are_needed: Whether callers need one.

    Raises:
        SetupError: The key cannot be one.
    """

    def __init__(self, settings: AuthSettings) -> None:
        self._audience = settings.audience
        self._key, self._algorithm = settings.jwt_secret, "HS256"
        if settings.jwt_public_key_file:
            if settings.jwt_secret:
                raise SetupError(
                    "auth: expected jwt_secret or jwt_public_key_file, got both; remove one"
                )
            self._key, self._algorithm = _read_public_key(settings.jwt_public_key_file)
        elif 0 < len(settings.jwt_secret.encode()) < MIN_SECRET_BYTES:
            raise SetupError(
                f"auth.jwt_secret: expected {MIN_SECRET_BYTES} bytes or more, got "
                f"{len(settings.jwt_secret.encode())}; make one with `openssl rand -hex 32`"
            )
        self.are_needed = bool(self._key)

    def check(self, token: str) -> bool:
        """Return whether the caller is authenticated; False where nobody needs to be.

        Raises:
            AdmissionError: A token is needed, and this is none, or not a good one.
        """
        if not self.are_needed:
            return False
        if not token:
            raise AdmissionError(
                "Authorization: expected Bearer and an access token, got none",
                reason="access_token_missing",
            )
        try:
            # Headers may hold bytes that are no text; a JWT is ASCII (RFC 7519 §3, base64url).
            if len(token) > MAX_CHARS or not token.isascii():
                raise jwt.InvalidTokenError(f"more than {MAX_CHARS} characters, or others")
            jwt.decode(
                token,
                self._key,
                algorithms=[self._algorithm],
                audience=self._audience,
                leeway=CLOCK_SKEW_S,
                options={"require": ["exp", "aud"]},
            )
        except jwt.ExpiredSignatureError:
            raise AdmissionError(
                "access token: expected one in time, got an expired one; its exp has passed",
                reason="access_token_expired",
            ) from None
        except jwt.InvalidTokenError as error:
            raise AdmissionError(
                f"access token: expected a JWT for audience {self._audience!r} signed by the key "
                f"of auth, got one that is not ({error})",
                reason="access_token_invalid",
            ) from None
        return True


def _read_public_key(file: str) -> tuple[str, str]:
    """Return the text of a PEM file and the one algorithm that its key is for.

    Raises:
        SetupError: It cannot be read or is no key of an algorithm that we take.
    """
    try:
        pem = Path(file).expanduser().read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(
            f"auth.jwt_public_key_file: expected a PEM file, got {file} ({error})"
        ) from None
    for algorithm in _ASYMMETRIC:
        try:
            jwt.get_algorithm_by_name(algorithm).prepare_key(pem)
        except (jwt.InvalidKeyError, TypeError, ValueError):
            continue
        return pem, algorithm
    raise SetupError(
        f"auth.jwt_public_key_file: expected a public key of {', '.join(_ASYMMETRIC)}; got "
        f"something else in {file}"
    )
