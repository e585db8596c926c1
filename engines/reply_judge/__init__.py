"""How well each of some replies fits: beside the point, weak, or fitting."""

from rt_avatar.engines.reply_judge.network import FEATURES, ReplyJudge

__all__ = ["FEATURES", "ReplyJudge"]
