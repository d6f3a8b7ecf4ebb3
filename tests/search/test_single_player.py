"""Games for one player: plans that lead in the reference engine where they say, and proofs."""

from pathlib import Path

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget
from ludorum.search.astar import a_star, ida_star
from ludorum.search.breadth_first import breadth_first
from ludorum.search.nested import NestedConfig, nested_search
from ludorum.search.plan import Plan, play_plan
from ludorum.search.single_player import SinglePlayer
from tests.corpus.records import find_sheet, load_sheet, safe_rules
from tests.how_much import sample
from tests.library_games import compiled_game

TIME = Budget(seconds=60)


def holds(plan: Plan | None, oracle: Game) -> Plan:
    """The plan, once the reference engine has played it to the goal it promises."""
    assert plan is not None
    end = play_plan(oracle.initial(), plan.moves)
    assert end.is_terminal
    assert end.goal(oracle.roles[0]) == plan.goal
    return plan


# The fewest moves to the best goal. Sokoban and the puzzle: found here and by the plain search alike.
SHORTEST = {"buttons": 6, "blocks": 3, "maze": 6, "eight_puzzle": 18, "sokoban": 27}


@pytest.mark.parametrize("name", SHORTEST)
def test_breadth_first_finds_shortest_plans(name: str) -> None:
    plan = holds(breadth_first(compiled_game(name), budget=TIME), load_game(name, "reference"))
    assert (plan.goal, len(plan.moves), plan.optimal, plan.shortest) == (100, SHORTEST[name], True, True)


@pytest.mark.parametrize("name", ["buttons", "blocks", "maze", "sokoban"])
@pytest.mark.parametrize("engine", ["compiled", pytest.param("lifted", marks=pytest.mark.long)])
def test_all_shortest_searches_agree(name: str, engine: str) -> None:
    game = load_game(name, engine)
    for search in (a_star, ida_star) if name != "sokoban" else (a_star,):
        plan = holds(search(game, budget=TIME), game)
        assert (plan.goal, len(plan.moves), plan.optimal, plan.shortest) == (100, SHORTEST[name], True, True)
    if engine == "lifted":
        assert len(holds(breadth_first(game, budget=TIME), game).moves) == SHORTEST[name]


