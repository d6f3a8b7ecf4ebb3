"""Live matches: people and players at one match, with the clocks and offers of the server."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ludorum.arena.match.opening import open_match
from ludorum.engine.load import load_game
from ludorum.web.live import MatchHub, MemoryJournal, Refused, SeatPlan, SetTime, UnknownMatch
from ludorum.web.live.plan import Json
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


async def act(hub: MatchHub, user: str, kind: str, **more: object) -> None:
    await hub.act("m1", user, {"type": kind, **more})


def clock_of(view: Json, role: str) -> object:
    return next(one["clock"] for one in view["roles"] if one["role"] == role)


def test_two_people_play_to_the_end_that_the_rules_say() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            return await play_to_the_end(hub, ["u:ann", "u:bob"])

    view = run(play())
    assert (view["phase"], view["how"], view["result"]) == ("over", "rules", {"xplayer": 100, "oplayer": 0})
    assert [line["words"] for line in view["moves"]][:2] == ["xplayer mark 1 1", "oplayer mark 1 2"]
    assert [one["goal"] for one in view["roles"]] == [100, 0]


def test_a_view_shows_the_choices_of_the_role_that_is_to_move_and_no_other() -> None:
    async def look() -> tuple[Json, Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            return (
                await hub.view_for("m1", "u:ann"),
                await hub.view_for("m1", "u:bob"),
                await hub.view_for("m1", None),
            )

    ann, bob, spectator = run(look())
    assert (ann["viewer"], ann["phase"], len(ann["choices"])) == ("xplayer", "choice", 9)
    assert (bob["viewer"], bob["phase"], bob["choices"]) == ("oplayer", "waiting", [])
    assert (spectator["viewer"], spectator["phase"], spectator["choices"]) == (None, "waiting", [])
    assert ann["scene"] == bob["scene"] == spectator["scene"]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"type": "move", "step": 0, "move": "(mark 4 4)"}, "(mark 4 4) is not legal"),
        ({"type": "move", "step": 0, "move": "((("}, "'(((' is no move"),
        ({"type": "move", "step": 1, "move": "(mark 1 1)"}, "the match has moved on"),
        ({"type": "move", "move": "(mark 1 1)"}, "the match has moved on"),
        ({"type": "move", "step": 0, "move": ["mark"]}, "a move is a short text"),
        ({"type": "answer", "what": "draw", "accept": True}, "there is no offer of a draw"),
        ({"type": "offer", "what": "everything"}, "nobody can offer 'everything'"),
        ({"type": "offer", "what": "takeback"}, "there is no move to take back"),
        ({"type": "offer", "what": "rematch"}, "another match is offered when this one is over"),
        ({"type": "resume"}, "the match is not paused"),
        ({"type": "premove", "move": "(mark 1 1)"}, "it is your turn"),
        ({"type": "chat", "text": "  "}, "there is nothing to say"),
        ({"type": "chat", "text": "a" * 501}, "500 characters at most"),
        ({"type": "dance"}, "nothing is known of 'dance'"),
        ({}, "nothing is known of"),
    ],
)
def test_what_is_not_possible_is_refused_with_a_reason_and_changes_nothing(message: Json, why: str) -> None:
    journal = MemoryJournal()

    async def try_it() -> tuple[str, Json, Json]:
        async with running_hub(journal) as hub:
            await hub.create(plan_of("tictactoe", TWO))
            before = await hub.view_for("m1", "u:ann")
            with pytest.raises(Refused) as refused:
                await hub.act("m1", "u:ann", message)
            return str(refused.value), before, await hub.view_for("m1", "u:ann")

    said, before, after = run(try_it())
    assert why in said
    assert before == after
    assert [event["kind"] for event in journal.events["m1"]] == ["created", "began"]


def test_a_spectator_and_a_role_that_is_not_to_move_are_refused() -> None:
    async def try_it() -> list[str]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            found = []
            for user in (None, "u:eve", "u:bob"):
                with pytest.raises(Refused) as refused:
                    await hub.act("m1", user, {"type": "move", "step": 0, "move": "noop"})
                found.append(str(refused.value))
            return found

    only = "only people at the match can do this"
    assert run(try_it()) == [only, only, "oplayer has nothing to choose now"]


def test_an_open_seat_is_taken_once_and_the_match_begins() -> None:
    async def take() -> tuple[Json, str, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": SeatPlan("open")}))
            before = await hub.view_for("m1", "u:ann")
            await hub.take_seat("m1", "oplayer", "u:bob", "bob")
            with pytest.raises(Refused) as refused:
                await hub.take_seat("m1", "oplayer", "u:eve", "eve")
            return before, str(refused.value), await hub.view_for("m1", "u:ann")

    before, refused, after = run(take())
    assert (before["phase"], before["choices"]) == ("open", [])
    assert refused == "the seat of oplayer is taken"
    assert (after["phase"], [one["name"] for one in after["roles"]]) == ("choice", ["ann", "bob"])


def test_an_unknown_match_is_no_match() -> None:
    async def look() -> None:
        async with running_hub() as hub:
            with pytest.raises(UnknownMatch):
                await hub.view_for("nothing", "u:ann")

    run(look())


@pytest.mark.parametrize(
    ("seats", "more", "why"),
    [
        ({"xplayer": person("ann")}, {}, "has seats for xplayer, oplayer"),
        (TWO | {"third": person("eve")}, {}, "has seats for xplayer, oplayer"),
        (TWO | {"oplayer": player("nobody")}, {}, "there is no player 'nobody'"),
        (TWO | {"oplayer": player("./mine.py:Mine")}, {}, "there is no player"),
        (TWO | {"oplayer": player("/etc/x.toml")}, {}, "there is no player"),
        (TWO | {"oplayer": player("mcts:speed=9")}, {}, "speed"),
        (TWO, {"base": -1.0}, "a clock begins with more than nothing"),
        (TWO, {"think": 1e9}, "players think 120 seconds at most"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(seats: dict[str, SeatPlan], more: Json, why: str) -> None:
    journal = MemoryJournal()

    async def create() -> str:
        async with running_hub(journal) as hub:
            with pytest.raises(Refused) as refused:
                await hub.create(plan_of("tictactoe", seats, **more))
            return str(refused.value)

    assert why in run(create())
    assert journal.events == {}


def test_forced_moves_and_dealing_pass_by_themselves() -> None:
    async def look() -> Json:
        async with running_hub() as hub:
            game = library_game("kuhn_poker")
            about = await hub.examine(game)
            names = iter(("ann", "bob"))
            seats = {role: person(next(names)) for role in about["roles"]}
            await hub.create(plan_of("kuhn_poker", seats))
            return await hub.view_for("m1", "u:ann")

    view = run(look())
    assert view["step"] > 0  # the cards are dealt
    assert view["phase"] == "choice"
    assert "random" not in [one["role"] for one in view["roles"]]


# -- clocks -------------------------------------------------------------------------------------------------


def test_a_clock_runs_only_while_its_role_is_to_move_and_grows_with_each_move() -> None:
    time = SetTime()

    async def play() -> list[object]:
        async with running_hub(time=time) as hub:
            await hub.create(plan_of("tictactoe", TWO, base=60.0, increment=5.0))
            time.advance(10.0)
            await move(hub, "u:ann")
            time.advance(3.0)
            view = await hub.view_for("m1", None)
            return [clock_of(view, "xplayer"), clock_of(view, "oplayer")]

    assert run(play()) == [{"left": 55.0, "running": False}, {"left": 57.0, "running": True}]


def test_who_runs_out_of_time_has_lost() -> None:
    time = SetTime()

    async def play() -> tuple[Json, str]:
        async with running_hub(time=time) as hub:
            await hub.create(plan_of("tictactoe", TWO, base=60.0))
            await move(hub, "u:ann")
            time.advance(59.0)
            assert (await hub.view_for("m1", None))["phase"] == "waiting"
            time.advance(1.0)
            with pytest.raises(Refused) as refused:  # in time for the server, too late for the clock
                await hub.act("m1", "u:bob", {"type": "move", "step": 1, "move": "(mark 2 2)"})
            return await view_when(hub, None, lambda view: view["phase"] == "over"), str(refused.value)

    view, refused = run(play())
    assert (view["how"], view["ended_by"]) == ("time", "oplayer")
    assert view["result"] == {"xplayer": 100, "oplayer": 0}
    assert view["asked"] == "oplayer ran out of time."
    assert refused == "the match is over"


def test_a_flag_falls_without_anybody_asking() -> None:
    time = SetTime()

    async def play() -> Json:
        async with running_hub(time=time) as hub:
            await hub.create(plan_of("tictactoe", TWO, base=60.0))
            async with hub.subscribe("m1", "u:bob") as views:
                await anext(views)
                time.advance(60.0)
                return await anext(views)

    assert run(play())["how"] == "time"


# -- offers -------------------------------------------------------------------------------------------------


def test_a_draw_is_offered_and_accepted() -> None:
    async def play() -> tuple[Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:bob", "offer", what="draw")
            offered = await hub.view_for("m1", "u:ann")
            await act(hub, "u:ann", "answer", what="draw", accept=True)
            return offered, await hub.view_for("m1", "u:ann")

    offered, view = run(play())
    assert offered["offers"] == [{"what": "draw", "by": "oplayer", "answers": ["xplayer"]}]
    assert (view["how"], view["result"], view["offers"]) == ("draw", {"xplayer": 50, "oplayer": 50}, [])


def test_a_declined_offer_is_gone_and_a_move_ends_it_too() -> None:
    async def play() -> list[list[Json]]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:bob", "offer", what="draw")
            await act(hub, "u:ann", "answer", what="draw", accept=False)
            found = [(await hub.view_for("m1", "u:ann"))["offers"]]
            await act(hub, "u:bob", "offer", what="draw")
            await move(hub, "u:ann")
            found.append((await hub.view_for("m1", "u:ann"))["offers"])
            return found

    assert run(play()) == [[], []]


def test_a_takeback_goes_back_to_the_last_choice_of_who_asks() -> None:
    async def play() -> list[tuple[int, list[str]]]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await move(hub, "u:ann", "(mark 2 2)")
            await move(hub, "u:bob", "(mark 1 1)")
            await act(hub, "u:ann", "offer", what="takeback")
            await act(hub, "u:bob", "answer", what="takeback", accept=True)
            view = await hub.view_for("m1", "u:ann")
            found = [(view["step"], view["to_move"])]
            await move(hub, "u:ann", "(mark 3 3)")
            await act(hub, "u:ann", "offer", what="takeback")
            await act(hub, "u:bob", "answer", what="takeback", accept=True)
            view = await hub.view_for("m1", "u:ann")
            return [*found, (view["step"], view["to_move"]), (len(view["moves"]), [])]

    assert run(play()) == [(0, ["xplayer"]), (0, ["xplayer"]), (0, [])]


def test_nothing_is_taken_back_where_something_is_hidden() -> None:
    async def play() -> str:
        async with running_hub() as hub:
            seats = {"xplayer": person("ann"), "oplayer": person("bob")}
            await hub.create(plan_of("krieg_tictactoe", seats))
            await move(hub, "u:ann")
            with pytest.raises(Refused) as refused:
                await act(hub, "u:ann", "offer", what="takeback")
            return str(refused.value)

    assert "nothing can be taken back where something is hidden" in run(play())


def test_resigning_ends_the_match() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:ann", "resign")
            return await hub.view_for("m1", "u:bob")

    view = run(play())
    assert (view["phase"], view["ended_by"]) == ("resigned", "xplayer")
    assert view["result"] == {"xplayer": 0, "oplayer": 100}


def test_a_pause_is_agreed_stops_the_clocks_and_is_ended_in_agreement() -> None:
    time = SetTime()

    async def play() -> list[object]:
        async with running_hub(time=time) as hub:
            await hub.create(plan_of("tictactoe", TWO, base=60.0))
            found: list[object] = []
            await act(hub, "u:bob", "pause")
            found.append((await hub.view_for("m1", "u:ann"))["phase"])
            await act(hub, "u:ann", "answer", what="pause", accept=True)
            time.advance(1000.0)
            view = await hub.view_for("m1", "u:ann")
            found += [view["phase"], clock_of(view, "xplayer"), view["choices"]]
            with pytest.raises(Refused, match="the match is paused"):
                await move(hub, "u:ann", "(mark 1 1)")
            await act(hub, "u:ann", "resume")
            await act(hub, "u:bob", "resume")  # to offer the same is to agree
            time.advance(5.0)
            view = await hub.view_for("m1", "u:ann")
            return [*found, view["phase"], clock_of(view, "xplayer")]

    assert run(play()) == [
        "choice",
        "paused",
        {"left": 60.0, "running": False},
        [],
        "choice",
        {"left": 55.0, "running": True},
    ]


@pytest.mark.parametrize(
    ("swap", "names"), [(True, ["bob", "ann"]), (False, ["ann", "bob"])], ids=["swapped", "kept"]
)
def test_a_rematch_is_another_match_with_seats_kept_or_swapped(swap: bool, names: list[str]) -> None:
    async def play() -> tuple[Json, Json]:
        async with running_hub(new_id=lambda: "m2") as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:ann", "resign")
            await act(hub, "u:ann", "offer", what="rematch", swap=swap)
            await act(hub, "u:bob", "answer", what="rematch", accept=True)
            return await hub.view_for("m1", "u:ann"), await hub.view_for("m2", "u:ann")

    old, new = run(play())
    assert old["rematch"] == "/match/m2"
    assert ([one["name"] for one in new["roles"]], new["step"], new["how"]) == (names, 0, None)


# -- premoves, chat, presence -------------------------------------------------------------------------------


def test_a_premove_is_played_at_once_when_it_is_legal() -> None:
    async def play() -> tuple[Json, Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:bob", "premove", move="(mark 2 2)")
            bob, ann = await hub.view_for("m1", "u:bob"), await hub.view_for("m1", "u:ann")
            await move(hub, "u:ann", "(mark 1 1)")
            return bob, ann, await hub.view_for("m1", "u:bob")

    bob, ann, after = run(play())
    assert (bob["premove"], ann["premove"]) == ("(mark 2 2)", None)
    assert (after["step"], after["premove"]) == (2, None)
    assert [line["words"] for line in after["moves"]] == ["xplayer mark 1 1", "oplayer mark 2 2"]


def test_a_premove_that_is_not_legal_is_dropped() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:bob", "premove", move="(mark 2 2)")
            await move(hub, "u:ann", "(mark 2 2)")
            return await hub.view_for("m1", "u:bob")

    view = run(play())
    assert (view["step"], view["premove"], view["phase"]) == (1, None, "choice")
    assert view["dropped"] == "(mark 2 2)"


def test_a_dropped_premove_is_forgotten_with_the_next_move() -> None:
    async def play() -> list[str | None]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await act(hub, "u:bob", "premove", move="(mark 2 2)")
            await move(hub, "u:ann", "(mark 2 2)")
            found = [(await hub.view_for("m1", user))["dropped"] for user in ("u:bob", "u:ann", None)]
            await move(hub, "u:bob", "(mark 3 3)")
            return [*found, (await hub.view_for("m1", "u:bob"))["dropped"]]

    assert run(play()) == ["(mark 2 2)", None, None, None]


def test_moves_are_offered_for_preparing_to_the_role_that_waits() -> None:
    async def play() -> list[Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await move(hub, "u:ann", "(mark 2 2)")
            return [await hub.premoves_for("m1", user) for user in ("u:ann", "u:bob", None)]

    ann, *others = run(play())
    assert ann["step"] == 1
    assert [choice["move"] for choice in ann["choices"]] == [
        f"(mark {x} {y})" for x in "123" for y in "123" if x + y != "22"
    ]
    assert others == [{"step": 1, "choices": []}] * 2


@pytest.mark.parametrize(("user", "role"), [("u:bob", "oplayer"), (None, None)])
def test_whose_turn_it_is_is_told_where_the_viewer_can_know_it(user: str | None, role: str | None) -> None:
    async def look(game: str, roles: tuple[str, str], thinker: SeatPlan) -> Json:
        async with running_hub() as hub:
            await hub.create(
                plan_of(game, dict(zip(roles, (thinker, person("bob")), strict=True)), think=30.0)
            )
            return await hub.view_for("m1", user)

    poker = run(look("kuhn_poker", ("alice", "bob"), player("champion")))
    assert (poker["to_move"], poker["is_thinking"]) == (["alice"], True)
    assert poker["asked"] == "Waiting for alice."
    krieg = run(look("krieg_tictactoe", ("xplayer", "oplayer"), person("ann")))
    assert (krieg["to_move"], krieg["is_thinking"]) == ([role] if role else [], False)


def test_nothing_is_prepared_where_something_is_hidden() -> None:
    async def play() -> tuple[Json, str]:
        async with running_hub() as hub:
            await hub.create(plan_of("krieg_tictactoe", TWO))
            await move(hub, "u:ann")
            with pytest.raises(Refused) as refused:
                await act(hub, "u:ann", "premove", move="(mark 1 1)")
            return await hub.premoves_for("m1", "u:ann"), str(refused.value)

    assert run(play()) == (
        {"step": 0, "choices": []},
        "nothing can be prepared where something is hidden",
    )


def test_people_who_look_on_are_counted() -> None:
    async def look() -> list[int]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            async with hub.subscribe("m1", "u:ann") as views, hub.subscribe("m1", "u:eve"):
                found = [(await anext(views))["spectators"]]
                async with hub.subscribe("m1", "u:eve"), hub.subscribe("m1", None), hub.subscribe("m1", None):
                    found.append((await anext(views))["spectators"])
                return [*found, (await anext(views))["spectators"]]

    assert run(look()) == [1, 3, 1]


def test_chat_is_seen_by_all_and_can_be_switched_off() -> None:
    async def talk(is_on: bool) -> object:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO, chat=is_on))
            try:
                await act(hub, "u:ann", "chat", text=" good\x07  luck\n")
            except Refused as refused:
                return (await hub.view_for("m1", None))["chat"], str(refused)
            return (await hub.view_for("m1", None))["chat"]

    assert run(talk(True)) == [{"by": "ann", "text": "good luck"}]
    assert run(talk(False)) == (None, "the chat of this match is switched off")


def test_people_are_here_while_they_look() -> None:
    async def look() -> list[list[bool]]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            async with hub.subscribe("m1", "u:ann") as views:
                found = [[one["is_here"] for one in (await anext(views))["roles"]]]
                async with hub.subscribe("m1", "u:bob"):
                    found.append([one["is_here"] for one in (await anext(views))["roles"]])
                found.append([one["is_here"] for one in (await anext(views))["roles"]])
            return found

    assert run(look()) == [[True, False], [True, True], [True, False]]


def test_a_slow_viewer_gets_the_newest_view_and_misses_those_between() -> None:
    async def look() -> list[int]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            async with hub.subscribe("m1", "u:eve") as views:
                found = [(await anext(views))["step"]]
                for user in ("u:ann", "u:bob", "u:ann"):
                    await move(hub, user)
                return [*found, (await anext(views))["step"]]

    assert run(look()) == [0, 3]


def test_views_end_when_the_server_stops() -> None:
    async def look() -> int:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            async with hub.subscribe("m1", "u:ann") as views:
                await anext(views)
                await hub.close()
                return len([view async for view in views])

    assert run(look()) == 0


def test_an_earlier_step_can_be_looked_at() -> None:
    async def look() -> tuple[Json, Json, list[Json]]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            first = await hub.view_for("m1", "u:ann")
            await move(hub, "u:ann")
            await move(hub, "u:bob")
            with pytest.raises(Refused, match="the match has no step 3"):
                await hub.step_for("m1", None, 3)
            steps = [await hub.step_for("m1", None, step) for step in range(3)]
            return first, await hub.view_for("m1", None), steps

    first, last, steps = run(look())
    assert [step["step"] for step in steps] == [0, 1, 2]
    assert (steps[0]["scene"], steps[2]["scene"]) == (first["scene"], last["scene"])
    assert [len(step["moves"]) for step in steps] == [0, 1, 2]


# -- players of the server ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["legal", "mcts:playouts=50"])
def test_a_person_plays_against_a_player_of_the_server(name: str) -> None:
    async def play() -> tuple[Json, dict[str, float]]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": player(name)}))
            return await play_to_the_end(hub, ["u:ann"]), hub.metrics()

    view, numbers = run(play())
    assert (view["how"], view["notes"]) == ("rules", [])
    assert numbers["moves_made"] == view["step"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "name"), [("krieg_tictactoe", "mcts:playouts=50"), ("kuhn_poker", "champion")]
)
def test_players_follow_a_game_that_hides_something_by_what_they_are_told(game: str, name: str) -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            roles = (await hub.examine(library_game(game)))["roles"]
            await hub.create(plan_of(game, {roles[0]: person("ann"), roles[1]: player(name)}))
            return await play_to_the_end(hub, ["u:ann"], at=1)

    view = run(play())
    assert (view["how"], [note for note in view["notes"] if "legal move was made" in note["text"]]) == (
        "rules",
        [],
    )


@pytest.mark.long
def test_an_open_game_of_dice_is_watched_whole_and_nothing_of_it_is_taken_back() -> None:
    async def play() -> tuple[Json, Json, str]:
        async with running_hub() as hub:
            await hub.create(plan_of("pig", {"red": person("ann"), "blue": person("bob")}))
            view = await hub.view_for("m1", None)
            await move(hub, {"red": "u:ann", "blue": "u:bob"}[view["to_move"][0]])
            with pytest.raises(Refused) as refused:
                await act(hub, "u:ann", "offer", what="takeback")
            own, others = await hub.view_for("m1", "u:ann"), await hub.view_for("m1", None)
            return own, others, str(refused.value)

    own, others, refused = run(play())
    assert (own["game"]["hides"], own["game"]["chance"]) == (False, True)
    assert own["moves"][0]["words"].startswith("red roll ")
    assert own["moves"] == others["moves"]
    assert own["scene"] == others["scene"]
    assert refused == "nothing can be taken back where there is chance: what comes would be known"


def test_one_person_may_play_all_roles_of_an_open_game_but_not_of_a_hidden_one() -> None:
    async def play() -> tuple[Json, str]:
        async with running_hub() as hub:
            alone = {"xplayer": person("ann"), "oplayer": person("ann")}
            await hub.create(plan_of("tictactoe", alone))
            with pytest.raises(Refused) as refused:
                await hub.create(plan_of("krieg_tictactoe", alone, "m2"))
            return await play_to_the_end(hub, ["u:ann"]), str(refused.value)

    view, refused = run(play())
    assert view["result"] == {"xplayer": 100, "oplayer": 0}
    assert refused == "in a game that hides something a person has one seat"


@pytest.mark.long
def test_a_viewer_of_fast_players_gets_views_while_they_play() -> None:
    async def play() -> list[int]:
        async with running_hub() as hub:
            about = await hub.examine(library_game("othello"))
            await hub.create(plan_of("othello", {role: player("random") for role in about["roles"]}))
            steps = []
            async with hub.subscribe("m1", None) as views:
                async for view in views:
                    steps.append(view["step"])
                    if view["how"] is not None:
                        return steps
            return []

    steps = run(play())
    assert steps == sorted(set(steps))
    assert len(steps) > 3


def test_alone_against_players_a_pause_a_takeback_and_a_rematch_need_no_answer() -> None:
    async def play() -> list[object]:
        async with running_hub(new_id=lambda: "m2") as hub:
            await hub.create(plan_of("tictactoe", {"xplayer": person("ann"), "oplayer": player("legal")}))
            await move(hub, "u:ann")
            await view_when(hub, "u:ann", lambda view: view["step"] == 2)
            found: list[object] = []
            await act(hub, "u:ann", "pause")
            found.append((await hub.view_for("m1", "u:ann"))["phase"])
            await act(hub, "u:ann", "resume")
            await act(hub, "u:ann", "offer", what="takeback")
            found.append((await hub.view_for("m1", "u:ann"))["step"])
            with pytest.raises(Refused, match="never agree to a draw"):
                await act(hub, "u:ann", "offer", what="draw")
            await act(hub, "u:ann", "resign")
            await act(hub, "u:ann", "offer", what="rematch", swap=False)
            return [*found, (await hub.view_for("m1", "u:ann"))["rematch"]]

    assert run(play()) == ["paused", 0, "/match/m2"]


def test_a_takeback_while_a_player_thinks_drops_its_answer() -> None:
    async def play() -> list[object]:
        async with running_hub() as hub:
            seats = {"xplayer": person("ann"), "oplayer": player("mcts")}
            await hub.create(plan_of("tictactoe", seats, think=30.0))
            await move(hub, "u:ann", "(mark 1 1)")
            await view_when(hub, "u:ann", lambda view: view["is_thinking"])
            await act(hub, "u:ann", "offer", what="takeback")
            view = await hub.view_for("m1", "u:ann")
            return [view["step"], view["phase"], view["is_thinking"]]

    assert run(play()) == [0, "choice", False]


def test_players_play_among_themselves_while_people_watch() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            seats = {"xplayer": player("random"), "oplayer": player("legal")}
            await hub.create(plan_of("tictactoe", seats))
            return await view_when(hub, None, lambda view: view["how"] is not None)

    assert run(play())["how"] == "rules"


def test_a_match_begins_with_the_opening_of_its_plan() -> None:
    """It is that of tournaments on the command line, and nobody takes it back."""

    async def look() -> tuple[Json, list[Json], MemoryJournal]:
        journal = MemoryJournal()
        async with running_hub(journal) as hub:
            seed, opening = await hub.draw_opening(library_game("tictactoe"), 5, 2)
            plan = plan_of("tictactoe", TWO, seed=seed)
            await hub.create(replace(plan, opening=opening, tournament="cup"))
            with pytest.raises(Refused, match="no move to take back"):
                await act(hub, "u:ann", "offer", what="takeback")
            view = await hub.view_for("m1", "u:ann")
        async with running_hub(journal) as hub:
            await hub.resume("m1")
            return view, [await hub.view_for("m1", "u:ann"), await hub.record_for("m1", "u:ann")], journal

    view, (again, record), journal = run(look())
    opened = open_match(load_game("tictactoe"), 5, 2)
    assert record["moves"] == [[str(move) for move in joint] for joint in opened.moves]
    assert (view["step"], view["phase"], view["tournament"]) == (2, "choice", "cup")
    assert again == view
    assert journal.events["m1"][0]["plan"]["seed"] == opened.seed


def test_a_match_that_is_stopped_has_no_result() -> None:
    async def stop() -> tuple[Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await hub.stop("m1", "The tournament was stopped.")
            stopped = await hub.view_for("m1", "u:ann")
            await hub.stop("m1", "The match is stopped already.")
            return stopped, await hub.view_for("m1", "u:ann")

    stopped, after = run(stop())
    assert (stopped["phase"], stopped["how"], stopped["result"]) == ("over", "stopped", None)
    assert stopped["asked"] == after["asked"] == "The tournament was stopped."


def test_in_a_simultaneous_game_nobody_learns_of_a_move_before_all_have_moved() -> None:
    async def play() -> list[object]:
        async with running_hub() as hub:
            game = library_game("rock_paper_scissors")
            roles = (await hub.examine(game))["roles"]
            await hub.create(plan_of(game, dict(zip(roles, (person("ann"), person("bob")), strict=True))))
            before = await hub.view_for("m1", "u:bob")
            await move(hub, "u:ann")
            after = await hub.view_for("m1", "u:bob")
            shown = [after[key] == before[key] for key in ("scene", "moves", "choices", "step", "phase")]
            with pytest.raises(Refused, match="has chosen already"):
                await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "x"})
            await move(hub, "u:bob")
            return [shown, (await hub.view_for("m1", "u:bob"))["step"] > 0]

    assert run(play()) == [[True] * 5, True]


def test_a_match_that_is_asked_for_while_it_is_made_is_there_once() -> None:
    """The names of matches of tournaments are known before the matches are made."""

    class SlowJournal(MemoryJournal):
        async def append(self, match_id: str, number: int, event: Json) -> None:
            await super().append(match_id, number, event)
            await asyncio.sleep(0.05)  # it is on the disk, and the hub has not been told

        async def load(self, match_id: str) -> list[Json]:
            raise AssertionError("the match is loaded although it is here")

    async def play() -> Json:
        journal = SlowJournal()
        async with running_hub(journal) as hub:
            making = asyncio.create_task(hub.create(plan_of("tictactoe", TWO)))
            while not journal.events:
                await asyncio.sleep(0)
            view = await hub.view_for("m1", "u:ann")
            await making
            await move(hub, "u:ann")
            return view

    assert run(play())["id"] == "m1"
