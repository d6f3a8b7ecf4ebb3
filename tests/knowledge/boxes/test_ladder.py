"""The ladder above the paper's method: each level knows all that the one below does, and some know more."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.boxes.box_game import BoxGame, Ladder
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.boxes.ground_sheet import ground_sheet
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.knowledge.knower import Truth
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.knowledge.boxes.followed import HIDDEN, followed, knows_as_much, players, ready

ADMIRAL = Term("admiral")

# A part of Battleships in Fog on nine cells: nature places both ships, each side is told of its own.
FLEET = """
(role random) (role admiral) (role commodore)
(init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(index 1) (index 2) (index 3)
(near 1 2) (near 2 1) (near 2 3) (near 3 2)
(<= (legal random noop) (not placing))
(<= (legal admiral noop) placing)
(<= (legal commodore noop) placing)
(<= (legal ?side (sail ?x2 ?y)) (distinct ?side random) (true (at ?side ?x ?y)) (near ?x ?x2) (not placing))
(<= (legal ?side (sail ?x ?y2)) (distinct ?side random) (true (at ?side ?x ?y)) (near ?y ?y2) (not placing))
(<= (next (at ?side ?x ?y)) (does ?side (sail ?x ?y)))
(<= (next (at ?side ?x ?y)) (true (at ?side ?x ?y)) placing)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(<= (goal ?side 50) (role ?side))
"""
AT_ONCE = (
    FLEET
    + """
(<= placing (true (step 1)))
(<= (legal random (setup ?a ?b ?c ?d)) placing (index ?a) (index ?b) (index ?c) (index ?d))
(<= (next (at admiral ?a ?b)) (does random (setup ?a ?b ?c ?d)))
(<= (next (at commodore ?c ?d)) (does random (setup ?a ?b ?c ?d)))
(<= (sees admiral (place ?a ?b)) (does random (setup ?a ?b ?c ?d)))
(<= (sees commodore (place ?c ?d)) (does random (setup ?a ?b ?c ?d)))
"""
)
SPLIT = (
    FLEET
    + """
(<= placing (true (step 1)))
(<= placing (true (step 2)))
(<= (legal random (setup admiral ?a ?b)) (true (step 1)) (index ?a) (index ?b))
(<= (legal random (setup commodore ?a ?b)) (true (step 2)) (index ?a) (index ?b))
(<= (next (at ?side ?a ?b)) (does random (setup ?side ?a ?b)))
(<= (sees ?side (place ?a ?b)) (does random (setup ?side ?a ?b)))
"""
)


@cache
def fleet(text: str) -> tuple[LiftedGame, BoxGame]:
    rules = parse_kif(text)
    return LiftedGame(rules), BoxGame(ground_sheet(rules, in_process=True))


def matches_with_known_moves(text: str, ladder: Ladder) -> int:
    """In how many of five matches the admiral knows all its moves, always."""
    game, box = fleet(text)
    knower = BoxKnower(box, ADMIRAL, ladder)
    count = 0
    for seed in range(5):
        knower.restart()
        count += all(knower.knows_legal for _ in followed(knower, game, seed))
    return count


@pytest.mark.spec("filtering-gdl2", 17)
@pytest.mark.parametrize(
    ("text", "ladder", "count"),
    [
        (AT_ONCE, Ladder(), 0),
        (AT_ONCE, Ladder(skeptical=True), 0),
        (AT_ONCE, Ladder(one_move=True), 0),
        (AT_ONCE, Ladder(one_move=True, skeptical=True), 5),
        (AT_ONCE, Ladder.at(3), 5),
        (SPLIT, Ladder(), 5),
    ],
)
def test_one_move_and_skeptical_questions_together_find_the_own_ship(
    text: str, ladder: Ladder, count: int
) -> None:
    assert matches_with_known_moves(text, ladder) == count


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 16, 17, 18)
@pytest.mark.parametrize("name", sample(HIDDEN, 5))
def test_each_level_knows_what_the_one_below_does(name: str) -> None:
    game, box = ready(name)
    for role in players(game)[: some(2, 2)]:
        knowers = [BoxKnower(box, role, level) for level in range(6)]
        for seed in range(some(10, 10)):
            for knower in knowers:
                knower.restart()
            runs = [followed(knower, game, seed, some(30, 4)) for knower in knowers]
            for _ in zip(*runs, strict=True):
                assert all(knows_as_much(more, less) for less, more in pairwise(knowers))


@pytest.mark.long
@pytest.mark.parametrize("name", sample(HIDDEN, 4))
def test_the_whole_history_teaches_what_the_highest_level_does(name: str) -> None:
    game, box = ready(name)
    for role in players(game):
        for seed in range(some(10, 10)):
            highest, whole = BoxKnower(box, role, 5), CompleteKnower(game, role)
            seat = game.roles.index(role)
            for state in followed(highest, game, seed, longest=12):
                if state.joint is not None:
                    whole.update(state.joint[seat], state.percepts(role))
                assert knows_as_much(whole, highest)
                if not state.is_terminal:
                    highest.asked()
                    whole.asked()


@pytest.mark.spec("filtering-gdl2", 16)
def test_joint_percepts_teach_more_than_each_alone() -> None:
    rules = parse_kif(
        """
        (role random) (role me)
        (init start)
        (<= (legal random (pick ?x)) (which ?x)) (which a) (which b)
        (legal me look)
        (<= (next (got ?x)) (does random (pick ?x)))
        (<= (sees me some) (does random (pick ?x)))
        (<= (sees me a) (does random (pick a)))
        (<= terminal (true (got ?x)))
        (goal me 50)
        """
    )
    box = BoxGame(ground_sheet(rules, in_process=True))
    # That something was picked is a disjunction; that it was not a is news; only both say that it was b.
    alone, joint = (BoxKnower(box, Term("me"), level) for level in (0, 1))
    for knower in (alone, joint):
        knower.update(Term("look"), [Term("some")])
        assert knower.possible_facts() == {parse_term("(got b)")}
    assert alone.known_facts() == frozenset()
    assert joint.known_facts() == {parse_term("(got b)")}


@pytest.mark.spec("filtering-gdl2", 19)
def test_the_patrol_of_transit_knows_the_end_at_level_four(corpus: Path) -> None:
    game, box = ready(str(corpus / "gdl2/transit__uwa.kif"))
    three, four = (BoxKnower(box, game.roles[1], level) for level in (3, 4))
    ends = []
    for seed in range(some(9)):
        for knower in (three, four):
            knower.restart()
            *_, _ = followed(knower, game, seed)
        ends.append(three.terminal())
        assert (four.terminal(), four.goal is None) == (Truth.TRUE, False)
    assert Truth.UNKNOWN in ends


@pytest.mark.spec("filtering-gdl2", 20)
def test_invariants_tell_a_player_of_krieg_all_its_moves() -> None:
    game, box = ready("krieg_tictactoe")
    four, five = (BoxKnower(box, players(game)[0], level) for level in (4, 5))
    for seed in range(some(6)):
        four.restart()
        five.restart()
        unknown = 0
        for _ in zip(followed(four, game, seed), followed(five, game, seed), strict=True):
            assert five.knows_legal
            unknown += not four.knows_legal
        assert unknown > 0


@pytest.mark.spec("filtering-gdl2", 20)
@pytest.mark.slow
def test_invariants_tell_a_player_of_the_published_krieg_all_its_moves(corpus: Path) -> None:
    game, box = ready(str(corpus / "gdl2/KriegTictactoe__unsw.kif"))
    for role in game.roles:
        knower = BoxKnower(box, role, 5)
        for seed in range(some(10)):
            knower.restart()
            assert all(knower.knows_legal for _ in followed(knower, game, seed))
