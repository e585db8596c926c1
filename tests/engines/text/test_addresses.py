"""Names of files are said with their dots."""

import pytest

from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("main.py or my_notes.PDF", "main dot P Y or my notes dot P D F"),
        ("Node.js and .NET", "node dot J S and dot net"),
        ("Yes.No", "yes. no"),
    ],
)
def test_names_of_files_are_said_with_dot(written, spoken):
    assert said(written) == spoken
