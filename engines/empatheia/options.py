"""Choices of one answer: what is left out or replaced (the papers' ablations), and how it is drawn.

=================  ==========================================================================
``coe``            ``prethink``: the signal tokens behind the chain, so that the style is known
                   before the first word, and the chain may be thought while the caller speaks;
                   ``paper``: behind the reply; ``off``: no chain at all
``content_source`` ``cs``: the content synchronizer tells both generators what is said;
                   ``generator``: each has its own encoder (the ablation without it)
``content_span``   ``clause``: of one clause at a time, so that the first is spoken before the last
                   is thought; ``reply``: of all of it, as published, when its last word is known
``style_source``   ``sd``: the style disentangler; ``diffusion``: the same, and its voice is the
                   reference of StyleTTS 2's own denoiser, which draws a style for each clause;
                   ``bank``: a style an emotion, by the chain's;
                   ``reference``: taken from a voice and a face that are given
``without``        ``speech``, ``video`` or both are left out of what the language model reads
                   (the ablations without either)
``pipeline``       the papers' baseline: words alone are handed on; the language model neither
                   hears nor sees, contents are the generators' own and styles from the bank
``reply_source``   ``model``: the language model writes the reply; ``listener``: somebody else does
                   (``Dialogue.written``), and it reads that; ``auto``: a listener for nano, whose
                   model of 4 million parameters writes fluently and misses the point
=================  ==========================================================================
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from rt_avatar.engines.empatheia.clauses import Span
from rt_avatar.engines.empatheia.export_manifest import ExportManifest
from rt_avatar.engines.llm.answer import AnswerOptions
from rt_avatar.engines.llm.sampling import SamplingOptions
from rt_avatar.engines.llm.templates import Modality
from rt_avatar.engines.pirender.windows import LOOKAHEADS

CoE = Literal["prethink", "paper", "off"]
ContentSource = Literal["cs", "generator"]
ReplySource = Literal["auto", "model", "listener"]
StyleSource = Literal["sd", "diffusion", "bank", "reference"]

_CHOICES: Final = {
    "coe": CoE,
    "content_source": ContentSource,
    "content_span": Span,
    "style_source": StyleSource,
    "reply_source": ReplySource,
}


@dataclass(frozen=True, slots=True)
class EmpatheiaOptions:
    """How one answer is made; see the module for the first seven.

    Attributes:
        coe: Whether and when a chain is thought.
        content_source: Who tells the generators what is said.
        content_span: Of how much at a time.
        style_source: Who tells them how.
        reply_source: Who writes the words.
        without: Senses that the language model has not.
        pipeline: The baseline; its sources take the place of the others.
        chain_tokens: Most tokens of the chain.
        reply_tokens: Most tokens of the reply.
        temperature: Of the words; 0: always the likeliest.
        seed: Of words, of the voice's noise and of the face's.
        speed: Speaking rate, 1 is the voice's own.
        lookahead_frames: Frames of motion that the renderer waits for.

    Raises:
        ValueError: A choice that there is not.
    """

    coe: CoE = "prethink"
    content_source: ContentSource = "cs"
    content_span: Span = "clause"
    style_source: StyleSource = "sd"
    reply_source: ReplySource = "auto"
    without: tuple[Modality, ...] = ()
    pipeline: bool = False
    chain_tokens: int = 96
    reply_tokens: int = 96
    temperature: float = 0.0
    seed: int = 0
    speed: float = 1.0
    lookahead_frames: int = 2

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in get_args(choices):
                raise ValueError(
                    f"{name}: expected one of {', '.join(get_args(choices))}; "
                    f"got {getattr(self, name)!r}"
                )
        if unknown := set(self.without) - set(get_args(Modality)):
            raise ValueError(
                f"without: expected some of {', '.join(get_args(Modality))}; "
                f"got {', '.join(sorted(unknown))}"
            )
        if self.lookahead_frames not in LOOKAHEADS:
            raise ValueError(
                f"lookahead_frames: expected one of {', '.join(map(str, LOOKAHEADS))}; "
                f"got {self.lookahead_frames}"
            )
        if not 0.5 <= self.speed <= 2:
            raise ValueError(f"speed: expected 0.5 to 2; got {self.speed}")

    def without_also(self, senses: Collection[Modality]) -> "EmpatheiaOptions":
        """Return the same without further senses."""
        return replace(
            self, without=tuple({**dict.fromkeys(self.without), **dict.fromkeys(senses)})
        )

    def effective(self) -> "EmpatheiaOptions":
        """Return the same with the baseline's choices written out."""
        if not self.pipeline:
            return self
        without = get_args(Modality)
        return replace(self, content_source="generator", style_source="bank", without=without)

    def has_listener(self, manifest: ExportManifest) -> bool:
        """Whether somebody else than a network's language model writes the words."""
        by_default = manifest.name == "nano" and manifest.is_trained
        return self.reply_source == "listener" or (self.reply_source == "auto" and by_default)

    def check(self, manifest: ExportManifest) -> None:
        """Check that a network has what they ask for.

        Raises:
            ValueError: Its voice has no denoiser of styles, or no encoder of styles that learnt.
        """
        if self.effective().style_source == "reference" and manifest.guides_nano_voice:
            raise ValueError(
                f"style_source: reference expects encoders of styles that learnt; {manifest.name} "
                "has none. Take sd or bank; for your own voice, rt-avatar voice and tts.kind nano"
            )
        if self.effective().style_source == "diffusion" and not manifest.samples_styles:
            raise ValueError(
                "style_source: diffusion expects a voice with a denoiser of styles, as that of "
                f"empatheia; the voice of {manifest.name} has none. Take sd, bank or reference"
            )

    def words(self) -> AnswerOptions:
        """Return what the language model is told."""
        return AnswerOptions(
            order="paper" if self.coe == "paper" else "chain",
            with_chain=self.coe != "off",
            chain_tokens=self.chain_tokens,
            reply_tokens=self.reply_tokens,
            sampling=SamplingOptions(temperature=self.temperature, seed=self.seed),
        )
