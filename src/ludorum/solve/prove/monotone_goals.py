"""Monotone goals: no move makes the goal value of a player smaller."""

from __future__ import annotations

import numpy as np

from ...engine.game import is_nature
from .plays import Plays, moves_of
from .proof import Proof
from .property import EXHAUSTIVE, INDUCTION, PLAY, Property
from .reachable import Reachable
from .verdict import Trace, Verdict, VerdictStatus

MOST_VALUES = 30
"""Goal values of a role up to which all pairs are encoded."""


class MonotoneGoals(Property):
    name = "monotone-goals"
    claim = "no move makes the goal value of a player smaller"

    def by_play(self, plays: Plays) -> Verdict | None:
        players = plays.game.info.players
        for play in plays.plays:
            for at in range(1, len(play)):
                for role in players:
                    before, after = play[at - 1].goal(role), play[at].goal(role)
                    if before is not None and after is not None and after < before:
                        return self._falls(moves_of(play[: at + 1]), PLAY)
        return None

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        players = [at for at, role in enumerate(reach.game.roles) if not is_nature(role)]
        before, after = reach.goals[reach.parents][:, players], reach.goals[reach.children][:, players]
        falling = np.flatnonzero(np.any((after >= 0) & (after < before), axis=1))
        if not len(falling):
            return self.verdict(VerdictStatus.PROVED, EXHAUSTIVE, f"on all {len(reach.children)} moves")
        edge = int(falling[0])
        way = reach.way_to(int(reach.parents[edge]))
        return self._falls((*way, reach.joint(edge)), EXHAUSTIVE)

    def by_induction(self, proof: Proof) -> Verdict | None:
        proof.prepare()
        transitions = proof.transitions
        move = transitions.moves_from(0)
        falls = []
        for at, role in enumerate(transitions.roles):
            before, after = transitions.goals(at, 0), transitions.goals(at, 1)
            if is_nature(role):
                continue
            if len(before) > MOST_VALUES:
                return None
            falls += [
                transitions.all_of((one, other))
                for value, one in before.items()
                for less, other in after.items()
                if isinstance(value, int) and isinstance(less, int) and less < value
            ]
        if transitions.possible(move, transitions.any_of(falls)):
            return None
        return self.verdict(
            VerdictStatus.PROVED, INDUCTION, "no move from any state that satisfies the invariants does"
        )

    def observed(self, plays: Plays) -> Verdict | None:
        return self.verdict(VerdictStatus.OBSERVED, PLAY, f"in {len(plays)} random plays")

    def _falls(self, moves: tuple[tuple[object, ...], ...], method: str) -> Verdict:
        shows = "the last move makes a goal value smaller"
        return self.verdict(
            VerdictStatus.REFUTED, method, f"move {len(moves)} of a play makes a goal value smaller",
            witness=Trace(moves, shows),  # type: ignore[arg-type]
        )  # fmt: skip
