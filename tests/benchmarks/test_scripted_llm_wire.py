"""The scripted model answers the real reasoner over HTTP."""

from contextlib import aclosing

import pytest

from rt_avatar.benchmarks.scripted_llm import MODEL, running_llm
from rt_avatar.config.settings import LlmSettings
from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.empathyear import EmpathyEarReasoner
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.network


def request() -> ReplyRequest:
    turn = TurnId(1)
    said = Transcript(turn, 16_000, "Nobody called me on my birthday.", True)
    return ReplyRequest(turn, said, Affect(turn, 16_000), (), PERSONAS["ava"])


async def test_the_reasoner_replies_over_the_wire() -> None:
    async with running_llm(0.0, 5000.0) as model:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=model.url, model=MODEL), Metrics())
        try:
            async with aclosing(reasoner.open().reply(request())) as items:
                plan, *clauses = [item async for item in items]
        finally:
            await reasoner.aclose()
    assert isinstance(plan, Plan)
    assert len(clauses) >= 2
    assert all(isinstance(clause, Clause) for clause in clauses)
    assert (model.asked, model.cut_off) == (1, 0)
