"""What asks the solver, and which hypothesis is left out."""

from typing import Any

import z3
from rules import Logic

#: Each of the questions takes a few ms.
TIMEOUT_MS = 60_000


class Symbolic:
    """Rules over terms."""

    pick = staticmethod(z3.If)
    both = staticmethod(z3.And)


L = Logic(Symbolic)


class Hypotheses:
    """What the proof rests on, and which of it is left out."""

    def __init__(self, dropped: str | None) -> None:
        self.dropped = dropped
        self.names: list[str] = []

    def __call__(self, name: str, condition: Any) -> Any:
        if name not in self.names:
            self.names.append(name)
        return z3.BoolVal(True) if name == self.dropped else condition

    def or_else(self, name: str, rule: Any, without: Any) -> Any:
        """What a rule says, or what is done without it."""
        self(name, True)
        return without if name == self.dropped else rule


def ask(*conditions: Any) -> z3.CheckSatResult:
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*conditions)
    return solver.check()


def prove(what: str, claim: Any, *assumptions: Any) -> str:
    """Whether it is proved, refuted, or neither in the time that there is."""
    outcomes = {"unsat": "proved", "sat": "refuted"}
    outcome = outcomes.get(repr(ask(*assumptions, z3.Not(claim))), "undecided")
    if outcome != "proved":
        print(f"  {outcome}: {what}")
    return outcome
