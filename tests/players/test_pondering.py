"""Pondering: a player searches while others move, keeps its tree, and is there at once when it is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.protocol.messages import Play, Start
from ludorum.arena.protocol.played_match import PlayedMatch
from ludorum.arena.tournament.make_schedule import schedule_of
from ludorum.arena.tournament.play import play_fixture
from ludorum.arena.tournament.schedule import round_fixtures
from ludorum.cli.player import cores, thinking
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.engine.sight import Position, position_of
from ludorum.players import Guard, Lapse, Player, make_player
from ludorum.players.recipe import RecipeError, parse_recipe
from ludorum.players.searching import SearchPlayer
from ludorum.processes import is_possible
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search import Budget, Mcts, MctsConfig
from ludorum.search.decision import Choice, Decision
from ludorum.search.mixed import Mixed, NoAdviceError, SearchPart
from tests.arena.tournament.plans import small_plan
from tests.library_games import compiled_game
from tests.small_games import DOOR, coin, door

LEFT = parse_term("left")
HOUR = 3600.0


def until(condition: Callable[[], bool]) -> None:
    """Wait for another thread. The bound is only for tests that fail."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)


def threads_of(name: str) -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == f"player {name}"]


class Thoughtful(Player):
    """Ponders until it is stopped, as a search does that would take an hour."""

    name = "thoughtful"
    ponders = True

    def __init__(self) -> None:
        self.pondered: list[tuple[Position, Term, float]] = []
        self.stopped: list[bool] = []
        self.threads: set[int] = set()

    def choose(self, position: Position, seconds: float) -> Term:
        self.threads.add(threading.get_ident())
        return position.legal[-1]

    def ponder(self, position: Position, move: Term, seconds: float, stop: threading.Event) -> None:
        self.threads.add(threading.get_ident())
        self.pondered.append((position, move, seconds))
        self.stopped.append(stop.wait(HOUR))


def at_the_door() -> Position:
    return position_of(door().initial(), LEFT)


# -- the guard ----------------------------------------------------------------------------------------------


def test_an_answer_comes_although_the_player_would_ponder_for_an_hour() -> None:
    position, player = at_the_door(), Thoughtful()
    guard = Guard(player, may_ponder=True)
    for asked in range(1, 4):
        answer = guard.choose(position, 50.0)
        assert (answer.move, answer.fault) == (position.legal[-1], "")
        until(lambda asked=asked: len(player.pondered) == asked)  # type: ignore[misc]
    assert player.stopped == [True, True]  # the third time it still ponders
    assert set(player.pondered) == {(position, position.legal[-1], 200.0)}
    assert len(player.threads) == 1  # never beside another of its methods
    guard.stop()
    assert player.stopped == [True, True, True]
    until(lambda: not threads_of("thoughtful"))


@pytest.mark.parametrize("end", [Guard.hurry, Guard.close, Guard.attend, lambda guard: guard.ended(LEFT, 0)])
def test_all_that_comes_next_ends_pondering(end: Callable[[Guard], object]) -> None:
    player = Thoughtful()
    guard = Guard(player, may_ponder=True)
    guard.choose(at_the_door(), 50.0)
    end(guard)
    until(lambda: player.stopped == [True])
    guard.close()
    until(lambda: not threads_of("thoughtful"))


def test_nobody_ponders_unless_match_and_player_want_it() -> None:
    unwilling = Thoughtful()
    unwilling.ponders = False
    asked = Thoughtful()
    for guard in (Guard(unwilling, may_ponder=True), Guard(asked)):
        assert not guard.ponders
        guard.choose(at_the_door(), 50.0)
        guard.stop()
    assert unwilling.pondered == asked.pondered == []


def test_only_the_players_own_answer_is_pondered_on() -> None:
    class Wrong(Thoughtful):
        def choose(self, position: Position, seconds: float) -> Term:
            return parse_term("fly")

    player = Wrong()
    guard = Guard(player, may_ponder=True)
    assert guard.choose(at_the_door(), 50.0).lapse is Lapse.ILLEGAL
    guard.stop()
    assert player.pondered == []


