"""Records, analyses, knowledge and reports: what people may have of a match, and when."""

from __future__ import annotations

import asyncio

import pytest

from ludorum.arena.records.record_checks import record_faults
from ludorum.web.live import MatchHub, Refused
from ludorum.web.live.plan import Json
from tests.web.live.hubs import (
    PATIENCE,
    TWO,
    library_game,
    move,
    person,
    plan_of,
    play_to_the_end,
    player,
    run,
    running_hub,
)

ALONE = {"xplayer": person("ann"), "oplayer": player("legal")}


def test_the_record_of_a_match_that_is_over_is_whole_and_keeps_the_rules_of_the_format() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await play_to_the_end(hub, ["u:ann", "u:bob"])
            return await hub.record_for("m1", None)

    record = run(play())
    assert record_faults(record) == []
    assert (record["isCompleted"], record["goalValues"]) == (True, [100, 0])
    assert (record["playerNamesFromHost"], record["isPlayerHuman"]) == (["ann", "bob"], [True, True])
    assert len(record["states"]) == len(record["moves"]) + 1 == len(record["stateTimes"])
    assert (record["x-seed"], record["x-end"]["how"]) == (7, "rules")


def test_the_record_of_a_match_that_runs_does_not_tell_what_nature_will_draw() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            await move(hub, "u:ann")
            return await hub.record_for("m1", "u:ann")

    record = run(play())
    assert "x-seed" not in record
    assert (len(record["moves"]), record["isCompleted"], record["isAborted"]) == (1, False, False)


def test_the_record_of_a_hidden_match_that_runs_has_the_viewers_moves_alone() -> None:
    async def play() -> tuple[Json, Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("krieg_tictactoe", TWO))
            await move(hub, "u:ann", "(mark 1 1)")
            await move(hub, "u:bob", "(mark 2 2)")
            return await hub.record_for("m1", "u:ann"), await hub.record_for("m1", None)

    ann, spectator = run(play())
    assert "(mark 2 2)" not in str(ann)
    assert "(mark 1 1)" in str(ann)
    assert ann["x-sight"] == "xplayer"
    assert "mark" not in str(spectator["moves"])
    assert ann["states"][1:] == [None] * len(ann["moves"])


@pytest.mark.long
def test_an_analysis_has_values_candidates_a_line_and_features() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", ALONE))
            return await hub.analysis_for("m1", "u:ann", 0)

    found = run(play())
    assert set(found) == {"values", "choices", "line", "reasons", "features"}
    assert {one["move"] for one in found["choices"]} <= {
        f"(mark {row} {column})" for row in (1, 2, 3) for column in (1, 2, 3)
    }
    assert found["choices"][0]["words"].startswith("mark")
    assert sum(found["values"].values()) == pytest.approx(100)


def test_nobody_is_helped_against_other_people_while_they_play() -> None:
    async def play() -> tuple[list[str], Json]:
        async with running_hub() as hub:
            await hub.create(plan_of("tictactoe", TWO))
            said = []
            for user in ("u:ann", None):
                with pytest.raises(Refused) as refused:
                    await hub.analysis_for("m1", user)
                said.append(str(refused.value))
            await hub.act("m1", "u:ann", {"type": "resign"})
            return said, await hub.analysis_for("m1", "u:ann", 0)

    said, found = run(play())
    assert said == ["people play against each other here: the analysis begins when the match is over"] * 2
    assert len(found["choices"]) > 0


def test_a_role_is_told_what_it_knows_where_something_is_hidden() -> None:
    async def play() -> tuple[Json, str]:
        async with running_hub() as hub:
            await hub.create(plan_of("krieg_tictactoe", ALONE))
            with pytest.raises(Refused) as refused:
                await hub.knowledge_for("m1", "u:eve")
            return await hub.knowledge_for("m1", "u:ann"), str(refused.value)

    known, refused = run(play())
    assert set(known) == {"sure", "possible", "worlds", "is_all", "opinion"}
    assert (known["worlds"], known["is_all"]) == (1, True)  # at the start there is one
    assert refused == "only those at the match know something of their own"


async def finished(hub: MatchHub, name: str) -> Json:
    async def wait() -> Json:
        while (job := hub.job(name)) is None or job["state"] == "running":
            await asyncio.sleep(0.05)
        return job

    return await asyncio.wait_for(wait(), PATIENCE)


@pytest.mark.long
def test_a_report_tells_length_balance_branching_and_decisiveness() -> None:
    async def make() -> Json:
        async with running_hub() as hub:
            return await finished(hub, hub._jobs.begin(library_game("tictactoe"), 300))

    job = run(make())
    assert (job["state"], job["progress"], job["result"]["games"]) == ("done", 1.0, 300)
    result = job["result"]
    assert 5 <= result["length"]["low"] <= result["length"]["mean"] <= result["length"]["high"] <= 9
    assert result["seats"]["xplayer"] > result["seats"]["oplayer"]
    assert sum(result["seats"].values()) == pytest.approx(100, abs=0.1)
    assert 0.75 < result["decisive"] < 0.97
    assert 4 < result["branching"] < 8


def test_a_report_on_a_card_game_is_made_by_its_fast_machine() -> None:
    async def make() -> Json:
        async with running_hub() as hub:
            return await finished(hub, hub._jobs.begin(library_game("hearts"), 300))

    result = run(make())["result"]
    assert (result["games"], result["decisive"]) == (300, 1.0)
    assert result["length"]["mean"] > 52
    assert len(result["seats"]) == 4


@pytest.mark.long
def test_a_move_does_not_wait_for_reports() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            await hub.begin_report(library_game("connect_four"))
            await hub.create(plan_of("tictactoe", ALONE))
            return await play_to_the_end(hub, ["u:ann"])

    assert run(play())["how"] == "rules"


def test_an_unknown_job_is_none() -> None:
    async def ask() -> object:
        async with running_hub() as hub:
            return hub.job("nothing")

    assert run(ask()) is None
