"""What every WDL game of the library promises, and what its own rules say."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.load import load_game
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.library import find_sheet, wdl_sheets
from ludorum.rules.logic_sheets import faults_of, read_wdl_sheet
from ludorum.rules.source import Severity
from ludorum.rules.terms import Term
from ludorum.rules.wdl.modules import own_modules
from ludorum.rules.wdl.views import seen_move
from tests.games.wdl_play import facts, master_of, random_match
from tests.rules.wdl.sheets import sheet_of

NAMES = [sheet.name for sheet in wdl_sheets()]
BANK, PLAYER = Term("bank"), Term("player")
VALUES = {
    "backgammon": {0, 33, 66, 100},
    "auction": {0, 33, 50, 100},
    "wolf_and_rabbit": {0, 50, 100},
    "five_dice": {0, 50, 100},
    "bazaar": {0, 15, 30, 50, 70, 85, 100},
    "forecast": {0, 20, 50, 100},
}
"""All goal values of games; of the others one player has 100 at most, and the rest 0."""
MANY_WIN = {"bazaar", "forecast"}
"""Games in which nobody loses what others get."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name == "five_dice" else name for name in NAMES]
)
def test_headers_and_rules_are_without_fault(name: str) -> None:
    sheet = find_sheet(name)
    assert sheet.info.title
    assert sheet.info.rules.count(".") >= 2
    assert sheet.info.players == len(read_wdl_sheet(sheet)[0].roles)
    assert [str(fault) for fault in faults_of(sheet) if fault.severity is Severity.ERROR] == []


@pytest.mark.spec("wdl", 20)
def test_black_jack_negates_what_is_hidden() -> None:
    sheet = find_sheet("black_jack")
    found = [fault for fault in faults_of(sheet) if fault.code == "W11"]
    text = sheet.source.text
    assert "(dealt ?card)" in [text[fault.span.start : fault.span.end] for fault in found]
    assert {fault.severity for fault in found} == {Severity.WARNING}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_random_matches_end_with_one_goal_for_each(name: str) -> None:
    game = load_game(name, "compiled")
    found = game.playouts(10_000, seed=1)
    players = [at for at, role in enumerate(game.roles) if role in game.info.players]
    goals = found.goals[:, players]
    assert set(goals.flatten().tolist()) == VALUES.get(name, {0, 100})
    assert name in MANY_WIN or int(goals.sum(axis=1).max()) <= 100


@pytest.mark.spec("wdl", 38)
def test_modules_have_a_die_and_a_pack_of_cards() -> None:
    for name in ("dicing", "boardgames:dicing"):
        rules = sheet_of(f"(include {name})").master.rules
        assert [str(rule) for rule in rules] == [f"(random {name}:dice 1 {face})" for face in range(1, 7)]
    for name in ("carddeck", "cards:carddeck"):
        rules = sheet_of(f"(include {name})").master.rules
        counts = Counter(rule.signature for rule in rules)
        assert counts == {(f"{name}:card", 3): 52, (f"{name}:succ", 2): 12}
        assert len({rule.head.args[0] for rule in rules if rule.head.arity == 3}) == 52
    assert own_modules().is_dir()


@pytest.mark.parametrize(("steps", "count"), [("beside", 2 * 2 * 7 * 8), ("corner", 4 * 7 * 7)])
def test_a_module_has_the_steps_on_a_board(steps: str, count: int) -> None:
    pairs = f"(<= (init (step ?a ?b ?c ?d)) (boardgames:grid:{steps} ?a ?b ?c ?d))"
    reached = "(<= (init (around ?a ?b ?c ?d)) (boardgames:grid:around ?a ?b ?c ?d))"
    found = WdlMaster(sheet_of(f"(include boardgames:grid) (role ann) {pairs} {reached}")).initial()
    rows = [tuple(map(int, row)) for row in facts(found, "step")]
    assert len(rows) == count
    far = 1 if steps == "beside" else 2
    assert all(abs(a - c) + abs(b - d) == far and {a, b, c, d} <= set(range(1, 9)) for a, b, c, d in rows)
    assert len(facts(found, "around")) == 420


