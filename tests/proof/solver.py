"""Asks the solver whether claims hold. One hypothesis can be left out."""

from types import SimpleNamespace
from typing import Any

import z3
from rules import Logic

#: The time limit of a question, in ms. Each question takes only a few ms.
TIMEOUT_MS = 60_000


#: The rules on the solver's terms.
L = Logic(SimpleNamespace(pick=z3.If, both=z3.And))


class Hypotheses:
    """The hypotheses of the proof, and the name of the one that is left out."""

    def __init__(self, dropped: str | None) -> None:
        self.dropped = dropped
        self.names: list[str] = []

    def __call__(self, name: str, condition: Any) -> Any:
        if name not in self.names:
            self.names.append(name)
        return z3.BoolVal(True) if name == self.dropped else condition

    def or_else(self, name: str, rule: Any, without: Any) -> Any:
        """Returns the rule, or its replacement if the hypothesis is left out."""
        self(name, True)
        return without if name == self.dropped else rule


def adding(state: Any, relation: str, *key: Any) -> Any:
    """Returns the state in which a relation also holds of this key."""
    before = getattr(state, relation)

    def after(*of: Any) -> Any:
        return z3.Or(z3.And(*(one == other for one, other in zip(of, key))), before(*of))

    return state._replace(**{relation: after})


def ask(*conditions: Any) -> z3.CheckSatResult:
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*conditions)
    return solver.check()


def prove(what: str, claim: Any, *assumptions: Any) -> str:
    """Returns whether the claim was proved, was refuted, or was undecided in the time limit."""
    outcomes = {"unsat": "proved", "sat": "refuted"}
    outcome = outcomes.get(repr(ask(*assumptions, z3.Not(claim))), "undecided")
    if outcome != "proved":
        print(f"  {outcome}: {what}")
    return outcome
