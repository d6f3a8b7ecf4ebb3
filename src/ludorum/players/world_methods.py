"""Methods for rule sheets that hide something: each decides by worlds that agree with what was told.

A recipe names them as it names searches of open games; ``methods`` finds both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from ..engine.game import Game
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import Decision, Searcher
from ..search.world_votes import WorldSearcher

if TYPE_CHECKING:
    from ..knowledge.worlds import WorldSampler


class WorldMethod(Protocol):
    """Decides for one role of one match by its worlds."""

    def prepare(self, seconds: float | None) -> None:
        """Get ready before the match, within about so many seconds; None where work is counted."""
        ...

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        """The best move; NoAdviceError where the method has no answer here."""
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
    kept = "that agree" if worlds.is_exact else "kept of those that agree"
    return f"{searched} worlds were searched, drawn from {worlds.size} {kept}"


class OwnSearch(SampledMethod):
    """A search of open games in every world: what search players without a method for worlds do."""

    def __init__(self, searcher: Searcher, count: int = 20) -> None:
        from ..search.pimc import Pimc

        super().__init__(count, lambda seed: Pimc(searcher))


@dataclass(frozen=True)
class SheetIsmctsConfig:
    """Settings of search over information sets."""

    worlds: int = 1000
    """The most worlds that are drawn for a decision."""
    exploration: float = 0.7
    random_others: float = 0.0
    max_steps: int = 2000
    games_a_leaf: int = 8
    observers: str = "all"
    """``one``: nodes are what the searching role has seen; ``all``: what each role has seen, for its own."""

    def __post_init__(self) -> None:
        if self.observers not in ("one", "all"):
            raise ValueError(f"observers is one or all, not {self.observers!r}")


def _ismcts() -> WorldMethodKind:
    from ..search.ismcts import Ismcts, IsmctsConfig

    def make(game: Game, role: Term, config: SheetIsmctsConfig) -> WorldMethod:
        tree = IsmctsConfig(
            config.exploration,
            config.random_others,
            config.max_steps,
            games_a_leaf=config.games_a_leaf,
            observers="one" if config.observers == "one" else "all",
        )
        return SampledMethod(config.worlds, lambda seed: Ismcts(replace(tree, seed=seed)))

    return WorldMethodKind(make, SheetIsmctsConfig)


def _hyperplay() -> WorldMethodKind:
    from ..search.hyperplay import HyperPlay, HyperPlayConfig

    def make(game: Game, role: Term, config: HyperPlayConfig) -> WorldMethod:
        return SampledMethod(config.worlds, HyperPlay(game, config).seeded)

    return WorldMethodKind(make, HyperPlayConfig)


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
    "equilibrium": _equilibrium,
    "hyperplay": _hyperplay,
    "ismcts": _ismcts,
    "pimc": _pimc,
}
