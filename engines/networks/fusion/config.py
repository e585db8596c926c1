"""Sizes and choices of the content synchronizer and the style disentangler.

The paper gives two equations and a figure for each. What it leaves open is an option here, with
our choice as the default and its reason beside it; official sizes and ``NANO`` are one definition.

Source: "Towards Multimodal Empathetic Response Generation: A Rich Text-Speech-Vision Avatar-based
Benchmark" (Empatheia), 2025, §4; sizes where it is silent as in NExT-GPT's output projection.
"""

from dataclasses import dataclass
from typing import Final, Literal

WINDOW: Final = 11  # features of speech that DreamTalk's content encoder sees around a frame
EMOTION_CLASSES: Final = 7  # happy surprised angry fear sad disgusted contempt
AGE_CLASSES: Final = 4  # child young middle-aged elderly
GENDER_CLASSES: Final = 2  # male female
TONE_CLASSES: Final = 3  # high (emphatic), mid (mild), low (gentle)


@dataclass(frozen=True, slots=True)
class BlockConfig:
    """One transformer VAE.

    Attributes:
        width: Of the transformer; the paper's "four encoder-decoder modules" say nothing of it.
        heads: Attention heads.
        feedforward: Hidden units between attention layers.
        encoders: Layers that read.
        decoders: Layers that write.
        dropout: While training.
        queries: How the learnt queries enter the encoder, which the paper's Enc(FFN(r), q) leaves
            open. "concat": they stand before the sequence and take part in all attention, and are
            read back as the latent. "cross": they look at the sequence, which does not see them.
    """

    width: int = 512
    heads: int = 4
    feedforward: int = 2048
    encoders: int = 4
    decoders: int = 4
    dropout: float = 0.0
    queries: Literal["concat", "cross"] = "concat"

    def __post_init__(self) -> None:
        if self.width % (2 * self.heads):
            raise ValueError(
                f"fusion: expected a width that twice the {self.heads} heads divide; "
                f"got {self.width}"
            )


@dataclass(frozen=True, slots=True)
class SynchronizerConfig:
    """The content synchronizer.

    Attributes:
        inputs: Width of the language model.
        speech: Channels of the voice's text encoder, one vector a phoneme.
        video: Width of the face's content encoder, one vector a frame.
        window: The video content of a frame: 1, the middle of its window, from which windows are
            formed again; or all 11, which is eleven times as much to learn.
        places: Where a query stands beside the text. "absolute": its own number, as in every
            transformer. "proportional": that many tokens into the text as it is far into the
            output, so that a query begins beside the token it will speak.
        begins: What a content begins from. "query": a learnt query, as published. "own": the
            voice's own vector of the phoneme, to which the branch adds what the reply's states
            tell, as far as a gate lets it: no sound can be lost, and little is left to learn.
        text_places: Whether text tokens are told their places too; the language model's states
            hold them only indirectly.
        block: The transformers of both branches.
    """

    inputs: int
    speech: int = 512
    video: int = 256
    window: int = 1
    places: Literal["absolute", "proportional"] = "absolute"
    begins: Literal["query", "own"] = "query"
    text_places: bool = True
    block: BlockConfig = BlockConfig()

    def __post_init__(self) -> None:
        if self.window not in (1, WINDOW):
            raise ValueError(f"fusion: expected a window of 1 or {WINDOW}; got {self.window}")
        if self.begins == "own" and self.window != 1:
            raise ValueError("fusion: contents that begin from the voice's own have a window of 1")


@dataclass(frozen=True, slots=True)
class DisentanglerConfig:
    """The style disentangler.

    Attributes:
        inputs: Width of the language model.
        acoustic: Numbers of the voice's acoustic style, the first half of S^s.
        prosodic: Numbers of its prosodic style. The paper says "style encoder" where the voice has
            two; the generator needs both.
        video: Numbers of the face's style, S^v.
        join: How emotion and profile are joined (the paper's ⊕): side by side, or added.
        sees: What styles follow from. "signals": the states at the signal tokens, as published.
            "known": these, who answers and the emotion of the chain: a small language model's
            states hold too little of either.
        block: The transformers of emotion and profile.
    """

    inputs: int
    acoustic: int = 128
    prosodic: int = 128
    video: int = 256
    join: Literal["concat", "add"] = "concat"
    sees: Literal["signals", "known"] = "signals"
    block: BlockConfig = BlockConfig()

    @property
    def speech(self) -> int:
        """Numbers of S^s."""
        return self.acoustic + self.prosodic


EMPATHEIA_SYNCHRONIZER: Final = SynchronizerConfig(inputs=4096)
EMPATHEIA_DISENTANGLER: Final = DisentanglerConfig(inputs=4096)
# Two layers of 64: both together 1.2M, and a clause in a few milliseconds of one thread.
_NANO_BLOCK: Final = BlockConfig(width=64, heads=4, feedforward=256, encoders=2, decoders=2)
NANO_SYNCHRONIZER: Final = SynchronizerConfig(
    inputs=256, speech=192, video=192, places="proportional", begins="own", block=_NANO_BLOCK
)
NANO_DISENTANGLER: Final = DisentanglerConfig(
    inputs=256, video=192, sees="known", block=_NANO_BLOCK
)
