"""A player of one's own, ``./mine.py:Mine``, in every verb that takes a player."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.players import Guard, make_player, split_names
from ludorum.players.registry import is_foreign
from tests.how_much import FULL

LUDORUM = Path(sys.executable).with_name("ludorum")
GUIDE = Path(__file__).parents[2] / "docs" / "players.md"
NAME = "./mine.py:Mine"


def guide_player() -> str:
    """The complete player of the guide."""
    found = re.search(r"```py\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(guide_player())
    return tmp_path


def ludorum(folder: Path, *words: str, typed: str = "") -> str:
    """What a verb prints: in the full tests in a process of its own, else in this one, which is sooner."""
    if FULL:
        return in_process(folder, *words, typed=typed)
    with chdir(folder):
        done = CliRunner().invoke(app, words, input=typed)
    assert done.exit_code == 0, done.output
    return done.stdout


def in_process(folder: Path, *words: str, typed: str = "", code: int = 0) -> str:
    done = subprocess.run(
        [LUDORUM, *words], cwd=folder, input=typed, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_the_player_of_the_guide_has_fifteen_lines() -> None:
    assert len([line for line in guide_player().splitlines() if line.strip()]) <= 15


@pytest.mark.long
def test_players_shows_its_docstring(folder: Path) -> None:
    about = "Wins at once where it can, and else moves at random."
    assert ludorum(folder, "players", NAME) == f"{NAME}\n    {about}\n"
    rows = json.loads(ludorum(folder, "players", NAME, "random", "--json"))
    assert rows[0] == {"name": NAME, "about": about}
    assert rows[1]["name"] == "random"


@pytest.mark.long
def test_it_plays_matches(folder: Path) -> None:
    out = ludorum(folder, "match", "tictactoe", "--players", f"{NAME},legal", "--clock", "60,60", "--json")
    told = [json.loads(line) for line in re.findall(r"^\{.*?^\}", out, re.DOTALL | re.MULTILINE)] or [
        json.loads(out)
    ]
    assert NAME in json.dumps(told[-1])
    assert "over after" in ludorum(folder, "match", "tictactoe", "--players", NAME, "--clock", "60,60")


@pytest.mark.long
def test_it_is_played_against(folder: Path) -> None:
    shown = ludorum(folder, "play", "tictactoe", "--player", NAME, "--watch", "--plain")
    assert "Game over" in shown


@pytest.mark.long
@pytest.mark.parametrize("processes", ["2", pytest.param("1", marks=pytest.mark.slow)])
def test_it_plays_tournaments_in_processes(folder: Path, processes: str) -> None:
    words = ("arena", "tictactoe", "--players", f"{NAME},legal", "--clock", "0,60", "--processes", processes)
    found = json.loads(in_process(folder, *words, "--json"))
    assert NAME in json.dumps(found)
    assert "failed" not in json.dumps(found)


@pytest.mark.slow
def test_it_plays_tournaments_on_ray(folder: Path) -> None:
    pytest.importorskip("ray")
    words = ("arena", "tictactoe", "--players", f"{NAME},legal", "--clock", "0,60", "--ray", "--json")
    found = json.dumps(json.loads(in_process(folder, *words)))
    assert NAME in found
    assert "cannot be made" not in found


@pytest.mark.long
def test_it_is_rehearsed(folder: Path) -> None:
    told = ludorum(folder, "rehearse", "tictactoe", "--as", NAME, "--clock", "60,60", typed="play\nquit\n")
    assert "ready" in told
    assert re.search(r"^\(mark \d \d\)$", told, re.MULTILINE)


@pytest.mark.long
def test_it_is_hosted(folder: Path) -> None:
    told = ludorum(folder, "host", "tictactoe", "--players", f"{NAME},legal", "--clock", "60,60")
    assert "over after" in told


@pytest.mark.long
def test_it_plays_cards(folder: Path) -> None:
    words = ("cards", "stats", "higher_card", "--players", NAME, "--games", "1", "--clock", "0,60", "--json")
    assert json.loads(ludorum(folder, *words))["by_player"][0]["player"] == NAME


RULES = (
    "(role a) (init s) (legal a (go 1)) (legal a (go 2)) (<= (next e) (does a (go ?n)))"
    " (<= (goal a 100) (true s)) (<= (goal a 0) (true e)) (<= terminal (true e))"
)


@pytest.mark.long
def test_it_answers_hosts_elsewhere(folder: Path) -> None:
    words = [str(LUDORUM), "player", "--as", NAME, "--port", "0", "--json"]
    server = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = json.loads(server.stdout.readline())["ports"][0]

        def ask(message: str) -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}", message.encode(), timeout=120) as answer:
                return str(answer.read().decode()).lower()

        assert "mine" in ask("( INFO )")
        assert ask(f"( START m a ({RULES}) 30 30 )") == "ready"
        assert ask("( PLAY m NIL )") in ("(go 1)", "(go 2)")
    finally:
        server.terminate()
        server.communicate(timeout=60)
    assert server.returncode == 0


WRONG = """
import ludorum.players

