"""Questions about boxes against supports and brute force: the same answers by worlds, clingo and both."""

from __future__ import annotations

import random

import pytest

from ludorum.knowledge.boxes.box import BoxReasoner, Worlds
from ludorum.knowledge.boxes.box_methods import SupportsMethod, WorldsMethod
from ludorum.knowledge.boxes.box_solver import BoxSolver, SolverLimitError
from ludorum.knowledge.boxes.constraints import Group, ProgramWriter
from ludorum.knowledge.boxes.lanes import MOST_TERMS, Slice
from ludorum.knowledge.boxes.normal_program import NormalProgram
from ludorum.knowledge.boxes.open_program import OpenProgram, holds
from ludorum.knowledge.boxes.supports import Supports, filter_by_supports
from ludorum.knowledge.knower import ImpossiblePerceptsError
from tests.how_much import some
from tests.knowledge.boxes.random_programs import Named, random_program

SEEDS = range(some(2000, 10))


def reasoner_of(program: OpenProgram, quick: bool) -> BoxReasoner:
    """A reasoner whose base are all atoms without rules."""
    bodies = program.program.bodies
    return BoxReasoner(program.program, [atom for atom, own in enumerate(bodies) if not own], quick=quick)


@pytest.mark.spec("filtering-gdl2", 11)
@pytest.mark.parametrize("quick", [True, False])
def test_worlds_and_clingo_answer_as_supports_do(quick: bool) -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        reasoner = reasoner_of(program, quick)
        worlds, part = Worlds(program.known, program.open), reasoner.slice(atoms)
        ours = WorldsMethod(reasoner).ask(part, worlds, atoms)
        supports = Supports(program)
        assert ours.possible == {atom for atom in atoms if supports.possible(2 * atom)}, seed
        assert ours.known == {atom for atom in atoms if supports.known(2 * atom)}, seed
        certain = WorldsMethod(reasoner).ask(part, worlds, atoms, skeptical=True).known
        assert certain == {atom for atom in atoms if program.skeptical(2 * atom)}, seed


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 11)
@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("absences", [True, False])
def test_both_methods_filter_alike(quick: bool, absences: bool) -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        chance = random.Random(seed)
        observable = [atom for atom in atoms if chance.random() < 0.6]
        facts = program.known.union(atom for atom in sorted(program.open) if chance.random() < 0.5)
        seen = program.program.model(facts).intersection(observable)
        expected = filter_by_supports(program, observable, seen, nonpercepts=absences)
        reasoner = reasoner_of(program, quick)
        part, worlds = reasoner.slice(atoms), Worlds(program.known, program.open)
        for method in (WorldsMethod(reasoner), SupportsMethod(reasoner, 2000)):
            after, possible = method.filter(part, worlds, observable, seen, absences)
            assert (after.known, after.open) == (expected.known, expected.open), seed
            assert possible == {atom for atom in observable if program.credulous(2 * atom)}, seed


@pytest.mark.spec("filtering-gdl2", 8)
def test_a_budget_that_is_too_small_changes_no_answer() -> None:
    overflows = 0
    for seed in SEEDS:
        program, atoms = random_program(seed)
        reasoner = reasoner_of(program, quick=True)
        part, worlds = reasoner.slice(atoms), Worlds(program.known, program.open)
        small = SupportsMethod(reasoner, budget=1)
        assert small.ask(part, worlds, atoms) == SupportsMethod(reasoner, 2000).ask(part, worlds, atoms), seed
        overflows += small.overflows
    assert overflows > len(SEEDS) // 10


