"""Complete knowledge: every engine that lists states or histories gives the same answers, and right ones."""

import re
from collections.abc import Callable
from itertools import islice

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.knowledge.complete_knower import CompleteKnower
from ludorum.knowledge.history_knower import HistoryKnower
from ludorum.knowledge.knower import ImpossiblePerceptsError, Knower, Truth
from ludorum.knowledge.listed_knower import ListedKnower, TooManyStatesError
from ludorum.knowledge.packed_knower import PackedKnower
from ludorum.knowledge.unknowable_moves import find_unknowable_move
from ludorum.knowledge.window_knower import WindowKnower
from ludorum.knowledge.witness_pool import WitnessPool
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.knowledge.role_matches import answers, assert_sound, follow, hidden_games, same_to
from tests.library_games import compiled_game

GAMES = hidden_games()
FEW = 300
"""Possible states up to which all engines are compared."""
STEPS = some(200, 33)
"""Steps of a match that are asked about."""


def made(text: str) -> CompiledGame:
    return CompiledGame(parse_kif(text), "made")


def rules_of(game: Game) -> Ruleset:
    assert game.rules is not None
    return game.rules


@pytest.mark.parametrize("name", sample(GAMES, 3))
@pytest.mark.spec("filtering-gdl2", 21)
def test_histories_and_lists_of_states_give_the_same_answers(name: str) -> None:
    game = compiled_game(name)
    plain = LiftedGame(rules_of(game), name)
    for seed in range(some(12, 12)):
        role = game.info.players[seed % len(game.info.players)]
        listed = ListedKnower(plain, role, FEW)
        packed, history = PackedKnower(game, role, FEW), HistoryKnower(rules_of(game), role)
        assert_same_course(game, seed, listed, packed, history)


def assert_same_course(game: Game, seed: int, *knowers: Knower) -> None:
    """All engines say the same in every step of a match, as long as few states are possible."""
    seat = game.roles.index(knowers[0].role)
    for state in islice(game.playout(seed), STEPS):
        try:
            for one in knowers:
                if state.joint is not None:
                    one.update(state.joint[seat], state.percepts(one.role))
        except TooManyStatesError:
            return
        assert len({answers(one) for one in knowers}) == 1, state


@pytest.mark.parametrize("name", sample(GAMES[1:] + GAMES[:1], 3))
@pytest.mark.spec("filtering-gdl2", 12)
def test_what_is_known_is_true_and_what_is_true_is_possible(name: str) -> None:
    game = compiled_game(name)
    for seed in range(some(60, 30)):
        for role in game.info.players:
            knower = CompleteKnower(game, role, most_listed=1000)
            for state in islice(follow(game, knower, seed), STEPS):
                assert_sound(knower, state)
            if state.is_terminal:
                knower.stop()
                assert_sound(knower, state)


@pytest.mark.parametrize("name", sample(GAMES[2:] + GAMES[:2], 3))
@pytest.mark.spec("filtering-gdl2", 31)
def test_every_role_of_the_library_always_knows_its_legal_moves(name: str) -> None:
    game = compiled_game(name)
    for seed in range(some(100, 100)):
        for role in game.info.players:
            knower = CompleteKnower(game, role, most_listed=1000)
            for state in islice(follow(game, knower, seed), 2 * STEPS):
                if not state.is_terminal:
                    knower.asked()
                    assert knower.known_legal() == frozenset(state.legal(role)) == knower.possible_legal()


# Nature hides a coin, the player waits, the coin is shown.
COIN = """
(role random) (role player) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal random (hide heads)) (true (step 1))) (<= (legal random (hide tails)) (true (step 1)))
(<= (legal random wait) (not (true (step 1)))) (legal player wait)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (coin ?side)) (does random (hide ?side))) (<= (next (coin ?side)) (true (coin ?side)))
(<= (sees player ?side) (true (coin ?side)) (true (step 3)))
(<= terminal (true (step 4)))
(<= (goal player 100) (true (coin heads))) (<= (goal player 0) (true (coin tails)))
"""


COIN_KNOWERS: dict[str, Callable[[CompiledGame, Term], Knower]] = {
    "ListedKnower": lambda game, player: ListedKnower(LiftedGame(rules_of(game), "coin"), player),
    "PackedKnower": PackedKnower,
    "HistoryKnower": lambda game, player: HistoryKnower(rules_of(game), player),
    "CompleteKnower": lambda game, player: CompleteKnower(game, player, most_listed=1),
    "WindowKnower": lambda game, player: WindowKnower(rules_of(game), player, 2),
}


@pytest.fixture(params=COIN_KNOWERS)
def knower(request: pytest.FixtureRequest) -> Knower:
    game = made(COIN)
    return COIN_KNOWERS[request.param](game, game.role("player"))


