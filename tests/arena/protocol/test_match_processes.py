"""Each match in a process of its own: it ends with everything it has started, and hurts no other match."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from ludorum.arena.protocol import PlayerEvent, PlayerServer
from ludorum.arena.protocol.game_shelf import GameShelf
from ludorum.arena.protocol.match_link import MODULE
from ludorum.arena.testing import ScriptedServer
from ludorum.engine.auto import AutoGame
from ludorum.players import LegalPlayer
from ludorum.processes import descendants, fork_server, is_possible
from ludorum.rules.library import find_sheet
from tests.arena.protocol.loopback import host_of, one_line, our_player
from tests.arena.protocol.makers import always
from tests.arena.protocol.odd_players import Breeder, Deaf, Diarist, Glutton, Last
from tests.arena.protocol.player_process import player_process
from tests.arena.protocol.test_player_bytes import AVAILABLE, CONVERSATIONS, post, reply
from tests.exploding_sheets import HUGE_GROUNDING
from tests.small_games import DOOR

pytestmark = pytest.mark.skipif(
    not is_possible() or not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"
)

DOOR_START = f"(START m1 left ({one_line(DOOR)}) 30 30)"
EXPLODING = one_line(HUGE_GROUNDING)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.002)


def processes() -> list[int]:
    """All processes of matches of this program."""
    return descendants(fork_server(MODULE).pid)


def playing() -> list[int]:
    """Those in which matches are played, without their supervisors and without what they have started."""
    below = processes()
    supervisors = [pid for pid in below if _parent(pid) == fork_server(MODULE).pid]
    return [pid for pid in below if _parent(pid) in supervisors and _name(pid) != "sleep"]


def _stat(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return "0 (gone) Z 0"


def _parent(pid: int) -> int:
    return int(_stat(pid).rpartition(")")[2].split()[1])


def _name(pid: int) -> str:
    return _stat(pid).partition("(")[2].rpartition(")")[0]


def run(test: Callable[[], object]) -> None:
    """Run it when what other tests have left has ended, and see that nothing is left of it."""

    async def alone() -> None:
        fork_server(MODULE).wait_until_warm()
        await until(lambda: not processes())
        await test()  # type: ignore[misc]
        await until(lambda: not processes())

    asyncio.run(alone())


def test_the_warm_process_has_no_threads() -> None:
    warm = fork_server(MODULE)
    warm.wait_until_warm()
    assert len(list(Path(f"/proc/{warm.pid}/task").iterdir())) == 1


@pytest.mark.parametrize("word", ["ABORT", "STOP"])
def test_the_end_of_a_match_ends_its_process_and_all_it_has_started(word: str) -> None:
    async def talk() -> None:
        async with our_player(always(Breeder)) as server:
            host = host_of(server)
            assert await host.say(DOOR_START) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "wait"
            await until(lambda: "sleep" in map(_name, processes()))
            assert len(processes()) == 3  # a supervisor, the match, and what it has started
            await host.say(f"({word} m1 NIL)")
            await until(lambda: not processes())

    run(talk)


def test_an_exploding_match_is_ended_in_the_midst_of_it_and_hurts_no_other() -> None:
    """The other one has its player's own move, which is not the one that is sent when it is late."""

    async def talk() -> None:
        async with our_player(always(Last), matches=2) as server:
            host = host_of(server)
            assert await host.say(f"(START boom a ({EXPLODING}) 0.5 0.5)") == "ready"
            (exploding,) = playing()
            assert await host.say(DOOR_START) == "ready"
            for _ in range(5):
                assert await host.say("(PLAY m1 NIL)") == "wait"
            assert exploding in playing()
            assert await host.say("(ABORT boom)") == "aborted"
            await until(lambda: len(processes()) == 2)
            assert exploding not in processes()
            assert await host.say("(PLAY m1 NIL)") == "wait"

    run(talk)


@pytest.mark.long
def test_matches_that_are_begun_and_given_up_do_not_pile_up() -> None:
    async def talk() -> None:
        async with our_player() as server:
            host, said = host_of(server), []
            for number in range(8):
                said.append(await host.say(f"(START z{number} a ({EXPLODING}) 0.3 0.1)"))
                said.append(await host.say(f"(ABORT z{number})"))
                assert len(playing()) <= 4
            assert said == ["ready", "aborted"] * 8

    run(talk)