def test_what_goes_wrong_while_pondering_hurts_no_answer() -> None:
    class Failing(Thoughtful):
        def ponder(self, position: Position, move: Term, seconds: float, stop: threading.Event) -> None:
            raise RuntimeError("out of ideas")

    guard = Guard(Failing(), may_ponder=True)
    assert [guard.choose(at_the_door(), 50.0).fault for _ in range(3)] == ["", "", ""]
    guard.stop()


FILE = """
from pathlib import Path
from ludorum.players import Player

class Mine(Player):
    ponders = True
    def choose(self, position, seconds):
        return position.legal[-1]
    def ponder(self, position, move, seconds, stop):
        notes = Path(__file__).with_name("notes")
        with notes.open("a") as file:
            file.write(f"{position.role} {move} {seconds}\\n")
        stop.wait(3600)
        with notes.open("a") as file:
            file.write("stopped\\n")
"""


@pytest.mark.skipif(not is_possible(), reason="players of files have no process of their own here")
def test_players_in_processes_of_their_own_ponder_as_well(tmp_path: Path) -> None:
    file, notes = tmp_path / "mine.py", tmp_path / "notes"
    file.write_text(FILE)

    def lines() -> list[str]:
        return notes.read_text().splitlines() if notes.exists() else []

    player = make_player(f"{file}:Mine")
    guard = Guard(player, may_ponder=True)
    position = at_the_door()
    guard.load(position.state.game)  # type: ignore[union-attr]
    once = ["left wait 200.0", "stopped"]
    for asked in range(3):
        answer = guard.choose(position, 50.0)
        assert (answer.move, answer.fault) == (position.legal[-1], "")
        until(lambda asked=asked: lines() == once * asked + once[:1])  # type: ignore[misc]
    guard.stop()
    assert lines() == once * 3
    until(lambda: not threads_of(player.name))


# -- searches -----------------------------------------------------------------------------------------------


def tree_of(player: Player) -> Mcts:
    assert isinstance(player, SearchPlayer)
    assert isinstance(player.searcher, Mixed)
    searcher = player.searcher.parts[-1].searcher
    assert isinstance(searcher, Mcts)
    return searcher


def visits(searcher: Mcts, state: State) -> int:
    look = searcher._tree.look(state)
    return 0 if look is None else look.visits


@pytest.mark.parametrize(("setting", "count"), [("batch=1", 200), ("plain=true", 40)])
def test_what_is_pondered_is_in_the_tree_of_the_next_move(setting: str, count: int) -> None:
    game = compiled_game("connect_four")
    red, yellow = game.roles
    player = make_player(f"mcts:playouts={count},{setting}", seed=3)
    state = game.initial()
    move = player.choose(position_of(state, red), HOUR)
    after = state.play([move, *state.legal(yellow)])
    kept = visits(tree_of(player), after)
    assert 0 < kept < count
    player.ponder(position_of(state, red), move, HOUR, threading.Event())
    assert visits(tree_of(player), after) == kept + count
    # The same as searches one after the other, of the same states.
    alone = Mcts(game, MctsConfig(seed=3, batch=1, plain=setting == "plain=true"))
    assert alone.search(state, red, Budget(playouts=count)).move is move
    alone.ponder(after, red, Budget(playouts=count))
    reply = after.play([*after.legal(red), after.legal(yellow)[3]])
    assert visits(tree_of(player), reply) == visits(alone, reply) > 0
    assert (
        player.choose(position_of(reply, red), HOUR) is alone.search(reply, red, Budget(playouts=count)).move
    )
    assert player.decision is not None
    assert visits(alone, reply) == visits(tree_of(player), reply) > player.decision.playouts == count


