"""Relations of a sheet: which change, which depend on themselves, and what they range over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.relations import Relations
from ludorum.rules.classes import Class, classify_relations
from ludorum.rules.keywords import KEYWORDS
from ludorum.rules.normalise.estimate_domains import Place, place_of
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.how_much import sample

BY_HAND = {
    "tictactoe": (
        "sign opponent index",
        "row column diagonal line open",
        "",
        "",
    ),
    "nim": (
        "opponent succ number leaves heap_size",
        "takes sticks_left",
        "touched",
        "leaves",
    ),
    "connect_four": (
        "opponent column row succ",
        "filled available rest four decided open",
        "",
        "",
    ),
    "hex": (
        "opponent size succ index beside touches",
        "occupied joined won decided",
        "",
        "index joined",
    ),
    "othello": (
        "opponent index succ beside step follows",
        "enclosed occupied captures can_place counted more_than ahead",
        "turned changes",
        "enclosed counted more_than turned",
    ),
}
"""Of each sheet, read by a person: relations that never change, those that depend on the state, those that
depend on moves as well, and among all of them those that depend on themselves."""


def rules_of(name: str) -> Ruleset:
    rules = load_game(name).rules
    assert rules is not None
    return rules


@pytest.mark.spec("evaluation-functions", 4)
@pytest.mark.parametrize("name", BY_HAND)
def test_classes_of_relations_are_those_that_a_person_gives(name: str) -> None:
    rules = rules_of(name)
    fixed, of_states, of_moves, recursive = (set(words.split()) for words in BY_HAND[name])
    found = {
        relation[0]: kind
        for relation, kind in classify_relations(rules).items()
        if relation[0] not in KEYWORDS
    }
    assert {word for word, kind in found.items() if kind is Class.STATIC} == fixed
    assert {word for word, kind in found.items() if kind is Class.STATE} == of_states
    assert {word for word, kind in found.items() if kind is Class.ACTION} == of_moves
    relations = Relations(rules)
    assert {word for word, _ in relations.recursive} == recursive
    for signature in relations.by_signature:
        if signature[0] not in KEYWORDS:
            assert relations.changes(signature) == (signature[0] not in fixed)
            assert (relations.rows(signature) is None) == (signature[0] not in fixed)
            assert relations.is_recursive(signature) == (signature[0] in recursive - fixed)


GAMES = ["nim", "connect_four", "othello", "peg_solitaire", "tron", "breakthrough", "hex", "hodgepodge",
         "chinese_checkers", "pacman", "pentago", "racetrack"]  # fmt: skip


def reached(game: LiftedGame, seed: int) -> Iterator[Term]:
    """All ground atoms that hold in the states of a random game, and under its moves; each once."""
    seen: set[Term] = set()
    states = list(game.playout(seed))
    for state, after in zip(states, [*states[1:], None], strict=True):
        program = game.program
        facts = program.pack(state.facts())
        joint = None if after is None else after.joint
        does = b"" if joint is None else program.pack_moves(zip(game.roles, joint, strict=True))
        found = [Term("true", (fact,)) for fact in state.facts()]
        found += [Term("does", pair) for pair in zip(game.roles, joint or (), strict=False)]
        for signature in game.rules.by_signature:
            found += [Term(signature[0], row) for row in game.ask(program, signature, facts, does)]
        yield from dict.fromkeys(atom for atom in found if atom not in seen)
        seen.update(found)


@pytest.mark.spec("evaluation-functions", 5)
@pytest.mark.parametrize("name", sample(GAMES, 3))
def test_domains_cover_all_that_is_reached_in_random_play(name: str) -> None:
    rules = rules_of(name)
    game, relations = LiftedGame(rules, name), Relations(rules)
    domains: dict[Place, set[Term] | None] = {}
    checked = 0
    for atom in reached(game, 5):
        for at, arg in enumerate(atom.args):
            place = (*place_of(atom), at)
            if place not in domains:
                found = relations.terms_at(place)
                domains[place] = None if found is None else set(found)
            terms = domains[place]
            assert terms is None or arg in terms, f"{arg} at {place} of {atom}"
            checked += terms is not None
    assert checked > 100
    assert sum(terms is None for terms in domains.values()) < len(domains) / 4
