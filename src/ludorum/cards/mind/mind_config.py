"""The settings of our card player, and the measurements behind them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from .family import Family


@dataclass(frozen=True)
class FamilySettings:
    """Settings of the search that depend on the family of a game."""

    random_others: float
    greedy: float
    longest: int
    prior: float = 0.0
    policy: float = 0.0

    @property
    def is_advised(self) -> bool:
        """Whether pseudo-heuristics take part, for which the chart must be analysed."""
        return self.prior > 0 or self.policy > 0


FAMILIES: dict[Family, FamilySettings] = {
    "tricks": FamilySettings(0.8, 0.5, 40, prior=0.4),
    "shedding": FamilySettings(0.0, 0.9, 10),
    "climbing": FamilySettings(0.8, 0.5, 40),
    "reckoning": FamilySettings(0.8, 0.0, 400),
    "collecting": FamilySettings(0.8, 0.5, 10),
}
"""Where cards are to be got rid of and may come back, random players pass at will, and random playouts go on
for ever: against a player that counts cards 66.5 % were won with these settings, and 51.7 % with those for
tricks. Where hands only shrink games have an end, and a playout that stops before it does not see which
player is out first: at president 74 % were won with the settings of shedding games, 93 % with these (104
games). Where points are counted at the very end, the lead means nothing before: at casino 30 % were won
against a greedy player with the settings of tricks (64 games), 58 % when all games are played out (60).

Pseudo-heuristics as prior are usual where two play for tricks (bench/card_losses.py): with 300 looks 0.43 %
of what a long search wins are lost at trumps, 0.79 % without, 0.63 % with the looks that take as long. At
kings and jacks it is 0.83 % and 0.86 %, 0.75 % with as much time: no difference that can be told from chance.
At hearts for two it is 1.4 % and 2.0 %, 1.4 % with as much time; at whist for two 0.7 %, 2.1 % and 1.4 % (30
positions each). With more players there is no time for more than a few of their instances; at hearts nothing
was gained (60 positions). Playouts by their weights lose a little less at kings and jacks, more at trumps;
at crazy eights no gain was clear (+3 %, 230 games: -6 % to +12 %).

Where sets of cards make points, a card counts as its share of a set, and few decisions are searched: at go
fish a rank that another player surely has was asked for in 12 of 26 cases when only points counted, now in
all of them."""


@dataclass(frozen=True)
class CardMindConfig:
    """The settings. Measured at Trumps and Kings and Jacks against random and greedy players."""

    worlds: int = 64
    """Worlds of a decision where they must be drawn one by one; else every look has another."""
    exploration: float = 0.7
    random_others: float | None = None
    """The share of random moves of the others, before anything was seen of them; None: ``FAMILIES``."""
    margin_weight: float = 0.0
    """The share of a reward that is the lead in points instead of the victory."""
    margin_scale: float = 1.0
    world_share: float = 0.3
    """The largest share of the time for drawing worlds one by one."""
    model: Literal["none", "any_move", "learnt"] = "any_move"
    """The model of the others: none, so that all worlds are as likely; that they play any card; or that they
    play what is best at once, as far as observed. With both of the latter they choose with such hands what
    they have chosen with such hands before (``habits``): at one-card poker that wins a tenth of all games."""
    foresee: bool = True
    """Whether the others' habits also predict their choices in the search; else they only weight worlds."""
    halving: bool = True
    """Whether all moves are tried in the same worlds with the same luck, and the worse half is dropped
    repeatedly. With 1000 playouts this loses 3.2 % of what a long search wins, the tree alone 4.0 %."""
    greedy: float | None = None
    """The share of moves after the tree that are best at once, instead of random; None: ``FAMILIES``."""
    longest: int | None = None
    """Decisions after the tree (None: ``FAMILIES``); then the lead is the reward, in points or,
    where fewer are better, in cards."""
    lead_scale: float = 5.0
    """The size of a lead that is nearly a victory."""
    prior: float | None = None
    """The prior difference in winning chances between the moves that the pseudo-heuristics rate best and
    worst, 0 to 1; None: ``FAMILIES``."""
    prior_looks: float = 20.0
    """Tries of a move after which half of the prior is left."""
    prior_worlds: int = 8
    """Most worlds in which the pseudo-heuristics are evaluated at a decision."""
    looks_a_world: int = 75
    """For so many looks they are evaluated in one more world: that takes as long as a dozen or two looks."""
    policy: float | None = None
    """The share of moves after the tree that are drawn by the weights of the pseudo-heuristics, before
    ``greedy`` has its share of the rest; None: ``FAMILIES``."""
    sharpness: float = 4.0
    """The worst move is drawn e to this times less often than the best."""
    pool: int = 1000
    """Worlds from which those are taken that are likely under the model."""

    def __post_init__(self) -> None:
        if self.model not in ("none", "any_move", "learnt"):
            raise ValueError(f"model is one of none, any_move, learnt, not {self.model!r}")
        for name in ("worlds", "pool", "prior_worlds", "looks_a_world"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is a whole number from 1 on, not {getattr(self, name)!r}")
        for name in ("random_others", "greedy", "prior", "policy"):
            share = getattr(self, name)
            if share is not None and not 0 <= share <= 1:
                raise ValueError(f"{name} is a share, 0 to 1, not {share!r}")
        for name in ("prior_looks", "sharpness"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is a number above 0, not {getattr(self, name)!r}")

    def settings_for(self, family: Family, players: int = 2) -> FamilySettings:
        """The settings given here, and for the rest those of the family."""
        usual = FAMILIES[family]
        if players > 2:
            usual = replace(usual, prior=0.0)
        return FamilySettings(
            usual.random_others if self.random_others is None else self.random_others,
            usual.greedy if self.greedy is None else self.greedy,
            usual.longest if self.longest is None else self.longest,
            usual.prior if self.prior is None else self.prior,
            usual.policy if self.policy is None else self.policy,
        )
