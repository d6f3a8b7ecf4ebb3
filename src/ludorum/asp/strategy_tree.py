"""Rules stamped with the nodes of a tree: own moves are chosen once a node, all moves of others are followed.

The root is the state that is asked about; ``e(N,J)`` is the node after the others made the moves J in N. Its
state depends on what was chosen in N. So an answer set is a strategy: what to do at every node, whatever the
others do (asp-player, section 12.4). The translation is that of plans, with other stamps.

Parts: ``base``, ``state(k)`` and ``step(k)`` for the nodes k joint moves below the root, ``close(k)`` for the
question whether all play can be over by then. A node that ends the game below the value is refused in any
case, so a tree that has no answer set before it is closed will never have one.
"""

from __future__ import annotations

from ..rules.classes import Class
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .names import asp_term
from .stamped import StampedRules, Stamps

# Guards come with the level, so that a level is instantiated once, when it is grounded.
_STAMPS = Stamps(
    state="N", before="N", moves="E", after="E", state_guard="node(N,k)", moves_guard="edge(E,N,k)"
)

# Several values at one end count as none.
_WORTH = """
at_least(N) :- p_goal_2({me},W,N), W >= {value}, W <= 100, p_terminal_0(N), node(N,k).
:- node(N,k), p_terminal_0(N), #count {{ W : p_goal_2({me},W,N) }} > 1.
"""
_WORTH_NOTHING = """
at_least(N) :- p_terminal_0(N), node(N,k).
"""
_STATE = """
:- node(N,k), p_terminal_0(N), not at_least(N).
open(N) :- node(N,k), not p_terminal_0(N).
"""
_STEP = """
{{ mine(A,N) : p_legal_2({me},A,N) }} = 1 :- open(N), node(N,k-1).
edge(e(N,({moves})),N,k) :- open(N), node(N,k-1){legal}.
node(E,k) :- edge(E,_,k).
p_does_2({me},A,E) :- mine(A,N), edge(E,N,k).
{does}"""
# Where another role has no move play is stuck: no role wins there, so no strategy may lead there.
_STUCK = """
goes_on(N) :- edge(_,N,k).
:- open(N), node(N,k-1), not goes_on(N).
"""
_CLOSE = """
#program close(k).
#external close(k).
:- close(k), open(N), node(N,k).
"""


class StrategyTree:
    """The program of strategies that guarantee a role at least a value, as text."""

    def __init__(self, rules: Ruleset, role: Term, value: int) -> None:
        self.stamped = StampedRules(rules, _STAMPS)
        self.role = role
        self.value = value
        self.others = tuple(other for other in rules.roles if other is not role)

    @property
    def text(self) -> str:
        """The whole program but for the state at the root; levels are grounded as they are needed."""
        stamped, me = self.stamped, asp_term(self.role)
        names = [f"B{at}" for at in range(len(self.others))]
        others = list(zip(map(asp_term, self.others), names, strict=True))
        moves = "".join(f"{name}," for name in names) if names else ""  # (B0,) is a tuple of one
        step = _STEP.format(
            me=me,
            moves=moves,
            legal="".join(f", p_legal_2({other},{name},N)" for other, name in others),
            does="".join(
                f"p_does_2({other},{name},e(N,({moves}))) :- edge(e(N,({moves})),N,k).\n"
                for other, name in others
            ),
        )
        worth = _WORTH.format(me=me, value=self.value) if self.value > 0 else _WORTH_NOTHING
        used = [("mine", 2), ("at_least", 1), ("open", 1), ("edge", 3), ("goes_on", 1)]
        return (
            f"#program base.\n{stamped.declarations(used)}#show mine/2.\nnode(root,0).\n"
            f"{stamped.text(Class.STATIC)}"
            f"#program state(k).{worth}{_STATE}{stamped.text(Class.STATE)}"
            f"#program step(k).{step}{_STUCK if others else ''}{stamped.text(Class.ACTION)}{_CLOSE}"
        )
