"""What is called solved is so: nothing is hidden, no sum was only seen; else the reason is told."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget, Mcts, MctsConfig
from ludorum.search.exact import find_values
from ludorum.search.state_graph import UnsolvedError
from ludorum.solve.prove import VerdictStatus, prove
from ludorum.solve.values import SolveConfig, StrategyError, check_strategy, load_strategy, solve_game
from ludorum.solve.values.solution import Solution, SolutionMethod
from tests.how_much import some
from tests.library_games import compiled_game
from tests.small_games import CIRCLE, DOOR
from tests.solve.values.random_trees import Tree, random_tree

OPEN = SolveConfig(opened=True)


def values(found: Solution) -> dict[str, Fraction]:
    return {str(role): value for role, value in found.values.items()}


# --- something is hidden ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "liars_dice", "trumps", "monty_hall_random", "krieg_tictactoe"]
)
def test_a_game_that_hides_something_is_not_solved(name: str) -> None:
    found = solve_game(load_game(name), budget=Budget(seconds=60))
    assert not found.solved
    assert not found.values
    assert found.nodes == 0, "it is refused before any work"
    assert "hidden" in found.note
    assert not found.is_limited


def test_the_open_game_is_solved_where_that_is_asked_for_and_called_so() -> None:
    for engine in ("compiled", "lifted"):
        found = solve_game(load_game("kuhn_poker", engine), config=OPEN)
        assert found.solved
        assert found.opened
        assert "all information open, not of the game itself" in found.note
        assert values(found) == {"alice": 50, "bob": 50}, "and 48.61 : 51.39 where cards are hidden"
        assert found.mover is None, "nature deals; none of its moves is best"


def test_one_player_and_nature_that_choose_at_once_have_a_value() -> None:
    found = solve_game(compiled_game("monty_hall_random"), config=OPEN)
    assert values(found) == {"candidate": 100}
    assert found.method is SolutionMethod.MATRICES


HIDE = """
; The first hides a coin in one hand, the second guesses it; without seeing it, it must not be sure.
(role hider) (role guesser)
(hand left) (hand right)
(init (phase hide))
(<= (legal hider (put ?h)) (hand ?h) (true (phase hide)))
(<= (legal hider noop) (true (phase guess)))
(<= (legal guesser noop) (true (phase hide)))
(<= (legal guesser (say ?h)) (hand ?h) (true (phase guess)))
(<= (next (phase guess)) (true (phase hide)))
(<= (next (in ?h)) (does hider (put ?h)))
(<= (next found) (true (in ?h)) (does guesser (say ?h)))
(<= (next (phase over)) (true (phase guess)))
(<= terminal (true (phase over)))
(<= (goal guesser 100) (true found)) (<= (goal guesser 0) (not (true found)))
(<= (goal hider 0) (true found)) (<= (goal hider 100) (not (true found)))
"""
BLIND = HIDE + "(<= (sees ?r tick) (role ?r))"


def test_strategies_that_choose_by_what_is_hidden_do_not_hold(tmp_path: Path) -> None:
    game = CompiledGame(parse_kif(BLIND), "hide")
    found = solve_game(game, config=SolveConfig(strategies=True, opened=True))
    assert values(found) == {"hider": 0, "guesser": 100}
    strategy = found.strategies[game.role("guesser")]
    strategy.save(tmp_path / "open.txt")
    assert load_strategy(tmp_path / "open.txt").opened
    assert check_strategy(game, strategy).holds
    with pytest.raises(StrategyError, match="guesser is told the same"):
        check_strategy(game, replace(strategy, opened=False))


def test_what_can_be_forced_in_the_open_game_alone_is_not_proved() -> None:
    (shown,) = prove(parse_kif(HIDE), ["strongly-winnable"], Budget(seconds=30))
    assert shown.status is VerdictStatus.PROVED
    (hidden,) = prove(parse_kif(BLIND), ["strongly-winnable"], Budget(seconds=30))
    assert hidden.status is VerdictStatus.UNKNOWN
    assert "guesser is told the same" in hidden.reason


# --- sums that were only seen -------------------------------------------------------------------------------

DEPTH = 7
DEEP = f"""
; Right stops at once, in one of four ways, or goes on. All stops give both together 50; only the last step,
; which random play reaches once in {5**DEPTH} games, gives right 100 and left nothing.
(role left) (role right)
(init (step 0))
{" ".join(f"(succ {n} {n + 1})" for n in range(DEPTH))}
(way 1) (way 2) (way 3) (way 4)
(<= (legal right on) (true (step ?n)))
(<= (legal right (stop ?w)) (way ?w))
(legal left noop)
(<= (next (step ?m)) (does right on) (true (step ?n)) (succ ?n ?m))
(<= (next (stopped ?w)) (does right (stop ?w)))
(<= stopped (true (stopped ?w)))
(<= last (true (step {DEPTH})))
(<= terminal stopped) (<= terminal last)
(<= (goal left 50) (true (stopped 1))) (<= (goal left 0) (not (true (stopped 1))))
(<= (goal right 0) (true (stopped 1))) (<= (goal right 100) last)
(<= (goal right 50) (not (true (stopped 1))) (not last))
"""


@pytest.mark.parametrize("first", ["left", "right"])
@pytest.mark.parametrize("most_states", [1_000, 3])
def test_a_deep_end_with_another_sum_counts(first: str, most_states: int) -> None:
    game = CompiledGame(parse_kif(DEEP), "deep")
    found = solve_game(
        game, role=game.role(first), config=SolveConfig(most_states=most_states, strategies=True)
    )
    assert values(found) == {"left": 0, "right": 100}
    assert [str(move) for move in found.best] == ["on"]
    for strategy in found.strategies.values():
        check = check_strategy(game, strategy)
        assert (check.holds, check.complete) == (True, True)
    if most_states == 3:  # too many for induction: each role is solved for itself, which is said
        assert "can force" in found.note


def test_a_tree_calls_nothing_proven_that_rests_on_sums_it_has_seen() -> None:
    game = CompiledGame(parse_kif(DEEP), "deep")
    for config in (MctsConfig(), MctsConfig(batch=1), MctsConfig(plain=True)):
        found = Mcts(game, config).search(game.initial(), game.role("right"), Budget(playouts=300))
        assert not found.proven
        assert all(str(choice.move).startswith("(stop") for choice in found.choices if choice.proven)
        sound = Mcts(game, replace(config, constant_sum="proved"))
        found = sound.search(game.initial(), game.role("right"), Budget(playouts=20_000))
        assert not found.proven or found.value == 100


# --- what no method applies to ------------------------------------------------------------------------------

FOR_EVER = """
; Nature may keep the player waiting for ever.
(role random) (role player)
(init wait)
(<= (legal random stay) (true wait)) (<= (legal random leave) (true wait))
(legal player noop)
(<= (next wait) (does random stay))
(<= (next over) (does random leave))
(<= (sees player over) (does random leave))
(<= terminal (true over))
(<= (goal player 100) (true over)) (<= (goal player 0) (not (true over)))
(goal random 0)
"""


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (DOOR, "are not opposed: they get 0 or 200 together"),
        (DOOR.replace("(role right)", "(role right) (role third)"), "3 players"),
        (FOR_EVER, "circles"),
    ],
)
def test_what_no_method_applies_to_is_said_at_once(rules: str, reason: str) -> None:
    for make in (CompiledGame, LiftedGame):
        found = solve_game(make(parse_kif(rules), "game"))
        assert not found.solved
        assert not found.is_limited, "no more time would do"
        assert reason in found.note


def test_the_reason_is_the_bound_that_was_met() -> None:
    game = load_game("tictactoe", "lifted")
    with pytest.raises(UnsolvedError, match="more than 100 states") as error:
        find_values(game, limit=100)
    assert not error.value.is_limit
    with pytest.raises(UnsolvedError, match="within the limits") as error:
        find_values(game, budget=Budget(nodes=100))
    assert error.value.is_limit
    with pytest.raises(UnsolvedError, match="circles") as error:
        find_values(LiftedGame(parse_kif(CIRCLE), "circle"))
    assert not error.value.is_limit


GROWING = """
(role a)
(init (n z))
(<= (legal a go) (true (n ?x))) (<= (legal a hop) (true (n ?x)))
(<= (next (n (s ?x))) (true (n ?x)))
(<= terminal (true (n done)))
(goal a 0)
"""


@pytest.mark.long
def test_terms_that_grow_without_end_are_a_reason() -> None:
    found = solve_game(LiftedGame(parse_kif(GROWING), "growing"), budget=Budget(seconds=60))
    assert not found.solved
    assert found.note == (
        "terms in its states are nested too deeply: (<= (next (n (s ?x))) (true (n ?x))) in line 5 wraps"
        " terms in terms again and again, and nothing bounds them"
    )
    assert not found.is_limited


def test_terms_that_grow_without_end_are_no_matter_of_the_budget() -> None:
    found = solve_game(LiftedGame(parse_kif(GROWING), "growing"), budget=Budget(nodes=10))
    assert not found.is_limited
    assert found.note == (
        "play came to terms nested more than 300 deep: (<= (next (n (s ?x))) (true (n ?x))) in line 5 wraps"
        " terms in terms again and again, and nothing bounds them"
    )


# --- against an oracle --------------------------------------------------------------------------------------


@settings(max_examples=some(15, 5), deadline=None)
@given(st.integers(0, 2**32))
def test_values_of_random_games_are_those_of_an_oracle(seed: int) -> None:
    check_tree(random_tree(seed))


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(st.integers(0, 2**32))
def test_values_of_many_random_games_are_those_of_an_oracle(seed: int) -> None:
    check_tree(random_tree(seed))


def check_tree(tree: Tree) -> None:
    begin = time.monotonic()
    for make in (CompiledGame, LiftedGame):
        game = make(tree.rules(), "tree")
        found = solve_game(game)
        if not found.solved:
            assert not found.is_limited or time.monotonic() - begin > 30, found.note
            continue
        own = {tree.roles.index(str(role)): value for role, value in found.values.items()}
        assert sorted(own) == tree.players
        if "can force" in found.note:
            assert own == {role: tree.forced(role) for role in tree.players}
        elif found.method is SolutionMethod.MATRICES:
            assert own[tree.players[0]] == tree.mixed()
        elif goes_round(tree):  # known all the same: nobody gets less than it can force
            assert all(own[role] >= tree.forced(role) for role in tree.players)
        elif (possible := tree.equilibria()) is not None:
            shown = {tuple(vector[role] for role in tree.players) for vector in possible}
            assert tuple(own[role] for role in tree.players) in shown
            assert found.note or len(shown) == 1, "what depends on a choice among equals is said"
        else:  # proof search that met no state in which several choose
            assert own == {role: tree.forced(role) for role in tree.players}


def goes_round(tree: Tree) -> bool:
    """Whether a node that play can reach leads back to an earlier one."""
    reached, waiting = {0}, [0]
    for node in waiting:
        children = {child for (parent, _), child in tree.after.items() if parent == node}
        if any(child <= node for child in children):
            return True
        waiting += sorted(children - reached)
        reached |= children
    return False


@pytest.mark.parametrize("seed", [50148, 50225, 50270, 50278, 50296, 50447, 50473, 50547, 50722])
def test_games_that_were_once_solved_wrongly(seed: int) -> None:
    check_tree(random_tree(seed))


def test_who_gains_nothing_by_an_end_need_not_end_the_game() -> None:
    found = solve_game(LiftedGame(random_tree(50270).rules(), "tree"))
    assert not found.solved
    assert "circles" in found.note
