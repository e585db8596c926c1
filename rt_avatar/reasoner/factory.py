"""Make the reasoner that the settings name."""

from functools import cache
from pathlib import Path

from rt_avatar.config.settings import LlmSettings
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_selector import ReplySelector
from rt_avatar.engines.runtimes.runtime import RuntimeUnavailableError
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home
from rt_avatar.reasoner import Reasoner
from rt_avatar.reasoner.listener.nano import NanoReasoner
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner
from rt_avatar.reasoner.network.empatheia import EmpatheiaReasoner
from rt_avatar.services.network import NetworkLlm
from rt_avatar.telemetry.metrics import Metrics


def make_reasoner(
    settings: LlmSettings, metrics: Metrics, network_llm: NetworkLlm | None = None
) -> Reasoner:
    """Return the reasoner that the settings name; nothing is connected yet.

    Args:
        settings: Which.
        metrics: Told of requests to a language model.
        network_llm: The network of this process (``Engines.network_llm``); None: none is loaded.

    Raises:
        SetupError: A model is asked for, but not where it is or which; or the weights of the
            networks that name emotions and choose replies are damaged.
    """
    if settings.kind == "empatheia":
        if network_llm is None:
            raise SetupError(
                "llm.kind: expected the network's engines for empatheia; none are loaded here"
            )
        network, options = network_llm.network, network_llm.options
        listener = make_listener(settings) if options.has_listener(network.manifest) else None
        return EmpatheiaReasoner(network, options, network_llm.worker, listener)
    kind = kind_of(settings)
    if kind == "nano":
        return _nano(settings)
    if kind == "reflective":
        return ReflectiveReasoner(_classifier(settings))
    check_model(settings)
    # The client takes a second to import, which nobody else waits for.
    if kind == "e3rg":
        from rt_avatar.reasoner.chat.e3rg import E3rgReasoner

        return E3rgReasoner(settings, metrics, _classifier(settings))
    from rt_avatar.reasoner.chat.empathyear import EmpathyEarReasoner

    return EmpathyEarReasoner(settings, metrics)


def check_model(settings: LlmSettings) -> None:
    """Check where the language model is, if one is asked for; before much else is loaded.

    Raises:
        SetupError: Its address, name or key is missing or cannot be one.
    """
    if kind_of(settings) not in ("empathyear", "e3rg"):
        return
    scheme, slashes, place = settings.base_url.partition("://")
    if scheme.lower() not in ("http", "https") or not slashes or not place:
        # Only its beginning is shown: an address may hold a password.
        got = f"an address of scheme {scheme!r}" if slashes else "something else"
        raise SetupError(
            "llm.base_url: expected an OpenAI-compatible endpoint like "
            f"http://127.0.0.1:11434/v1; got {got if settings.base_url else 'nothing'}"
        )
    if not settings.model:
        raise SetupError(
            "llm.model: expected the name of a model at llm.base_url; got nothing. "
            "The endpoint's /models lists them"
        )
    # The client: as below.
    from rt_avatar.services.openai_endpoint import check_address, endpoint_of

    check_address(endpoint_of(settings))


def kind_of(settings: LlmSettings) -> str:
    """Return which reasoner is meant: ``auto`` is one of the others."""
    if settings.kind != "auto":
        return settings.kind
    if settings.base_url:
        return "empathyear"
    return "reflective" if settings.emotion == "lexicon" else "nano"


def make_listener(settings: LlmSettings) -> Reasoner:
    """Return who writes the words that a network reads: as ``nano``, or rules by the lexicon.

    Raises:
        SetupError: The weights that it needs are damaged.
    """
    return ReflectiveReasoner() if settings.emotion == "lexicon" else _nano(settings)


def _nano(settings: LlmSettings) -> NanoReasoner:
    classifier = _classifier(settings)
    if classifier is None:
        raise SetupError(
            "llm.emotion: expected network for llm.kind nano, whose replies are chosen by the "
            "emotion; got lexicon. Set llm.kind reflective to do without"
        )
    try:
        ranker = load_ranker(expand_home(settings.replies) if settings.replies else None)
    except (FileNotFoundError, ValueError) as error:
        raise SetupError(f"llm.replies: {error}, or set llm.kind reflective") from error
    try:
        selector = load_selector()
    except (FileNotFoundError, ValueError, RuntimeUnavailableError) as error:
        raise SetupError(f"{error}, or set llm.kind reflective") from error
    return NanoReasoner(classifier, ranker, selector)


def _classifier(settings: LlmSettings) -> TextEmotionClassifier | None:
    if settings.emotion == "lexicon":
        return None
    try:
        return load_classifier()
    except (FileNotFoundError, ValueError) as error:
        raise SetupError(f"{error}, or set llm.emotion lexicon") from error


@cache
def load_classifier() -> TextEmotionClassifier:
    """Load the network that names emotions, once a process: a LiveKit room has its own reasoner.

    Raises:
        FileNotFoundError: It is not there.
        ValueError: It is damaged.
    """
    return TextEmotionClassifier()


@cache
def load_ranker(replies: Path | None) -> ReplyRanker:
    """Load the network and bank that choose replies, once a process: 0.4 s.

    Raises:
        FileNotFoundError: One of them is not there.
        ValueError: One of them is damaged.
    """
    ranker = ReplyRanker(replies)
    ranker.warmup()
    return ranker


@cache
def load_selector() -> ReplySelector:
    """Load the network that chooses general replies, once a process.

    Raises:
        FileNotFoundError: A file is not there.
        RuntimeUnavailableError: Its layers are damaged.
        ValueError: A file is another one.
    """
    return ReplySelector()
