"""Whether the players of a game always know its state: the one place that decides it.

In GDL-I every role is told every move. In GDL-II (``sees``, or the role ``random``) a player is told its
percepts only, and still may know everything. Where the form of the rules shows that (``told_by_rules``), the
game is open for all that look at it. Other games may be found to hide no state: where, in every state, a
player's own move and its percepts leave one next state. By induction the players then know the state at every
step; nature may play, and roles may move at once. Where one state breaks this, two plays look the same to a
player and lead to different states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

from .._core import SplitMix64
from ..rules.ruleset import Ruleset, is_nature
from ..rules.terms import Term, format_term
from .game import Game, JointMove, State
from .info import GameInfo, Known, Status
from .told_by_rules import tells_all

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
    if len(game.roles) == 1:  # one player and no nature: its own moves determine the state
        return None
    return _Exploration(game, most_steps, is_up).run()


def info_by_rules(rules: Ruleset, roles: tuple[Term, ...]) -> GameInfo:
    """What the rules say of a game at once: its roles, nature, and whether it is open.

    Without ``sees`` rules and without nature every role is told every move: GDL-I.
    """
    chance = tuple(filter(is_nature, roles))
    is_plain = not chance and not rules.has_hidden_information
    is_open = is_plain or (rules.has_hidden_information and tells_all(rules, roles))
    return GameInfo(roles, chance, Known(is_open, Status.PROVED))


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
