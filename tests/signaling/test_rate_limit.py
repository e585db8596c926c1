import pytest

from rt_avatar.signaling import rate_limit
from rt_avatar.signaling.rate_limit import AddressLimiter, TokenBucket

pytestmark = pytest.mark.unit


def test_a_burst_passes_and_then_the_rate():
    bucket = TokenBucket(rate_hz=2, burst=3)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait_s == pytest.approx(0.5)
    assert not bucket.take(10.4)
    assert bucket.take(10.6)


def test_a_long_pause_gives_no_more_than_the_burst():
    bucket = TokenBucket(rate_hz=2, burst=3)
    bucket.take(0)
    assert sum(bucket.take(1e6) for _ in range(10)) == 3


def test_several_are_taken_together_or_not_at_all():
    bucket = TokenBucket(rate_hz=2, burst=3)
    assert [bucket.take(10.0, count) for count in (4, 2, 2, 0, 1)] == [
        False, True, False, True, True
    ]  # fmt: skip
    assert bucket.take(11.0, 2)


def test_addresses_do_not_disturb_each_other():
    limiter = AddressLimiter(rate_hz=1, burst=1)
    assert limiter.take("a", 0) == 0
    assert limiter.take("a", 0) == pytest.approx(1)
    assert limiter.take("b", 0) == 0


def test_memory_is_bounded_and_the_one_seen_last_stays_limited(monkeypatch):
    monkeypatch.setattr(rate_limit, "MAX_ADDRESSES", 100)
    limiter = AddressLimiter(rate_hz=1, burst=1)
    limiter.take("kept", 0)
    for number in range(1000):
        limiter.take(str(number), 0)
        assert limiter.take("kept", 0) > 0
    assert len(limiter._buckets) == 100
