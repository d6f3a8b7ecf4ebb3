"""The command line as people and programs use it: outputs, JSON keys and exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ludorum._paths import games_folder
from ludorum.cli.app import app
from tests.small_games import CIRCLE, COIN, DOOR


def ludorum(*args: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=typed)


@pytest.fixture
def door(tmp_path: Path) -> str:
    path = tmp_path / "door.kif"
    path.write_text(DOOR)
    return str(path)


@pytest.mark.long
def test_games_lists_the_library() -> None:
    result = ludorum("games", "--json")
    assert result.exit_code == 0
    rows = {row["name"]: row for row in json.loads(result.stdout)}
    assert rows["tictactoe"]["roles"] == ["xplayer", "oplayer"]
    assert rows["tictactoe"]["information"] == "open"
    assert rows["kuhn_poker"]["information"] == "hidden"
    assert rows["pursuit"]["realtime"]
    assert (rows["pursuit"]["roles"], rows["pursuit"]["information"]) == (["red", "blue"], "open")
    assert not rows["pig"]["realtime"]
    assert {"hex", "hex_11", "amazons", "amazons_8"} <= rows.keys()
    assert all(row["title"] and row["rules"] and row["players"] for row in rows.values())
    assert "tictactoe" in ludorum("games").stdout


def test_perft_prints_paths(door: str) -> None:
    assert ludorum("perft", door, "3").stdout == "  1  4\n  2  12\n  3  0\n"
    assert json.loads(ludorum("perft", door, "2", "--json").stdout)["paths"] == [4, 12]


def test_rules_can_come_by_standard_input() -> None:
    assert ludorum("perft", "-", "2", typed=DOOR).stdout == "  1  4\n  2  12\n"


def test_explore_prints_counts(door: str) -> None:
    assert ludorum("explore", door).stdout == "states    5\nterminal  3\nlongest   2\ngames     13\n"
    assert json.loads(ludorum("explore", door, "--json").stdout) == {
        "states": 5,
        "terminal": 3,
        "stuck": 0,
        "longest": 2,
        "games": 13,
        "complete": True,
    }
    assert "seen, then the limit was reached" in ludorum("explore", door, "--limit", "2").stdout


def test_show_draws_the_circuit_and_prints_what_each_pass_made_of_it(door: str, tmp_path: Path) -> None:
    drawing = tmp_path / "door.svg"
    text = ludorum("show", door, "--steps", "0", "--circuit", str(drawing)).stdout
    assert drawing.read_text().startswith("<svg")
    assert re.search(r"build_circuit +[0-9.]+ s  [0-9]+ gates, [0-9]+ literals", text)
    spec = json.loads(ludorum("show", door, "--steps", "0", "--circuit", str(drawing), "--json").stdout)
    assert [step["step"] for step in spec["circuit"]["steps"]][-1] == "order_gates"


def test_show_gives_values_with_their_status(tmp_path: Path) -> None:
    path = tmp_path / "coin.kif"
    path.write_text(COIN)
    spec = json.loads(ludorum("show", str(path), "--json", "--steps", "10").stdout)
    assert spec["roles"] == ["random", "guesser"]
    assert spec["info"]["chance_role"] == "random"
    assert spec["info"]["perfect_information"] == {"value": False, "status": "proved"}
    assert spec["structures"]["moves"] == ["call/1", "noop/0", "toss/1"]
    assert spec["structures"]["percepts"] == ["it_was/1", "tossed/0"]
    assert spec["sizes"]["legal_at_start"] == [2, 1]
    assert "perfect information  no (proved)" in ludorum("show", str(path), "--steps", "0").stdout


@pytest.mark.long
def test_show_tells_of_realtime_games_what_is_known_without_rounds() -> None:
    spec = json.loads(ludorum("show", "tictactoe_clock", "--json").stdout)
    assert spec["players"] == ["xplayer", "oplayer"]
    assert spec["info"] == {
        "perfect_information": {"value": True, "status": "proved"},
        "realtime": {"value": True, "status": "proved"},
    }
    assert spec["structures"]["moves"] == ["mark/2"]
    assert spec["sizes"]["legal_at_start"] == [9, 0]
    assert spec["sizes"]["seconds_of_a_tick"] == 0.01
    assert 0 < spec["sizes"]["sampled_seconds"] <= 4.0
    assert "realtime             yes (proved)" in ludorum("show", "tictactoe_clock").stdout
    refused = ludorum("show", "tictactoe_clock", "--prove", "1")
    assert refused.exit_code == 2
    assert "--prove is for games in rounds" in refused.stderr


def test_what_needs_rounds_says_so_of_realtime_games() -> None:
    result = ludorum("simulate", "pursuit")
    assert result.exit_code == 1
    assert "is a realtime game, which has no rounds" in result.stderr
    assert "--lenient" not in result.stderr, "it would mend nothing"
    addressed = ludorum("match", "pursuit", "--players", "random,http://localhost:9147")
    assert addressed.exit_code == 2
    assert "`ludorum host` plays with players at addresses" in addressed.stderr


def test_an_unknown_game_is_misuse_with_a_suggestion() -> None:
    result = ludorum("perft", "tictactoo", "3")
    assert result.exit_code == 2
    assert "no game 'tictactoo' in the library" in result.stderr
    assert "did you mean tictactoe" in result.stderr


def test_a_missing_file_is_misuse(tmp_path: Path) -> None:
    result = ludorum("show", str(tmp_path / "no.kif"))
    assert result.exit_code == 2
    assert "cannot read the file: No such file or directory" in result.stderr


def test_faulty_rules_are_a_no_with_place_and_mark(tmp_path: Path) -> None:
    path = tmp_path / "bad.kif"
    path.write_text(DOOR.replace("(<= (legal ?r wait) (role ?r))", "(<= (legal ?r (wait ?n)) (role ?r))"))
    result = ludorum("perft", str(path), "1")
    assert result.exit_code == 1
    assert f"{path}:6:21: error[" in result.stderr
    assert "                    ^^" in result.stderr
    assert json.loads(ludorum("perft", str(path), "1", "--json").stdout)["diagnostics"][0]["line"] == 6


def test_check_takes_many_sheets(door: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.kif"
    bad.write_text("(role a")
    good = ludorum("check", door)
    assert good.exit_code == 0
    assert "1 sheet checked" in good.stdout
    both = ludorum("check", door, str(bad), "--json")
    assert both.exit_code == 1
    faults = json.loads(both.stdout)
    assert set(faults[0]) == {"file", "code", "severity", "line", "column", "message", "hint"}
    assert ("bracket", 1, 1) in {(fault["code"], fault["line"], fault["column"]) for fault in faults}


def test_check_plays_and_fast_does_not(tmp_path: Path) -> None:
    sheet = tmp_path / "stuck.kif"
    sheet.write_text(
        "(role a) (init (s 0)) (<= (legal a go) (true (s 0))) (<= (next (s 1)) (true (s 0)))\n"
        "(<= terminal (true (s 2))) (<= (next (s 2)) (true (s 1)) (does a go)) (goal a 0)\n"
    )
    found = ludorum("check", str(sheet), "--json")
    assert found.exit_code == 1
    (fault,) = [fault for fault in json.loads(found.stdout) if fault["severity"] == "error"]
    assert fault["code"] == "no-move"
    assert fault["message"] == "after 1 move a has no legal move, and the game is not over"
    assert fault["hint"].startswith("the play: go; ")
    assert ludorum("check", str(sheet), "--lenient").exit_code == 0
    assert ludorum("check", str(sheet), "--fast").exit_code == 0


def test_check_plays_charts_and_fast_does_not(tmp_path: Path) -> None:
    chart = tmp_path / "greedy.fcdl"
    text = (games_folder() / "fcdl/higher_card.fcdl").read_text().replace("Deal(7)", "Deal(30)")
    chart.write_text(text)
    for verb in (["check"], ["cards", "check"]):
        found = ludorum(*verb, str(chart), "--json")
        assert found.exit_code == 1
        (fault,) = json.loads(found.stdout)
        assert (fault["code"], fault["node"]) == ("cannot-go-on", 2)
        assert fault["message"] == "30 cards for each of 2: the pack has 52 in Deal(30)"
        assert fault["hint"] == "deal at most 26 to each"
        assert ludorum(*verb, str(chart), "--fast").exit_code == 0


def test_check_warns_of_charts_that_never_end(tmp_path: Path) -> None:
    """A game is broken off after a thousand decisions: two of them are enough to be told."""
    chart = tmp_path / "forever.fcdl"
    lines = ["0 start", "1 Shuffle", "2 Deal(7)", "3 score(player(1))=5", "4 score(player(1))>0 ? 5 : 6"]
    chart.write_text("\n".join([*lines, "5 choose(player(0),answer,yes,no) -> 4", "6 end"]))
    (fault,) = json.loads(ludorum("check", str(chart), "--json").stdout)
    assert (fault["code"], fault["severity"]) == ("endless", "warning")
    assert fault["message"] == "none of 2 random games came to its end by itself"


def test_check_exits_2_for_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rubbish.kif"
    path.write_bytes(bytes(range(256)) * 10)
    result = ludorum("check", str(path))
    assert result.exit_code == 2
    assert "this is not a rule text" in result.stdout


def test_format_prints_checks_and_writes(tmp_path: Path) -> None:
    path = tmp_path / "wild.kif"
    path.write_text("(ROLE  a)\n;  why\n(<= (legal a   go)(true x))\n")
    printed = ludorum("format", str(path)).stdout
    assert printed == "(role a)\n;  why\n(<= (legal a go)\n    (true x))\n"
    assert ludorum("format", str(path), "--check").exit_code == 1
    assert ludorum("format", str(path), "--write").exit_code == 0
    assert path.read_text() == printed
    assert ludorum("format", str(path), "--check").exit_code == 0
    assert "legal(a, go) :-" in ludorum("format", str(path), "--to", "prolog").stdout.replace("a,go", "a, go")
    assert ludorum("format", str(path), "--to", "lisp").exit_code == 2


def test_format_prints_what_a_player_is_told(tmp_path: Path) -> None:
    path = tmp_path / "secrets.wdl"
    path.write_text("""(role ann) (role bob) (include dicing) (visible ann (secret 7)) (init start)
        (<= (legal ?p (roll dicing:dice)) (role ?p)) (<= (next (at ?n)) (secret ?n))
        (<= terminal (true (at 7)))
        (<= (goal ?p 50) (role ?p))""")
    for role, told in (("ann", True), ("bob", False)):
        text = ludorum("format", str(path), "--role", role).stdout
        assert ("(secret 7)\n" in text) == told
        assert "(random dicing:dice 1 6)\n" in text
        assert "visible" not in text
    refused = ludorum("format", str(path), "--role", "eve")
    assert refused.exit_code == 2
    assert "there are ann, bob" in refused.output
    assert ludorum("format", "nim", "--role", "ann").exit_code == 2


def test_format_translates_between_gdl2_and_wdl(tmp_path: Path) -> None:
    assert ludorum("format", "kuhn_poker", "--to", "gdl2").exit_code == 2
    path = tmp_path / "pig.gdl2"
    path.write_text(ludorum("format", "pig", "--to", "gdl2").stdout)
    assert path.read_text().startswith("; title: Pig\n")
    assert ludorum("check", str(path), "--fast").exit_code == 0
    rounds = ludorum("format", "tictactoe_clock", "--to", "gdl2", "--ticks", "7")
    assert "(<= terminal\n    (true (now 7)))" in rounds.stdout
    assert "warning[T03]" in rounds.stderr
    refused = ludorum("format", "monty_hall", "--to", "wdl")
    assert refused.exit_code != 0
    assert "monty_hall.kif:48:5: error[T04]" in refused.output


def test_verify_replays_a_record_and_lists_disagreements(door: str, tmp_path: Path) -> None:
    record = {
        "game": "door",
        "roles": ["left", "right"],
        "states": [["(step 0)", "closed"], ["(step 1)", "open"]],
        "moves": [["push", "push"]],
        "goals": [100, 100],
    }
    right = tmp_path / "right.json"
    right.write_text(json.dumps(record))
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({**record, "goals": [100, 0]}))
    assert ludorum("verify", door, "--record", str(right)).exit_code == 0
    result = ludorum("verify", door, "--record", str(right), str(wrong), "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["states"] == 4
    assert told["disagreements"] == [
        {
            "record": str(wrong),
            "step": 1,
            "question": "goal",
            "role": "right",
            "expected": ["0"],
            "got": ["100"],
        }
    ]


def test_verify_compares_engines_on_random_states(door: str) -> None:
    told = json.loads(ludorum("verify", door, "--states", "12", "--json").stdout)
    assert (told["states"], told["disagreements"]) == (12, [])


def test_verify_says_what_is_wrong_with_a_record(door: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{]")
    result = ludorum("verify", door, "--record", str(path))
    assert result.exit_code == 2
    assert "broken.json" in result.stderr


def test_play_without_a_terminal_is_a_demonstration(door: str) -> None:
    result = ludorum("play", door, "--seconds", "0.1")
    assert result.exit_code == 0
    assert result.stdout.startswith("No terminal to type in: a demonstration match instead.\n")
    assert "Game over after" in result.stdout


def test_endless_play_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "circle.kif"
    path.write_text(CIRCLE)
    result = ludorum("play", str(path), "--watch", "--seconds", "0.05")
    assert result.exit_code == 0
    assert "Stopped" in result.stdout


@pytest.mark.long
def test_a_reader_that_has_gone_is_no_error(door: str) -> None:
    """As in ``ludorum ... | head``."""
    command = [
        sys.executable,
        "-c",
        "from ludorum.cli import main; main()",
        "match",
        door,
        "--players",
        "legal",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_version_names_the_kernels() -> None:
    assert ludorum("--version").stdout.startswith("ludorum 0.1.0 (kernels: ")


@pytest.mark.long
@pytest.mark.alone
def test_the_installed_command_answers_quickly(corpus: Path) -> None:
    """``ludorum check --fast`` on the corpus' chess: a second in quiet, start of Python included."""
    command = [
        str(Path(sys.executable).with_name("ludorum")),
        "check",
        "--fast",
        "--lenient",
        str(corpus / "gdl1/chess.kif"),
    ]
    # Processor time, and three times what it takes in quiet: a machine busy with other tests would else only
    # measure how busy it is.
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    assert done.returncode == 0
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 3.0


