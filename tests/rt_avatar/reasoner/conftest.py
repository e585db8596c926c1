"""What the reasoners' tests share."""

from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.reasoner.listener.nano import NanoReasoner
from rt_avatar.services.worker import EngineWorker
from tests.fakes.requests import replies_of


@pytest.fixture
def worker():
    """A thread for a network, ended with the test."""
    made = EngineWorker("llm")
    yield made
    made.close()


@pytest.fixture(scope="session")
def classifier() -> TextEmotionClassifier:
    """The network that names emotions."""
    return TextEmotionClassifier()


@pytest.fixture(scope="session")
def nano(classifier) -> NanoReasoner:
    """The default listener, one for all: it keeps nothing of a call."""
    return NanoReasoner(classifier, ReplyRanker(), None)


@pytest.fixture(scope="session")
def call(nano) -> Callable[..., Awaitable[list[str]]]:
    """Make a call of these turns of a caller; returns what the default listener answers."""
    return partial(replies_of, nano)
