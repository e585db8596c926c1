"""Nano's shipped language model and modules as they answer one turn; needs torch."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from rt_avatar.engines.empatheia.clauses import ClauseCutter
from rt_avatar.engines.empatheia.dialogue import Styles
from rt_avatar.engines.llm.answer import AnswerOptions, Replied, Signalled, Understood
from rt_avatar.engines.llm.chain import NOTATIONS, Chain
from rt_avatar.engines.llm.model import Vectors
from rt_avatar.engines.llm.profile import Profile, profile_classes
from rt_avatar.engines.llm.prompt import Said, write
from rt_avatar.engines.llm.sampling import SamplingOptions
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.nano_tts.engine import Guide
from rt_avatar.engines.nano_tts.model import SpeakerCode
from rt_avatar.engines.nano_tts.tokens import Tokens as Sounds
from rt_avatar.engines.networks.fusion.disentangler import Known
from rt_avatar.engines.networks.fusion.graphs import nano_voice_graph
from rt_avatar.engines.networks.fusion.shipped import load_fusion
from rt_avatar.engines.networks.llm.shipped import load_shipped
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.networks.sizes import NANO
from rt_avatar.engines.training.llm.samples import answerer_of
from rt_avatar.engines.training.voice.export import load_acoustic

_TEMPERATURE = 0.7
# First turn, who answers, whether a chain is thought, seed → chain, clauses with states, styles.
Answering: TypeAlias = Callable[
    [str, Profile, bool, int], tuple[Chain, tuple[tuple[str, Vectors], ...], Styles]
]


def answerer(reply_tokens: int) -> tuple[Answering, Guide]:
    """Return what answers with at most so many tokens, and the voice's guide."""
    model, tokens = load_shipped()
    synchronizer, disentangler = load_fusion()
    template, notation = TEMPLATES[NANO.template], NOTATIONS[NANO.notation]
    language = answerer_of(model, tokens, template, notation)
    spoken = TorchRuntime(nano_voice_graph(synchronizer, load_acoustic()), "cpu").run

    def guide(states: Vectors, sounds: Sounds, who: SpeakerCode) -> Vectors:
        given: dict[str, NDArray[Any]] = {
            "reply": states[None],
            "reply_mask": np.ones((1, len(states)), np.float32),
            "symbol": sounds.symbol[None],
            "speaker": who.acoustic,
        }
        encoded: Vectors = spoken(given)["encoded"]
        return encoded

    def answer(
        said: str, profile: Profile, with_chain: bool, seed: int
    ) -> tuple[Chain, tuple[tuple[str, Vectors], ...], Styles]:
        sampling = SamplingOptions(_TEMPERATURE, seed=seed)
        options = AnswerOptions(with_chain=with_chain, reply_tokens=reply_tokens, sampling=sampling)
        prompt = write(language.model, tokens, template, [Said("user", said)], profile)
        cutter, clauses, chain = ClauseCutter(), [], Chain()
        signals: Signalled | None = None
        for event in language.answer(language.model.read(prompt), options):
            match event:
                case Understood():
                    chain = event.chain
                case Signalled():
                    signals = event
                case Replied():
                    clauses += cutter.push(event)
        clauses += cutter.flush()
        assert signals is not None, "every answer has its signal tokens"
        with torch.inference_mode():
            rows = [torch.from_numpy(part)[None] for part in (signals.speech, signals.video)]
            ids = torch.tensor(tokens.encode(chain.emotion), dtype=torch.long)
            felt = model.embed(ids).mean(0) if len(ids) else torch.zeros(NANO.llm.width)
            who = torch.tensor([profile_classes(profile)])
            made = disentangler(*rows, known=Known(who, felt[None]))
        styles = Styles(
            made.speech.numpy(),
            made.video.numpy(),
            {name: value.numpy() for name, value in made.logits._asdict().items()},
        )
        return chain, tuple((one.text, one.states) for one in clauses), styles

    return answer, guide
