"""Faults that only play shows: a role without a move before the end, and games that never end.

A sheet that can be read is played at random some times; what goes wrong there is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from ..._core import SplitMix64
from ...engine.game import State, random_states
from ...engine.lifted import LiftedGame
from ...rules.kif import format_term
from ...rules.ruleset import Atom, Rule, Ruleset
from ...rules.source import Source
from ...rules.terms import Term, Variable
from .proposal import Fault, Proposal, Survey, added

GAMES = 30
LONGEST = 500
"""Steps after which a random game counts as endless."""
LEGAL = ("legal", 2)
GOAL = ("goal", 2)


@dataclass
class _Trouble:
    """What went wrong in play."""

    stuck: dict[Term, None] = field(default_factory=dict)
    endless: bool = False
    idle: bool = True
    """Whether nobody had a choice whenever somebody had no move."""


def survey_play(source: Source, rules: Ruleset, survey: Survey) -> None:
    """What goes wrong when the rules are played."""
    trouble = _play(rules)
    stuck = [
        Fault("stuck", format_term(role), f"{role} has no move although the game is not over")
        for role in trouble.stuck
    ]
    for fault in stuck:
        survey.add(fault, ())
    if stuck:
        survey.proposals.extend(_moves(source, rules, stuck, trouble))
    if ("terminal", 0) not in rules.by_signature or trouble.endless:
        what = "play does not come to an end" if trouble.endless else "no rule says when the game is over"
        fault = Fault("endless", "terminal", what)
        survey.add(fault, _endings(source, rules, fault))


def _play(rules: Ruleset) -> _Trouble:
    game = LiftedGame(rules, "mended")
    found = _Trouble()
    for seed in range(GAMES):
        states = list(islice(random_states(game.initial(), SplitMix64(seed)), LONGEST))
        if not states[-1].is_terminal:
            _note(states[-1], found)
    return found


def _note(last: State, found: _Trouble) -> None:
    choices = {role: len(last.legal(role)) for role in last.game.roles}
    without = [role for role, count in choices.items() if not count]
    if not without:
        found.endless = True
        return
    found.stuck.update(dict.fromkeys(without))
    found.idle = found.idle and max(choices.values()) <= 1


def _moves(source: Source, rules: Ruleset, stuck: list[Fault], trouble: _Trouble) -> Iterator[Proposal]:
    """A do-nothing move for who has none, always or in some positions; or an end there."""
    movers = rules.by_signature.get(LEGAL, ())
    never = [fault for fault in stuck if not any(_is_for(rule, fault.where) for rule in movers)]
    for fault in never:
        edit = added(source, f"(legal {fault.where} noop)")
        yield Proposal(f"{fault.where} never has a move; it may do nothing", (edit,), frozenset({fault}))
    mends = frozenset(stuck) - frozenset(never)
    if not mends:
        return
    for control in _controls(rules):
        edit = added(source, f"(<= (legal ?r noop)\n    (role ?r)\n    (not (true ({control} ?r))))")
        yield Proposal("who is not in control has no move; it may do nothing", (edit,), mends)
    helpers = _can_move(rules)
    if helpers:
        edit = added(source, f"{helpers}\n(<= (legal ?r noop)\n    (role ?r)\n    (not (can_move ?r)))")
        yield Proposal("a role has no move in some positions; it may do nothing there", (edit,), mends, 2)
        # Where nobody has a choice any more nothing is lost if the game is over.
        edit = added(source, f"{helpers}\n(<= terminal\n    (role ?r)\n    (not (can_move ?r)))")
        reason = "a role has no move in some positions; the game is over there"
        yield Proposal(reason, (edit,), mends, 1 if trouble.idle else 3)


def _endings(source: Source, rules: Ruleset, fault: Fault) -> Iterator[Proposal]:
    """The game is over when somebody has 100, or when nobody can move."""
    mends = frozenset({fault})
    best = Term("100")
    won = [rule for rule in rules.by_signature.get(GOAL, ()) if rule.head.args[1] is best and rule.body]
    if won:
        text = "\n".join(dict.fromkeys(str(Rule(Term("terminal"), rule.body)) for rule in won))
        yield Proposal("the game is over when somebody has 100", (added(source, text),), mends)
    helpers = _can_move(rules)
    if helpers:
        nobody = "(<= somebody_can_move\n    (can_move ?r))\n(<= terminal\n    (not somebody_can_move))"
        text = f"{helpers}\n{nobody}"
        yield Proposal("the game is over when nobody can move", (added(source, text),), mends, 2)


def _is_for(rule: Rule, role: str) -> bool:
    who = rule.head.args[0]
    return isinstance(who, Variable) or format_term(who) == role


def _can_move(rules: Ruleset) -> str:
    """Rules that say when a role has a move, by the bodies of its rules; nothing where the name is taken."""
    if ("can_move", 1) in rules.by_signature:
        return ""
    texts = []
    for rule in rules.by_signature.get(LEGAL, ()):
        who = rule.head.args[0]
        texts.append(str(Rule(Term("can_move", (who,)), rule.body or (Atom(Term("role", (who,))),))))
    return "\n".join(dict.fromkeys(texts))


def _controls(rules: Ruleset) -> list[str]:
    """Fluents of one argument that hold a role at first: whose turn it is."""
    facts = (rule.head.args[0] for rule in rules.by_signature.get(("init", 1), ()))
    return [
        fact.name
        for fact in dict.fromkeys(facts)
        if isinstance(fact, Term) and len(fact.args) == 1 and fact.args[0] in rules.roles
    ]
