"""Terminates: no play goes on for ever."""

from __future__ import annotations

from .measures import find_measure
from .plays import Plays
from .proof import Proof
from .property import EXHAUSTIVE, INDUCTION, PLAY, Property
from .reachable import Reachable
from .verdict import Trace, Verdict, VerdictStatus

MOST_UNROLLED = 15
"""Moves up to which a bound on all plays is tried where no measure is found."""


class Terminates(Property):
    name = "terminates"
    claim = "every play comes to an end"

    def by_play(self, plays: Plays) -> Verdict | None:
        """A state that recurs is enough: play can repeat the cycle for ever."""
        for play in plays.plays:
            first: dict[object, int] = {}
            for at, state in enumerate(play):
                facts = state.facts()
                if facts in first:
                    moves = tuple(each.joint for each in play[1 : at + 1] if each.joint is not None)
                    way, loop = moves[: first[facts]], moves[first[facts] :]
                    return self._endless(way, loop, PLAY)
                first[facts] = at
        return None

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        circle = reach.circle()
        if circle is not None:
            return self._endless(*circle, EXHAUSTIVE)
        return self.verdict(
            VerdictStatus.PROVED,
            EXHAUSTIVE,
            f"no way through {reach.states} states is longer than {reach.longest}",
            value=reach.longest,
        )

    def by_induction(self, proof: Proof) -> Verdict | None:
        measure = find_measure(proof)
        if measure is not None:
            return self.verdict(VerdictStatus.PROVED, INDUCTION, measure.reason, value=measure.bound)
        for length in range(MOST_UNROLLED):
            if not proof.affordable(length + 1):
                break
            if proof.transitions.play(length + 1) is None:
                return self.verdict(
                    VerdictStatus.PROVED, INDUCTION, f"no play has {length + 1} moves", value=length
                )
        return None

    def observed(self, plays: Plays) -> Verdict | None:
        if not all(plays.whole):
            return None
        longest = max(len(play) - 1 for play in plays.plays)
        return self.verdict(
            VerdictStatus.OBSERVED, PLAY, f"{len(plays)} random plays ended, after {longest} moves at most"
        )

    def _endless(self, way: tuple[object, ...], loop: tuple[object, ...], method: str) -> Verdict:
        shows = f"the last {len(loop)} moves lead back to the same state"
        return self.verdict(
            VerdictStatus.REFUTED,
            method,
            f"after {len(way)} moves {len(loop)} more lead back to the same state",
            witness=Trace(way, shows, loop),  # type: ignore[arg-type]
        )