def test_a_role_without_a_choice_ponders_what_others_may_do() -> None:
    game = compiled_game("connect_four")
    yellow = game.roles[1]
    player = make_player("mcts:playouts=50,batch=1", seed=1)
    player.start(game, yellow, HOUR)  # counted: one search, as ever
    tree, state = tree_of(player), game.initial()
    assert visits(tree, state) == 50
    move = player.choose(position_of(state, yellow), HOUR)
    assert visits(tree, state) == 50
    player.ponder(position_of(state, yellow), move, HOUR, threading.Event())
    assert visits(tree, state) == 100


def test_pondering_stops_a_search_that_has_an_hour() -> None:
    game = compiled_game("connect_four")
    red = game.roles[0]
    player = make_player("mcts", seed=1)
    position = position_of(game.initial(), red)
    player.choose(position, 0.05)
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    player.ponder(position, position.legal[0], HOUR, stop)
    assert stop.is_set()  # it has returned


@pytest.mark.parametrize("threads", [1, 2])
def test_no_thread_of_kernels_is_left_after_a_match(threads: int) -> None:
    game = compiled_game("connect_four")
    players = {role: make_player("mcts", seed=1, threads=threads, ponder=True) for role in game.roles}
    match = play_match(Match(game, 1), players, 0.02, limit=6)
    assert len(match.moves) == 6
    assert not [fault for fault in match.faults if fault.text.startswith("mcts failed")]
    until(lambda: not threads_of("mcts"))


def test_an_aborted_match_leaves_no_thread() -> None:
    game = door()
    players = {role: Thoughtful() for role in game.roles}

    def interrupt(match: Match) -> None:
        if match.moves:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_match(Match(game, 1), dict(players), HOUR, interrupt)
    assert [player.stopped for player in players.values()] == [[True], [True]]
    until(lambda: not threads_of("thoughtful"))


QUEUE = """
; Both walk three steps, on which there is nothing to choose; then there is.
(role a) (role b) (init (at 0))
(next_of 0 1) (next_of 1 2) (next_of 2 3) (next_of 3 4)
(<= (legal a (take 1)) (true (at ?n)))
(<= (legal a (take 2)) (true (at 3)))
(<= (legal b noop) (true (at ?n)))
(<= (next (at ?m)) (true (at ?n)) (next_of ?n ?m))
(<= terminal (true (at 4)))
(goal a 50) (goal b 50)
"""


def test_forced_steps_are_made_in_advance() -> None:
    seen: list[State] = []

    class Noting(Recorder):
        def ponder(self, state: State, role: Term, budget: Budget) -> None:
            seen.append(state)

    def foreseen(state: State, role: str, move: str) -> State | None:
        player = SearchPlayer("noting", lambda game, role, seconds: Noting())
        at = position_of(state, state.game.role(role))
        player.start(state.game, at.role, HOUR)
        seen.clear()
        player.ponder(at, parse_term(move), HOUR, threading.Event())
        return seen[0] if seen else None

    game = load_game("tictactoe", "lifted")
    state = game.initial()
    moves = ["(mark 2 2)", "noop"]
    assert foreseen(state, "xplayer", moves[0]) == state.play([parse_term(move) for move in moves])
    assert foreseen(state, "oplayer", "noop") == state  # the other one has a choice
    nearly = game.parse_state("((cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (control xplayer))")
    assert foreseen(nearly, "xplayer", "(mark 1 3)") is None  # over then: nothing to ponder
    both = door().initial()
    assert foreseen(both, "left", "push") == both  # both choose at once
    queue = ReferenceGame(parse_kif(QUEUE), "queue")
    last = queue.initial()
    for _ in range(3):
        last = last.play([own[0] for own in map(last.legal, queue.roles)])
    assert foreseen(queue.initial(), "a", "(take 1)") == last


def test_a_game_that_hides_something_is_not_pondered() -> None:
    game = coin()
    player = make_player("ismcts:playouts=20", ponder=True)
    guesser = game.role("guesser")
    player.start(game, guesser, 1.0)
    at = position_of(game.initial(), guesser)
    player.choose(at, 1.0)
    player.ponder(at, at.legal[0], HOUR, threading.Event())  # returns: there is nothing to do


# -- the start clock ----------------------------------------------------------------------------------------


