import pytest

from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import SetupError
from rt_avatar.reasoner import factory
from rt_avatar.reasoner.factory import make_reasoner
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit

URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (LlmSettings(), "nano"),
        (LlmSettings(emotion="lexicon"), "reflective"),
        (LlmSettings(kind="reflective"), "reflective"),
        (LlmSettings(kind="reflective", base_url=URL, model="m"), "reflective"),
        (LlmSettings(base_url=URL, model="m"), "empathyear"),
        (LlmSettings(kind="empathyear", base_url=URL, model="m"), "empathyear"),
        (LlmSettings(kind="e3rg", base_url=URL, model="m"), "e3rg"),
    ],
)
async def test_the_settings_choose_the_reasoner(settings, name):
    reasoner = make_reasoner(settings, Metrics())
    assert reasoner.name == name
    await reasoner.aclose()


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (LlmSettings(kind="empathyear"), "llm.base_url"),
        (LlmSettings(kind="e3rg"), "llm.base_url"),
        (LlmSettings(base_url="127.0.0.1:9", model="m"), "llm.base_url"),
        (LlmSettings(base_url=URL), "llm.model"),
    ],
)
def test_half_a_configuration_names_the_key_that_is_missing(settings, key):
    with pytest.raises(SetupError, match=key):
        make_reasoner(settings, Metrics())


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1",
        "http://me:secret@host:99999/v1",
        "http://:80/v1",
        "http://host:x/v1",
        "https://",
    ],
)
def test_an_address_that_cannot_be_one_is_refused_when_the_reasoner_is_made(address):
    with pytest.raises(SetupError, match=r"llm\.base_url: expected") as caught:
        make_reasoner(LlmSettings(base_url=address, model="m"), Metrics())
    assert "secret" not in str(caught.value)


def test_the_networks_reasoner_needs_the_network_that_was_loaded():
    with pytest.raises(SetupError, match=r"llm\.kind.*none are loaded here"):
        make_reasoner(LlmSettings(kind="empatheia"), Metrics())


def test_an_address_with_a_password_is_not_shown():
    with pytest.raises(SetupError) as caught:
        make_reasoner(LlmSettings(base_url="ftp://me:secret@host/v1", model="m"), Metrics())
    assert "secret" not in str(caught.value)


async def test_the_lexicon_can_be_asked_for_and_then_no_weights_are_read(monkeypatch):
    def refuse() -> None:
        raise FileNotFoundError("text emotion: expected weights; got no file")

    factory.load_classifier.cache_clear()
    monkeypatch.setattr(factory, "TextEmotionClassifier", refuse)
    await make_reasoner(LlmSettings(emotion="lexicon"), Metrics()).aclose()
    with pytest.raises(SetupError, match=r"set llm\.emotion lexicon"):
        make_reasoner(LlmSettings(), Metrics())


async def test_chosen_replies_need_their_file_and_the_network_of_emotions(tmp_path):
    with pytest.raises(SetupError, match=r"llm\.emotion: expected network"):
        make_reasoner(LlmSettings(kind="nano", emotion="lexicon"), Metrics())

    with pytest.raises(SetupError, match=r"llm\.replies: .* got no file, or set llm\.kind reflect"):
        make_reasoner(LlmSettings(kind="nano", replies=str(tmp_path / "none.txt")), Metrics())
    nano = make_reasoner(LlmSettings(kind="nano", base_url=URL, model="m"), Metrics())
    assert nano.name == "nano"
    await nano.aclose()
