"""No name of a sheet meets a name of ours: answers do not hang on how a sheet calls its things."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

import ludorum
from ludorum.asp.ground import GroundProgram, ground_rules
from ludorum.asp.names import SHEET_PREFIXES, asp_relation, asp_symbol
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.reference import ReferenceGame
from ludorum.experiments.planning_2009.legacy import LegacyPlanner
from ludorum.rules.keywords import KEYWORDS
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import Source
from ludorum.search.breadth_first import breadth_first
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.any_order import plan_in_any_order
from ludorum.solve.command_line import ProgramPlanner
from ludorum.solve.horizon import Unrolled
from ludorum.solve.planner import Planner
from ludorum.solve.prove import prove
from ludorum.solve.repair import mend
from ludorum.solve.strategy_search import settle_first_moves
from ludorum.solve.thinker import LogicThinker, ThinkerConfig
from tests.how_much import FULL

from .our_programs import (
    CALLERS,
    ENOUGH,
    NAMELESS,
    constants_in,
    legacy_program_of,
    listening,
    names_in,
    programs_of,
)
from .word_sheets import damaged, duel, puzzle

NEUTRAL = tuple(f"zz{number}" for number in range(12))
SHEET_OF_2009 = """
(role zz0) (init (zz1 zz2)) (legal zz0 zz3) (<= (next (zz1 zz4)) (does zz0 zz3))
(<= (goal zz0 100) (true (zz1 zz4))) (<= terminal (true (zz1 zz4)))
"""
SMALL_AND_DAMAGED = """
(role zz0) (init (zz1 zz2)) (<= (legal zz0 zz3) (true (zz1 zz2))) (<= (next (zz1 zz4)) (true (zz1 zz2)))
(<= (goal zz0 100) (true (zz1 zz4))) (<= terminal (tru (zz1 zz4)))
"""


@cache
def our_programs() -> list[str]:
    return programs_of(duel(NEUTRAL), SMALL_AND_DAMAGED)


@cache
def our_words() -> tuple[str, ...]:
    """Every name that our programs have of their own."""
    names = set().union(*map(names_in, our_programs()))
    return tuple(sorted(name for name in names if not name.startswith(SHEET_PREFIXES)))


@cache
def words_for_sheets() -> tuple[tuple[str, ...], ...]:
    """These words, and others that translations write or add to rules, twelve at a time."""
    words = [word for word in our_words() if word not in KEYWORDS]
    words += ["c_t", "x_t", "p_true_1", "p_does_2", "q_", "v0", "objreached", "not_occurs", "holds", "xvarxx"]
    words += ["rule_fires", "never_in_part", "rest_of_part", "of_part", "move_of_part", "busy_in_part"]
    words += ["legal_of_whole", "next_of_whole", "init_of_whole", "f", "w", "n", "a", "b0"]
    words += words[: -len(words) % len(NEUTRAL)]
    return tuple(tuple(words[at : at + len(NEUTRAL)]) for at in range(0, len(words), len(NEUTRAL)))


def test_all_that_calls_clingo_is_listened_to() -> None:
    root = Path(ludorum.__file__).parent
    calls = re.compile(r"clingo\.Control\(|make_(growing_)?control\(")
    found = {str(path.relative_to(root)) for path in root.rglob("*.py") if calls.search(path.read_text())}
    assert found == CALLERS | NAMELESS, "have tests/asp/our_programs.py run what calls clingo"


def test_moves_in_any_order_are_asked_for_without_names() -> None:
    """A sheet whose names are the word of that program, and all else that clingo reads as something."""
    sheet = """
        (role made) (init (made 0)) (init (not_made 1)) (legal made (made 1))
        (<= (next (made 1)) (does made (made 1)))
        (<= terminal (true (made 1))) (<= (goal made 100) (true (made 1)))
    """
    game = CompiledGame(parse_kif(sheet))
    with listening() as heard:
        plan = plan_in_any_order(game, game.initial(), Stopwatch(ENOUGH))
    assert plan is not None
    assert [str(move) for move in plan.moves] == ["(made 1)"]
    assert heard == [], "no text"


@pytest.mark.long
@pytest.mark.spec("asp-player", 9)
def test_our_words_and_those_of_sheets_are_apart() -> None:
    """A sheet's names come with a prefix, and nothing of our own has one but the keywords."""
    assert {"t", "k", "root", "e", "over", "at_least", "mine", "worth", "make"} <= set(our_words())
    assert not set(our_words()) & set(NEUTRAL)
    rules = parse_kif(duel(NEUTRAL))
    expected = {asp_symbol(name, functor=True) for name in NEUTRAL}
    expected |= {asp_relation(name, arity) for name in NEUTRAL for arity in range(6)}
    expected |= {asp_relation(name, arity) for name, arity in _keyword_relations(rules)}
    for program in our_programs():
        assert {name for name in names_in(program) if name.startswith(SHEET_PREFIXES)} <= expected


