"""What viewers see of a realtime match: moments instead of steps, and clocks that run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from ..arena.world.as_game import RealtimeGame, RealtimeState
from ..engine.wdl_master import MasterState
from ..rules.terms import Signature, Term
from ..rules.wdl.views import seen_move, whole_move
from .amounts import amount_of
from .choices import choices_among
from .game_look import SAMPLE_STATES, look_of_game
from .model import FactGroup, MoveChoice, Scene
from .scene import scene_of
from .sight import ViewerSight
from .waiting import waits

TICKS_PER_SECOND = 100


class RealtimeScenes:
    """Draws the moments of one realtime game."""

    def __init__(self, game: RealtimeGame) -> None:
        self.game = game
        self.tick_seconds = game.master.sheet.settings.tick / TICKS_PER_SECOND

    def scene(
        self,
        state: MasterState,
        before: MasterState | None,
        last: tuple[Term, Term] | None,
        role: Term | None,
        is_over: bool,
    ) -> Scene:
        """What a role, or a spectator, sees of a moment. ``last``: who moved last and how, as it was made;
        ``before``: the state in which that was."""
        is_open = self.game.info.is_open or is_over
        sight = ViewerSight(
            self.game,
            role,
            1,
            is_open,
            facts=state.facts if is_open else None,
            before=before.facts if is_open and before is not None else None,
            moves=()
            if last is None or (role is None and not is_open)
            else ((last[0], self._seen(last[1], role, is_open)),),
        )
        scene = scene_of(self.game, sight)
        return replace(scene, facts=tuple(map(self._timed, scene.facts)))

    def choices(self, state: MasterState, role: Term) -> tuple[MoveChoice, ...]:
        """What a role can do now."""
        facts = state.facts if self.game.info.is_open else None
        legal = () if self.game.master.is_terminal(state) else self.game.master.legal(state, role)
        return choices_among(look_of_game(self.game), legal, facts, role)

    def words(self, role: Term, made: Term, viewer: Term | None, is_over: bool) -> str:
        """A move in words, as a viewer was told it; empty where it was told nothing or nothing was done.

        Spectators of a game that hides something are told no moves: what is left of one without its private
        parts would tell a player which parts of what it heard were for all.
        """
        is_open = self.game.info.is_open or is_over
        if viewer is None and not is_open:
            return ""
        seen = self._seen(made, viewer, is_open)
        if waits(seen):
            return ""
        return f"{role} {look_of_game(self.game).words.label(seen)}"

    @staticmethod
    def _seen(made: Term, viewer: Term | None, is_open: bool) -> Term:
        if is_open or viewer is None:
            return whole_move(made)
        return seen_move(made, viewer)

    # -- clocks -----------------------------------------------------------------------------------------

    @cached_property
    def _clocks(self) -> frozenset[str]:
        """The names of the amounts that the clock alone changes by one at a time."""
        states: list[RealtimeState] = []
        for state in self.game.playout(1):
            assert isinstance(state, RealtimeState)
            states.append(state)
            if len(states) > SAMPLE_STATES:
                break
        found = look_of_game(self.game).amounts
        return frozenset(name.replace("_", " ") for name, arity in found if self._runs((name, arity), states))

    @staticmethod
    def _runs(signature: Signature, states: Sequence[RealtimeState]) -> bool:
        """Whether the numbers of a relation run on with the clock."""
        runs = 0
        for one, other in pairwise(states):
            rows = [{fact.args[:-1]: amount_of(fact) for fact in state.facts() if fact.signature == signature}
                    for state in (one, other)]  # fmt: skip
            changed = [
                (rows[0].get(row), rows[1].get(row))
                for row in rows[0]
                if rows[0].get(row) != rows[1].get(row)
            ]
            if one.at.clock == other.at.clock:
                continue  # a move may set a clock anew
            if any(a is None or b is None or abs(a - b) != other.at.clock - one.at.clock for a, b in changed):
                return False
            runs += bool(changed)
        return runs > 2

    def _timed(self, group: FactGroup) -> FactGroup:
        """A group of clocks with their times in seconds."""
        if group.name not in self._clocks or not group.amounts:
            return group
        entries = tuple(f"{one.label} {self.seconds(one.count)}".strip() for one in group.amounts)
        return FactGroup(group.name, entries)

    def seconds(self, ticks: int) -> str:
        """So many signals of the clock as a time."""
        return f"{ticks * self.tick_seconds:.1f} s"
