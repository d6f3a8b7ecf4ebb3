"""Games are listed, shown, uploaded and reported on; rules of strangers hurt nobody else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ludorum.api.games import list_games
from ludorum.rules.library import find_sheet, realtime_sheets
from ludorum.web.config import Rate, SiteConfig, SiteLimits
from ludorum.web.games.card import KEPT, kept_cards, library_cards, library_digest
from ludorum.web.games.examine import language_of
from ludorum.web.live.realtime import running
from tests.exploding_sheets import GROWING_TERMS, HUGE_GROUNDING
from tests.web.served import Person, served, until

People = Callable[[], Person]

RACE = """; title: Race
; rules: Whoever says five first wins.
(role ann) (role bob)
(init (sum 0)) (init (turn ann))
(add 0 1 1) (add 1 1 2) (add 2 1 3) (add 3 1 4) (add 4 1 5)
(add 0 2 2) (add 1 2 3) (add 2 2 4) (add 3 2 5)
(<= (legal ?r (say ?n)) (true (turn ?r)) (true (sum ?s)) (add ?s ?n ?t))
(<= (legal ann noop) (true (turn bob)))
(<= (legal bob noop) (true (turn ann)))
(<= (next (sum ?t)) (true (sum ?s)) (does ?r (say ?n)) (add ?s ?n ?t))
(<= (next (turn bob)) (true (turn ann)))
(<= (next (turn ann)) (true (turn bob)))
(<= terminal (true (sum 5)))
(<= (goal ?r 0) (true (sum 5)) (true (turn ?r)))
(<= (goal ann 100) (true (sum 5)) (true (turn bob)))
(<= (goal bob 100) (true (sum 5)) (true (turn ann)))
"""


def test_the_kept_list_of_the_library_is_of_its_sheets() -> None:
    """Where this fails, `make playthroughs` writes the list anew."""
    assert json.loads(KEPT.read_text(encoding="utf-8"))["digest"] == library_digest()


@pytest.mark.long
def test_the_kept_list_of_the_library_is_what_its_rules_say() -> None:
    assert kept_cards() == library_cards()


def test_every_game_of_the_library_is_listed(person: People) -> None:
    found = {game["id"]: game for game in person().get("/games") if game["id"] in list_games()}
    assert set(found) == set(list_games())
    assert found["connect_four"]["kind"] == "board"
    assert found["hearts"]["kind"] == "cards"
    assert found["eight_puzzle"]["kind"] == "puzzle"
    assert found["hex_11"]["title"] == "Hex (11)"
    assert found["kuhn_poker"]["hides"]
    assert found["kuhn_poker"]["chance"]
    assert found["kuhn_poker"]["roles"] == ["alice", "bob"]
    assert not found["chess"]["hides"]


@pytest.mark.long
def test_realtime_games_are_listed_as_what_they_are(person: People) -> None:
    found = {game["id"]: game for game in person().get("/games")}
    realtime = [name for name, game in found.items() if game["realtime"]]
    assert set(realtime) == {sheet.name for sheet in realtime_sheets()}
    assert {name: (found[name]["kind"], found[name]["roles"]) for name in realtime} == {
        "pursuit": ("board", ["red", "blue"]),
        "tictactoe_clock": ("board", ["xplayer", "oplayer"]),
        "chess_clock": ("board", ["white", "black"]),
    }
    assert not any(found[name]["hides"] or found[name]["chance"] for name in realtime)
    assert [game["id"] for game in person().get("/games?query=realtime")] == realtime
    board = person().get("/games/pursuit/start")["scene"]["board"]
    assert len(board["columns"]) > 5


def test_who_is_listed_for_realtime_games_plays_them_and_no_other_does(person: People) -> None:
    ann = person()
    can = {one["name"]: one["for_realtime"] for one in ann.get("/players")}
    assert sorted(name for name, is_able in can.items() if is_able) == ["champion", "legal", "random"]
    assert can["mcts"] is False
    sent = {"game": "tictactoe_clock", "seats": {"xplayer": "me", "oplayer": "player:random"}}
    made = ann.post("/matches", sent, 201)["id"]
    view = ann.get(f"/matches/{made}")
    assert view["realtime"] == {"seconds": 0.0, "is_running": False}
    assert [(one["role"], one["kind"], one["name"]) for one in view["roles"]][1:] == [
        ("oplayer", "player", "random")
    ]
    refused = ann.post("/matches", sent | {"seats": {"xplayer": "me", "oplayer": "player:mcts"}}, 409)
    assert "mcts cannot act in realtime" in refused["error"]["message"]


def test_a_query_finds_games_by_all_of_its_words(person: People) -> None:
    found = person().get("/games?query=FOUR connect")
    assert [game["id"] for game in found] == ["connect_four", "hidden_connect"]
    assert person().get("/games?query=%00") == []


def test_a_game_has_its_rules_and_its_first_position(person: People) -> None:
    game = person().get("/games/tictactoe")
    assert game["rules"] == find_sheet("tictactoe").source.text
    assert game["owner"] is None
    answer = person().http.get("/api/v1/games/tictactoe/start")
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert len(answer.json()["scene"]["board"]["columns"]) == 3


@pytest.mark.parametrize(
    "name",
    ["unknown", "..", "..%2f..%2fetc%2fpasswd", "%00", "tictactoe.kif", "gdl%2ftictactoe.kif", "x" * 300],
)
def test_names_are_not_paths(person: People, name: str) -> None:
    assert person().http.get(f"/api/v1/games/{name}").status_code == 404


@pytest.mark.long
def test_an_uploaded_game_can_be_played_by_others(person: People) -> None:
    ann, bob = person(), person()
    ann.sign_up("uploader")
    game = ann.post("/games", {"text": RACE}, 201)
    assert (game["title"], game["roles"], game["owner"]) == ("Race", ["ann", "bob"], "uploader")
    assert game["language"] == "gdl"
    match = bob.post("/matches", {"game": game["id"], "seats": {"ann": "me", "bob": "me"}}, 201)["id"]
    with bob.watch(match) as page:
        for step in (0, 1):
            page.view(phase="choice", step=step)
            assert page.ask("move", step=step, move="(say 2)")["type"] == "ack"
        # The last move is the only one there is: it passes by itself.
        assert page.view(phase="over")["result"] == {"ann": 100, "bob": 0}


def test_the_same_text_of_the_same_owner_is_the_same_game(person: People) -> None:
    ann = person()
    first = ann.post("/games", {"text": RACE, "title": "One"}, 201)["id"]
    assert ann.post("/games", {"text": RACE, "title": "Two"}, 201)["id"] == first
    assert person().post("/games", {"text": RACE}, 201)["id"] != first


def test_faults_are_told_with_place_and_hint(person: People) -> None:
    answer = person().send(
        "POST", "/games", {"text": "(role walker)\n(init (at ?x))\n(<= terminal (true (at home))"}
    )
    assert answer.status_code == 422
    body = answer.json()
    assert body["error"]["code"] == "faulty-rules"
    fault = next(fault for fault in body["faults"] if fault["code"] == "variable-in-fact")
    assert (fault["severity"], fault["line"], fault["column"]) == ("error", 2, 11)
    assert fault["hint"] == "add a condition that binds ?x"


def test_charts_are_read_as_charts(person: People) -> None:
    text = find_sheet("higher_card").source.text
    game = person().post("/games", {"text": text, "title": "Mine"}, 201)
    assert (game["language"], game["kind"], game["title"]) == ("fcdl", "cards", "Mine")
    broken = person().send("POST", "/games", {"text": text.replace("Shuffle", "Shufle")})
    assert broken.status_code == 422
    assert broken.json()["faults"][0]["message"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("; comment\n(role x)", "gdl"),
        ("role(x).", "gdl"),
        ("% comment\nrole(x) :- true.", "gdl"),
        ("; title: a\n\n0  start\n1 end", "fcdl"),
        ('{"nodes": []}', "fcdl"),
        ("(role ann)\n(include cards:carddeck)", "wdl"),
        ("; a clock\n(set realtime)", "wdl"),
        ("(role ann) (random die 1 1) (random die 1 2)", "wdl"),
        ("(role ann) (role bob) (<= (legal ann (tell (visible bob hi))))", "wdl"),
        ("(role ann) (role random) (random die 1 1)", "gdl"),
        ("(role ann) (set 1 2) (include a b)", "gdl"),
    ],
)
def test_the_language_of_a_text_is_seen(text: str, language: str) -> None:
    assert language_of(text) == language


DICE = """; title: Higher die
(include boardgames:dicing)
(role ann) (role bob)
(init begun)
(<= (legal ?p (roll boardgames:dicing:dice)) (role ?p))
(<= (next (rolled ?p ?n)) (does ?p (roll ?n)))
(<= terminal (true (rolled ann ?n)))
(<= (goal ?p 100) (role ?p) (true (rolled ?p 6)))
(<= (goal ?p 50) (role ?p) (not (true (rolled ?p 6))))
"""


def test_a_sheet_in_wdl_is_found_by_its_words_and_played(person: People) -> None:
    ann = person()
    game = ann.post("/games", {"text": DICE}, 201)
    assert (game["language"], game["title"]) == ("wdl", "Higher die")
    assert game["chance"]
    match = ann.post("/matches", {"game": game["id"], "seats": {"ann": "me", "bob": "player:random"}}, 201)
    view = ann.get(f"/matches/{match['id']}")
    assert view["phase"] == "over", "nobody has a choice"
    (line,) = view["moves"]
    assert re.fullmatch(r"ann roll [1-6], bob roll [1-6]", line["words"])
    assert ann.post("/games", {"text": DICE, "language": "wdl", "title": "Same"}, 201)["id"] == game["id"]


QUICK_DRAW = """; title: Quick draw
(set realtime)
(role ann) (role bob)
(other ann bob) (other bob ann)
(init waiting)
(<= (legal ?p draw) (role ?p))
(<= drawn (does ?_p draw))
(<= (next (won ?p)) (does ?p draw))
(<= (next waiting) (true waiting) (not drawn))
(<= terminal (true (won ?p)))
(<= terminal (clock 500))
(<= (goal ?p 100) (true (won ?p)))
(<= (goal ?q 0) (true (won ?p)) (other ?p ?q))
(<= (goal ?p 50) (role ?p) (true waiting))
"""


@pytest.mark.long
def test_an_uploaded_realtime_game_is_listed_and_played(
    person: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PAUSE_SECONDS", 0.05)
    ann, bob = person(), person()
    game = ann.post("/games", {"text": QUICK_DRAW}, 201)
    assert (game["title"], game["language"], game["realtime"]) == ("Quick draw", "wdl", True)
    assert [fault["code"] for fault in game["faults"] if fault["severity"] != "note"] == ["W10"]
    assert bob.get("/games?query=realtime quick")[0]["id"] == game["id"]
    sent = {"game": game["id"], "seats": {"ann": "me", "bob": "open"}}
    made = ann.post("/matches", sent, 201)["id"]
    bob.post(f"/matches/{made}/seat", {"role": "bob"})
    with ann.watch(made) as here, bob.watch(made):
        here.view(phase="choice")
        assert here.ask("move", move="draw")["type"] == "ack"
        assert here.view(phase="over")["result"] == {"ann": 100, "bob": 0}


def test_faults_of_realtime_sheets_are_told_as_those_of_others(person: People) -> None:
    ann = person()
    faulty = QUICK_DRAW.replace(
        "(<= (next (won ?p)) (does ?p draw))", "(<= (next (won ?p)) (not (does ?p draw)))"
    )
    assert ann.post("/games", {"text": faulty}, 422)["faults"][0]["code"] == "W01"
    two_goals = QUICK_DRAW.replace(
        "(<= (goal ?q 0)", "(<= (goal ?q 10) (true (won ?p)) (other ?p ?q))(<= (goal ?q 0)"
    )
    warnings = [
        one for one in ann.post("/games", {"text": two_goals}, 201)["faults"] if one["severity"] != "note"
    ]
    assert [one["code"] for one in warnings] == ["W10", "end-without-goal"]


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("(include ../../etc/passwd)", "W09", "../../etc/passwd"),
        ("(include /etc/passwd)", "W09", "/etc/passwd"),
        ("(include my:module)", "W09", "my:module"),
        ("(<= (goal ?p 0) (role ?p) (true (sum boardgames:dicing:dice)))", "W06", "dice"),
        ("(<= (next (secret ?x)) (visible ann (true (secret ?x))))", "W07", "visible"),
        ("(set slowmotion)", "W08", "slowmotion"),
    ],
)
def test_faults_of_wdl_stand_at_their_lines(person: People, line: str, code: str, said: str) -> None:
    answer = person().post("/games", {"text": f"{DICE}{line}\n", "language": "wdl"}, 422)
    (fault, *_) = [one for one in answer["faults"] if one["code"] == code]
    assert fault["line"] == DICE.count("\n") + 1
    assert said in fault["message"]
    assert "root:" not in json.dumps(answer)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "(" * 100_000,
        pytest.param("(role x)" * 50_000, marks=pytest.mark.long),
        "(role a)\0",
        "\ud800",
        "{" * 5000,
        "{}",
        "no rules at all",
        "<script>alert(1)</script>",
        "(role random) (legal random x) (init a) (<= terminal (true a)) (goal random 0)",
    ],
)
def test_texts_that_are_no_game_are_refused(person: People, text: str) -> None:
    someone = person()
    someone.csrf = someone.get("/me")["csrf"]
    answer = someone.http.post(
        "/api/v1/games",
        content=json.dumps({"text": text}),
        headers={"X-CSRF-Token": someone.csrf, "Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


def test_scripts_in_names_come_back_as_data(person: People) -> None:
    ann = person()
    evil = "<script>alert(1)</script>"
    text = RACE.replace("bob", "<img/src=x>").replace("; title: Race", f"; title: {evil}")
    game = ann.post("/games", {"text": text}, 201)
    assert game["title"] == evil
    assert game["roles"] == ["ann", "<img/src=x>"]
    answer = ann.http.get(f"/api/v1/games/{game['id']}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"]


@pytest.mark.long
@pytest.mark.parametrize("text", [HUGE_GROUNDING, GROWING_TERMS], ids=["grounding", "terms"])
def test_rules_that_explode_are_stopped_while_others_play(person: People, text: str) -> None:
    ann, bob = person(), person()
    match = bob.post("/matches", {"game": "tictactoe", "seats": {"xplayer": "me", "oplayer": "me"}}, 201)[
        "id"
    ]
    answer = ann.send("POST", "/games", {"text": text})
    if answer.status_code == 201:  # it can be read; play is what explodes
        game = answer.json()
        made = ann.send("POST", "/matches", {"game": game["id"], "seats": {game["roles"][0]: "me"}})
        assert made.status_code in (201, 409)
    with bob.watch(match) as page:
        page.view(step=0)
        page.move()
        assert page.view(step=1)["to_move"] == ["oplayer"]


def test_a_game_is_removed_by_its_owner_alone(person: People) -> None:
    ann, bob = person(), person()
    game = ann.post("/games", {"text": RACE.replace("Race", "Gone")}, 201)["id"]
    assert bob.send("DELETE", f"/games/{game}").status_code == 403
    assert bob.send("DELETE", "/games/tictactoe").status_code == 403
    assert ann.send("DELETE", f"/games/{game}").status_code == 204
    assert game not in [one["id"] for one in ann.get("/games")]


@pytest.mark.long
def test_uploads_of_an_account_are_bounded(tmp_path: Path) -> None:
    limits = SiteLimits(games=1, uploads=Rate(3, 0.001))
    with served(SiteConfig(str(tmp_path / "web.db"), limits=limits)) as address, Person(address) as ann:
        game = ann.post("/games", {"text": RACE}, 201)["id"]
        other = {"text": RACE.replace("Race", "Other")}
        told = ann.post("/games", other, 409)["error"]
        assert (told["message"], told["hint"]) == ("an account keeps 1 games at most", "remove one of yours")
        assert ann.send("DELETE", f"/games/{game}").status_code == 204
        ann.post("/games", other, 201)
        refused = ann.send("POST", "/games", other)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0


@pytest.mark.long
def test_a_report_counts_ten_thousand_games(person: People) -> None:
    ann = person()
    job = ann.post("/games/tictactoe/report", status=202)["job"]

    def finished() -> object:
        found = ann.get(f"/jobs/{job}")
        assert 0 <= found["progress"] <= 1
        return found if found["state"] not in ("waiting", "running") else None

    found = until(finished, "the report")
    assert found["state"] == "done"
    report = found["result"]
    assert report["games"] == 10_000
    assert 5 <= report["length"]["low"] <= report["length"]["mean"] <= report["length"]["high"] == 9
    assert 56 < report["seats"]["xplayer"] < 68
    assert abs(sum(report["seats"].values()) - 100) < 0.1
    assert person().post("/games/tictactoe/report", status=202)["job"] == job


def test_an_unknown_job_is_told(person: People) -> None:
    person().get("/jobs/unknown", 404)
    person().get("/jobs/%00", 404)
