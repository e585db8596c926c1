"""Whether a life may be in danger, and by what, by the words of a turn: a small network."""

from rt_avatar.engines.text_danger.classifier import (
    DANGERS,
    HEARD,
    SURE,
    Danger,
    DangerEstimate,
    TextDangerClassifier,
)

__all__ = ["DANGERS", "HEARD", "SURE", "Danger", "DangerEstimate", "TextDangerClassifier"]
