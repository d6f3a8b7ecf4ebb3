"""Rules stamped with time: a clingo program in parts, which grows by one step at a time.

State 0 is where planning begins. Moves, and what depends on them, have the number of the state in which they
are made; ``next`` becomes ``p_true_1`` one step later (asp-player, section 9).

Parts, with ``t`` a number: ``base``, ``root`` (the initial state), ``state(t)``, ``step(t)`` (from t-1 to t),
``check(t)`` (questions about plays that end at t) and ``want(r,v,t)`` (that role r has at least v there, and
no other value: where rules give several, engines give none).
"""

from __future__ import annotations

from ..rules.classes import Class
from ..rules.ruleset import Ruleset
from .stamped import StampedRules, Stamps

_STATE = """
over(t) :- p_terminal_0(t).
over(t) :- over(t-1).
"""
_STEP = """
{ p_does_2(R,A,t-1) : p_legal_2(R,A,t-1) } = 1 :- p_role_1(R), not over(t-1).
"""
# Asked by an external atom, so that other horizons can be asked afterwards.
_CHECK = """
#program check(t).
#external query(t).
:- query(t), not p_terminal_0(t).
:- query(t), over(t-1).
#program want(r,v,t).
#external want(r,v,t).
at_least(r,v,t) :- p_goal_2(r,W,t), W >= v, W <= 100.
:- want(r,v,t), not at_least(r,v,t).
:- want(r,v,t), #count { W : p_goal_2(r,W,t) } > 1.
"""


class TemporalProgram:
    """The stamped rules of a game, as text."""

    def __init__(self, rules: Ruleset) -> None:
        self.stamped = StampedRules(rules, Stamps(state="t", before="t-1", moves="t-1", after="t"))

    @property
    def text(self) -> str:
        """The whole program; parts are grounded as they are needed."""
        stamped = self.stamped
        declared = stamped.declarations([("over", 1), ("p_does_2", 3)])  # perhaps no rule uses what was done
        return (
            f"#program base.\n{declared}#show p_does_2/3.\n"
            f"{stamped.text(Class.STATIC)}"
            "#program root.\np_true_1(F,0) :- p_init_1(F).\n"
            f"#program state(t).{_STATE}{stamped.text(Class.STATE)}"
            f"#program step(t).{_STEP}{stamped.text(Class.ACTION)}{_CHECK}"
        )
