"""A conversation with the scripted network: what a caller said, and what is answered."""

from contextlib import aclosing
from dataclasses import replace

import numpy as np

from rt_avatar.budget import Effort
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.llm.chain import TAGS
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.network.empatheia import EmpatheiaReasoner
from tests.engines.llm.tiny import tokens
from tests.fakes.network import CHAIN, ScriptedNetwork
from tests.fakes.requests import asked

OPTIONS = EmpatheiaOptions(chain_tokens=300, reply_tokens=300)
THOUGHT = tokens().encode(TAGS.write_chain(CHAIN))
HURRIED = Effort(has_fresh_chain=False)
WORDS = "my boss told me that I lost my job today"
SECOND = 16_000
SOUND = np.random.default_rng(0).normal(0, 0.1, 8 * SECOND).astype(np.float32)
PICTURES = tuple(np.full((12, 16, 3), 20 * n, np.uint8) for n in range(10))


def request(text: str = WORDS, turn: int = 3, **more) -> ReplyRequest:
    return asked(text, turn=turn, **more)


def talk(worker, network=None, **options):
    network = network or ScriptedNetwork()
    reasoner = EmpatheiaReasoner(network, replace(OPTIONS, **options), worker)
    return network, reasoner.open()


async def reply(conversation, what: ReplyRequest | None = None) -> list[Plan | Clause]:
    async with aclosing(conversation.reply(what or request())) as items:
        return [item async for item in items]


def texts(items) -> list[str]:
    return [item.text for item in items if isinstance(item, Clause)]
