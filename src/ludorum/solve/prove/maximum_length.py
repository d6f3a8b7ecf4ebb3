"""Maximum length: the number of moves in the longest play (asp-player, section 10)."""

from __future__ import annotations

from ...engine.game import JointMove
from .measures import find_measure
from .plays import Plays, moves_of
from .proof import OutOfTime, Proof
from .property import EXHAUSTIVE, INDUCTION, PLAY, Property
from .reachable import Reachable
from .verdict import Trace, Verdict, VerdictStatus


class MaximumLength(Property):
    """Proved with a play of that length as witness, or as a bound that perhaps no play reaches."""

    name = "maximum-length"
    claim = "no play has more moves than the value says"

    def __init__(self) -> None:
        self.seen: tuple[JointMove, ...] = ()

    def by_play(self, plays: Plays) -> Verdict | None:
        whole = [play for play, ended in zip(plays.plays, plays.whole, strict=True) if ended]
        self.seen = moves_of(max(whole, key=len)) if whole else ()
        return None

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        circle = reach.circle()
        if circle is not None:
            way, loop = circle
            return self.verdict(
                VerdictStatus.REFUTED, EXHAUSTIVE, "play can go in a circle",
                witness=Trace(way, "play can go in a circle", loop),
            )  # fmt: skip
        return self._exactly(reach.longest or 0, longest_way(reach), EXHAUSTIVE)

    def by_induction(self, proof: Proof) -> Verdict | None:
        measure = find_measure(proof)
        bound = None if measure is None else measure.bound
        if bound is not None and len(self.seen) == bound:
            return self._exactly(bound, self.seen, INDUCTION)
        try:
            exact = self._unroll(proof, bound)
        except OutOfTime:
            exact = None
        if exact is not None:
            return exact
        if measure is None:
            return None
        return self.verdict(
            VerdictStatus.PROVED, INDUCTION, f"{measure.reason}; whether a play is that long is open",
            value={"at_most": bound, "at_least": len(self.seen)},
        )  # fmt: skip

    def _unroll(self, proof: Proof, bound: int | None) -> Verdict | None:
        """The smallest length that no play exceeds: semantic, and exact."""
        most = 30 if bound is None else bound
        play = proof.transitions.play(len(self.seen)) or ()
        while len(play) < most and proof.affordable(len(play) + 1):
            longer = proof.transitions.play(len(play) + 1)
            if longer is None:
                return self._exactly(len(play), play, INDUCTION)
            play = longer
        return self._exactly(len(play), play, INDUCTION) if len(play) == bound else None

    def observed(self, plays: Plays) -> Verdict | None:
        if not self.seen or not all(plays.whole):
            return None
        return self.verdict(
            VerdictStatus.OBSERVED, PLAY, f"the longest of {len(plays)} random plays", value=len(self.seen)
        )

    def _exactly(self, length: int, moves: tuple[JointMove, ...], method: str) -> Verdict:
        return self.verdict(
            VerdictStatus.PROVED, method, f"the longest play has {length} moves",
            value=length, witness=Trace(moves, f"a play of {length} moves"),
        )  # fmt: skip


def longest_way(reach: Reachable) -> tuple[JointMove, ...]:
    """The joint moves of a longest play, where no play is endless."""
    depth, _ = reach.depths
    state = int(depth.argmax())
    edges: list[int] = []
    # Back from the end: some incoming edge starts at a state one move less deep.
    inward: dict[int, int] = {}
    steep = (depth[reach.parents] + 1 == depth[reach.children]).nonzero()[0]
    for edge, child in zip(steep.tolist(), reach.children[steep].tolist(), strict=True):
        inward.setdefault(child, edge)
    while state in inward:
        edges.append(inward[state])
        state = int(reach.parents[edges[-1]])
    return tuple(reach.joint(edge) for edge in reversed(edges))