def kill(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.kill(pid, signal.SIGKILL)


FOLLOWED = ["a match", "gdl-ii", "gdl-ii as in 2011", "gdl-ii, the first turn again", "the first turn again",
            "moves that are not legal", "percepts that look like a joint move",
            "chance without percepts, from a host that tells joint moves"]  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_match_whose_process_is_killed_before_every_message_goes_on_as_if_it_were_not(name: str) -> None:
    async def talk() -> None:
        async with our_player() as server:
            host = host_of(server)
            for message, body in CONVERSATIONS[name]:
                kill(playing())
                said = await host.send(post(message))
                assert said == reply(body), message

    run(talk)


def test_a_whole_match_is_played_on_with_the_moves_that_were_made() -> None:
    """The last legal move of each position: neither the first, nor one of another position."""
    start = f"(START m1 xplayer ({one_line(find_sheet('tictactoe').source.text)}) 30 30)"
    others = ["(mark 1 1)", "noop", "(mark 1 2)", "noop"]

    async def play(host: ScriptedServer, killing: bool) -> list[str]:
        assert await host.say(start) == "ready"
        said = [await host.say("(PLAY m1 NIL)")]
        for other in ["noop", *others]:
            if killing:
                kill(playing())
            said.append(await host.say(f"(PLAY m1 ({said[-1]} {other}))"))
        assert await host.say("(ABORT m1)") == "aborted"
        return said

    async def talk() -> None:
        events: list[PlayerEvent] = []
        async with our_player(always(Last), events=events) as server:
            plain = await play(host_of(server), False)
            assert plain == ["(mark 3 3)", "noop", "(mark 3 2)", "noop", "(mark 3 1)", "noop"]
            assert [event.kind for event in events] == ["start", "abort"]
            assert await play(host_of(server), True) == plain
            kinds = [event.kind for event in events[2:]]
            # A death is seen by who waits for the process, so it may be told after the answer to it.
            assert Counter(kinds) == {"start": 1, "died": 5, "resumed": 5, "abort": 1}
            deaths = {event.text for event in events if event.kind == "died"}
            assert deaths == {"the process of the match died of SIGKILL"}
            last = [event.text for event in events if event.kind == "resumed"][-1]
            assert last == "in another process, with 4 messages"

    run(talk)


@pytest.mark.long
def test_a_match_that_needs_too_much_memory_is_ended_and_refused() -> None:
    async def talk() -> None:
        events: list[PlayerEvent] = []
        async with our_player(events=events, megabytes=150.0) as server:
            host = host_of(server)
            assert await host.say(f"(START boom a ({EXPLODING}) 600 1)") == "busy"
            assert [(event.kind, event.text) for event in events] == [
                ("died", "the process of the match needed more than 150 MB")
            ]
            assert await host.say("(INFO)") == AVAILABLE
            assert await host.say(DOOR_START) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "push"

    run(talk)


@pytest.mark.long
def test_a_circuit_that_needs_most_of_the_memory_is_given_up_and_the_match_is_not() -> None:
    game = GameShelf("auto", megabytes=20.0).game(one_line(find_sheet("chess").source.text))
    assert isinstance(game, AutoGame)
    assert not game.wait()
    assert game.failure == "GameError: match cannot be compiled: compiling needed more than 12 MB"
    assert len(game.initial().legal(game.roles[0])) == 20


@pytest.mark.long
def test_a_player_that_needs_too_much_memory_has_its_held_move_sent() -> None:
    async def talk() -> None:
        events: list[PlayerEvent] = []
        async with our_player(always(Glutton), events=events, megabytes=150.0) as server:
            host = host_of(server)
            assert await host.say(DOOR_START) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "push"
            assert await host.say("(PLAY m1 (wait wait))") == "push"
            assert [event.kind for event in events] == ["start", "died", "resumed", "died", "resumed", "died",
                                                        "resumed", "died"]  # fmt: skip
            assert {event.text for event in events if event.kind == "died"} == {
                "the process of the match needed more than 150 MB"
            }

    run(talk)


def test_a_player_hears_what_it_got_before_its_process_ends(tmp_path: Path) -> None:
    diary = tmp_path / "diary"

    async def talk() -> None:
        async with our_player(always(Diarist, str(diary))) as server:
            host = host_of(server)
            assert await host.say(DOOR_START) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "wait"
            assert await host.say("(STOP m1 (push push))") == "done"
            await until(lambda: not processes())

    run(talk)
    assert diary.read_text() == "left 100"


@pytest.mark.long
def test_matches_go_on_when_the_warm_process_is_killed_and_others_begin() -> None:
    async def talk() -> None:
        async with our_player(always(Last), matches=2) as server:
            host = host_of(server)
            assert await host.say(DOOR_START) == "ready"
            first = playing()
            os.kill(fork_server(MODULE).pid, signal.SIGKILL)
            assert await host.say("(PLAY m1 NIL)") == "wait"
            assert await host.say(DOOR_START.replace("m1", "m2")) == "ready"
            assert await host.say("(PLAY m2 NIL)") == "wait"
            assert await host.say("(PLAY m1 NIL)") == "wait"
            assert len(playing()) == 1  # of the new one
        await until(lambda: not Path(f"/proc/{first[0]}").exists())

    run(talk)


PREVIEW = f"(PREVIEW ({one_line(DOOR)}) 30)"


def test_a_match_begins_where_its_rules_were_previewed() -> None:
    async def talk() -> None:
        async with our_player() as server:
            host = host_of(server)
            assert await host.say(PREVIEW) == "ready"
            previewed = playing()
            assert len(previewed) == 1
            assert await host.say(DOOR_START) == "ready"
            assert playing() == previewed
            assert await host.say("(PLAY m1 NIL)") == "push"

    run(talk)


@pytest.mark.long
def test_a_preview_ends_with_its_clock_or_for_a_match_of_other_rules() -> None:
    async def talk() -> None:
        async with our_player() as server:
            host = host_of(server)
            assert await host.say(f"(PREVIEW ({'(p a)' * 300_000}) 0.3)") == "ready"
            await until(lambda: not processes())
            assert await host.say(PREVIEW) == "ready"
            previewed = playing()
            assert await host.say(DOOR_START.replace("(role left)", "(role left) (p x)")) == "ready"
            await until(lambda: not set(previewed) & set(processes()))
            assert len(playing()) == 1

    run(talk)


@pytest.mark.long
def test_nothing_is_left_of_a_server_that_is_killed() -> None:
    async def begin(url: str) -> None:
        host = ScriptedServer(url)
        assert await host.say(f"(START boom a ({EXPLODING}) 0.5 0.5)") == "ready"
        assert await host.say(DOOR_START) == "ready"

    with player_process("--as", "random", "--matches", "2") as player:
        asyncio.run(begin(player.url))
        below = descendants(player.process.pid)
        assert len(below) == 1 + 2 * 2 + _builders(below)
        player.process.kill()
        player.process.wait()
        deadline = time.monotonic() + 60
        while any(_stat(pid).rpartition(")")[2].split()[0] != "Z" for pid in below):
            assert time.monotonic() < deadline
            time.sleep(0.01)


def _builders(pids: list[int]) -> int:
    """Processes that build circuits: those that are deeper down than matches."""
    return sum(_parent(_parent(_parent(pid))) in pids for pid in pids)


def test_players_that_cannot_be_made_in_another_process_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be called in another process"):
        PlayerServer(lambda seed: LegalPlayer())


@pytest.mark.long
def test_a_process_that_hangs_is_replaced_and_every_answer_is_legal() -> None:
    """Neither position has a legal move of the other."""
    start = f"(START m1 xplayer ({one_line(find_sheet('tictactoe').source.text)}) 2 2)"

    async def talk() -> None:
        events: list[PlayerEvent] = []
        async with our_player(always(Deaf), events=events) as server:
            host = host_of(server)
            assert await host.say(start) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "(mark 1 1)"
            assert await host.say("(PLAY m1 ((mark 1 1) noop))") == "noop"
            assert await host.say("(PLAY m1 (noop (mark 2 2)))") == "(mark 1 2)"
            assert [event.kind for event in events] == ["start", *["died", "resumed"] * 2]
            await host.say("(ABORT m1)")

    run(talk)


@pytest.mark.long
def test_no_move_of_another_position_is_sent_for_one_that_was_not_looked_at() -> None:
    """A process that is stopped for longer than its clock, as on a busy machine."""
    start = f"(START m1 xplayer ({one_line(find_sheet('tictactoe').source.text)}) 2 1)"

    async def talk() -> None:
        async with our_player() as server:
            host = host_of(server)
            assert await host.say(start) == "ready"
            assert await host.say("(PLAY m1 NIL)") == "(mark 1 1)"
            (pid,) = playing()
            os.kill(pid, signal.SIGSTOP)
            wakes = asyncio.get_running_loop().call_later(1.5, os.kill, pid, signal.SIGCONT)
            assert await host.say("(PLAY m1 ((mark 1 1) noop))") == "noop"
            wakes.cancel()
            os.kill(pid, signal.SIGSTOP)  # until the match is aborted
            free = {(row, column) for row in (1, 2, 3) for column in (1, 2, 3)} - {(1, 1), (2, 2)}
            # A process that took its place may have an answer, to this position.
            right = {f"(mark {row} {column})" for row, column in free} | {"nil"}
            assert await host.say("(PLAY m1 (noop (mark 2 2)))") in right
            await host.say("(ABORT m1)")

    run(talk)
