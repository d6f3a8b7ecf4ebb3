"""Quirks of known hosts and players, one by one: tags, clocks, words, and replies that nobody heeds."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import START, ErrorCode, Match
from ludorum.arena.match.referee import Referee
from ludorum.arena.match.seat import Briefing, turn_of
from ludorum.arena.protocol import DIALECTS, Dialect, RemoteSeat
from ludorum.arena.protocol.hosting import Hosting, host_match, seat_players
from ludorum.arena.protocol.invitations import parse_invitations
from ludorum.arena.testing import Act, Later, Raw, ScriptedPlayer, Silence, reply_bytes
from ludorum.rules.kif import parse_term
from tests.arena.protocol.loopback import QUICK, coin, door
from tests.arena.protocol.test_host_bytes import DOOR_RULES, ggp_base, talk

LEFT, RIGHT, PUSH = map(parse_term, ("left", "right", "push"))


# -- what hosts write -------------------------------------------------------------------------------------


def dresden(host: str, body: str) -> str:
    return (
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: {host}\r\n"
        f"Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )


def sha1(*names: str) -> str:
    return ", ".join(hashlib.sha1(name.encode()).hexdigest() for name in names)


def two_seats(
    dialect: Dialect, names: tuple[str, str], moves: tuple[str, ...] = ("push",), steps: int = 9
) -> tuple[list[str], str]:
    """Everything that the first of two named players hears in a match, and its address."""
    game = door()

    async def run() -> tuple[list[str], str]:
        async with ScriptedPlayer(moves) as first, ScriptedPlayer(moves) as second:
            urls = dict(zip((LEFT, RIGHT), (first.url, second.url), strict=True))
            seats = {
                role: RemoteSeat(urls[role], game, dialect=dialect, name=name)
                for role, name in zip(urls, names, strict=True)
            }
            match = Match(game, match_id="tiltyard.door.1400")
            await Referee(match, seats, QUICK, limit=steps).run()
            return [heard.data.decode() for heard in first.heard], first.url.removeprefix("http://")

    return asyncio.run(run())


def test_tiltyard_says_of_every_message_to_which_match_step_and_players_it_belongs() -> None:
    heard, host = two_seats(DIALECTS["tiltyard"], ("Ann", "Zoë 2"))
    players = sha1("Ann", "Zoë 2")
    assert players.startswith(hashlib.sha1(b"Ann").hexdigest() + ", ")
    bodies = [
        (0, f"( START tiltyard.door.1400 left ({DOOR_RULES}) 2 2 )"),
        (0, "( PLAY tiltyard.door.1400 NIL )"),
        (1, "( STOP tiltyard.door.1400 (push push) )"),
    ]
    assert heard == [
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: Ann\r\n"
        f"GGP-Match-ID: tiltyard.door.1400\r\nGGP-Match-Step: {step}\r\nGGP-Match-Host: Ludorum\r\n"
        f"GGP-Match-Players: {players}\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        for step, body in bodies
    ]


def test_nature_is_named_among_the_players_and_hears_nothing() -> None:
    _, heard, host = talk("coin", ["noop", "(call heads)"], dialect=DIALECTS["tiltyard"])
    assert f"GGP-Match-Players: {sha1('random', host)}\r\n" in heard[0]
    invited = parse_invitations("http://127.0.0.1:1")
    seats = seat_players(
        Match(coin(), match_id="m1"),
        invited,
        Hosting(DIALECTS["ggp-base"], DIALECTS["ggp-base"].clocks(1, 1)),
    )
    assert list(map(str, seats)) == ["guesser"]


def test_a_match_given_up_as_every_host_writes_it() -> None:
    for name, words in (("ggp-base", ggp_base), ("dresden", dresden)):
        heard, host = two_seats(DIALECTS[name], ("", ""), ("wait",), steps=1)
        assert heard[-1] == words(host, "( ABORT tiltyard.door.1400 )")


def test_a_whole_match_as_dresden_sends_it() -> None:
    match, heard, host = talk("coin", ["NOOP", "(CALL HEADS)"], dialect=DIALECTS["dresden"])
    side = str(match.moves[0][0].args[0]).upper()
    start, *rest = heard
    assert rest == [
        dresden(host, "( PLAY m1 0 NIL NIL )"),
        dresden(host, "( PLAY m1 1 NOOP (TOSSED) )"),
        dresden(host, f"( STOP m1 2 (CALL HEADS) ((IT_WAS {side})) )"),
    ]
    body = start.partition("\r\n\r\n")[2]
    assert start == dresden(host, body)
    assert body.removeprefix("( START m1 GUESSER (").upper() == body.removeprefix("( START m1 GUESSER (")
    assert body.endswith(") 2 2 )")
    assert ";" not in body


BESIDES = {
    "ggp-base": ("( INFO )", "(ping)", f"( PREVIEW ({DOOR_RULES}) 1 )", "( ABORT m1 )"),
    "tiltyard": ("( INFO )", "(ping)", f"( PREVIEW ({DOOR_RULES}) 1 )", "( ABORT m1 )"),
    "dresden": ("( INFO )", "(PING)", f"( PREVIEW ({DOOR_RULES}) 1 )".upper(), "( ABORT m1 )"),
}


@pytest.mark.parametrize("name", BESIDES)
def test_what_is_sent_besides_the_match(name: str) -> None:
    game, dialect = door(), DIALECTS[name]

    async def run() -> tuple[list[str], str]:
        async with ScriptedPlayer() as player:
            seat = RemoteSeat(player.url, game, dialect=dialect)
            await seat.info(QUICK)
            assert await seat.ping(QUICK)
            assert await seat.preview(QUICK, 1)
            await seat.abort(Briefing("m1", LEFT, game, QUICK, ("a", "b")))
            return [heard.data.decode() for heard in player.heard], player.url.removeprefix("http://")

    heard, host = asyncio.run(run())
    tags = "GGP-Match-ID: m1\r\nGGP-Match-Step: 0\r\nGGP-Match-Host: Ludorum\r\n"
    tags += f"GGP-Match-Players: {sha1('a', 'b')}\r\n"
    *texts, abort = BESIDES[name]
    write = dresden if name == "dresden" else ggp_base
    assert heard[:3] == [write(host, text) for text in texts]  # these belong to no match, and bear no tags
    assert heard[3] == (ggp_base(host, abort, tags) if name == "tiltyard" else write(host, abort))


# -- what hosts allow -------------------------------------------------------------------------------------

#              connect  bonus  START  PLAY  STOP  ABORT  pause
LIMITS = {
    "ggp-base": (5, 0, 30, 16, 15, 1, 0),
    "tiltyard": (5, 0, 35, 20, 15, 1, 0),
    "dresden": (2, 30, 31, 16, 16, 16, 0.5),
}


def test_every_dialect_is_compared_with_its_host() -> None:
    assert list(DIALECTS) == list(LIMITS) == list(BESIDES)
    assert [dialect.name for dialect in DIALECTS.values()] == list(DIALECTS)


@pytest.mark.parametrize("name", LIMITS)
def test_the_clocks_of_known_hosts(name: str) -> None:
    clocks = DIALECTS[name].clocks(30, 15)
    assert (clocks.start, clocks.play) == (30, 15)
    found = (clocks.connect, clocks.connect_bonus, clocks.start_limit, clocks.play_limit)
    assert (*found, clocks.stop_limit, clocks.abort_limit, clocks.pause) == LIMITS[name]
    assert clocks.connect_limit == clocks.connect + clocks.connect_bonus


def test_which_move_is_made_for_a_player_that_gives_none() -> None:
    assert {name: one.replace_by for name, one in DIALECTS.items()} == {
        "ggp-base": "random", "tiltyard": "random", "dresden": "first",
    }  # fmt: skip


@pytest.mark.parametrize("field", ["start", "play", "connect", "connect_bonus", "start_grace", "play_grace",
                                   "stop_grace", "abort", "pause"])  # fmt: skip
def test_no_clock_is_negative(field: str) -> None:
    replace(Clocks(0, 0), **{field: 0})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="negative"):
        replace(Clocks(0, 0), **{field: -0.1})  # type: ignore[arg-type]


SHORT = Clocks(9, 0.2, connect=5, start_grace=0, play_grace=9, stop_grace=0, abort=0.1)


@pytest.mark.parametrize(
    ("clocks", "stop", "abort"),
    [(SHORT, 0.2, 0.1), (replace(SHORT, stop_grace=0.3, abort_has_clock=True), 0.5, 0.3)],
)
def test_how_long_answers_to_stop_and_abort_are_waited_for(clocks: Clocks, stop: float, abort: float) -> None:
    game = door()

    async def run() -> list[str]:
        async with ScriptedPlayer(script={"stop": Silence(), "abort": Silence()}) as player:
            seat = RemoteSeat(player.url, game)
            briefing = Briefing("m1", LEFT, game, clocks)
            await seat.stop(turn_of(Match(game), briefing))
            await seat.abort(briefing)
            return [one.text for one in seat.exchanges]

    assert asyncio.run(run()) == [f"no answer in {stop:g} s", f"no answer in {abort:g} s"]


@pytest.mark.long
def test_a_referee_does_not_cut_off_the_answer_to_stop_and_abort_before_their_time() -> None:
    """It waits for whatever the seat waits for; a stop clock of an hour does not make it wait for nothing."""
    game = door()
    clocks = replace(QUICK, stop_grace=9, abort=9)

    async def run(steps: int) -> tuple[float, list[str]]:
        slow: dict[str, Act] = {"stop": Later(0.7, "done"), "abort": Later(0.7, "aborted")}
        async with ScriptedPlayer(["push"], slow) as one, ScriptedPlayer(["push"], slow) as two:
            seats = {LEFT: RemoteSeat(one.url, game), RIGHT: RemoteSeat(two.url, game)}
            begin = time.monotonic()
            await Referee(Match(game, match_id="m1"), seats, clocks, limit=steps).run()
            return time.monotonic() - begin, [seats[LEFT].exchanges[-1].text, seats[RIGHT].exchanges[-1].text]

    for steps, answer in ((9, "done"), (0, "aborted")):
        took, said = asyncio.run(run(steps))
        assert said == [answer] * 2
        assert took >= 0.7


@pytest.mark.long
def test_a_step_takes_the_whole_clock_where_that_is_asked_for() -> None:
    game = door()

    async def run(play: float, whole: bool) -> float:
        async with ScriptedPlayer(["push"]) as one, ScriptedPlayer(["push"]) as two:
            seats = {LEFT: RemoteSeat(one.url, game), RIGHT: RemoteSeat(two.url, game)}
            begin = time.monotonic()
            await Referee(Match(game, match_id="m1"), seats, replace(SHORT, play=play, whole=whole)).run()
            return time.monotonic() - begin

    assert asyncio.run(run(1.0, True)) >= 1.0
    assert asyncio.run(run(30.0, False)) < 30


# -- what players say, and nobody heeds ---------------------------------------------------------------------

HTML = "<html><body><h1>It works!</h1></body></html>"


@pytest.mark.parametrize("said", ["ready", "READY", "busy", "nil", "", "(ready)", "available", HTML, "((("])
def test_whatever_a_player_says_to_start_the_match_begins(said: str) -> None:
    async def run() -> Match:
        game = door()
        async with ScriptedPlayer(["push"], {"start": said}) as one, ScriptedPlayer(["push"]) as two:
            seats = {LEFT: RemoteSeat(one.url, game), RIGHT: RemoteSeat(two.url, game)}
            return await Referee(Match(game, match_id="m1"), seats, QUICK).run()

    match = asyncio.run(run())
    assert match.faults == []
    assert match.moves == [(PUSH, PUSH)]
    assert match.replies[0][LEFT].text == said


BAD_STARTS: dict[str, tuple[Act, ErrorCode, str]] = {
    "an error page": (Raw(b"HTTP/1.1 502 Bad\r\n\r\nno"), ErrorCode.LOST, "HTTP 502 no"),
    "a bad request": (Raw(b"HTTP/1.0 400 Bad\r\n\r\n"), ErrorCode.LOST, "HTTP 400"),
    "cut off": (Raw(reply_bytes("ready")[:-1]), ErrorCode.LOST, "the reply was cut off: read"),
    "silence": (Silence(), ErrorCode.LATE, "no answer in 1.5 s"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", BAD_STARTS)
def test_what_goes_wrong_at_the_start_is_noted_in_the_first_row(name: str) -> None:
    act, code, text = BAD_STARTS[name]

    async def run() -> Match:
        game = door()
        async with ScriptedPlayer(["push"], {"start": act}) as one, ScriptedPlayer(["push"]) as two:
            seats = {LEFT: RemoteSeat(one.url, game), RIGHT: RemoteSeat(two.url, game)}
            clocks = replace(QUICK, start=1.5, start_grace=0) if name == "silence" else QUICK
            return await Referee(Match(game, match_id="m1"), seats, clocks).run()

    match = asyncio.run(run())
    assert [(fault.step, fault.role, fault.code, fault.text) for fault in match.faults] == [
        (START, LEFT, code, text)
    ]
    assert match.errors == ((f"{code} {text}", ""), ("", ""))


@pytest.mark.parametrize("said", ["done", "aborted", "nil", "", HTML, "(((", Raw(b"\xff\xfe"), Raw(b"")])
def test_whatever_a_player_says_to_stop_and_abort_the_match_is_over(said: Act) -> None:
    async def run(steps: int) -> tuple[Match, str]:
        game = door()
        script: dict[str, Act] = {"stop": said, "abort": said}
        async with ScriptedPlayer(["push"], script) as one, ScriptedPlayer(["push"]) as two:
            seats = {LEFT: RemoteSeat(one.url, game), RIGHT: RemoteSeat(two.url, game)}
            match = Match(game, match_id="m1")
            return await Referee(match, seats, QUICK, limit=steps).run(), one.texts[-1]

    match, last = asyncio.run(run(9))
    assert (match.faults, last) == ([], "( STOP m1 (push push) )")
    match, last = asyncio.run(run(0))
    assert (match.faults, match.moves, last) == ([], [], "( ABORT m1 )")


WHO: list[tuple[Act, str]] = [
    ("((name Rolf) (status busy))", "Rolf"), ("available", ""), ("busy", ""), ("ready", ""), ("nil", ""),
    ("", ""), (HTML, ""), (Raw(b"rubbish"), ""),
]  # fmt: skip
ODD = [(said, name, preview) for said, name in WHO for preview in ("ready", "busy", Silence())]


@pytest.mark.parametrize(("said", "name", "preview"), [*ODD, (Silence(), "", "ready")])
def test_players_that_do_not_say_who_they_are_or_drop_previews_play(
    said: Act, name: str, preview: Act, tmp_path: Path
) -> None:
    game, file = door(), tmp_path / "match.json"

    async def run() -> tuple[Match, str]:
        script = {"info": said, "preview": preview}
        async with ScriptedPlayer(["push"], script) as one, ScriptedPlayer(["push"]) as two:
            hosting = Hosting(DIALECTS["ggp-base"], QUICK, preview=0.2, record=file)
            match = Match(game, match_id="m1")
            seats = seat_players(match, parse_invitations(f"{one.url},Ann={two.url}"), hosting)
            return await host_match(match, seats, hosting), one.url.removeprefix("http://")

    match, address = asyncio.run(run())
    assert (match.moves, match.faults) == ([(PUSH, PUSH)], [])
    assert json.loads(file.read_text())["playerNamesFromHost"] == [name or address, "Ann"]


def test_reply_latency_and_replacement_are_in_the_record(tmp_path: Path) -> None:
    game, file = door(), tmp_path / "match.json"

    async def run() -> None:
        first: list[Act] = [Later(0.2, 'WAIT (explanation "why not") (taunt "ha")'), "fly"]
        async with ScriptedPlayer(first) as one, ScriptedPlayer(["wait", "wait"]) as two:
            hosting = Hosting(DIALECTS["dresden"], QUICK, record=file)
            match = Match(game, match_id="m1")
            seats = seat_players(match, parse_invitations(f"{one.url},{two.url}"), hosting)
            await host_match(match, seats, hosting)

    asyncio.run(run())
    data = json.loads(file.read_text())
    assert data["moves"] == [["wait", "wait"], ["push", "wait"]]
    assert data["errors"] == [["", ""], ["", ""], ["IL fly", ""]]
    texts = [[said["text"] for said in row] for row in data["x-replies"]]
    assert texts == [
        ["ready", "ready"], ['wait (explanation "why not") (taunt "ha")', "wait"], ["fly", "wait"],
    ]  # fmt: skip
    assert data["x-replies"][1][0]["ms"] >= 200


# -- scrambling -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "same"), [("ggp-base", True), ("tiltyard", True), ("dresden", False)])
def test_one_set_of_words_a_match_or_one_for_every_player(name: str, same: bool) -> None:
    game = door()

    def words(match_id: str) -> list[str]:
        async def run() -> list[str]:
            async with ScriptedPlayer() as one, ScriptedPlayer() as two:
                hosting = Hosting(DIALECTS[name], QUICK, scramble=True, limit=1)
                match = Match(game, match_id=match_id)
                seats = seat_players(match, parse_invitations(f"{one.url},{two.url}"), hosting)
                await host_match(match, seats, hosting)
                starts = [next(text for text in player.texts if "START" in text) for player in (one, two)]
                return [text[text.index("((") :].lower() for text in starts]

        return asyncio.run(run())

    first, second = words("m1")
    assert (first == second) is same
    assert [first, second] == words("m1")  # a match that goes on has the words it began with
    assert first != words("m2")[0]
    assert "push" not in first + second
    assert "(role " in first
