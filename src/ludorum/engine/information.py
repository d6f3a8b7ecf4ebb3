"""Whether the players of a game always know its state: the one place that decides it.

In GDL-I every role is told every move. In GDL-II (``sees``, or the role ``random``) a player is told its
percepts only, and still may know everything: where, in every state, its own move and its percepts leave one
next state. By induction the players then know the state at every step; nature may play, and roles may move at
once. Where one state breaks this, two plays look the same to a player and lead to different states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

from .._core import SplitMix64
from ..rules.ruleset import Atom, Distinct, Formula, Rule, Ruleset
from ..rules.terms import Pattern, Term, Variable, format_term, variables_of
from .game import RANDOM, Game, JointMove, State

MOST_STEPS = 10_000
"""The most joint moves that are tried; where they do not settle the question, the game is not open."""
FEW_STEPS = 1_000
"""The same where a clock runs: a game that hides something mostly does so within a few steps."""
WALK_WIDTH = 20
"""Joint moves of a state that are tried in random plays."""


@dataclass(frozen=True)
class Secret:
    """The reason why a game does not count as open."""

    reason: str
    proved: bool = True
    """Whether something is hidden for certain; else it was not settled within the bound."""


def find_secret(
    game: Game, most_steps: int = MOST_STEPS, is_up: Callable[[], bool] | None = None
) -> Secret | None:
    """Something that a player may not know about the state; None where all players always know it.

    ``is_up`` ends the search early; the answer is then that the question was not settled.
    """
    if game in _FOUND:
        found, steps = _FOUND[game]
        if found is None or found.proved or steps >= most_steps:
            return found
    found = _find(game, most_steps, is_up)
    was_cut = found is not None and not found.proved and is_up is not None and is_up()
    _FOUND[game] = found, 0 if was_cut else most_steps
    return found


def has_no_secret(game: Game) -> bool:
    """Whether all players of a game always know its state, settled in a moment; else it counts as hidden."""
    return find_secret(game, FEW_STEPS) is None


_FOUND: WeakKeyDictionary[Game, tuple[Secret | None, int]] = WeakKeyDictionary()
"""The answer, and the bound of the search that found it."""


def _find(game: Game, most_steps: int, is_up: Callable[[], bool] | None) -> Secret | None:
    information = game.info.perfect_information
    if information.value is True:
        return None
    rules = game.rules
    if rules is None and information.value is False:
        return Secret("a player does not see the cards of the others, nor those that are not dealt yet")
    alone = len(game.roles) == 1  # one player and no nature: its own moves determine the state
    if alone or (rules is not None and _tells_all_moves(rules)):
        return None
    return _Exploration(game, most_steps, is_up).run()


# --- by the rules -------------------------------------------------------------------------------------------


def _tells_all_moves(rules: Ruleset) -> bool:
    """Whether ``sees`` rules without conditions tell every player every move of the others."""
    sees = rules.by_signature.get(("sees", 2), ())
    told = [found for rule in sees if (found := _told_move(rule)) is not None]
    return all(
        any(
            _covers(to, player) and _covers(by, other) and _is_only(rule, player, sees)
            for rule, to, by in told
        )
        for player in rules.roles
        if player is not RANDOM
        for other in rules.roles
        if other is not player
    )


def _told_move(rule: Rule) -> tuple[Rule, Pattern, Pattern] | None:
    """The role that is told and the one whose move is told, for ``(sees ?r (did ?s ?m)) <= (does ?s ?m)``."""
    to, percept = rule.head.args
    does = [part.term for part in rule.body if isinstance(part, Atom) and part.term.signature == ("does", 2)]
    if len(does) != 1:
        return None
    by, move = does[0].args
    if to == by:  # a percept of the player's own move tells it nothing new
        return None
    told = set(variables_of(percept))
    if not isinstance(move, Variable) or move not in told or (isinstance(by, Variable) and by not in told):
        return None
    rest = (part for part in rule.body if not (isinstance(part, Atom) and part.term is does[0]))
    return (rule, to, by) if all(_excludes_nothing(part, to, by) for part in rest) else None


def _excludes_nothing(part: Formula, to: Pattern, by: Pattern) -> bool:
    """Whether a condition holds for all roles, or all but the one that made the move and knows it."""
    if isinstance(part, Distinct):
        return {part.left, part.right} == {to, by}
    return isinstance(part, Atom) and part.term.signature == ("role", 1) and part.term.args[0] in (to, by)


def _covers(role: Pattern, which: Term) -> bool:
    return isinstance(role, Variable) or role is which


def _is_only(rule: Rule, player: Term, sees: tuple[Rule, ...]) -> bool:
    """Whether no other rule gives a player percepts of the same form, which could be confused with these."""
    form = _form(rule)
    others = [_form(each) for each in sees if each is not rule and _covers(each.head.args[0], player)]
    return form is not None and all(other not in (None, form) for other in others)


def _form(rule: Rule) -> tuple[str, int] | None:
    percept = rule.head.args[1]
    return percept.signature if isinstance(percept, Term) else None


# --- by all states ------------------------------------------------------------------------------------------


class _Unsettled(Exception):
    """The bound on steps is reached."""


class _Exploration:
    """All states, breadth first; early on, random plays as well, since some games hide something late."""

    def __init__(self, game: Game, most_steps: int, is_up: Callable[[], bool] | None) -> None:
        self.game, self.most_steps, self.is_up = game, most_steps, is_up
        self.steps = 0
        self.start = game.initial()
        self.waiting, self.met, self.done = [self.start], {self.start}, 0

    def run(self) -> Secret | None:
        try:
            clash = self._breadth(self.most_steps // 20)
            if clash is None and self.done < len(self.waiting):
                clash = self._walk() or self._breadth(None)
        except _Unsettled:
            return Secret(f"whether something is hidden was not settled in {self.steps} joint moves", False)
        return clash

    def _breadth(self, steps: int | None) -> Secret | None:
        """Searches states in breadth-first order, all of them or up to the bound on steps."""
        while self.done < len(self.waiting) and (steps is None or self.steps < steps):
            after, clash = self._look(self.waiting[self.done])
            if clash is not None:
                return clash
            self.done += 1
            for child in after:
                if child not in self.met:
                    self.met.add(child)
                    self.waiting.append(child)
        return None

    def _walk(self) -> Secret | None:
        """Searches random plays, up to a fifth of the steps."""
        chooser, state = SplitMix64(0), self.start
        while self.steps < self.most_steps // 5:
            after, clash = self._look(state, WALK_WIDTH)
            if clash is not None:
                return clash
            state = after[chooser.below(len(after))] if after else self.start
        return None

    def _look(self, state: State, width: int | None = None) -> tuple[list[State], Secret | None]:
        """The next states, and two joint moves that a player cannot tell apart, where there are such."""
        told: dict[object, tuple[JointMove, State]] = {}
        after: list[State] = []
        for joint in islice(state.joint_moves(), width):
            if self.steps >= self.most_steps or (self.is_up is not None and self.is_up()):
                raise _Unsettled
            self.steps += 1
            after.append(state.play(joint))
            clash = self._clash(told, joint, after[-1])
            if clash is not None:
                return after, clash
        return after, None

    def _clash(
        self, told: dict[object, tuple[JointMove, State]], joint: JointMove, after: State
    ) -> Secret | None:
        for player in self.game.info.players:
            own = joint[self.game.roles.index(player)]
            before, other = told.setdefault((player, own, after.percepts(player)), (joint, after))
            # Where both end the game no later choice can depend on the difference.
            if other != after and not (other.is_terminal and after.is_terminal):
                return Secret(self._text(player, before, joint))
        return None

    def _text(self, player: Term, one: JointMove, other: JointMove) -> str:
        seat = next(seat for seat, (a, b) in enumerate(zip(one, other, strict=True)) if a is not b)
        first, second = (format_term(joint[seat]) for joint in (one, other))
        role = format_term(self.game.roles[seat])
        return f"{format_term(player)} is told the same whether {role} does {first} or {second}"
