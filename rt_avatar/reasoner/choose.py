"""Settings → the reasoner that they name."""

from urllib.parse import urlsplit

from rt_avatar.config.settings import ReasonerSettings
from rt_avatar.engine_room.network import Mind
from rt_avatar.errors import SetupError
from rt_avatar.reasoner import Reasoner
from rt_avatar.reasoner.empatheia import EmpatheiaReasoner
from rt_avatar.reasoner.reflective import ReflectiveReasoner


def make_reasoner(settings: ReasonerSettings, mind: Mind | None = None) -> Reasoner:
    """Return the reasoner that the settings name; nothing is connected yet.

    Args:
        settings: Which.
        mind: The network of this process (``Engines.mind``); None: none is loaded.

    Raises:
        SetupError: A model is asked for, but not where it is or which.
    """
    if settings.kind == "empatheia":
        if mind is None:
            raise SetupError(
                "reasoner.kind: expected the network's engines for empatheia; none are loaded here"
            )
        return EmpatheiaReasoner(mind.network, mind.options, mind.worker)
    if settings.kind == "reflective" or (settings.kind == "auto" and not settings.base_url):
        return ReflectiveReasoner()
    url = urlsplit(settings.base_url)
    if url.scheme not in ("http", "https") or not url.netloc:
        # Only its beginning is shown: an address may hold a password.
        got = f"an address of scheme {url.scheme!r}" if settings.base_url else "nothing"
        raise SetupError(
            "reasoner.base_url: expected an OpenAI-compatible endpoint like "
            f"http://127.0.0.1:11434/v1; got {got}"
        )
    if not settings.model:
        raise SetupError(
            "reasoner.model: expected the name of a model at reasoner.base_url; got nothing. "
            "The endpoint's /models lists them"
        )
    # The client takes a second to import, which nobody else waits for.
    from rt_avatar.reasoner.empathyear import EmpathyEarReasoner

    return EmpathyEarReasoner(settings)
