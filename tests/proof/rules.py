"""The decisions of the core, transcribed: `src/lease/authority/grant.rs`, `batch.rs`, `witness.rs`,
`restart.rs`.

Each rule is written once, for numbers and for the terms of a solver: `pick` chooses between two
values, `both` joins conditions. So `induction.py` proves the same rules that `decisions.py`
compares with the Rust.
"""

from typing import Any, NamedTuple

NONE = -1


class Plain:
    """The operations of rules on numbers."""

    @staticmethod
    def pick(condition: bool, one: int, other: int) -> int:
        return one if condition else other

    @staticmethod
    def both(*conditions: bool) -> bool:
        return all(conditions)


class Row(NamedTuple):
    """A node's newest span. `until` is the first position after it, `has_token` whether it is held.
    """

    from_: Any
    until: Any
    has_token: Any
    token: Any


#: A node, and the end of its spans.
NodeEnd = tuple[Any, Any]


class Stamp(NamedTuple):
    """The ends in a stamp: those of the nodes that end last, the last one first, and one that
    covers all others.
    """

    latest: list[NodeEnd]
    until: Any


class Logic:
    """The rules, on values that `pick` and `both` know."""

    def __init__(self, of: Any) -> None:
        self.pick, self.both = of.pick, of.both

    def max(self, one: Any, other: Any) -> Any:
        return self.pick(one >= other, one, other)

    def min(self, one: Any, other: Any) -> Any:
        return self.pick(one <= other, one, other)

    def grant(self, row: Row, start: Any, now: Any, until: Any) -> tuple[Any, Any]:
        """Returns whether there is a grant, and where it begins."""
        from_ = self.max(self.max(now, start), row.until)
        return from_ < until, from_

    def is_fresh(self, row: Row, now: Any) -> Any:
        """Returns whether a repeated token gets its span again, which requires that half of it is
        left.
        """
        left = self.max(row.until - now, 0)
        return 2 * left >= row.until - row.from_

    def renew(self, row: Row, token: Any, tick: Any, now: Any, bounds: Any) -> tuple[Any, Any]:
        """Returns whether a span is renewed, and until when."""
        lease, furthest, ticks = bounds
        is_renewed = self.both(
            row.has_token, row.token == token, row.from_ <= tick, now <= row.until + lease
        )
        base = self.min(self.max(now, self.min(tick, furthest)), row.until)
        return is_renewed, self.max(self.min(base + lease, ticks), row.until)

    def release(self, row: Row, token: Any, until: Any) -> Any:
        """Returns whether a release is accepted. If so, the span ends there and has no token."""
        return self.both(
            row.has_token, row.token == token, row.from_ <= until, until <= row.until
        )

    def batch(self, used: Any, earliest: Any, ceiling: Any, count: Any) -> tuple[Any, Any, Any]:
        """Returns whether there is a batch, its first counter, and its end."""
        from_ = self.max(used, earliest)
        left = ceiling - from_
        return left > 0, from_, from_ + self.min(count, left)

    def is_older(self, one: tuple[Any, Any], other: tuple[Any, Any]) -> Any:
        """Returns whether a version is older than another: an earlier session, or an earlier write
        of the same.
        """
        return self.pick(one[0] == other[0], one[1] < other[1], one[0] < other[0])

    def session(self, session: Any, loaded: tuple[Any, Any]) -> Any:
        """Returns the session that a witness opens for a shard that was loaded with this version.
        """
        return self.max(session, loaded[0]) + 1

    def cover(self, stamp: Stamp, node: Any, until: Any) -> Stamp:
        """Returns the stamp after a write in which a node has this end."""
        earlier, is_covered, latest = (node, until), False, []
        for late in stamp.latest:
            is_own = late[0] == node
            swaps = self.pick(is_covered, False, late[1] <= earlier[1])
            latest.append(self.pick_end(swaps, earlier, late))
            earlier = self.pick_end(swaps, late, earlier)
            is_covered = self.pick(is_covered, True, is_own)
        return Stamp(latest, self.pick(is_covered, stamp.until, self.max(stamp.until, earlier[1])))

    def pick_end(self, condition: Any, one: NodeEnd, other: NodeEnd) -> NodeEnd:
        return self.pick(condition, one[0], other[0]), self.pick(condition, one[1], other[1])

    def end_of(self, stamp: Stamp, node: Any) -> Any:
        """Returns the end that a stamp has for a node."""
        until = stamp.until
        for late in stamp.latest:
            until = self.pick(late[0] == node, self.max(until, late[1]), until)
        return until

    def restart(self, stamp: Stamp, earliest: Any, nodes: tuple[Any, Any]) -> Any:
        """Returns from where a shard of these nodes grants after a rollback. The stamp also has the
        ends that the shard knows itself.
        """
        start = self.max(stamp.until, earliest)
        for node, until in stamp.latest:
            start = self.pick(self.has(nodes, node), start, self.max(start, until))
        return start

    def start_of(self, stamp: Stamp, node: Any, earliest: Any, nodes: tuple[Any, Any]) -> Any:
        """Returns from where it grants this node, which has a row of its own if it is among the
        latest.
        """
        start = self.restart(stamp, earliest, nodes)
        return self.pick(self.has(nodes, node), self.max(start, self.end_of(stamp, node)), start)

    def has(self, nodes: tuple[Any, Any], node: Any) -> Any:
        return self.both(nodes[0] <= node, node < nodes[1])