def _keyword_relations(rules: Ruleset) -> set[tuple[str, int]]:
    return {("true", 1), ("does", 2), ("sees", 2)} | {
        signature for signature in rules.by_signature if signature[0] in KEYWORDS
    }


def test_constants_of_the_program_of_2009_cannot_be_written_in_a_sheet() -> None:
    """That translation takes names as they are, in small letters; predicates of its own are no arguments."""
    ours = constants_in(legacy_program_of(SHEET_OF_2009)) - set(NEUTRAL)
    assert ours == {"objReached"}
    # A fluent and a constant called as what the fixed part has: the plan is the same.
    renamed = SHEET_OF_2009.replace("zz1", "obj_reached").replace("zz4", "time")
    plain, other = LegacyPlanner(SHEET_OF_2009, "zz0").answer(), LegacyPlanner(renamed, "zz0").answer()
    assert (plain.move, plain.plans) == (other.move, other.plans) == ("zz3", 1)


def translated(text: object, names: Mapping[str, str]) -> str:
    return re.sub(r"[^\s()]+", lambda found: names.get(found[0], found[0]), str(text))


def pairs() -> list[tuple[tuple[str, ...], dict[str, str]]]:
    return [(words, dict(zip(words, NEUTRAL, strict=True))) for words in words_for_sheets()]


