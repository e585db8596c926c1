"""What acts a turn does, by name."""

from rt_avatar.reasoner.acts import acts_in


def find_act(text, acts):
    """Return the name of the surest act of a turn; None where it does none of these."""
    return next((one.act.name for one in acts_in(text, acts)), None)
