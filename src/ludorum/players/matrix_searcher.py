"""Play of games in which several choose at once, from the values of all states where these are few.

Two players with opposed goals mix as the theory of matrix games says: no answer gets more against that than
the state is worth. That goals are opposed is checked at every end. In other games each role plays for itself.
The move is drawn; the seed, the state and the role decide which.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from ..engine.compiled import CompiledState
from ..engine.count_packed import is_small
from ..engine.game import Game, State
from ..engine.information import has_no_secret
from ..engine.words import Named
from ..rules.terms import Term, format_term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Choice, Decision
from ..search.mixed import NoAdviceError
from ..search.state_graph import UnsolvedError
from ..solve.values.each_for_itself import EachForItself
from ..solve.values.simultaneous import Induction, NotOpposedError
from .drawn_move import drawn_number

SURE = 1e-9
"""The chance above which a move counts as played."""


@dataclass(frozen=True)
class MatrixConfig:
    """Settings that may be changed, with their defaults."""

    limit: int = 5_000
    """The most states that are valued: about a second of work, where the game has a circuit."""
    most_joints: int = 50_000
    """The most joint moves in all of these states."""
    most_cells: int = 256
    """The largest matrix that is solved: a tenth of a second, in fractions."""
    seed: int = 0


class MatrixSearcher:
    """Values all states that follow from the one it is asked about, once these are few; NoAdviceError before
    that, or where something is hidden."""

    def __init__(self, game: Game, config: MatrixConfig | None = None) -> None:
        self.game = game
        self.config = config or MatrixConfig()
        self.forget()

    def forget(self) -> None:
        self._known: Induction | EachForItself | None = None

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role, watch = state.game.role(role), Stopwatch(budget)
        if self._known is None or self._known.values.get(state) is None:
            self._known = self._solve(state, watch)
        return self._decide(state, role, self._known, watch)

    def _solve(self, state: State, watch: Stopwatch) -> Induction | EachForItself:
        if state.is_terminal or not has_no_secret(self.game):
            raise NoAdviceError("this game is not valued state by state")
        if self._is_too_large(state):  # it may be small later in the match
            raise NoAdviceError(f"more than {self.config.limit} states, or too many joint moves, follow")
        try:
            return self._solve_opposed(state, watch) or self._solve_apart(state, watch)
        except UnsolvedError as error:
            raise NoAdviceError(str(error)) from error

    def _is_too_large(self, state: State) -> bool:
        """Whether this is known at once; without a circuit states are counted while they are valued."""
        config = self.config
        return isinstance(state, CompiledState) and not is_small(
            state.game, state, config.limit, config.most_joints
        )

    def _solve_opposed(self, state: State, watch: Stopwatch) -> Induction | None:
        if len(self.game.info.players) != 2:
            return None
        found = Induction(state, watch, self.config.limit, self.config.most_cells)
        try:
            found.run()
        except NotOpposedError:
            return None
        return found

    def _solve_apart(self, state: State, watch: Stopwatch) -> EachForItself:
        found = EachForItself(state, watch, self.config.limit)
        found.run()
        return found

    def _decide(
        self, state: State, role: Term, known: Induction | EachForItself, watch: Stopwatch
    ) -> Decision:
        play = known.play(state)
        chances, worth = play.chances[role], play.worth[role]
        moves = sorted(chances, key=lambda move: (-chances[move], -worth[move], move))
        drawn = moves[drawn_number([chances[move] for move in moves], self._seed(state, role))]
        is_proof = isinstance(known, Induction)
        choices = [
            Choice(move, 0, worth[move], is_proof and chances[move] > SURE, chances[move]) for move in moves
        ]
        choices.sort(key=lambda choice: choice.move is not drawn)
        return Decision(
            role,
            drawn,
            tuple(choices),
            len(known.values),
            0,
            watch.seconds,
            proven=is_proof,
            settled=True,
            reasons=(_reason(drawn, chances[drawn], play.value(role), is_proof),),
        )

    def _seed(self, state: State, role: Term) -> int:
        """Another one for each role: two players with the same seed must not choose alike."""
        return self.config.seed + (crc32(f"{role} {state}".encode()) << 16)


def _reason(move: Term, chance: float, value: float, is_proof: bool) -> str:
    drawn = f"{format_term(move)} is drawn with probability {chance:.3f}"
    if is_proof:
        return f"{drawn}: the best mixture, with which no answer leaves less than {value:.2f}"
    return f"{drawn}: where each plays for itself, this is worth {value:.2f}"
