"""General replies, chosen by a network that reads what was said."""

from rt_avatar.engines.reply_selector.bank import GeneralReply, load_general
from rt_avatar.engines.reply_selector.selector import ReplySelector, Selection

__all__ = ["GeneralReply", "ReplySelector", "Selection", "load_general"]
