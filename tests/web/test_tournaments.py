"""Tournaments over the API of a real server: made, watched, stopped, taken along, and by whom."""

from __future__ import annotations

import csv
import io
import json
import signal
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.rules.library import find_sheet
from ludorum.web.config import SiteConfig, SiteLimits
from tests.web.served import Person, served, until
from tests.web.test_serve import serving

People = Callable[[], Person]
SMALL = {
    "games": ["tictactoe"],
    "players": ["random", "legal", "greedy"],
    "matches": 2,
    "seconds": 0.05,
    "seed": 7,
}
ENDLESS = {"games": ["chess"], "players": ["random", "legal"], "matches": 100, "seconds": 10}
"""Lasts until it is stopped."""


def ended(person: Person, tournament: str) -> dict[str, Any]:
    """A tournament when it does not go on any more."""

    def look() -> dict[str, Any] | None:
        found: dict[str, Any] = person.get(f"/tournaments/{tournament}")
        return found if found["state"] != "running" else None

    found: dict[str, Any] = until(look, "the end of the tournament")
    return found


@pytest.mark.long
def test_a_round_robin_is_played_as_live_matches_to_its_standings(person: People, tmp_path: Path) -> None:
    ann, eve = person(), person()
    ann.sign_up("host of a cup")
    made = ann.post("/tournaments", SMALL, 201)["id"]
    view = ended(eve, made)
    assert (view["state"], view["done"], view["total"]) == ("over", 6, 6)
    assert (view["title"], view["owner"]) == ("Round robin: Tic-Tac-Toe", "host of a cup")
    assert (view["live"], view["may_stop"], view["seconds_left"]) == ([], False, None)
    lines = {line["player"]: line for line in view["standings"]}
    assert sorted(lines) == ["greedy", "legal", "random"]
    assert [line["place"] for line in view["standings"]] == [1, 2, 3]
    assert all(sum(line[key] for key in ("wins", "draws", "losses")) == 4 for line in lines.values())
    assert sum(line["points"] for line in lines.values()) == 6
    assert all(line["low"] < line["rating"] < line["high"] for line in lines.values())
    for row, line in zip(view["cross"], view["standings"], strict=True):
        assert sum(cell["points"] for cell in row if cell) == line["points"]
        assert [cell and cell["matches"] for cell in row].count(2) == 2

    listed = eve.get(f"/tournaments/{made}/matches")
    assert (len(listed["matches"]), listed["pages"]) == (6, 1)
    one = listed["matches"][0]
    match = eve.get(f"/matches/{one['id']}")
    assert [role["name"] for role in match["roles"]] == one["players"]
    assert [role["goal"] for role in match["roles"]] == one["goals"]
    assert match["tournament"] == made
    assert one["id"] in [row["id"] for row in eve.get("/matches?state=over&game=tictactoe")["matches"]]
    assert made in [row["id"] for row in eve.get("/tournaments")["tournaments"]]

    text = eve.http.get(f"/api/v1/tournaments/{made}/standings.csv").text
    table = list(csv.DictReader(io.StringIO(text)))
    assert [(row["player"], float(row["points"])) for row in table] == [
        (line["player"], line["points"]) for line in view["standings"]
    ]
    told = eve.get(f"/tournaments/{made}/standings.json")
    assert told["standings"] == view["standings"]
    assert told["matches"] == listed["matches"][::-1]
    _check_records(eve, made, tmp_path)


def _check_records(person: Person, tournament: str, folder: Path) -> None:
    answer = person.http.get(f"/api/v1/tournaments/{tournament}/records.zip")
    assert answer.headers["content-disposition"] == f'attachment; filename="{tournament}.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    records = sorted(folder.glob("*-tictactoe.json"))
    assert [record.name[:4] for record in records] == [f"{number:04d}" for number in range(1, 7)]
    assert (folder / "standings.csv").read_text().startswith("place,player,rating")
    assert json.loads((folder / "standings.json").read_text())["tournament"] == tournament
    for record in records:
        done = CliRunner().invoke(app, ["replay", str(record), "--game", "tictactoe", "--check"])
        assert done.exit_code == 0, done.output


@pytest.mark.long
def test_the_same_seed_gives_the_same_matches(person: People) -> None:
    ann = person()
    ann.sign_up("again and again")
    games = []
    for _ in range(2):
        made = ann.post("/tournaments", SMALL | {"players": ["random", "legal"], "matches": 4}, 201)["id"]
        assert ended(ann, made)["done"] == 4
        games.append(_moves(ann, made))
    assert games[0] == games[1]


