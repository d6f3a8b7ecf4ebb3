"""Players of card games that use their charts: HYPER-HEUR, its greedy variant, an honest one.

They see percepts only: their knowledge of a match is built from percepts alone, step by step.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..cards.heuristic import GREEDY, USUAL, CardDecision, HeuristicThinker, ThinkingConfig
from ..cards.machine.game import CardGame, move_of, option_of
from ..cards.machine.hand_scale import LARGEST, HandScale
from ..cards.machine.reasons import NeedMove
from ..cards.worlds.knowledge import Knowledge
from ..engine.game import Game
from ..engine.sight import Position
from ..rules.terms import Term
from ..search.budget import Budget
from .following import because
from .player import Player
from .recipe import no_setting
from .world_search import WorldSearch

PLAYOUTS = 200
"""Playouts of the search over worlds that replaces a method that failed."""
SAFETY = 0.8
"""The share of a clock that is thought with: a world that was begun is finished."""


class CardPlayer(Player):
    """Looks at every move in worlds that agree with its knowledge, one pass of the main loop ahead."""

    name = "hyper_heur"

    def __init__(self, seed: int = 0, config: ThinkingConfig = USUAL, name: str = "") -> None:
        self.name = name or self.name
        self.config = config
        self.card_decision: CardDecision | None = None
        """The last decision with its worlds and values."""
        self._seed = seed
        self._game: CardGame | None = None
        self._thinker: HeuristicThinker | None = None
        self._knowledge: Knowledge | None = None

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self._begin(game, role)

    def observe(self, position: Position) -> None:
        self._follow(position)

    def choose(self, position: Position, seconds: float) -> Term:
        deadline = time.monotonic() + SAFETY * seconds
        knowledge = self._follow(position)
        if len(position.legal) == 1:
            return position.legal[0]
        return self._decide(knowledge, position.legal, deadline)

    def _follow(self, position: Position) -> Knowledge:
        """The knowledge after one more step."""
        if position.state is not None and position.state.joint is None:
            self._begin(position.state.game, position.role)
        if self._knowledge is None:
            raise ValueError(f"{self.name} must see a match from its beginning")
        return self._knowledge.observe(position.view.percepts)

    def _decide(self, knowledge: Knowledge, legal: Sequence[Term], deadline: float) -> Term:
        """One of several moves."""
        self.decision = self.card_decision = None
        if self._thinker is not None:
            moves = {option_of(move): move for move in legal}
            try:
                self.card_decision = self._thinker.decide(knowledge, list(moves), deadline)
                return moves[self.card_decision.option]
            except Exception as error:
                self._fall_back(error)
        assert self._game is not None
        left = max(0.001, deadline - time.monotonic())
        search = WorldSearch(self._game, knowledge, self._seed + knowledge.position.step)
        self.decision = search.decide(Budget(seconds=left, playouts=PLAYOUTS))
        return self.decision.move

    def _fall_back(self, error: Exception) -> None:
        self._thinker = None
        self.fallback = because("plain search over worlds", error)

    def stop(self) -> None:
        self._knowledge = None

    def _begin(self, game: Game, role: Term) -> None:
        if not isinstance(game, CardGame):
            raise ValueError(f"{self.name} plays card games from flow charts; {game.name} is none")
        if self._game is not game:
            self._game, self.fallback = game, ""
            try:
                self._thinker = self._make_thinker(game)
            except Exception as error:
                self._fall_back(error)
        self._knowledge = Knowledge.of(game, game.players.index(role))

    def _make_thinker(self, game: CardGame) -> HeuristicThinker:
        return HeuristicThinker(game, self.config, self._seed)


class CardGreedyPlayer(CardPlayer):
    """Like hyper_heur, but counts only what is reached by the end of the pass: scores, or cards left."""

    name = "card_greedy"

    def __init__(self, seed: int = 0, config: ThinkingConfig = GREEDY, name: str = "") -> None:
        super().__init__(seed, replace(config, heuristics=False), name)


class CardHonestPlayer(CardGreedyPlayer):
    """Like card_greedy with cards, but bids and calls what its hand is worth, which tells others much."""

    name = "card_honest"

    def _decide(self, knowledge: Knowledge, legal: Sequence[Term], deadline: float) -> Term:
        said = honest_choice(knowledge)
        return super()._decide(knowledge, legal, deadline) if said is None else move_of(said)


def honest_choice(knowledge: Knowledge) -> Term | None:
    """The option as far up the chart's list as the hand is among all hands, where options are no cards.

    None where a card is asked for. Charts list bids from the lowest to the highest, and folding before
    calling.
    """
    _, reason = knowledge.game.machine.advance(knowledge.position, 1)
    if not isinstance(reason, NeedMove) or reason.template is not None or len(knowledge.hand) > LARGEST:
        return None
    share = HandScale.of(knowledge.game.chart, knowledge.position).share(knowledge.hand)
    return reason.options[min(int(share * len(reason.options)), len(reason.options) - 1)]


_PLAYERS: dict[str, type[CardPlayer]] = {
    one.name: one for one in (CardPlayer, CardGreedyPlayer, CardHonestPlayer)
}


def card_player(name: str, seed: int, settings: Mapping[str, object]) -> CardPlayer:
    """The player of that name with settings; ValueError where there is no such setting."""
    unknown = sorted(set(settings) - set(ThinkingConfig.names()))
    if unknown:
        raise ValueError(no_setting(f"player {name!r}", unknown[0], ThinkingConfig.names()))
    written = ":" + ",".join(f"{key}={value}" for key, value in settings.items()) if settings else ""
    return _PLAYERS[name](seed, ThinkingConfig(**settings), name + written)  # type: ignore[arg-type]
