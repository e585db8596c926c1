"""The contract of the graph's engines once more, over the official kinds, on onnxruntime."""

from dataclasses import replace
from functools import partial

import pytest

from tests.engines.empatheia.torch.test_contract import *  # noqa: F403
from tests.engines.empatheia.torch.test_contract import CASES, Case, motions
from tests.engines.streamed import same, whole

pytestmark = pytest.mark.networks
# What calls make of them is tested with nano.
KINDS = [kind for kind in CASES if "of a call" not in kind.name]
KINDS.append(Case("face of the longest look-ahead", lambda e: e.face(13), motions))


@pytest.fixture(scope="module")
def engines(small_engines):
    return small_engines


@pytest.fixture(params=KINDS, ids=lambda case: case.name)
def case(request, engines):
    kind = request.param
    return replace(kind, items=partial(kind.items, engines)), kind.find(engines)


def test_the_face_follows_what_moves_it(engines):
    one, other = (whole(engines.face(2).open(), motions(engines, seed)) for seed in (1, 2))
    assert not same(one, other)
