"""What callers read when something is refused or ends: one sentence for each reason.

A caller may be anybody. What an error says of settings, addresses and other machines is for the
operator and goes to the log; only what is wrong with the caller's own input is told in full.
"""

from typing import Final

from rt_avatar.errors import BadInputError, SessionError

TEXTS: Final = {
    "access_token_expired": "Your access has expired. Please come from the offering site again.",
    "access_token_invalid": "Your access does not fit. Please come from the offering site again.",
    "access_token_missing": "Calls need access. Please come from the offering site.",
    "draining": "The server is closing. Please call again in a minute.",
    "ended": "This call is over; ask for a new session.",
    "foreign_origin": "This page may not call this server.",
    "full": "All lines are busy. Please call again when one is free.",
    "hang_up": "The call is over.",
    "idle": "Nobody was heard for a long time, so the call is over. Please call again.",
    "internal": "Something went wrong on our side. Please call again.",
    "lost": "The connection was lost and nobody came back.",
    "no_session": "There is no call of that id.",
    "offer_in_progress": "The offer before this one is still being answered; wait for its answer.",
    "overloaded": "The server is busy just now. Please call again in a moment.",
    "portraits_full": "No more photographs can be kept here just now. Please try again later.",
    "rate": "That was too much at once. Please wait a moment.",
    "time_over": "The call has reached its longest time. Please call again.",
    "token_expired": "The session's token has expired; ask for a new session.",
    "token_invalid": "Expected the token of POST /api/sessions, got another or a changed one; ask "
    "for a new session.",
    "token_missing": "Authorization: expected Bearer and the token of POST /api/sessions, got "
    "none.",
    "token_other_session": "Expected this session's token, got another session's.",
    "uploads_off": "This server takes no such files.",
    "voices_full": "No more voices can be kept here just now. Please try again later.",
    "too_many_calls": "As many calls as may be go on from where you are. Please call again when "
    "one is over.",
    "too_many_offers": "Too many connections are being made from where you are. Please wait a "
    "moment.",
}


def text_for(error: SessionError) -> str:
    """Return what the caller is told of an error."""
    if isinstance(error, BadInputError):
        return str(error)
    return TEXTS.get(error.reason, TEXTS["internal"])