@pytest.mark.parametrize("quick", [True, False])
def test_required_literals_leave_just_the_worlds_in_which_they_hold(quick: bool) -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        chance = random.Random(seed)
        model = program.program.model(
            program.known | set(chance.sample(sorted(program.open), len(program.open) // 2))
        )
        required = tuple(2 * atom + (atom not in model) for atom in atoms if chance.random() < 0.5)
        reasoner = reasoner_of(program, quick)
        worlds = Worlds(program.known, program.open, required)
        view = reasoner.view(reasoner.slice(atoms), worlds)
        models = [each for _, each in program.models() if all(holds(one, each) for one in required)]
        assert view.possible(atoms) == {atom for atom in atoms if any(atom in each for each in models)}, seed
        assert view.certain(atoms) == {atom for atom in atoms if all(atom in each for each in models)}, seed
        if required:
            assert frozenset(view.learned(())) == program.entailed(required), seed


@pytest.mark.spec("filtering-gdl2", 18)
def test_a_case_distinction_is_made_by_skeptical_questions_only() -> None:
    named = Named("p :- b. p :- not b.", maybe="b")
    reasoner = reasoner_of(named.open, quick=True)
    p = named.atom("p")
    part, worlds = reasoner.slice([p]), Worlds(named.open.known, named.open.open)
    method = WorldsMethod(reasoner)
    assert method.ask(part, worlds, [p]).known == frozenset()
    assert method.ask(part, worlds, [p], skeptical=True).known == {p}


def test_what_is_negated_and_impossible_is_known_to_be_false() -> None:
    # Three-valued evaluation calls x possible; that it is not makes p known without a case distinction.
    named = Named("x :- a, not a. p :- not x.", maybe="a")
    reasoner = reasoner_of(named.open, quick=True)
    p, x = named.atom("p"), named.atom("x")
    view = reasoner.view(reasoner.slice([p, x]), Worlds(frozenset(), frozenset([named.atom("a")])))
    assert view.known([p, x]) == {p}
    assert view.possible([p, x]) == {p}
    assert Supports(named.open).known(2 * p)


def test_no_world_at_all_is_an_error() -> None:
    named = Named("p :- a. q :- b.", maybe="a")
    reasoner = reasoner_of(named.open, quick=True)
    part = reasoner.slice([named.atom("p"), named.atom("q")])
    maybe = frozenset([named.atom("a")])
    for required in (["q"], ["p", "not p"]):
        worlds = Worlds(frozenset(), maybe, tuple(map(named.literal, required)))
        with pytest.raises(ImpossiblePerceptsError, match="agrees with what was told"):
            reasoner.view(part, worlds)
    with pytest.raises(ImpossiblePerceptsError, match="agrees with an observation"):
        reasoner.view(part, Worlds(frozenset(), maybe)).learned([named.literal("q")])


def test_compiled_code_takes_long_rules_many_rules_and_loops() -> None:
    many = 3 * MOST_TERMS + 1
    inputs = range(many)
    every, any_one, none, left, right = range(many, many + 5)
    rules: list[tuple[int, tuple[tuple[int, ...], tuple[int, ...]]]] = [
        (every, (tuple(inputs), ())),
        (none, ((), tuple(inputs))),
        (left, ((right,), ())),
        (left, ((0, 1), ())),
        (right, ((left,), (2,))),
    ]
    rules += [(any_one, ((atom,), ())) for atom in inputs]
    program = NormalProgram(many + 5, rules)
    part = Slice(program, inputs, [every, any_one, none, left, right])
    assert part.roots == (every, any_one, none, left, right)
    lanes = [0b0110 if atom < 2 else 0b0100 for atom in part.inputs]
    assert part.worlds(lanes, 0b1111) == [0b0100, 0b0110, 0b1001, 0b0110, 0b0010]
    full = [1] * many
    assert part.rails(full, [0] * many, 1) == ([1, 1, 1, 1, 1], [0, 0, 0, 0, 0])
    assert part.rails(full, full, 1) == ([1, 1, 0, 1, 0], [1, 1, 0, 1, 0])


def test_rails_are_exact_where_nothing_open_counts_for_and_against_an_atom() -> None:
    told = 0
    for seed in SEEDS:
        program, atoms = random_program(seed)
        part = reasoner_of(program, quick=True).slice(atoms)
        must = part.flags(program.known)
        may, must = part.rails(part.flags(program.open, must), must, 1)
        for at, atom in enumerate(part.roots):
            if not part.mixed[at] & part.bits(program.open):
                assert bool(may[at]) == program.credulous(2 * atom), seed
                assert bool(must[at]) == program.skeptical(2 * atom), seed
                told += may[at] != must[at]
    assert told


def test_what_all_rules_of_an_atom_share_is_no_part_of_the_others() -> None:
    """Rules with a common fact and a common negation, one of them with nothing else."""
    shared = [((0, other), (1,)) for other in range(2, 6)]
    for bodies in (shared, [*shared, ((0,), (1,))], [((), (1,)), ((), (1, 2))], [((0,), ()), ((0, 2), ())]):
        program = NormalProgram(7, [(6, body) for body in bodies])
        written, plain = (Slice(program, range(6), [6], compiled) for compiled in (True, False))
        full = (1 << 64) - 1
        lanes = [sum(1 << lane for lane in range(64) if lane >> at & 1) for at in range(6)]
        inputs = [lanes[atom] for atom in written.inputs]
        assert written.inputs == plain.inputs
        assert written.worlds(inputs, full)[0] & full == plain.worlds(inputs, full)[0] & full
        less = [value & 0xF0F0F0F0F0F0F0F0 for value in inputs]
        ours, theirs = (one.rails(inputs, less, full) for one in (written, plain))
        assert [[value & full for value in each] for each in ours] == [
            [value & full for value in each] for each in theirs
        ]


@pytest.mark.parametrize("exactly", [True, False])
def test_a_group_is_wrong_where_its_count_is(exactly: bool) -> None:
    for size in range(4):
        writer = ProgramWriter(NormalProgram(size, []))
        wrong = writer.atom()
        writer.count_members(wrong, Group(frozenset(range(size)), exactly))
        program = OpenProgram(writer.program(), frozenset(), frozenset(range(size)))
        for facts, model in program.models():
            assert (wrong in model) == (len(facts) > 1 or (exactly and not facts))


def test_a_solver_with_a_limit_says_that_it_gave_up() -> None:
    # Seven pigeons in six holes: no world, and no short proof.
    holes, pigeons = range(6), range(7)
    place = {(pigeon, hole): 6 * pigeon + hole for pigeon in pigeons for hole in holes}
    writer = ProgramWriter(NormalProgram(len(place), []))
    wrong = writer.atom()
    for hole in holes:
        writer.count_members(wrong, Group(frozenset(place[p, hole] for p in pigeons), exactly=False))
    for pigeon in pigeons:
        writer.rule(wrong, [], [place[pigeon, hole] for hole in holes])
    with pytest.raises(SolverLimitError, match="limit"):
        BoxSolver(writer.program(), place.values(), conflicts=5).find([2 * wrong + 1])
    assert BoxSolver(writer.program(), place.values()).find([2 * wrong + 1]) is None