def test_a_coin_is_unknown_until_it_is_shown(knower: Knower) -> None:
    wait, heads, tails = Term("wait"), parse_term("(coin heads)"), parse_term("(coin tails)")
    knower.update(wait, [])
    knower.update(wait, [])
    assert knower.possible_facts() - knower.known_facts() == {heads, tails}
    assert (knower.goal, knower.possible_goals(), knower.terminal()) == (
        None,
        frozenset({0, 100}),
        Truth.FALSE,
    )
    knower.update(wait, [Term("tails")])
    assert (knower.known_facts(), knower.step) == (frozenset({tails, parse_term("(step 4)")}), 3)
    assert (knower.goal, knower.terminal()) == (0, Truth.TRUE)


@pytest.mark.spec("filtering-gdl2", 10)
def test_percepts_that_cannot_be_are_refused_and_nothing_is_forgotten(knower: Knower) -> None:
    wait = Term("wait")
    knower.update(wait, [])
    before = answers(knower)
    for move, percepts in [(wait, [Term("heads")]), (wait, [Term("unheard")]), (Term("jump"), [])]:
        with pytest.raises(ImpossiblePerceptsError, match="told in step 2"):
            knower.update(move, percepts)
        assert (answers(knower), knower.step) == (before, 1)
    with pytest.raises(ImpossiblePerceptsError):
        knower.stop()
    assert answers(knower) == before
    knower.update(wait, [])
    knower.update(wait, [Term("heads")])
    assert knower.goal == 100


@pytest.mark.spec("filtering-gdl2", 24)
def test_history_is_dropped_as_soon_as_the_state_is_known() -> None:
    game = made(COIN)
    knower = CompleteKnower(game, game.role("player"), most_listed=1)
    seen = []
    for percepts in ([], [], [Term("heads")]):
        knower.update(Term("wait"), percepts)
        seen.append((knower.is_listed, knower.depth))
    assert seen == [(False, 1), (False, 2), (True, 0)]
    (course,) = {knower.why_terminal().holds}
    assert course is not None
    assert [str(joint[0]) for joint in course] == ["(hide heads)", "wait", "wait"]


@pytest.mark.spec("filtering-gdl2", 24)
def test_no_history_is_kept_where_every_move_is_seen() -> None:
    told = COIN + "(<= (sees player (did ?r ?m)) (does ?r ?m))"
    game = made(told)
    knower = CompleteKnower(game, game.role("player"))
    for state in follow(game, knower, seed=3):
        assert (knower.depth, knower.known_facts()) == (0, state.facts())


@pytest.mark.spec("filtering-gdl2", 32)
def test_two_courses_show_why_something_is_not_known() -> None:
    game = made(COIN)
    player = game.role("player")
    for most in (1, 100):  # by histories, and by a list of states
        knower = CompleteKnower(game, player, most_listed=most)
        knower.update(Term("wait"), [])
        for why in (knower.why_fact(parse_term("(coin heads)")), knower.why_goal(100)):
            assert why.truth is Truth.UNKNOWN
            assert why.holds is not None
            assert why.fails is not None
            heads, tails = same_to(game, player, [why.holds, why.fails])
            assert (heads.goal(player), tails.goal(player)) == (100, 0)
        assert knower.why_terminal().truth is Truth.FALSE
        assert knower.why_legal(Term("wait")).truth is Truth.TRUE


KRIEG_SEEDS = some(20, 20)


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 32)
def test_ends_of_krieg_that_a_role_cannot_know_have_two_witnesses() -> None:
    game = compiled_game("krieg_tictactoe")
    role, unknown = game.roles[1], 0
    for seed in range(3 * KRIEG_SEEDS):
        knower = CompleteKnower(game, role, most_listed=1000)
        *_, end = follow(game, knower, seed)
        why = knower.why_terminal()
        assert why.truth is knower.terminal()
        if why.holds is not None and why.fails is not None:
            unknown += 1
            over, going_on = same_to(game, role, [why.holds, why.fails])
            assert (over.is_terminal, going_on.is_terminal) == (True, False)
        assert end.is_terminal
    assert unknown > 0


@pytest.mark.spec("filtering-gdl2", 26)
def test_the_message_that_a_match_is_over_can_tell_the_goal() -> None:
    game = compiled_game("krieg_tictactoe")
    role, before, after = game.roles[1], 0, 0
    for seed in range(3 * KRIEG_SEEDS):
        knower = CompleteKnower(game, role, most_listed=1000)
        *_, end = follow(game, knower, seed)
        before += knower.goal is not None
        knower.stop()
        assert knower.terminal() is Truth.TRUE
        if knower.goal is not None:
            after += 1
            assert knower.goal == end.goal(role)
    assert 0 <= before < after


