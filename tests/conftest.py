"""Rules for the whole suite: every test says what it needs."""

import pytest

CATEGORIES = {"unit", "network", "gpu", "bench"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    unmarked = [
        item.nodeid for item in items if not CATEGORIES & {m.name for m in item.iter_markers()}
    ]
    if unmarked:
        raise pytest.UsageError(
            f"every test needs one of the markers {sorted(CATEGORIES)}; none: {unmarked[:5]}"
        )
