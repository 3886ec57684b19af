"""Proves lemma 5 of docs/DESIGN.md: a shard that is loaded starts no node before the end of a span
that a holder was told of, even if the storage of the shard or of its witness was restored. The
model has one shard, its witness and one node.

A storage is *older* if its version is less than that of the witness's stamp. Two of the invariants
carry the proof, for all spans of the node that a holder was told of:

(e) They end at or before the stamp's end of the node.
(f) In each copy of the storage that is not older, they end at or before the later of the end of the
    node's row and the incarnation's start. The row, if there is one, has the newest of them, or a
    later one.

When a session begins, there are two cases. If its storage was not older, (f) held before.
Otherwise the session has restarted the node at the stamp's end, and (f) follows from (e). Within
a session, only a release lowers an end, and a confirm makes each copy without the confirmed
writes older. Other sessions cannot break (f), because the witness confirms only the newest
session that it has opened, and then the storages of earlier sessions become older. An object may
end between any two steps. If it ends before a restart is stored, the next load finds the same
storage and stamp; after that, the storage is of a later session than the stamp.

(e) rests on a rule of stamps: no write lowers the stamp's end of a node, and a write of the node's
row raises it to the row's end at least. `rules` shows that this holds of a node that is left out of
the latest ones, too.

When the witness is restored, (e) does not hold for a while. Meanwhile the storage has all spans
that a holder was told of, because it is not restored. When the witness confirms a stamp of a
session that was opened since, (e) and (f) hold again, and the storage may be restored. Conversely,
when the witness has confirmed a stamp of a session that was opened after the storage was restored,
the witness may be restored. A stamp of an earlier session does not suffice, because its call may
be late. If the storage was restored first, it has not been compared with the witness yet. If the
witness was restored first, holders may have been told of more than the late stamp has.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import z3
from rules import Stamp
from solver import Hypotheses, L, adding

Int, Bool = z3.IntSort(), z3.BoolSort()
s, t, m, n, x, y = z3.Ints("s t m n x y")


class State(NamedTuple):
    """The state of the model. A version is a session and the number of a write."""

    #: The witness: its newest session, the version of its stamp, the node's end in the storage of
    #: this version, and the node's end in the stamp.
    session: Any
    stamp: tuple[Any, Any]
    stamped: Any
    end: Any
    #: The latest end of a span that a holder was told of.
    told: Any
    #: The storage: its version, and the node's end in it.
    version: tuple[Any, Any]
    known: Any
    #: Whether an object that has stored its session is running.
    is_running: Any
    #: The newest session that was ever opened, the newest when the storage was restored, the newest
    #: when the witness was restored, and the newest of which no instance runs any more.
    opened: Any
    opened_storage: Any
    opened_witness: Any
    ended: Any
    #: Whether the witness has confirmed a stamp of a session that was opened after the last restore
    #: of the storage; and the same for the last restore of the witness.
    is_storage_settled: Any
    is_witness_settled: Any
    #: All past contents of the storage, by version and end. A restore may bring back each of them.
    was: Callable
    #: The same contents as a list, if there are few. After an action there may be more.
    few: list[tuple[Any, Any, Any]] | None


#: This number of old contents is enough to show that each hypothesis is needed.
FEW = 4

#: The number of nodes that have an end of their own in a stamp.
LATEST = 8


def any_state(is_small: bool) -> State:
    """Returns any state, or any state with few old contents, in which the solver finds errors
    sooner.
    """

    def pair(name: str) -> tuple[Any, Any]:
        return z3.Int(f"{name}_session"), z3.Int(f"{name}_write")

    few = [tuple(z3.Ints(f"s{at} n{at} x{at}")) for at in range(FEW)]

    def was_few(*values: Any) -> Any:
        return z3.Or(*(z3.And(*(one == value for one, value in zip(of, values))) for of in few))

    return State(
        z3.Int("session"),
        pair("stamp"),
        z3.Int("stamped"),
        z3.Int("end"),
        z3.Int("told"),
        pair("version"),
        z3.Int("known"),
        z3.Bool("running"),
        *z3.Ints("opened opened_storage opened_witness ended"),
        *z3.Bools("storage_settled witness_settled"),
        was_few if is_small else z3.Function("was", Int, Int, Int, Bool),
        few if is_small else None,
    )


def invariant(state: State) -> dict[str, Any]:
    was = state.was

    def storages(body: Any) -> Any:
        if state.few is None:
            return z3.ForAll([s, n, x], z3.Implies(was(s, n, x), body))
        return z3.And(*(z3.substitute(body, *zip((s, n, x), of)) for of in state.few))

    def ascending(body: Any) -> Any:
        if state.few is None:
            both = z3.And(was(s, m, x), was(s, n, y))
            return z3.ForAll([s, m, n, x, y], z3.Implies(both, body(s, s)))
        return z3.And(
            *(
                z3.substitute(body(t, s), (t, of[0]), (m, of[1]), (x, of[2]), *zip((s, n, y), to))
                for of in state.few
                for to in state.few
            )
        )

    def settled(body: Any) -> Any:
        return z3.Implies(state.is_witness_settled, body)

    def unsettled(body: Any) -> Any:
        return z3.Implies(z3.Not(state.is_witness_settled), body)

    is_later = L.is_older(state.version, (s, n))
    return {
        "the witness covers what was told": settled(state.told <= state.end),
        "a storage that is not older knows what was told": settled(
            storages(z3.Or(L.is_older((s, n), state.stamp), state.told <= x))
        ),
        "no storage is of a later session": settled(storages(s <= state.session)),
        "no session is later than the newest": z3.And(
            storages(z3.And(0 <= s, s <= state.opened)),
            state.stamp[0] <= state.session,
            state.session <= state.opened,
            state.opened_storage <= state.opened,
            state.opened_witness <= state.opened,
            state.ended <= state.opened_storage,
        ),
        "the storage is the newest since it was put back": storages(
            z3.Implies(s > state.opened_storage, z3.And(z3.Not(is_later), x <= state.known))
        ),
        "a settled storage is the newest": z3.Implies(
            state.is_storage_settled,
            z3.And(state.version[0] > state.opened_storage, state.told <= state.known),
        ),
        "the storage is settled while the witness is not": unsettled(
            z3.And(state.is_storage_settled, state.ended == state.opened_storage)
        ),
        "the witness knows the sessions since it was put back": unsettled(
            storages(
                z3.Implies(s > state.opened_witness, z3.And(s <= state.session, state.told <= x))
            )
        ),
        "a session's storages ascend": ascending(
            lambda of, to: z3.Implies(z3.And(of == to, m <= n), x <= y)
        ),
        "the storage is one that it was": was(*state.version, state.known),
        "the stamp covers a storage that was": z3.And(
            was(*state.stamp, state.stamped), state.stamped <= state.end
        ),
        "who runs has written the newest of its session": z3.Implies(
            state.is_running,
            storages(z3.Implies(s == state.version[0], n <= state.version[1])),
        ),
    }


def storing(state: State, version: tuple[Any, Any], known: Any) -> State:
    """Returns the state in which the storage has this version and this end."""
    return adding(state._replace(version=version, known=known), "was", *version, known)


def rules(state: State) -> Iterator[tuple[str, Any, State]]:
    """Yields the claims that a stamp covers each write, and that a restart starts each node at its
    end in the stamp.
    """
    node, other, until, common, earliest, *nodes = z3.Ints("node other until common earliest a b")
    late = [tuple(z3.Ints(f"late_node{at} late_end{at}")) for at in range(LATEST)]
    before = Stamp(late, common)
    after = L.cover(before, node, until)

    def descend(stamp: Stamp) -> Any:
        return z3.And(*(one[1] >= next_[1] for one, next_ in pairwise(stamp.latest)))

    covers = z3.And(L.end_of(after, node) >= until, L.end_of(after, other) >= L.end_of(before, other))
    yield "rule of stamps", z3.And(descend(before), z3.Not(z3.And(descend(after), covers))), state
    starts = L.start_of(before, node, earliest, nodes) >= L.max(L.end_of(before, node), earliest)
    yield "rule of restarts", z3.Not(starts), state


def actions(state: State, holds: Hypotheses) -> Iterator[tuple[str, Any, State]]:
    """Yields each action: its name, the condition for it, and the state after it."""
    version, stamp = state.version, state.stamp
    older = holds.or_else(
        "versions are compared by session first",
        L.is_older(version, stamp),
        version[1] < stamp[1],
    )
    older = holds.or_else("a witness notices an older stamp", older, z3.BoolVal(False))
    session = holds.or_else(
        "a session is later than all before", L.session(state.session, version), state.session
    )
    opened = state._replace(
        session=session, opened=L.max(session, state.opened), is_running=z3.BoolVal(True)
    )
    end = z3.Int("stamp_end")

    def covers(known: Any) -> Any:
        return holds("a stamp covers what is stored", known <= end)

    yield (
        "load",
        z3.And(z3.Not(older), covers(state.known)),
        storing(opened, (session, version[1]), state.known)._replace(
            stamp=version, stamped=state.known, end=end
        ),
    )
    yield from rules(state)
    restart, number = z3.Ints("restart number")
    # If the session is stored before the restart, the storage has a content between the two.
    first = holds.or_else(
        "a restart is stored with its session",
        opened,
        storing(opened, (session, version[1]), state.known),
    )
    yield (
        "load what was rolled back",
        z3.And(
            *(older, number > version[1]),
            holds("a restart is at the end of the newer stamp", restart >= state.end),
        ),
        storing(first, (session, number), restart),
    )
    known = z3.Int("further")
    own = (version[0], version[1] + 1)
    yield "write", z3.And(state.is_running, state.known <= known), storing(state, own, known)
    earlier = z3.Int("earlier")
    yield (
        "write of an earlier session",
        holds("a write is of the session that is stored", z3.BoolVal(False)),
        storing(state, (earlier, number), known),
    )
    told_s, told_n, told = z3.Ints("told_s told_n told_end")
    of_any = z3.And(state.was(told_s, told_n, told), covers(told))
    late = L.is_older((told_s, told_n), stamp)
    late_session = L.session(state.session, (told_s, told_n))
    yield (
        "a late call opens a session that never begins",
        of_any,
        state._replace(
            session=late_session,
            opened=L.max(late_session, state.opened),
            stamp=(z3.If(late, stamp[0], told_s), z3.If(late, stamp[1], told_n)),
            stamped=z3.If(late, state.stamped, told),
            end=z3.If(late, state.end, end),
        ),
    )
    newer = L.is_older(stamp, (told_s, told_n))
    settles = "a session is confirmed that was opened after the first restore"

    def is_settled(before: Any, since: Any) -> Any:
        return holds.or_else(settles, z3.Or(before, told_s > since), z3.BoolVal(True))

    confirms = holds("only the newest session is confirmed", told_s == state.session)
    confirmed = state._replace(
        stamp=(z3.If(newer, told_s, stamp[0]), z3.If(newer, told_n, stamp[1])),
        stamped=z3.If(newer, told, state.stamped),
        end=z3.If(newer, end, state.end),
        is_storage_settled=is_settled(state.is_storage_settled, state.opened_storage),
        is_witness_settled=is_settled(state.is_witness_settled, state.opened_witness),
    )
    yield "a late call confirms", z3.And(of_any, confirms), confirmed
    yield (
        "confirm and tell",
        z3.And(
            *(of_any, confirms),
            holds("who runs has begun after an earlier restore", told_s > state.ended),
        ),
        confirmed._replace(told=L.max(state.told, told)),
    )
    yield (
        "tell at once",
        holds("what is told was confirmed", z3.BoolVal(False)),
        state._replace(told=L.max(state.told, state.known)),
    )
    both = "a shard and its witness are not both put back"
    yield (
        "put back",
        z3.And(state.was(told_s, told_n, told), holds(both, state.is_witness_settled)),
        state._replace(
            version=(told_s, told_n),
            known=told,
            is_running=z3.BoolVal(False),
            opened_storage=state.opened,
            is_storage_settled=z3.BoolVal(False),
        ),
    )
    known_session = z3.Int("known_session")
    yield (
        "put the witness back",
        z3.And(
            *(of_any, told_s <= known_session, known_session <= state.opened),
            holds(both, state.is_storage_settled),
        ),
        state._replace(
            session=known_session,
            stamp=(told_s, told_n),
            stamped=told,
            end=end,
            opened_witness=state.opened,
            is_witness_settled=z3.BoolVal(False),
            ended=state.opened_storage,
        ),
    )
    yield "end", state.is_running, state._replace(is_running=z3.BoolVal(False))


def first_state() -> tuple[Any, State]:
    """Returns a shard that has stored nothing, and its witness."""
    state = any_state(False)
    zero, never = z3.IntVal(0), z3.IntVal(-1)
    no, yes = z3.BoolVal(False), z3.BoolVal(True)
    first = State(
        *(zero, (zero, zero), zero, zero, zero, (zero, zero), zero, no),
        *(zero, never, never, never, yes, yes, state.was, None),
    )
    only = z3.ForAll([s, n, x], state.was(s, n, x) == z3.And(s == 0, n == 0, x == 0))
    return only, first
