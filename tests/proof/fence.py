"""One shard and its witness, for one node: what its storage says of how far the node was granted, and how
far holders were told. Lemma 5 is what is proved: a shard that is loaded starts no node below that.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import z3
from solver import Hypotheses, L

Int, Bool = z3.IntSort(), z3.BoolSort()
s, t, m, n, x, y = z3.Ints("s t m n x y")


class State(NamedTuple):
    """Versions are a session and the number of a write."""

    #: The newest session of the witness; its stamp's version and end.
    session: Any
    stamp: tuple[Any, Any]
    end: Any
    #: The end of all that holders were told.
    told: Any
    #: The storage's version, and up to where it knows what was granted.
    version: tuple[Any, Any]
    known: Any
    #: Whether an object runs that has stored its session.
    is_running: Any
    #: All that the storage ever was, by version and end: it may be put back to each.
    was: Callable
    #: All of that, where there are few. The state after an action may have more.
    few: list[tuple[Any, Any, Any]] | None


#: So many storages are enough to show each hypothesis needed.
FEW = 4


def any_state(is_small: bool) -> State:
    """Any state, or any with few storages, in which the solver finds what is wrong sooner."""

    def pair(name: str) -> tuple[Any, Any]:
        return z3.Int(f"{name}_session"), z3.Int(f"{name}_write")

    few = [tuple(z3.Ints(f"s{at} n{at} x{at}")) for at in range(FEW)]

    def was_few(*values: Any) -> Any:
        return z3.Or(*(z3.And(*(one == value for one, value in zip(of, values))) for of in few))

    return State(
        z3.Int("session"),
        pair("stamp"),
        z3.Int("end"),
        z3.Int("told"),
        pair("version"),
        z3.Int("known"),
        z3.Bool("running"),
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

    return {
        "the witness covers what was told": state.told <= state.end,
        "a storage that is not older knows what was told": storages(
            z3.Or(L.is_older((s, n), state.stamp), state.told <= x)
        ),
        "no storage is of a later session": z3.And(
            storages(z3.And(0 <= s, s <= state.session)),
            state.stamp[0] <= state.session,
        ),
        "a session's storages ascend": ascending(
            lambda of, to: z3.Implies(z3.And(of == to, m <= n), x <= y)
        ),
        "the storage is one that it was": was(*state.version, state.known),
        "the stamp is of a storage that was": was(*state.stamp, state.end),
        "who runs has written the newest of its session": z3.Implies(
            state.is_running,
            storages(z3.Implies(s == state.version[0], n <= state.version[1])),
        ),
    }


def storing(state: State, version: tuple[Any, Any], known: Any) -> State:
    """The state in which this is stored."""
    return state._replace(
        version=version,
        known=known,
        was=lambda *of: z3.Or(
            z3.And(of[0] == version[0], of[1] == version[1], of[2] == known), state.was(*of)
        ),
    )


def actions(state: State, holds: Hypotheses) -> Iterator[tuple[str, Any, State]]:
    """Each action by its name, with when it can happen and the state after it."""
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
    opened = state._replace(session=session, is_running=z3.BoolVal(True))
    yield (
        "load",
        z3.Not(older),
        storing(opened, (session, version[1]), state.known)._replace(
            stamp=version, end=state.known
        ),
    )
    start = z3.Int("start")
    restart = holds.or_else(
        "a restart is at the end of the newer stamp",
        L.restart(state.end, start, state.known),
        state.known
    )
    # What is stored first is a storage of its own, unless both are stored at once.
    first = holds.or_else(
        "a restart is stored with its session",
        opened,
        storing(opened, (session, version[1]), state.known),
    )
    yield (
        "load what was rolled back",
        z3.And(older, 0 <= start, start <= state.end),
        storing(first, (session, version[1] + 1), restart),
    )
    known = z3.Int("further")
    own = (version[0], version[1] + 1)
    yield "write", z3.And(state.is_running, state.known <= known), storing(state, own, known)
    earlier, number = z3.Ints("earlier number")
    yield (
        "write of an earlier session",
        holds("a write is of the session that is stored", z3.BoolVal(False)),
        storing(state, (earlier, number), known),
    )
    told_s, told_n, told = z3.Ints("told_s told_n told_end")
    newer = L.is_older(stamp, (told_s, told_n))
    yield (
        "confirm and tell",
        z3.And(
            state.was(told_s, told_n, told),
            holds("only the newest session is confirmed", told_s == state.session),
        ),
        state._replace(
            stamp=(z3.If(newer, told_s, stamp[0]), z3.If(newer, told_n, stamp[1])),
            end=z3.If(newer, told, state.end),
            told=L.max(state.told, told),
        ),
    )
    yield (
        "tell at once",
        holds("what is told was confirmed", z3.BoolVal(False)),
        state._replace(told=L.max(state.told, state.known)),
    )
    yield (
        "put back",
        state.was(told_s, told_n, told),
        state._replace(
            version=(told_s, told_n), known=told, is_running=z3.BoolVal(False)
        ),
    )
    yield "end", state.is_running, state._replace(is_running=z3.BoolVal(False))


def first_state() -> tuple[Any, State]:
    """A shard that has stored nothing, and its witness."""
    state = any_state(False)
    zero, never = z3.IntVal(0), z3.BoolVal(False)
    first = State(zero, (zero, zero), zero, zero, (zero, zero), zero, never, state.was, None)
    only = z3.ForAll([s, n, x], state.was(s, n, x) == z3.And(s == 0, n == 0, x == 0))
    return only, first
