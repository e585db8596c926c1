"""Topics, attributes and procedures that we use in rooms and LiveKit has no name for.

Everything that LiveKit does have a name for is taken from ``livekit.agents.types``.
``docs/livekit.md`` is the text of it.
"""

from typing import Final

# The avatar's tracks; the names are those of LiveKit's own avatar worker.
AUDIO_TRACK: Final = "avatar_audio"
VIDEO_TRACK: Final = "avatar_video"
# Byte stream, avatar → room: what its face does, for another face (``motion_stream``).
TOPIC_MOTION: Final = "rt_avatar.motion"

# Data packet, avatar → room: JSON {"code", "text"}, and "reason" when the avatar leaves ("bye").
TOPIC_NOTICE: Final = "rt_avatar.notice"
# Of the avatar's participant: name of the persona that answers now.
ATTRIBUTE_PERSONA: Final = "rt_avatar.persona"
# The same: id of the dispatch that it came for; by this the others know that it is there.
ATTRIBUTE_DISPATCH: Final = "rt_avatar.dispatch"
# What the caller may ask of the avatar's participant; the answer is "ok" or an error.
RPC_INTERRUPT: Final = "rt_avatar.interrupt"  # stop the reply; no payload
RPC_SET_PERSONA: Final = "rt_avatar.set_persona"  # somebody else answers; payload: the name
# The same persona with another face; payload: name of a shared portrait, empty: the own face.
RPC_SET_FACE: Final = "rt_avatar.set_face"
RPC_PING: Final = "rt_avatar.ping"  # are you there? anybody may ask; no payload
RPC_HANG_UP: Final = "rt_avatar.hang_up"  # the avatar leaves; no payload
