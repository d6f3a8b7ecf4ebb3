"""A whole horizon in one program: the rules stamped with a variable time, for the clingo executable.

The answer sets are the plays that end after exactly so many moves with at least a value for a role,
and no other one.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.classes import Class
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .names import asp_term
from .stamped import StampedRules, Stamps
from .translate import asp_facts

_STAMPS = Stamps(state="T", before="T", moves="T", after="T+1", state_guard="time(T)", moves_guard="step(T)")
_PLAY = """
{{ p_does_2(R,A,T) : p_legal_2(R,A,T) }} = 1 :- p_role_1(R), step(T).
:- step(T), p_terminal_0(T).
:- not p_terminal_0({last}).
at_least :- p_goal_2({role},W,{last}), W >= {value}, W <= 100.
:- not at_least.
:- #count {{ W : p_goal_2({role},W,{last}) }} > 1.
#show p_does_2/3.
"""


def horizon_program(rules: Ruleset, root: Iterable[Term] | None, horizon: int, role: Term, value: int) -> str:
    """The program of plays of one length from a state on, or from where the game begins."""
    stamped = StampedRules(rules, _STAMPS)
    if root is None:
        start = "p_true_1(F,0) :- p_init_1(F).\n"
    else:
        start = asp_facts("true", ((fact,) for fact in root), "0") + "\n"
    times = f"time(0..{horizon}).\n" + (f"step(0..{horizon - 1}).\n" if horizon else "")
    return (
        f"{stamped.declarations([('step', 1), ('at_least', 0)])}{times}{start}"
        f"{stamped.text(Class.STATIC)}{stamped.text(Class.STATE)}{stamped.text(Class.ACTION)}"
        f"{_PLAY.format(last=horizon, role=asp_term(role), value=value)}"
    )
