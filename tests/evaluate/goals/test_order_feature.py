"""By how much one number of a state is greater than another, and counts that pass over what fails."""

from __future__ import annotations

from itertools import product

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.evaluate.goals.count_chains import CountChain, chain_of
from ludorum.evaluate.goals.detection import Detect
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.order_feature import OrderMargin
from ludorum.evaluate.goals.relations import Relations
from ludorum.rules.kif import parse_kif, parse_pattern
from ludorum.rules.ruleset import Atom
from ludorum.rules.terms import Term, Variable
from tests.evaluate.goals.expanded import VALUES, expanded, facts, features, leaves, value

GREATER = " ".join(f"(greater {one} {other})" for one in range(13) for other in range(one))
DRAUGHTS = f"""
(role white) (role black) (legal white wait) (legal black wait) {GREATER} (succ 1 2)
(init (piece_count white 12)) (init (piece_count black 12)) (init (step 1))
(<= (next (piece_count ?p ?n)) (does ?p (lose ?n))) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 2)))
(<= (goal white 100) (true (piece_count white ?w)) (true (piece_count black ?b)) (greater ?w ?b))
(<= (goal white 0) (true (piece_count white ?w)) (true (piece_count black ?b)) (greater ?b ?w))
"""
AHEAD = "(true (piece_count white ?v1)) (true (piece_count black ?v2)) (greater ?v1 ?v2)"


@pytest.mark.spec("evaluation-functions", 32)
def test_the_margin_says_how_far_ahead_a_side_is() -> None:
    found = expanded(DRAUGHTS, Detect.ORDER)
    assert features(found)[AHEAD] == ("order", "order")
    assert len(features(found)) == 2
    before = -2.0
    for white, black in [(0, 12), (3, 9), (5, 5), (7, 6), (12, 5), (12, 0)]:
        state = facts(f"(piece_count white {white})", f"(piece_count black {black})")
        margin = (white - black) / 12
        expected = 0.6 + 0.4 * margin if margin > 0 else -0.5 + 0.5 * margin
        now = value(found, AHEAD, state)
        assert now == pytest.approx(expected)
        assert now > before, "the more, the better"
        before = now
    best = facts("(piece_count white 2)", "(piece_count white 6)", "(piece_count black 4)")
    assert value(found, AHEAD, best) == pytest.approx(0.6 + 0.4 * 2 / 12), "the best pair counts"
    assert value(found, AHEAD, facts("(piece_count white 2)")) == VALUES.false
    strange = facts("(piece_count white 2)", "(piece_count black many)")
    assert value(found, AHEAD, strange) == VALUES.false, "what is in no order tells nothing"


def test_without_the_feature_pairs_of_numbers_are_instances() -> None:
    found = expanded(DRAUGHTS, Detect.NOTHING)
    assert AHEAD not in leaves(found)
    assert len([leaf for leaf in leaves(found) if "piece_count" in leaf]) == 26


SIZE = 3
CELLS = [(row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)]
NUMBERS = " ".join(f"(plusplus {n} {n + 1})" for n in range(len(CELLS)))
ORDER = " ".join(f"(greater {one} {other})" for one in range(len(CELLS) + 1) for other in range(one))
ADD_ROW = " ".join(
    f"(add_cell {'?in' if column == 1 else f'?r{column - 1}'} ?row {column} ?player"
    f" {'?out' if column == SIZE else f'?r{column}'})"
    for column in range(1, SIZE + 1)
)
DICE = f"""
(role black) (role red) (opposes black red) (opposes red black) {NUMBERS} {ORDER} (init (control black))
(<= (legal ?p (place ?x ?y)) (true (control ?p)) (index ?x) (index ?y) (not (filled ?x ?y)))
(<= (legal ?p noop) (opposes ?p ?q) (true (control ?q))) (index 1) (index 2) (index 3)
(<= (filled ?x ?y) (true (cell ?x ?y ?p)))
(<= (next (control ?q)) (opposes ?p ?q) (true (control ?p)))
(<= (next (cell ?x ?y ?p)) (does ?p (place ?x ?y))) (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= board_full (not open)) (<= open (index ?x) (index ?y) (not (filled ?x ?y))) (<= terminal board_full)
(<= (more_pieces ?p ?q) (piece_count ?p ?m) (piece_count ?q ?n) (greater ?m ?n))
(<= (piece_count ?p ?n) (add_row 0 1 ?p ?r1) (add_row ?r1 2 ?p ?r2) (add_row ?r2 3 ?p ?n))
(<= (add_row ?in ?row ?player ?out) {ADD_ROW})
(<= (add_cell ?in ?row ?col ?player ?out) (true (cell ?row ?col ?player)) (plusplus ?in ?out))
(<= (add_cell ?in ?row ?col ?player ?in) (opposes ?player ?other) (true (cell ?row ?col ?other)) (number ?in))
(<= (number ?n) (plusplus ?n ?m)) (number {len(CELLS)})
(<= (goal ?p 100) (opposes ?p ?q) (more_pieces ?p ?q))
(<= (goal ?p 0) (opposes ?p ?q) (more_pieces ?q ?p))
"""
"""A small CephalopodMicro: counts go through all cells, and fail at the first that is empty."""
MORE = "(piece_count black ?v1) (piece_count red ?v2) (greater ?v1 ?v2)"


def stones(black: int, red: int) -> frozenset[Term]:
    owners = ["black"] * black + ["red"] * red
    return facts(*(f"(cell {x} {y} {owner})" for (x, y), owner in zip(CELLS, owners, strict=False)))


