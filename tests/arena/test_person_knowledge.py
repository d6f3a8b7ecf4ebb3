"""What a person knows at a table: true for certain, never impossible, and nothing by what is hidden."""

from collections.abc import Sequence
from itertools import islice

import pytest

from ludorum.arena.table.person_knowledge import PersonKnowledge, WorldsOpinion, worlds_opinion
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.how_much import some
from tests.library_games import compiled_game
from tests.players.test_hidden_sheets import twins

UNHURRIED = 60.0


def match_of(name: str, steps: int, seed: int = 3) -> list[State]:
    return list(islice(load_game(name, "lifted").playout(seed), steps + 1))


def test_the_own_card_is_certain_and_the_others_is_possible() -> None:
    states = match_of("kuhn_poker", 2)
    facts = PersonKnowledge(states[0].game.role("alice")).facts(states)
    assert facts is not None
    assert facts.known == frozenset({parse_term("(holds alice jack)"), parse_term("(turn alice)")})
    assert facts.uncertain == frozenset({parse_term("(holds bob king)"), parse_term("(holds bob queen)")})


@pytest.mark.long
@pytest.mark.parametrize("name", ["leduc_poker", "liars_dice", "mastermind", "goofspiel_5", "transit"])
def test_what_is_certain_is_true_and_what_is_true_is_possible(name: str) -> None:
    for seed in range(some(9)):
        states = match_of(name, 6, seed)
        for role in states[0].game.info.players:
            person = PersonKnowledge(role)
            for length in range(1, len(states)):
                if states[length - 1].is_terminal:
                    break
                facts = person.facts(states[:length])
                assert facts is not None
                assert facts.known <= states[length - 1].facts() <= facts.possible


def test_another_match_begins_anew() -> None:
    one, other = match_of("kuhn_poker", 2, 3), match_of("kuhn_poker", 2, 4)
    person = PersonKnowledge(one[0].game.role("alice"))
    assert person.facts(one) == PersonKnowledge(person.role).facts(one)
    assert person.facts(other) == PersonKnowledge(person.role).facts(other)


def test_a_door_that_was_not_opened_is_twice_as_likely_to_hide_the_car() -> None:
    states = match_of("monty_hall_random", 2)
    candidate = states[0].game.role("candidate")
    opinion = worlds_opinion(states, candidate, UNHURRIED)
    assert (opinion.worlds, opinion.is_all) == (2, True)
    assert [round(share, 3) for _, share in opinion.shares] == [0.667, 0.333]
    assert [str(choice.move) for choice in opinion.choices] == ["switch", "noop"]


@pytest.mark.long
def test_where_worlds_are_too_many_some_are_drawn() -> None:
    states = match_of("krieg_tictactoe", 4)
    opinion = worlds_opinion(states, states[0].game.roles[0], UNHURRIED)
    assert not opinion.is_all
    assert opinion.worlds > 20
    assert all(0 < share < 1 for _, share in opinion.shares)


@pytest.mark.parametrize("name", ["kuhn_poker", "meier", "liars_dice"])
def test_what_is_hidden_changes_neither_facts_nor_opinion(name: str) -> None:
    game = compiled_game(name)
    for role in game.info.players:
        pair = twins(game, role, range(400))
        assert pair is not None
        one, other = (seen(states, role) for states in pair)
        assert one == other


def seen(states: Sequence[State], role: Term) -> tuple[object, WorldsOpinion]:
    return PersonKnowledge(role).facts(states), worlds_opinion(states, role, UNHURRIED)
