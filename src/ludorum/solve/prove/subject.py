"""A game under proof: its rules, and the results that all properties share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ...asp.ground import WITHOUT_CLOCK, GroundingError, GroundProgram, ground_rules
from ...engine.compiled import CompiledGame
from ...engine.endless_growth import endless_growth
from ...engine.errors import GameError
from ...engine.game import Game
from ...engine.lifted import LiftedGame
from ...rules.dependencies import is_stratified
from ...rules.ruleset import Ruleset
from ...rules.terms import Term
from ...search.budget import Stopwatch
from .plays import Plays, play_at_random
from .reachable import Reachable, reach_all


@dataclass(frozen=True)
class ProofLimits:
    """How much a proof may take, besides its time."""

    states: int = 300_000
    """States up to which a game is explored as a whole."""
    megabytes: float = 3000.0
    plays: int = 1000
    """Random plays that a claim must survive before a proof is tried."""
    explore: bool = True
    induct: bool = True


class Subject:
    """The rules, and results that all properties share, each computed on first use."""

    def __init__(
        self, rules: Ruleset, name: str, watch: Stopwatch, limits: ProofLimits, seed: int = 0
    ) -> None:
        self.rules = rules
        self.name = name
        self.watch = watch
        self.limits = limits
        self.seed = seed
        self.trouble: list[str] = []
        """Why some methods could not be used, in words."""
        self.game: Game = LiftedGame(rules, name)

    def seconds(self, share: float) -> float:
        """A share of the time that is left; where no clock runs, counts and memory bound the work."""
        left = self.watch.seconds_left
        return WITHOUT_CLOCK if left is None else max(0.05, left * share)

    @cached_property
    def compiled(self) -> CompiledGame | None:
        """The game as a circuit; None where it does not compile in time."""
        try:
            return CompiledGame(
                self.rules, self.name, seconds=self.seconds(0.4), megabytes=self.limits.megabytes,
                stop=self.watch.budget.stop,
            )  # fmt: skip
        except GameError as error:
            self.trouble.append(str(error))
            return None

    @cached_property
    def plays(self) -> Plays:
        """Random plays on the fastest engine available."""
        game = self.game if self.compiled is None else self.compiled
        return play_at_random(game, self.limits.plays, self.watch, self.seconds(0.15), self.seed)

    @cached_property
    def reachable(self) -> Reachable | None:
        """All reachable states; None where there are too many."""
        if not self.limits.explore or self.compiled is None:
            return None
        found = reach_all(self.compiled, self.watch, self.limits.states)
        if found is None:
            self.trouble.append("there are too many states to visit them all")
        return found

    @cached_property
    def growth(self) -> str:
        """What makes terms grow for ever, in words; empty where no play shows it."""
        return endless_growth(self.rules, self.name)

    @cached_property
    def program(self) -> GroundProgram | None:
        """The ground rules; None where induction over them is not possible."""
        if not self.limits.induct:
            return None
        if not is_stratified(self.rules):
            self.trouble.append("negation runs in a circle: no induction")
            return None
        if self.growth:
            return None  # the failed compilation has already noted why
        try:
            return ground_rules(
                self.rules, self.seconds(0.4), self.limits.megabytes, stop=self.watch.budget.stop
            )
        except GroundingError as error:
            self.trouble.append(str(error))
            return None

    @cached_property
    def fluents(self) -> list[Term]:
        """The fluents of the ground rules, in the order of proofs."""
        assert self.program is not None
        named: Sequence[Term | None] = self.program.atoms
        return [_argument(named[at]) for at in self.program.true_atoms.tolist()]


def _argument(atom: Term | None) -> Term:
    assert atom is not None
    argument = atom.args[0]
    assert isinstance(argument, Term)
    return argument
