"""A realtime match as one player follows it: the state that its description and what it is told lead to.

What is hidden from it is guessed: of what may have happened the likeliest that looks as it was told. Facts
that only others were told are missing.
"""

from __future__ import annotations

from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.source import RulesError, Severity, Source
from ...rules.terms import Term
from ...rules.wdl.sheet import WdlSheet, read_wdl
from ...rules.wdl.views import seen_move
from ..protocol.messages import Start
from ..protocol.realtime_messages import ClockSignal, Happened
from .outbox import View


def read_sent(rules: str) -> WdlSheet:
    """The sheet of a description that a host has sent; RulesError where it is none."""
    sheet, faults = read_wdl(Source("match.kif", rules))
    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    if errors:
        raise RulesError(errors)
    return sheet


class FollowedMatch:
    """The match of a START message, from the seat of its role."""

    def __init__(self, start: Start, guesses: bool = True) -> None:
        """Without ``guesses`` what was hidden is missing. RulesError or ValueError where the match cannot be
        followed."""
        self._guesses = guesses
        self.start = start
        self.role: Term = start.role
        self.master = WdlMaster(read_sent(start.rules))
        if not self.master.sheet.settings.realtime:
            raise ValueError("the rules do not say (set realtime)")
        if self.role not in self.master.roles:
            raise ValueError(f"nobody plays {self.role} in this game")
        self.state: MasterState = self.master.initial()
        self.is_over = False

    def legal(self) -> tuple[Term, ...]:
        """The own moves that are legal now, as far as the player knows."""
        return () if self.is_over else self.master.legal(self.state, self.role)

    def see(self, view: View) -> None:
        """Take note of what was told. A signal of the clock may stand for those before it as well."""
        match view:
            case ClockSignal(_, number):
                while self.state.clock < number:
                    self.state = self.master.tick(self.state)
            case Happened(_, player, move, is_last):
                made = self._guess(player, move) if self._guesses else move
                self.state = self.master.after(self.state, {player: made})
                self.is_over = is_last
            case _:
                self.is_over = True

    def _guess(self, player: Term, told: Term) -> Term:
        """The move that was made, with something in place of what is hidden; else what was told."""
        ways = (
            (chance, made)
            for move in self.master.legal(self.state, player)
            for made, chance in self.master.resolutions(self.state, move).items()
            if seen_move(made, self.role) == told
        )
        return max(ways, key=lambda way: (way[0], str(way[1])), default=(0, told))[1]
