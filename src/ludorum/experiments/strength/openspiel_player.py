"""OpenSpiel's tree search as a player, in the games that both programs have."""

from __future__ import annotations

import time

import pyspiel

from ...arena.match.match import Match
from ...arena.match.seeds import seed_from
from ...engine.sight import Position
from ...players.player import Player
from ...rules.terms import Term
from ...search.decision import Choice, Decision
from .openspiel_games import TWINS, TwinBoard

EXPLORATION = 2.0
"""Its authors' default."""
MEGABYTES = 2000
FIRST_SIMULATIONS = 200
"""A first search, to find out how many simulations a second there are."""


class OpenSpielPlayer(Player):
    """Its MCTS in C++ with its solver on and one random playout an evaluation.

    It knows no clock: it makes a number of simulations that is given, or fitted to the time by those before.
    """

    name = "openspiel"
    quick = False

    def __init__(self, match: Match, seed: int, simulations: int | None = None) -> None:
        self._twin = TWINS[match.game.name]
        self._game = pyspiel.load_game(self._twin.theirs)
        self._match = match
        self._seed = seed
        self._simulations = simulations
        self._rate = 0.0
        self._board = TwinBoard(self._twin, match.game.initial())
        self._followed = 0
        """How many joint moves of the match the board has made."""

    def choose(self, position: Position, seconds: float) -> Term:
        board = self._board_now()
        self.decision = None
        if len(position.legal) == 1:
            return position.legal[0]
        if self._simulations is None and not self._rate:
            self._search(board, position.role, FIRST_SIMULATIONS)
        simulations = self._simulations or max(10, int(self._rate * seconds))
        self.decision = self._search(board, position.role, simulations)
        return self.decision.move

    def _board_now(self) -> TwinBoard:
        """The position of the match in both programs: what was played since the last question is made up
        for."""
        for joint in self._match.moves[self._followed :]:
            move = joint[self._board.seat]
            actions = self._board.actions()
            self._board.play(next(action for action, known in actions.items() if known is move))
            self._followed += 1
        return self._board

    def _search(self, board: TwinBoard, role: Term, simulations: int) -> Decision:
        seed = seed_from(self._seed, len(self._match.moves)) % 2**31
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(self._game, evaluator, EXPLORATION, simulations, MEGABYTES, True, seed, False)
        begin = time.monotonic()
        root = bot.mcts_search(board.theirs)
        took = time.monotonic() - begin
        # A proof ends the search early and says nothing of its speed.
        if root.explore_count >= simulations or not self._rate:
            self._rate = simulations / max(took, 1e-6)
        names, chosen = board.actions(), root.best_child()
        choices = [
            Choice(
                names[child.action],
                child.explore_count,
                50 + 50 * _expected(child, board.seat),
                bool(child.outcome),
            )
            for child in root.children
        ]
        choices.sort(key=lambda one: -one.visits)
        return Decision(role, names[chosen.action], tuple(choices), 0, root.explore_count, took)


def _expected(child: pyspiel.SearchNode, seat: int) -> float:
    """What a move brings its player, -1 to 1: exactly, where that is proven."""
    return float(child.outcome[seat]) if child.outcome else child.total_reward / max(1, child.explore_count)