@pytest.mark.long
def test_only_its_owner_and_administrators_stop_a_tournament(person: People) -> None:
    ann, bob, root = person(), person(), person()
    ann.sign_up("owner of two")
    bob.sign_up("somebody else")
    root.come_as("root")
    first, second = (ann.post("/tournaments", ENDLESS, 201)["id"] for _ in range(2))
    assert ann.send("POST", "/tournaments", ENDLESS).json()["error"]["message"].startswith("2 of your")
    live = until(lambda: ann.get(f"/tournaments/{first}")["live"], "a match")
    assert ann.get(f"/tournaments/{first}")["may_stop"]
    assert not bob.get(f"/tournaments/{first}")["may_stop"]
    assert bob.send("POST", f"/tournaments/{first}/stop").status_code == 403
    assert person().send("POST", f"/tournaments/{first}/stop").status_code == 401
    assert ann.send("POST", f"/tournaments/{first}/stop").status_code == 204
    assert ann.send("POST", f"/tournaments/{first}/stop").status_code == 409
    stopped = ann.get(f"/tournaments/{first}")
    assert (stopped["state"], stopped["live"], stopped["may_stop"]) == ("stopped", [], False)
    view = ann.get(f"/matches/{live[0]['id']}")
    assert (view["how"], view["result"], view["asked"]) == ("stopped", None, "The tournament was stopped.")
    assert all(one["state"] == "stopped" for one in ann.get(f"/tournaments/{first}/matches")["matches"])
    assert root.send("POST", f"/tournaments/{second}/stop").status_code == 204
    acts = [(act["act"], act["subject"]) for act in root.get("/admin/audit")]
    assert ("stop-tournament", second) in acts
    assert ("stop-tournament", first) not in acts


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"games": ["nowhere"]}, 404, "no such game"),
    ({"games": []}, 422, "games"),
    ({"games": ["tictactoe", "tictactoe"]}, 422, "game 'tictactoe' is named twice"),
    ({"players": ["random"]}, 422, "players"),
    ({"players": ["random", "random"]}, 422, "player 'random' is named twice"),
    ({"players": ["random", "nobody_known"]}, 409, "no player"),
    ({"players": ["random", "../../x.py:Y"]}, 422, "is no player"),
    ({"players": ["random", "mcts:threads=64"]}, 422, "is no player"),
    ({"games": ["hearts"]}, 422, "4 roles to play"),
    ({"games": ["lights_out"], "schedule": "gauntlet"}, 422, "one role"),
    ({"games": ["hearts"], "schedule": "swiss"}, 422, "use round-robin"),
    ({"matches": 501}, 422, "a tournament has 500 matches at most"),
    ({"seconds": 60}, 422, "seconds"),
    ({"schedule": "cup"}, 422, "schedule"),
    ({"unknown": 1}, 422, "unknown"),
]


@pytest.mark.long
def test_tournaments_that_cannot_be_played_are_refused(person: People) -> None:
    ann = person()
    ann.sign_up("asks too much")
    for change, status, message in REFUSED:
        answer = ann.send("POST", "/tournaments", SMALL | change)
        assert answer.status_code == status, answer.text
        assert message in answer.json()["error"]["message"]


def test_guests_watch_and_do_not_make_tournaments(person: People) -> None:
    eve = person()
    answer = eve.send("POST", "/tournaments", SMALL)
    assert answer.status_code == 401
    assert answer.json()["error"]["hint"] == "sign up, or sign in"
    eve.post("/matches", {"game": "tictactoe", "seats": {}}, 201)  # she is a guest now
    assert eve.send("POST", "/tournaments", SMALL).status_code == 401


@pytest.mark.parametrize("name", ["unknown", "%00", "x" * 100, "..%2f.."])
def test_unknown_tournaments_are_told(person: People, name: str) -> None:
    ann = person()
    for path in ("", "/matches", "/standings.json", "/standings.csv", "/records.zip"):
        assert ann.http.get(f"/api/v1/tournaments/{name}{path}").status_code == 404
    ann.get("/tournaments?page=0", 422)


@pytest.mark.long
def test_tournaments_are_limited_for_each_account(tmp_path: Path) -> None:
    limits = SiteLimits(tournaments_own=5, tournaments_all=2)
    with served(SiteConfig(str(tmp_path / "web.db"), limits=limits)) as where, Person(where) as ann:
        ann.sign_up("ann")
        for _ in range(2):
            ann.post("/tournaments", ENDLESS, 201)
        assert "on this server" in ann.post("/tournaments", ENDLESS, 409)["error"]["message"]
        statuses = [ann.send("POST", "/tournaments", ENDLESS).status_code for _ in range(3)]
        assert statuses == [409, 409, 429]
        gets = [ann.http.get("/api/v1/tournaments/x/records.zip").status_code for _ in range(6)]
        assert gets == [404] * 5 + [429]


@pytest.mark.long
def test_no_match_of_a_game_with_secrets_tells_the_draws_of_another(person: People) -> None:
    """Elsewhere the matches of a set share their seed, and the plan tells it."""
    ann, eve = person(), person()
    ann.sign_up("dealer of cards")
    for game, count in (("kuhn_poker", 4), ("tictactoe", 1)):
        body = {"games": [game], "players": ["random", "legal"], "matches": 2, "seconds": 0.05, "seed": 1}
        seeds = set()
        for _ in range(2):
            made = ann.post("/tournaments", body, 201)["id"]
            ended(ann, made)
            for one in ann.get(f"/tournaments/{made}/matches")["matches"]:
                seeds.add(eve.get(f"/matches/{one['id']}/record")["x-seed"])
        assert len(seeds) == count, game


