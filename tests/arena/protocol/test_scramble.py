"""Scrambling: other words, nothing else; and back again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.protocol.scramble import KEYWORDS, ScrambleError, plain_names, scrambler_of
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.library import library_sheets
from ludorum.rules.ruleset import format_kif
from ludorum.rules.terms import Term, sort_key
from tests.small_games import COIN, DOOR

WORD = re.compile(r"\??[^\s()?]+")


def test_words_are_replaced_and_keywords_stay() -> None:
    rules = parse_kif(DOOR)
    scrambled = format_kif(scrambler_of(rules, 1).rules(rules))
    kept = set(WORD.findall(scrambled)) & set(WORD.findall(format_kif(rules)))
    assert kept == {"role", "init", "legal", "next", "true", "does", "not", "terminal", "goal", "<=",
                    "0", "1", "2", "100"}  # fmt: skip
    assert len(scrambled.split()) == len(format_kif(rules).split())


def test_the_seed_makes_the_words() -> None:
    rules = parse_kif(COIN)
    assert scrambler_of(rules, 1) == scrambler_of(rules, 1)
    assert scrambler_of(rules, 1).words != scrambler_of(rules, 2).words
    assert "random" not in scrambler_of(rules, 1).words


def test_replies_are_mapped_back_whatever_their_case() -> None:
    scrambler = scrambler_of(parse_kif(COIN), 1)
    move = parse_term("(call heads)")
    word = scrambler.sentence(move)
    assert word is not move
    assert scrambler.back(word) is move
    assert scrambler.back(parse_term(str(word).upper())) is move
    assert scrambler.back(Term(word.name.upper(), word.args)) is move


def test_the_old_names_are_no_words_of_the_match() -> None:
    scrambler = scrambler_of(parse_kif(COIN), 1)
    with pytest.raises(ScrambleError, match="'call' is no word of this match"):
        scrambler.back(parse_term("(call heads)"))


@pytest.mark.parametrize("name", ["tictactoe", "chess", "kuhn_poker", "small_dominion"])
def test_scrambled_rules_are_the_same_game(name: str) -> None:
    game = load_game(name)
    assert game.rules is not None
    scrambler = scrambler_of(game.rules, 3)
    text = format_kif(scrambler.rules(game.rules))
    other = LiftedGame(parse_kif(text), name)
    assert other.roles == tuple(map(scrambler.sentence, game.roles))
    pairs = list(zip(game.playout(5), other.playout(5), strict=True))
    for state, image in pairs[:30]:
        assert image.facts() == frozenset(map(scrambler.sentence, state.facts()))
        for role in game.roles:
            word = scrambler.sentence(role)
            assert image.legal(word) == tuple(map(scrambler.sentence, state.legal(role)))
            assert image.percepts(word) == tuple(map(scrambler.sentence, state.percepts(role)))
        assert image.goals() == state.goals()


@pytest.mark.parametrize("sheet", list(library_sheets())[::4], ids=lambda sheet: sheet.name)
def test_order_is_kept_and_words_are_fresh(sheet: object) -> None:
    game = load_game(sheet.name)  # type: ignore[attr-defined]
    assert game.rules is not None
    for scrambler in (scrambler_of(game.rules, 8),):
        names = sorted(scrambler.words)
        words = [scrambler.words[name] for name in names]
        assert words == sorted(words)
        assert len(set(words)) == len(words)
        assert not set(words) & (set(names) | KEYWORDS)
        assert all((name < "random") == (word < "random") for name, word in scrambler.words.items())


NAMES = ["a", "b", "zebra", "random", "1", "10", "x7", "noop"]
TERMS = st.recursive(
    st.sampled_from(NAMES).map(Term),
    lambda inner: st.builds(
        lambda name, args: Term(name, tuple(args)), st.sampled_from(NAMES), st.lists(inner, max_size=3)
    ),
    max_leaves=8,
)


@given(TERMS, TERMS, st.integers(0, 2**32))
def test_terms_go_there_and_back_and_keep_their_order(one: Term, other: Term, seed: int) -> None:
    rules = parse_kif("".join(f"(r {name})" for name in NAMES))
    scrambler = scrambler_of(rules, seed)
    assert scrambler.back(scrambler.sentence(one)) is one
    before = sort_key(one) < sort_key(other)
    assert (sort_key(scrambler.sentence(one)) < sort_key(scrambler.sentence(other))) == before


def test_plain_names_change_only_what_peers_cannot_read() -> None:
    rules = parse_kif("(role |Weiß|) (role wei_) (legal |Weiß| (|a b| ?größe)) (init (at |(| |?x| |1|))")
    scrambler = plain_names(rules)
    assert set(scrambler.words) == {"Weiß", "a b", "(", "?x"}
    assert len(set(scrambler.words.values()) | {"wei_"}) == 5
    text = format_kif(scrambler.rules(rules))
    assert text.isascii()
    assert "|" not in text
    for rule in scrambler.rules(rules).rules:
        assert rule == parse_kif(str(rule)).rules[0]
    assert scrambler.back(scrambler.sentence(parse_term("(|a b| |Weiß|)"))) is parse_term("(|a b| |Weiß|)")