def tile_distance(state: State) -> float:
    """Rows and columns that the tiles of the eight puzzle are away from their places, summed."""
    total = 0
    for fact in state.facts():
        if fact.name == "cell" and str(fact.args[2]).isdigit():
            row, column, tile = (int(str(part)) for part in fact.args)
            total += abs((tile - 1) // 3 + 1 - row) + abs((tile - 1) % 3 + 1 - column)
    return float(total)


@pytest.mark.long
def test_an_estimate_leads_the_way() -> None:
    """The same length with a fraction of the states."""
    game = compiled_game("eight_puzzle")
    blind = breadth_first(game, budget=TIME)
    for search in (a_star, ida_star):
        led = holds(search(game, distance=tile_distance, budget=TIME), game)
        assert blind is not None
        assert len(led.moves) == len(blind.moves) == 18
        assert led.nodes < blind.nodes / 10


def test_breadth_first_proves_that_there_is_no_better_goal() -> None:
    text = """
    (role r) (init (at a)) (init (apple a))
    (edge a b) (edge b c)
    (<= (legal r (go ?y)) (true (at ?x)) (edge ?x ?y))
    (<= (legal r stop) (true (at ?x)))
    (<= (next (at ?y)) (does r (go ?y)))
    (<= (next stopped) (does r stop))
    (<= (next (at ?x)) (does r stop) (true (at ?x)))
    (<= terminal (true stopped))
    (worth a 10) (worth b 40) (worth c 30)
    (<= (goal r ?n) (true (at ?x)) (worth ?x ?n) (true stopped))
    (<= (goal r 100) (true (apple c)) (true (at c)))
    (<= (next (apple a)) (true (apple a)))
    """
    rules = parse_kif(text)
    for game in (CompiledGame(rules, "apple"), ReferenceGame(rules, "apple")):
        plan = breadth_first(game)
        assert plan is not None
        assert [str(move) for move in plan.moves] == ["(go b)", "stop"]
        assert (plan.goal, plan.optimal, plan.shortest) == (40, True, True)


def test_step_counters_can_be_ignored() -> None:
    game = compiled_game("eight_puzzle")
    oracle = load_game("eight_puzzle", "reference")
    plan = holds(breadth_first(game, budget=TIME, ignore_steps=True), oracle)
    assert (plan.goal, len(plan.moves), plan.optimal, plan.shortest) == (100, 18, True, True)
    exact = breadth_first(game, budget=TIME)
    assert exact is not None
    assert plan.nodes < exact.nodes
    assert breadth_first(compiled_game("knights_tour"), budget=TIME, ignore_steps=True) is None, (
        "nothing counts"
    )


def test_a_game_without_facts_is_searched_too() -> None:
    game = CompiledGame(parse_kif("(role a) (legal a go) terminal (goal a 70)"), "still")
    plan = breadth_first(game, budget=TIME)
    assert plan is not None
    assert (plan.moves, plan.goal, plan.optimal) == ((), 70, True)


def test_a_budget_cuts_breadth_first_short() -> None:
    assert breadth_first(compiled_game("eight_puzzle"), budget=Budget(nodes=1000)) is None
    plan = breadth_first(compiled_game("peg_solitaire"), budget=Budget(nodes=300_000))
    assert plan is not None
    assert not plan.optimal


# ------------------------------------------------------------------------------------------ rollouts


@pytest.mark.parametrize("name", ["buttons", "blocks", "maze", "knights_tour"])
def test_nested_rollouts_find_plans(name: str) -> None:
    plan = holds(
        nested_search(compiled_game(name), budget=Budget(playouts=100_000)), load_game(name, "reference")
    )
    assert (plan.goal, plan.optimal) == (100, True)


@pytest.mark.parametrize("name", ["blocks", "maze"])
def test_the_plain_rollouts_find_plans_too(name: str) -> None:
    game = load_game(name)
    plan = holds(nested_search(game, budget=Budget(playouts=5000)), game)
    assert plan.goal == 100


def test_rollouts_are_repeatable() -> None:
    game, few = compiled_game("peg_solitaire"), Budget(playouts=2000)
    first, second, other = (nested_search(game, budget=few, seed=seed) for seed in (1, 1, 2))
    assert first is not None
    assert second is not None
    assert other is not None
    assert first.moves == second.moves != other.moves
    assert first.goal < 100
    assert first.nodes == 2000


def test_learning_beats_chance() -> None:
    """As many rollouts without learning end worse: levels that learn nothing are random play."""
    config = NestedConfig(learning=0.0)
    blind = nested_search(compiled_game("knights_tour_6"), budget=Budget(playouts=3000), config=config)
    learnt = nested_search(compiled_game("knights_tour_6"), budget=Budget(playouts=3000))
    assert blind is not None
    assert learnt is not None
    assert len(learnt.moves) > len(blind.moves)


# ------------------------------------------------------------------------------------------ all together


@pytest.mark.long
@pytest.mark.parametrize("name", ["peg_solitaire", "knights_tour", "sokoban", "eight_puzzle", "buttons"])
def test_the_player_solves_it(name: str) -> None:
    plan = holds(
        SinglePlayer(compiled_game(name)).plan(budget=Budget(seconds=10)), load_game(name, "reference")
    )
    assert (plan.goal, plan.optimal) == (100, True)


@pytest.mark.alone
def test_a_plan_is_followed_without_thinking_again() -> None:
    game = compiled_game("sokoban")
    player = SinglePlayer(game)
    state: State = game.initial()
    spent = []
    while not state.is_terminal:
        found = player.search(state, game.roles[0], Budget(seconds=5))
        assert (found.value, found.proven) == (100, True)
        spent.append(found.seconds)
        state = state.play((found.move,))
    assert state.goals() == (100,)
    assert max(spent[1:]) < 0.5
    with pytest.raises(GameError, match="over"):
        player.search(state, game.roles[0], TIME)


def test_a_move_off_the_plan_makes_a_new_one() -> None:
    game = compiled_game("sokoban")
    player = SinglePlayer(game)
    first = player.search(game.initial(), game.roles[0], TIME)
    other = next(move for move in game.initial().legal(game.roles[0]) if move is not first.move)
    state = game.initial().play((other,))
    again = player.search(state, game.roles[0], TIME)
    assert play_plan(state, tuple(joint[0] for joint in again.line)).goals() == (int(again.value),)


def test_there_is_always_some_plan() -> None:
    plan = SinglePlayer(compiled_game("lights_out")).plan(budget=Budget(seconds=0.05))
    assert plan is not None
    assert len(plan.moves) == 20


def test_several_players_have_no_plan() -> None:
    with pytest.raises(GameError, match="plans are for one"):
        SinglePlayer(compiled_game("tictactoe"))


# Goals and fewest moves of public sheets; 63 is 2 ** 6 - 1, the known length for six disks.
CORPUS = {
    "3puzzle__stanford": (100, 6),
    "CabbageGoatWolf__unsw": (100, 7),
    "buttonsandlights__stanford": (100, 6),
    "chineseCheckers1": (100, 11),
    "coins": (100, 4),
    "hanoi_6_disks": (100, 63),
    "lightsOn": (100, 4),
    "pancakes": (100, 7),
    "pancakes6": (90, 6),
}


@pytest.mark.corpus
@pytest.mark.parametrize("key", sample(CORPUS, 3))
def test_public_sheets_are_solved(corpus: Path, key: str) -> None:
    game = CompiledGame(safe_rules(find_sheet(corpus, key)), key)
    plan = holds(breadth_first(game, budget=TIME), load_sheet(find_sheet(corpus, key), key))
    assert (plan.goal, len(plan.moves)) == CORPUS[key]
    assert (plan.optimal, plan.shortest) == (True, True)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("key", ["peg", "pegEuro", "eightPuzzle", "8puzzle__stanford", "queens08lg"])
def test_deep_public_sheets_are_solved(corpus: Path, key: str) -> None:
    game = CompiledGame(safe_rules(find_sheet(corpus, key)), key)
    plan = holds(SinglePlayer(game).plan(budget=Budget(seconds=30)), load_sheet(find_sheet(corpus, key), key))
    assert plan.goal >= 99


@pytest.mark.parametrize("engine", [LiftedGame, CompiledGame])
def test_states_that_are_exhausted_prove_that_there_is_no_plan(
    engine: type[LiftedGame] | type[CompiledGame],
) -> None:
    after = " ".join(f"(after {n} {(n + 1) % 300})" for n in range(300))
    text = f"""
    (role a) (init (at 0)) {after} (legal a go) (legal a stay) (<= terminal (true (at nowhere))) (goal a 100)
    (<= (next (at ?n)) (does a go) (true (at ?m)) (after ?m ?n))
    (<= (next (at ?n)) (does a stay) (true (at ?n)))
    """
    searcher = SinglePlayer(engine(parse_kif(text), "round"))
    assert searcher.plan(budget=Budget(nodes=1000, playouts=1)) is None
    assert searcher.has_no_end
    assert searcher.plan(budget=Budget(nodes=100, playouts=1)) is None
    # A third of the states proves it of a circuit alone, in whose relaxation no end can be reached.
    assert searcher.has_no_end == (engine is CompiledGame)
