"""What every state promises: equality, hashing, pickling, text, and views that hide what must be hidden."""

import pickle

import pytest

from ludorum.engine.errors import GameError, IllegalMoveError, MalformedStateError
from ludorum.engine.game import Status, format_facts, parse_facts, parse_move
from ludorum.engine.reference import ReferenceGame
from ludorum.rules import RulesError, Term, parse_kif, parse_term
from tests.small_games import COIN, DOOR

LEFT, RIGHT = Term("left"), Term("right")
PUSH, WAIT = Term("push"), Term("wait")


def door() -> ReferenceGame:
    return ReferenceGame(parse_kif(DOOR), "door")


def coin() -> ReferenceGame:
    return ReferenceGame(parse_kif(COIN), "coin")


def test_states_with_the_same_facts_are_equal_however_they_were_reached() -> None:
    game = door()
    one = game.initial().play([PUSH, WAIT])
    other = game.initial().play([WAIT, PUSH])
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other, game.initial()}) == 2
    assert one != game.initial()
    assert one != "a state"
    assert door().initial() == game.initial()
    assert ReferenceGame(parse_kif(DOOR), "gate").initial() != game.initial()


def test_states_survive_pickling_with_move_and_percepts() -> None:
    state = coin().initial().play([parse_term("(toss heads)"), Term("noop")])
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.joint == state.joint
    assert again.percepts(Term("guesser")) == state.percepts(Term("guesser")) == (Term("tossed"),)
    assert again.legal(Term("guesser")) == state.legal(Term("guesser"))


def test_states_print_and_parse() -> None:
    game = door()
    state = game.initial()
    assert str(state) == "(closed (step 0))"
    assert game.parse_state(str(state)) == state
    assert game.parse_state("((STEP 0)\n closed) ; start") == state
    assert repr(state) == "<door (closed (step 0))>"


@pytest.mark.parametrize(
    "text", ["", "closed", "((step 0)", "(closed) (step)", "((step ?x))", "(())", "((f) (?x))"]
)
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(MalformedStateError):
        door().parse_state(text)


def test_facts_are_sorted_as_people_count() -> None:
    facts = parse_facts("((cell 10) (cell 9) b a)")
    assert format_facts(facts) == "(a b (cell 9) (cell 10))"
    assert parse_facts("()") == frozenset()


def test_moves_parse() -> None:
    assert parse_move("(Mark 1 2)") is parse_term("(mark 1 2)")
    with pytest.raises(RulesError):
        parse_move("(mark ?x)")


def test_an_open_game_shows_its_state_to_everybody() -> None:
    game = door()
    assert game.info.perfect_information.value is True
    assert game.info.perfect_information.status is Status.PROVED
    state = game.initial().play([PUSH, WAIT])
    view = state.view(RIGHT)
    assert (view.move, view.percepts, view.facts) == (WAIT, frozenset(), state.facts())


def test_a_view_hides_what_the_role_is_not_told() -> None:
    game = coin()
    random, guesser = game.roles
    assert game.info.perfect_information.value is False
    assert game.info.chance_role is random
    assert game.info.players == (guesser,)
    assert game.initial().view(guesser).facts == game.initial().facts()
    noop = Term("noop")
    heads = game.initial().play([parse_term("(toss heads)"), noop])
    tails = game.initial().play([parse_term("(toss tails)"), noop])
    assert heads != tails
    assert heads.view(guesser) == tails.view(guesser)
    assert heads.view(guesser).facts is None
    assert heads.view(random) != tails.view(random)
    told = heads.play([noop, parse_term("(call tails)")])
    assert told.view(guesser).percepts == frozenset([parse_term("(it_was heads)")])
    assert told.goal(guesser) == 0


def test_joint_moves_vary_the_last_role_fastest_and_end_with_the_game() -> None:
    game = door()
    assert list(game.initial().joint_moves()) == [(PUSH, PUSH), (PUSH, WAIT), (WAIT, PUSH), (WAIT, WAIT)]
    over = game.initial().play([PUSH, PUSH])
    assert over.is_terminal
    assert list(over.joint_moves()) == []
    assert over.goals() == (100, 100)


def test_goals_that_are_missing_double_or_no_number_are_none() -> None:
    sheet = "(role a) (role b) (role c) (goal a 100) (goal a 0) (goal b much) (<= terminal (true p))"
    state = ReferenceGame(parse_kif(sheet)).initial()
    assert state.goals() == (None, None, None)
    assert [str(term) for term in state.goal_terms(Term("a"))] == ["0", "100"]
    assert state.goal_terms(Term("c")) == ()


def test_roles_are_found_by_name() -> None:
    game = ReferenceGame(parse_kif("(role left) (role right)"))
    assert game.role("LEFT") is LEFT
    with pytest.raises(GameError, match="its roles are left"):
        game.role("middle")


def test_quoted_roles_are_found_by_name() -> None:
    game = ReferenceGame(parse_kif("(role |Big Boss|)"))
    assert game.role("|Big Boss|") is Term("Big Boss")


def test_illegal_moves_say_who_and_what() -> None:
    with pytest.raises(IllegalMoveError, match="kick is not legal for right"):
        door().initial().play([PUSH, Term("kick")])
    assert issubclass(IllegalMoveError, GameError)
