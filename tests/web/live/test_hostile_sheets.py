"""Rules of strangers: a sheet that explodes is refused with a reason, and other matches go on."""

from __future__ import annotations

import asyncio

import pytest

from ludorum.web.live import GameText, MatchHub, Refused
from ludorum.web.live.plan import Json
from ludorum.web.live.rules_shelf import ArbiterError, RemoteRules, RulesShelf
from tests.exploding_sheets import GROWING_TERMS, HUGE_GROUNDING, many_joint_moves
from tests.web.live.hubs import (
    TWO,
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

NUMBERS = "".join(f"(num {number})" for number in range(12))
NAMES = " ".join(f"?x{number}" for number in range(10))
TUPLES = " ".join(f"(num ?x{number})" for number in range(10))
ENDLESS_STEP = f"""
(role a) {NUMBERS} (init (s 0)) (legal a go) (legal a stay)
(<= (next (s 1)) (does a go))
(<= (next (s 0)) (does a stay))
(<= (next (s 0)) (does a go) hard)
(<= (fine {NAMES}) {TUPLES})
(<= hard {TUPLES} (not (fine {NAMES})))
(<= terminal (true (s 1)))
(goal a 50)
"""
"""Reading it is easy; after the move ``go`` twelve to the tenth tuples are looked at."""


def strange(text: str, name: str = "strange", language: str = "gdl") -> GameText:
    return GameText(name, name, language, text, False)


def uploaded(name: str) -> GameText:
    game = library_game(name)
    return GameText(game.id, game.title, game.language, game.text, False)


@pytest.mark.long
def test_a_game_of_a_stranger_is_played_like_any_other() -> None:
    async def play() -> tuple[Json, Json, float]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await hub.create(plan_of(uploaded("tictactoe"), TWO, "m2"))
            here = await play_to_the_end(hub, ["u:ann", "u:bob"])
            there = await play_to_the_end(hub, ["u:ann", "u:bob"], "m2")
            return here, there, hub.metrics()["rules_processes"]

    here, there, processes = run(play())
    assert {**here, "id": "m2"} == there
    assert processes == 1


def test_a_chart_of_a_stranger_is_played_as_well() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            game = uploaded("crazy_eights")
            roles = (await hub.examine(game))["roles"]
            seats = {role: player("legal") for role in roles} | {roles[0]: person("ann")}
            await hub.create(plan_of(game, seats))
            return await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")

    view = run(play())
    assert view["scene"]["cards"] is not None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("(role a) (init", "gdl"),
        ("(role a) (legal a go) (<= (goal a ?x) (num ?y))", "gdl"),
        ("(" * 100_000, "gdl"),
        ("", "gdl"),
        ("\0\1\2", "gdl"),
        ("no chart", "fcdl"),
        ("{" * 5000, "fcdl"),
        ("(role a)", "cobol"),
    ],
    ids=["cut", "unsafe", "nested", "empty", "bytes", "no-chart", "json", "language"],
)
def test_faulty_rules_are_refused_with_the_reason(text: str, language: str) -> None:
    async def look() -> str:
        async with running_hub() as hub:
            with pytest.raises(Refused) as refused:
                await hub.examine(strange(text, language=language))
            return str(refused.value)

    said = run(look())
    assert said.startswith("strange cannot be played: ")
    assert len(said) > len("strange cannot be played: ")


async def try_to_begin(hub: MatchHub, text: str) -> str:
    """How a match of a sheet with the role ``a`` ends, or why there is none."""
    try:
        await hub.create(plan_of(strange(text), {"a": person("eve")}, "evil"))
        view = await hub.view_for("evil", "u:eve")
    except Refused as refused:
        return str(refused)
    return str(view["asked"])


@pytest.mark.long
def test_an_explosive_sheet_is_refused_and_other_matches_go_on() -> None:
    async def play() -> tuple[str, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            evil = asyncio.create_task(try_to_begin(hub, HUGE_GROUNDING))
            view = await play_to_the_end(hub, ["u:ann", "u:bob"])
            return await evil, view

    said, view = run(play())
    assert "too many different terms" in said or "the rules could not be evaluated" in said
    assert view["how"] == "rules"


@pytest.mark.long
def test_a_step_that_never_ends_is_given_up_and_the_match_can_be_left() -> None:
    async def play() -> tuple[str, list[list[str]]]:
        shelf = RulesShelf(ask_seconds=1.0)
        rules = shelf.rules_of(strange(ENDLESS_STEP))
        course = {"match": "m", "seed": 0, "joints": []}
        await rules.ask("advance", course, None)
        with pytest.raises(ArbiterError) as failed:
            await rules.ask("advance", course, {"a": "go"})
        again = await rules.ask("advance", course, {"a": "stay"})
        await shelf.close()
        return failed.value.kind, again["joints"]

    assert run(play()) == ("limit", [["stay"]])


def test_rules_that_grow_for_ever_come_to_an_end() -> None:
    async def play() -> str:
        async with running_hub() as hub:
            return await try_to_begin(hub, GROWING_TERMS)

    assert "terms within terms, more than 10000 deep" in run(play())


def test_many_roles_with_many_moves_are_no_trouble() -> None:
    async def look() -> Json:
        async with running_hub() as hub:
            return await hub.examine(strange(many_joint_moves()))

    assert len(run(look())["roles"]) == 10


def test_a_process_that_is_not_needed_is_ended_and_comes_back() -> None:
    async def play() -> list[object]:
        shelf = RulesShelf()
        rules = shelf.rules_of(uploaded("tictactoe"))
        assert isinstance(rules, RemoteRules)
        about = await rules.ask("about")
        found: list[object] = [shelf.processes]
        await rules.rest()
        found += [shelf.processes, await rules.ask("about") == about, shelf.processes]
        await shelf.close()
        return [*found, rules.has_process]

    assert run(play()) == [1, 0, True, 1, False]


def test_the_oldest_processes_are_ended_where_there_are_too_many() -> None:
    async def play() -> list[int]:
        shelf = RulesShelf()
        games = [strange(library_game("tictactoe").text + f"\n; {number}") for number in range(10)]
        for game in games:
            await shelf.rules_of(game).ask("about")
        found = [shelf.processes]
        await shelf.tidy()
        found.append(shelf.processes)
        await shelf.close()
        return [*found, shelf.processes]

    assert run(play()) == [10, 8, 0]


def test_a_sheet_that_kills_workers_is_not_given_to_them_again() -> None:
    """Its players answer by the first legal move from then on, and people are told."""

    async def play() -> tuple[list[str], Json]:
        async with running_hub() as hub:
            await hub.create(plan_of(uploaded("tictactoe"), TWO | {"xplayer": player("random")}))
            hub._pool._deaths["tictactoe"] = 2
            await view_when(hub, "u:bob", lambda view: view["phase"] == "choice")
            await move(hub, "u:bob")
            view = await view_when(hub, "u:bob", lambda view: view["step"] == 3)
            return [note["text"] for note in view["notes"]], view

    notes, _ = run(play())
    assert any("its rules have ended several processes" in note for note in notes)
