"""The scripted model answers the real reasoner over HTTP."""

from contextlib import aclosing

import pytest

from rt_avatar.benchmarks.scripted_llm import MODEL, running_llm
from rt_avatar.config.settings import LlmSettings
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner.chat.empathyear import EmpathyEarReasoner
from rt_avatar.telemetry.metrics import Metrics
from tests.fakes.requests import asked

pytestmark = pytest.mark.network


async def test_the_reasoner_replies_over_the_wire() -> None:
    async with running_llm(0.0, 5000.0) as model:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=model.url, model=MODEL), Metrics())
        try:
            async with aclosing(
                reasoner.open().reply(asked("Nobody called me on my birthday."))
            ) as items:
                plan, *clauses = [item async for item in items]
        finally:
            await reasoner.aclose()
    assert isinstance(plan, Plan)
    assert len(clauses) >= 2
    assert all(isinstance(clause, Clause) for clause in clauses)
    assert (model.asked, model.cut_off) == (1, 0)
