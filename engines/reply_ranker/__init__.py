"""Choose a reply among those of a bank: a small network, and what the bank says of each."""

from rt_avatar.engines.reply_ranker.headings import Weighing
from rt_avatar.engines.reply_ranker.ranker import Choice, ReplyRanker

__all__ = ["Choice", "ReplyRanker", "Weighing"]
