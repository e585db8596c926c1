"""A small network's speaker, a clause for it, and its sound in pieces and whole."""

import numpy as np
import torch

from rt_avatar.engines.networks.styletts2.graphs import generator_shape, graphs
from rt_avatar.engines.styletts2.pulses import PulseSpectra
from rt_avatar.engines.styletts2.source import HarmonicSource
from rt_avatar.engines.styletts2.speaker import Speaker
from rt_avatar.engines.styletts2.spectrum import source_spectrum
from rt_avatar.engines.styletts2.style import mix
from rt_avatar.engines.styletts2.symbols import encode
from tests.engines.networks.styletts2.tiny import SMALL_NANO, network

TOKENS = encode("həlˈoʊ , wˈɜːld !")


def runner(graph):
    def run(inputs):
        given = [torch.from_numpy(np.asarray(inputs[name])) for name in graph.inputs]
        with torch.no_grad():
            out = graph.module(*given)
        out = out if isinstance(out, tuple) else (out,)
        return {name: part.numpy() for name, part in zip(graph.outputs, out, strict=True)}

    return run


class Made:
    def __init__(self, config):
        self.config = config
        self.network = network(config)
        self.graphs = {g.name.removeprefix("styletts2_"): runner(g) for g in graphs(self.network)}
        self.speaker = Speaker(
            self.graphs, config.recipe, generator_shape(self.network), 2 * config.style
        )
        self.reference = np.random.default_rng(0).standard_normal((1, 8)).astype(np.float32)

    @property
    def style(self):
        return mix(self.reference, self.reference, None, self.config.recipe.style)

    def clause(self, tokens=TOKENS, **options):
        return self.speaker.prepare(tokens, self.style, **options)

    def speaker_of(self, **graphs):
        """The speaker with some graphs in place of its own."""
        return Speaker(
            {**self.graphs, **graphs},
            self.config.recipe,
            generator_shape(self.network),
            2 * self.config.style,
        )

    def whole(self, clause, seed=0):
        """A clause's sound in one pass over all of it, and the statistics of its norms."""
        shape, pitch = generator_shape(self.network), clause.pitch
        if self.config.generator is SMALL_NANO.generator:
            source = PulseSpectra(pitch, 1200, seed=seed)(0, len(pitch))
            given = (torch.from_numpy(part) for part in (clause.x, clause.style, source))
            with torch.no_grad():
                return self.network.decoder.generator(*given)[0].numpy(), None
        made = HarmonicSource(shape.weight, shape.bias, seed=seed)
        sound = np.concatenate([made.push(pitch), made.flush()])
        padded = np.pad(sound, 10, mode="reflect")
        source = source_spectrum(padded) if shape.layout.extra else sound[None]
        out = self.graphs["whole"]({"x": clause.x, "style": clause.style, "source": source[None]})
        return out["pcm"][0, 0], out["moments"]


def spoken(speaker, clause, *args, **options):
    return np.concatenate(list(speaker.sound(clause, *args, **options)))
