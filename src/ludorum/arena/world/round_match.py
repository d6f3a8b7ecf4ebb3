"""A WDL match in rounds: all move at once, names are drawn, and each is told its own view of all moves."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.ruleset import format_kif
from ...rules.terms import Term
from ...rules.wdl.views import seen_move
from ..protocol.messages import Play, Start, Stop
from .record import MadeMoves, RecordedMove, begin_record, goals_of, recorded_move


class GameFaultError(Exception):
    """The rules are faulty: somebody has no legal move although the game is not over."""


class RoundMatch:
    """A match that goes on with every call of ``play``. The seed decides draws and substitutes."""

    def __init__(self, master: WdlMaster, match_id: str, seed: int, clocks: tuple[float, float]) -> None:
        if master.sheet.settings.realtime:
            raise ValueError("a realtime game has no rounds")
        self.master = master
        self.match_id = match_id
        self.state: MasterState = master.initial()
        self.record = begin_record(master.sheet, match_id, seed)
        self._clocks = clocks
        self._random = Random(seed)
        self._prior: dict[Term, Term] | None = None

    @property
    def is_over(self) -> bool:
        return self.master.is_terminal(self.state)

    def start(self, role: Term) -> Start:
        """What a player is told at the beginning: its own description of the game."""
        rules = format_kif(self.master.sheet.description(role)).strip()
        return Start(self.match_id, role, rules, *self._clocks)

    def told(self, role: Term) -> Play | Stop:
        """The last moves as a player may see them: a question, or the end of the match."""
        told = None
        if self._prior is not None:
            told = tuple(seen_move(self._prior[one], role) for one in self.master.roles)
        return Stop(self.match_id, told) if self.is_over else Play(self.match_id, told)

    def play(self, answers: Mapping[Term, Term | None]) -> tuple[RecordedMove, ...]:
        """Make a round. Where an answer is missing or not legal, a random legal move takes its place."""
        moves = tuple(self._decided(role, answers.get(role)) for role in self.master.roles)
        made = {role: one[0] for role, one in zip(self.master.roles, moves, strict=True)}
        noted = tuple(one[1] for one in moves)
        self.state = self.master.after(self.state, made)
        self._prior = made
        self.record.events.append(MadeMoves(noted))
        if self.is_over:
            self.record.goals = goals_of(self.master, self.state)
        return noted

    def _decided(self, role: Term, answer: Term | None) -> tuple[Term, RecordedMove]:
        legal = self.master.legal(self.state, role)
        if not legal:
            raise GameFaultError(f"{role} has no legal move, and the game is not over")
        fault = ""
        if answer is None:
            fault = "no answer"
        elif answer not in legal:
            fault = f"{answer} is not legal"
        move = answer if answer is not None and not fault else self._random.choice(legal)
        made, draws = self.master.resolve(self.state, move, self._random)
        return made, recorded_move(role, move, made, draws, fault)
