"""Online outcome sampling: regrets from games that are sampled during a match, mostly near where it stands.

Lisy, Lanctot, Bowling: "Online Monte Carlo Counterfactual Regret Minimization for Search in Imperfect
Information Games", 2015. Every sample is a whole game from the start, so that all roles keep strategies which
agree with each other: with enough samples those of two players approach an equilibrium, which searches that
begin in the middle of a match do not. A share of the samples is *targeted*: in it moves are drawn among those
alone that agree with what the searching role has moved and perceived so far. Each sample counts by how likely
it was under both ways of drawing together, so targets do not change what is learned, only how fast.

One information set is added by each sample at most; elsewhere all moves are as likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from .._core import SplitMix64
from ..engine.game import Game, JointMove, State
from ..rules.terms import Term

History: TypeAlias = Sequence[tuple[Term, frozenset[Term]]]
"""A role's own move and its percepts in each step."""
_SetKey: TypeAlias = tuple[int, int]
"""A seat, and a number for what it has seen."""

MOST_KEPT = 50_000
"""Joint moves whose outcomes are kept."""
MIDDLE = 50.0
"""The goal that counts as nothing: values around 0 make samples vary less."""


@dataclass(frozen=True)
class OosConfig:
    """How samples are drawn."""

    exploration: float = 0.4
    """How often the role whose regrets are updated tries any move."""
    targeting: float = 0.9
    """The share of samples that go to where the match is."""
    most_plays: int = 20_000
    """Joint moves that are tried to find all histories which agree; where that is not enough, no sample is
    targeted."""
    max_steps: int = 1000
    """Steps of a sampled game that goes on and on."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.exploration <= 1 or not 0 <= self.targeting < 1:
            raise ValueError("exploration is above 0 and at most 1, targeting at least 0 and below 1")


@dataclass
class LearnedSet:
    """What was learned about an information set: numbers by legal move."""

    moves: tuple[Term, ...]
    regrets: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    """Of the average strategy."""
    reached: float = 0.0
    """How likely samples come here by the strategies, all together."""
    gained: float = 0.0
    """The same times the goals of these samples."""

    def __post_init__(self) -> None:
        self.regrets = [0.0] * len(self.moves)
        self.weights = [0.0] * len(self.moves)

    def strategy(self) -> list[float]:
        """In proportion to regrets above 0."""
        return _shares([max(0.0, regret) for regret in self.regrets])

    def average(self) -> list[float]:
        return _shares(self.weights)

    @property
    def value(self) -> float:
        """The mean goal of samples that came here."""
        return self.gained / self.reached if self.reached > 0 else MIDDLE

    def learn(self, lesson: Lesson) -> None:
        for at, (regret, weight) in enumerate(zip(lesson.regrets, lesson.weights, strict=True)):
            self.regrets[at] += regret
            self.weights[at] += weight
        self.reached += lesson.reached
        self.gained += lesson.reached * lesson.goal


@dataclass(frozen=True)
class Lesson:
    """What a sample says about one information set of the role that it updates."""

    key: _SetKey
    moves: tuple[Term, ...]
    regrets: list[float]
    weights: list[float]
    reached: float
    goal: float


@dataclass(frozen=True)
class _Choice:
    """A choice on the way of a sampled game; nature has no key."""

    key: _SetKey | None
    moves: tuple[Term, ...]
    chosen: int
    strategy: list[float]
    own: float
    """The product of the updated role's probabilities on the way to it."""
    others: float
    sampled: float
    """How likely a sample comes to it."""


@dataclass(frozen=True)
class Target:
    """The histories that agree with what a role was told: by step and state, the joint moves that may have
    been made there."""

    steps: tuple[dict[State, list[JointMove]], ...]