# The match may be over after the first step, which only a wish for another move tells.
DOOR = """
(role random) (role player) (init here) (legal player wait)
(<= (legal random open) (true here)) (<= (legal random shut) (true here))
(<= (legal random wait) (true (door ?x)))
(<= (next (door ?x)) (does random ?x) (distinct ?x wait)) (<= (next (door ?x)) (true (door ?x)))
(<= (next late) (true (door ?x)))
(<= (sees player nothing) (true late))
(<= terminal (true (door open))) (<= terminal (true late))
(<= (goal player 100) (true (door open))) (<= (goal player 0) (not (true (door open))))
"""


@pytest.mark.parametrize("engine", [PackedKnower, CompleteKnower, ListedKnower])
@pytest.mark.spec("filtering-gdl2", 27)
def test_a_wish_for_a_move_tells_that_the_match_is_not_over(engine: type[Knower]) -> None:
    game, wait = made(DOOR), Term("wait")
    shut = parse_term("(door shut)")
    for heeds in (True, False):
        knower = engine(game, game.role("player"), heeds_messages=heeds)  # type: ignore[call-arg]
        knower.update(wait, [])
        assert knower.terminal() is Truth.UNKNOWN
        knower.asked()
        assert (shut in knower.known_facts()) is heeds
        knower.update(wait, [])
        assert (shut in knower.known_facts()) is heeds


@pytest.mark.spec("filtering-gdl2", 23)
def test_witnesses_save_calls_of_the_solver_and_change_no_answer() -> None:
    game = compiled_game("krieg_tictactoe")
    role, calls = game.roles[0], [0, 0]
    for seed in range(some(12, 6)):
        alone = HistoryKnower(rules_of(game), role)
        helped = HistoryKnower(rules_of(game), role, pool=WitnessPool(game, role))
        assert_same_course(game, seed, alone, helped)
        calls = [calls[0] + alone.work.calls, calls[1] + helped.work.calls]
    assert calls[1] < 0.9 * calls[0]


@pytest.mark.parametrize("name", sample(GAMES, 4))
@pytest.mark.spec("filtering-gdl2", 25)
def test_a_window_of_the_last_steps_is_sound_and_knows_no_more(name: str) -> None:
    game = compiled_game(name)
    role = game.info.players[-1]
    for seed in range(some(6, 6)):
        window, whole = WindowKnower(rules_of(game), role, 2), HistoryKnower(rules_of(game), role)
        both = zip(follow(game, window, seed), follow(game, whole, seed), strict=True)
        for state, _ in islice(both, STEPS):
            assert_sound(window, state)
            assert window.known_facts() <= whole.known_facts()
            assert window.possible_facts() >= whole.possible_facts()


@pytest.mark.parametrize("name", ["krieg_tictactoe", "small_dominion", "vis_pacman"])
@pytest.mark.spec("filtering-gdl2", 37)
def test_a_limit_of_conflicts_leaves_sound_answers(name: str) -> None:
    game = compiled_game(name)
    role = game.info.players[0]
    for seed in range(some(6, 3)):
        knower = HistoryKnower(rules_of(game), role, conflicts=0)
        for state in islice(follow(game, knower, seed), STEPS):
            assert_sound(knower, state)


BLIND = COIN.replace(
    "(legal player wait)", "(legal player wait) (<= (legal player call) (true (coin heads)))"
)


@pytest.mark.spec("filtering-gdl2", 33)
def test_a_role_that_cannot_know_its_moves_is_a_fault_with_two_courses() -> None:
    game = made(BLIND)
    found = find_unknowable_move(game, range(4))
    assert found is not None
    legal, illegal = same_to(game, found.role, [found.legal_after, found.illegal_after])
    assert (found.move in legal.legal(found.role), found.move in illegal.legal(found.role)) == (True, False)
    assert str(found) == (
        "player cannot know after step 1 whether call is legal: it is after (hide heads) wait, "
        "and is not after (hide tails) wait, which look the same"
    )
    assert find_unknowable_move(made(COIN), range(4)) is None


def test_names_of_a_sheet_never_meet_names_of_the_program() -> None:
    words = {
        "heads": "own",
        "tails": "heard",
        "coin": "root",
        "step": "legal_1",
        "wait": "t",
        "hide": "p_true_1",
    }
    text = COIN
    for word, other in words.items():
        text = re.sub(rf"\b{word}\b", other, text)
    game = made(text)
    knower = HistoryKnower(rules_of(game), game.role("player"))
    for percepts in ([], [], [Term("heard")]):
        knower.update(Term("t"), percepts)
    assert knower.known_facts() == {parse_term("(root heard)"), parse_term("(legal_1 4)")}
    assert (knower.goal, knower.terminal()) == (0, Truth.TRUE)
