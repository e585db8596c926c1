"""HTTP handlers of callers' own voices: a recording → a voice that is kept; no sound is.

Nothing is read before the caller says that they may use the recording.
"""

from aiohttp import web

from rt_avatar.engines.own_voice import OwnVoiceError
from rt_avatar.errors import BadInputError
from rt_avatar.signaling.handlers import CONTEXT, bearer, client_of
from rt_avatar.signaling.protocol import MAX_RECORDING_BYTES, VoiceRequest, parse_upload_request
from rt_avatar.signaling.uploads import DESK, PRIVATE, check_consent, decode_file, work_on


async def keep(request: web.Request) -> web.Response:
    """Make and keep a voice for this caller alone; return its name and the key that opens it."""
    context = request.app[CONTEXT]
    voices = context.own_voices
    shares, client = request.app[DESK].voices, client_of(request)

    def make(body: bytes) -> tuple[str, str]:
        asked = parse_upload_request(body, VoiceRequest)
        check_consent(asked.consent, "this is your voice, or that you may use the recording")
        recording = decode_file(asked.recording, "recording", MAX_RECORDING_BYTES)
        shares.check(client, voices.kept())
        try:
            name, key = voices.keep(voices.make(recording))
        except OwnVoiceError as error:
            raise BadInputError(str(error), reason="bad_recording") from None
        shares.note(client, name)
        return name, key

    name, key = await work_on(request, make, takes=context.takes_recordings)
    body = {"name": name, "key": key, "days": context.settings.tts.voice_days}
    return web.json_response(body, status=201, headers=PRIVATE)


async def delete(request: web.Request) -> web.Response:
    """Delete a voice; its key is needed."""
    request.app[CONTEXT].own_voices.delete(request.match_info["name"], bearer(request))
    return web.Response(status=204)