class OnlineOutcomeSampling:
    """Strategies of all roles of a game, which grow while it is sampled."""

    def __init__(self, game: Game, role: Term, config: OosConfig | None = None) -> None:
        self.game, self.role = game, role
        self.config = config or OosConfig()
        self.sets: dict[_SetKey, LearnedSet] = {}
        self.target: Target | None = None
        self.samples = 0
        self._random = SplitMix64(self.config.seed)
        self._played: dict[tuple[State, JointMove], tuple[State, list[frozenset[Term]]]] = {}
        self._start = game.initial()
        self._nature = game.info.chance_seats
        self._players = [at for at in range(len(game.roles)) if at not in self._nature]

    def aim(self, history: History) -> bool:
        """Target samples at what the role was told; whether all histories that agree were found."""
        self.target = find_target(self._start, self.role, history, self.config.most_plays)
        return self.target is not None

    def run(self, rounds: int = 1) -> None:
        """Sample one game for every player, so many times, and learn from it."""
        for _ in range(rounds):
            for player in self._players:
                self._learn(self.sample(player))

    def find(self, role: Term, history: History) -> LearnedSet | None:
        """What was learned about a role's choice after a history; None where no sample has met it."""
        view = 0
        for move, percepts in history:
            view = view_after(view, move, percepts)
        return self.sets.get((self.game.roles.index(role), view))

    def sample(self, player: int) -> list[Lesson]:
        """The lessons of one sampled game for the player of this seat, the last choice first."""
        self.samples += 1
        targeted = self.target is not None and self._point() < self.config.targeting
        walk = _Walk(self, player, targeted)
        while not walk.is_over:
            walk.step()
        goal = walk.state.goal(self.game.roles[player]) or 0
        return _lessons(walk.choices, player, goal, walk.sampled)

    def _learn(self, lessons: list[Lesson]) -> None:
        # The first choices were made first: of those that are new, the first is added.
        new = next((one.key for one in reversed(lessons) if one.key not in self.sets), None)
        for one in lessons:
            if one.key not in self.sets:
                if one.key != new:
                    continue
                self.sets[one.key] = LearnedSet(one.moves)
            self.sets[one.key].learn(one)

    def play(self, state: State, joint: JointMove) -> tuple[State, list[frozenset[Term]]]:
        """The state after a joint move, and what each role perceives; kept, since samples go over the same
        moves again and again."""
        found = self._played.get((state, joint))
        if found is None:
            after = state.play(joint)
            found = after, [frozenset(after.percepts(role)) for role in self.game.roles]
            if len(self._played) < MOST_KEPT:
                self._played[state, joint] = found
        return found

    def draw(self, chances: list[float]) -> int:
        left, last = self._point(), 0
        for at, chance in enumerate(chances):
            if chance > 0:
                left, last = left - chance, at
                if left < 0:
                    break
        return last

    @property
    def start(self) -> State:
        return self._start

    def is_nature(self, seat: int) -> bool:
        return seat in self._nature

    def _point(self) -> float:
        return (self._random.next() >> 11) * 2.0**-53


def view_after(view: int, move: Term, percepts: frozenset[Term]) -> int:
    """A number for what a role has seen after one more step, the same where that is the same.

    Numbers of 64 bits, not names: games may be long, and most of what is met once is never met again.
    """
    return hash((view, move, percepts))


