"""What callers read: never the operator's words."""

import asyncio

import pytest

from rt_avatar.errors import AdmissionError, BadInputError, SessionError
from rt_avatar.signaling.caller_texts import TEXTS, text_for
from rt_avatar.signaling.ending import live_until_over
from rt_avatar.signaling.refusals import STATUS
from tests.fakes.in_process_server import names_settings

pytestmark = pytest.mark.unit

# Refusals that are about the caller's own input, or that HTTP itself knows.
OF_INPUT = {"bad_body", "bad_json", "bad_sdp", "not_json", "unknown_persona"}
OF_INPUT |= {"bad_portrait", "bad_recording", "no_consent", "no_portrait", "no_voice"}
OF_HTTP = {"not_found", "method", "too_large"}
SECRET = "http://10.0.0.7:8000/v1 does not answer; mend llm.base_url"


def test_every_reason_has_a_sentence_that_names_no_settings():
    assert set(STATUS) - OF_INPUT - OF_HTTP <= set(TEXTS)
    assert not [text for text in TEXTS.values() if names_settings(text)]


def test_what_is_wrong_with_the_callers_own_input_is_told_in_full():
    assert text_for(BadInputError("text: expected some words, got none")).endswith("got none")


@pytest.mark.parametrize("reason", ["full", "internal", "a reason of tomorrow"])
@pytest.mark.parametrize("kind", [SessionError, AdmissionError])
def test_what_an_error_says_of_settings_and_addresses_stays_here(kind, reason):
    text = text_for(kind(SECRET, reason=reason))
    assert text == TEXTS.get(reason, TEXTS["internal"])


async def test_a_call_that_ends_by_an_error_tells_the_caller_a_sentence_and_the_log_the_rest(
    caplog,
):
    async def attend(group: asyncio.TaskGroup) -> str:
        raise SessionError(SECRET)

    ending = await live_until_over(attend, "one")
    assert (ending.reason, ending.text) == ("internal", TEXTS["internal"])
    assert SECRET in caplog.text
