"""Matches are made, joined by link, listed, and seen by those who may."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ludorum.web.contract import MatchView, Premoves, StepView
from tests.web.served import Person, until

People = Callable[[], Person]
BOTH = {"game": "tictactoe", "seats": {"xplayer": "me", "oplayer": "me"}}


def token_of(link: str) -> str:
    return link.partition("?seat=")[2]


def test_nobody_chooses_what_chance_does_to_other_people(person: People) -> None:
    ann = person()
    poker = {"game": "kuhn_poker", "seats": {"alice": "me"}, "seed": 7}
    refused = ann.post("/matches", poker, 422)
    assert refused["error"]["message"] == "nobody chooses the seed of chance in a match with other people"
    ann.post("/matches", poker | {"seats": {"alice": "me", "bob": "player:random"}}, 201)
    ann.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}, "seed": 7}, 201)


def test_a_guest_plays_against_a_player_to_the_end(person: People) -> None:
    ann = person()
    body = {
        "game": "connect_four",
        "seats": {"red": "me", "yellow": "player:random"},
        "think": 0.1,
        "seed": 1,
    }
    made = ann.post("/matches", body, 201)
    assert made["links"] == {}
    with ann.watch(made["id"]) as page:
        while page.view()["phase"] != "over":
            if page.last["phase"] == "choice":
                step = page.last["step"]
                page.move()
                while page.last["step"] == step:
                    page.receive()
            else:
                page.receive()
        result = page.last["result"]
    assert sum(result.values()) == 100
    listed = ann.get("/matches?state=over&game=connect_four")["matches"]
    mine = next(one for one in listed if one["id"] == made["id"])
    assert mine["result"] == result
    MatchView.model_validate(ann.get(f"/matches/{made['id']}"))


@pytest.mark.long
def test_a_friend_joins_by_link_and_both_see_the_moves(person: People) -> None:
    ann, bob = person(), person()
    ann.sign_up("linker")
    made = ann.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}}, 201)
    assert made["links"]["oplayer"].startswith(f"/match/{made['id']}?seat=")
    body = {"role": "oplayer", "token": token_of(made["links"]["oplayer"])}
    assert bob.post(f"/matches/{made['id']}/seat", body)["viewer"] == "oplayer"
    with ann.watch(made["id"]) as first, bob.watch(made["id"]) as second:
        first.view(phase="choice")
        move = first.move()
        view = second.view(phase="choice")
        assert view["step"] == 1
        assert move not in [choice["move"] for choice in view["choices"]]
        assert view["roles"][0]["name"] == "linker"
        first.view(phase="waiting")
        prepared = Premoves.model_validate(ann.get(f"/matches/{made['id']}/premoves"))
        assert (prepared.step, len(prepared.choices)) == (1, 8)
        assert ann.get("/matches/nothing/premoves", 404)["error"]["message"] == "there is no such match"


def test_following_a_link_with_a_session_takes_the_seat(person: People) -> None:
    ann, bob = person(), person()
    made = ann.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me"}}, 201)
    bob.sign_up("follower")
    with bob.watch(made["id"], "?seat=" + token_of(made["links"]["oplayer"])) as page:
        assert page.view()["viewer"] == "oplayer"


def test_private_matches_are_not_listed_and_need_their_link(person: People) -> None:
    ann, bob = person(), person()
    body = {"game": "tictactoe", "seats": {"xplayer": "me"}, "private": True}
    made = ann.post("/matches", body, 201)
    listed = [one["id"] for one in ann.get("/matches")["matches"]]
    assert made["id"] not in listed
    path = f"/matches/{made['id']}/seat"
    for token in (None, "", "wrong", "é"):
        assert bob.send("POST", path, {"role": "oplayer", "token": token}).status_code == 403
    assert bob.post(path, {"role": "oplayer", "token": token_of(made["links"]["oplayer"])})


def test_open_matches_are_joined_from_the_list(person: People) -> None:
    ann, bob = person(), person()
    made = ann.post("/matches", {"game": "tictactoe", "seats": {"oplayer": "me"}}, 201)
    found = until(
        lambda: [one for one in bob.get("/matches?state=open")["matches"] if one["id"] == made["id"]],
        "the match in the list",
    )
    assert found[0]["open"] == ["xplayer"]
    assert found[0]["game"] == {"id": "tictactoe", "title": "Tic-Tac-Toe"}
    assert bob.post(f"/matches/{made['id']}/seat", {"role": "xplayer"})["viewer"] == "xplayer"
    assert ann.send("POST", f"/matches/{made['id']}/seat", {"role": "xplayer"}).status_code == 409


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "unknown", "seats": {}}, 404),
        ({"game": "tictactoe", "seats": {"nobody": "me"}}, 422),
        ({"game": "tictactoe", "seats": {"xplayer": "you"}}, 422),
        ({"game": "tictactoe", "seats": {"xplayer": "player:../../x.py:Y"}}, 422),
        ({"game": "tictactoe", "seats": {"xplayer": "player:mcts:threads=64"}}, 422),
        ({"game": "tictactoe", "seats": {"xplayer": "player:unknown"}}, 409),
        ({"game": "tictactoe", "seats": {}, "clock": {"base": -1}}, 422),
        ({"game": "tictactoe", "seats": {}, "clock": {"base": 1e400}}, 422),
        ({"game": "tictactoe", "seats": {}, "think": 1e9}, 422),
        ({"game": "tictactoe", "seats": {}, "seed": -1}, 422),
        ({"game": "tictactoe", "seats": {}, "unknown": 1}, 422),
        ({"game": "tictactoe", "seats": {f"role{at}": "open" for at in range(65)}}, 422),
        ({"game": "krieg_tictactoe", "seats": {"xplayer": "me", "oplayer": "me"}}, 409),
    ],
)
def test_plans_that_do_not_fit_are_refused(person: People, body: dict[str, Any], status: int) -> None:
    ann = person()
    ann.csrf = ann.get("/me")["csrf"]
    headers = {"X-CSRF-Token": ann.csrf, "Content-Type": "application/json"}
    answer = ann.http.post("/api/v1/matches", content=json.dumps(body), headers=headers)
    assert answer.status_code == status, answer.text
    assert set(answer.json()["error"]) == {"code", "message", "hint"}


@pytest.mark.parametrize("name", ["unknown", "%00", "x" * 100, "..%2f..", "a b"])
def test_unknown_matches_are_told(person: People, name: str) -> None:
    ann = person()
    for path in ("", "/steps/0", "/record", "/knowledge"):
        ann.get(f"/matches/{name}{path}", 404)
    for path in ("/seat", "/analysis"):
        body = {"role": "xplayer"} if path == "/seat" else {}
        assert ann.send("POST", f"/matches/{name}{path}", body).status_code in (404, 405)


@pytest.mark.long
def test_lists_have_pages(person: People) -> None:
    ann = person()
    for _ in range(21):
        ann.post("/matches", {"game": "nim", "seats": {}}, 201)
    first, second = (ann.get(f"/matches?game=nim&page={page}") for page in (1, 2))
    assert first["pages"] == second["pages"] == 2
    assert (len(first["matches"]), len(second["matches"])) == (20, 1)
    ann.get("/matches?page=0", 422)
    assert ann.get("/matches?page=10000")["matches"] == []
    ann.get("/matches?game=%00", 422)
    ann.get("/matches?state=unknown", 422)


def test_steps_and_the_record_are_those_of_the_viewer(person: People) -> None:
    ann = person()
    match = ann.post("/matches", BOTH, 201)["id"]
    with ann.watch(match) as page:
        page.view(step=0)
        page.move()
        page.view(step=1)
        page.move()
        page.view(step=2)
    step = ann.get(f"/matches/{match}/steps/1")
    assert step["step"] == 1
    StepView.model_validate(step)
    assert len(step["scene"]["board"]["cells"]) == 1
    for wrong in (3, 10**9, -1):
        assert ann.http.get(f"/api/v1/matches/{match}/steps/{wrong}").status_code in (404, 409)
    record = ann.http.get(f"/api/v1/matches/{match}/record")
    assert record.headers["content-disposition"] == f'attachment; filename="{match}.json"'
    assert len(record.json()["moves"]) == 2


def test_hidden_positions_stay_hidden_from_others(person: People) -> None:
    ann, bob, eve = person(), person(), person()
    made = ann.post("/matches", {"game": "krieg_tictactoe", "seats": {"xplayer": "me"}}, 201)
    bob.post(f"/matches/{made['id']}/seat", {"role": "oplayer"})
    with ann.watch(made["id"]) as page:
        page.view(phase="choice")
        move = page.move()
    for viewer in (bob, eve):
        view = viewer.get(f"/matches/{made['id']}")
        for shown in (view["moves"], view["scene"], view["roles"]):
            assert "mark 1 1" not in str(shown)
        assert move not in viewer.http.get(f"/api/v1/matches/{made['id']}/record").text
    assert eve.send("POST", f"/matches/{made['id']}/analysis", {}).status_code == 409


@pytest.mark.long
def test_a_match_alone_against_players_can_be_analysed(person: People) -> None:
    ann = person()
    body = {"game": "tictactoe", "seats": {"xplayer": "me", "oplayer": "player:legal"}, "think": 0.1}
    match = ann.post("/matches", body, 201)["id"]
    found = ann.post(f"/matches/{match}/analysis", {})
    assert set(found) >= {"values", "choices", "line", "reasons", "features"}
    assert len(found["choices"]) == 9


@pytest.mark.long
def test_ratings_follow_from_matches_that_are_over(person: People) -> None:
    ann, bob = person(), person()
    ann.sign_up("winner")
    bob.sign_up("loser")
    made = ann.post("/matches", {"game": "rock_paper_scissors", "seats": {"left": "me"}}, 201)
    bob.post(f"/matches/{made['id']}/seat", {"role": "right"})
    with bob.watch(made["id"]) as page:
        page.view(phase="choice")
        assert page.ask("resign")["type"] == "ack"
    over = until(lambda: ann.get("/matches?state=over&game=rock_paper_scissors")["matches"], "the end")
    assert over[0]["result"] == {"left": 100, "right": 0}
    rows = ann.get("/leaderboard?game=rock_paper_scissors")["rows"]
    assert [(row["rank"], row["name"], row["kind"], row["matches"]) for row in rows] == [
        (1, "winner", "person", 1),
        (2, "loser", "person", 1),
    ]
    assert rows[0]["low"] < rows[0]["rating"] < rows[0]["high"]
    page_of = ann.get("/players/winner")
    assert page_of["recent"][0]["id"] == made["id"]
    assert page_of["ratings"][0]["game"] == "rock_paper_scissors"
    assert ann.get("/players/mcts")["summary"]
    ann.get("/players/unknown", 404)
    ann.get("/players/%00", 404)


def test_players_are_described(person: People) -> None:
    found = {one["name"]: one for one in person().get("/players")}
    fit = {name for name, one in found.items() if one["for_hidden"]}
    assert {"random", "champion", "ismcts", "hyperplay", "belief", "card_mind"} <= fit
    assert not {"mcts", "alphabeta", "greedy"} & fit
    assert found["champion"]["summary"]
