"""The Textual screen, played with keys."""

import re
import threading
import time
from pathlib import Path

import pytest

from ludorum.arena import MatchRecord, load_record
from ludorum.arena.table import table_player
from ludorum.arena.table.table import Phase
from ludorum.cli.terminal.move_list import MoveList
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.sight import Position
from ludorum.players import Player
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from tests.cli.screens import Person, at_the_screen
from tests.small_games import coin, door


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return load_game("tictactoe", "lifted")


def test_a_whole_game_by_typing_by_arrows_and_on_the_board(tictactoe: Game) -> None:
    async def play(person: Person) -> None:
        assert "Your move, xplayer." in person.screen
        await person.type("2 2")
        assert "1 of 9 moves: 2 2_" in person.screen
        await person.press("enter")
        assert "[o]. ." in person.screen
        assert "2. oplayer mark 1 1" in person.screen
        await person.press("down", "down", "down", "down")
        assert "> mark 3 1" in person.screen
        await person.press("enter", "tab")
        assert ">x<" in person.screen
        await person.press("left", "up")
        assert ">.<. ." in person.screen
        await person.press("enter")  # the only move that names this place, and it names no other
        assert person.phase() is Phase.OVER
        for words in ("Game over after 5 moves", "xplayer  100 of 100  you", "You have won."):
            assert words in person.screen
        await person.press("escape")
        assert "Game over after 5 moves: xplayer 100, oplayer 0. F4: new match" in person.screen
        await person.press("f4")
        assert "9 moves: _" in person.screen
        assert person.table.match.moves == []

    at_the_screen(tictactoe, "xplayer", play)


@pytest.mark.long
def test_hint_undo_resign(tictactoe: Game) -> None:
    async def play(person: Person) -> None:
        await person.press("down", "f2")
        assert "Hint: mark 1 1" in person.screen
        assert "advice: mark 1 1" in person.screen
        assert person.app.moves.highlighted is parse_term("(mark 1 1)")
        await person.press("enter")
        assert len(person.table.match.moves) == 2
        await person.press("f3")
        assert person.table.match.moves == []
        await person.press("ctrl+z")
        assert "nothing to take back" in person.screen
        await person.press("f6", "n")
        assert person.phase() is Phase.CHOICE
        await person.press("f6", "y")
        assert person.phase() is Phase.RESIGNED
        assert "xplayer resigned after 0 moves" in person.screen
        await person.press("u")
        assert person.phase() is Phase.CHOICE

    at_the_screen(tictactoe, "xplayer", play)


@pytest.mark.long
def test_what_is_no_move_is_explained(tictactoe: Game) -> None:
    async def play(person: Person) -> None:
        await person.type("mark 4 1")
        assert "no such move here" in person.screen
        assert "near: mark 1 1" in person.screen
        await person.press("enter")
        assert "mark 4 1 is not legal here; did you mean" in person.screen
        await person.press("escape")
        assert "9 moves: _" in person.screen

    at_the_screen(tictactoe, "xplayer", play)


@pytest.mark.long
def test_several_places_narrow_the_moves() -> None:
    game = load_game("breakthrough", "lifted")

    async def play(person: Person) -> None:
        await person.press("tab", "down", "down", "down")
        assert ">W<" in person.screen
        await person.press("enter")
        assert "3 of 22 moves at 5 2: _" in person.screen
        await person.press("escape")
        assert "22 moves: _" in person.screen
        await person.press("enter", "up", "enter")
        assert person.table.match.moves[0][0] is parse_term("(move 5 2 5 3)")
        assert person.app.board.has_focus  # who plays on the board goes on there
        await person.press("up", "up", "up", "enter")
        assert "No legal move names 5 6." in person.screen

    at_the_screen(game, "white", play)


@pytest.mark.long
def test_another_role_in_the_same_match(tictactoe: Game) -> None:
    async def play(person: Person) -> None:
        await person.press("enter")
        await person.press("f5", "down", "enter")
        assert "you are oplayer" in person.screen
        assert len(person.table.match.moves) == 3
        assert person.phase() is Phase.CHOICE
        await person.press("f5", "1")
        assert "you are xplayer" in person.screen
        await person.press("f5", "escape")
        assert "you are xplayer" in person.screen

    at_the_screen(tictactoe, "xplayer", play)


