"""The legal player: hand traces, soundness on the library, and the same answers by both engines."""

from __future__ import annotations

import pytest

from ludorum.engine.errors import GameError
from ludorum.knowledge.boxes.box_game import BoxGame, Ladder
from ludorum.knowledge.boxes.box_knower import BoxKnower
from ludorum.knowledge.boxes.box_methods import SupportsMethod
from ludorum.knowledge.boxes.ground_sheet import ground_sheet
from ludorum.knowledge.knower import ImpossiblePerceptsError, Truth
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from tests.how_much import some
from tests.knowledge.boxes.followed import check_sound, followed, players, ready, says

CANDIDATE = Term("candidate")
MONTY = Term("monty")
SMALL = ["monty_hall", "monty_hall_random", "kuhn_poker", pytest.param("transit", marks=pytest.mark.slow)]


def terms(*texts: str) -> frozenset[Term]:
    return frozenset(map(parse_term, texts))


def told(knower: BoxKnower, move: str, *percepts: str) -> None:
    knower.update(parse_term(move), terms(*percepts))


@pytest.mark.spec("filtering-gdl2", 12)
@pytest.mark.parametrize("engine", ["clingo", "supports"])
def test_the_candidate_follows_the_trace_of_the_specification(engine: str) -> None:
    knower = BoxKnower(ready("monty_hall")[1], CANDIDATE, engine=engine)
    assert knower.possible_facts() == knower.known_facts()
    assert knower.known_legal() == terms("(choose 1)", "(choose 2)", "(choose 3)")

    told(knower, "(choose 1)")
    closed = terms("(closed 1)", "(closed 2)", "(closed 3)", "(step 2)", "(chosen 1)")
    cars = terms("(car 1)", "(car 2)", "(car 3)")
    assert (knower.known_facts(), knower.possible_facts()) == (closed, closed | cars)
    assert knower.known_legal() == knower.possible_legal() == terms("noop")
    assert knower.terminal() is Truth.FALSE

    told(knower, "noop", "3")
    known = terms("(closed 1)", "(closed 2)", "(step 3)", "(chosen 1)")
    # The box has lost that Monty never opens the door of the car.
    assert (knower.known_facts(), knower.possible_facts()) == (known, known | cars)
    assert knower.known_legal() == knower.possible_legal() == terms("noop", "switch")
    assert knower.goal is None

    told(knower, "switch", "2")
    known = terms("(car 2)", "(chosen 2)", "(closed 1)", "(closed 2)", "(step 4)")
    assert knower.known_facts() == knower.possible_facts() == known
    assert (knower.terminal(), knower.step) == (Truth.TRUE, 3)
    assert knower.known_goals() == knower.possible_goals() == {100}


@pytest.mark.spec("filtering-gdl2", 17)
def test_moves_that_must_be_legal_keep_the_car_from_the_opened_door() -> None:
    game = ready("monty_hall")[1]
    plain, coupled = (BoxKnower(game, CANDIDATE, Ladder.at(4, legal_moves)) for legal_moves in (False, True))
    for knower in (plain, coupled):
        told(knower, "(choose 1)")
        told(knower, "noop", "3")
    car = parse_term("(car 3)")
    assert car in plain.possible_facts()
    assert car not in coupled.possible_facts()


@pytest.mark.spec("filtering-gdl2", 15)
def test_a_role_that_sees_all_moves_knows_the_state() -> None:
    game, box = ready("monty_hall")
    knower = BoxKnower(box, MONTY)
    for seed in range(some(60)):
        knower.restart()
        for state in followed(knower, game, seed):
            assert knower.known_facts() == knower.possible_facts() == state.facts()


@pytest.mark.spec("filtering-gdl2", 15)
@pytest.mark.slow
def test_a_player_of_backgammon_knows_the_state(corpus: object) -> None:
    game, box = ready(f"{corpus}/gdl2/backgammon__uwa.kif")
    knower = BoxKnower(box, players(game)[0])
    for state in followed(knower, game, seed=1, longest=26):
        assert knower.known_facts() == knower.possible_facts() == state.facts()


@pytest.mark.spec("filtering-gdl2", 11)
@pytest.mark.parametrize("name", SMALL)
def test_both_engines_say_the_same_round_by_round(name: str) -> None:
    game, box = ready(name)
    for role in players(game):
        ours = BoxKnower(box, role)
        theirs = BoxKnower(box, role, engine="supports")
        for seed in range(some(20, 10)):
            ours.restart()
            theirs.restart()
            for one, _ in zip(followed(ours, game, seed), followed(theirs, game, seed), strict=True):
                assert says(ours) == says(theirs), (seed, one)


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 8)
@pytest.mark.parametrize("name", ["monty_hall", "krieg_tictactoe"])
def test_a_small_budget_leaves_the_answers_to_the_other_engine(name: str) -> None:
    game, box = ready(name)
    role = players(game)[0]
    ours, theirs = BoxKnower(box, role), BoxKnower(box, role, engine="supports", budget=2)
    for _ in zip(followed(ours, game, 3, 8), followed(theirs, game, 3, 8), strict=True):
        assert says(ours) == says(theirs)
    assert isinstance(theirs.method, SupportsMethod)
    assert theirs.method.overflows > 0 or name == "monty_hall"


