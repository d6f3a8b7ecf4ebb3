"""Playing line by line, with lines from a pipe: exactly what is printed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from tests.small_games import COIN


def play(*args: str, lines: str = "", code: int = 0) -> str:
    done = CliRunner().invoke(app, ["play", *args], input=lines)
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


EMPTY = """
3  . . .
2  . . .
1  . . .
   1 2 3
"""
NINE = """\
#1 mark 1 1   #2 mark 1 2   #3 mark 1 3   #4 mark 2 1   #5 mark 2 2
#6 mark 2 3   #7 mark 3 1   #8 mark 3 2   #9 mark 3 3
"""


def test_a_whole_game() -> None:
    lines = "2 2\n#5\na3\n"
    text = play("tictactoe", "--plain", "--player", "legal", "--seed", "7", lines=lines)
    assert text == (
        "tictactoe: you are xplayer (seed 7). Type ? for help.\n" + EMPTY + NINE + "xplayer> "
        """oplayer plays mark 1 1

3  . . .
2  . x .
1 [o]. .
   1 2 3
#1 mark 1 2   #2 mark 1 3   #3 mark 2 1   #4 mark 2 3   #5 mark 3 1
#6 mark 3 2   #7 mark 3 3
xplayer> oplayer plays mark 1 2

3  . . .
2 [o]x .
1  o . x
   1 2 3
#1 mark 1 3   #2 mark 2 1   #3 mark 2 3   #4 mark 3 2   #5 mark 3 3
xplayer> 
3 [x]. .
2  o x .
1  o . x
   1 2 3
Game over after 5 moves: xplayer 100, oplayer 0
"""  # noqa: W291  (the prompt ends with a space)
    )


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("mark 9 9", "mark 9 9 is not legal here; did you mean mark 1 1, mark 1 2 or mark 1 3?"),
        ("mark 2", "mark 2 may be mark 2 1, mark 2 2 or mark 2 3: type more of it"),
        ("undo", "nothing to take back"),
        ("hint", "hint: mark 1 1"),
        ("role nobody", "tictactoe has no role 'nobody'; its roles are xplayer, oplayer"),
        ("quit", "You left after 0 moves."),
        ("resign", "You resigned."),
    ],
)
def test_answers(typed: str, answer: str) -> None:
    lines = play("tictactoe", "--plain", "--player", "legal", lines=f"{typed}\n").splitlines()
    prompt = next(at for at, line in enumerate(lines) if line.startswith("xplayer> "))
    assert lines[prompt] == f"xplayer> {answer}"


def test_taking_back_other_seats_and_new_matches(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    lines = f"#5\nundo\n#1\nrole oplayer\nsave {path}\nnew\nresign\n"
    text = play("tictactoe", "--plain", "--player", "legal", lines=lines)
    assert "xplayer> " + EMPTY + NINE + "xplayer> oplayer plays mark 1 2" in text
    assert "xplayer plays mark 1 3" in text  # in our former seat
    assert json.loads(path.read_text())["moves"] == [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 1 2)"],
        ["(mark 1 3)", "noop"],
    ]
    assert "You are oplayer.\n" + EMPTY + "xplayer plays mark 1 1" in text
    assert text.endswith("oplayer> You resigned.\n")


def test_hidden_facts_stay_hidden(tmp_path: Path) -> None:
    path = tmp_path / "coin.kif"
    path.write_text(COIN)
    text = play(str(path), "--plain", "--seed", "3", "--player", "legal", lines="heads\n")
    before, _, after = text.partition("guesser> ")
    assert (
        before
        == """\
coin: you are guesser (seed 3). Type ? for help.

phase  toss
1. told: tossed

phase  call
Some of this game is hidden: you see what you know for certain. Possible: coin
heads, coin tails.
#1 call heads   #2 call tails
"""
    )
    assert after == "\nphase  *over\nGame over after 2 moves: guesser 0\n"


def test_worlds_tell_what_is_likely_and_which_moves_do_well() -> None:
    lines = "#1\nworlds\nswitch\n"
    text = play("monty_hall_random", "--plain", "--seed", "3", "--player", "legal", lines=lines)
    assert (
        """\
candidate> 2 worlds agree with what you know, all there are.
  67 %  car 3
  33 %  car 1
Mean of random games on from these worlds, of 100:
    67  switch
    33  noop
candidate> """
        in text
    )


def test_where_nothing_is_hidden_there_are_no_worlds() -> None:
    text = play("tictactoe", "--plain", "--player", "legal", lines="worlds\nquit\n")
    assert "xplayer> nothing is hidden from you here" in text


@pytest.mark.long
def test_two_thousand_moves_are_not_listed() -> None:
    text = play("amazons", "--plain", "--player", "legal", lines="move 1 4 1 1 10\nquit\n")
    assert "... and 2116 more moves: type a part of one" in text
    assert "black plays" in text


def test_watching_line_by_line_and_the_record(tmp_path: Path) -> None:
    path = tmp_path / "watched.json"
    text = play("tictactoe", "--watch", "--player", "legal", "--seed", "0", "--record", str(path))
    assert (
        text
        == f"""\
tictactoe: xplayer: legal, oplayer: legal (seed 0)
  1. xplayer mark 1 1
  2. oplayer mark 1 2
  3. xplayer mark 1 3
  4. oplayer mark 2 1
  5. xplayer mark 2 2
  6. oplayer mark 2 3
  7. xplayer mark 3 1
3  x o .
2  o x .
1  x o[x]
   1 2 3
control  *oplayer
Game over after 7 moves: xplayer 100, oplayer 0
saved: {path}
"""
    )
    assert json.loads(path.read_text())["goals"] == {"xplayer": ["100"], "oplayer": ["0"]}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("tictactoe", "--player", "nobody"), "error: no player 'nobody'; there are "),
        (("tictactoe", "--role", "x", "--watch"), "error: either --role, to play, or --watch"),
    ],
)
def test_misuse(args: tuple[str, ...], message: str) -> None:
    assert message in play(*args, code=2)


def test_nobody_plays_chance() -> None:
    message = "error: random is played by chance; choose from candidate"
    assert message in play("monty_hall_random", "--role", "random", code=1)


def test_a_chart_asks_in_words_and_cards_are_listed_as_people_hold_them() -> None:
    text = play("hearts", "--plain", "--player", "legal", "--seed", "1", lines="#13\nquit\n")
    first, second = text.split("player0> ")[:2]
    assert first.endswith(
        "Choose a card to pass.\n"
        "#1 3♣   #2 5♣   #3 6♣   #4 2♦   #5 6♦   #6 9♦   #7 6♥   #8 10♥   #9 J♥\n"
        "#10 4♠   #11 5♠   #12 6♠   #13 J♠\n"
    )
    assert second.startswith("you pass on J♠\n")
    assert second.endswith("#10 4♠   #11 5♠   #12 6♠\n")
