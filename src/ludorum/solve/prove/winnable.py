"""Winnable: weakly, if all help; strongly, if one role can do it alone (Love et al., section 6)."""

from __future__ import annotations

from ...engine.game import JointMove, is_nature
from ...engine.information import find_secret
from ...rules.terms import Term
from ..horizon import OutOfTime
from .plays import Plays, moves_of
from .proof import Proof
from .property import EXHAUSTIVE, INDUCTION, PLAY, Property
from .reachable import Reachable
from .transitions import Literal
from .verdict import Trace, Verdict, VerdictStatus

BEST = 100
MOST_UNROLLED = 40


class Winnable(Property):
    """For every player some play ends with 100 for it. The value holds one such play for each."""

    name = "winnable"
    claim = "for every player some play ends with the goal value 100 for it"

    def __init__(self) -> None:
        self.won: dict[Term, tuple[JointMove, ...]] = {}

    def by_play(self, plays: Plays) -> Verdict | None:
        players = plays.game.info.players
        for play, whole in zip(plays.plays, plays.whole, strict=True):
            for role in players if whole else ():
                if play[-1].goal(role) == BEST:
                    self.won.setdefault(role, moves_of(play))
        return self._won(PLAY) if all(role in self.won for role in players) else None

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        for at, role in enumerate(reach.game.roles):
            ends = (reach.terminal & (reach.goals[:, at] == BEST)).nonzero()[0]
            if is_nature(role):
                continue
            if not len(ends):
                return self._lost(role, EXHAUSTIVE, f"in none of {int(reach.terminal.sum())} terminal states")
            self.won[role] = reach.way_to(int(ends[0]))
        return self._won(EXHAUSTIVE)

    def by_induction(self, proof: Proof) -> Verdict | None:
        transitions = proof.transitions
        for at, role in enumerate(proof.program.roles):
            if is_nature(role) or role in self.won:
                continue

            def wins(step: int, at: int = at) -> tuple[Literal, ...]:
                goals = transitions.goals(at, step)
                best = goals.pop(BEST, None)
                if best is None:
                    return (transitions.any_of(()),)  # never
                # With another goal value beside it, 100 does not count as the role's value.
                return (transitions.terminal(step), best, *(-other for other in goals.values()))

            never = proof.never(lambda _, step, wins=wins: transitions.all_of(wins(step)))  # type: ignore[misc]
            if never is not None:
                return self._lost(role, INDUCTION, never)
            play, complete = proof.search(wins, MOST_UNROLLED)
            if play is None:
                return self._lost(role, INDUCTION, "no play ends so") if complete else None
            self.won[role] = play
        return self._won(INDUCTION)

    def _won(self, method: str) -> Verdict:
        plays = {
            str(role): [[str(move) for move in joint] for joint in play] for role, play in self.won.items()
        }
        role, moves = max(self.won.items(), key=lambda item: len(item[1]))
        return self.verdict(
            VerdictStatus.PROVED, method, "a play was found for every player",
            value=plays, witness=Trace(moves, f"{role} has 100 at the end"),
        )  # fmt: skip

    def _lost(self, role: Term, method: str, why: str) -> Verdict:
        return self.verdict(
            VerdictStatus.REFUTED,
            method,
            f"{role} never has 100 at the end: {why}",
            value={"role": str(role)},
        )


class StronglyWinnable(Property):
    """Some player can reach 100 whatever the others do, even where they know its move."""

    name = "strongly-winnable"
    claim = "some player can force a play that ends with the goal value 100 for it"

    def by_play(self, plays: Plays) -> Verdict | None:
        if len(plays.game.roles) > 1:
            return None
        verdict = Winnable().by_play(plays)
        return verdict and self._like(verdict)

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        winners = []
        for at, role in enumerate(reach.game.roles):
            if is_nature(role):
                continue
            if bool(reach.forced(at, reach.terminal & (reach.goals[:, at] == BEST))[0]):
                winners.append(str(role))
        secret = find_secret(reach.game) if winners else None
        if secret is not None:  # what no role can force with all information open, none can force with less
            return self.verdict(
                VerdictStatus.UNKNOWN, EXHAUSTIVE,
                f"{' and '.join(winners)} could force it if nothing were hidden, but {secret.reason}",
            )  # fmt: skip
        if winners:
            return self.verdict(
                VerdictStatus.PROVED,
                EXHAUSTIVE,
                f"{' and '.join(winners)} can force it, in {reach.states} states",
                value={"roles": winners},
            )
        return self.verdict(
            VerdictStatus.REFUTED, EXHAUSTIVE, f"no player can force it, in {reach.states} states"
        )

    def by_induction(self, proof: Proof) -> Verdict | None:
        if len(proof.program.roles) > 1:
            return None
        try:
            verdict = Winnable().by_induction(proof)
        except OutOfTime:
            return None
        return verdict and self._like(verdict)

    def _like(self, verdict: Verdict) -> Verdict:
        """The verdict for a single role, which can force whatever can happen."""
        return self.verdict(
            verdict.status, verdict.method, f"one role only: {verdict.reason}",
            value=verdict.value, witness=verdict.witness,
        )  # fmt: skip
