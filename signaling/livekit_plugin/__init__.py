"""A face for any livekit-agents program: ``from livekit.plugins import rt_avatar``.

    avatar = rt_avatar.AvatarSession(persona="ava")
    await avatar.start(session, room=ctx.room)
    await session.start(agent=..., room=ctx.room)

The program keeps its own ears, mind and voice. A worker (``rt-avatar livekit``) that is registered
with the same LiveKit server joins the room, gives the voice a face, and publishes both on behalf of
the agent. This folder is installed as ``livekit.plugins.rt_avatar``; importing it registers the
plug-in with livekit-agents, as importing any of its plug-ins does.
"""

from livekit.agents import Plugin

from .avatar import AvatarSession
from .dispatcher import AvatarJoinError
from .log import logger
from .version import __version__

__all__ = ["AvatarJoinError", "AvatarSession", "__version__"]


class RtAvatarPlugin(Plugin):
    """What livekit-agents knows of the plug-in."""

    def __init__(self) -> None:
        # Its name from without, wherever the folder lies.
        super().__init__(
            "livekit.plugins.rt_avatar", __version__, "livekit.plugins.rt_avatar", logger
        )


Plugin.register_plugin(RtAvatarPlugin())