class Recorder:
    """A searcher that notes what it is asked."""

    def __init__(self, proves: bool = False) -> None:
        self.proves = proves
        self.searched: list[tuple[State, Term]] = []
        self.pondered: list[tuple[State, Term, float | None]] = []

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        self.searched.append((state, role))
        legal = state.legal(role)
        return Decision(role, legal[0], (Choice(legal[0], 0, 50.0),), 0, 0, 0.0, proven=self.proves)

    def ponder(self, state: State, role: Term, budget: Budget) -> None:
        self.pondered.append((state, role, budget.seconds))

    def forget(self) -> None:
        pass


def started(role: str, work: Budget | None = None) -> Recorder:
    searcher = Recorder()
    player = SearchPlayer("recorder", lambda game, role, seconds: searcher, 0, work)
    game = load_game("tictactoe", "lifted")
    player.start(game, game.role(role), HOUR)
    assert searcher.searched == [(game.initial(), game.role(role))]
    return searcher


def test_who_moves_second_uses_the_start_clock_as_well() -> None:
    searcher = started("oplayer")
    ((state, role, seconds),) = searcher.pondered
    assert (state, role) == (state.game.initial(), parse_term("oplayer"))
    assert seconds is not None
    assert HOUR * 0.9 < seconds < HOUR


def test_who_moves_first_or_counts_searches_once_in_the_start_clock() -> None:
    assert started("xplayer").pondered == []
    assert started("oplayer", Budget(playouts=10)).pondered == []


def test_a_small_game_is_known_before_the_first_move_of_the_other() -> None:
    game = compiled_game("tictactoe")
    player = make_player("mcts", seed=1)
    player.start(game, game.role("oplayer"), HOUR)  # the search ends when the value is proven
    look = tree_of(player)._tree.look(game.initial())
    assert look is not None
    assert look.values == (50, 50)


# -- where players are made ---------------------------------------------------------------------------------


@pytest.mark.parametrize("proves", [False, True])
def test_what_is_proven_is_not_pondered(proves: bool) -> None:
    searcher = Recorder(proves)
    player = SearchPlayer("recorder", lambda game, role, seconds: searcher)
    game = load_game("tictactoe", "lifted")
    at = position_of(game.initial(), game.roles[0])
    move = player.choose(at, HOUR)
    player.ponder(at, move, HOUR, threading.Event())
    assert len(searcher.pondered) == (0 if proves else 1)


def test_a_search_that_fails_without_a_question_does_not_spoil_the_start() -> None:
    class Failing(Recorder):
        def ponder(self, state: State, role: Term, budget: Budget) -> None:
            raise RuntimeError("out of ideas")

    player = SearchPlayer("failing", lambda game, role, seconds: Failing())
    game = load_game("tictactoe", "lifted")
    player.start(game, game.role("oplayer"), HOUR)
    assert player.fallback == ""


class Silent:
    """A searcher that cannot ponder."""

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        raise NoAdviceError

    def forget(self) -> None:
        pass


def test_the_last_part_that_can_ponders() -> None:
    game = load_game("tictactoe", "lifted")
    first, second = Recorder(), Recorder()
    mixed = Mixed([SearchPart(one) for one in (first, second, Silent())])
    mixed.ponder(game.initial(), game.roles[0], Budget(playouts=1))
    assert (len(first.pondered), len(second.pondered)) == (0, 1)
    Mixed([SearchPart(Silent())]).ponder(game.initial(), game.roles[0], Budget(playouts=1))


@pytest.mark.parametrize(
    ("name", "asked", "ponders"),
    [
        ("champion", False, False),
        ("champion", True, True),
        ("champion:ponder=true", False, True),
        ("mcts:playouts=9,ponder=false", True, False),
        ("random", True, False),
    ],
)
def test_a_name_says_whether_to_ponder_before_all_others(name: str, asked: bool, ponders: bool) -> None:
    assert make_player(name, ponder=asked).ponders is ponders


