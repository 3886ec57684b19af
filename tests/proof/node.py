"""Proves from lemmas 1 to 4 of docs/DESIGN.md that no counter belongs to two lives. A life is the
time for which a holder has one span or one batch. The model has one node, its row, its grants,
and the lives that have its spans.

A life owns the ticks that a renewal adds as soon as the reply leaves the authority, even if the
reply is lost. Four of the invariants carry the proof:

(a) Every life, and every grant that may still be adopted, ends at or before the later of the row's
    end and the incarnation's start, which a restart of the shard raises.
(b) While the row has a token, all lives and grants of other tokens end at or before its
    `from_tick`.
(c) Of the lives of a token (a store may divide one into several), only the last one issues, and its
    counters are above those of the earlier ones.
(d) When a release arrives, all lives of its token have stopped issuing. The tick that the release
    names is the end of the last of these lives, and by (c) the earlier ones end before.

By (a), a grant or a batch begins after all lives, so nothing overlaps it, and (b) holds of its row.
When a holder adopts a grant, its token has no other life yet, by lemma 4.

Let a life renew with the holder's tick `t`. By lemma 1, the row's `from_tick <= t`, and by lemma
3, `t` is at most the life's end. So the added ticks are above the lives of other tokens by (b),
and above the earlier lives of its token by (c). Both bounds on `t` are needed. Without one of
them, a renewal could extend a second span of its token, with another holder's span between the
two. A late renewal of an earlier life of the token adds nothing to that life, because it ended
where another process went on.

A release sets the row's end to its tick `u`. No life of its token ends after `u` by (d), and no
other life does by (b) and `from_tick <= u`. A shard that is loaded or restarted starts the node
after all lives by lemma 5. By lemma 2, each counter of a life is issued once.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import z3
from rules import Row
from solver import Hypotheses, L, adding

Life, Token, Int, Bool = z3.DeclareSort("Life"), z3.DeclareSort("Token"), z3.IntSort(), z3.BoolSort()
one, other = z3.Consts("one other", Life)
s, t = z3.Consts("s t", Token)
a, b, c, d = z3.Ints("a b c d")


class State(NamedTuple):
    """One node: its row, the lives that have or had its spans, and the messages under way."""

    row: Row
    #: The first tick of the incarnation, or of the shard after it was rolled back.
    start: Any
    is_there: Callable  # whether a life exists
    is_live: Callable  # whether a life issues ids, and may be renewed
    from_: Callable
    until: Callable
    token: Callable
    is_adopted: Callable  # whether a life has, or had, a span of a token
    is_granted: Callable  # whether a token was granted a span, which a life may adopt
    is_given_back: Callable  # whether a release of a token may name a tick


def any_state(_is_small: bool) -> State:
    def of(name: str, *sorts: Any) -> Any:
        return z3.Function(name, *sorts)

    row = Row(z3.Int("row_from"), z3.Int("row_until"), z3.Bool("row_held"), z3.Const("row_token", Token))
    return State(
        row,
        z3.Int("start"),
        of("is_there", Life, Bool),
        of("is_live", Life, Bool),
        of("from", Life, Int),
        of("until", Life, Int),
        of("token", Life, Token),
        of("is_adopted", Token, Bool),
        of("is_granted", Token, Int, Int, Bool),
        of("is_given_back", Token, Int, Bool),
    )


def apart(from_: Any, until: Any, other_from: Any, other_until: Any) -> Any:
    """Returns the condition that two intervals are disjoint."""
    return z3.Or(from_ >= until, other_from >= other_until, until <= other_from, other_until <= from_)


def invariant(state: State) -> dict[str, Any]:
    row, start, there, live, from_, until, token, adopted, granted, given_back = state
    end = L.max(row.until, start)

    def lives(body: Any) -> Any:
        return z3.ForAll([one], z3.Implies(there(one), body))

    def pairs(condition: Any, body: Any) -> Any:
        both = z3.And(there(one), there(other), one != other, condition)
        return z3.ForAll([one, other], z3.Implies(both, body))

    def grants(condition: Any, body: Any) -> Any:
        open_ = z3.And(granted(t, a, b), z3.Not(adopted(t)), condition)
        return z3.ForAll([t, a, b], z3.Implies(open_, body))

    return {
        "no two lives own one counter": pairs(
            True, apart(from_(one), until(one), from_(other), until(other))
        ),
        "the row remembers each life": lives(until(one) <= end),
        "lives are intervals": lives(
            z3.And(from_(one) <= until(one), z3.Implies(live(one), from_(one) < until(one)))
        ),
        "the row is an interval": z3.And(
            0 <= row.from_, row.from_ <= row.until, z3.Implies(row.has_token, start <= row.from_)
        ),
        "other tokens' lives end before the row's span": lives(
            z3.Implies(z3.And(row.has_token, token(one) != row.token), until(one) <= row.from_)
        ),
        "a token has one life at a time, above the others": pairs(
            z3.And(live(one), token(one) == token(other)),
            z3.And(z3.Not(live(other)), until(other) <= from_(one)),
        ),
        "a life's token is adopted": lives(adopted(token(one))),
        "the row remembers each grant": grants(True, z3.And(a < b, b <= end)),
        "grants are apart from lives": z3.ForAll(
            [t, a, b, one],
            z3.Implies(
                z3.And(granted(t, a, b), z3.Not(adopted(t)), there(one)),
                apart(a, b, from_(one), until(one)),
            ),
        ),
        "grants of two tokens are apart": z3.ForAll(
            [s, t, a, b, c, d],
            z3.Implies(
                z3.And(
                    *(granted(s, a, b), granted(t, c, d), s != t),
                    *(z3.Not(adopted(s)), z3.Not(adopted(t))),
                ),
                apart(a, b, c, d),
            ),
        ),
        "other tokens' grants end before the row's span": grants(
            z3.And(row.has_token, t != row.token), b <= row.from_
        ),
        "what is given back is not used": z3.ForAll(
            [t, a, one],
            z3.Implies(
                given_back(t, a),
                z3.And(
                    adopted(t),
                    z3.Implies(
                        z3.And(there(one), token(one) == t),
                        z3.And(z3.Not(live(one)), until(one) <= a),
                    ),
                ),
            ),
        ),
    }


def with_life(state: State, life: Any, **fields: Any) -> State:
    """Returns the state with a life that has these fields."""

    def at(name: str) -> Callable:
        before = getattr(state, name)
        return lambda of: z3.If(of == life, fields[name], before(of))

    return state._replace(**{name: at(name) for name in fields})


def actions(state: State, holds: Hypotheses) -> Iterator[tuple[str, Any, State]]:
    """Yields each action: its name, the condition for it, and the state after it."""
    row, start = state.row, state.start
    life, new = z3.Consts("life new", Life)
    asked = z3.Const("asked", Token)
    now, until, tick, x, y = z3.Ints("now until tick x y")
    is_new = z3.Not(state.is_there(new))
    is_own = z3.And(state.is_there(life), state.is_live(life))

    # This is lemma 1 for a grant: the rule of `Authority::decide`, or that rule without one of its
    # bounds.
    is_granted, at = L.grant(row, start, now, until)
    begins = z3.Int("begins")
    guard = z3.And(
        *(begins < until, 0 <= now, now <= begins, 0 <= row.until),
        holds("a grant begins at or after the end of the row", begins >= row.until),
        holds("a grant begins at or after the incarnation's start", begins >= start),
    )
    # The claim: the rule allows only grants within these bounds.
    rule = z3.And(at >= row.until, at >= start, at < until)
    yield "rule of grants", z3.And(is_granted, z3.Not(rule)), state
    granted = adding(state, "is_granted", asked, begins, until)
    yield "grant", guard, granted._replace(row=Row(begins, until, z3.BoolVal(True), asked))
    told = holds("a grant is told again to its token", row.token == asked)
    yield (
        "grant again",
        z3.And(row.from_ < row.until, told, row.has_token),
        adding(state, "is_granted", asked, row.from_, row.until),
    )
    once = holds("tokens differ, and a span is adopted once", z3.Not(state.is_adopted(asked)))
    adopted = with_life(state, new, is_there=True, is_live=True, from_=x, until=y, token=asked)
    yield (
        "adopt",
        z3.And(is_new, state.is_granted(asked, x, y), once),
        adding(adopted, "is_adopted", asked),
    )
    yield "adopt on another node", z3.BoolVal(True), adding(state, "is_adopted", asked)

    # These are lemmas 1 and 3 for a renewal.
    bounds = (lease, furthest, ticks) = z3.Ints("lease furthest ticks")
    is_renewed, renewed_until = L.renew(row, state.token(life), tick, now, bounds)
    rule = z3.And(
        *(row.has_token, row.token == state.token(life), row.from_ <= tick),
        row.until <= renewed_until,
    )
    yield "rule of renewals", z3.And(is_renewed, z3.Not(rule)), state
    renewed = z3.Int("renewed")
    yield (
        "renew",
        z3.And(
            *(is_own, 0 <= tick),
            holds("a renewal is of a token that the row has", z3.And(row.has_token, row.token == state.token(life))),
            holds("a renewal's tick is in the row's span, or after it", row.from_ <= tick),
            holds("a renewal lowers no end", row.until <= renewed),
            holds("a holder's tick is at most the end of its own span", tick <= state.until(life)),
        ),
        with_life(state, life, until=renewed)._replace(row=row._replace(until=renewed)),
    )

    # Lemmas 2 and 3 describe a life that ends, and lemma 1 a release. A release must not raise an
    # end, so that nodes become free again, but this proof does not need that.
    is_live = holds.or_else("a released generator is closed", False, True)
    yield (
        "close",
        z3.And(
            *(is_own, state.from_(life) <= x, x <= y, y <= state.until(life)),
            holds("what is given back starts after what was issued", x == y),
        ),
        adding(
            with_life(state, life, until=y, is_live=is_live), "is_given_back", state.token(life), x
        ),
    )
    yield (
        "release",
        z3.And(
            *(state.is_given_back(asked, x), row.has_token),
            holds("a release is of the row's token", row.token == asked),
            holds("a release is not before the span", row.from_ <= x),
        ),
        state._replace(row=row._replace(until=x, has_token=z3.BoolVal(False))),
    )
    yield "rule of releases", z3.And(
        L.release(row, asked, x),
        z3.Not(z3.And(row.has_token, row.token == asked, row.from_ <= x, x <= row.until)),
    ), state

    # A process resumes from the record of another process.
    resumed = with_life(state, life, until=x, is_live=False)
    last, token = state.until(life), state.token(life)
    yield (
        "resume",
        z3.And(
            *(is_own, is_new, state.from_(life) <= x, y < state.until(life)),
            *(state.from_(life) <= y, x <= state.until(life)),
            holds("a store says no less than what was issued", x <= y),
        ),
        with_life(resumed, new, is_there=True, is_live=True, from_=y, until=last, token=token),
    )

    # Another incarnation begins, or a shard was rolled back. Lemma 5 says from which tick on.
    yield (
        "restart",
        z3.And(
            0 <= y,
            holds(
                "a start is at or after the end of what was granted",
                L.max(x, y) >= L.max(row.until, start),
            ),
        ),
        state._replace(row=Row(y, y, z3.BoolVal(False), row.token), start=x),
    )

    # The row of the node for batches counts in counters instead of ticks, and has no token.
    used, ceiling, count = z3.Ints("used ceiling count")
    is_given, x, y = L.batch(row.until, L.max(now, start), ceiling, count)
    begins, ends = z3.Ints("batch_from batch_until")
    yield "rule of batches", z3.And(
        *(is_given, count > 0), z3.Not(z3.And(x >= row.until, x >= start, x < y))
    ), state
    batch = with_life(
        state, new, is_there=True, is_live=False, from_=begins, until=ends, token=asked
    )
    yield (
        "batch",
        z3.And(
            *(is_new, z3.Not(row.has_token), begins < ends, z3.Not(state.is_adopted(asked))),
            holds("a batch begins at or after the end of the row", begins >= row.until),
            holds("a batch begins at or after the incarnation's start", begins >= start),
        ),
        adding(batch, "is_adopted", asked)._replace(row=row._replace(from_=begins, until=ends)),
    )


def first_state() -> tuple[Any, State]:
    state = any_state(False)
    is_empty = z3.And(
        z3.ForAll([one], z3.Not(state.is_there(one))),
        z3.ForAll([t, a, b], z3.Not(state.is_granted(t, a, b))),
        z3.ForAll([t, a], z3.Not(state.is_given_back(t, a))),
    )
    row = Row(z3.IntVal(0), z3.IntVal(0), z3.BoolVal(False), state.row.token)
    return is_empty, state._replace(row=row, start=z3.IntVal(0))
