"""Choose a reply among those of a bank that people gave: a small network."""

from rt_avatar.engines.reply_ranker.ranker import Choice, ReplyRanker

__all__ = ["Choice", "ReplyRanker"]
