"""Transcribes the decisions of the core in `src/lease/authority/`: `grant.rs`, `batch.rs`,
`witness.rs` and `restart.rs`.

Each rule is written once, both for numbers and for a solver's terms. For this, `pick` chooses
between two values, and `both` joins conditions. So `induction.py` proves the same rules that
`decisions.py` compares with the Rust.
"""

from types import SimpleNamespace
from typing import Any, NamedTuple

NONE = -1


#: The operations of the rules on numbers.
PLAIN = SimpleNamespace(
    pick=lambda condition, one, other: one if condition else other,
    both=lambda *conditions: all(conditions),
)


class Row(NamedTuple):
    """A node's newest span. `until` is the first position after it, and `has_token` says whether it
    is held.
    """

    from_: Any
    until: Any
    has_token: Any
    token: Any


#: A node, and the tick by which its spans have ended.
NodeEnd = tuple[Any, Any]


class Stamp(NamedTuple):
    """The ends in a stamp: the ends of the nodes that end last, the last one first, and one end for
    all others.
    """

    latest: list[NodeEnd]
    until: Any


class Logic:
    """The rules, for any values that `pick` and `both` accept."""

    def __init__(self, of: Any) -> None:
        self.pick, self.both = of.pick, of.both

    def max(self, one: Any, other: Any) -> Any:
        return self.pick(one >= other, one, other)

    def min(self, one: Any, other: Any) -> Any:
        return self.pick(one <= other, one, other)

    def grant(self, row: Row, start: Any, now: Any, until: Any) -> tuple[Any, Any]:
        """Returns whether a node is granted, and where the span begins."""
        from_ = self.max(self.max(now, start), row.until)
        return from_ < until, from_

    def is_fresh(self, row: Row, now: Any) -> Any:
        """Returns whether a repeated token gets its old span again. At least half of the span must
        be left.
        """
        left = self.max(row.until - now, 0)
        return 2 * left >= row.until - row.from_

    def renew(self, row: Row, token: Any, tick: Any, now: Any, bounds: Any) -> tuple[Any, Any]:
        """Returns whether a span is renewed, and its new end."""
        lease, furthest, ticks = bounds
        is_renewed = self.both(
            row.has_token, row.token == token, row.from_ <= tick, now <= row.until + lease
        )
        base = self.min(self.max(now, self.min(tick, furthest)), row.until)
        return is_renewed, self.max(self.min(base + lease, ticks), row.until)

    def release(self, row: Row, token: Any, until: Any) -> Any:
        """Returns whether a release is accepted. Then the span ends at `until`, without a token."""
        return self.both(
            row.has_token, row.token == token, row.from_ <= until, until <= row.until
        )

    def batch(self, used: Any, earliest: Any, ceiling: Any, count: Any) -> tuple[Any, Any, Any]:
        """Returns whether a batch is granted, its first counter, and its end."""
        from_ = self.max(used, earliest)
        left = ceiling - from_
        return left > 0, from_, from_ + self.min(count, left)

    def is_older(self, one: tuple[Any, Any], other: tuple[Any, Any]) -> Any:
        """Returns whether a version is older than another one: of an earlier session, or of an
        earlier write of the same session.
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
        """Returns the tick from which a shard of these nodes grants after a rollback. The stamp
        also has the ends that the shard itself knows.
        """
        start = self.max(stamp.until, earliest)
        for node, until in stamp.latest:
            start = self.pick(self.has(nodes, node), start, self.max(start, until))
        return start

    def start_of(self, stamp: Stamp, node: Any, earliest: Any, nodes: tuple[Any, Any]) -> Any:
        """Returns the tick from which the shard grants this node. If the stamp has an end of the
        node's own, the restart stores a row for the node.
        """
        start = self.restart(stamp, earliest, nodes)
        return self.pick(self.has(nodes, node), self.max(start, self.end_of(stamp, node)), start)

    def has(self, nodes: tuple[Any, Any], node: Any) -> Any:
        return self.both(nodes[0] <= node, node < nodes[1])
