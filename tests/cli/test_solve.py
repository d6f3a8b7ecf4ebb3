"""``ludorum solve`` and ``ludorum verify --strategy``: values, files, exit codes."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app


def test_solve_writes_a_strategy_that_verify_confirms(tmp_path: Path) -> None:
    path = tmp_path / "draw.txt"
    solved = CliRunner().invoke(
        app, ["solve", "tictactoe", "--role", "oplayer", "--strategy", str(path), "--json"]
    )
    assert solved.exit_code == 0
    found = json.loads(solved.stdout)
    assert found["values"] == {"xplayer": 50, "oplayer": 50}
    assert found["check"]["holds"]
    checked = CliRunner().invoke(app, ["verify", "tictactoe", "--strategy", str(path)])
    assert checked.exit_code == 0
    assert "oplayer gets 50 at least: yes" in checked.stdout
    text = path.read_text().replace('"value": 50', '"value": 100')
    path.write_text(text)
    refused = CliRunner().invoke(app, ["verify", "tictactoe", "--strategy", str(path), "--json"])
    assert refused.exit_code == 1
    assert json.loads(refused.stdout)["holds"] is False


def test_solve_prints_for_people() -> None:
    result = CliRunner().invoke(app, ["solve", "tictactoe"])
    assert result.exit_code == 0
    assert "xplayer: 50" in result.stdout
    assert "best for xplayer: (mark 1 1)" in result.stdout


def test_states_can_be_given() -> None:
    facts = (
        "((cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b)"
        " (cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control xplayer))"
    )
    result = CliRunner().invoke(app, ["solve", "tictactoe", "--state", facts, "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["best"] == ["(mark 1 3)"]


def test_what_is_not_solved_in_time_ends_with_one() -> None:
    """A busy machine may have no more than read the rules by then."""
    result = CliRunner().invoke(app, ["solve", "connect_four", "--seconds", "0.2"])
    assert result.exit_code == 1
    assert "not solved within the limits" in result.stdout or "no answer within 0.2 s" in result.stderr


def test_a_game_that_hides_something_is_refused_or_opened() -> None:
    refused = CliRunner().invoke(app, ["solve", "kuhn_poker"])
    assert refused.exit_code == 1
    assert "something is hidden: bob is told the same" in refused.stdout
    assert "may do" not in refused.stdout
    told = json.loads(CliRunner().invoke(app, ["solve", "kuhn_poker", "--json"]).stdout)
    assert (told["solved"], told["values"], told["is_limited"]) == (False, {}, False)
    opened = CliRunner().invoke(app, ["solve", "kuhn_poker", "--open"])
    assert opened.exit_code == 0
    assert "this is the value of the game with all information open" in opened.stdout
    told = json.loads(CliRunner().invoke(app, ["solve", "kuhn_poker", "--open", "--json"]).stdout)
    assert (told["solved"], told["opened"], told["values"]) == (True, True, {"alice": 50, "bob": 50})


def test_an_equilibrium_needs_nothing_open() -> None:
    found = CliRunner().invoke(app, ["solve", "kuhn_poker", "--equilibrium", "--within", "0.05"])
    assert found.exit_code == 0, found.output
    alice, bob, *sets, last = found.stdout.splitlines()
    value, gain = (float(part) for part in re.findall(r"\d+\.\d+", alice))
    assert value == pytest.approx(50 - 25 / 18, abs=0.05)
    assert gain <= 0.05
    assert bob.startswith("bob: 51.")
    assert len(sets) == 12
    assert sets[0].startswith("  alice: noop (dealt jack); noop -> bet 0.")
    assert re.fullmatch(r"by CFR\+: \d+ iterations, 58 nodes, \d+\.\d\d s", last)


def test_an_equilibrium_for_programs_says_how_good_it_is() -> None:
    words = ["solve", "kuhn_poker", "--equilibrium", "--iterations", "3", "--json"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 1
    told = json.loads(found.stdout)
    assert (told["found"], told["iterations"], told["nodes"]) == (False, 3, 58)
    assert told["nash_conv"] == pytest.approx(sum(told["gains"].values()))
    assert max(told["gains"].values()) > told["within"] == 0.1
    assert len(told["strategies"]) == 12
    assert all(sum(one["moves"].values()) == pytest.approx(1) for one in told["strategies"])


@pytest.mark.parametrize(
    ("method", "title"),
    [
        ("cfr", "CFR"),
        ("cfr+", r"CFR\+"),
        ("mccfr", "external-sampling MCCFR"),
        ("outcome", "outcome-sampling MCCFR"),
    ],
)
def test_an_equilibrium_is_found_by_any_method(method: str, title: str) -> None:
    words = ["solve", "kuhn_poker", "--equilibrium", "--within", "0.3", "--method", method, "--seed", "2"]
    found, again = (CliRunner().invoke(app, words) for _ in range(2))
    assert found.exit_code == 0, found.output
    *answer, last = found.stdout.splitlines()
    assert re.fullmatch(rf"by {title}: \d+ iterations, 58 nodes, \d+\.\d\d s", last)
    assert again.stdout.splitlines()[:-1] == answer


def test_a_method_that_is_none_is_refused() -> None:
    found = CliRunner().invoke(app, ["solve", "kuhn_poker", "--equilibrium", "--method", "magic"])
    assert found.exit_code == 2
    assert "no method 'magic'; there are cfr, cfr+, mccfr, outcome" in found.output


def test_roles_are_taken_to_know_a_state_that_is_given() -> None:
    """Alice has the king and Bob the jack, and both know it: Bob never calls, so Alice gets the ante."""
    dealt = "((turn alice) (holds alice king) (holds bob jack))"
    words = ["solve", "kuhn_poker", "--equilibrium", "--within", "0.01", "--state", dealt]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("alice: 75.0")
    assert "from the given state, which all roles are taken to know\n" in found.stdout
    told = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert told["roles_know_start"] is True
    assert told["method"] == "CFR+"


def test_what_an_equilibrium_cannot_be_asked_for_is_said() -> None:
    both = CliRunner().invoke(app, ["solve", "kuhn_poker", "--equilibrium", "--open"])
    assert both.exit_code == 2
    assert "--equilibrium has strategies of all roles" in both.output


@pytest.mark.long
def test_games_that_are_not_opposed_hear_the_truth() -> None:
    found = CliRunner().invoke(app, ["solve", "iterated_prisoners_dilemma"])
    assert found.exit_code == 1
    assert "not opposed" in found.stdout
    assert "may do" not in found.stdout


def test_misuse_ends_with_two(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "none" / "file.txt")
    assert CliRunner().invoke(app, ["solve", "tictactoe", "--strategy", nowhere]).exit_code == 2
    assert CliRunner().invoke(app, ["solve", "tictactoe", "--state", "((cell"]).exit_code in (1, 2)
