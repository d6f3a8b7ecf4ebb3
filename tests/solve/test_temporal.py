"""The stamped program against the engine: the same states, moves, ends and goals at every step."""

from __future__ import annotations

from itertools import islice

import pytest

from ludorum._core import SplitMix64
from ludorum.asp.temporal import TemporalProgram
from ludorum.engine import load_game
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game, JointMove, random_states
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame, ReferenceState
from ludorum.rules.classes import Class, classify_relations
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.solve.horizon import HiddenInformationError, Unrolled
from tests.how_much import some

from ..plain_evaluator import PlainEvaluator
from ..small_games import CIRCLE, COIN, DOOR

HELPERS = """
; Two lamps; a helper says which one is touched, another which is left alone, a third what nobody did.
(role a)
(lamp p) (lamp q)
(init (off p)) (init (off q)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal a (touch ?l)) (lamp ?l))
(legal a rest)
(<= (touched ?l) (does a (touch ?l)))
(<= (left_alone ?l) (lamp ?l) (not (touched ?l)))
(<= (next (on ?l)) (touched ?l) (true (off ?l)))
(<= (next (off ?l)) (touched ?l) (true (on ?l)))
(<= (next (on ?l)) (true (on ?l)) (left_alone ?l))
(<= (next (off ?l)) (true (off ?l)) (left_alone ?l))
(<= (next busy) (not (does a rest)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (goal a 100) (true (on p)) (true (on q)) (not (true busy)))
(<= (goal a 0) (not (true (on p))))
(<= (goal a 40) (true (on p)) (true busy))
(<= (goal a 30) (true (on p)) (not (true (on q))) (not (true busy)))
"""

PATHS = """
; A bridge a move: reachability is asked of the state, and a stack of boxes five deep is a term.
(role a)
(place 1) (place 2) (place 3) (place 4)
(init (at 1)) (init (holds (box (box (box (box (box pearl)))))))
(<= (legal a (bridge ?x ?y)) (place ?x) (place ?y) (distinct ?x ?y) (not (true (over ?x ?y))))
(<= (legal a open) (true (holds (box ?x))))
(<= (next (over ?x ?y)) (does a (bridge ?x ?y)))
(<= (next (over ?x ?y)) (true (over ?x ?y)))
(<= (next (at 1)))
(<= (next (holds ?x)) (does a open) (true (holds (box ?x))))
(<= (next (holds ?x)) (true (holds ?x)) (not (does a open)))
(<= (linked ?x ?y) (true (over ?x ?y)))
(<= (linked ?x ?z) (true (over ?x ?y)) (linked ?y ?z))
(<= (nested ?x) (true (holds ?x)))
(<= (nested ?x) (nested (box ?x)))
(<= terminal (linked 1 4) (nested pearl))
(<= (goal a 100) (linked 1 4) (true (holds pearl)))
(<= (goal a 50) (linked 1 4) (not (true (holds pearl))))
(<= (goal a 0) (not (linked 1 4)))
"""


def made(text: str) -> LiftedGame:
    return LiftedGame(parse_kif(text), "made")


def compare(game: Game, playouts: int, longest: int = 40) -> int:
    """Random plays through both; the number of states that were compared."""
    assert game.rules is not None
    unrolled = Unrolled(game.rules)
    compared = 0
    seen: set[tuple[JointMove, ...]] = set()
    for seed in range(playouts):
        states = list(islice(random_states(game.initial(), SplitMix64(seed)), longest))
        play = tuple(state.joint for state in states if state.joint is not None)
        compared += len(states)
        if play in seen:
            continue  # small games repeat themselves
        seen.add(play)
        for state, moment in zip(states, unrolled.trace(play), strict=True):
            assert moment.facts == state.facts()
            assert moment.is_terminal == state.is_terminal
            assert moment.legal == {(role, move) for role in game.roles for move in state.legal(role)}
            assert moment.goals == {(role, goal) for role in game.roles for goal in state.goal_terms(role)}
    return compared


