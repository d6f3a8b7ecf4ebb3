"""What a role knows for certain: facts of all states that fit what it did and was told."""

from itertools import islice

from ludorum.arena.table.certain_facts import CertainFacts
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term


def match_of(name: str, steps: int, seed: int = 3) -> list[State]:
    return list(islice(load_game(name, "lifted").playout(seed), steps + 1))


def test_the_own_card_is_certain_and_the_others_is_not() -> None:
    states = match_of("kuhn_poker", 2)
    game = states[0].game
    known = CertainFacts(game.role("alice")).facts(states)
    assert known == frozenset({parse_term("(holds alice jack)"), parse_term("(turn alice)")})
    assert len(states[-1].facts()) == 3


def test_what_is_certain_is_true() -> None:
    for name in ("leduc_poker", "liars_dice", "blind_breakthrough", "goofspiel_5", "transit"):
        for seed in range(3):
            states = match_of(name, 6, seed)
            for role in states[0].game.info.players:
                certain = CertainFacts(role)
                for length in range(1, len(states)):
                    if states[length - 1].is_terminal:
                        break
                    assert (certain.facts(states[:length]) or frozenset()) <= states[length - 1].facts()


def test_where_states_are_too_many_nothing_is_said() -> None:
    states = match_of("mastermind", 4)
    assert CertainFacts(states[0].game.role("player")).facts(states) is None


def test_another_match_begins_anew() -> None:
    one, other = match_of("kuhn_poker", 2, 3), match_of("kuhn_poker", 2, 4)
    certain = CertainFacts(one[0].game.role("alice"))
    assert certain.facts(one) == CertainFacts(certain.role).facts(one)
    assert certain.facts(other) == CertainFacts(certain.role).facts(other)
