"""A WDL match in realtime: signals of the clock and moves, in the order in which they come.

Nothing here waits or looks at a clock. Whoever drives the match says what happens next, so the same events
give the same states, whether the clock is that on the wall or only counted.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.ruleset import format_kif
from ...rules.terms import Term
from ...rules.wdl.views import seen_move
from ..protocol.messages import Start
from ..protocol.realtime_messages import ClockSignal, Happened, TimeIsUp
from .record import MadeMoves, begin_record, goals_of, recorded_move

TICKS_PER_SECOND = 100
FORCED = "forced"
"""Why a move is not the player's own: it had let the time pass that the rules give."""
Told = dict[Term, ClockSignal | Happened | TimeIsUp]
"""What each player is told."""


class RealtimeMatch:
    """A match that goes on with every ``tick`` and ``act``. The seed decides draws."""

    def __init__(
        self, master: WdlMaster, match_id: str, seed: int, start_clock: float, seconds: float
    ) -> None:
        """``seconds``: the length of the game; 0 for no bound."""
        settings = master.sheet.settings
        if not settings.realtime:
            raise ValueError("a game of rounds has no clock of its own")
        self.master = master
        self.match_id = match_id
        self.state: MasterState = master.initial()
        self.record = begin_record(master.sheet, match_id, seed)
        self.tick_seconds = settings.tick / TICKS_PER_SECOND
        self.is_over = False
        self.on_change: Callable[[MasterState, tuple[Term, Term] | None], None] | None = None
        """Called with every new state and, where a move led to it, who moved and what was made."""
        self._waited = dict.fromkeys(master.roles, 0)
        """Signals of the clock that each has let pass since it could move."""
        self._last_tick = round(seconds / self.tick_seconds) if seconds else None
        self._start_clock = start_clock
        self._seconds = seconds
        self._random = Random(seed)
        if master.is_terminal(self.state):
            self._end()

    @property
    def roles(self) -> tuple[Term, ...]:
        return self.master.roles

    @property
    def clock(self) -> int:
        """The number of the last signal of the clock."""
        return self.state.clock

    def start(self, role: Term) -> Start:
        """What a player is told at the beginning: its own description, and how long the game lasts."""
        sheet = self.master.sheet
        # Without the settings a player would not know that nobody is going to ask it for moves.
        rules = f"{sheet.settings} {format_kif(sheet.description(role)).strip()}"
        return Start(self.match_id, role, rules, self._start_clock, self._seconds)

    def tick(self) -> list[Told]:
        """A signal of the clock; what players are told, one thing after the other."""
        self._refuse_after_the_end()
        self.state = self.master.tick(self.state)
        self.record.add_tick()
        self._changed(None)
        told: list[Told] = [dict.fromkeys(self.master.roles, ClockSignal(self.match_id, self.state.clock))]
        out_of_time = self._last_tick is not None and self.state.clock >= self._last_tick
        if self.master.is_terminal(self.state) or out_of_time:
            self._end()
            told.append(dict.fromkeys(self.master.roles, TimeIsUp(self.match_id)))
        return [*told, *self._forced_moves()]

    def act(self, role: Term, move: Term) -> Told:
        """A player acts; what players are told. A move that is not legal now is dropped: nobody is told."""
        self._refuse_after_the_end()
        if move not in self.master.legal(self.state, role):
            self.record.add_dropped(role, move)
            return {}
        return self._made(role, move)

    def _made(self, role: Term, move: Term, fault: str = "") -> Told:
        """Make a legal move."""
        made, draws = self.master.resolve(self.state, move, self._random)
        self.state = self.master.after(self.state, {role: made})
        self.record.events.append(MadeMoves((recorded_move(role, move, made, draws, fault),)))
        self._waited[role] = 0
        self._changed((role, made))
        if self.master.is_terminal(self.state):
            self._end()
        return {
            viewer: Happened(self.match_id, role, seen_move(made, viewer), self.is_over)
            for viewer in self.master.roles
        }

    def _forced_moves(self) -> list[Told]:
        """Random moves for those that let too much time pass, where the rules force them."""
        force, told = self.master.sheet.settings.force, list[Told]()
        if force is None or self.is_over:
            return told
        for role in self.roles:
            self._waited[role] = self._waited[role] + 1 if self.master.legal(self.state, role) else 0
        for role in [role for role in self.roles if self._waited[role] >= force]:
            if not self.is_over and (legal := self.master.legal(self.state, role)):
                told.append(self._made(role, self._random.choice(legal), FORCED))
        return told

    def _changed(self, move: tuple[Term, Term] | None) -> None:
        if self.on_change is not None:
            self.on_change(self.state, move)

    def _end(self) -> None:
        self.is_over = True
        self.record.goals = goals_of(self.master, self.state)

    def _refuse_after_the_end(self) -> None:
        if self.is_over:
            raise ValueError("the match is over")