@pytest.mark.long
@pytest.mark.spec("asp-player", 20)
@pytest.mark.parametrize(
    ("name", "playouts"),
    [
        *((name, some(1000, 4)) for name in ("blocks", "buttons", "maze", "hodgepodge")), ("tictactoe", 20),
        pytest.param("tictactoe", 1000, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_the_reasoner_agrees_with_an_evaluator_in_python(name: str, playouts: int) -> None:
    """What clingo says of init, legal, next, terminal and goal, against rules applied in Python."""
    rules = load_game(name).rules
    assert rules is not None
    reasoner, plain = ReferenceGame(rules, name), PlainEvaluator(rules)
    assert reasoner.initial().facts() == plain.initial
    known: dict[frozenset[Term], dict[JointMove, ReferenceState]] = {}
    for seed in range(playouts):
        state, chance = reasoner.initial(), SplitMix64(seed)
        while True:
            facts = state.facts()
            if facts not in known:
                known[facts] = {}
                roles = reasoner.roles
                assert {(role, move) for role in roles for move in state.legal(role)} == plain.legal(facts)
                assert {(role, goal) for role in roles for goal in state.goal_terms(role)} == plain.goals(
                    facts
                )
                assert state.is_terminal is plain.is_terminal(facts)
            if state.is_terminal:
                break
            joint = tuple(choice[chance.below(len(choice))] for choice in map(state.legal, reasoner.roles))
            if joint not in known[facts]:
                known[facts][joint] = state.play(joint)
                assert known[facts][joint].facts() == plain.next(facts, joint)
            state = known[facts][joint]


@pytest.mark.long
@pytest.mark.spec("asp-player", 13)
@pytest.mark.spec("asp-player", 20)
@pytest.mark.parametrize(
    ("name", "playouts"),
    [
        ("blocks", 1000), ("buttons", 1000), ("maze", 1000), ("hodgepodge", 1000), ("tictactoe", 100),
        pytest.param("tictactoe", 1000, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_thousand_playouts_agree_with_the_engine(name: str, playouts: int) -> None:
    """Of tic-tac-toe, whose games are hardly ever the same, only some in the quick tests."""
    assert compare(load_game(name), playouts) > 3 * playouts


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["lights_out", "nim", "rock_paper_scissors", "tron", "iterated_prisoners_dilemma", "dots_and_boxes",
     "connect_four", "eight_puzzle", "knights_tour", "breakthrough", "racetrack", "pentago"],
)  # fmt: skip
def test_other_games_of_the_library_agree(name: str) -> None:
    assert compare(load_game(name), 20) > 20


@pytest.mark.spec("asp-player", 14)
def test_effects_of_joint_moves() -> None:
    assert compare(made(DOOR), 50) > 100


@pytest.mark.spec("asp-player", 15)
def test_helpers_that_depend_on_moves_and_moves_that_are_not_made() -> None:
    assert compare(made(HELPERS), 200) == 800


@pytest.mark.spec("asp-player", 16)
def test_recursion_and_terms_five_deep() -> None:
    assert compare(made(PATHS), 100) > 500


@pytest.mark.spec("asp-player", 10)
def test_classes_of_relations() -> None:
    def named(rules: str, kind: Class) -> set[str]:
        found = classify_relations(parse_kif(rules))
        return {name for (name, _), its in found.items() if its is kind}

    assert named(HELPERS, Class.STATIC) == {"role", "lamp", "succ", "init"}
    assert named(HELPERS, Class.STATE) == {"true", "legal", "goal", "terminal"}
    assert named(HELPERS, Class.ACTION) == {"does", "next", "touched", "left_alone"}


KEYWORDS_OF_STATES = {"goal/2", "legal/2", "terminal/0", "true/1"}
KEYWORDS_WITHOUT_STATE = {"base/1", "init/1", "input/2", "role/1"}


@pytest.mark.spec("asp-player", 10)
@pytest.mark.parametrize(
    ("name", "static", "state"),
    [
        ("blocks", {"block/1", "successor/2"}, {"tower/0"}),
        ("buttons", {"lamp/1", "succ/2", "takes/3", "toggles/2"}, {"all_on/0"}),
        ("maze", {"adjacent/2", "succ/2"}, set()),
        ("tictactoe", {"index/1", "opponent/2", "sign/2"},
         {"row/2", "column/2", "diagonal/1", "line/1", "open/0"}),
        ("hodgepodge", {"adjacent/2", "block/1", "succ/2", "successor/2"}, {"tower/0"}),
    ],
)  # fmt: skip
def test_classes_in_the_five_games(name: str, static: set[str], state: set[str]) -> None:
    """Every relation, each in one class; programs stamp them so."""
    rules = load_game(name).rules
    assert rules is not None
    found = classify_relations(rules)
    by_class = {
        kind: {f"{name}/{arity}" for (name, arity), its in found.items() if its is kind} for kind in Class
    }
    assert by_class == {
        Class.STATIC: static | KEYWORDS_WITHOUT_STATE,
        Class.STATE: state | KEYWORDS_OF_STATES,
        Class.ACTION: {"does/2", "next/1"},
    }


@pytest.mark.spec("asp-player", 10)
def test_programs_stamp_relations_by_their_class() -> None:
    program = TemporalProgram(parse_kif(HELPERS)).text
    parts = {part.split(".")[0]: part for part in program.split("#program ")}
    assert "p_succ_2(0,1)." in parts["base"]
    assert "p_legal_2(" in parts["state(t)"]
    assert ",t) :- " in parts["state(t)"]
    for helper in ("p_touched_1(", "p_left_alone_1("):
        heads = [line for line in parts["step(t)"].splitlines() if line.startswith(helper)]
        assert heads
        assert all(line.split(" :- ")[0].endswith(",t-1)") for line in heads)
        assert not any(line.startswith(helper) for line in parts["state(t)"].splitlines())


@pytest.mark.spec("asp-player", 6)
def test_hidden_information_is_refused() -> None:
    with pytest.raises(HiddenInformationError, match="random"):
        Unrolled(parse_kif(COIN))


def test_moves_that_are_not_legal_are_an_error() -> None:
    game = load_game("blocks")
    assert game.rules is not None
    with pytest.raises(GameError, match="do not allow"):
        Unrolled(game.rules).trace([(Term("s", (Term("a"), Term("b"))),)])


def test_rules_that_are_ground_are_counted_and_the_same_each_time() -> None:
    """Planners decide by this number whether rules are dear, and so decide alike on every machine."""
    rules = parse_kif(CIRCLE)
    for steps, count in ((0, 9), (1, 16), (2, 24), (3, 32)):
        unrolled = Unrolled(rules)
        unrolled.extend(steps)
        assert unrolled.count_first_rules() == count
