"""The same game in other clothes has the same hash, and another game another one."""

from __future__ import annotations

import random
import re

import pytest

from ludorum.arena.protocol.scramble import scrambler_of
from ludorum.rules.identity import rules_id, shape_id
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet, library_names
from ludorum.rules.ruleset import Rule, Ruleset
from tests.how_much import FULL

NAMES = ["tictactoe", "blocks", "connect_four", "breakthrough", "hodgepodge", "nim"]


def sheet(name: str) -> Ruleset:
    return parse_kif(find_sheet(name).source.text)


def shuffled(rules: Ruleset, seed: int) -> Ruleset:
    chance = random.Random(seed)
    mixed = [Rule(rule.head, tuple(chance.sample(rule.body, len(rule.body)))) for rule in rules.rules]
    chance.shuffle(mixed)
    return parse_kif(re.sub(r"\?(\w+)", r"?other_\1", str(rules.with_rules(mixed))))


@pytest.mark.spec("asp-player", 48)
@pytest.mark.parametrize("name", NAMES)
def test_layout_order_and_variables_do_not_matter(name: str) -> None:
    rules = sheet(name)
    text = "; another comment\n" + str(rules).replace("\n", "\n\t ").upper()
    for other in (parse_kif(text), shuffled(rules, 1), shuffled(rules, 2)):
        assert rules_id(other) == rules_id(rules)
        assert shape_id(other) == shape_id(rules)


@pytest.mark.spec("asp-player", 48)
@pytest.mark.parametrize("name", NAMES)
def test_a_scrambled_game_is_known_again(name: str) -> None:
    rules = sheet(name)
    scrambled = scramble(rules)
    assert str(scrambled) != str(rules)
    assert shape_id(scrambled) == shape_id(rules)
    assert shape_id(shuffled(scrambled, 3)) == shape_id(rules)
    assert rules_id(scrambled) != rules_id(rules)


def scramble(rules: Ruleset) -> Ruleset:
    return parse_kif(str(scrambler_of(rules, 7).rules(rules)))


@pytest.mark.spec("asp-player", 48)
def test_other_rules_have_other_hashes() -> None:
    text = find_sheet("tictactoe").source.text
    changes = [
        ("(goal ?p 50)", "(goal ?p 40)"),
        ("(control xplayer)", "(control oplayer)"),
        ("(true (cell ?m ?n b))", "(true (cell ?n ?m b))"),
    ]
    for old, new in changes:
        assert old in text, old
        other = parse_kif(text.replace(old, new, 1))
        assert rules_id(other) != rules_id(sheet("tictactoe")), old
    wins = parse_kif(text.replace("(goal ?p 50)", "(goal ?p 40)"))
    assert shape_id(wins) != shape_id(sheet("tictactoe"))


@pytest.mark.long
@pytest.mark.spec("asp-player", 48)
def test_all_games_of_the_library_are_told_apart() -> None:
    small = [
        name for name in library_names() if len(find_sheet(name).source.text) < (12_000 if FULL else 4_000)
    ]
    assert len(small) > 20
    shapes = {shape_id(parse_kif(find_sheet(name).source.text)) for name in small}
    assert len(shapes) == len(small)
