"""What somebody feels, by the words of all their turns: one of 32 emotions, by a small network."""

from rt_avatar.engines.text_emotion.classifier import CLEAR, EmotionEstimate, TextEmotionClassifier

__all__ = ["CLEAR", "EmotionEstimate", "TextEmotionClassifier"]
