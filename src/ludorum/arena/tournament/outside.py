"""Matches with players at addresses, by the protocol and the seats that ``ludorum host`` uses.

Such a player does not get our seed, so its moves can differ from one time to the next. It may also be busy
when a match is to begin: with a match of this very tournament, if that was killed, or with another host's.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from ...engine.game import Game
from ...rules.terms import Term
from ..match.clocks import Clocks
from ..match.match import Match
from ..match.referee import Referee
from ..match.seat import Briefing, Seat
from ..match.seeds import seed_from
from ..protocol.dialects import DIALECTS, Language
from ..protocol.hosting import remote_seat
from ..protocol.invitations import Invitation
from ..protocol.remote_seat import RemoteSeat
from ..records.spectator import match_name
from .plan import PlanError, TournamentPlan

DIALECT = DIALECTS["ggp-base"]
BUSY_SECONDS = 70.0
"""How long a match waits for a player in another match, besides its clocks; ours gives up a match without
messages after a minute."""
POLL_SECONDS = 1.0


class BusyError(Exception):
    """A player does not join the match because it plays another."""


def wire_name(plan: TournamentPlan, game: str, match_id: str) -> str:
    """The match id that players are told: one that all can read, and the same when the match is played again.

    So an interrupted match can be aborted by the process that plays it again.
    """
    number = seed_from("match", plan.seed, match_id)  # the seed itself would tell what nature is to draw
    return match_name(game, number)


def outside_seat(game: Game, invitation: Invitation, opening: int) -> RemoteSeat:
    """A seat for an outside player; ValueError where it cannot play this game."""
    hidden = not game.tells_joint_moves
    if opening and hidden and invitation.language is Language.GDL2_2011:
        raise ValueError(
            f"{invitation.name} cannot be told which moves are made for it, and {game.name} hides something: "
            "leave the opening out with --opening 0"
        )
    return remote_seat(game, invitation, DIALECT)


def check_outside(plan: TournamentPlan) -> None:
    """PlanError where an outside player cannot play a game of the plan."""
    for planned in plan.games if plan.outside else ():
        game = planned.load("lifted", plan.lenient)
        for invitation in plan.invitations:
            try:
                outside_seat(game, invitation, plan.opening)
            except ValueError as error:
                raise PlanError(str(error)) from error


def play_outside(
    plan: TournamentPlan, opened: Match, seats: Mapping[Term, Seat], look: Callable[[Match], None]
) -> Match:
    """Play a match between seats from its opening on; BusyError where a player is in another match.

    ``look`` is called with every new state. If it raises, the match ends, and remote players are told ABORT.
    """

    async def on_step(match: Match) -> None:
        look(match)

    match = Match(opened.game, opened.seed, match_id=wire_name(plan, opened.game.name, opened.match_id))
    # The clock that players are told counts; for network delay they have a second more, also to START.
    clocks = Clocks(plan.start_seconds, plan.play_seconds)
    return asyncio.run(_play(Referee(match, seats, clocks, on_step, plan.longest, opened.moves), seats))


async def _play(referee: Referee, seats: Mapping[Term, Seat]) -> Match:
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    # SIGTERM leaves time to tell the players; not every system can handle it.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    match, clocks = referee.match, referee.clocks
    await asyncio.gather(
        *(
            _wait_until_free(seat, Briefing(match.match_id, role, match.game, clocks))
            for role, seat in seats.items()
            if isinstance(seat, RemoteSeat)
        )
    )
    return await referee.run()


async def _wait_until_free(seat: RemoteSeat, briefing: Briefing) -> None:
    clocks = briefing.clocks
    begin, patience = time.monotonic(), BUSY_SECONDS + clocks.start + 10 * clocks.play
    while (info := await seat.info(clocks)) is not None and info.status == "busy":
        waited = time.monotonic() - begin
        if waited > patience:
            raise BusyError(f"{seat.name} at {seat.address} has been in another match for {waited:.0f} s")
        # It may be ours, from before an interruption; if not, the player has never heard of the match id.
        await seat.abort(briefing)
        if (info := await seat.info(clocks)) is not None and info.status == "busy":
            await asyncio.sleep(POLL_SECONDS)
