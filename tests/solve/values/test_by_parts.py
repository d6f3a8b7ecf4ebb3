"""Games of independent parts: what each part says alone against the whole, counted through."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine import load_game
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.sight import position_of
from ludorum.players import make_player
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.mixed import NoAdviceError
from ludorum.solve.parts_searcher import PartsSearcher
from ludorum.solve.plan_by_parts import plan_by_parts
from ludorum.solve.prove.transitions import Transitions
from ludorum.solve.values import SolutionMethod, SolveConfig, check_strategy, solve_game
from ludorum.solve.values.by_parts import value_by_parts
from tests.how_much import sample, some
from tests.library_games import compiled_game

ENOUGH = Budget(seconds=120)


def best_end(game: LiftedGame) -> tuple[int, int] | None:
    """The best goal that any play of one role ends with, and the moves of the shortest such play."""
    role, ends = game.roles[0], dict[int, int]()
    layer, seen, steps = [game.initial()], {game.initial()}, 0
    while layer:
        below = []
        for state in layer:
            if state.is_terminal:
                ends.setdefault(state.goal(role) or 0, steps)
                continue
            for move in state.legal(role):
                after = state.play((move,))
                if after not in seen:
                    seen.add(after)
                    below.append(after)
        layer, steps = below, steps + 1
    return (max(ends), ends[max(ends)]) if ends else None


Edges = set[tuple[int, int]]


def walks(
    edges: list[set[tuple[int, int]]], goals: list[tuple[int, list[int]]], trap: tuple[int, int]
) -> str:
    """A walker in several graphs at once, a step in one of them at a time; goals name a place in each."""
    rules = ["(role a)"]
    for at, pairs in enumerate(edges):
        rules.append(f"(init (in{at} 0))")
        rules += [f"(edge{at} {one} {other})" for one, other in sorted(pairs)]
        rules.append(f"(<= (legal a (go{at} ?y)) (true (in{at} ?x)) (edge{at} ?x ?y))")
        rules.append(f"(<= (next (in{at} ?y)) (does a (go{at} ?y)))")
        for other in range(len(edges)):
            if other != at:
                rules.append(f"(<= (next (in{at} ?x)) (true (in{at} ?x)) (does a (go{other} ?y)))")
    for value, places in goals:
        where = " ".join(f"(true (in{at} {place}))" for at, place in enumerate(places))
        rules += [f"(<= (there {value}) {where})", f"(<= (goal a {value}) (there {value}))"]
        rules.append(f"(<= terminal (there {value}))")
    rules.append(f"(<= fallen (true (in{trap[0]} {trap[1]})))")
    rules.append("(<= terminal fallen)")
    rules.append("(<= (goal a 0) " + " ".join(f"(not (there {value}))" for value, _ in goals) + ")")
    return "\n".join(rules)


PLACES = st.integers(0, 4)
EDGES = st.sets(st.tuples(PLACES, PLACES).filter(lambda pair: pair[0] != pair[1]), min_size=3, max_size=10)


@settings(max_examples=some(15, 7))
@given(
    st.lists(EDGES, min_size=2, max_size=3),
    st.data(),
)
def test_what_the_parts_say_is_so_for_the_whole(edges: list[Edges], data: st.DataObject) -> None:
    """Random graphs and goals, and a place that ends it all: never a wrong value, never a wrong length."""
    places = st.lists(PLACES, min_size=len(edges), max_size=len(edges))
    goals = [(100, data.draw(places)), (60, data.draw(places)), (30, data.draw(places))]
    trap = (data.draw(st.integers(0, len(edges) - 1)), data.draw(PLACES))
    text = walks(edges, goals, trap)
    if len({tuple(places) for _, places in goals}) < 3:
        return  # two values at once: nobody can say what it is worth
    rules = parse_kif(text)
    plan = plan_by_parts(rules, ENOUGH)
    found = best_end(LiftedGame(rules, "whole"))
    if plan is not None:
        assert found is not None
        assert (plan.goal, plan.optimal) == (found[0], True)
        if plan.shortest:
            assert len(plan) == found[1]


RING = {(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)}
ONE_WAY = {(0, 1), (1, 2), (3, 4)}


@pytest.mark.long
@pytest.mark.spec("asp-player", 53)
@pytest.mark.parametrize(
    ("goals", "value", "length"),
    [
        ([(100, [3, 2, 4]), (60, [1, 1, 1])], 100, 9),
        ([(100, [0, 3, 0]), (60, [2, 2, 2])], 60, 6),  # nobody comes to 3 one way
        ([(100, [0, 3, 0]), (60, [0, 4, 0]), (30, [1, 0, 0])], 30, 1),
    ],
)
def test_solve_goes_by_parts(goals: list[tuple[int, list[int]]], value: int, length: int) -> None:
    game = LiftedGame(parse_kif(walks([RING, ONE_WAY, RING], goals, (1, 99))), "walks")
    assert best_end(game) == (value, length)
    found = solve_game(game, budget=ENOUGH, config=SolveConfig(strategies=True))
    assert (found.solved, found.method, int(found.values[game.roles[0]])) == (
        True,
        SolutionMethod.PARTS,
        value,
    )
    check = check_strategy(game, found.strategies[game.roles[0]])
    assert check.holds
    assert check.complete


@pytest.mark.long
@pytest.mark.spec("asp-player", 53)
def test_many_parts_are_solved_that_nobody_could_count_through() -> None:
    """Nine rings of five: two million states together, forty-five apart."""
    text = walks([RING] * 9, [(100, [4] * 9)], (0, 99))
    game = LiftedGame(parse_kif(text), "rings")
    found = solve_game(game, budget=ENOUGH)
    assert (found.solved, found.method, int(found.values[game.roles[0]])) == (True, SolutionMethod.PARTS, 100)
    searcher = PartsSearcher(game)
    state, role, steps = game.initial(), game.roles[0], 0
    while not state.is_terminal:
        decision = searcher.search(state, str(role), ENOUGH)
        assert decision.proven
        state, steps = state.play((decision.move,)), steps + 1
    assert (steps, state.goal(role)) == (36, 100)


@pytest.mark.long
@pytest.mark.spec("asp-player", 53)
@pytest.mark.parametrize("name", sample(["asp", "champion"], 2))
def test_players_follow_the_parts_from_anywhere(name: str) -> None:
    game = LiftedGame(parse_kif(walks([RING] * 9, [(100, [4] * 9)], (0, 99))), "rings")
    role = game.roles[0]
    state = game.initial().play((game.initial().legal(role)[0],))
    player = make_player(name, 3)
    player.choose(position_of(state, role), 60.0)
    assert player.decision is not None
    assert player.decision.proven
    assert (player.decision.value, len(player.decision.line)) == (100, 35)
    player.stop()


def test_games_of_one_piece_are_left_to_others() -> None:
    for name in ("blocks", "buttons", "tictactoe"):
        game = load_game(name)
        with pytest.raises(NoAdviceError, match="parts"):
            PartsSearcher(game).search(game.initial(), game.roles[0], ENOUGH)


def forced(state: State, role: Term) -> int:
    """What a role gets whatever the others do, by trying everything."""
    if state.is_terminal:
        return state.goal(role) or 0
    others = [other for other in state.game.roles if other is not role]
    worths = []
    for move in state.legal(role):
        answers = product(*(state.legal(other) for other in others))
        moves = [dict(zip(others, answer, strict=True)) | {role: move} for answer in answers]
        worths.append(
            min(forced(state.play([each[who] for who in state.game.roles]), role) for each in moves)
        )
    return max(worths)


@pytest.mark.long
@pytest.mark.spec("asp-player", 53)
def test_hodgepodge_is_solved_by_its_parts() -> None:
    """Nobody is against anybody, so no matrix solves it; the blocks win, the maze is out of reach."""
    game = compiled_game("hodgepodge")
    found = solve_game(game, budget=ENOUGH)
    assert (found.solved, found.method) == (True, SolutionMethod.PARTS)
    assert {str(role): int(value) for role, value in found.values.items()} == {
        "blocksplayer": 100,
        "mazeplayer": 0,
    }
    assert {role: forced(game.initial(), role) for role in game.roles} == found.values


RACE = """
; Two count apart; who comes to its end stops the game for both. Left needs two steps, right LENGTH.
(role l) (role r) (init (l 0)) (init (r 0)) (up 0 1) (up 1 2) (up 2 3) (up 3 4)
(legal l go) (legal l wait) (legal r go) (legal r wait)
(<= (next (l ?y)) (true (l ?x)) (up ?x ?y) (does l go))
(<= (next (l ?x)) (true (l ?x)) (does l wait))
(<= (next (r ?y)) (true (r ?x)) (up ?x ?y) (does r go))
(<= (next (r ?x)) (true (r ?x)) (does r wait))
(<= terminal (true (l 2)))
(<= terminal (true (r LENGTH)))
(<= (goal l 100) (true (l 2)))
(<= (goal l 0) (not (true (l 2))))
(<= (goal r 100) (true (r LENGTH)))
(<= (goal r 0) (not (true (r LENGTH))))
"""


@pytest.mark.long
@pytest.mark.parametrize(("length", "known"), [(2, True), (3, False), (1, False)])
def test_who_can_be_stopped_is_not_sure(length: int, known: bool) -> None:
    """With two steps each both have their goal; else the slower one depends on the other's leave."""
    rules = parse_kif(RACE.replace("LENGTH", str(length)))
    found = value_by_parts(rules, ENOUGH)
    assert (found is not None) == known
    if found is not None:
        assert set(found.values.values()) == {100}
        assert {len(plan) for plan in found.plans.values()} == {2}


@pytest.mark.long
def test_an_end_that_needs_both_parts_is_not_split() -> None:
    both = RACE.replace("(<= terminal (true (l 2)))", "(<= terminal (true (l 2)) (true (r 1)))")
    assert value_by_parts(parse_kif(both.replace("LENGTH", "2")), ENOUGH) is None


@pytest.mark.long
def test_roles_whose_goals_depend_on_others_are_told_so_without_asking_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What moves can change is not asked where rules alone show that ghosts live by what Pac-Man eats."""
    asked = Counter[str]()

    def count(transitions: Transitions, *args: object) -> bool:
        asked["solver"] += 1
        return ask(transitions, *args)  # type: ignore[arg-type]

    ask = Transitions.ask
    monkeypatch.setattr(Transitions, "ask", count)
    found = solve_game(compiled_game("pacman"))
    assert (found.solved, found.is_limited) == (False, False)
    assert "3 players, of which several choose at once" in found.note
    assert asked["solver"] == 0
    game = solve_game(compiled_game("hodgepodge"))
    assert game.method is SolutionMethod.PARTS
    assert asked["solver"] > 0
