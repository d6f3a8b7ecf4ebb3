"""No name of a chart meets a name of ours: play and analysis do not hang on what a chart calls its things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import clingo
import pytest

import ludorum.cards
from ludorum.cards.analysis import ChartAnalysis, analyse
from ludorum.cards.asp.analyse import analyse_by_asp
from ludorum.cards.asp.control import Control
from ludorum.cards.asp.names import PREFIX, asp_text, term_of
from ludorum.cards.compiled import CompiledCards
from ludorum.cards.language.language import ASSIGNABLE, CONSTANTS, FUNCTIONS, READ_ONLY, SEATS, STATEMENTS
from ludorum.cards.language.rules import Rules
from ludorum.cards.language.terms import PASS, Term, format_term, string
from ludorum.cards.load import checked_rules
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.reasons import NeedMove
from ludorum.cards.worlds import sample_worlds
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.rules.source import Source
from tests.how_much import FULL, sample

from .test_asp_control import answers_of_random_game, by_machine, by_program

FOLDER = Path(ludorum.cards.__file__).parent
TAKEN = {*FUNCTIONS, *CONSTANTS, *READ_ONLY, *ASSIGNABLE, *SEATS, *STATEMENTS, PASS.name}
"""Words of the language itself."""


@cache
def programs() -> str:
    texts = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.lp"))]
    return re.sub(r"%[^\n]*", "", "\n".join(texts))


@cache
def words() -> tuple[str, ...]:
    """Every name in our programs and every name of a term in our code, and what clingo and Python keep."""
    found = set(re.findall(r"(?<![\w@#])[a-z]\w*", programs()))
    for path in FOLDER.rglob("*.py"):
        found |= set(re.findall(r'Term\(f?"([a-z]\w*)', path.read_text(encoding="utf-8")))
    found |= {"not", "played", "later", "drawn", "chosen", "unknown", "leavingLoop10", "veiled", "x_t", "c"}
    found |= {"class", "None", "Self", "T", "X0", "self", "random1", "player1", "noop", "event"}
    return tuple(sorted(found - TAKEN))


def sixes() -> list[tuple[str, ...]]:
    """All words, so that each is a name of some chart."""
    each = [word for word in words() if word[0].islower()]
    each += each[: -len(each) % 6]
    return [tuple(each[at : at + 6]) for at in range(0, len(each), 6)]


NEUTRAL = ("za", "zb", "zc", "zd", "ze", "zf")
PLAY = """; players: 2
0 start
1 {f}=0
2 {e}(player(0))=1
3 {e}(player(1))={d}
4 Pack.use(card(any,hearts))
5 Pack.add(card({d},{c}),2)
6 Pile.closed({b})
7 Shuffle
8 Deal(3)
9 chooseCardOrPass(player({f}),hand(player({f})),pile({b}),card(any,any))
10 {f}={f}+{e}(player(0))
11 choose(player(0),{a},{d},{c},{Capital})
12 {a}=={d}|{a}=={Capital} ? 13 : 14
13 publish("#{{{a}}} #{{{e}(player(0))}} #{{{f}}}")
14 playerHas(player({f}),card({d},any)) ? 15 : 16
15 score(player({f}))=score(player({f}))+{e}(player(0))
16 end
"""


def chart(text: str, names: Sequence[str]) -> Rules:
    slots = dict(zip("abcdef", names, strict=True), Capital=names[0].capitalize())
    return checked_rules(Source("words", text.format(**slots)), "words")


def renamed(text: object, names: Sequence[str]) -> str:
    """A text about the neutral chart with other names in it; ours stay, whatever they are called."""
    table = dict(zip(NEUTRAL, names, strict=True)) | {NEUTRAL[0].capitalize(): names[0].capitalize()}
    return re.sub(r"\b(z[a-f]|Za)\b", lambda found: table[found[0]], str(text))


def test_the_words_are_there() -> None:
    assert {"t", "d", "not", "plus", "main", "is", "open", "use", "played", "nil", "x_t"} <= set(words())
    assert not [word for word in re.findall(r"[a-z]\w*", programs()) if word.startswith(PREFIX)]
    assert len(words()) > 150


def test_terms_come_back_from_programs_as_they_were() -> None:
    for word in (*words(), "Capital"):
        for term in (Term(word), Term(word, (Term("3"), Term("hearts"))), string(f"{word} \\ n\\t")):
            assert term_of(clingo.parse_term(asp_text(term))) is term


@pytest.mark.long
@pytest.mark.parametrize("at", sample(range(2), 2))
def test_the_program_plays_charts_of_any_names(at: int) -> None:
    """Steps, questions and variables are those of the machine; some names here, all in the slow test."""
    for names in sixes()[at::40]:
        _plays_alike(names)
    _plays_alike(("not", "t", "played", "variable", "not_", "x_t"))


@pytest.mark.slow
def test_the_program_plays_charts_of_all_names() -> None:
    for names in sixes():
        _plays_alike(names)


def _plays_alike(names: Sequence[str]) -> None:
    rules = chart(PLAY, names)
    machine = Machine(rules)
    answers = answers_of_random_game(machine, 3)
    assert by_program(Control(rules), answers) == by_machine(machine, answers)


@pytest.mark.long
def test_the_machine_and_what_a_player_knows_do_not_hang_on_names() -> None:
    """The same game with other words: the same options in bytecode, the same percepts and worlds."""
    plain = CardGame(chart(PLAY, NEUTRAL), "words")
    for names in [*sixes()[:: 1 if FULL else 4], ("za", "zb", "zc", "veiled", "ze", "zf")]:
        twin = CardGame(chart(PLAY, names), "words")
        ours, theirs = _story(plain, NEUTRAL, names), _story(twin, names, names)
        assert len(ours) > 15
        assert theirs == ours, names


def _story(game: CardGame, own: Sequence[str], shown: Sequence[str]) -> list[str]:
    """A game in which moves are taken in the order of the names shown, and the worlds of both players."""

    def text(what: Term) -> str:
        return renamed(format_term(what), shown) if own is NEUTRAL else format_term(what)

    compiled = CompiledCards(game.chart)
    state, found = game.initial(), list[str]()
    known = [Knowledge.of(game, index) for index in (0, 1)]
    while True:
        for role, one in zip(game.players, known, strict=True):
            one.observe(state.percepts(role))
            found += sorted(text(percept) for percept in state.percepts(role))
        if state.is_terminal:
            break
        if isinstance(state.reason, NeedMove):
            options = compiled.options(compiled.kernel.run(compiled.table_of(state.position), 0))
            assert set(options) == set(state.reason.options)
        state = state.play([max(state.legal(role), key=text) for role in game.roles])
    for one in known:
        found.append(str(one.path))
        for world in sample_worlds(one, 20, 1):
            lying = [card for cards in world.position.places.values() for card in cards]
            assert sorted([*lying, *world.position.undrawn]) == sorted(state.position.composition)
            assert world.position.cards(hand(one.player)) == state.position.cards(hand(one.player))
    return found


TRICKS = """; players: 2
0 start
1 Shuffle
2 Deal(3)
3 {a}=random(2)
4 {e}=0
5 cardsRemaining(player(0))>0 ? 6 : 20
6 playCard(player({a}),card(any,any))
7 {b}=(({a}+1)%2)
8 {c}=suit(middle(player({a})))
9 playerHas(player({b}),card(any,{c})) ? 10 : 12
10 playCard(player({b}),card(any,{c}))
11 rankValue(middle(player({a})))<rankValue(middle(player({b}))) ? 14 : 13
12 playCard(player({b}),card(any,any))
13 {d}={a} -> 15
14 {d}={b}
15 {e}={e}+1
16 {e}>{f} ? 17 : 18
17 score(player({d}))=score(player({d}))+2
18 {a}={d}
19 Stack.empty -> 5
20 end
"""


def test_the_analysis_does_not_hang_on_names() -> None:
    """Weights, conditions and properties: a variable ``played`` is not a card that was played."""
    text = TRICKS.replace("{f}", "1")
    plain = analyse(chart(text, NEUTRAL))
    assert len(plain.heuristics) == 6
    own = ("played", "later", "drawn", "chosen", "unknown", "leavingLoop5")
    for names in [*sixes()[:: 1 if FULL else 4], *((*own[at:], *own[:at]) for at in range(6))]:
        found = analyse(chart(text, names))
        assert _conditions(found) == {
            (weight, way, *(frozenset(renamed(one, names) for one in some) for some in conditions))
            for weight, way, *conditions in _conditions(plain)
        }, names
        assert list(map(str, found.properties)) == [renamed(one, names) for one in plain.properties]


def _conditions(found: ChartAnalysis) -> set[tuple[int, str, frozenset[str], frozenset[str]]]:
    """Weight, way, conditions, and those of them that only the game will show."""
    return {
        (
            one.weight,
            one.path,
            frozenset(map(format_term, one.conditions)),
            frozenset(map(format_term, one.unforeseen)),
        )
        for one in found.heuristics
    }


@pytest.mark.long
def test_the_analysis_by_programs_does_not_hang_on_names() -> None:
    text = TRICKS.replace("{f}", "1")
    plain = analyse_by_asp(chart(text, NEUTRAL))
    for names in [("d", "not", "plus", "is", "main", "nil"), ("s", "l", "none", "a", "b", "played")]:
        found = analyse_by_asp(chart(text, names))
        assert found.paths == plain.paths
        assert found.heuristics == {
            (weight, frozenset(renamed(one, names) for one in conditions))
            for weight, conditions in plain.heuristics
        }


def test_words_of_the_analysis_are_refused_in_charts() -> None:
    for name in sorted(SEATS):
        with pytest.raises(Exception, match=f"reserved.*{name} is a word of the analysis"):
            chart(PLAY, ("za", "zb", "zc", name, "ze", "zf"))
        with pytest.raises(Exception, match=f"{name} is a word of the analysis"):
            chart(PLAY, ("za", "zb", "zc", "zd", "ze", name))
