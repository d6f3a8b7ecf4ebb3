"""The lifted engine against the reference: small games, the library, and sheets made to be awkward."""

import pickle
import threading
import time

import pytest
from hypothesis import given, settings

from ludorum.arena import verify_random
from ludorum.engine import GameError, IllegalMoveError, LiftedGame, LimitError, Limits, check_game, perft
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game, load_rules
from ludorum.engine.reference import ReferenceGame
from ludorum.rules import Ruleset, Term, parse_kif, parse_term
from ludorum.rules.library import find_sheet, library_names
from tests.exploding_sheets import HUGE_GROUNDING
from tests.how_much import sample, some
from tests.random_games import random_games
from tests.small_games import CIRCLE, COIN, DOOR

SMALL = {"door": DOOR, "coin": COIN, "circle": CIRCLE}
LIBRARY = library_names()


def lifted(text: str, limits: Limits | None = None) -> LiftedGame:
    return LiftedGame(parse_kif(text), "test", limits)


def assert_agrees(rules: Ruleset, states: int = 20, seed: int = 0, seconds: float | None = None) -> None:
    game, reference = LiftedGame(rules, "test"), ReferenceGame(rules, "test")
    report = verify_random(game, reference, states, seed, seconds=seconds)
    assert report.disagreements == ()
    assert report.states


def wrapped(rules: str) -> str:
    """A game around some rules: one role that may name whatever `shown` holds of."""
    return f"""
    (role r) (init start)
    (<= (legal r (show ?x)) (shown ?x)) (legal r wait)
    (<= (next (seen ?x)) (does r (show ?x)))
    (<= (next ?f) (true ?f) (distinct ?f start))
    (<= terminal (true (seen never)))
    (goal r 0)
    {rules}"""


def shown(rules: str) -> set[str]:
    """What `shown` holds of at the start, after a check against the reference."""
    text = wrapped(rules)
    assert_agrees(parse_kif(text), states=6)
    game = lifted(text)
    return {str(move.args[0]) for move in game.initial().legal(Term("r")) if move.args}


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_small_games_keep_every_promise_and_agree(name: str) -> None:
    assert check_game(LiftedGame(parse_kif(SMALL[name]), name), max_steps=20) == []
    assert_agrees(parse_kif(SMALL[name]))


@pytest.mark.parametrize("name", sample(LIBRARY, 2))
def test_library_games_agree_with_the_reference(name: str) -> None:
    assert_agrees(load_rules(find_sheet(name)), states=8, seed=1, seconds=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY)
def test_library_games_agree_with_the_reference_for_long(name: str) -> None:
    assert_agrees(load_rules(find_sheet(name)), states=200, seed=2, seconds=60)


@settings(max_examples=some(60, 6))
@given(random_games())
def test_random_games_agree_with_the_reference(rules: Ruleset) -> None:
    assert_agrees(rules, states=5)


@pytest.mark.slow
@settings(max_examples=3000)
@given(random_games())
def test_many_random_games_agree_with_the_reference(rules: Ruleset) -> None:
    assert_agrees(rules, states=8)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tictactoe", [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("connect_four", [7, 49, 343, 2401, 16807, 117649]),
        ("othello", [4, 12, 56, 244, 1396, 8200]),
        ("chess", [20, 400, 8902]),
    ],
)
def test_path_counts(name: str, counts: list[int]) -> None:
    assert perft(load_game(name, "lifted"), len(counts)) == counts


def test_nested_functions_are_built_and_taken_apart() -> None:
    found = shown("""
        (thing (a (b (c (d (e 1) 2) 3) 4) 5)) (thing (a (b (c (d (e 6) 2) 3) 4) 9)) (thing (a 1 2))
        (<= (shown (got ?x ?y)) (thing (a (b (c (d (e ?x) 2) 3) 4) ?y)) (distinct (e ?x) (e ?y)))
        (<= (shown (a (b (c (d ?x ?y) 3) 4) ?y)) (thing (a (b (c (d ?x ?y) 3) 4) 9)))""")
    assert found == {"(got 1 5)", "(got 6 9)", "(a (b (c (d (e 6) 2) 3) 4) 2)"}


