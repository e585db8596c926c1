import pytest

from rt_avatar.config.settings import ReasonerSettings
from rt_avatar.errors import SetupError
from rt_avatar.reasoner.choose import make_reasoner

pytestmark = pytest.mark.unit

URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (ReasonerSettings(), "reflective"),
        (ReasonerSettings(kind="reflective", base_url=URL, model="m"), "reflective"),
        (ReasonerSettings(base_url=URL, model="m"), "empathyear"),
        (ReasonerSettings(kind="empathyear", base_url=URL, model="m"), "empathyear"),
    ],
)
async def test_the_settings_choose_the_reasoner(settings, name):
    reasoner = make_reasoner(settings)
    assert reasoner.name == name
    await reasoner.aclose()


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (ReasonerSettings(kind="empathyear"), "reasoner.base_url"),
        (ReasonerSettings(base_url="127.0.0.1:9", model="m"), "reasoner.base_url"),
        (ReasonerSettings(base_url=URL), "reasoner.model"),
    ],
)
def test_half_a_configuration_names_the_key_that_is_missing(settings, key):
    with pytest.raises(SetupError, match=key):
        make_reasoner(settings)


def test_the_networks_reasoner_needs_the_network_that_was_loaded():
    with pytest.raises(SetupError, match=r"reasoner\.kind.*none are loaded here"):
        make_reasoner(ReasonerSettings(kind="empatheia"))


def test_an_address_with_a_password_is_not_shown():
    with pytest.raises(SetupError) as caught:
        make_reasoner(ReasonerSettings(base_url="ftp://me:secret@host/v1", model="m"))
    assert "secret" not in str(caught.value)