@pytest.mark.long
def test_a_tournament_tells_nothing_of_matches_that_go_on(person: People) -> None:
    ann, eve = person(), person()
    ann.sign_up("keeper of secrets")
    body = {"games": ["krieg_tictactoe"], "players": ["random", "mcts"], "seconds": 10, "seed": 1}
    made = ann.post("/tournaments", body, 201)["id"]
    live = until(lambda: eve.get(f"/tournaments/{made}")["live"], "a match")[0]
    assert live["goals"] is None
    assert set(live) == {"id", "game", "round", "players", "roles", "state", "goals"}
    for viewer in (ann, eve):
        view = viewer.get(f"/matches/{live['id']}")
        assert (view["viewer"], view["to_move"]) == (None, [])
        assert "x-seed" not in viewer.get(f"/matches/{live['id']}/record")
        assert viewer.send("POST", f"/matches/{live['id']}/analysis", {}).status_code == 409
    with zipfile.ZipFile(
        io.BytesIO(eve.http.get(f"/api/v1/tournaments/{made}/records.zip").content)
    ) as found:
        assert found.namelist() == ["standings.csv", "standings.json"]
    assert ann.send("POST", f"/tournaments/{made}/stop").status_code == 204


@pytest.mark.long
def test_a_tournament_goes_on_after_kill_nine(tmp_path: Path) -> None:
    """It has the matches that an uninterrupted one has, each once."""
    path = str(tmp_path / "web.db")
    body = SMALL | {"players": ["random", "legal"], "matches": 8}
    with serving("--port", "0", "--database", path) as server, Person(server.address) as ann:
        ann.sign_up("ann")
        made = ann.post("/tournaments", body, 201)["id"]
        until(lambda: ann.get(f"/tournaments/{made}")["done"] >= 2, "some matches")
        server.end(signal.SIGKILL)
        cookies = ann.http.cookies
    with serving("--port", "0", "--database", path) as server, Person(server.address) as ann:
        ann.http.cookies = cookies
        again = ann.post("/tournaments", body, 201)["id"]
        for one in (made, again):
            view = ended(ann, one)
            assert (view["state"], view["done"], view["total"]) == ("over", 8, 8)
        # A player that was replaced in the middle of a match may go on in another way.
        openings = [[(players, moves[:2]) for players, moves in _moves(ann, one)] for one in (made, again)]
        assert openings[0] == openings[1]
        assert server.end() == 0


def _moves(person: Person, tournament: str) -> list[tuple[list[str], list[list[str]]]]:
    """The players and the moves of all matches."""
    matches = person.get(f"/tournaments/{tournament}/matches")["matches"]
    return sorted((one["players"], person.get(f"/matches/{one['id']}/record")["moves"]) for one in matches)


BY_THE_CLOCK = {"games": ["tictactoe_clock"], "players": ["legal", "random"], "matches": 2, "seed": 7}


@pytest.mark.long
def test_tournaments_by_the_clock_are_of_realtime_games_and_players_alone(person: People) -> None:
    ann = person()
    ann.sign_up("host of clocks")
    for changes, why in (
        ({"players": ["legal", "mcts"]}, "mcts plays in no tournament of realtime games: there are champion"),
        ({"games": ["tictactoe_clock", "tictactoe"]}, "a tournament of their own"),
    ):
        refused = ann.post("/tournaments", BY_THE_CLOCK | changes, 422)
        assert why in refused["error"]["message"]
    rules = find_sheet("tictactoe_clock").source.text
    own = ann.post("/games", {"text": rules, "language": "wdl"}, 201)["id"]
    refused = ann.post("/tournaments", BY_THE_CLOCK | {"games": [own]}, 422)
    assert "not of the library" in refused["error"]["message"]


@pytest.mark.long
def test_a_tournament_by_the_clock_is_watched_and_taken_along(person: People, tmp_path: Path) -> None:
    ann, eve = person(), person()
    ann.sign_up("host of a race")
    made = ann.post("/tournaments", BY_THE_CLOCK, 201)["id"]
    live = until(lambda: eve.get(f"/tournaments/{made}")["live"], "a match that is played")
    assert len(live) == 1
    seen = eve.get(f"/matches/{live[0]['id']}")
    assert (seen["viewer"], seen["tournament"], seen["realtime"] is None) == (None, made, False)
    view = ended(eve, made)
    assert (view["state"], view["done"], view["opening"]) == ("over", 2, 0)
    assert sum(line["points"] for line in view["standings"]) == 2
    listed = eve.get(f"/tournaments/{made}/matches")["matches"]
    assert sorted(tuple(one["players"]) for one in listed) == [("legal", "random"), ("random", "legal")]
    assert all(sum(one["goals"]) == 100 for one in listed)
    found = eve.http.get(f"/api/v1/tournaments/{made}/records.zip").content
    with zipfile.ZipFile(io.BytesIO(found)) as archive:
        names = [name for name in archive.namelist() if name.endswith("tictactoe_clock.json")]
        archive.extractall(tmp_path)
    assert len(names) == 2
    for name in names:
        shown = CliRunner().invoke(app, ["replay", str(tmp_path / name), "--check"])
        assert shown.exit_code == 0, shown.output
