"""Access tokens: who may ask for a session, as the operator's own backend says. ``str → bool``.

A JWT (RFC 7519) that the backend signs for a visitor whom it knows: ``{"aud": "rt-avatar", "exp":
…}``. Without a key in the settings nobody needs one. Which of them has which rights is the
backend's affair; here a token is good or not.
"""

from typing import Final

import jwt

from rt_avatar.config.server_settings import AuthSettings
from rt_avatar.errors import AdmissionError
from rt_avatar.services.access_key import read_access_key

CLOCK_SKEW_S: Final = 10.0  # by which the backend's clock may be off
MAX_CHARS: Final = 4096


class AccessTokens:
    """Verifies; made once from the settings.

    Attributes:
        are_needed: Whether callers need one.

    Raises:
        SetupError: The key cannot be one.
    """

    def __init__(self, settings: AuthSettings) -> None:
        self._audience = settings.audience
        self._key, self._algorithm = read_access_key(settings)
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