def test_the_strongest_player_is_the_same_everywhere() -> None:
    from ludorum import players
    from ludorum.cli import common

    assert common.STRONGEST == players.STRONGEST


def test_no_verb_waits_for_what_others_need() -> None:
    """Players, the arena and its databases are imported by those who use them: a start costs everybody."""
    program = "import sys, ludorum.cli.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"asyncio", "sqlalchemy", "cryptography", "textual"}
    heavy |= {f"ludorum.{room}" for room in ("arena", "players", "search")}
    assert heavy.intersection(done.stdout.split()) == set()


NOTED = """(role a) (<= (init s) (role a)) (legal a go) (<= (next t) (true s))
(<= (goal a 100) (true t)) (<= (goal a 0) (true s)) (<= terminal (true t))"""


def test_notes_of_several_sheets_are_counted_and_shown_on_request(tmp_path: Path) -> None:
    paths = [str(tmp_path / "one.kif"), str(tmp_path / "two.kif")]
    for path in paths:
        Path(path).write_text(NOTED)
    notes = ludorum("check", paths[0]).output.count(": note[")
    assert notes
    several = ludorum("check", *paths).output
    assert ": note[" not in several
    assert f"{2 * notes} notes (--notes shows them)" in several
    assert ludorum("check", *paths, "--notes").output.count(": note[") == 2 * notes
    shown = json.loads(ludorum("check", *paths, "--json").output)
    assert len([one for one in shown if one["severity"] == "note"]) == 2 * notes
    assert "--notes" not in ludorum("check", *paths, "--quiet").output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play", "conect_four"), "hint: did you mean connect_four?"),
        (("play", "zebra"), "hint: `ludorum games` lists the library"),
        (("match", "tictactoe", "--players", "randm,legal"), "no player 'randm'; did you mean random?\n"),
        (
            ("match", "tictactoe", "--players", "a,b,c"),
            "name one for each of xplayer, oplayer, in this order",
        ),
        (("match", "tictactoe", "--players", ",random"), "a name is missing between two commas; write A,B"),
        (("match", "tictactoe", "--players", "mcts:playouts=x,random"), "write playouts=1000"),
        (("simulate", "tictactoe", "--engine", "machine"), "try --engine auto"),
        (
            ("simulate", "tictactoe", "--engine", "magic"),
            "there are reference, lifted, compiled, auto, single",
        ),
        (("verify", "tictactoe", "x.json"), "ludorum verify tictactoe --record x.json"),
        (
            ("verify", "tictactoe", "--strategy", "none"),
            "error: none: No such file or directory; check the path",
        ),
        (("cards", "stats", "tictactoe"), "a flow chart is needed here: `ludorum games` lists both"),
        (("arena", "tictactoe", "--players", "random,legal", "--sprt", "5"), "two numbers, such as 0,10"),
    ],
)
def test_errors_name_the_next_step(words: tuple[str, ...], told: str) -> None:
    result = ludorum(*words)
    assert result.exit_code == 2
    assert told in result.stderr