class _Walk:
    """One sampled game."""

    def __init__(self, search: OnlineOutcomeSampling, player: int, targeted: bool) -> None:
        self._search, self._player, self._targeted = search, player, targeted
        self.state = search.start
        self.choices: list[_Choice] = []
        self._views = [0] * len(search.game.roles)
        self._depth = 0
        self._near = self._far = 1.0
        """How likely a targeted sample goes this way, and another one."""
        self._own = self._others = 1.0

    @property
    def sampled(self) -> float:
        share = self._search.config.targeting if self._search.target is not None else 0.0
        return share * self._near + (1 - share) * self._far

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, goes on for too long, or a role has no move."""
        state, search = self.state, self._search
        return (
            state.is_terminal
            or self._depth >= search.config.max_steps
            or not all(map(state.legal, search.game.roles))
        )

    def step(self) -> None:
        """Choose for every role, and play."""
        state, made = self.state, []
        allowed = self._allowed()
        for seat, role in enumerate(self._search.game.roles):
            legal = state.legal(role)
            at = 0
            if len(legal) > 1:
                at = self._choose(seat, legal, None if allowed is None else {one[seat] for one in allowed})
            made.append(legal[at])
            if allowed is not None:
                allowed = [one for one in allowed if one[seat] is legal[at]]
        self.state, percepts = self._search.play(state, tuple(made))
        self._depth += 1
        self._views = [
            view_after(view, move, seen) for view, move, seen in zip(self._views, made, percepts, strict=True)
        ]

    def _allowed(self) -> list[JointMove] | None:
        """The joint moves that agree with the target; None where any does."""
        target = self._search.target
        if target is None or self._depth >= len(target.steps):
            return None
        return target.steps[self._depth].get(self.state, [])

    def _choose(self, seat: int, legal: tuple[Term, ...], allowed: set[Term] | None) -> int:
        """The place of a move, drawn; ``allowed``: those that agree with the target, if it says anything."""
        key = None if self._search.is_nature(seat) else (seat, self._views[seat])
        known = None if key is None else self._search.sets.get(key)
        if key is None:
            strategy = _shares([float(self._search.game.chances.weight(move)) for move in legal])
        else:
            strategy = [1.0 / len(legal)] * len(legal) if known is None else known.strategy()
        chances = strategy
        if seat == self._player:
            tried = self._search.config.exploration
            chances = [tried / len(legal) + (1 - tried) * chance for chance in strategy]
        narrow = chances if allowed is None else _narrowed(chances, [move in allowed for move in legal])
        at = self._search.draw(narrow if self._targeted else chances)
        self.choices.append(
            _Choice(key, legal, at, strategy, self._own, self._others, self.sampled),
        )
        self._near *= narrow[at]
        self._far *= chances[at]
        if seat == self._player:
            self._own *= strategy[at]
        else:
            self._others *= strategy[at]
        return at


def _lessons(choices: list[_Choice], player: int, goal: float, sampled: float) -> list[Lesson]:
    """What a game says about the choices of a player; ``sampled``: how likely this game was drawn."""
    found, tail = [], 1.0
    for one in reversed(choices):
        after = tail
        tail *= one.strategy[one.chosen]
        if one.key is None or one.key[0] != player:
            continue
        worth = (goal - MIDDLE) / MIDDLE * one.others / sampled
        regrets = [-tail * worth] * len(one.moves)
        regrets[one.chosen] += after * worth
        share = one.own / one.sampled
        weights = [share * chance for chance in one.strategy]
        found.append(Lesson(one.key, one.moves, regrets, weights, tail * one.others / sampled, goal))
    return found


def _shares(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1.0 / len(weights)] * len(weights)


def _narrowed(chances: list[float], allowed: list[bool]) -> list[float]:
    """The chances of what is allowed; evenly where it has none, and nothing where nothing is allowed."""
    if not any(allowed):
        return [0.0] * len(chances)
    kept = [chance if may else 0.0 for chance, may in zip(chances, allowed, strict=True)]
    return _shares(kept if sum(kept) > 0 else [float(may) for may in allowed])


def find_target(start: State, role: Term, history: History, most_plays: int) -> Target | None:
    """All histories that agree with what a role was told; None where they take too many plays."""
    seat, plays = start.game.roles.index(role), 0
    layers: list[dict[State, list[tuple[JointMove, State]]]] = []
    states = {start}
    for move, percepts in history:
        layer: dict[State, list[tuple[JointMove, State]]] = {}
        for state in states:
            legal = [(move,) if one is role else state.legal(one) for one in start.game.roles]
            if state.is_terminal or move not in state.legal(role):
                continue
            plays += prod(map(len, legal))
            if plays > most_plays:
                return None
            after = [(joint, state.play(joint)) for joint in state.joint_moves() if joint[seat] is move]
            layer[state] = [pair for pair in after if frozenset(pair[1].percepts(role)) == percepts]
        layers.append(layer)
        states = {after for pairs in layer.values() for _, after in pairs}
    return Target(_leading_on(layers, states))


def _leading_on(
    layers: list[dict[State, list[tuple[JointMove, State]]]], ends: set[State]
) -> tuple[dict[State, list[JointMove]], ...]:
    """Of each layer the joint moves that lead to one of the ends."""
    steps: list[dict[State, list[JointMove]]] = []
    for layer in reversed(layers):
        kept = {state: [joint for joint, after in pairs if after in ends] for state, pairs in layer.items()}
        steps.append({state: joints for state, joints in kept.items() if joints})
        ends = set(steps[-1])
    return tuple(reversed(steps))
