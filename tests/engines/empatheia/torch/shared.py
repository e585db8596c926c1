"""Nano run by torch, made once a process for all folders of tests that need it."""

from functools import cache

from tests.engines.empatheia.torch.made import make_engines, make_parts


@cache
def shared_parts():
    """All graphs by name; nobody may change them."""
    return make_parts()


@cache
def shared_engines():
    """All stages."""
    return make_engines(shared_parts())
