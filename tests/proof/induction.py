"""Proves that the invariants of `node.py` and `fence.py` are inductive: if they hold in a state,
they also hold after each action. Numbers, holders and tokens are unbounded.

`--drop NAME` leaves one hypothesis out, and then the proof must fail. `--every` leaves out each
one in turn.
"""

import argparse
import sys
from types import ModuleType

import fence
import node
import z3
from solver import Hypotheses, ask, prove

PARTS = (node, fence)


def induct(part: ModuleType, dropped: str | None) -> tuple[str, int, list[str]]:
    """Returns whether the invariant was proved inductive, the number of questions to the solver,
    and all hypotheses.
    """
    holds = Hypotheses(dropped)
    empty, first = part.first_state()
    questions = [(f"{name}, at first", claim, empty) for name, claim in part.invariant(first).items()]
    state = part.any_state(dropped is not None)
    before = z3.And(*part.invariant(state).values())
    for action, guard, after in part.actions(state, holds):
        if action.startswith("rule"):
            # Here `guard` is the negation of a claim about a rule of the code. The next action may
            # rely only on what this claim says.
            questions.append((action, z3.Not(guard), before))
            continue
        assumed = z3.And(before, guard)
        if hasattr(after, "few"):
            after = after._replace(few=None)
        for name, claim in part.invariant(after).items():
            questions.append((f"{name}, after: {action}", claim, assumed))
    # An action that never happens preserves everything.
    small = part.any_state(True)
    happens = z3.And(*part.invariant(small).values())
    for action, guard, _ in part.actions(small, holds) if dropped is None else ():
        is_left_out = action.startswith("rule") or z3.is_false(guard)
        if not is_left_out and ask(happens, guard) != z3.sat:
            print(f"  this action can never happen: {action}")
            return "undecided", 0, []
    for what, claim, assumed in questions:
        outcome = prove(what, claim, assumed)
        if outcome != "proved":
            return outcome, len(questions), holds.names
    return "proved", len(questions), holds.names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drop", metavar="NAME", help="leave this hypothesis out")
    parser.add_argument("--every", action="store_true", help="leave out each one in turn")
    args = parser.parse_args()
    outcomes = []
    for part in PARTS:
        outcome, questions, names = induct(part, None)
        print(f"{part.__name__}: {questions} questions: {outcome}")
        if outcome != "proved":
            return 1
        outcomes += [(part, name) for name in names]
    allowed = [name for _, name in outcomes]
    if args.drop is not None and args.drop not in allowed:
        print(f"error: unknown hypothesis {args.drop}; allowed: {'; '.join(allowed)}")
        return 2
    dropped = [(part, name) for part, name in outcomes if args.every or name == args.drop]
    needless = []
    for part, name in dropped:
        print(f"{part.__name__}, without: {name}")
        if induct(part, name)[0] != "refuted":
            needless.append(name)
    if needless:
        print(f"error: the invariant is not refuted without: {'; '.join(needless)}")
        return 1
    if dropped:
        print(f"the invariant is refuted without each of {len(dropped)} hypotheses")
    return 0


sys.exit(main())
