"""Tournaments that are published: to a real server, such as it may be, without telling what is to come."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena.match.seeds import SECRET_BITS, secret_seed
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.signatures import SigningKey, check_signature, save_key
from ludorum.arena.tournament import Here, MatchLog, TournamentPlan, planned_game, run_tournament
from ludorum.arena.tournament.log import LOG_NAME, read_log
from ludorum.arena.tournament.outside import wire_name
from ludorum.arena.tournament.publishing import MOST_LOST, TournamentPoster
from ludorum.arena.tournament.run import Progress
from ludorum.cli.app import app
from tests.arena.protocol.player_process import player_process
from tests.arena.test_posting import Spectators, spectators
from tests.arena.tournament.in_this_process import play_here

KEY = SigningKey.generate()
ANN, BEN = "random", "legal"


def plan_of(game: str = "tictactoe", **changes: object) -> TournamentPlan:
    settings: dict[str, object] = {"matches": 4, "opening": 1, "engine": "lifted", "seed": 5}
    return TournamentPlan((planned_game(game),), (ANN, BEN), **(settings | changes))  # type: ignore[arg-type]


def played_at(server: Spectators, plan: TournamentPlan, **how: object) -> tuple[list[int], str]:
    """How many matches had arrived after each one that was played, and what is said in the end."""
    poster = TournamentPoster(server.url, KEY, **how)  # type: ignore[arg-type]
    arrived: list[int] = []

    def look(progress: Progress) -> None:
        poster.look(progress)
        arrived.append(len(server.bodies))

    played = run_tournament(plan, Here(), on_progress=look)
    return arrived, str(poster.close(played))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    play_here(monkeypatch)


@pytest.mark.long
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [[], ["--processes", "2"]])
def test_from_the_command_line(words: list[str], tmp_path: Path) -> None:
    save_key(KEY, tmp_path / "key.pem")
    with spectators() as server:
        asked = ["arena", "tictactoe", "--players", "random,legal", "--matches", "4", "--engine", "lifted"]
        asked += ["--publish", server.url, "--key", str(tmp_path / "key.pem"), "--seed", "77", "--json"]
        done = CliRunner().invoke(app, [*asked, "--records", str(tmp_path / "records"), *words])
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)["published"]
    assert told == {"url": server.url, "matches": 4, "arrived": 4, "trouble": ""}
    kept = {}
    for path in (tmp_path / "records").iterdir():
        record = json.loads(path.read_text())
        kept[record["matchId"]] = record
    assert len({auth for auth, _ in server.forms}) == 4  # each match has a secret of its own
    for _, match in server.forms:
        assert record_faults(match) == []
        assert check_signature(match) == KEY.public_text
        own = kept.pop(str(match["matchId"]))
        assert (match["moves"], match["goalValues"]) == (own["moves"], own["goalValues"])
        assert match["playerNamesFromHost"] == own["playerNamesFromHost"]
        assert "x-seed" in own
        # Seeds of later matches follow from those of earlier ones.
        assert "x-seed" not in match
        assert "77" not in str(match["tournamentNameFromHost"])
    assert kept == {}


@pytest.mark.usefixtures("here")
def test_people_are_told_how_many_arrived(tmp_path: Path) -> None:
    save_key(KEY, tmp_path / "key.pem")
    asked = ["arena", "tictactoe", "--players", "random,legal", "--engine", "lifted"]
    asked += ["--key", str(tmp_path / "key.pem")]
    with spectators() as server:
        done = CliRunner().invoke(app, [*asked, "--publish", server.url])
    assert done.stdout.endswith(f"published: 2 of 2 matches at {server.url}\n")
    with spectators(lambda number: 403) as server:
        done = CliRunner().invoke(app, [*asked, "--publish", server.url])
    assert done.exit_code == 0  # the tournament was played all the same
    assert done.stderr == f"published: 0 of 2 matches at {server.url}: {server.url} answers 403 Forbidden\n"
    assert len(server.bodies) == 2  # what is refused is not sent again
    done = CliRunner().invoke(app, [*asked, "--publish", "spectators.example"])
    assert done.exit_code == 2
    assert "matches are published to an address such as" in done.stderr


def test_a_match_is_published_when_it_is_over() -> None:
    with spectators() as server:
        poster = TournamentPoster(server.url, KEY)
        lasts = []

        def look(progress: Progress) -> None:
            poster.look(progress)
            server.wait_for(progress.done)  # each arrives before the next is played
            lasts.append(progress.done)

        played = run_tournament(plan_of(), Here(), on_progress=look)
        assert lasts == [0, 1, 2, 3, 4]
        assert poster.close(played).arrived == 4
    assert [match["matchId"] for _, match in server.forms] == [one.match_id for one in played.fixtures]


@pytest.mark.parametrize("game", ["kuhn_poker", "goofspiel"])
def test_where_nature_draws_or_hides_matches_are_published_in_the_end(game: str) -> None:
    """All who play a set are dealt the same: to see one match would be to foresee the others."""
    with spectators() as server:
        arrived, said = played_at(server, plan_of(game, opening=0))
    assert arrived == [0] * 5
    assert said == f"published: 4 of 4 matches at {server.url}"
    assert len(server.bodies) == 4


def test_what_did_not_arrive_is_sent_again() -> None:
    with spectators(lambda number: 503 if number % 2 == 0 else 200) as server:
        _, said = played_at(server, plan_of(), pauses=(0.01,))
    assert said == f"published: 4 of 4 matches at {server.url}"
    assert [number for number, body in enumerate(server.bodies) if body == server.bodies[number - 1]] == [
        1, 3, 5, 7,
    ]  # fmt: skip


def test_a_server_that_is_away_is_left_alone_after_some_matches() -> None:
    with spectators(lambda number: 500) as server:
        _, said = played_at(server, plan_of(matches=10), pauses=())
    assert said == (
        f"published: 0 of 10 matches at {server.url}: {server.url} answers 500 Internal Server Error"
    )
    assert len(server.bodies) == MOST_LOST


def test_a_server_that_hangs_does_not_keep_the_tournament() -> None:
    hangs = threading.Event()
    with spectators(lambda number: int(hangs.wait(20)) * 0) as server:
        _, said = played_at(server, plan_of(), parting=0.3)
        hangs.set()
    assert said == (f"published: 0 of 4 matches at {server.url}: {server.url} has taken nothing for 0.3 s")


def test_nothing_is_sent_after_the_end() -> None:
    with spectators() as server:
        poster = TournamentPoster(server.url, KEY)
        (thread,) = (one for one in threading.enumerate() if one.name == f"publish {server.url}")
        poster.close(run_tournament(plan_of(), Here(), on_progress=poster.look))
        thread.join(30)
        assert not thread.is_alive()


def test_a_tournament_that_goes_on_publishes_under_the_same_names(tmp_path: Path) -> None:
    plan = plan_of()
    with spectators() as server:
        for _ in range(2):
            with MatchLog.create(tmp_path, plan) if not server.bodies else MatchLog.resume(tmp_path) as log:
                poster = TournamentPoster(server.url, KEY)
                poster.close(run_tournament(plan, Here(), log, poster.look))
    assert len(server.forms) == 8
    assert server.forms[:4] == server.forms[4:]


# -- seeds ------------------------------------------------------------------------------------------------


def test_the_seed_of_a_tournament_is_not_in_the_names_players_are_told() -> None:
    plan = plan_of(seed=20_250_917)
    name = wire_name(plan, "tictactoe", "tictactoe/r0/a-b/0")
    assert name.startswith("ludorum.tictactoe.")
    assert "20250917" not in name
    assert name == wire_name(plan, "tictactoe", "tictactoe/r0/a-b/0")
    others = {
        wire_name(plan_of(seed=1), "tictactoe", "tictactoe/r0/a-b/0"),
        wire_name(plan, "tictactoe", "tictactoe/r0/b-a/0"),
    }
    assert len({name, *others}) == 3


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_strangers_cannot_foresee_the_seed_of_a_tournament(tmp_path: Path) -> None:
    """Without --seed: 0 among ourselves, else a secret one, which a tournament that goes on keeps."""

    def seed_of(folder: str, players: str, *words: str) -> int:
        asked = ["arena", "tictactoe", "--players", players, "--clock", "2,1", "--engine", "lifted"]
        done = CliRunner().invoke(app, [*asked, "--out", str(tmp_path / folder), "--json", *words])
        assert done.exit_code == 0, done.stdout
        return read_log(tmp_path / folder)[0].seed

    assert seed_of("ours", "random,legal") == 0
    with player_process("--as", "random") as other:
        players = f"other={other.url},random"
        first, second = seed_of("a", players), seed_of("b", players)
        assert first != second
        assert seed_of("a", players, "--resume") == first
        assert seed_of("c", players, "--seed", "7") == 7
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / LOG_NAME).write_text('{"format": "ludorum-tour')
    assert seed_of("half", "random,legal", "--resume") == 0


def test_secret_seeds_are_numbers_that_every_reader_of_json_can_keep() -> None:
    seeds = {secret_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert max(seeds) < 2**SECRET_BITS == 2**53
    assert max(seeds) > 2**40
