"""The plug-in's logger, named as upstream's plug-ins name theirs."""

import logging

logger = logging.getLogger("livekit.plugins.rt_avatar")
