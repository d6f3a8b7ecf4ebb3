"""The table: turns, hints, taking back, resigning, seats, records, and what a person may see."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludorum.arena import MatchRecord, load_record
from ludorum.arena.records.verify import verify_record
from ludorum.arena.table import table_player
from ludorum.arena.table.table import Hint, Phase, Table, TableError
from ludorum.engine.errors import GameError, IllegalMoveError
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.sight import Position
from ludorum.players import Player
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search.decision import Choice, Decision
from tests.small_games import coin, door

X, O = parse_term("xplayer"), parse_term("oplayer")  # noqa: E741
LEFT, RIGHT, PUSH, WAIT = map(parse_term, ("left", "right", "push", "wait"))
GUESSER, RANDOM = map(parse_term, ("guesser", "random"))


def mark(column: int, row: int) -> Term:
    return parse_term(f"(mark {column} {row})")


def tictactoe(role: Term | None = X, player: str = "legal") -> Table:
    return Table(load_game("tictactoe", "lifted"), role, player, 0.1)


def phase_of(table: Table) -> Phase:
    """As a function, because type checkers believe that properties stay as they are."""
    return table.phase


class Scripted(Player):
    """A player under the test's control."""

    name = "scripted"

    def __init__(self) -> None:
        self.decision: Decision | None = None
        self.calls: list[str] = []
        self.release = threading.Event()
        self.release.set()
        self.answer: Term | None = None
        self.failure: Exception | None = None

    def start(self, game: object, role: Term, seconds: float) -> None:
        self.calls.append(f"start {role}")

    def choose(self, position: Position, seconds: float) -> Term:
        self.calls.append(f"choose {position.role}")
        self.release.wait(10)
        if self.failure:
            raise self.failure
        return self.answer or position.legal[-1]

    def stop(self) -> None:
        self.calls.append("stop")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Scripted]]:
    """Every player made at a table, in their order."""
    made: list[Scripted] = []

    def make(name: str, seed: int = 0) -> Scripted:
        made.append(Scripted())
        return made[-1]

    monkeypatch.setattr(table_player, "make_player", make)
    yield made
    for player in made:
        player.release.set()


def test_a_whole_game_with_the_first_legal_replies() -> None:
    table = tictactoe()
    assert phase_of(table) is Phase.CHOICE
    for move in (mark(2, 2), mark(3, 1)):
        table.advance(move)
        assert phase_of(table) is Phase.MOVES  # the other's turn: our only move is to wait
        table.advance()
        assert phase_of(table) is Phase.CHOICE
    assert table.match.moves[1][1] is mark(1, 1)
    table.advance(mark(1, 3))
    assert phase_of(table) is Phase.OVER
    assert table.result() == "Game over after 5 moves: xplayer 100, oplayer 0"
    assert [str(step) for step in table.steps()][-2:] == ["oplayer (mark 1 2)", "xplayer (mark 1 3)"]
    with pytest.raises(TableError, match="Game over after 5 moves"):
        table.begin(mark(3, 3))


def test_illegal_moves_are_refused_and_change_nothing() -> None:
    table = tictactoe()
    with pytest.raises(IllegalMoveError, match=r"\(mark 9 9\) is not legal for xplayer"):
        table.begin(mark(9, 9))
    with pytest.raises(IllegalMoveError, match="None is not legal for xplayer"):
        table.begin()
    assert phase_of(table) is Phase.CHOICE


def test_taking_back_goes_to_the_last_choice_also_after_the_end() -> None:
    table = tictactoe()
    with pytest.raises(TableError, match="nothing to take back"):
        table.undo()
    for move in (mark(2, 2), None, mark(3, 1), None, mark(1, 3)):
        table.advance(move)
    for left in (4, 2, 0):
        table.undo()
        assert len(table.match.moves) == left
        assert phase_of(table) is Phase.CHOICE
    assert table.match.state == table.game.initial()


def test_where_there_is_chance_all_is_told_as_it_came_and_nothing_is_taken_back() -> None:
    table = Table(load_game("pig"), Term("red"), "random", 1.0)
    table.advance(parse_term("(roll boardgames:dicing:dice)"))
    step = table.step(-1)
    assert step is not None
    assert str(step).startswith("red (roll ")
    assert step.moves[0][1] in {Term("roll", (Term(str(side)),)) for side in range(1, 7)}
    with pytest.raises(TableError, match="nothing can be taken back where there is chance"):
        table.undo()


