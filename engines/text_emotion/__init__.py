"""What somebody feels, by the words of all their turns: one of 32 emotions, by a small network."""

from rt_avatar.engines.text_emotion.classifier import EmotionEstimate, TextEmotionClassifier

__all__ = ["EmotionEstimate", "TextEmotionClassifier"]
