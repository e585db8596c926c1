"""The voices, each made once for a file of tests."""

import pytest

from tests.engines.networks.styletts2.spoken import Made
from tests.engines.networks.styletts2.tiny import LIBRI, LJ, SMALL_NANO, lean


@pytest.fixture(scope="module")
def nano():
    return Made(SMALL_NANO)


@pytest.fixture(scope="module", params=[lean(LJ), lean(LIBRI)], ids=lambda config: config.name)
def official(request):
    return Made(request.param)


@pytest.fixture(scope="module", params=["nano", "ljspeech", "libritts"])
def voice(request, nano):
    """Each of the voices in turn."""
    if request.param == "nano":
        return nano
    return Made(lean(LJ if request.param == "ljspeech" else LIBRI))
