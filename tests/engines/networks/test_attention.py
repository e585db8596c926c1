"""The one attention is torch's, in any number of axes, and sees nothing that a mask hides."""

import pytest
import torch
import torch.nn.functional as F

from rt_avatar.engines.networks.attention import additive_mask, attend, split_heads

pytestmark = pytest.mark.networks
HEADS, SIZE = 2, 4


def drawn(*shape: int) -> torch.Tensor:
    return split_heads(torch.randn(*shape, HEADS * SIZE), HEADS)


@pytest.mark.parametrize("leading", [(), (3,), (2, 3)])
def test_it_is_torchs_with_any_leading_axes(leading):
    query, key, value = drawn(*leading, 5), drawn(*leading, 7), drawn(*leading, 7)
    expected = F.scaled_dot_product_attention(query, key, value).transpose(-2, -3).flatten(-2)
    torch.testing.assert_close(attend(query, key, value), expected)
    scaled = query * SIZE**-0.5
    torch.testing.assert_close(attend(scaled, key, value, is_scaled=True), expected)


def test_what_is_hidden_is_as_if_it_were_not_there():
    query, key, value = drawn(1, 5), drawn(1, 7), drawn(1, 7)
    mask = additive_mask(torch.tensor([1.0, 1, 1, 1, 0, 0, 0]))
    torch.testing.assert_close(
        attend(query, key, value, mask), attend(query, key[..., :4, :], value[..., :4, :])
    )


def test_a_row_in_which_all_is_hidden_is_no_nan():
    query, key, value = drawn(1, 1), drawn(1, 3), drawn(1, 3)
    assert attend(query, key, value, additive_mask(torch.zeros(3))).isfinite().all()


def test_one_query_serves_many_memories():
    query, key, value = drawn(1, 5), drawn(4, 7), drawn(4, 7)
    alone = [attend(query, key[[row]], value[[row]]) for row in range(4)]
    torch.testing.assert_close(attend(query, key, value), torch.cat(alone))
