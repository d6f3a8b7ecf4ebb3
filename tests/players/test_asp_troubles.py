"""The player `asp` when its solver fails it: over HTTP and in a tournament, legal, in time, and with a word.

A sheet that explodes while it is grounded, a solve without an end, a process that somebody kills, and one
that eats all its memory: real child processes, a real host, real clocks (asp-player, checklist 29 to 41).
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from dataclasses import dataclass

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match
from ludorum.arena.protocol import PlayerEvent
from ludorum.arena.tournament import Ending, Here, PlannedGame, TournamentPlan, run_tournament
from ludorum.engine.lifted import LiftedGame
from ludorum.processes import is_possible
from ludorum.processes.service import Service
from ludorum.rules.kif import parse_kif
from ludorum.solve import logic_searcher
from tests.arena.protocol.loopback import our_player, play_at, url_of
from tests.arena.protocol.makers import named
from tests.how_much import sample
from tests.solve.slow_minds import Endless, Swelling
from tests.solve.test_logic_searcher import EXPLODING

FORK = """
; One step to the good end, or into a pit where nobody comes out.
(role p) (init start)
(<= (legal p good) (true start))
(<= (legal p bad) (true start))
(<= (legal p climb) (true pit))
(<= (next pit) (does p bad))
(<= (next pit) (does p climb))
(<= (next done) (does p good))
(<= terminal (true done))
(<= (goal p 100) (true done))
(<= (goal p 0) (not (true done)))
"""


@dataclass(frozen=True)
class Trouble:
    """What goes wrong, and the words the log has for it."""

    words: tuple[str, ...]
    sheet: str = FORK
    role: str = "p"
    mind: type[Endless] | None = None
    megabytes: float = 2000.0
    killed: bool = False
    seconds: float = 6.0
    """Of both clocks. Who ends before they do may have more: a busy machine takes its time to fill memory."""


TROUBLES = {
    "pathological sheet": Trouble(("took more than", "MB"), EXPLODING, "a"),
    "endless solve": Trouble(("took more than",), mind=Endless),
    "killed solver": Trouble(("was killed",), mind=Endless, killed=True),
    "exhausted memory": Trouble(("needed more than 100 MB",), mind=Swelling, megabytes=100.0, seconds=40.0),
}


@pytest.fixture
def trouble(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    found = TROUBLES[request.param]
    if found.mind is not None:
        monkeypatch.setattr(logic_searcher, "_borrow", lambda _: misbehaving(found))
    return found


def misbehaving(trouble: Trouble) -> Service:
    assert trouble.mind is not None
    service = Service(trouble.mind, trouble.megabytes)
    if trouble.killed:
        threading.Thread(target=kill_when_it_runs, args=(service,), daemon=True).start()
    return service


def kill_when_it_runs(service: Service) -> None:
    """As an operator would, or the system: from outside, with signal 9."""
    waiting = threading.Event()
    while service.pid is None:
        waiting.wait(0.01)
    os.kill(service.pid, signal.SIGKILL)


def told(caplog: pytest.LogCaptureFixture, trouble: Trouble) -> bool:
    said = [record.getMessage() for record in caplog.records if record.name == "ludorum.asp"]
    return any(words in text and "going on without it" in text for words in trouble.words for text in said)


@pytest.mark.long
@pytest.mark.spec("asp-player", 29)
@pytest.mark.spec("asp-player", 30)
@pytest.mark.spec("asp-player", 41)
@pytest.mark.parametrize("trouble", sample(TROUBLES, 2), indirect=True)
def test_over_http(trouble: Trouble, caplog: pytest.LogCaptureFixture) -> None:
    game = LiftedGame(parse_kif(trouble.sheet), "trouble")
    events: list[PlayerEvent] = []
    clocks = Clocks(trouble.seconds, trouble.seconds, connect=5, start_grace=5, play_grace=5)

    # What was put in the place of the mind is in this process alone.
    processes = trouble.mind is None and is_possible()

    async def run() -> Match:
        async with our_player(named("asp"), events=events, processes=processes) as server:
            match, _ = await play_at(game, {game.roles[0]: url_of(server)}, clocks=clocks)
            return match

    with caplog.at_level(logging.WARNING, "ludorum.asp"):
        match = asyncio.run(run())
    assert match.faults == []  # neither late nor illegal
    assert [event for event in events if event.kind in ("fault", "refused")] == []
    assert match.is_over
    assert told(caplog, trouble)
    if trouble.sheet is FORK:
        assert match.state.goals() == (100,)  # search has found the way


@pytest.mark.long
@pytest.mark.spec("asp-player", 29)
@pytest.mark.spec("asp-player", 30)
@pytest.mark.spec("asp-player", 41)
@pytest.mark.parametrize("trouble", sample(reversed(TROUBLES), 2), indirect=True)
def test_in_a_tournament(trouble: Trouble, caplog: pytest.LogCaptureFixture) -> None:
    game = PlannedGame("trouble", "gdl", trouble.sheet, (trouble.role,))
    plan = TournamentPlan(
        (game,),
        ("asp", "random"),
        matches=1,
        start_seconds=trouble.seconds,
        play_seconds=trouble.seconds,
        longest=6,
        engine="lifted",
    )
    with caplog.at_level(logging.WARNING, "ludorum.asp"):
        played = run_tournament(plan, Here())
    own = [played.results[each.match_id] for each in played.fixtures if each.players == ("asp",)]
    assert len(own) == 1
    assert (own[0].ending, own[0].faults) == (Ending.FINISHED, ())
    assert told(caplog, trouble)
    if trouble.sheet is FORK:
        assert own[0].goals == (100,)