@pytest.mark.long
def test_watching_with_pause_step_and_speed(tictactoe: Game) -> None:
    async def play(person: Person) -> None:
        app = person.app
        await person.press("space")
        await person.until(lambda: app.pace.paused and person.table.thinking is None)
        before = len(person.table.match.moves)
        assert "Paused (0.5 s between moves)" in person.screen
        await person.press("n")
        assert len(person.table.match.moves) == before + 1
        await person.press("n", "u")
        assert len(person.table.match.moves) == before + 1
        await person.press("plus", "plus", "plus", "plus")
        assert "Paused (as fast as the players)" in person.screen
        await person.press("minus")
        assert "Paused (0.2 s between moves)" in person.screen
        await person.press("plus", "space")
        await person.until(lambda: "Game over after 7 moves" in person.screen)
        await person.press("escape")

    at_the_screen(tictactoe, None, play)


@pytest.mark.long
def test_going_to_watch_and_back(tictactoe: Game) -> None:
    async def play(person: Person) -> None:
        await person.press("enter")
        await person.press("f7")
        assert "you watch" in person.screen
        await person.press("space")
        await person.until(lambda: person.table.thinking is None)
        await person.press("f7")
        assert "you are xplayer" in person.screen

    at_the_screen(tictactoe, "xplayer", play)


class Ponderer(Player):
    """Takes all the time it is given, without taking any from others."""

    name = "ponderer"
    test_is_over = threading.Event()

    def choose(self, position: Position, seconds: float) -> Term:
        if len(position.legal) > 1:
            self.test_is_over.wait(seconds)
        return position.legal[0]


@pytest.mark.long
def test_the_screen_lives_while_the_player_thinks_and_can_hurry_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_player, "make_player", lambda name, seed: Ponderer())
    game = load_game("connect_four", "lifted")

    async def play(person: Person) -> None:
        await person.pilot.press("enter")
        await person.until(lambda: "yellow thinks," in person.screen)
        await person.pilot.press("f1")
        await person.pilot.pause()
        assert "Any key goes back." in person.screen
        await person.pilot.press("x")
        begun = time.monotonic()
        await person.press("f9")
        assert time.monotonic() - begun < 10
        assert len(person.table.match.moves) == 2
        await person.pilot.press("enter")
        await person.until(lambda: "yellow thinks," in person.screen)
        await person.press("f3")  # takes back the move that was not answered
        assert len(person.table.match.moves) == 2
        await person.pilot.press("f2")
        await person.until(lambda: "The adviser thinks," in person.screen)
        await person.press("f9")
        assert "Hint: drop " in person.screen

    at_the_screen(game, "red", play, seconds=60)
    Ponderer.test_is_over.set()


def test_messages_that_come_while_the_screen_is_taken_down_do_no_harm(tictactoe: Game) -> None:
    people = []

    async def play(person: Person) -> None:
        people.append(person)

    at_the_screen(tictactoe, "xplayer", play)
    app = people[0].app
    assert app.screen_stack == []
    app.on_move_list_changed()
    app.say("too late to be read")


def test_hidden_things_are_not_on_the_screen_before_the_end() -> None:
    async def play(person: Person) -> None:
        assert "Some of this game is hidden" in person.screen
        assert "1. told: tossed" in person.screen
        assert "toss heads" not in person.screen
        assert "toss tails" not in person.screen
        await person.press("f8")
        assert "the record would show what is hidden" in person.screen
        await person.press("f3")
        assert "nothing can be taken back" in person.screen
        await person.pilot.press("f7")
        assert "another seat needs another match" in person.screen
        assert "you watch" in person.screen
        await person.until(lambda: bool(person.table.match.moves))
        assert "another seat needs another match" in person.screen

    at_the_screen(coin(), "guesser", play)


@pytest.mark.long
def test_a_key_shows_what_worlds_say_that_agree() -> None:
    async def play(person: Person) -> None:
        assert "Possible: coin heads, coin tails." in " ".join(person.app.board.text.split())
        await person.pilot.press("ctrl+o")
        await person.app.workers.wait_for_complete()
        await person.pilot.pause()
        assert "2 worlds agree with what you know, all there are." in person.screen
        assert "50 %  coin heads" in person.screen
        assert re.search(r"\d+  call tails", person.screen)
        await person.pilot.press("x")
        assert "worlds agree" not in person.screen

    at_the_screen(coin(), "guesser", play)


def test_the_key_for_worlds_says_where_nothing_is_hidden() -> None:
    async def play(person: Person) -> None:
        await person.press("ctrl+o")
        assert "nothing is hidden from you here" in person.screen

    at_the_screen(load_game("tictactoe", "lifted"), "xplayer", play)


@pytest.mark.long
def test_a_board_to_point_at_where_the_state_is_hidden() -> None:
    game = load_game("krieg_tictactoe", "lifted")

    async def play(person: Person) -> None:
        await person.press("tab", "enter")
        assert "3  ? ?>X<? ?" in person.screen
        assert "4  ? ? ? ? ?" in person.screen
        assert "1. you: mark 3 3; told:" in person.screen
        mine, theirs = "xplayer", "oplayer"
        facts = person.table.match.state.facts()
        assert any(str(fact).endswith(f"{theirs})") for fact in facts)
        assert theirs not in person.app.board.text
        assert mine in person.app.board.text

    at_the_screen(game, "xplayer", play)


