"""Choose a reply among those that people gave: a small network, and a bank of replies."""

from rt_avatar.engines.reply_ranker.ranker import Choice, ReplyRanker

__all__ = ["Choice", "ReplyRanker"]