def test_a_variable_standing_twice_must_have_one_value() -> None:
    found = shown("""
        (pair (p a a) a) (pair (p a b) b) (pair (p b b) c)
        (<= (shown ?x) (pair (p ?x ?x) ?y))
        (<= (shown (all ?x)) (pair (p ?x ?x) ?x))
        (<= (twice ?x ?x) (pair ?z ?x))
        (<= (shown (twice ?x)) (twice ?x b) (twice b ?x))""")
    assert found == {"a", "b", "(all a)", "(twice b)"}


def test_recursion_over_static_facts_in_every_direction() -> None:
    edges = "(edge a b) (edge b c) (edge c d) (edge d b) (edge e e)"
    left = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))"
    right = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))"
    double = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
    for rules in (left, right, double):
        assert shown(f"{edges} {rules} (<= (shown ?y) (path a ?y))") == {"b", "c", "d"}
        assert shown(f"{edges} {rules} (<= (shown ?x) (path ?x d))") == {"a", "b", "c", "d"}
        assert shown(f"{edges} {rules} (<= (shown ?x) (edge ?x ?y) (path ?x ?x))") == {"b", "c", "d", "e"}
        assert shown(f"{edges} {rules} (<= (shown (p ?x ?y)) (path ?x ?y) (not (path ?y ?x)))") == {
            "(p a b)", "(p a c)", "(p a d)",
        }  # fmt: skip


def test_mutual_recursion_over_the_state() -> None:
    assert_agrees(
        parse_kif("""
        (role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (even ?n) (true (at ?n)))
        (<= (even ?n) (succ ?m ?n) (odd ?m))
        (<= (odd ?n) (succ ?m ?n) (even ?m))
        (<= (legal r (go ?n)) (even ?n)) (<= (legal r (jump ?n)) (odd ?n) (not (even ?n)))
        (<= (next (at ?n)) (does r (go ?n))) (<= (next (at ?n)) (does r (jump ?n)))
        (<= terminal (true (at 4))) (<= (goal r 100) (true (at 4))) (<= (goal r 0) (not (true (at 4))))"""),
        states=40,
    )


def test_recursion_that_builds_terms_ends_where_the_rules_do() -> None:
    found = shown("""
        (succ 0 1) (succ 1 2) (succ 2 3)
        (list 0 nil)
        (<= (list ?n (cons ?n ?rest)) (succ ?m ?n) (list ?m ?rest))
        (<= (member ?x (cons ?x ?rest)) (list ?n (cons ?x ?rest)))
        (<= (member ?x (cons ?y ?rest)) (list ?n (cons ?y ?rest)) (member ?x ?rest))
        (<= (shown ?x) (list 3 ?l) (member ?x ?l))""")
    assert found == {"1", "2", "3"}


def test_a_recursion_whose_calls_would_grow_is_answered_all_the_same() -> None:
    # Asked from above, up(0) would lead to up(s(0)), up(s(s(0))), ...; from below nothing holds at all.
    assert shown("(<= (up ?x) (num ?x) (up (s ?x))) (num 0) (<= (shown ?x) (num ?x) (not (up ?x)))") == {"0"}


def test_negation_across_several_strata() -> None:
    found = shown("""
        (n 1) (n 2) (n 3) (n 4) (low 1) (low 2)
        (<= (high ?x) (n ?x) (not (low ?x)))
        (<= (odd 1)) (<= (odd 3))
        (<= (good ?x) (n ?x) (not (high ?x)) (not (odd ?x)))
        (<= (shown ?x) (n ?x) (not (good ?x)))""")
    assert found == {"1", "3", "4"}


