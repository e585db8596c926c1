"""The mouth that follows sound alone: for voices of which nobody says what they speak."""

from rt_avatar.engines.lipsync.engine import LipsyncEngine, LipsyncStream

__all__ = ["LipsyncEngine", "LipsyncStream"]