@pytest.mark.spec("evaluation-functions", 54)
def test_stones_are_counted_on_a_board_that_is_not_full() -> None:
    found = expanded(DICE)
    start = found.positions.game.initial().facts()
    assert value(found, MORE, start) == VALUES.false, "none each: a margin of 0"
    for black, red in product(range(5), repeat=2):
        margin = (black - red) / 9
        expected = 0.6 + 0.4 * margin if margin > 0 else -0.5 + 0.5 * margin
        assert value(found, MORE, stones(black, red)) == pytest.approx(expected)
    without = expanded(DICE, Detect.ALL & ~Detect.CHAINS)
    assert value(without, MORE, stones(4, 1)) == VALUES.false, "else nothing is known before the end"
    assert (
        value(without, MORE, stones(6, 3)) == value(found, MORE, stones(6, 3)) == pytest.approx(0.6 + 0.4 / 3)
    )


@pytest.mark.spec("evaluation-functions", 54)
def test_a_goal_of_counts_tells_states_apart_from_the_first_move_on() -> None:
    game, found = LiftedGame(parse_kif(DICE), "dice"), expanded(DICE)
    evaluation = GoalEvaluation(found, found.features)
    black, red = game.roles
    initial = game.initial()
    assert evaluation(initial, black) == pytest.approx(evaluation(initial, red))
    after = initial.play([initial.legal(black)[0], initial.legal(red)[0]])
    assert evaluation(after, black) > evaluation(initial, black) > evaluation(after, red)


@pytest.mark.spec("evaluation-functions", 13)
def test_chained_conditions_are_never_instantiated() -> None:
    found = expanded(DICE, Detect.NOTHING)
    chained = [leaf for leaf in leaves(found) if "add_row" in leaf]
    assert chained
    assert all(leaf.count("add_row") == 3 for leaf in chained)


COUNTS = " ".join(
    f"(<= (count {here} {counts}) {place} (true (cell {at} {player}))"
    f" (count {there} {below}) (plusplus ?n ?m))"
    for here, there, at, place in (
        ("?x ?y", "?x ?z", "?x ?y", "(distinct ?y 3) (next_to ?y ?z)"),
        ("?x 3", "?z 1", "?x 3", "(distinct ?x 3) (next_to ?x ?z)"),
    )
    for player, counts, below in (("b", "?m ?w", "?n ?w"), ("w", "?b ?m", "?b ?n"))
)
RECURSIVE = f"""
(role b) (role w) (legal b pass) (legal w pass) {NUMBERS} {ORDER} {COUNTS}
(index 1) (index 2) (index 3) (next_to 1 2) (next_to 2 3) (init (cell 1 1 b))
(<= (next (cell ?x ?y ?p)) (does ?p (place ?x ?y))) (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= (count 3 3 1 0) (true (cell 3 3 b))) (<= (count 3 3 0 1) (true (cell 3 3 w)))
(<= (tally ?b ?w) (count 1 1 ?b ?w))
(<= terminal (true (cell 3 3 w)))
(<= (goal b 100) (tally ?b ?w) (greater ?b ?w))
(<= (goal b 50) (tally ?n ?n))
(<= (goal w 100) (tally ?b ?w) (greater ?w ?b))
"""


@pytest.mark.spec("evaluation-functions", 54)
def test_a_relation_that_calls_itself_for_the_next_cell_is_counted_likewise() -> None:
    found = expanded(RECURSIVE)
    more, even = "(tally ?v1 ?v2) (greater ?v1 ?v2)", "(count 1 1 ?v1 ?v1)"
    assert features(found)[even] == (None, "variable distance")
    for black, white in product(range(4), repeat=2):
        state = frozenset(
            Term("cell", (*fact.args[:2], Term("b" if str(fact.args[2]) == "black" else "w")))
            for fact in stones(black, white)
        )
        margin = (black - white) / 9
        expected = 0.6 + 0.4 * margin if margin > 0 else -0.5 + 0.5 * margin
        assert value(found, more, state) == pytest.approx(expected)
        assert value(found, even, state) == pytest.approx(0.5 - abs(margin))


@pytest.mark.spec("evaluation-functions", 54)
@pytest.mark.parametrize(
    ("text", "length"),
    [
        (DICE, 9),
        (RECURSIVE.replace("tally", "piece_count"), 8),
        (DICE.replace("(add_row ?r1 2 ?p ?r2)", "(add_row ?r1 ?any ?p ?r2)"), 9),
        (DICE.replace("(add_row ?r1 2 ?p ?r2)", "(add_row 0 2 ?p ?r2)"), None),
        (
            RECURSIVE.replace("(next_to 2 3)", "(next_to 2 3) (next_to 1 3)").replace("tally", "piece_count"),
            None,
        ),
        (RECURSIVE.replace("(next_to 2 3)", "(next_to 2 1)").replace("tally", "piece_count"), None),
    ],
    ids=["linked", "recursive", "with a variable", "not linked", "two next calls", "for ever"],
)
def test_what_is_a_chain(text: str, length: int | None) -> None:
    relations = Relations(parse_kif(text))
    call = "(piece_count black ?n)" if text.startswith(DICE[:40]) else "(piece_count ?b ?w)"
    pattern = parse_pattern(call)
    assert isinstance(pattern, Term)
    chain = chain_of((Atom(pattern),), relations)
    assert (None if chain is None else len(chain.links)) == length
    if chain is not None:
        assert set(chain.result) == {arg for arg in pattern.args if isinstance(arg, Variable)}


def test_the_feature_asks_what_its_chains_ask() -> None:
    found = expanded(DICE)
    feature = next(own.when_true for own in found.features.values() if isinstance(own.when_true, OrderMargin))
    assert isinstance(feature, OrderMargin)
    chains = [side.chain for side in feature.sides]
    assert all(isinstance(chain, CountChain) for chain in chains)
    assert {query for chain in chains if chain is not None for query in chain.asks} <= set(feature.asks)