def test_negation_in_a_circle_of_relations_but_not_of_facts() -> None:
    found = shown("""
        (succ 1 2) (succ 2 3) (succ 3 4)
        (win 1)
        (<= (win ?n) (succ ?m ?n) (not (win ?m)))
        (<= (shown ?n) (win ?n))""")
    assert found == {"1", "3"}


def test_negation_in_a_circle_with_open_questions_goes_to_the_reference() -> None:
    found = shown("""
        (pos a) (pos b) (pos c) (move a b) (move b c)
        (<= (win ?x) (pos ?x) (some ?x))
        (<= (some ?x) (move ?x ?y) (lost ?y))
        (<= (lost ?y) (pos ?y) (not (win ?y)))
        (<= (shown ?x) (lost ?x))""")
    assert found == {"a", "c"}


def test_connectives_and_equality() -> None:
    found = shown("""
        (n 1) (n 2) (n 3) (m 2) (m 3)
        (<= (shown ?x) (n ?x) (or (not (m ?x)) (and (m ?x) (not (distinct ?x 3)))))""")
    assert found == {"1", "3"}


def test_undefined_relations_hold_of_nothing() -> None:
    assert shown("(n 1) (<= (shown ?x) (n ?x) (not (unheard ?x))) (<= (shown 2) (unheard 3))") == {"1"}


def test_names_that_are_hard_elsewhere() -> None:
    found = shown("(n x-y) (n 007) (n 99999999999) (n not-so) (<= (shown ?x) (n ?x) (distinct ?x 7))")
    assert found == {"x-y", "007", "99999999999", "not-so"}


def test_rules_that_derive_true_and_does_add_to_the_state() -> None:
    rules = parse_kif("""
        (role r) (init (a 1)) (<= (true (b ?x)) (true (a ?x)))
        (<= (legal r (go ?x)) (true (b ?x))) (<= (next (a 2)) (does r (go 1))) (<= terminal (true (b 2)))
        (goal r 0)""")
    assert_agrees(rules, states=4)


def test_an_unsafe_rule_is_named() -> None:
    game = lifted("(role r) (init a) (<= (legal r ?x) (true a)) (<= terminal (true b)) (goal r 0)")
    with pytest.raises(GameError, match=r"legal r \?x"):
        game.initial().legal(Term("r"))


def test_endless_rules_end_in_a_clear_error_and_leave_the_engine_usable() -> None:
    game = lifted(
        wrapped("(nat 0) (<= (nat (s ?x)) (nat ?x)) (<= (shown ?x) (true go) (nat ?x))"),
        Limits(seconds=0.3, rows=200_000),
    )
    with pytest.raises(LimitError, match="while asking for legal"):
        game.state([Term("go")]).legal(Term("r"))
    assert game.initial().legal(Term("r")) == (Term("wait"),)


def test_terms_within_terms_without_end_are_found_out_before_they_fill_the_memory() -> None:
    game = lifted(wrapped("(nat 0) (<= (nat (s ?x)) (nat ?x)) (<= (shown ?x) (true go) (nat ?x))"))
    begin = time.process_time()
    with pytest.raises(LimitError, match="terms within terms without end while asking for legal"):
        game.state([Term("go")]).legal(Term("r"))
    assert time.process_time() - begin < 2  # the limit on all terms takes half a minute and gigabytes
    assert game.initial().legal(Term("r")) == (Term("wait"),)


GROWING = """
(role r) (init (pair zero zero)) (<= (legal r go) (true (pair ?x ?y)))
(<= (next (pair (up ?x ?y) (up ?y ?x))) (true (pair ?x ?y)) (does r go)) (<= terminal (true over)) (goal r 0)
"""


def test_terms_that_grow_without_bound_end_at_the_limit_of_memory() -> None:
    game = lifted(GROWING, Limits(megabytes=40, depth=65535))
    with pytest.raises(LimitError, match="test: the memory limit was reached in random play"):
        game.measure_playouts(1, longest=10**9)
    # The evaluator is made anew, and play goes on.
    assert game.measure_playouts(2, longest=50).steps == 100
    assert game.program.core.bytes < 40e6


