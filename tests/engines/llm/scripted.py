"""A language model that says what it was told to, whatever stands between: states tell who read."""

import numpy as np

from rt_avatar.engines.llm.model import Read
from tests.engines.llm.tiny import tokens

WIDTH = 3


class ScriptedModel:
    """After the prompt, goes through ``script``; wishes for signal tokens even more, always."""

    def __init__(self, script, known=None):
        self.tokens = known or tokens()
        self.script = list(script)
        self.asked = []
        self.batches = []  # how many dialogues each batch was of
        self.prompts = []  # (tokens kept of the prompt before, vectors read)

    def embed(self, ids):
        return np.array([[token, 0.0, 0.0] for token in ids], np.float32)

    def read(self, vectors, after=None, kept=None):
        past = 0 if after is None else after.length if kept is None else kept
        self.prompts.append((past, vectors))
        return self._read(np.empty(0, np.int64), len(vectors), past + len(vectors))

    def step(self, ids, after):
        assert len(ids)
        self.asked.append(list(ids))
        seen = np.concatenate([after.cache["seen"], np.asarray(ids, np.int64)])
        return self._read(seen, len(ids), after.length + len(ids))

    def step_batch(self, ids, after):
        self.batches.append(len(ids))
        return [self.step([token], read) for token, read in zip(ids, after, strict=True)]

    def _read(self, seen, new, length):
        signals = set(self.tokens.signals.all)
        said = [token for token in seen if token not in signals]
        logits = np.zeros(self.tokens.size, np.float32)
        logits[list(signals)] = 9.0
        logits[self.script[len(said)] if len(said) < len(self.script) else 60] = 5.0
        places = np.arange(length - new, length)
        newest = seen[-new:] if len(seen) else np.zeros(new)
        hidden = np.stack([np.zeros(new), newest, places], 1).astype(np.float32)
        return Read(hidden, logits, length, {"seen": seen})
