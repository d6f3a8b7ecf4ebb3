"""Methods for rule sheets that hide something: each decides by worlds that agree with what was told.

A recipe names them as it names searches of open games; ``methods`` finds both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ..engine.game import Game
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision, Searcher
from ..search.mixed import NoAdviceError
from ..search.world_votes import WorldSearcher

if TYPE_CHECKING:
    from ..knowledge.worlds import WorldSampler
    from ..search.belief_search import BeliefConfig


MOST_DRAWN = 2_000
"""Worlds that are drawn for a method which takes some of them in every round."""


LEAST_PLAYOUTS = 20
"""Playouts without which a search of one world says nothing."""

DESCENTS_A_WORLD = 40
"""Descents from each world without which others, who know more of it, choose as good as at random there."""
LEAST_WORLDS = 20


class WorldMethod(Protocol):
    """Decides for one role of one match by its worlds."""

    def prepare(self, seconds: float | None) -> None:
        """Get ready before the match, within about so many seconds; None where work is counted."""
        ...

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        """The best move; NoAdviceError where the method has no answer here."""
        ...


@runtime_checkable
class WholeMatchMethod(Protocol):
    """A method that may know before the match what to do in all of it."""

    @property
    def is_ready(self) -> bool:
        """Whether it does: then no later method need prepare."""
        ...


@dataclass(frozen=True)
class WorldMethodKind:
    """How to make a method for a game and a role, and the dataclass that holds its settings."""

    make: Callable[[Game, Term, Any], WorldMethod]
    config: type


class SampledMethod:
    """Draws worlds and searches them."""

    def __init__(self, count: int, make: Callable[[int], WorldSearcher]) -> None:
        """``make`` gives the search for a seed."""
        self._count = count
        self._make = make

    def prepare(self, seconds: float | None) -> None:
        pass

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        found = worlds.sample(self._count, seed)
        decision = self._make(seed).search_worlds(found, worlds.role, budget)
        return replace(decision, reasons=(*decision.reasons, _searched(worlds, len(found))))


def _searched(worlds: WorldSampler, searched: int) -> str:
    """What was searched, in words."""
    if worlds.is_exact and worlds.size == searched:
        return "the state is known" if searched == 1 else f"all {searched} worlds that agree were searched"
    kept = f"{worlds.size} that agree" if worlds.is_exact else "those that agree"
    return f"{searched} worlds were searched, drawn from {kept}"


class OwnSearch(SampledMethod):
    """A search of open games in every world: what search players without a method for worlds do."""

    def __init__(self, searcher: Searcher, count: int = 20) -> None:
        from ..search.pimc import Pimc

        super().__init__(count, lambda seed: Pimc(searcher))


@dataclass(frozen=True)
class SheetIsmctsConfig:
    """Settings of search over information sets."""

    worlds: int = 200
    """The most worlds that are drawn for a decision; fewer where few descents are counted."""
    exploration: float = 0.2
    """Less than for single games: a descent brings the mean of several, which varies less."""
    random_others: float = 0.0
    max_steps: int = 2000
    games_a_leaf: int = 8
    head_start: float = 0.3
    """The share of the budget for a search of worlds as if each were known; its values count as a few first
    visits. So the tree begins with the moves that matter where there are many."""
    trust: int = 10
    """Visits of each move that the head start counts as."""
    observers: str = "all"
    """``one``: nodes are what the searching role has seen; ``all``: what each role has seen, for its own."""

    def __post_init__(self) -> None:
        if self.observers not in ("one", "all"):
            raise ValueError(f"observers is one or all, not {self.observers!r}")


class IsmctsMethod:
    """One tree over all worlds, after a head start by searches of single worlds.

    Kernels grow it where the sheet has a circuit; else it is the plain one, and the decision says so.
    """

    def __init__(self, game: Game, role: Term, config: SheetIsmctsConfig) -> None:
        from ..engine.compiled import CompiledGame
        from ..search.compiled_ismcts import CompiledIsmcts
        from ..search.ismcts import IsmctsConfig
        from ..search.mcts import Mcts

        self._config = config
        self._tree = IsmctsConfig(
            config.exploration,
            config.random_others,
            config.max_steps,
            games_a_leaf=config.games_a_leaf,
            observers="one" if config.observers == "one" else "all",
        )
        self._known = Mcts(game)
        """The search of worlds as if they were known; no seed of its own, since it is not drawn from."""
        self._compiled = CompiledIsmcts(game, self._tree) if isinstance(game, CompiledGame) else None

    def prepare(self, seconds: float | None) -> None:
        pass

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        from ..search.ismcts import Ismcts
        from ..search.pimc import Pimc, PimcConfig

        config, watch = self._config, Stopwatch(budget)
        found = worlds.sample(_tree_worlds(budget, config.worlds), seed)
        before = None
        if config.head_start > 0:
            self._known.forget()
            few = worlds.sample(_head_start_worlds(budget, PimcConfig().worlds), seed)
            share = _part_of(budget, config.head_start)
            before = Pimc(self._known).search_worlds(few, worlds.role, share)
            if watch.is_up():  # single games of large sheets without a circuit can take all the time
                return replace(before, reasons=(*before.reasons, _searched(worlds, len(few))))
        tree = self._compiled
        search = Ismcts(replace(self._tree, seed=seed)) if tree is None else tree.seeded(seed)
        rest = replace(budget, seconds=watch.seconds_left)
        decision = search.search_worlds(found, worlds.role, rest, before, config.trust)
        slow = () if tree is not None else (f"one descent at a time: {worlds.game.name} has no circuit",)
        return replace(decision, reasons=(*decision.reasons, _searched(worlds, len(found)), *slow))


def _head_start_worlds(budget: Budget, most: int) -> int:
    """How many worlds the head start searches: each has some playouts."""
    return most if budget.playouts is None else max(1, min(most, budget.playouts // LEAST_PLAYOUTS))


def _tree_worlds(budget: Budget, most: int) -> int:
    """How many worlds a tree begins in: each is met by some descents."""
    if budget.playouts is None:
        return most
    return min(most, max(LEAST_WORLDS, budget.playouts // DESCENTS_A_WORLD))


def _part_of(budget: Budget, share: float) -> Budget:
    """A share of a budget. Playouts in lanes are cheap: there are as many of them as of descents in all."""
    return replace(budget, seconds=None if budget.seconds is None else share * budget.seconds)


class BeliefMethod:
    """Search over beliefs, for a role that decides alone in a game with a circuit."""

    def __init__(self, game: Game, role: Term, config: BeliefConfig) -> None:
        from ..engine.compiled import CompiledGame
        from ..search.belief_search import BeliefSearch, decides_alone

        self._search: BeliefSearch | None = None
        if isinstance(game, CompiledGame) and decides_alone(game, role):
            self._search = BeliefSearch(game, role, config)

    def prepare(self, seconds: float | None) -> None:
        pass

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        from ..knowledge.worlds import PackedWorlds

        if self._search is None or not isinstance(worlds, PackedWorlds):
            raise NoAdviceError("another role decides, too, or the game has no circuit")
        cloud, shares = worlds.sample_rows(self._search.config.worlds, seed)
        exact = worlds.is_exact and worlds.size <= self._search.config.worlds
        decision = self._search.search(cloud.rows, shares, budget, exact=exact)
        return replace(decision, reasons=(*decision.reasons, _searched(worlds, self._search.searched)))


def _belief() -> WorldMethodKind:
    from ..search.belief_search import BeliefConfig

    return WorldMethodKind(BeliefMethod, BeliefConfig)


def _ismcts() -> WorldMethodKind:
    return WorldMethodKind(IsmctsMethod, SheetIsmctsConfig)


def _hyperplay() -> WorldMethodKind:
    from ..search.hyperplay import HyperPlay, HyperPlayConfig

    def make(game: Game, role: Term, config: HyperPlayConfig) -> WorldMethod:
        return SampledMethod(config.worlds, HyperPlay(game, config).seeded)

    return WorldMethodKind(make, HyperPlayConfig)


def _hyperplay2() -> WorldMethodKind:
    from ..search.hyperplay_two import HyperPlayTwo, HyperPlayTwoConfig

    def make(game: Game, role: Term, config: HyperPlayTwoConfig) -> WorldMethod:
        return SampledMethod(MOST_DRAWN, HyperPlayTwo(game, config).seeded)

    return WorldMethodKind(make, HyperPlayTwoConfig)


def _merged() -> WorldMethodKind:
    from .merged_method import MergedConfig, MergedMethod

    return WorldMethodKind(MergedMethod, MergedConfig)


def _oos() -> WorldMethodKind:
    from ..search.online_outcome_sampling import OosConfig
    from .oos_method import OosMethod

    return WorldMethodKind(OosMethod, OosConfig)


def _pimc() -> WorldMethodKind:
    from ..search.mcts import Mcts
    from ..search.mcts_config import MctsConfig
    from ..search.pimc import PimcConfig

    def make(game: Game, role: Term, config: PimcConfig) -> WorldMethod:
        return OwnSearch(Mcts(game, MctsConfig(seed=config.seed)), config.worlds)

    return WorldMethodKind(make, PimcConfig)


def _equilibrium() -> WorldMethodKind:
    from .equilibrium_method import EquilibriumConfig, EquilibriumMethod

    return WorldMethodKind(EquilibriumMethod, EquilibriumConfig)


# Imported when needed, as other methods are.
WORLD_METHODS: dict[str, Callable[[], WorldMethodKind]] = {
    "belief": _belief,
    "equilibrium": _equilibrium,
    "hyperplay": _hyperplay,
    "hyperplay2": _hyperplay2,
    "ismcts": _ismcts,
    "merged": _merged,
    "oos": _oos,
    "pimc": _pimc,
}