@pytest.mark.spec("filtering-gdl2", 11)
@pytest.mark.parametrize("level", [0, 4])
def test_worlds_that_are_drawn_change_no_answer(level: int) -> None:
    for name in ("monty_hall", "kuhn_poker"):
        game, box = ready(name)
        role = players(game)[0]
        ours, theirs = BoxKnower(box, role, level), BoxKnower(box, role, level, quick=False)
        for _ in zip(followed(ours, game, 2, 6), followed(theirs, game, 2, 6), strict=True):
            assert says(ours) == says(theirs)


@pytest.mark.spec("filtering-gdl2", 13)
def test_a_player_of_krieg_knows_that_it_does_not_know_its_moves() -> None:
    game, box = ready("krieg_tictactoe")
    knower = BoxKnower(box, players(game)[0])
    states = followed(knower, game, seed=1)
    next(states)
    assert knower.knows_legal
    next(states)
    assert not knower.knows_legal
    unsure = knower.possible_legal() - knower.known_legal()
    # Whether the rival has marked a cell is not known, and neither of the two is enough by itself.
    assert len(unsure) == 24
    assert knower.known_legal() == frozenset()


@pytest.mark.spec("filtering-gdl2", 14)
def test_monty_opening_no_door_is_news_only_to_who_listens_to_silence() -> None:
    game = ready("monty_hall")[1]
    full, reduced = BoxKnower(game, CANDIDATE), BoxKnower(game, CANDIDATE, nonpercepts=False)
    for knower in (full, reduced):
        told(knower, "(choose 1)")
        told(knower, "noop", "3")
    assert parse_term("(closed 2)") in full.known_facts()
    assert parse_term("(closed 2)") not in reduced.known_facts()


@pytest.mark.spec("filtering-gdl2", 10)
@pytest.mark.parametrize("engine", ["clingo", "supports"])
def test_a_percept_that_cannot_be_is_refused_and_changes_nothing(engine: str) -> None:
    knower = BoxKnower(ready("monty_hall")[1], CANDIDATE, engine=engine)
    told(knower, "(choose 1)")
    before = says(knower)
    for move, percepts in (("noop", ["elephant"]), ("noop", ["1"]), ("noop", ["1", "3"]), ("switch", ["3"])):
        with pytest.raises(ImpossiblePerceptsError):
            told(knower, move, *percepts)
        assert (says(knower), knower.step) == (before, 1)
    told(knower, "noop", "3")


def test_the_move_that_was_executed_counts() -> None:
    knower = BoxKnower(ready("monty_hall")[1], CANDIDATE)
    told(knower, "(choose 2)")  # the server's choice for a player that was late
    assert parse_term("(chosen 2)") in knower.known_facts()
    with pytest.raises(ImpossiblePerceptsError, match="cannot be a legal move"):
        told(knower, "(choose 3)", "3")


def test_the_message_that_the_match_is_over_is_knowledge() -> None:
    game, box = ready("krieg_tictactoe")
    knower = BoxKnower(box, players(game)[0])
    with pytest.raises(ImpossiblePerceptsError, match="cannot be over"):
        knower.stop()
    *_, last = followed(knower, game, seed=1)
    assert knower.terminal() is Truth.UNKNOWN
    knower.stop()
    assert knower.terminal() is Truth.TRUE
    check_sound(knower, last)


def test_bad_arguments_are_refused() -> None:
    box = ready("monty_hall")[1]
    with pytest.raises(ValueError, match="no engine 'prolog'"):
        BoxKnower(box, MONTY, engine="prolog")
    with pytest.raises(ValueError, match="level 0 only"):
        BoxKnower(box, MONTY, level=1, engine="supports")
    with pytest.raises(ValueError, match="no level 6"):
        BoxKnower(box, MONTY, level=6)
    with pytest.raises(GameError, match="no role"):
        BoxKnower(box, Term("nobody"))


def test_names_with_odd_characters_are_kept() -> None:
    rules = parse_kif(
        """
        (role A-b) (role random)
        (init (Cell+1 x:y))
        (<= (legal A-b (Go! ?z)) (true (Cell+1 ?z)))
        (<= (legal random (Go! ?z)) (true (Cell+1 ?z)))
        (<= (next (Cell+1 ?z)) (does A-b (Go! ?z)))
        (<= (sees A-b (It's ?z)) (does random (Go! ?z)))
        (<= terminal (true (Cell+1 never)))
        (goal A-b 100)
        """
    )
    box = BoxGame(ground_sheet(rules, in_process=True))
    role = rules.roles[0]
    knower = BoxKnower(box, role)
    (move,) = knower.known_legal()
    (percept,) = box.sheet.sees[role]
    knower.update(move, [percept])
    assert knower.known_facts() == knower.possible_facts() == set(box.sheet.true)
    assert knower.terminal() is Truth.FALSE
    assert knower.goal == 100