def test_rows_without_end_end_at_the_limit_of_memory() -> None:
    rules = wrapped("(nat 0) (<= (nat (s ?x)) (nat ?x)) (<= (shown ?x) (true go) (nat ?x))")
    game = lifted(rules, Limits(megabytes=40, depth=65535))
    with pytest.raises(LimitError, match="the memory limit was reached while asking for legal"):
        game.state([Term("go")]).legal(Term("r"))
    assert game.initial().legal(Term("r")) == (Term("wait"),)


def test_terms_nested_thousands_deep_are_read_back() -> None:
    state = lifted(GROWING).initial()
    for _ in range(3000):
        state = state.play([Term("go")])
    (fact,) = state.facts()
    assert (fact.name, len(fact.args)) == ("pair", 2)


def deep_game(depth: int) -> LiftedGame:
    chain = "\n".join(f"(<= (p{i} ?x) (p{i + 1} ?x) (true ?f))" for i in range(depth))
    return lifted(wrapped(f"{chain} (p{depth} 1) (<= (shown ?x) (p0 ?x))"))


@pytest.mark.long
def test_deep_rules_are_answered() -> None:
    assert len(deep_game(1500).initial().legal(Term("r"))) == 2


@pytest.mark.long
def test_rules_too_deep_for_a_small_stack_end_in_a_clear_error() -> None:
    game = deep_game(2500)
    found: list[str] = []

    def ask() -> None:
        try:
            found.append(str(len(game.initial().legal(Term("r")))))
        except LimitError as error:
            found.append(str(error))

    old = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert found == ["test: rules call each other too deeply while asking for legal"]


def test_states_are_equal_to_those_of_the_reference() -> None:
    rules = parse_kif(DOOR)
    ours, theirs = LiftedGame(rules, "door"), ReferenceGame(rules, "door")
    joint = [parse_term("push"), parse_term("wait")]
    mine, other = ours.initial().play(joint), theirs.initial().play(joint)
    assert mine == other
    assert other == mine
    assert hash(mine) == hash(other)
    assert mine != ours.initial()
    assert pickle.loads(pickle.dumps(mine)) == mine


def test_illegal_moves_are_refused() -> None:
    state = lifted(DOOR).initial()
    with pytest.raises(IllegalMoveError, match="fly is not legal for right"):
        state.play([Term("push"), Term("fly")])
    with pytest.raises(IllegalMoveError, match="1 moves for 2 roles"):
        state.play([Term("push")])


def test_the_program_is_made_anew_when_terms_abound() -> None:
    game = lifted(DOOR, Limits(terms=200))
    old = game.initial()
    game.state([Term("odd", (Term(str(i)),)) for i in range(200)])
    new = game.initial()
    assert old == new
    assert old.play([Term("push"), Term("push")]) == new.play([Term("push"), Term("push")])


def test_random_play_has_the_means_of_exact_enumeration() -> None:
    # DOOR: opens at once with chance 1/4, at the second step with 3/4 * 1/4.
    found = lifted(DOOR).measure_playouts(20_000, seed=3)
    assert found.playouts == found.valued == 20_000
    assert found.goals[0] == found.goals[1] == pytest.approx(43.75, abs=1.5)
    assert found.steps == pytest.approx(20_000 * 1.75, rel=0.01)


