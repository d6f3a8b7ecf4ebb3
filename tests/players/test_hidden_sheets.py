"""Players of rule sheets that hide something: they play by worlds, and better than chance."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from ludorum._core import SplitMix64
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.protocol.messages import PlayPercepts, Start
from ludorum.arena.protocol.played_match import PlayedMatch
from ludorum.engine.auto import AutoGame
from ludorum.engine.game import RANDOM, Game, State, View
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position, past_of, position_of
from ludorum.knowledge.worlds import worlds_for
from ludorum.players import Player, RandomPlayer, make_player
from ludorum.players.equilibrium_method import EquilibriumConfig, EquilibriumMethod
from ludorum.players.searching import SearchPlayer
from ludorum.rules.kif import parse_term
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.decision import Decision, Searcher
from ludorum.solve.equilibrium.evaluate import Passes
from tests.how_much import FULL, sample, some
from tests.knowledge.brute_force import row_of_five, told_to
from tests.library_games import compiled_game

HIDDEN = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
PLAYERS = ["champion", "belief", "oos", "ismcts", "hyperplay", "hyperplay2", "pimc", "mcts"]
CLOCK = 60.0


def played(game: Game, players: dict[Term, Player], seed: int) -> list[State]:
    """The states of a match; nature by the seed, and every move asked for is legal."""
    nature = SplitMix64(seed)
    for role, player in players.items():
        player.start(game, role, 0.0)
    states = [game.initial()]
    while not states[-1].is_terminal:
        joint = []
        for role in game.roles:
            legal = states[-1].legal(role)
            if role is RANDOM:
                joint.append(legal[nature.below(len(legal))])
            else:
                joint.append(players[role].choose(position_of(states[-1], role), CLOCK))
                assert joint[-1] in legal
        states.append(states[-1].play(joint))
    return states


def against_random(name: str, player: str, matches: int) -> list[int]:
    """The goals of a player against random ones, in all seats in turn."""
    game = compiled_game(name)
    roles = game.info.players
    goals = []
    for seed in range(matches):
        own = roles[seed % len(roles)]
        seats: dict[Term, Player] = {role: RandomPlayer(100 + seed) for role in roles}
        seats[own] = make_player(player, seed)
        goals.append(played(game, seats, seed)[-1].goal(own) or 0)
        assert seats[own].fallback == ""
    return goals


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", sample(HIDDEN, 8))
def test_a_match_by_worlds_has_legal_moves_only_and_needs_no_fallback(name: str, player: str) -> None:
    game = compiled_game(name)
    seats: dict[Term, Player] = {role: make_player(f"{player}:playouts=12", 5) for role in game.info.players}
    played(game, seats, 3)
    assert {own.fallback for own in seats.values()} == {""}


@pytest.mark.long
@pytest.mark.parametrize("player", PLAYERS)
def test_counted_play_is_repeatable_by_its_seed(player: str) -> None:
    game = compiled_game("liars_dice")
    matches = [
        played(game, {role: make_player(f"{player}:playouts=30", 5) for role in game.info.players}, 1)
        for _ in range(2)
    ]
    assert [state.joint for state in matches[0]] == [state.joint for state in matches[1]]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("krieg_tictactoe", "champion"),
        ("blind_breakthrough", "ismcts"),
        ("liars_dice", "champion"),
        ("meier", "ismcts"),
        *(
            pytest.param(*pair, marks=pytest.mark.slow)
            for pair in [
                ("krieg_tictactoe", "ismcts"),
                ("blind_breakthrough", "champion"),
                ("liars_dice", "ismcts"),
                ("meier", "champion"),
            ]
        ),
    ],
)
def test_worlds_beat_chance(name: str, player: str) -> None:
    goals = against_random(name, f"{player}:playouts=200", 60 if FULL else 3)
    if FULL:
        assert np.mean(goals) - 1.96 * np.std(goals) / len(goals) ** 0.5 > 60
    assert np.mean(goals) > 60


@pytest.mark.slow
@pytest.mark.parametrize("name", ["krieg_tictactoe", "blind_breakthrough"])
def test_one_tree_over_all_worlds_is_no_worse_than_a_vote_of_known_worlds(name: str) -> None:
    """As many random games each: eight of them at the end of a descent."""
    game = compiled_game(name)
    roles = game.info.players
    goals = []
    for match in range(100):
        own, other = roles if match % 2 == 0 else roles[::-1]
        seats = {own: make_player("ismcts:playouts=2000", match)}
        seats[other] = make_player("pimc:playouts=16000", match)
        goals.append(played(game, seats, match // 2)[-1].goal(own) or 0)
    assert np.mean(goals) + 1.96 * np.std(goals) / len(goals) ** 0.5 > 50


@pytest.mark.parametrize("player", ["hyperplay:playouts=4000", "pimc:playouts=2000", "mcts:playouts=2000"])
def test_votes_of_worlds_beat_chance(player: str) -> None:
    assert np.mean(against_random("blind_breakthrough", player, some(30, 5))) >= 75


@pytest.mark.parametrize("player", ["champion", "ismcts:playouts=600", "hyperplay:playouts=20000"])
def test_the_candidate_takes_the_other_door(player: str) -> None:
    game = compiled_game("monty_hall_random")
    candidate = game.role("candidate")
    for seed in range(4):
        own = make_player(player, seed)
        states = played(game, {candidate: own}, seed)
        assert [str(state.joint[game.roles.index(candidate)]) for state in states if state.joint][
            -1
        ] == "switch"


@pytest.mark.parametrize("engine", ["compiled", "lifted"])
def test_a_sheet_without_a_circuit_is_searched_one_descent_at_a_time_and_says_so(engine: str) -> None:
    game = load_game("monty_hall_random", engine)
    player = make_player("ismcts:playouts=200,head_start=0", 1)
    states = played(game, {game.role("candidate"): player}, 3)
    assert "switch" in str(states[-1].joint)
    assert player.decision is not None
    slow = "one descent at a time: monty_hall_random has no circuit"
    assert (slow in player.decision.reasons) == (engine == "lifted")
    assert player.fallback == ""


# -- equilibria ----------------------------------------------------------------------------------------------


def test_the_champion_looks_up_an_equilibrium_that_nobody_beats() -> None:
    """Of Kuhn poker: what the lookup plays loses to no best response more than the game is worth."""
    game = compiled_game("kuhn_poker")
    for player, role in enumerate(game.info.players):
        method = EquilibriumMethod(game, role, EquilibriumConfig(within=0.05))
        method.prepare(None)
        assert method.solved is not None
        passes = Passes(method.solved.tree)
        own = method.solved.profile.copy()
        for other in method.solved.tree.sets:  # the strategy alone: what others would do is not used
            if other.role is not role:
                own[other.first : other.first + len(other.moves)] = 1 / len(other.moves)
        worst = 100 - passes.best_response(own, 1 - player)[0]
        assert worst > method.solved.values[player] - 0.1
        assert method.solved.gain <= 0.05


def test_moves_of_an_equilibrium_come_as_often_as_it_says() -> None:
    game = compiled_game("kuhn_poker")
    role = game.info.players[0]
    method = EquilibriumMethod(game, role)
    worlds = worlds_for(game, role)
    for step in told_to(list(game.playout(3)), role)[:2]:
        worlds.update(step.move, step.percepts)
    found = [method.decide(worlds, Budget(playouts=1), seed) for seed in range(2000)]
    assert found[0].reasons[0].startswith("an equilibrium plays")
    told = Counter(one.move for one in found)
    for choice in found[0].choices:
        assert abs(told[choice.move] / 2000 - choice.visits / 1000) < 4 * (0.25 / 2000) ** 0.5


def test_only_promises_are_looked_up() -> None:
    large = EquilibriumMethod(compiled_game("krieg_tictactoe"), compiled_game("krieg_tictactoe").roles[0])
    large.prepare(None)
    assert large.solved is None
    alone = EquilibriumMethod(compiled_game("monty_hall_random"), Term("candidate"))
    alone.prepare(0.0)
    assert alone.solved is None  # no time, no tree
    alone.prepare(1.0)
    assert alone.solved is not None


# -- no leak -------------------------------------------------------------------------------------------------


def twins(game: Game, role: Term, seeds: Iterable[int]) -> tuple[list[State], list[State]] | None:
    """Two random matches that look the same to a role and stand in different states."""
    met: dict[object, list[State]] = {}
    for seed in seeds:
        states = list(game.playout(seed))
        for end in range(2, len(states)):
            if states[end].is_terminal or len(states[end].legal(role)) < 2:
                continue
            key = tuple(_seen(state, role) for state in states[1 : end + 1])
            other = met.setdefault(key, states[: end + 1])
            if other[-1] != states[end]:
                return other, states[: end + 1]
    return None


def _seen(state: State, role: Term) -> tuple[Term, tuple[Term, ...]]:
    assert state.joint is not None
    return state.joint[state.game.roles.index(role)], state.percepts(role)


def decided(player: Player, states: Sequence[State], role: Term) -> tuple[Term, object]:
    player.start(states[0].game, role, 0.0)
    for position in [position_of(state, role) for state in states[:-1]]:
        player.observe(position)
    move = player.choose(position_of(states[-1], role), CLOCK)
    found = player.decision
    assert found is not None
    return move, (found.choices, found.reasons, found.playouts)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(
    "name", ["kuhn_poker", "meier", "row", "liars_dice", "blind_breakthrough", "minesweeper"]
)
def test_what_is_hidden_does_not_change_a_decision(name: str, player: str) -> None:
    game = row_of_five() if name == "row" else compiled_game(name)
    checked = 0
    for role in game.info.players:
        pair = twins(game, role, range(400))
        if pair is None:
            continue
        one, other = (decided(make_player(f"{player}:playouts=60", 9), states, role) for states in pair)
        assert one == other
        checked += 1
    assert checked


# -- trouble -------------------------------------------------------------------------------------------------


class Failing:
    """A search that fails."""

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        raise ArithmeticError("no sum")

    def forget(self) -> None:
        pass


class FailingMethod:
    """A method that fails."""

    def prepare(self, seconds: float | None) -> None:
        pass

    def decide(self, worlds: object, budget: Budget, seed: int) -> Decision:
        raise ArithmeticError("no sum")


def searcher(game: Game, role: Term, seconds: float) -> Searcher:
    return Failing()


def test_a_search_that_fails_in_worlds_is_replaced_by_tree_search() -> None:
    game = compiled_game("kuhn_poker")
    player = SearchPlayer("odd", searcher, 1, Budget(playouts=20))
    played(game, {game.info.players[0]: player, game.info.players[1]: RandomPlayer(1)}, 2)
    assert player.fallback == "plays by Monte Carlo tree search: ArithmeticError: no sum"


def test_a_method_that_fails_is_replaced_by_plain_search_over_worlds() -> None:
    game = compiled_game("krieg_tictactoe")
    player = SearchPlayer("odd", searcher, 1, Budget(playouts=20), lambda game, role: [FailingMethod()])
    states = played(game, {game.roles[0]: player, game.roles[1]: RandomPlayer(1)}, 2)
    assert player.fallback == "plays by plain search over worlds: ArithmeticError: no sum"
    assert len(states) > 3


@pytest.mark.long
@pytest.mark.parametrize("name", ["krieg_tictactoe", "kuhn_poker", "monty_hall_random"])
def test_percepts_that_nothing_explains_still_leave_a_sensible_legal_move(name: str) -> None:
    game = compiled_game(name)
    role = game.info.players[0]
    player = make_player("champion:playouts=20", 1)
    player.start(game, role, 0.0)
    state: State = game.initial()
    lie = frozenset({parse_term("(seen ghosts)")})
    for step, after in enumerate(list(game.playout(3))[1:-1]):
        move = player.choose(_position(state, role, lie if step == 1 else None), CLOCK)
        assert move in state.legal(role)
        state = after
    player.choose(_position(state, role, lie), CLOCK)
    assert player.fallback.startswith("plays by some states that fit: ImpossiblePerceptsError")


def _position(state: State, role: Term, percepts: frozenset[Term] | None) -> Position:
    """The position of a role, with other percepts than it should have."""
    position = position_of(state, role)
    if position.hidden_view is None or percepts is None:
        return position
    view = View(role, position.hidden_view.move, percepts, None)
    return Position(role, position.legal, view, None)


def test_a_host_that_skips_a_turn_leaves_the_worlds_in_step() -> None:
    game = compiled_game("krieg_tictactoe")
    role, states = game.roles[0], list(game.playout(3))[:5]
    player = make_player("ismcts:playouts=20", 1)
    start = Start("m", role, "", CLOCK, CLOCK)
    match = PlayedMatch(start, lambda text: game, player)
    assert match.prepare(time.monotonic() + CLOCK)
    joint = states[2].joint
    assert joint is not None
    for turn, state in enumerate(states):
        if turn != 2:  # lost, and the own move with it: that it is not legal again is not known
            told = None if state.joint is None else state.joint[0]
            message = PlayPercepts("m", turn, told, state.percepts(role))
            assert match.choose(message, time.monotonic() + CLOCK) in {*state.legal(role), joint[0]}
    (fault,) = match.faults
    assert fault == "in step 3 legal moves are those of some states that agree: a message was lost"
    assert player.fallback == ""
    match.stop()


def test_a_step_of_which_nothing_is_known_keeps_the_player_in_step() -> None:
    game = compiled_game("krieg_tictactoe")
    role = game.roles[0]
    states = list(game.playout(3))[:6]
    player = make_player("ismcts:playouts=30", 1)
    player.start(game, role, 0.0)
    for state in states[1:-1]:
        position = position_of(state, role)
        lost = Position(role, position.legal, View(role, None, frozenset(), None), None)
        player.observe(lost if state is states[2] else position)
    assert player.choose(position_of(states[-1], role), CLOCK) in states[-1].legal(role)
    assert player.fallback == ""


def test_a_player_that_joins_late_knows_what_the_others_know() -> None:
    game = compiled_game("krieg_tictactoe")
    role = game.roles[0]
    states = list(game.playout(3))[:6]
    late, early = (make_player("ismcts:playouts=30", 1) for _ in range(2))
    for player in (late, early):
        player.start(game, role, 0.0)
    for position in past_of(states, role):
        late.observe(position)
    for state in states[:-1]:
        early.observe(position_of(state, role))
    position = position_of(states[-1], role)
    assert late.choose(position, CLOCK) is early.choose(position, CLOCK)
    assert late.decision is not None
    assert early.decision is not None
    assert late.decision.choices == early.decision.choices


def test_a_match_of_the_arena_is_played_by_worlds_without_a_circuit() -> None:
    game = load_game("kuhn_poker")
    players = {role: make_player("champion:playouts=20", 1) for role in game.info.players}
    match = play_match(Match(game, 3), players, CLOCK, start_seconds=CLOCK)
    assert match.is_over
    assert match.faults == []


def test_a_circuit_that_becomes_ready_is_taken() -> None:
    auto = load_game("blind_breakthrough", "auto")
    assert isinstance(auto, AutoGame)
    with auto as game:
        role = game.roles[0]
        player = make_player("ismcts:playouts=30", 1)
        player.start(game, role, 0.0)
        game.wait()
        states = list(compiled_game("blind_breakthrough").playout(2))[:4]
        for state in states[:-1]:
            player.observe(position_of(state, role))
        assert player.choose(position_of(states[-1], role), CLOCK) in states[-1].legal(role)
        assert player.fallback == ""


@pytest.mark.slow
@pytest.mark.parametrize("player", ["champion", "hyperplay2", "pimc"])
@pytest.mark.parametrize("name", HIDDEN)
def test_every_sheet_of_the_library_has_a_move_within_a_second(name: str, player: str) -> None:
    game = compiled_game(name)
    states = list(game.playout(2))[:-1]
    for role in game.info.players:
        own = make_player(player, 3)
        own.start(game, role, 0.0)
        asked = [state for state in states if len(state.legal(role)) > 1]
        for state in states:
            position = position_of(state, role)
            if state not in (asked[:1] + asked[len(asked) // 2 :][:1] + asked[-1:]):
                own.observe(position)
                continue
            begin = time.process_time()  # of the processor: other programs do not count
            assert own.choose(position, 1.0) in state.legal(role)
            assert time.process_time() - begin < 1.0
        assert own.fallback == ""