def test_a_recipe_may_say_whether_to_ponder() -> None:
    text = 'name = "calm"\nponder = {}\n[[part]]\nuse = "mcts"\n'
    assert [parse_recipe(text.format(word)).ponder for word in ("true", "false")] == [True, False]
    assert parse_recipe('name = "calm"\n[[part]]\nuse = "mcts"\n').ponder is None
    with pytest.raises(RecipeError, match="'ponder' is true or false, not 3"):
        parse_recipe(text.format(3))
    with pytest.raises(RecipeError, match="ponder is true or false, not 3; write ponder=true"):
        make_player("mcts:ponder=3")


def test_threads_go_to_trees_and_what_takes_their_place() -> None:
    game = compiled_game("connect_four")
    for name, expected in (("mcts", 2), ("mcts:threads=1", 1), ("champion", 2)):
        player = make_player(name, threads=2)
        assert isinstance(player, SearchPlayer)
        player._prepare(game, game.roles[0], 0.0)
        assert tree_of(player).config.threads == expected
        player._make, player.searcher = _no_searcher, None
        player._prepare(game, game.roles[0], 0.0)
        assert isinstance(player.searcher, Mcts)
        assert player.searcher.config.threads == expected


def _no_searcher(game: Game, role: Term, seconds: float) -> Mcts:
    raise RuntimeError("out of ideas")


def test_the_player_behind_a_port_uses_the_machine_unless_its_work_is_counted() -> None:
    def found(who: str, threads: int | None, ponder: bool | None, at_once: int) -> tuple[int, bool]:
        means = thinking(who, threads, ponder, at_once, 4000.0)
        return means["threads"], means["ponder"]

    assert found("champion", None, None, 1) == (cores(), True)
    assert found("champion", None, None, 4 * cores()) == (1, True)
    assert found("champion", 3, False, 1) == (3, False)
    assert found("mcts:playouts=9", None, None, 1) == (1, False)
    assert found("mcts:playouts=9", 2, True, 1) == (2, True)


def test_a_tree_leaves_memory_to_the_rest_of_its_match() -> None:
    for megabytes, expected in ((500.0, 200_000_000), (4000.0, 1_000_000_000)):
        means = thinking("champion", 1, False, 1, megabytes)
        assert means["tree_bytes"] == expected
        player = make_player("champion", **means)
        assert isinstance(player, SearchPlayer)
        player._prepare(compiled_game("connect_four"), parse_term("red"), 0.0)
        assert tree_of(player).config.memory_bytes == expected


def test_a_tournament_does_not_ponder_unless_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    pondered: list[Term] = []

    def note(self: SearchPlayer, at: Position, move: Term, seconds: float, stop: threading.Event) -> None:
        pondered.append(move)

    monkeypatch.setattr(SearchPlayer, "ponder", note)
    results = []
    for ponder in (False, True):
        plan = small_plan(ponder=ponder)
        (fixture, *_) = (
            one
            for one in round_fixtures(plan, schedule_of(plan), 0, {}) or ()
            if one.players == ("mcts:playouts=20", "random") and one.game == "tictactoe"
        )
        results.append(play_fixture(plan, fixture))
        assert bool(pondered) is ponder
    assert results[0].moves == results[1].moves
    assert len(pondered) == len(results[1].moves) - plan.opening  # after each of its answers


def test_a_match_behind_a_port_ponders_between_its_messages() -> None:
    player = Thoughtful()
    rules = DOOR.replace("\n", " ").partition(".")[2]
    match = PlayedMatch(Start("m", LEFT, rules, 30, 30), lambda text: door(), player)
    assert match.prepare(time.monotonic() + 30)
    assert str(match.choose(Play("m", None), time.monotonic() + 30)) == "wait"
    until(lambda: len(player.pondered) == 1)
    told = (parse_term("wait"), parse_term("push"))
    assert str(match.choose(Play("m", told), time.monotonic() + 30)) == "wait"
    until(lambda: len(player.pondered) == 2)
    match.stop(told)
    assert player.stopped == [True, True]
    assert match.faults == []
    until(lambda: not threads_of("thoughtful"))
