"""How our card player thinks: what can be set, and what was measured of it."""

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
"""Where cards are to be got rid of and may come back, random players pass at will, and games played out at
random go on for ever: against a player who counts cards 66.5 % were won with these settings, and 51.7 % with
those for tricks. Where hands only shrink games have an end, and a playout that stops before it does not see
which player is out first: at president 74 % were won with the settings of shedding games, 93 % with these
(104 games). Where points are counted when all is over, the lead is nothing before: at casino 30 % were won
against a greedy player with the settings of tricks (64 games), 58 % when all games are played out (60).

Pseudo-heuristics as prior are usual where two play for tricks (bench/card_losses.py): with 300 looks 0.43 %
of what a long search wins are lost at trumps, 0.79 % without, 0.63 % with the looks that take as long. At
kings and jacks it is 0.83 % and 0.86 %, 0.75 % with as much time: no difference that can be told from chance.
At hearts for two it is 1.4 % and 2.0 %, 1.4 % with as much time; at whist for two 0.7 %, 2.1 % and 1.4 % (30
positions each). With more players there is no time for more than a few of their instances; at hearts nothing
was gained (60 positions). Playouts by their weights lose a little less at kings and jacks, more at trumps;
at crazy eights no gain was clear (+3 %, 230 games: -6 % to +12 %).

Where sets of cards make points, a card counts as its share of a set, and few decisions are looked ahead:
at go fish a rank that somebody surely has was asked for in 12 of 26 cases when only points counted, now in
all of them."""


@dataclass(frozen=True)
class CardMindConfig:
    """How it thinks. Measured at Trumps and Kings and Jacks against random and greedy players."""

    worlds: int = 64
    """Drawn for a decision where they must be drawn one by one; else every look is in another world."""
    exploration: float = 0.7
    random_others: float | None = None
    """How often others are taken to move at random, before anything was seen of them; None: ``FAMILIES``."""
    margin_weight: float = 0.0
    """How much of a reward is the lead in points instead of the victory."""
    margin_scale: float = 1.0
    world_share: float = 0.3
    """Of the time, at most, to draw worlds one by one."""
    model: Literal["none", "any_move", "learnt"] = "any_move"
    """What is believed of others: nothing that says which worlds are likelier; that they play any card; or
    that they play what is best at once, as far as they were seen to. With both they say with such hands what
    they have said with such hands before (``habits``): at one-card poker that wins a tenth of all games."""
    foresee: bool = True
    """Whether what others use to say also tells what they will say, in the search; else it only tells worlds
    apart."""
    halving: bool = True
    """Whether all moves are tried in the same worlds with the same luck, and the worse half is dropped again
    and again. With 1000 playouts this loses 3.2 % of what a long search wins, the tree alone 4.0 %."""
    greedy: float | None = None
    """How often, after the tree, a move is made that is best at once, instead of any; None: ``FAMILIES``."""
    longest: int | None = None
    """Decisions after the tree (None: ``FAMILIES``); then the lead is the reward, in points or,
    where fewer are better, in cards."""
    lead_scale: float = 5.0
    """How large a lead is that is nearly a victory."""
    prior: float | None = None
    """How much more likely to win the move is taken to be that the pseudo-heuristics hold for best than the
    one they hold for worst, before anything was tried, 0 to 1; None: ``FAMILIES``."""
    prior_looks: float = 20.0
    """Tries of a move after which half of that is left."""
    prior_worlds: int = 8
    """In which the pseudo-heuristics are asked at a decision, at most."""
    looks_a_world: int = 75
    """For so many looks they are asked in one more world: that takes as long as a dozen or two looks."""
    policy: float | None = None
    """How often, after the tree, a move is drawn by the weights of the pseudo-heuristics, before ``greedy``
    has its share of the rest; None: ``FAMILIES``."""
    sharpness: float = 4.0
    """The worst move is drawn e to this times less often than the best."""
    pool: int = 1000
    """Worlds of which those are taken that the model holds for likely."""

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
