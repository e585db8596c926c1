import pytest

from rt_avatar.errors import AdmissionError
from rt_avatar.signaling.tokens import Ticket, TokenSigner, new_session_id

pytestmark = pytest.mark.unit

TICKET = Ticket("abc_-1", "ava", 1_700_000_000)


def test_a_token_says_what_was_signed():
    signer = TokenSigner("secret")
    assert signer.check(signer.sign(TICKET)) == TICKET


def test_a_token_survives_a_restart_when_the_secret_is_configured():
    assert TokenSigner("secret").check(TokenSigner("secret").sign(TICKET)) == TICKET


def test_without_a_secret_every_process_has_its_own():
    with pytest.raises(AdmissionError):
        TokenSigner("").check(TokenSigner("").sign(TICKET))


@pytest.mark.parametrize("position", range(0, 40, 3))
def test_a_changed_token_is_refused_whatever_was_changed(position):
    signer = TokenSigner("secret")
    token = signer.sign(TICKET)
    changed = token[:position] + ("A" if token[position] != "A" else "B") + token[position + 1 :]
    with pytest.raises(AdmissionError) as refused:
        signer.check(changed)
    assert refused.value.reason == "token_invalid"


@pytest.mark.parametrize("token", ["", ".", "...", "a.b.c", "é.é.é.é", "x" * 5000, "a.b.9.\ud800"])
def test_nonsense_is_refused_not_crashed_on(token):
    with pytest.raises(AdmissionError):
        TokenSigner("secret").check(token)


def test_session_ids_do_not_repeat_and_fit_a_path():
    ids = {new_session_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(i.replace("-", "").replace("_", "").isalnum() and "." not in i for i in ids)
