"""Nobody learns from a live match what the rules hide from them.

A recorder takes everything that one person can get while the match runs. Matches that this person cannot tell
apart, by own moves and by what the rules tell, must give the same, to the last character.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

import pytest

from ludorum.engine.game import Game
from ludorum.rules.kif import parse_term
from ludorum.web.live import GameText, MatchHub, MemoryJournal, Refused, SetTime
from ludorum.web.live.arbiter import game_of
from ludorum.web.live.events import event_from_json
from ludorum.web.live.live_match import LiveMatch
from tests.web.live.hubs import TWO, library_game, person, plan_of, run, running_hub

Script = Sequence[tuple[str, str]]
"""People and the moves that they make."""


async def everything(hub: MatchHub, user: str) -> str:
    """All that one person can get of a match at one moment, as a text."""
    view = await hub.view_for("m1", user)
    if view["how"] is not None:
        return "over"  # all is open now
    found: list[object] = [view, await hub.record_for("m1", user)]
    found += [await hub.step_for("m1", user, step) for step in range(view["step"] + 1)]
    for ask in (hub.knowledge_for, hub.analysis_for):
        try:
            known = await ask("m1", user)
            if known.get("worlds") is None:  # the opinion of worlds has random games in it
                found.append(known)
        except Refused as refused:
            found.append(str(refused))
    return json.dumps(found)


async def recorded(
    game: GameText, roles: Sequence[str], script: Script, user: str, seed: int
) -> tuple[LiveMatch, list[str]]:
    """What one person got before and after every move, and the match."""
    journal, time = MemoryJournal(), SetTime()
    async with running_hub(journal, time) as hub:
        seats = dict(zip(roles, (person("ann"), person("bob")), strict=True))
        await hub.create(plan_of(game, seats, base=300.0, seed=seed))
        found = [await everything(hub, user)]
        for mover, move in script:
            step = (await hub.view_for("m1", mover))["step"]
            try:
                await hub.act("m1", mover, {"type": "move", "step": step, "move": move})
            except Refused:
                break
            found.append(await everything(hub, user))
        return LiveMatch.rebuilt(map(event_from_json, journal.events["m1"])), found


def told(game: Game, match: LiveMatch, role: str) -> str:
    """A role's own moves and percepts, by the rules alone."""
    own = game.role(role)
    state = game.initial()
    found = []
    for joint in match.joints:
        state = state.play(tuple(map(parse_term, joint)))
        found.append((joint[game.roles.index(own)], sorted(map(str, state.percepts(own)))))
    return str(found)


@pytest.mark.parametrize("user", [pytest.param("u:ann", marks=pytest.mark.long), "u:bob", None])
def test_deals_of_kuhn_poker_that_look_the_same_give_the_same(user: str | None) -> None:
    text = library_game("kuhn_poker")
    game = game_of(text)
    roles = [str(role) for role in game.info.players]
    groups: dict[str, set[str]] = defaultdict(set)
    deals: dict[str, set[str]] = defaultdict(set)

    async def play() -> None:
        for seed in range(8):
            match, found = await recorded(text, roles, [], user or "u:eve", seed)
            seen = "" if user is None else told(game, match, roles[("u:ann", "u:bob").index(user)])
            groups[seen].add(json.dumps(found))
            deals[seen].add(str(match.joints))

    run(play())
    assert any(len(same) > 1 for same in deals.values())  # else nothing was compared
    assert [len(same) for same in groups.values()] == [1] * len(groups)


@pytest.mark.long
def test_moves_of_krieg_tictactoe_that_are_not_told_are_not_seen() -> None:
    text = library_game("krieg_tictactoe")
    game = game_of(text)

    async def play(bobs: Sequence[str]) -> tuple[str, list[str]]:
        script = []
        for mine, other in zip(("(mark 1 1)", "(mark 1 2)"), bobs, strict=True):
            script += [("u:ann", mine), ("u:bob", other)]
        match, found = await recorded(text, ["xplayer", "oplayer"], script, "u:ann", 3)
        assert len(found) == 5
        return told(game, match, "xplayer"), found

    one, other = run(play(["(mark 2 2)", "(mark 3 3)"])), run(play(["(mark 3 1)", "(mark 2 1)"]))
    assert one[0] == other[0]
    assert one[1] == other[1]


def test_nobody_is_told_that_another_has_chosen_where_something_is_hidden() -> None:
    async def play() -> tuple[str, str]:
        async with running_hub() as hub:
            await hub.create(plan_of("krieg_tictactoe", TWO, base=60.0))
            before = await everything(hub, "u:bob")
            await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 1 1)"})
            return before, await everything(hub, "u:bob")

    before, after = run(play())
    assert before == after


def test_the_only_move_of_a_role_is_made_by_hand_where_it_would_tell_a_secret() -> None:
    """A door that opens by itself would tell the candidate that the car is behind the third one."""
    text = library_game("monty_hall")

    async def play(car: int) -> list[str]:
        script = [("u:ann", f"(hide_car {car})"), ("u:bob", "(choose 1)"), ("u:ann", "(open_door 3)")]
        return (await recorded(text, ["monty", "candidate"], script, "u:bob", 3))[1]

    behind_the_chosen, behind_another = run(play(1)), run(play(2))
    assert len(behind_the_chosen) == 4
    assert behind_the_chosen == behind_another


def test_players_are_sent_only_what_their_roles_may_know() -> None:
    """What a worker is asked about a hidden game has own moves and percepts, and neither states nor seeds."""

    async def ask() -> tuple[object, object]:
        journal = MemoryJournal()
        async with running_hub(journal) as hub:
            await hub.create(plan_of("krieg_tictactoe", TWO, seed=123456789))
            await hub.act("m1", "u:ann", {"type": "move", "step": 0, "move": "(mark 1 1)"})
            await hub.act("m1", "u:bob", {"type": "move", "step": 0, "move": "(mark 3 3)"})
            running = hub._matches["m1"]
            sight = await running.sights.rules.ask("sight", running.sights.course(), "xplayer")
            return sight, [position["move"] for position in sight["positions"]]

    sight, moves = run(ask())
    assert moves == [None, "(mark 1 1)"]
    assert "123456789" not in json.dumps(sight)
    assert "joints" not in json.dumps(sight)
