"""Realtime games of strangers: their rules have a process of their own, with bounds, and are played alike."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from ludorum.web.live import GameText, MatchHub, MemoryJournal, Refused
from ludorum.web.live.plan import Json
from ludorum.web.live.realtime import away_table, running, tables
from tests.web.live.hubs import person, plan_of, player, run, running_hub, view_when
from tests.web.live.test_realtime import GAME, SEATS, TAPS, after, is_over, states_of, tap

TUPLES = " ".join(f"(digit ?x{number})" for number in range(10))
NAMES = " ".join(f"?x{number}" for number in range(10))
TRAP = f"""
(set realtime)
(role ann) (role bob) (init (at 0))
{" ".join(f"(digit {number})" for number in range(12))}
(code 0 7 1) (code 1 3 2) (code 2 9 3) (code 3 5 4)
(<= (legal ann (dial ?d)) (digit ?d))
(legal bob listen)
(<= dialled (does ann (dial ?d)))
(<= right (true (at ?n)) (does ann (dial ?d)) (code ?n ?d ?m))
(<= (next (at ?m)) (true (at ?n)) (does ann (dial ?d)) (code ?n ?d ?m))
(<= (next (at 0)) dialled (not right))
(<= (next (at ?n)) (true (at ?n)) (not dialled))
(<= (many {NAMES}) (true (at 3)) (does ann (dial 5)) {TUPLES})
(<= (next lost) (many {NAMES}))
(<= terminal (clock 3000))
(goal ann 50) (goal bob 50)
"""
"""After the right four digits twelve to the tenth tuples are looked at, which random moves do not find."""


def of_a_stranger(game: GameText) -> GameText:
    return replace(game, is_trusted=False)


TRAPPED = of_a_stranger(GameText("trap", "Trap", "wdl", TRAP, True))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PAUSE_SECONDS", 0.05)


async def both_look(hub: MatchHub, match: str) -> None:
    """Two people look at a match until its clock runs."""
    async with hub.subscribe(match, "u:ann"), hub.subscribe(match, "u:bob"):
        await view_when(hub, None, lambda view: view["realtime"]["is_running"] or is_over(view), match)


async def tapped_to_the_end(hub: MatchHub) -> tuple[Json, Json, Json]:
    """The last view, the record, and the moment after two moves."""
    await both_look(hub, "m1")
    for number in range(1, 4):
        await tap(hub, "u:ann")
        if number < 3:
            await view_when(hub, None, after(number))
    view = await view_when(hub, "u:ann", is_over)
    return view, await hub.record_for("m1", None), await hub.step_for("m1", None, 2)


def without_times(view: Json) -> Json:
    """What is the same in two matches with the same moves."""
    return {key: value for key, value in view.items() if key not in ("realtime", "scene")}


@pytest.mark.long
def test_a_match_of_a_strangers_game_is_that_of_a_trusted_one() -> None:
    async def play(game: GameText) -> tuple[Json, Json, Json, float]:
        async with running_hub() as hub:
            await hub.create(plan_of(game, SEATS))
            return *await tapped_to_the_end(hub), hub.metrics()["rules_processes"]

    *here, none = run(play(GAME))
    *there, one = run(play(of_a_stranger(GAME)))
    assert (none, one) == (0, 1)
    assert without_times(here[0]) == without_times(there[0])
    assert here[0]["result"] == there[0]["result"] == {"ann": 100, "bob": 0}
    assert here[2]["moves"] == there[2]["moves"]
    for _view, record, _step in (here, there):
        last = states_of(record, TAPS)[-1]
        assert {"(taps ann 3)", "(taps bob 0)"} <= set(map(str, last))
        assert record["world"][-1] == {"goals": {"ann": ["100"], "bob": ["0"]}}


@pytest.mark.long
def test_it_is_shown_again_from_what_was_kept() -> None:
    async def play() -> tuple[Json, Json, Json, Json]:
        journal = MemoryJournal()
        async with running_hub(journal) as hub:
            await hub.create(plan_of(of_a_stranger(GAME), SEATS))
            view, record, _ = await tapped_to_the_end(hub)
        async with running_hub(journal) as hub:
            return view, record, await hub.view_for("m1", "u:ann"), await hub.finished_record("m1")

    view, record, view_again, record_again = run(play())
    assert record_again == record
    assert view_again["scene"] == view["scene"]
    assert view_again["moves"] == view["moves"]
    assert view_again["realtime"] == view["realtime"] | {"is_running": False}


@pytest.mark.long
def test_rules_that_take_for_ever_end_their_match_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(away_table, "ANSWER_SECONDS", 1.5)

    async def play() -> tuple[Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of(TRAPPED, SEATS, "evil"))
            await hub.create(plan_of(GAME, SEATS))
            await asyncio.gather(both_look(hub, "evil"), both_look(hub, "m1"))
            for digit in (7, 3, 9, 5):
                await hub.act("evil", "u:ann", {"type": "move", "move": f"(dial {digit})"})
            for number in range(1, 4):  # the other match goes on meanwhile
                await tap(hub, "u:bob")
                await view_when(hub, None, after(number))
            return await view_when(hub, "u:bob", is_over, "evil"), await hub.view_for("m1", None)

    evil, good = run(play())
    assert (evil["how"], evil["result"], evil["phase"]) == ("failed", None, "stuck")
    assert "the rules could not be evaluated" in evil["asked"]
    assert [line["words"] for line in evil["moves"]] == ["ann dial 7", "ann dial 3", "ann dial 9"]
    assert good["result"] == {"ann": 0, "bob": 100}


def test_rules_that_are_too_slow_for_the_clock_end_their_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_SLOWED", -1.0)

    async def play(game: GameText) -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of(game, SEATS))
            await both_look(hub, "m1")
            if game.is_trusted:
                await hub.act("m1", "u:ann", {"type": "resign"})
            return await view_when(hub, None, is_over)

    assert "too long for the clock" in run(play(of_a_stranger(GAME)))["asked"]
    assert run(play(GAME))["how"] == "resigned"


@pytest.mark.long
def test_so_many_are_played_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_PLAYED", 1)
    open_seats = {"ann": person("ann"), "bob": replace(person("bob"), kind="open", user="", name="")}

    async def play() -> tuple[str, Json]:
        async with running_hub() as hub:
            game = of_a_stranger(GAME)
            await hub.create(plan_of(game, open_seats, "m2"))
            await hub.create(plan_of(game, SEATS))
            await both_look(hub, "m1")
            with pytest.raises(Refused, match="too many realtime matches"):
                await hub.create(plan_of(game, SEATS, "m3"))
            await hub.create(plan_of(GAME, SEATS, "m4"))
            await hub.take_seat("m2", "bob", "u:bob", "bob")
            return str((await view_when(hub, None, is_over, "m2"))["asked"]), await hub.view_for("m1", None)

    said, other = run(play())
    assert "too many realtime matches" in said
    assert not is_over(other)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(set realtime) (role ann) (legal ann (go ?x))", "cannot be played"),
        ("(set realtime) (role ann", "cannot be played"),
        ("(set realtime) (set slowmotion) (role ann)", "slowmotion"),
    ],
)
def test_faulty_rules_are_refused(text: str, why: str) -> None:
    async def look() -> str:
        async with running_hub() as hub:
            with pytest.raises(Refused) as refused:
                await hub.examine(GameText("odd", "Odd", "wdl", text, False))
            return str(refused.value)

    assert why in run(look())


@pytest.mark.parametrize("is_trusted", [True, pytest.param(False, marks=pytest.mark.long)])
def test_moves_that_the_rules_force_are_listed_like_others(is_trusted: bool) -> None:
    game = GameText("taps", "Taps", "wdl", f"(set force 20) {TAPS}", is_trusted)

    async def play() -> tuple[Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of(game, SEATS))
            await both_look(hub, "m1")
            return await view_when(hub, None, is_over), await hub.record_for("m1", None)

    view, record = run(play())
    assert [line["words"] for line in view["moves"]] == ["ann tap", "bob tap"] * 2 + ["ann tap"]
    assert view["realtime"]["seconds"] == 0.6
    assert states_of(record, game.text)
    assert view["result"] == {"ann": 100, "bob": 0}


@pytest.mark.long
def test_players_of_the_server_act_in_it() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            seats = {"ann": player("random"), "bob": player("legal")}
            await hub.create(plan_of(of_a_stranger(GAME), seats))
            return await view_when(hub, None, is_over)

    view = run(play())
    assert view["how"] == "rules"
    assert sorted(view["result"].values()) == [0, 100]


@pytest.mark.long
def test_processes_of_matches_that_are_only_looked_at_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_SHOWN", 1)

    async def play() -> list[float]:
        async with running_hub() as hub:
            for name in ("m1", "m2", "m3"):
                await hub.create(
                    plan_of(of_a_stranger(GAME), SEATS | {"bob": replace(SEATS["bob"], kind="open")}, name)
                )
            found = []
            for name in ("m1", "m2", "m3", "m1"):
                assert (await hub.view_for(name, None))["scene"] is not None
                found.append(hub.metrics()["rules_processes"])
            return found

    assert run(play()) == [1, 1, 1, 1]


PEEK = """
(set realtime)
(role ann) (role bob)
(random card 1 red) (random card 1 black)
(init fresh)
(<= (legal ann (peek (visible ann card))) (true fresh))
(<= (legal bob (guess ?c)) (true peeked) (colour ?c))
(colour red) (colour black)
(<= moved (does ?_p ?_m))
(<= (next fresh) (true fresh) (not moved))
(<= (next (card ?c)) (does ann (peek ?c)))
(<= (next (card ?c)) (true (card ?c)))
(<= (next peeked) (does ann (peek ?c)))
(<= (next peeked) (true peeked) (not moved))
(<= (next (guessed ?c)) (does bob (guess ?c)))
(<= (next (guessed ?c)) (true (guessed ?c)) (not moved))
(<= terminal (true (guessed ?c)))
(<= (goal bob 100) (true (guessed ?c)) (true (card ?c)))
(<= (goal bob 0) (not right)) (<= right (true (guessed ?c)) (true (card ?c)))
(goal ann 50)
"""
"""Ann sees a card, and Bob guesses it."""


async def _all_but_the_time(hub: MatchHub, user: str | None) -> str:
    """Everything that a viewer can get of a match by now."""
    view = await hub.view_for("m1", user)
    steps = [await hub.step_for("m1", user, step) for step in range(view["step"] + 1)]
    with pytest.raises(Refused, match="it would tell secrets"):
        await hub.record_for("m1", user)
    return json.dumps([{**view, "realtime": None}, steps])


@pytest.mark.parametrize("is_trusted", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_realtime_game_that_hides_something_shows_it_to_nobody_else(is_trusted: bool) -> None:
    game = GameText("peek", "Peek", "wdl", PEEK, is_trusted)

    async def play(seed: int) -> dict[str | None, str]:
        async with running_hub() as hub:
            await hub.create(plan_of(game, SEATS, seed=seed))
            async with hub.subscribe("m1", "u:ann"), hub.subscribe("m1", "u:bob"):
                await view_when(hub, "u:ann", lambda view: bool(view["choices"]))
                await hub.act("m1", "u:ann", {"type": "move", "move": "(peek (visible ann card))"})
                await view_when(hub, "u:bob", lambda view: bool(view["choices"]))
                return {user: await _all_but_the_time(hub, user) for user in ("u:ann", "u:bob", None)}

    seen: dict[str | None, set[str]] = {"u:ann": set(), "u:bob": set(), None: set()}
    for seed in range(4):
        for user, found in run(play(seed)).items():
            seen[user].add(found)
    assert {user: len(found) for user, found in seen.items()} == {"u:ann": 2, "u:bob": 1, None: 1}
    assert all("red" in found or "black" in found for found in seen["u:ann"])


WORDS = """
(set realtime)
(role ann) (role bob) (role cat)
(init silent)
(<= (legal ann (say (visible bob hush))) (true silent))
(<= (legal ann (say hush)) (true silent))
(<= (legal ?p nod) (role ?p) (distinct ?p ann) (true said))
(<= said (does ann (say hush)))
(<= (next said) said)
(<= (next said) (true said) (not nodded))
(<= nodded (does ?_p nod))
(<= (next silent) (true silent) (not said))
(<= (next over) nodded)
(<= terminal (true over))
(<= (goal ?p 50) (role ?p))
"""
"""Ann says a word to Bob alone or to all: Bob is told the same, and Cat is not."""


def test_spectators_of_a_realtime_game_are_not_told_which_words_were_for_all() -> None:
    game = GameText("words", "Words", "wdl", WORDS, True)
    seats = {name: person(name) for name in ("ann", "bob", "cat")}

    async def play(move: str) -> dict[str | None, str]:
        async with running_hub() as hub:
            await hub.create(plan_of(game, seats))
            async with (
                hub.subscribe("m1", "u:ann"),
                hub.subscribe("m1", "u:bob"),
                hub.subscribe("m1", "u:cat"),
            ):
                await view_when(hub, "u:ann", lambda view: bool(view["choices"]))
                await hub.act("m1", "u:ann", {"type": "move", "move": move})
                await view_when(hub, "u:bob", lambda view: bool(view["choices"]))
                return {user: await _all_but_the_time(hub, user) for user in ("u:bob", "u:cat", None)}

    alone, for_all = run(play("(say (visible bob hush))")), run(play("(say hush)"))
    assert {user: alone[user] == for_all[user] for user in alone} == {
        "u:bob": True,
        "u:cat": False,
        None: True,
    }
    assert ["hush" in str(seen["u:cat"]) for seen in (alone, for_all)] == [False, True]
    assert "hush" not in str(for_all[None])
