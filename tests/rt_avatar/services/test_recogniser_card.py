import pytest

from rt_avatar.config.perception_settings import SttSettings
from rt_avatar.services.engine_choice import describe_recogniser
from tests.fakes.in_process_server import names_settings

pytestmark = pytest.mark.unit


def test_callers_hear_how_to_be_heard_well_and_the_operator_how_to_hear_better(caplog):
    caplog.set_level("INFO")
    name, hint = describe_recogniser(SttSettings())
    assert name == "pocketsphinx"
    assert "short, clear sentences" in hint
    assert not names_settings(hint)
    assert "stt.whisper_model" in caplog.text


def test_callers_do_not_learn_where_a_model_lies():
    model = SttSettings(whisper_model="/srv/models/secret-client/small.en")
    assert describe_recogniser(model) == ("faster-whisper (small.en)", "")