def rotations(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [(*words[at:], *words[:at]) for at in range(len(words))]


def explored(game: Game, names: Mapping[str, str]) -> set[str]:
    """All states with moves, ends and goals, with the words translated."""
    waiting, found = [game.initial()], set[str]()
    while waiting:
        state = waiting.pop()
        moves = [sorted(translated(move, names) for move in state.legal(role)) for role in game.roles]
        facts = sorted(translated(fact, names) for fact in state.facts())
        text = f"{facts} {moves} {state.is_terminal} {state.goals()}"
        if text not in found:
            found.add(text)
            waiting += [state.play(joint) for joint in state.joint_moves()]
    return found


def test_plans_do_not_hang_on_names() -> None:
    """Each word in each place: as a constant, a function, relations of four arities, the role, a move."""
    for words, _ in pairs():
        for turned in rotations(words)[:: 1 if FULL else 4]:
            rules = parse_kif(puzzle(turned))
            planner = Planner(rules)
            plan = planner.plan(rules.roles[0], ENOUGH).plan
            assert plan is not None
            assert (plan.goal, len(plan), plan.optimal) == (100, 2, True), turned
            expected = {f"({turned[3]} {turned[4]})", f"({turned[-1]} {turned[0]})"}
            assert {str(move) for (move,) in plan.moves} == expected
            assert planner.count_plans(plan, ENOUGH) == 2  # in either order


@pytest.mark.slow
def test_plans_by_the_program_do_not_hang_on_names() -> None:
    for words, _ in pairs():
        rules = parse_kif(puzzle(words))
        plan = ProgramPlanner(rules).plan(rules.roles[0], ENOUGH).plan
        assert plan is not None
        assert (plan.goal, len(plan)) == (100, 2)


def test_states_over_time_do_not_hang_on_names() -> None:
    for words, _ in pairs():
        rules = parse_kif(puzzle(words))
        game = LiftedGame(rules, "puzzle")
        found = breadth_first(game)
        assert found is not None
        moves = [(move,) for move in found.moves]
        state = game.initial()
        for step, moment in enumerate(Unrolled(rules).trace(moves)):
            assert moment.facts == state.facts()
            assert {move for _, move in moment.legal} == set(state.legal(rules.roles[0]))
            assert moment.is_terminal is state.is_terminal
            state = state.play(moves[step]) if step < len(moves) else state


def test_the_engine_does_not_hang_on_names() -> None:
    expected = explored(LiftedGame(parse_kif(duel(NEUTRAL)), "duel"), {})
    assert len(expected) == 157  # a start, twelve words, a hundred and forty-four pairs of them
    for words, names in pairs():
        assert explored(LiftedGame(parse_kif(duel(words)), "duel"), names) == expected


@pytest.mark.long
def test_grounding_does_not_hang_on_names() -> None:
    """The same rules over the same atoms, whether a sheet's words are ours or not."""
    for sheet in (puzzle, duel):
        plain = ground_rules(parse_kif(sheet(NEUTRAL)), in_process=True)
        for words, names in pairs():
            found = ground_rules(parse_kif(sheet(words)), in_process=True)
            assert found.size == plain.size
            assert instances(found, names) == instances(plain, {})
            assert {translated(fact, names) for fact in found.initial} == set(map(str, plain.initial))


def instances(program: GroundProgram, names: Mapping[str, str]) -> set[str]:
    """The atoms of a program with the literals of each rule that have names."""
    texts = ["?" if atom is None else translated(atom, names) for atom in program.atoms]
    body, offsets = program.body.tolist(), program.body_offsets.tolist()
    rules = set()
    for at, head in enumerate(program.heads.tolist()):
        literals = sorted(
            f"{literal & 1}{texts[literal >> 1]}" for literal in body[offsets[at] : offsets[at + 1]]
        )
        rules.add(f"{texts[head]} <- {literals}")
    return rules | set(texts)


def test_the_reference_does_not_hang_on_names() -> None:
    for words, names in pairs():
        game, same = (ReferenceGame(parse_kif(duel(each)), "duel") for each in (words, NEUTRAL))
        state, twin = game.initial(), same.initial()
        while True:
            assert {translated(fact, names) for fact in state.facts()} == set(map(str, twin.facts()))
            assert (state.is_terminal, state.goals()) == (twin.is_terminal, twin.goals())
            if state.is_terminal:
                break
            joint = [state.legal(role)[-1] for role in game.roles]
            state = state.play(joint)
            twin = twin.play([parse_term(translated(move, names)) for move in joint])


@pytest.mark.long
def test_strategies_do_not_hang_on_names() -> None:
    """Only the last word wins against any reply; four words of twelve are the last in turn."""
    for words, _ in pairs():
        for turned in rotations(words)[:: 3 if FULL else 6]:
            rules = parse_kif(duel(turned))
            facts = LiftedGame(rules, "duel").initial().facts()
            search = settle_first_moves(rules, facts, rules.roles[0], 100, ENOUGH)
            held = [str(move) for move, verdict in search.verdicts.items() if verdict.holds]
            assert held == [f"({turned[-1]} {turned[-1]})"], turned
            assert len(search.verdicts) == len(turned)


@pytest.mark.long
def test_the_advice_of_logic_does_not_hang_on_names() -> None:
    for words, _ in pairs():
        rules = parse_kif(duel(words))
        thinker = LogicThinker()
        thinker.begin(lambda _: None, rules, rules.roles[0], ThinkerConfig())
        advice = thinker.think(lambda _: None, LiftedGame(rules, "duel").initial().facts(), 300.0)
        values = {str(each.move): (each.guaranteed, each.at_most) for each in advice.assessments}
        assert values == {f"({word} {word})": (100 * (word == words[-1]),) * 2 for word in words}


@pytest.mark.slow
def test_proofs_do_not_hang_on_names() -> None:
    asked = ["playable", "terminates", "maximum-length", "winnable", "strongly-winnable", "turn-taking",
             "unique-goal", "constant-sum", "live-rules"]  # fmt: skip
    plain = prove(parse_kif(duel(NEUTRAL)), asked, Budget(seconds=300))
    assert {each.status.value for each in plain} <= {"proved", "refuted"}
    for words, names in pairs():
        found = prove(parse_kif(duel(words)), asked, Budget(seconds=300))
        assert [(each.property, each.status) for each in found] == [
            (each.property, each.status) for each in plain
        ]
        assert [named(each.value, names) for each in found] == [named(each.value, {}) for each in plain]
        winnable = next(each.value for each in found if each.property == "winnable")
        assert isinstance(winnable, dict)
        assert all(check_win(words, role, line) for role, line in winnable.items())


def named(value: object, names: Mapping[str, str]) -> object:
    """What a proof tells, with the words translated; of wins, whose they are: one of many ways is shown."""
    if not isinstance(value, dict):
        return value
    return sorted(translated(role, names) for role in value.get("roles", value))


def check_win(words: Sequence[str], role: str, line: Sequence[Sequence[str]]) -> bool:
    game = LiftedGame(parse_kif(duel(words)), "duel")
    state: State = game.initial()
    for joint in line:
        state = state.play([parse_term(move) for move in joint])
    return state.is_terminal and state.goal(parse_term(role)) == 100


@pytest.mark.slow
def test_repairs_do_not_hang_on_names() -> None:
    plain = mend(Source("damaged", damaged(NEUTRAL)))
    assert plain.made
    for words, names in pairs():
        for turned in rotations(words)[::3]:
            found = mend(Source("damaged", damaged(turned)))
            same = dict(zip(turned, names.values(), strict=True))
            assert translated(found.after.text, same) == plain.after.text
            assert len(found.left) == len(plain.left)
