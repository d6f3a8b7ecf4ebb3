"""The settings of a card player's search, with the reasons for the defaults."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

RoleMismatch = Literal["by_family", "ignore", "count_one", "exclude"]
Weighting = Literal["uniform", "inverse_choices"]


LIMITS = {2: (2000, 2000)}
"""States and tries by the number of players: with two everything is searched."""
FEW = (2, 4)
"""The same for more: four players have 2197 ways to finish a trick, and 28561 to hold the cards of one of six
hundred pseudo-heuristics. Some of these are drawn at random."""


@dataclass(frozen=True)
class ThinkingConfig:
    """The settings of a card player; each is one that the first description of the method leaves open."""

    n_worlds: int = 20
    """More hardly help: the figures settle at about twenty."""
    time_limit: float | None = None
    """Seconds; no further world is searched afterwards, but always one."""
    weighting: Weighting = "uniform"
    """Worlds count alike, or by how likely the observed moves are where all players move at random."""
    heuristics: bool = True
    """False: only what has been reached by the end of the pass counts. That is the greedy player."""
    score_term: bool = True
    """Whether what has been reached counts; without it, kings and jacks is played much worse."""
    role_mismatch: RoleMismatch = "by_family"
    """The worth of an instance whose players have other roles now: as much, less, or it does not count. By
    default it is worth as much, but in a shedding game, where a card that cannot be played now may be useless
    when it can, it does not count: otherwise 47 % and 40 % were won against counting cards."""
    role_count: int = 1
    """How many changes, with ``count_one``, a player needs to get the role of an instance."""
    others_cards: bool = False
    """Whether cards count that others may play while I play none; no gain was seen from it."""
    include_zero: bool = False
    """Whether paths that change nothing count in the mean worth of a card."""
    drop_impossible: bool = False
    """Whether instances are dropped that need a player to be without a suit and to play it."""
    active_only: bool = False
    """Whether only instances count whose conditions all hold now."""
    decided: float = 1000.0
    """The value of a won game over a lost one: more than anything on the way to it."""
    passes: int = 1
    """Passes of the main loop that are searched: one is the method, more are ours."""
    most_states: int | None = None
    """States searched for one move in one world, then one reply each; None: ``LIMITS``."""
    most_tries: int | None = None
    """Tries to find others' cards for one pseudo-heuristic and one card; None: ``LIMITS``."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            allowed = get_args(kind)
            value = getattr(self, name)
            if allowed and all(isinstance(one, str) for one in allowed) and value not in allowed:
                raise ValueError(f"{name} is one of {', '.join(allowed)}, not {value!r}")
        for name in ("n_worlds", "role_count", "passes", "most_states", "most_tries"):
            value = getattr(self, name)
            if value is None and name.startswith("most"):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} is a whole number from 1 on, not {value!r}")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise ValueError(f"time_limit is a number of seconds, not {self.time_limit!r}")

    @classmethod
    def names(cls) -> list[str]:
        """The names of all settings."""
        return [field.name for field in fields(cls)]


USUAL = ThinkingConfig()
GREEDY = ThinkingConfig(heuristics=False)