def test_an_end_with_two_goal_values_counts_as_nothing_in_every_engine() -> None:
    rules = parse_kif(
        "(role a) (legal a x) (legal a y) (init (s 0))"
        "(<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1)))"
        "(<= (next (did ?m)) (does a ?m)) (<= (goal a 30) (true (s 1))) (<= (goal a 80) (true (did x)))"
    )
    lifted_game, compiled = LiftedGame(rules, "two"), CompiledGame(rules, "two")
    assert lifted_game.measure_playouts(20_000, seed=3).goals[0] == pytest.approx(15, abs=0.6)
    lanes = compiled.simulator().playouts(20_000, seed=3)
    assert lanes.goals[compiled.roles[0]] == pytest.approx(15, abs=0.6)
    for game in (lifted_game, compiled):
        assert game.initial().playouts(20_000, seed=3)[0] == pytest.approx(15, abs=0.6)


def test_random_play_is_reproducible_and_long_play_is_cut() -> None:
    game = lifted(DOOR)
    assert game.measure_playouts(50, seed=5).steps == game.measure_playouts(50, seed=5).steps
    circle = lifted(CIRCLE).measure_playouts(3, longest=10)
    assert (circle.steps, circle.cut, circle.valued) == (30, 3, 0)


def test_plans_chosen_by_trial_change_no_answer() -> None:
    # After 30 states the plans are tuned; states before and after must follow the same rules.
    rules = load_rules(find_sheet("breakthrough"))
    assert_agrees(rules, states=45, seed=4)
    one, other = LiftedGame(rules, "breakthrough"), LiftedGame(rules, "breakthrough")
    perft(other, 2)
    first, second = one.measure_playouts(3, seed=1), other.measure_playouts(3, seed=1)
    assert first.tuning_seconds > 0
    assert (first.steps, first.goals) == (second.steps, second.goals)


def test_a_relation_asked_whole_and_in_part_has_one_meaning() -> None:
    # `stuck` asks legal for one role after it was asked for all, and the other way round in `next`.
    assert_agrees(
        parse_kif("""
        (role x) (role y) (init (free 1)) (init (free 2)) (init (free 3)) (init (turn x))
        (other x y) (other y x)
        (<= (legal ?r (take ?n)) (true (turn ?r)) (true (free ?n)))
        (<= (legal ?r noop) (true (turn ?s)) (other ?r ?s))
        (<= (can ?r) (legal ?r (take ?n)))
        (<= terminal (not (can x)) (not (can y)))
        (<= (next (free ?n)) (true (free ?n)) (not (taken ?n)))
        (<= (taken ?n) (does ?r (take ?n)))
        (<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
        (<= (next (could ?r)) (can ?r))
        (<= (goal ?r 100) (true (turn ?r))) (<= (goal ?r 0) (true (turn ?s)) (other ?r ?s))"""),
        states=30,
    )


def test_questions_that_a_bad_plan_would_drown_are_begun_anew() -> None:
    # Whatever is asked first here, some order of these conditions enumerates 60^4 rows.
    numbers = " ".join(f"(n {i}) (m {i} {(7 * i) % 60})" for i in range(60))
    found = shown(f"""{numbers}
        (<= (far ?a ?b) (n ?a) (n ?b) (true ?f) (distinct ?a ?b))
        (<= (shown ?d) (far ?a ?b) (far ?b ?c) (far ?c ?d) (m ?a ?b) (m ?b ?c) (m ?c ?d) (m 1 ?a))""")
    assert found == {"1"}


def test_threads_may_share_a_game() -> None:
    game = load_game("tictactoe", "lifted")
    counts: list[list[int]] = []
    threads = [threading.Thread(target=lambda: counts.append(perft(game, 5))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [[9, 72, 504, 3024, 15120]] * 3


@pytest.mark.long
def test_a_product_of_moves_is_given_up_and_its_rule_named() -> None:
    game = LiftedGame(parse_kif(HUGE_GROUNDING), "huge")
    with pytest.raises(LimitError) as error:
        game.initial().legal(game.roles[0])
    assert str(error.value) == (
        "huge: too many different terms while asking for legal; <text>:3:1: "
        "(<= (legal a (go ?x0 ?x1 ?x2 ?x3 ?x4 ?x5 ?x6)) (num ?x0) (n… has some 4e+07 instances"
    )
