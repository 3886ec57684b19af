"""The decisions of the core, transcribed: `src/lease/authority/grant.rs`, `batch.rs`, `witness.rs`.

Each rule is written once, for numbers and for the terms of a solver: `pick` chooses between two
values, `both` joins conditions. So `induction.py` proves what `decisions.py` has compared with the Rust.
"""

from typing import Any, NamedTuple

NONE = -1


class Plain:
    """Rules over numbers."""

    @staticmethod
    def pick(condition: bool, one: int, other: int) -> int:
        return one if condition else other

    @staticmethod
    def both(*conditions: bool) -> bool:
        return all(conditions)


class Row(NamedTuple):
    """A node's newest span. `until` is the first position after it, `has_token` whether it is held."""

    from_: Any
    until: Any
    has_token: Any
    token: Any


class Logic:
    """The rules, over what `pick` and `both` know."""

    def __init__(self, of: Any) -> None:
        self.pick, self.both = of.pick, of.both

    def max(self, one: Any, other: Any) -> Any:
        return self.pick(one >= other, one, other)

    def min(self, one: Any, other: Any) -> Any:
        return self.pick(one <= other, one, other)

    def grant(self, row: Row, start: Any, now: Any, until: Any) -> tuple[Any, Any]:
        """Whether there is a grant, and from where on it is."""
        from_ = self.max(self.max(now, start), row.until)
        return from_ < until, from_

    def is_fresh(self, row: Row, now: Any) -> Any:
        """Whether a token that comes again gets the span that it has: half of it is left."""
        left = self.max(row.until - now, 0)
        return 2 * left >= row.until - row.from_

    def renew(self, row: Row, token: Any, tick: Any, now: Any, bounds: Any) -> tuple[Any, Any]:
        """Whether a span is renewed, and until when."""
        lease, furthest, ticks = bounds
        is_renewed = self.both(
            row.has_token, row.token == token, row.from_ <= tick, now <= row.until + lease
        )
        base = self.min(self.max(now, self.min(tick, furthest)), row.until)
        return is_renewed, self.max(self.min(base + lease, ticks), row.until)

    def release(self, row: Row, token: Any, until: Any) -> Any:
        """Whether a release is accepted: the span then ends there, and has no token."""
        return self.both(
            row.has_token, row.token == token, row.from_ <= until, until <= row.until
        )

    def batch(self, used: Any, earliest: Any, ceiling: Any, count: Any) -> tuple[Any, Any, Any]:
        """Whether there is a batch, from which counter, and up to which."""
        from_ = self.max(used, earliest)
        left = ceiling - from_
        return left > 0, from_, from_ + self.min(count, left)

    def is_older(self, one: tuple[Any, Any], other: tuple[Any, Any]) -> Any:
        """Whether a version is older than another: an earlier session, or an earlier write of it."""
        return self.pick(one[0] == other[0], one[1] < other[1], one[0] < other[0])

    def session(self, session: Any, loaded: tuple[Any, Any]) -> Any:
        """The session that a witness opens for a shard that was loaded with this version."""
        return self.max(session, loaded[0]) + 1

    def restart(self, until: Any, start: Any, own: Any) -> Any:
        """From where on a shard grants that was rolled back from a stamp, and knows an end of its own."""
        return self.max(self.max(until, start), own)