def test_an_unanswered_move_is_taken_back_alone(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 5.0)
    scripted[0].release.clear()
    step = table.begin(PUSH)
    worker = threading.Thread(target=step.run)
    worker.start()
    table.undo()
    worker.join(5)
    assert not worker.is_alive()
    assert not table.complete(step)
    assert table.match.moves == []
    assert phase_of(table) is Phase.CHOICE
    table.advance(WAIT)  # by a fresh player: the other one is still busy
    assert table.match.moves == [(WAIT, WAIT)]


def test_players_do_not_know_the_persons_move(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 1.0)
    step = table.begin(PUSH)
    assert step.state is table.match.state
    assert list(step.run()) == [RIGHT]
    assert table.complete(step)
    assert scripted[0].calls == ["start right", "choose right"]


def test_players_hear_of_the_start_once_and_of_the_end(scripted: list[Scripted]) -> None:
    table = Table(door(), None, "any", 1.0)
    table.advance()
    table.advance()
    assert table.match.is_over
    table.new()
    assert [player.calls for player in scripted[:2]] == [
        ["start left", "choose left", "choose left", "stop"],
        ["start right", "choose right", "choose right", "stop"],
    ]


@pytest.mark.long
def test_hurried_players_answer_at_once(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 60.0)
    scripted[0].release.clear()
    step = table.begin(PUSH)
    threading.Timer(0.05, step.hurry).start()
    begun = time.monotonic()
    step.run()
    assert time.monotonic() - begun < 5
    assert table.complete(step)
    assert table.match.moves == [(PUSH, WAIT)]
    assert not step.faults


def test_players_that_were_hurried_hear_of_the_end(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 60.0)
    step = table.begin(PUSH)
    step.hurry()
    step.run()
    step.abandon()
    assert table.complete(step)
    table.leave()
    assert scripted[0].calls[-1] == "stop"


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda table: table.leave(), id="leave"),
        pytest.param(lambda table: table.new(), id="another match"),
        pytest.param(lambda table: table.sit(RIGHT), id="another seat"),
    ],
)
def test_players_and_the_adviser_are_stopped_with_their_match(
    scripted: list[Scripted], end: Callable[[Table], None]
) -> None:
    table = Table(door(), LEFT, "any", 60.0)
    player, adviser = scripted
    table.advance(WAIT)
    table.begin_hint().run()
    end(table)
    assert [one.calls[-1] for one in (player, adviser)] == ["stop", "stop"]


