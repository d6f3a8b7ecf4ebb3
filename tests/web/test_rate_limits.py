"""Token buckets fill with time, and are forgotten when there are too many."""

from __future__ import annotations

from ludorum.web import rate_limits
from ludorum.web.config import Rate
from ludorum.web.rate_limits import RateLimiter

RATE = Rate(2, 0.5)


def test_a_bucket_is_emptied_and_fills_again() -> None:
    at = [0.0]
    limiter = RateLimiter(lambda: at[0])
    assert [limiter.wait_for("sign-in", "ann", RATE) for _ in range(3)] == [0, 0, 2]
    at[0] = 1.0
    assert limiter.wait_for("sign-in", "ann", RATE) == 1
    at[0] = 2.0
    assert limiter.wait_for("sign-in", "ann", RATE) == 0
    at[0] = 1000.0
    assert [limiter.wait_for("sign-in", "ann", RATE) for _ in range(3)] == [0, 0, 2]
    assert limiter.refusals == 3


def test_kinds_and_keys_have_buckets_of_their_own() -> None:
    limiter = RateLimiter(lambda: 0.0)
    for kind in ("sign-in", "upload"):
        for key in ("ann", "bob"):
            assert [limiter.wait_for(kind, key, Rate(1, 1)) for _ in range(2)] == [0, 1]


def test_the_bucket_that_was_idle_longest_is_forgotten_first() -> None:
    limiter = RateLimiter(lambda: 0.0)
    limiter.wait_for("", "first", Rate(1, 1))
    for at in range(rate_limits.MOST_BUCKETS - 1):
        limiter.wait_for("", str(at), Rate(1, 1))
    assert limiter.wait_for("", "first", Rate(1, 1)) == 1
    limiter.wait_for("", "one more", Rate(1, 1))
    assert limiter.wait_for("", "first", Rate(1, 1)) == 1
    assert limiter.wait_for("", "0", Rate(1, 1)) == 0