class Mine(ludorum.players.Player):
    def __init__(self, seed, depth=1):
        self.depth = depth
        if depth > 3:
            raise ValueError("too deep")

    def choose(self, position, seconds):
        return position.legal[self.depth / 0]

class Bare(ludorum.players.Player):
    pass

class Short(Bare):
    def choose(self, position):
        return position.legal[0]

class Plain:
    pass

class WithoutSeed(Bare):
    def choose(self, position, seconds):
        return position.legal[0]
"""


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "letters.py").write_text("x = 1\nclass Mine(:\n")
    (tmp_path / "raising.py").write_text("import os\n\nprint(unknown)\n")
    return tmp_path


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./none.py:Mine", r"there is no file none\.py in .*; a player is PATH\.py:CLASS"),
        ("./wrong.py", r"no class is named; write wrong\.py:Mine or wrong\.py:Bare or wrong\.py:Short"),
        ("./wrong.py:Mien", r"no class 'Mien' in wrong\.py; did you mean Mine\?"),
        ("./wrong.py:Zebra", r"no class 'Zebra' in wrong\.py; write wrong\.py:Mine or"),
        ("./empty.py:Mine", r"empty\.py defines no class; write one: class Mine\(ludorum\.players\.Player\)"),
        ("./wrong.py:Bare", r"Bare has no method choose\(self, position, seconds\), which returns one of"),
        ("./wrong.py:Short", r"Short\.choose\(self, position\) is asked with a position and seconds"),
        ("./wrong.py:Plain", r"Plain is no player: write class Plain\(ludorum\.players\.Player\)"),
        ("./wrong.py:Mine:depth=4", r"wrong\.py, line 8: ValueError: too deep"),
        ("./wrong.py:Mine:width=4", r"unexpected keyword argument 'width'"),
        ("./wrong.py:Mine:deep", r"settings are written key=value, not 'deep'"),
        ("./letters.py:Mine", r"letters\.py, line 2: SyntaxError"),
        ("./letters.py", r"letters\.py, line 2: SyntaxError"),
        ("./raising.py:Mine", r"raising\.py, line 3: NameError: name 'unknown' is not defined"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_what_to_write(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(name)


@pytest.mark.long
@pytest.mark.usefixtures("wrong")
def test_an_error_in_a_match_names_the_line() -> None:
    from ludorum.engine.load import load_game
    from ludorum.engine.sight import position_of

    game = load_game("tictactoe")
    guard = Guard(make_player("./wrong.py:Mine:depth=2"))
    answer = guard.choose(position_of(game.initial(), game.roles[0]), 60)
    guard.stop()
    assert answer.fault.endswith("ZeroDivisionError: division by zero (wrong.py, line 11)")


@pytest.mark.usefixtures("wrong")
def test_a_class_without_a_seed_is_made_without() -> None:
    make_player("./wrong.py:WithoutSeed", 7).close()


def test_files_are_code_of_others() -> None:
    assert is_foreign("./mine.py:Mine")
    assert not is_foreign("mine.toml")
    assert split_names("./mine.py:Mine:depth=3,wild=true,random") == [
        "./mine.py:Mine:depth=3,wild=true",
        "random",
    ]


@pytest.mark.long
def test_a_verb_says_what_is_wrong_and_leaves(folder: Path) -> None:
    told = in_process(folder, "match", "tictactoe", "--players", "./mine.py:Mien,random", code=2)
    assert (
        told
        == "error: player './mine.py:Mien' cannot be made: no class 'Mien' in mine.py; did you mean Mine?\n"
    )