def test_a_new_match_does_not_wait_for_an_adviser_that_still_thinks(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 60.0)
    adviser = scripted[1]
    adviser.release.clear()
    asked = table.begin_hint()
    thread = threading.Thread(target=asked.run)
    thread.start()
    while adviser.calls[-1:] != ["choose left"]:
        time.sleep(0.001)
    begun = time.monotonic()
    table.new()
    assert time.monotonic() - begun < 5
    assert asked.is_abandoned
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.long
def test_players_that_hang_do_not_hang_the_table(
    scripted: list[Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_player, "LATE_PATIENCE", 0.1)
    table = Table(door(), LEFT, "any", 0.05)
    scripted[0].release.clear()
    assert table.advance(PUSH).faults == ["any is late and is asked for a move at once"]
    assert table.match.moves == [(PUSH, WAIT)]


def test_a_player_that_can_hurry_says_what_it_has(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 60.0)
    player = scripted[0]
    player.release.clear()
    player.answer = PUSH
    player.hurry = player.release.set  # type: ignore[method-assign]
    step = table.begin(PUSH)
    step.hurry()
    assert step.run() == {RIGHT: PUSH}
    assert len(scripted) == 2  # nobody else was called in: the player and the adviser


@pytest.mark.parametrize(
    ("answer", "failure", "fault"),
    [
        (Term("fly"), None, "any chose fly, which is not legal; a legal move is made"),
        (None, RuntimeError("lost"), "any failed: RuntimeError: lost; a legal move is made"),
    ],
)
def test_faults_of_players_are_told(
    scripted: list[Scripted], answer: Term | None, failure: Exception | None, fault: str
) -> None:
    table = Table(door(), LEFT, "any", 1.0)
    scripted[0].answer, scripted[0].failure = answer, failure
    assert table.advance(WAIT).faults == [fault]
    assert table.match.moves == [(WAIT, PUSH)]


def test_a_player_that_cannot_prepare_is_told_of_and_asked_all_the_same(scripted: list[Scripted]) -> None:
    def fail(game: object, role: Term, seconds: float) -> None:
        raise MemoryError("too large")

    table = Table(door(), LEFT, "any", 1.0)
    scripted[0].start = fail  # type: ignore[method-assign]
    assert table.advance(WAIT).faults == ["any failed: MemoryError: too large"]
    assert table.match.moves == [(WAIT, WAIT)]
    assert table.advance(WAIT).faults == []


def test_players_that_say_they_never_think_can_be_left_too(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 60.0)
    scripted[0].quick = True
    scripted[0].release.clear()
    step = table.begin(PUSH)
    threading.Timer(0.05, step.abandon).start()
    assert step.run() == {RIGHT: PUSH}  # the move that was held: the first of those that are legal
    assert step.is_abandoned


def test_a_hint_says_what_the_player_expects(scripted: list[Scripted]) -> None:
    table = Table(door(), LEFT, "any", 1.0)
    adviser = scripted[1]
    choices = (Choice(WAIT, 30, 61.7), Choice(PUSH, 10, 20.2))
    adviser.decision = Decision(LEFT, WAIT, choices, 40, 40, 0.1)
    asked = table.begin_hint()
    asked.run()
    assert str(table.hint(asked)) == "wait, expects 62 of 100; then push 20"
    assert phase_of(table) is Phase.CHOICE
    adviser.decision = Decision(LEFT, WAIT, choices[:1], 40, 40, 0.1, proven=True)
    assert str(table.hint(asked)) == "wait, sure of 62 of 100"
    assert str(Hint(PUSH)) == "push"


def test_hints_are_for_those_who_choose() -> None:
    with pytest.raises(TableError, match="a spectator needs no hint"):
        tictactoe(None).begin_hint()
    with pytest.raises(TableError, match="nothing to choose"):
        tictactoe(O).begin_hint()


def test_resigning_ends_the_match_and_can_be_regretted() -> None:
    table = tictactoe()
    table.resign()
    assert phase_of(table) is Phase.RESIGNED
    assert table.result() == "xplayer resigned after 0 moves"
    with pytest.raises(TableError, match="over already"):
        table.resign()
    table.undo()
    assert phase_of(table) is Phase.CHOICE
    with pytest.raises(TableError, match="a spectator cannot resign"):
        tictactoe(None).resign()


def test_seats_change_in_the_middle_of_an_open_match() -> None:
    table = tictactoe()
    table.advance(mark(2, 2))
    table.sit(O)
    assert phase_of(table) is Phase.CHOICE
    assert table.names == {X: "legal"}
    table.advance(mark(1, 1))
    table.sit(None)
    assert table.names == {X: "legal", O: "legal"}
    while not table.is_finished:
        table.advance()
    table.undo()
    assert phase_of(table) is Phase.MOVES
    table.new(role=X)
    assert table.match.moves == []
    assert table.role is X


def test_another_match_has_another_seed_and_the_same_table_the_same_matches() -> None:
    def tosses() -> list[Term]:
        table = Table(coin(), None, "random", 0.1, seed=3)
        found = []
        for _ in range(12):
            table.advance()
            found.append(table.match.moves[0][0])
            table.new()
        return found

    assert tosses() == tosses()
    assert len(set(tosses())) == 2


def test_hidden_facts_are_seen_only_when_the_match_is_over() -> None:
    table = Table(coin(), GUESSER, "random", 0.1, seed=3)
    assert table.sight().facts is not None  # everybody knows how the match begins
    table.advance()
    sight = table.sight()
    assert sight.facts is None
    assert sight.before is None
    assert sight.last is not None
    assert sight.last.moves == ((GUESSER, parse_term("noop")),)
    assert sight.last.chosen == frozenset()
    assert sight.last.percepts == (parse_term("tossed"),)
    assert table.result() == "Stopped after 1 move"
    for forbidden in (table.undo, lambda: table.sit(None), table.save):
        with pytest.raises(TableError, match="hidden"):
            forbidden()
    table.advance(table.legal[0])
    assert phase_of(table) is Phase.OVER
    sight = table.sight()
    assert sight.facts is not None
    assert any(fact.name == "coin" for fact in sight.before or ())
    with pytest.raises(TableError, match="hidden"):
        table.undo()


def test_who_resigned_and_saw_everything_does_not_play_on() -> None:
    table = Table(coin(), GUESSER, "legal", 0.1)
    table.advance()
    table.resign()
    assert table.sight().facts is not None
    for forbidden in (table.undo, lambda: table.sit(None)):
        with pytest.raises(TableError, match="hidden"):
            forbidden()
    assert phase_of(table) is Phase.RESIGNED


def test_what_a_person_sees_does_not_depend_on_what_is_hidden() -> None:
    """Whatever nature tosses, the guesser's table looks the same until the end."""
    seen = {}
    for seed in range(8):
        table = Table(coin(), GUESSER, "legal", 0.1, seed=seed)
        table.advance()
        seen[table.match.moves[0][0]] = (
            table.sight(),
            table.steps(),
            table.legal,
            table.result(),
            table.phase,
        )
    heads, tails = seen.values()
    assert heads == tails


def test_onlookers_see_everything() -> None:
    table = Table(coin(), None, "legal", 0.1)
    table.advance()
    facts = table.sight().facts
    assert facts is not None
    assert any(fact.name == "coin" for fact in facts)


STUCK = (
    "(role a) (init p) (<= (legal a go) (true p)) (<= (next q) (true p)) (<= terminal (true r)) (goal a 0)"
)


def test_rules_that_leave_nobody_a_move_are_blamed() -> None:
    table = Table(ReferenceGame(parse_kif(STUCK), "stuck"), parse_term("a"), "legal", 0.1)
    table.advance()
    assert phase_of(table) is Phase.STUCK
    assert table.result() == "No legal move for a although the game is not over: the rules are at fault"
    with pytest.raises(GameError, match="the rules are at fault"):
        table.begin()


def test_the_record_can_be_read_and_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = Table(coin(), GUESSER, "legal", 0.1)
    table.advance()
    table.advance(table.legal[0])
    assert [str(table.save()), str(table.save())] == ["coin-1.json", "coin-2.json"]
    record = load_record(tmp_path / "coin-1.json")
    assert isinstance(record, MatchRecord)
    assert record.moves == tuple(table.match.moves)
    assert record.terminal
    assert record.source == "ludorum play; guesser: person; seed 0"
    assert verify_record(coin(), record).disagreements == ()


def test_leaving_writes_the_record_of_a_hidden_match(tmp_path: Path) -> None:
    table = Table(coin(), GUESSER, "legal", 0.1)
    table.advance()
    table.save(tmp_path / "left.json", leaving=True)
    record = load_record(tmp_path / "left.json")
    assert isinstance(record, MatchRecord)
    assert record.terminal is False
    assert record.goals is None


def test_an_adviser_knows_what_was_told_before_it_was_asked() -> None:
    """At cards a hint rests on all that the person saw, not on the last step alone."""
    table = Table(load_game("trumps"), parse_term("player0"), "card_mind:playouts=200,worlds=8", 5.0, seed=4)
    while phase_of(table) is not Phase.CHOICE:
        table.advance()
    assert len(table.match.moves) > 10
    asked = table.begin_hint()
    asked.run()
    hint = table.hint(asked)
    assert asked.faults == []
    assert hint.decision is not None
    assert {choice.move for choice in hint.decision.choices} == set(table.legal)
    assert hint.text(lambda move: "x").startswith("x, expects ")


def test_who_takes_the_place_of_a_busy_player_knows_what_was_told() -> None:
    table = Table(load_game("trumps"), None, "card_greedy:n_worlds=2", 5.0, seed=4)
    for _ in range(18):
        assert table.advance().faults == []
    for player in table._players.values():
        player.renew()
    assert table.advance().faults == []
