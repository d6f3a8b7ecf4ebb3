"""What a property is: a claim about a game, and the ways in which it can be decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .plays import Plays
from .proof import Proof
from .reachable import Flags, Reachable
from .transitions import Literal, Transitions
from .verdict import Trace, Verdict, VerdictStatus

if TYPE_CHECKING:
    from ...engine.game import State
    from .subject import Subject

EXHAUSTIVE, INDUCTION, PLAY, RULES = "exhaustive", "induction", "play", "rules"


class Property(ABC):
    """A claim. Each method returns a verdict, or None where it cannot decide."""

    name: str
    claim: str
    """What a proof of it means, in a line."""

    def by_rules(self, subject: Subject) -> Verdict | None:
        """The verdict from the rules alone, without play or search."""
        return None

    def by_play(self, plays: Plays) -> Verdict | None:
        """The verdict that some plays suffice for: a counterexample to a claim about all, or an example."""
        return None

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        """The verdict from all reachable states, which decide every property."""
        return None

    def by_induction(self, proof: Proof) -> Verdict | None:
        """The verdict by induction over one step, and by search through plays of bounded length."""
        return None

    def observed(self, plays: Plays) -> Verdict | None:
        """The verdict where plays refute nothing: observed, with what was seen."""
        return None

    def verdict(
        self,
        status: VerdictStatus,
        method: str,
        reason: str,
        *,
        value: object = None,
        witness: Trace | None = None,
    ) -> Verdict:
        return Verdict(self.name, status, reason, value, witness, method)


class Always(Property):
    """A claim about every reachable state."""

    @abstractmethod
    def fault(self, state: State) -> str | None:
        """What is wrong with a state, in words; None where nothing is."""

    @abstractmethod
    def faults(self, reach: Reachable) -> Flags:
        """Which states are faulty."""

    @abstractmethod
    def bad(self, transitions: Transitions, step: int) -> Literal:
        """The literal that holds where a state is faulty."""

    def value(self) -> object:
        """The verdict's value, beyond its status."""
        return None

    def by_play(self, plays: Plays) -> Verdict | None:
        found = plays.find(self.fault)
        if found is None:
            return None
        moves, told = found
        return self.verdict(
            VerdictStatus.REFUTED, PLAY, f"after {len(moves)} moves {told}", witness=Trace(moves, told)
        )

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        faulty = self.faults(reach)
        if not faulty.any():
            return self.verdict(
                VerdictStatus.PROVED,
                EXHAUSTIVE,
                f"in all {reach.states} reachable states",
                value=self.value(),
            )
        return self.refuted(reach.way_to(int(faulty.argmax())), reach, EXHAUSTIVE)

    def refuted(self, moves: tuple[tuple[object, ...], ...], reach: Reachable, method: str) -> Verdict:
        """A verdict whose reason says what is wrong with the last state of the play."""
        trace = Trace(moves, "")  # type: ignore[arg-type]
        told = self.fault(trace.replay(reach.game)[-1]) or "it does not hold"
        return self.verdict(
            VerdictStatus.REFUTED,
            method,
            f"after {len(moves)} moves {told}",
            witness=Trace(trace.moves, told),
        )

    def by_induction(self, proof: Proof) -> Verdict | None:
        how = proof.never(self.bad)
        if how is not None:
            return self.verdict(VerdictStatus.PROVED, INDUCTION, how, value=self.value())
        play, complete = proof.search(lambda step: (self.bad(proof.transitions, step),), longest=12)
        if play is not None:
            return self.verdict(
                VerdictStatus.REFUTED,
                INDUCTION,
                f"a play of {len(play)} moves breaks it",
                witness=Trace(play, "it does not hold"),
            )
        if complete:
            return self.verdict(VerdictStatus.PROVED, INDUCTION, "no play breaks it", value=self.value())
        return None

    def observed(self, plays: Plays) -> Verdict | None:
        states = sum(1 for _ in plays.states)
        return self.verdict(
            VerdictStatus.OBSERVED,
            PLAY,
            f"in {states} states of {len(plays)} random plays",
            value=self.value(),
        )
