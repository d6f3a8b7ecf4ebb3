"""Players elsewhere in live matches: they are told every step, wait for each other, and hurt nobody."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from ludorum.arena.protocol.dialects import Language
from ludorum.arena.testing import Act, Endless, Raw, Reset, ScriptedPlayer, Silence
from ludorum.web.live import MatchHub, MemoryJournal, Refused, SeatPlan
from ludorum.web.live.arbiter import game_of
from ludorum.web.live.plan import Json
from ludorum.web.live.remote import desk, follower, match_remotes
from tests.web.live.hubs import (
    PATIENCE,
    library_game,
    move,
    person,
    plan_of,
    play_to_the_end,
    player,
    run,
    running_hub,
    view_when,
)
from tests.web.live.remote_players import Book, FirstMover

SEATS = {"xplayer": person("ann"), "oplayer": player("remote:far")}


def first_mover(troubles: Mapping[int, Act] | None = None) -> FirstMover:
    return FirstMover(game_of(library_game("tictactoe")), troubles)


def is_over(view: Json) -> bool:
    return view["how"] is not None


@asynccontextmanager
async def hub_with(
    *scripts: Callable[..., Act], journal: MemoryJournal | None = None
) -> AsyncIterator[tuple[MatchHub, Book, list[ScriptedPlayer]]]:
    """A hub that knows players called far, far2 …"""
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(ScriptedPlayer(script=script)) for script in scripts]
        names = ["far", *(f"far{at}" for at in range(2, 9))]
        book = Book(**{name: one.url for name, one in zip(names, players, strict=False)})
        hub = await stack.enter_async_context(running_hub(journal, remotes=book))
        yield hub, book, players


def test_a_player_elsewhere_is_told_every_step_and_plays_to_the_end() -> None:
    async def play() -> tuple[Json, list[str], Book]:
        async with hub_with(first_mover()) as (hub, book, (far,)):
            await hub.create(plan_of("tictactoe", SEATS))
            view = await play_to_the_end(hub, ["u:ann"], at=-1)
            await far_heard(far, "stop")
            return view, far.texts, book

    view, texts, book = run(play())
    assert view["how"] == "rules"
    assert view["notes"] == []
    assert [role["remark"] for role in view["roles"]] == ["", ""]
    words = [re.sub(r"m[0-9a-f]{24}", "ID", text) for text in texts]
    assert words[0].startswith("( START ID oplayer ((role xplayer)")
    assert words[0].endswith(") 10 1 )")
    assert words[1:4] == [
        "( PLAY ID NIL )",
        "( PLAY ID ((mark 3 3) noop) )",
        "( PLAY ID (noop (mark 1 1)) )",
    ]
    assert words[-1].startswith("( STOP ID (")
    assert len({re.findall(r"m[0-9a-f]{24}", text)[0] for text in texts}) == 1
    assert book.notes == [("remote:far", True)]


@pytest.mark.long
def test_a_player_that_speaks_wdl_is_told_its_own_description_and_views() -> None:
    async def play() -> list[str]:
        async with hub_with(lambda heard: "(get (visible player getcard))") as (hub, book, (far,)):
            book.languages["remote:far"] = Language.WDL
            seats = {"bank": player("random"), "player": player("remote:far")}
            await hub.create(plan_of("black_jack", seats, seed=4))
            await far_heard(far, "stop")
            return far.texts

    texts = run(play())
    assert "(random getcard 1 ?card)" in texts[0]
    assert "(role random)" not in texts[0]
    second, third = texts[2], texts[3]
    assert second.endswith("(get wait) )"), "the card of the bank is not told"
    assert re.search(r"\(wait \(get cards:?_?\w+:?_?\w+\)\) \)$", third)


async def far_heard(far: ScriptedPlayer, keyword: str, count: int = 1) -> None:
    """Until a player was told something."""
    async with asyncio.timeout(PATIENCE):
        while sum(one.keyword == keyword for one in far.heard) < count:
            await asyncio.sleep(0.01)


def test_two_players_elsewhere_play_each_other() -> None:
    async def play() -> Json:
        async with hub_with(first_mover(), first_mover()) as (hub, _, __):
            await hub.create(
                plan_of("tictactoe", {"xplayer": player("remote:far"), "oplayer": player("remote:far2")})
            )
            return await view_when(hub, None, is_over)

    view = run(play())
    assert view["result"] == {"xplayer": 100, "oplayer": 0}
    assert view["notes"] == []


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("(mark 9 9)", "(mark 9 9) is not legal"),
        ("i do not know", "more than a move"),
        (f"(f {'a ' * 30_000})", "a a..."),
        (Raw(b"HTTP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n"), "longer than 65536 bytes"),
        (Endless(), "longer than 65536 bytes"),
        (Raw(b"\x00\xff\n" * 5000), "not HTTP"),
        (Reset(), "the connection broke"),
        (Raw(b""), "closed without a reply"),
        (Raw(b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"), "an empty reply"),
        pytest.param(Silence(), "no answer in 2 s", marks=pytest.mark.long),
    ],
)
def test_a_legal_move_is_made_where_the_answer_is_none_and_it_is_told(trouble: Act, said: str) -> None:
    async def play() -> Json:
        async with hub_with(first_mover(troubles={1: trouble})) as (hub, _, __):
            await hub.create(plan_of("tictactoe", SEATS))
            await move(hub, "u:ann", "(mark 2 2)")
            return await view_when(hub, "u:ann", lambda view: view["step"] == 2)

    view = run(play())
    (note,) = view["notes"]
    assert (note["step"], note["role"]) == (2, "oplayer")
    assert note["text"].startswith("remote:far: ")
    assert said in note["text"]
    assert note["text"].endswith(": a legal move was made for it")
    assert len(note["text"]) < 300
    assert view["faults"] == {"oplayer": 1}


def test_a_player_that_answers_no_more_is_asked_no_more() -> None:
    """It is told ABORT all the same: it may be there, and would have no time for others."""

    async def play() -> tuple[Json, list[str], Book]:
        silent = FirstMover(game_of(library_game("connect_four")), dict.fromkeys(range(1, 9), Reset()))
        async with hub_with(silent) as (hub, book, (far,)):
            seats = {"red": person("ann"), "yellow": player("remote:far")}
            await hub.create(plan_of("connect_four", seats))
            await move(hub, "u:ann")
            gone = "does not answer: legal moves are made for it"
            playing = asyncio.create_task(play_to_the_end(hub, ["u:ann"], at=-1))
            await view_when(hub, None, lambda view: view["roles"][1]["remark"] == gone)
            view = await playing
            await far_heard(far, "abort")
            return view, [one.keyword for one in far.heard], book

    view, told, book = run(play())
    assert view["how"] == "rules"
    assert told == ["start", *["play"] * 6, "abort"]
    texts = [note["text"] for note in view["notes"]]
    assert [text for text in texts if "the connection broke" in text] == texts[:2]
    assert set(texts[2:]) == {"remote:far is asked no more: a legal move was made for it"}
    assert book.notes == [("remote:far", False)]


def test_a_match_waits_for_a_player_that_plays_another_and_gets_it_then() -> None:
    async def play() -> tuple[str, Json, list[str]]:
        async with hub_with(first_mover()) as (hub, _, (far,)):
            await hub.create(plan_of("tictactoe", SEATS, "m1"))
            await far_heard(far, "start")
            await hub.create(plan_of("tictactoe", SEATS, "m2"))
            waiting = await view_when(hub, "u:ann", lambda view: bool(view["roles"][1]["remark"]), "m2")
            await hub.act("m1", "u:ann", {"type": "resign"})
            view = await play_to_the_end(hub, ["u:ann"], "m2", at=-1)
            return waiting["roles"][1]["remark"], view, [one.keyword for one in far.heard]

    remark, view, told = run(play())
    assert remark == "plays another match first"
    assert view["how"] == "rules"
    assert view["notes"] == []
    assert [one for one in told if one != "play"][:3] == ["start", "abort", "start"]


def test_matches_that_want_the_same_two_players_do_not_wait_for_each_other() -> None:
    async def play() -> list[Json]:
        both = player("remote:far"), player("remote:far2")
        async with hub_with(first_mover(), first_mover()) as (hub, _, __):
            names = [f"m{at}" for at in range(4)]
            for at, name in enumerate(names):
                seats = both if at % 2 else both[::-1]
                plan = plan_of("tictactoe", dict(zip(("xplayer", "oplayer"), seats, strict=True)), name)
                await hub.create(plan)
            return [await view_when(hub, None, is_over, name) for name in names]

    views = run(play())
    assert [view["result"]["xplayer"] for view in views] == [100] * 4
    assert all(view["notes"] == [] for view in views)


def test_a_match_whose_people_sleep_gives_its_player_away_and_gets_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_remotes, "SLEEP_SECONDS", 0.0)
    monkeypatch.setattr(desk, "LOOK_SECONDS", 0.01)

    async def play() -> tuple[str, Json, Json]:
        async with hub_with(first_mover()) as (hub, _, __):
            await hub.create(plan_of("tictactoe", SEATS, "m1"))
            await move(hub, "u:ann", "(mark 2 2)")
            await view_when(hub, "u:ann", lambda view: view["step"] == 2)
            await hub.create(plan_of("tictactoe", SEATS, "m2"))
            away = await view_when(hub, "u:ann", lambda view: bool(view["roles"][1]["remark"]))
            monkeypatch.setattr(match_remotes, "SLEEP_SECONDS", 600.0)
            second = await play_to_the_end(hub, ["u:ann"], "m2", at=-1)
            first = await play_to_the_end(hub, ["u:ann"], "m1", at=-1)
            return away["roles"][1]["remark"], first, second

    remark, first, second = run(play())
    assert remark == "is in another match, and comes back after the next move"
    assert [view["how"] for view in (first, second)] == ["rules"] * 2
    assert [view["notes"] for view in (first, second)] == [[], []]


def test_after_a_restart_the_player_is_started_again_and_told_all_steps() -> None:
    async def play() -> tuple[Json, list[str]]:
        journal, far_game = MemoryJournal(), first_mover()
        async with ScriptedPlayer(script=far_game) as far:
            async with running_hub(journal, remotes=Book(far=far.url)) as hub:
                await hub.create(plan_of("tictactoe", SEATS))
                await move(hub, "u:ann", "(mark 2 2)")
                await view_when(hub, "u:ann", lambda view: view["step"] == 2)
                await far_heard(far, "play", 3)
            async with running_hub(journal, remotes=Book(far=far.url)) as hub:
                await hub.resume("m1")
                view = await play_to_the_end(hub, ["u:ann"], at=-1)
                await far_heard(far, "stop")
            return view, [re.sub(r"m[0-9a-f]{24}", "ID", text) for text in far.texts]

    view, texts = run(play())
    assert view["how"] == "rules"
    assert view["notes"] == []
    again = texts.index("( ABORT ID )")
    assert texts[again + 1].startswith("( START ID oplayer ")
    assert texts[again + 2 : again + 5] == texts[1:4]


def test_a_player_that_plays_with_another_host_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "BUSY_PAUSE_SECONDS", 0.01)
    busy = first_mover()
    busy.state = busy.game.initial()

    async def play() -> tuple[str, Json]:
        async with hub_with(busy) as (hub, _, (far,)):
            await hub.create(plan_of("tictactoe", SEATS))
            await far_heard(far, "start", 3)
            waiting = await hub.view_for("m1", "u:ann")
            busy.state = None
            return waiting["roles"][1]["remark"], await play_to_the_end(hub, ["u:ann"], at=-1)

    remark, view = run(play())
    assert remark == "plays with another host"
    assert view["notes"] == []


def test_what_a_player_elsewhere_cannot_play_is_refused() -> None:
    async def refused(hub: MatchHub, game: str, *seats: SeatPlan) -> str:
        roles = (await hub.examine(library_game(game)))["roles"]
        with pytest.raises(Refused) as found:
            await hub.create(plan_of(game, dict(zip(roles, seats, strict=True))))
        return str(found.value)

    async def play() -> list[str]:
        async with hub_with(first_mover()) as (hub, book, _):
            far, ann = player("remote:far"), person("ann")
            book.languages["remote:far"] = Language.GDL
            found = [
                await refused(hub, "tictactoe", far, far),
                await refused(hub, "tictactoe", ann, player("remote:unknown")),
                await refused(hub, "krieg_tictactoe", ann, far),
                await refused(hub, "kuhn_poker", ann, far),
            ]
            book.silent.add("remote:far")
            found.append(await refused(hub, "tictactoe", ann, far))
        async with running_hub() as hub:
            found.append(await refused(hub, "tictactoe", ann, far))
        return found

    told = run(play())
    assert told[0] == "remote:far can have one seat of a match: it is told the match and not the role"
    assert told[1] == "no player is registered as remote:unknown"
    assert "remote:far speaks GDL-I only" in told[2]
    assert "remote:far speaks GDL-I only" in told[3]
    assert told[4] == "remote:far does not answer at its address"
    assert told[5] == "players by URL are not known here"


def test_moves_that_a_player_elsewhere_was_told_are_not_taken_back() -> None:
    async def play() -> None:
        async with hub_with(first_mover()) as (hub, _, __):
            await hub.create(plan_of("tictactoe", SEATS))
            await move(hub, "u:ann", "(mark 2 2)")
            await view_when(hub, "u:ann", lambda view: view["step"] == 2)
            with pytest.raises(Refused, match="remote:far was told of every move"):
                await hub.act("m1", "u:ann", {"type": "offer", "what": "takeback"})

    run(play())


async def heard_of(
    game: str, far: str, plays: int, script: list[str], seed: int, language: Language | None = None
) -> tuple[str, str]:
    """All bytes that a player elsewhere receives until it was asked so often, without the name of the match
    and its own port; and the match. It marks place after place while another role follows a script."""
    text = library_game(game)
    seats = {str(role): person("ann") for role in game_of(text).info.players} | {far: player("remote:far")}
    journal = MemoryJournal()
    async with ScriptedPlayer(moves=[f"(mark 1 {at})" for at in range(1, plays)]) as listening:
        book = Book(far=listening.url)
        if language is not None:
            book.languages["remote:far"] = language
        async with running_hub(journal, remotes=book) as hub:
            await hub.create(plan_of(text, seats, seed=seed))
            for made in script:
                await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")
                await move(hub, "u:ann", made)
            await far_heard(listening, "play", plays)
            told = b"".join(one.data for one in listening.heard[: plays + 1]).decode()
            port = listening.url.rpartition(":")[2]
            joints = [
                joint
                for event in journal.events["m1"]
                for joint in (event.get("advance") or {}).get("joints", ())
            ]
            return re.sub(rf"m[0-9a-f]{{24}}|:{port}", "", told), str(joints)


@pytest.mark.parametrize("language", [None, Language.GDL2_2011])
def test_a_player_elsewhere_is_not_told_the_moves_that_the_rules_hide(language: Language | None) -> None:
    """In krieg tic-tac-toe the marks of the other are hidden until one runs into them."""

    async def play(*script: str) -> tuple[str, str]:
        return await heard_of("krieg_tictactoe", "xplayer", 3, list(script), len(script[0]), language)

    one, other = run(play("(mark 2 2)", "(mark 3 3)")), run(play("(mark 3 1)", "(mark 2 1)"))
    assert one[1] != other[1]
    assert one[0] == other[0]
    assert "(got 1 1)" in one[0]
    struck = run(play("(mark 1 2)", "(mark 3 3)"))
    assert "(failed 1 2)" in struck[0]  # what it may know does reach it


def test_a_player_elsewhere_is_told_its_own_card_alone() -> None:
    async def play() -> dict[str, dict[str, str]]:
        """What it was told in each deal, by its own card."""
        by_card: dict[str, dict[str, str]] = {}
        for seed in range(9):
            told, deal = await heard_of("kuhn_poker", "alice", 3, [], seed)
            (card,) = re.findall(r"\(dealt (jack|queen|king)\)", told)
            by_card.setdefault(card, {})[deal] = told
        return by_card

    by_card = run(play())
    assert sum(map(len, by_card.values())) > len(by_card)  # else nothing was compared
    assert all(len(set(told.values())) == 1 for told in by_card.values())