# --- black jack --------------------------------------------------------------------------------------------

WORTH = {"ace": 11, "king": 10, "queen": 10, "jack": 10}


def points_of(card: str) -> int:
    names = {"a": "ace", "k": "king", "q": "queen", "j": "jack", "t": "10"}
    rank = names.get(card[-1], card[-1])
    return WORTH.get(rank) or int(rank)


@pytest.mark.spec("wdl", 46)
def test_black_jack_deals_each_card_once_counts_points_and_has_one_winner_at_most() -> None:
    master, rng = master_of("black_jack"), Random(2)
    results: Counter[tuple[int, int]] = Counter()
    for _ in range(60):
        steps = random_match(master, rng)
        for state, _ in steps:
            held = [(who, card.split(":")[-1]) for who, card in facts(state, "hascard")]
            assert len({card for _, card in held}) == len(held)
            for who, number in facts(state, "points"):
                assert int(number) == sum(points_of(card) for one, card in held if one == who)
        last = steps[-1][0]
        points = {who: int(count) for who, count in facts(last, "points")}
        goals = {role: [int(value.name) for value in values] for role, values in master.goals(last).items()}
        assert all(len(values) == 1 for values in goals.values())
        results[goals[BANK][0], goals[PLAYER][0]] += 1
        bank, player = points["bank"], points["player"]
        wins_bank = bank <= 21 and (player > 21 or player <= bank)
        wins_player = player <= 21 and (bank > 21 or player > bank)
        assert (goals[BANK][0], goals[PLAYER][0]) == (100 * wins_bank, 100 * wins_player)
    assert set(results) == {(100, 0), (0, 100), (0, 0)}


@pytest.mark.spec("wdl", 18)
def test_a_card_of_black_jack_is_told_to_its_receiver_alone() -> None:
    master = master_of("black_jack")
    state = master.initial()
    (move,) = master.legal(state, BANK)
    assert str(move) == "(get (visible bank getcard))"
    assert len(master.resolutions(state, move)) == 52
    made, draws = master.resolve(state, move, Random(4))
    card = draws[0].event
    assert str(seen_move(made, BANK)) == f"(get {card})"
    assert str(seen_move(made, PLAYER)) == "get"
    later = master.after(state, {BANK: made, PLAYER: Term("wait")})
    (second,) = master.legal(later, PLAYER)
    assert len(master.resolutions(later, second)) == 51


@pytest.mark.spec("wdl", 11)
def test_an_event_is_no_move() -> None:
    master = master_of("pig")
    state = master.initial()
    legal = [str(move) for move in master.legal(state, Term("red"))]
    assert legal == ["(roll boardgames:dicing:dice)"]
    assert "(roll 6)" not in legal
    game = load_game("pig")
    start = game.initial()
    with pytest.raises(IllegalMoveError, match="roll 6"):
        start.play(["(roll 6)", "wait", *(start.legal(role)[0] for role in game.info.chance_roles)])


def test_wrong_points_cannot_be_sent() -> None:
    master, rng = master_of("black_jack"), Random(3)
    state = random_match(master, rng)[-2][0]
    assert facts(state, "phase") == [("finished",)]
    sent = {one[0]: one[1] for one in facts(state, "points")}
    for role in master.roles:
        assert [str(move) for move in master.legal(state, role)] == [f"(send {sent[str(role)]})"]


# --- pig ---------------------------------------------------------------------------------------------------


def test_pig_counts_what_is_rolled_and_loses_it_with_a_one() -> None:
    master, rng = master_of("pig"), Random(5)
    for _ in range(20):
        heap, scores = 0, {"red": 0, "blue": 0}
        for state, moves in random_match(master, rng):
            for role, move in moves.items():
                if move.name == "roll":
                    heap = 0 if str(move.args[0]) == "1" else min(30, heap + int(str(move.args[0])))
                elif move.name == "hold":
                    scores[str(role)] = min(30, scores[str(role)] + heap)
                    heap = 0
            assert facts(state, "heap") == [(str(heap),)]
            assert facts(state, "score") == sorted((who, str(score)) for who, score in scores.items())
