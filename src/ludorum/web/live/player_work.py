"""What a worker of the pool does: it asks players for moves, and keeps games and players that may be asked
again.

A request contains everything that is needed, so any worker can answer it; one that has answered the step
before goes on with the same game and player.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import TypedDict

from ...arena.match.seeds import seed_from
from ...engine.game import Game, State, View
from ...engine.sight import Position, position_of
from ...players import make_player
from ...processes.descendants import resident_megabytes
from ...rules.kif import parse_term
from ...rules.terms import Term, format_term
from .analysis import Evaluations, final_values, opinion, told_decision
from .arbiter import game_of
from .patient_guard import PatientGuard
from .plan import GameText, Json
from .report import play_slice

MOST_GAMES = 8
MOST_PLAYERS = 256
"""Games and players that are kept …"""
MOST_MEGABYTES = 1500.0
"""… as long as this process is smaller than that: a tree of a search may hold a hundred megabytes."""


class MoveRequest(TypedDict):
    """Everything that a player needs, and nothing that its role may not know."""

    game: Json
    match: str
    role: str
    player: str
    seed: int
    """The player's own seed, which tells nothing of nature's draws."""
    seconds: float
    sight: Json


class PlayerWork:
    """The games and players of one worker."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._players: OrderedDict[tuple[str, str, str], KeptPlayer] = OrderedDict()
        self._asked: KeptPlayer | None = None
        self._evaluations = Evaluations()

    def move(self, request: MoveRequest) -> Json:
        """A player's move, with why it is not its own, if it is not."""
        kept = self._asked = self._kept(request)
        try:
            return kept.choose(request["sight"], request["seconds"])
        finally:
            self._asked = None
            self._make_room()

    def analyse(self, request: MoveRequest) -> Json:
        """The opinion of a player on a position: values, candidates, the principal line, reasons."""
        kept = self._asked = self._kept(request)
        try:
            return kept.analyse(request["sight"], request["seconds"], self._evaluations)
        finally:
            self._asked = None

    def opinion(self, request: MoveRequest) -> Json:
        """What worlds say that agree with all that a role was told."""
        game = self._game(GameText(**request["game"]))
        role = game.role(request["role"])
        return opinion(game, role, request["sight"]["positions"], request["seconds"])

    def report_slice(self, game: Json, seed: int, most: int) -> Json:
        """Counts of some random games."""
        return play_slice(self._game(GameText(**game)), seed, most)

    def hurry(self) -> None:
        """Make the player that is asked answer now."""
        if self._asked is not None:
            self._asked.guard.hurry()

    def _kept(self, request: MoveRequest) -> KeptPlayer:
        key = request["match"], request["role"], request["player"]
        kept = self._players.get(key)
        game = self._game(GameText(**request["game"]))
        if kept is None or kept.game is not game:
            kept = self._players[key] = KeptPlayer(game, request)
        self._players.move_to_end(key)
        while len(self._players) > MOST_PLAYERS:
            self._drop_oldest()
        return kept

    def _make_room(self) -> None:
        """Drop the players that were not asked for longest where this process is too large."""
        for _ in range(len(self._players) // 2):
            if resident_megabytes(os.getpid()) < MOST_MEGABYTES:
                break
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        self._players.popitem(last=False)[1].guard.stop()

    def _game(self, text: GameText) -> Game:
        game = self._games.get(text.text)
        if game is None:
            game = self._games[text.text] = game_of(text, "auto")
        self._games.move_to_end(text.text)
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return game


class KeptPlayer:
    """One player of one role of one match."""

    def __init__(self, game: Game, request: MoveRequest) -> None:
        self.game = game
        self.role: Term = game.role(request["role"])
        self._name = request["player"]
        self._seed = seed_from(request["seed"], request["role"])
        self.guard = PatientGuard(make_player(self._name, self._seed))
        self._has_started = False
        self._states: list[State] = [game.initial()]
        self._joints: list[list[str]] = []
        self._told: list[Json] = []
        """Positions of a hidden game that the player knows."""

    def choose(self, sight: Json, seconds: float) -> Json:
        """The player's move for what its role sees."""
        position = self._in_open(sight) if "joints" in sight else self._in_hidden(sight, seconds)
        self._start(seconds)
        answer = self.guard.choose(position, seconds)
        return {
            "move": format_term(answer.move),
            "fault": answer.fault,
            "fallback": self._new_trouble() or self.guard.new_fallback(),
        }

    def _new_trouble(self) -> str:
        """Why the player could not prepare, told once."""
        trouble, self.guard.trouble = self.guard.trouble, ""
        return trouble

    def analyse(self, sight: Json, seconds: float, evaluations: Evaluations) -> Json:
        """The player's opinion on the position, which may be one in which its role has no choice."""
        position = self._in_open(sight) if "joints" in sight else self._in_hidden(sight, seconds)
        state = position.state
        if state is not None and state.is_terminal:
            return final_values(state)
        self._start(seconds)
        self.guard.choose(position, seconds)
        decision = self.guard.decision
        if decision is not None and decision.move not in position.legal:
            decision = None
        found = told_decision(self.game, position, decision)
        if state is not None:
            found["features"] = evaluations.features(self.game, state, self.role)
        return found

    def _start(self, seconds: float) -> None:
        if not self._has_started:
            self.guard.start(self.game, self.role, 0.0, max(seconds, 1.0))
            self._has_started = True

    def _in_open(self, sight: Json) -> Position:
        """The position after some joint moves; only those that are not known yet are made."""
        joints = sight["joints"]
        same = 0
        while same < min(len(joints), len(self._joints)) and joints[same] == self._joints[same]:
            same += 1
        del self._states[same + 1 :]
        for joint in joints[same:]:
            self._states.append(self._states[-1].play(tuple(map(parse_term, joint))))
        self._joints = joints
        return position_of(self._states[-1], self.role)

    def _in_hidden(self, sight: Json, seconds: float) -> Position:
        """The last of some positions; the player is told of those before that it does not know."""
        told = sight["positions"]
        if self._told != told[: len(self._told)] or len(told) == len(self._told):
            self.guard.close()
            self.guard = PatientGuard(make_player(self._name, self._seed))
            self._has_started, self._told = False, []
        self._start(seconds)
        for at in range(len(self._told), len(told) - 1):
            self.guard.observe(self._position(at, told[at]))
        self._told = told
        return self._position(len(told) - 1, told[-1])

    def _position(self, at: int, told: Json) -> Position:
        legal = tuple(map(parse_term, told["legal"]))
        if at == 0:
            return Position(self.role, legal, None, self.game.initial())
        move = None if told["move"] is None else parse_term(told["move"])
        view = View(self.role, move, frozenset(map(parse_term, told["percepts"])), None)
        return Position(self.role, legal, view, None)
