"""Every choice that the papers leave open is told, and every option that is told is there."""

import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.networks.fusion.config import (
    BlockConfig,
    DisentanglerConfig,
    SynchronizerConfig,
)
from rt_avatar.engines.networks.fusion.losses import LossOptions

pytestmark = pytest.mark.networks
PAGE = (Path(__file__).parents[3] / "docs" / "gaps.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(engines\.[\w.]+)`", PAGE)))


@pytest.mark.parametrize("name", NAMED)
def test_what_is_told_is_there(name):
    module, _, rest = name.rpartition(".")
    try:
        assert hasattr(import_module(module), rest)
    except ModuleNotFoundError:
        module, _, kind = module.rpartition(".")
        options = getattr(import_module(module), kind)
        assert is_dataclass(options)
        assert rest in {field.name for field in fields(options)}


# What no paper could leave open: sizes that follow from what is connected, and the dice.
FOLLOWS = {
    SynchronizerConfig: {"inputs", "speech", "video", "block"},
    DisentanglerConfig: {"inputs", "video", "block"},
    BlockConfig: {"dropout"},
    LossOptions: set(),
    EmpatheiaOptions: {"chain_tokens", "reply_tokens", "temperature", "seed", "speed"},
}


@pytest.mark.parametrize("options", FOLLOWS, ids=lambda options: options.__name__)
def test_every_option_of_the_modules_is_told_with_its_values(options):
    missing = {
        field.name for field in fields(options) if f".{options.__name__}.{field.name}`" not in PAGE
    }
    assert missing == FOLLOWS[options]
    assert all(name in (options.__doc__ or "") or name in import_module(options.__module__).__doc__
               for name in (field.name for field in fields(options)))  # fmt: skip
