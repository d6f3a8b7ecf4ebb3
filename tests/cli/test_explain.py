"""``ludorum explain``: structures, features, weights and the report, for people and programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.players import goal_stages


def explain(*args: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["explain", *args])
    assert done.exit_code == code, done.output
    return done.stdout


def data(*args: str) -> dict[str, object]:
    return json.loads(explain(*args, "--json"))  # type: ignore[no-any-return]


@pytest.mark.spec("asp-player", 49)
@pytest.mark.spec("asp-player", 50)
def test_structures_features_and_values_of_a_state() -> None:
    state = "((cell 1 1 x) (cell 2 2 x) (cell 1 2 o) (cell 1 3 b) (control oplayer))"
    found = data("tictactoe", "--games", "40", "--state", state)
    structures = found["structures"]
    assert isinstance(structures, list)
    assert {(each["kind"], each["pattern"]) for each in structures} >= {
        ("board", "(cell ? ? ?)"),
        ("marker", "(cell ? ? x)"),
        ("turn", "(control oplayer)"),
    }
    features = found["features"]
    assert isinstance(features, list)
    by_text = {each["text"]: each for each in features}
    assert by_text["number of (cell ? ? x)"]["value"] == pytest.approx(2 / 9, abs=1e-6)
    assert by_text["turn (control oplayer)"]["value"] == 1
    assert by_text["number of (cell ? ? x)"]["line"] > 0
    near = by_text["nearness of (goal xplayer 100)"]
    assert near["directions"] == {"xplayer": "maximise", "oplayer": "minimise"}
    assert near["weights"]["xplayer"] == pytest.approx(-near["weights"]["oplayer"])
    roles = found["roles"]
    assert isinstance(roles, dict)
    assert 0 < roles["xplayer"]["value"] < 100


@pytest.mark.long
@pytest.mark.spec("asp-player", 51)
@pytest.mark.spec("asp-player", 52)
def test_a_report_and_a_memory(tmp_path: Path) -> None:
    memory = str(tmp_path / "memory")
    first = data("nim", "--games", "40", "--heuristics", memory)
    assert (first["known"], first["report"]) == (None, [])
    options = ["--games", "40", "--compare", "4", "--nodes", "10", "--heuristics", memory]
    second = data("nim", *options)
    known, report = second["known"], second["report"]
    assert isinstance(known, dict)
    assert isinstance(report, list)
    assert known["id"] == second["heuristic"] == first["heuristic"]
    assert {"all", "goal", "mobility"} <= {each["left_out"] for each in report}
    assert all(len(each["interval"]) == 2 and each["matches"] == 4 for each in report)
    assert data("nim", *options)["report"] == report  # the same seed
    kept = data("nim", *options, "--keep")
    assert len(list(Path(memory).glob("*/*.json"))) == 1 + (kept["heuristic"] != first["heuristic"])


@pytest.mark.long
@pytest.mark.spec("asp-player", 50)
def test_weights_from_recorded_matches_and_from_play_against_itself(tmp_path: Path) -> None:
    files = []
    for seed in range(8):
        files.append(str(tmp_path / f"{seed}.json"))
        asked = ["match", "tictactoe", "--players", "random", "--seed", str(seed), "--record", files[-1]]
        assert CliRunner().invoke(app, asked).exit_code == 0
    records = [word for file in files for word in ("--record", file)]
    only = data("tictactoe", "--games", "0", *records)
    both = data("tictactoe", "--games", "10", *records)
    more = data("tictactoe", "--games", "10", "--again", "10", *records)
    counts = []
    for found in (only, both, more):
        roles = found["roles"]
        assert isinstance(roles, dict)
        counts.append(roles["xplayer"]["examples"])
    assert 8 * 5 <= counts[0] <= 8 * 9
    assert counts[0] < counts[1] < counts[2]
    assert len({found["heuristic"] for found in (only, both, more)} - {None}) == 3
    done = CliRunner().invoke(app, ["explain", "nim", "--record", files[0]])
    assert done.exit_code == 1  # another game: its moves are not legal there


def test_people_read_a_table() -> None:
    text = explain("blocks", "--games", "20", "--compare", "2", "--nodes", "5")
    assert "counter    (step ?)" in text
    assert "nearness of (goal robot 100)" in text
    assert "robot: worth" in text
    assert "none at all" in text
    assert "95 % interval" in text
    assert "no structures" not in explain("blocks", "--games", "0")


def test_misuse_is_told() -> None:
    done = CliRunner().invoke(app, ["explain", "blocks", "--keep"])
    assert done.exit_code == 2
    assert "--compare 40" in done.output
    done = CliRunner().invoke(app, ["explain", "blocks", "--compare", "2", "--games", "0"])
    assert done.exit_code == 2
    done = CliRunner().invoke(app, ["explain", "nosuchgame"])
    assert done.exit_code == 2


def test_a_foreign_file_in_the_memory_is_named(tmp_path: Path) -> None:
    explain("blocks", "--games", "10", "--heuristics", str(tmp_path))
    (place,) = tmp_path.iterdir()
    (place / "mine.json").write_text("{}")
    done = CliRunner().invoke(app, ["explain", "blocks", "--heuristics", str(tmp_path)])
    assert done.exit_code == 2
    assert "mine.json" in done.output


MIDDLE_TAKEN = (
    "((cell 1 1 x) (cell 2 2 o) (cell 3 3 x) (cell 1 2 b) (cell 1 3 b) (cell 2 1 b) (cell 2 3 b) (cell 3 1 b)"
    " (cell 3 2 b) (control oplayer))"
)


def test_values_from_goals_are_explained_part_by_part(tmp_path: Path) -> None:
    picture = tmp_path / "network.svg"
    found = data("tictactoe", "--state", MIDDLE_TAKEN, "--svg", str(picture))
    parts, roles, neurons = found["parts"], found["roles"], found["neurons"]
    assert isinstance(parts, list)
    assert isinstance(roles, dict)
    assert isinstance(neurons, list)
    assert found["version"] == "final"
    assert len(parts) == 19
    by_text = {part["text"]: part for part in parts}
    middle = by_text["(cell 2 2 x) stays false once (cell 2 2 o) is true"]
    assert (middle["kind"], middle["line"], middle["holds"], middle["value"]) == ("exclusion", 73, False, -1)
    assert middle["worth"] == {"xplayer": 0, "oplayer": 0}, "that never changes again"
    corner = by_text["(cell 1 1 x) stays true once it is"]
    assert corner["value"] == 1
    assert all(0 < role["value"] < 100 for role in roles.values())
    for neuron in neurons:
        assert all(("part" in part) != ("neuron" in part) for part in neuron["parts"])
        assert neuron["weight"] > 0
    assert "oplayer gets 100" in picture.read_text()


def test_people_read_what_parts_of_goals_are_worth() -> None:
    text = explain("breakthrough", "--goals", "--made-of", "v1.1d")
    assert "breakthrough: values from goals, version v1.1d" in text
    assert "white: worth " in text
    assert "points by role" in text
    assert "of the rule sheet" in text


def test_rules_too_large_to_be_ground_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goal_stages, "MOST_RULES", 10)
    done = CliRunner().invoke(app, ["explain", "breakthrough", "--goals"])
    assert done.exit_code == 0
    assert "note: what lasts and how far things are is left out: grounding made more than" in done.stderr
    assert "white: worth 50.00 here" in done.stdout


def test_criteria_are_reported_one_a_line() -> None:
    lines = explain("buttons", "--criteria", "--made-of", "v1.1").splitlines()
    assert lines[0] == "buttons: criteria of values from goals, version v1.1"
    assert any("extrapolation  passed     8 ends: no values differ from the goal" in line for line in lines)
    found = data("buttons", "--criteria", "--made-of", "fluxplayer")["criteria"]
    assert isinstance(found, list)
    assert {each["criterion"]: each["verdict"] for each in found} == {
        "compactness": "passed",
        "bounded cost": "passed",
        "construction": "reported",
        "consistency": "passed",
        "monotonicity": "reported",
        "symmetry": "open",
        "extrapolation": "passed",
    }


def test_versions_without_a_network_are_not_explained() -> None:
    for version, message in {"fluxplayer": "has no network", "v9": "there are v1.0, v1.1, "}.items():
        done = CliRunner().invoke(app, ["explain", "tictactoe", "--goals", "--made-of", version])
        assert done.exit_code == 2
        assert message in done.output


OVER_AT_START = """
(role a) (role b) (init on) (<= (legal ?r go) (role ?r)) (<= (next on) (true on)) (<= terminal (true on))
(goal a 100) (<= (goal b 30) (true off))
"""


def test_a_game_that_is_over_at_the_start_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "over.kif"
    path.write_text(OVER_AT_START)
    done = CliRunner().invoke(app, ["explain", str(path)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "error: over: the game is over at the start (a 100, b has no one value), "
        "so there is nothing to learn from\n"
    )
