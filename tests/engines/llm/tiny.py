"""A tokenizer learnt from three sentences."""

from functools import cache

from rt_avatar.engines.llm.tokens import train

TEXTS = (
    "I am so sorry to hear that you lost your dog.",
    "I am so happy to hear that you passed your exam!",
    "Tell me more about what happened, please.",
)


@cache
def tokens():
    return train(TEXTS * 4, 420)
