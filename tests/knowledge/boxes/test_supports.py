"""Supports against brute force: what they say of every extension of small random programs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ludorum.knowledge.boxes.normal_program import NormalProgram, UnstratifiedError
from ludorum.knowledge.boxes.open_program import OpenProgram, decided, holds
from ludorum.knowledge.boxes.supports import SupportOverflowError, Supports, filter_by_supports
from ludorum.knowledge.knower import ImpossiblePerceptsError
from tests.how_much import some
from tests.knowledge.boxes.random_programs import Named, random_program

SEEDS = range(some(4000, 10))
EXAMPLE = "a :- b1. a :- b2. obs :- not a. p :- not a. q :- a."


def signed(atoms: list[int]) -> list[int]:
    return [literal for atom in atoms for literal in (2 * atom, 2 * atom + 1)]


def random_observations(program: OpenProgram, atoms: list[int], seed: int) -> tuple[set[int], set[int]]:
    """Observable atoms, and those that are true in some extension drawn at random."""
    chance = random.Random(seed)
    observable = {atom for atom in atoms if chance.random() < 0.5}
    facts = program.known.union(atom for atom in sorted(program.open) if chance.random() < 0.5)
    return observable, observable & program.program.model(facts)


@pytest.mark.spec("filtering-gdl2", 5)
def test_an_open_program_has_all_its_extensions() -> None:
    named = Named("p :- a. p :- not a. q :- a, b. r :- not q.", known="b", maybe="a c")
    found = {named.named(2 * atom for atom in facts) for facts in named.open.extensions()}
    assert found == {frozenset("b"), frozenset("ab"), frozenset("bc"), frozenset("abc")}
    assert named.open.skeptical(named.literal("p"))
    assert not named.open.skeptical(named.literal("q"))
    assert named.open.credulous(named.literal("q"))
    assert named.open.credulous(named.literal("r"))
    assert not named.open.credulous(named.literal("not p"))


def test_a_fact_is_not_both_known_and_open() -> None:
    with pytest.raises(ValueError, match="both known and open"):
        OpenProgram(NormalProgram(1, []), frozenset([0]), frozenset([0]))


def test_negation_in_a_circle_is_refused() -> None:
    with pytest.raises(UnstratifiedError, match="circle"):
        Supports(Named("p :- q. q :- a, not p.", maybe="a").open).of(0)


@pytest.mark.spec("filtering-gdl2", 6)
def test_the_supports_of_the_first_example() -> None:
    named = Named(EXAMPLE, maybe="b1 b2")
    supports = Supports(named.open)

    def found(text: str) -> set[frozenset[str]]:
        return {named.named(each) for each in supports.of(named.literal(text))}

    assert found("a") == {frozenset(["b1"]), frozenset(["b2"])}
    assert found("obs") == {frozenset(["not b1", "not b2"])}
    assert found("not obs") == {frozenset(["b1"]), frozenset(["b2"])}


@pytest.mark.spec("filtering-gdl2", 9)
def test_the_filter_of_the_first_example() -> None:
    named = Named(EXAMPLE, maybe="b1 b2")
    obs = named.atom("obs")
    seen = filter_by_supports(named.open, [obs], [obs])
    assert (seen.known, seen.open) == (frozenset(), frozenset())
    assert filter_by_supports(named.open, [obs], []) == named.open


@pytest.mark.spec("filtering-gdl2", 6)
def test_a_negated_atom_without_supports_is_known_and_one_that_is_known_has_no_countersupport() -> None:
    named = Named("p :- a, b. q :- c. n :- not p. m :- not q.", known="c", maybe="a")
    supports = Supports(named.open)
    assert supports.of(named.literal("p")) == frozenset()
    assert supports.of(named.literal("not p")) == {frozenset()}
    assert supports.known(named.literal("n"))
    assert supports.of(named.literal("not q")) == frozenset()
    assert not supports.possible(named.literal("m"))


@pytest.mark.spec("filtering-gdl2", 6)
def test_every_extension_that_satisfies_a_support_makes_its_literal_true() -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        supports, models = Supports(program), list(program.models())
        for literal in signed(atoms):
            for support in supports.of(literal):
                fits = [model for facts, model in models if all(holds(each, facts) for each in support)]
                assert fits, seed
                assert all(holds(literal, model) for model in fits), seed


@pytest.mark.spec("filtering-gdl2", 6, 7)
def test_a_literal_has_a_support_just_where_some_extension_makes_it_true() -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        supports = Supports(program)
        for literal in signed(atoms):
            assert supports.possible(literal) == program.credulous(literal), seed


@pytest.mark.spec("filtering-gdl2", 7)
def test_countersupports_are_minimal_and_consistent() -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        supports = Supports(program)
        for atom in atoms:
            ours, against = supports.of(2 * atom), supports.of(2 * atom + 1)
            for one in against:
                assert not any(literal ^ 1 in one for literal in one), seed
                assert not any(other < one for other in against), seed
                assert all(any(literal ^ 1 in one for literal in support) for support in ours), seed


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 9)
def test_what_all_supports_share_is_what_an_observation_entails() -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        supports = Supports(program)
        for literal in signed(atoms):
            assert supports.common(literal) == program.entailed([literal]), seed


def known_by_fixpoint(program: OpenProgram) -> set[int]:
    """The least set in which negated atoms count as known just where they cannot be true."""
    possible = set().union(*(model for _, model in program.models()))
    known = set(program.known)
    while True:
        more = {
            atom
            for atom in range(program.program.count)
            for positive, negative in program.program.bodies[atom]
            if known.issuperset(positive) and possible.isdisjoint(negative)
        }
        if more <= known:
            return known
        known |= more


@pytest.mark.spec("filtering-gdl2", 6)
def test_known_is_the_fixpoint_over_what_is_not_possible() -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        supports, known = Supports(program), known_by_fixpoint(program)
        for atom in atoms:
            assert supports.known(2 * atom) == (atom in known), seed


@pytest.mark.spec("filtering-gdl2", 9)
def test_the_filter_keeps_the_truth_never_grows_and_may_be_repeated() -> None:
    for seed in SEEDS:
        program, atoms = random_program(seed)
        observable, observed = random_observations(program, atoms, seed)
        after = filter_by_supports(program, observable, observed)
        assert after.known >= program.known, seed
        assert after.known | after.open <= program.known | program.open, seed
        for facts, model in program.models():
            if observable & model == observed:
                assert after.known <= facts <= after.known | after.open, seed
        again = filter_by_supports(after, observable, observed)
        assert again.known >= after.known, seed
        assert again.known | again.open <= after.known | after.open, seed
        percepts_only = filter_by_supports(program, observable, observed, nonpercepts=False)
        assert percepts_only.known <= after.known, seed
        assert percepts_only.open >= after.open, seed


def test_the_order_of_rules_facts_and_percepts_does_not_matter() -> None:
    for seed in SEEDS[::4]:
        program, atoms = random_program(seed)
        observable, observed = random_observations(program, atoms, seed)
        rules = [(head, body) for head, bodies in enumerate(program.program.bodies) for body in bodies]
        random.Random(seed).shuffle(rules)
        turned = [(head, (positive[::-1], negative[::-1])) for head, (positive, negative) in rules]
        other = replace(program, program=NormalProgram(program.program.count, turned))
        for literal in signed(atoms):
            assert Supports(program).of(literal) == Supports(other).of(literal), seed
        one = filter_by_supports(program, sorted(observable), sorted(observed))
        two = filter_by_supports(other, sorted(observable)[::-1], sorted(observed)[::-1])
        assert (one.known, one.open) == (two.known, two.open), seed


@pytest.mark.spec("filtering-gdl2", 10)
def test_an_observation_that_cannot_be_is_refused() -> None:
    named = Named("o :- a. always :- b.", known="b", maybe="c")
    with pytest.raises(ImpossiblePerceptsError, match="agrees with an observation"):
        filter_by_supports(named.open, [named.atom("o")], [named.atom("o")])
    with pytest.raises(ImpossiblePerceptsError, match="agrees with an observation"):
        filter_by_supports(named.open, [named.atom("always")], [])


@pytest.mark.spec("filtering-gdl2", 10)
def test_observations_that_contradict_each_other_are_refused() -> None:
    named = Named("o :- a. n :- not a.", maybe="a")
    both = [named.atom("o"), named.atom("n")]
    with pytest.raises(ImpossiblePerceptsError, match="contradict"):
        filter_by_supports(named.open, both, both)
    with pytest.raises(ImpossiblePerceptsError, match="contradict"):
        decided([named.literal("a"), named.literal("not a")])


def test_too_many_supports_are_an_error() -> None:
    pairs = range(8)
    text = " ".join(f"c{at} :- a{at}. c{at} :- b{at}." for at in pairs)
    text += f" all :- {', '.join(f'c{at}' for at in pairs)}."
    named = Named(text, maybe=" ".join(f"a{at} b{at}" for at in pairs))
    assert len(Supports(named.open).of(named.literal("all"))) == 2**8
    with pytest.raises(SupportOverflowError, match="more than 200 supports"):
        Supports(named.open, budget=200).of(named.literal("all"))