def test_moves_at_the_same_time_are_not_told_before_both_are_made() -> None:
    async def play(person: Person) -> None:
        await person.press("enter")
        assert person.phase() is Phase.OVER
        assert "left   100 of 100  you" in person.screen

    at_the_screen(door(), "left", play)


def test_the_record_is_saved_by_key(tictactoe: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def play(person: Person) -> None:
        await person.press("enter")  # the answer comes before the next key: it has a message of its own
        await person.press("ctrl+s")
        assert "Saved: tictactoe-1.json" in person.screen
        record = load_record(tmp_path / "tictactoe-1.json")
        assert isinstance(record, MatchRecord)
        assert len(record.moves) == 2

    at_the_screen(tictactoe, "xplayer", play)


@pytest.mark.long
@pytest.mark.alone
def test_two_thousand_moves_stay_quick() -> None:
    game = load_game("amazons", "lifted")

    async def play(person: Person) -> None:
        moves = person.app.query_one(MoveList)
        assert len(moves.shown) == 2176
        begun = time.monotonic()
        for key in ("4", "space", "1", "backspace", "end", "pageup", "home", "pagedown", "down"):
            await person.pilot.press(key)
        assert time.monotonic() - begun < 4
        assert "> 1,4 " in person.screen

    at_the_screen(game, "white", play)


SIX = "\n".join(
    [
        *(f"(role player{number})" for number in range(1, 7)),
        "(init (step 1)) (<= (legal ?r stay) (role ?r)) (<= (legal ?r go) (role ?r))",
        "(<= (next (went ?r)) (does ?r go)) (<= (next (step 2)) (true (step 1)))",
        "(<= terminal (true (step 2)))",
        "(<= (goal ?r 100) (true (went ?r))) (<= (goal ?r 40) (role ?r) (not (true (went ?r))))",
    ]
)


def test_six_roles_without_a_board() -> None:
    async def play(person: Person) -> None:
        assert "player1: legal, player2: legal" in person.screen
        await person.press("down", "enter")
        assert "player5   40 of 100  you" in person.screen
        assert "You have 40 of 100." in person.screen
        await person.press("escape")
        assert "went  *player1, *player2, *player3, *player4" in person.screen
        assert "1. player1 go; player2 go;" in person.screen
        assert "player3 go; player4 go;" in person.screen
        assert "player5 stay; player6" in person.screen

    at_the_screen(ReferenceGame(parse_kif(SIX), "six"), "player5", play)


WIDE = "\n".join(
    [
        "(role painter) (init (cell 1 1 b))",
        *(f"(init (cell {column} {row} b))" for column in range(1, 31) for row in range(1, 26)),
        *(f"(place {column} {row})" for column in range(1, 31) for row in range(1, 26)),
        "(<= (legal painter (paint ?x ?y)) (place ?x ?y))",
        "(<= (next (cell ?x ?y red)) (does painter (paint ?x ?y)))",
        "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (place ?v ?w) (does painter (paint ?v ?w))"
        " (or (distinct ?x ?v) (distinct ?y ?w)))",
        "(<= terminal (true (cell 30 25 red))) (goal painter 100)",
    ]
)


@pytest.mark.long
def test_boards_larger_than_the_screen_follow_the_cursor() -> None:
    async def play(person: Person) -> None:
        await person.press("tab")
        for start, key, place in ((("29", "9"), "right", "30 9"), (("30", "2"), "down", "30 1")):
            person.app.board.cursor = start
            await person.press(key)
            await person.pilot.pause(0.1)
            assert person.app.board.cursor == tuple(place.split())
            assert "> .<" in person.screen
        await person.press("enter")
        assert person.table.match.moves == [(parse_term("(paint 30 1)"),)]

    at_the_screen(LiftedGame(parse_kif(WIDE), "wide"), "painter", play)


@pytest.mark.parametrize(
    "name",
    [
        "nim",
        "leduc_poker",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("chinese_checkers", "racetrack", "eight_puzzle")
        ),
    ],
)
def test_every_kind_of_game_can_be_played_to_its_end(name: str) -> None:
    """Three roles, moves at the same time, one role, no board, chance."""
    game = load_game(name, "lifted")

    async def play(person: Person) -> None:
        for _ in range(12):
            if person.table.is_finished:
                break
            await person.press("enter")
        assert person.table.match.moves

    at_the_screen(game, str(game.info.players[-1]), play)
