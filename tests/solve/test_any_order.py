"""Sets of moves that can be made in any order, against all sets and all orders of small games."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.circuit import evaluate
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.search.budget import TO_THE_END, Budget, Stopwatch
from ludorum.search.plan import play_plan
from ludorum.solve.any_order import highest_end, plan_in_any_order
from ludorum.solve.portfolio import PlanTask, best_plan
from tests.how_much import FULL
from tests.library_games import compiled_game

SQUARE = """
(role you) (index 1) (index 2) (index 3)
(<= (init (empty ?x ?y)) (index ?x) (index ?y) (distinct ?x ?y))
(init (cell 1 1 1)) (init (cell 2 2 2)) (init (cell 3 3 3))
(<= (seen row ?x ?n) (true (cell ?x ?y ?n))) (<= (seen column ?y ?n) (true (cell ?x ?y ?n)))
(<= (legal you (write ?x ?y ?n)) (true (empty ?x ?y)) (index ?n)
    (not (seen row ?x ?n)) (not (seen column ?y ?n)))
(<= (next (cell ?x ?y ?n)) (does you (write ?x ?y ?n)))
(<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)))
(<= (written ?x ?y) (does you (write ?x ?y ?n)))
(<= (next (empty ?x ?y)) (true (empty ?x ?y)) (not (written ?x ?y)))
(<= can (legal you ?any)) (<= terminal (not can))
(<= open (true (empty ?x ?y))) (<= (goal you 100) (not open)) (<= (goal you 0) open)
"""


def test_a_latin_square_is_filled() -> None:
    """With this diagonal there is one square, and its cells can be written in any order."""
    rules = parse_kif(SQUARE)
    game = CompiledGame(rules, "square")
    plan = plan_in_any_order(game, game.initial(), Stopwatch(TO_THE_END))
    assert plan is not None
    written = {f"(write {x} {y} {6 - x - y})" for x, y in permutations((1, 2, 3), 2)}
    assert {str(move) for move in plan.moves} == written
    assert (plan.goal, plan.optimal, plan.shortest, plan.method) == (100, True, False, "moves in any order")
    assert play_plan(ReferenceGame(rules, "square").initial(), plan.moves).goals() == (100,)
    (found,) = best_plan(PlanTask(game, game.roles[0]), Budget(seconds=60), ["any-order"])
    assert found.answer is not None
    assert found.answer.plan is not None
    assert (found.way, found.answer.plan.goal, len(found.answer.plan)) == ("any-order", 100, 6)


def test_moves_that_need_each_other_are_no_set() -> None:
    game = compiled_game("blocks")
    assert plan_in_any_order(game, game.initial(), Stopwatch(TO_THE_END)) is None
    (found,) = best_plan(PlanTask(game, game.roles[0]), Budget(seconds=60), ["any-order"])
    assert found.answer is not None
    assert (found.answer.plan, found.answer.complete, found.answer.bound) == (None, False, 100)


def test_a_value_that_no_end_has_is_told_and_ends_the_search() -> None:
    """Whatever cells are marked, the first cannot be both; so the way that found 40 has found the best."""
    text = """
    (role you) (cell a) (cell b) (cell c)
    (<= (legal you (mark ?x)) (cell ?x) (not (true (marked ?x))))
    (<= (next (marked ?x)) (does you (mark ?x))) (<= (next (marked ?x)) (true (marked ?x)))
    (<= terminal (true (marked a)) (true (marked b)))
    (<= (goal you 100) (true (marked a)) (not (true (marked a))) (true (marked c)))
    (<= (goal you 70) (true (marked a)) (not (true (marked b))))
    (<= (goal you 40) (true (marked b)))
    (<= (goal you 0) (not (true (marked a))) (not (true (marked b))))
    """
    game = CompiledGame(parse_kif(text), "marks")
    assert highest_end(game.circuit, Stopwatch(TO_THE_END)) == 40
    found = best_plan(PlanTask(game, game.roles[0]), Budget(seconds=60))
    assert found[0].answer is not None
    assert found[0].answer.plan is not None
    assert (found[0].answer.plan.goal, len(found[0].answer.plan), found[0].answer.plan.optimal) == (
        40,
        2,
        True,
    )


def test_lights_that_are_switched_twice_are_no_set() -> None:
    """Pressing is the same in any order, but what two buttons have in common is switched back."""
    game = load_game("lights_out", "compiled")
    assert isinstance(game, CompiledGame)
    assert plan_in_any_order(game, game.initial(), Stopwatch(TO_THE_END)) is None


FACTS = "abcd"
some_facts = st.frozensets(st.sampled_from(FACTS), max_size=2)


@settings(max_examples=60 if FULL else 8, deadline=None)
@given(
    st.lists(st.tuples(some_facts, some_facts, some_facts), min_size=2, max_size=4),
    st.frozensets(st.sampled_from(FACTS), min_size=1),
    st.sampled_from(["", "(not (true d))", "(true (step 2))"]),
    st.integers(2, 4),
)
def test_what_is_found_is_a_plan_and_what_goes_in_any_order_is_found(
    deeds: list[tuple[frozenset[str], frozenset[str], frozenset[str]]],
    wanted: frozenset[str],
    more: str,
    limit: int,
) -> None:
    """Each deed begins facts, ends some, and is barred by some; the goal wants facts, perhaps at a step."""
    rules = [
        "(role you) (init (step 0))",
        *(f"(succ {step} {step + 1})" for step in range(limit)),
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))",
    ]
    for number, (begun, ended, barred) in enumerate(deeds):
        rules.append(
            f"(<= (legal you {number}) {''.join(f'(not (true {each}))' for each in sorted(barred))})"
        )
        rules += [f"(<= (next {each}) (does you {number}))" for each in sorted(begun)]
        rules += [f"(<= (ends {each}) (does you {number}))" for each in sorted(ended - begun)]
    rules += [f"(<= (next {each}) (true {each}) (not (ends {each})))" for each in FACTS]
    done = " ".join(f"(true {each})" for each in sorted(wanted))
    rules.append(f"(<= done {done} {more}) (<= terminal done) (<= terminal (true (step {limit})))")
    rules.append("(<= (goal you 100) done) (<= (goal you 0) (not done))")
    game = CompiledGame(parse_kif("\n".join(rules)), "deeds")
    start = game.initial()
    plan = plan_in_any_order(game, start, Stopwatch(TO_THE_END))
    if plan is not None:
        end = play_plan(start, plan.moves)
        assert end.is_terminal
        assert end.goals() == (plan.goal,)
    simple = [
        moves
        for moves in subsets(start.legal(game.roles[0]))
        if all(wins(start, order) for order in permutations(moves)) and no_deed_is_undone(start, moves)
    ]
    assert plan is not None or not simple
    assert highest_end(game.circuit, Stopwatch(TO_THE_END)) == best_end(game)


def subsets(moves: Iterable[Term]) -> Iterator[tuple[Term, ...]]:
    chosen = list(moves)
    return chain.from_iterable(combinations(chosen, size) for size in range(1, len(chosen) + 1))


def wins(state: State, moves: Iterable[Term]) -> bool:
    """Whether moves are legal one after the other and end with the goal."""
    for move in moves:
        if state.is_terminal or move not in state.legal(state.game.roles[0]):
            return False
        state = state.play((move,))
    return state.is_terminal and state.goals() == (100,)


def no_deed_is_undone(state: CompiledState, moves: tuple[Term, ...]) -> bool:
    """Whether two of them always change together what they change alone, also where the third is not made."""
    facts = state.facts()
    for one, two in permutations(moves, 2):
        middle = state.play((one,))
        if middle.is_terminal or two not in middle.legal(state.game.roles[0]):
            return False
        alone = (facts ^ middle.facts()) | (facts ^ state.play((two,)).facts())
        together = facts ^ middle.play((two,)).facts()
        if {each for each in alone ^ together if each.name != "step"}:
            return False
    return True


def best_end(game: CompiledGame) -> int | None:
    """The highest goal of any set of facts at all that is an end."""
    count = len(game.circuit.fluents)
    best: list[int] = []
    for bits in range(1 << count):
        found = evaluate(game.circuit, [each for each in range(count) if bits >> each & 1])
        if found.terminal and len(found.goals) == 1:
            best += [value for _, value in found.goals if isinstance(value, int)]
    return max(best, default=None)
