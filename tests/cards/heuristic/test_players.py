"""The players by their names: matches from percepts alone, explanations, limits, and how they compare."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ludorum._core import SplitMix64
from ludorum.arena.tournament.statistics import wilson_interval
from ludorum.cards.heuristic import USUAL, CardDecision, HeuristicThinker, ThinkingConfig
from ludorum.cards.heuristic.explain import explain
from ludorum.cards.language.terms import Term, format_term
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.reasons import NeedMove
from ludorum.cards.worlds import World
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.engine.game import RANDOM
from ludorum.engine.sight import Position
from ludorum.experiments.paired import BLOCK, PairedStanding, compare, paired_games, play_game, sweep_worlds
from ludorum.players import Player, make_player, player_names
from tests.cards.heuristic.tables import CRAZY_EIGHTS, KINGS_AND_JACKS, TRUMPS, asked, table


class Watched(Player):
    """Asks another player and notes whether all it said was legal; nobody hands it a hidden state."""

    def __init__(self, inner: Player) -> None:
        self.inner, self.name, self.choices = inner, inner.name, 0

    def choose(self, position: Position, seconds: float) -> Term:
        assert position.state is None or position.state.joint is None
        move = self.inner.choose(position, seconds)
        assert move in position.legal
        self.choices += len(position.legal) > 1
        return move


@pytest.mark.spec("card-games-fcdl", 63)
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card"])
@pytest.mark.parametrize("pair", [("hyper_heur", "random"), ("card_greedy", "hyper_heur")])
def test_all_players_play_legal_full_games(name: str, pair: tuple[str, str]) -> None:
    game = load_card_game(name)
    players = {
        role: Watched(make_player(f"{who}:n_worlds=3" if who != "random" else who, at))
        for at, (role, who) in enumerate(zip(game.players, pair, strict=True))
    }
    end = play_game(game, dict(players), deal=5)
    assert end.is_terminal
    assert all(one.choices for one in players.values())
    assert {"random", "hyper_heur", "card_greedy"} <= set(player_names())


def test_settings_are_those_of_the_thinking() -> None:
    player = make_player("hyper_heur:n_worlds=3,role_mismatch=count_one")
    assert player.config == replace(USUAL, n_worlds=3, role_mismatch="count_one")  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no setting 'worlds'"):
        make_player("hyper_heur:worlds=3")
    with pytest.raises(ValueError, match="role_mismatch is one of"):
        make_player("hyper_heur:role_mismatch=never")


def _worlds(count: int) -> list[World]:
    """Worlds of kings and jacks in which the eight of hearts was led."""
    found = []
    for number in range(count):
        other = ["8h", f"{2 + number}s", f"{3 + number}d"]
        start = table(KINGS_AND_JACKS, [["9h", "qh", "5c"], other], {"leader": "1"})
        found.append(World(asked(KINGS_AND_JACKS, start, "8h"), 1 / count))
    return found


@pytest.mark.spec("card-games-fcdl", 62)
def test_a_time_limit_ends_the_thinking_after_one_world_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = _worlds(6)

    def seen(config: ThinkingConfig) -> int:
        return len(HeuristicThinker(KINGS_AND_JACKS, config).decide_in(worlds, 0).worlds)

    assert seen(USUAL) == 6
    assert seen(replace(USUAL, time_limit=0.0)) == 1
    # A clock that goes on by a second whenever somebody looks: three looks are allowed.
    clock = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    assert seen(replace(USUAL, time_limit=3.0)) == 3


@pytest.mark.spec("card-games-fcdl", 62)
def test_as_many_worlds_are_looked_at_as_wanted() -> None:
    knowledge, options = _first_choice(TRUMPS, seed=3)
    for count in (1, 7):
        config = replace(USUAL, n_worlds=count)
        assert len(HeuristicThinker(TRUMPS, config).decide(knowledge, options).worlds) == count


def _first_choice(game: CardGame, seed: int) -> tuple[Knowledge, tuple[Term, ...]]:
    """What the player knows who is asked first in a game."""
    nature = SplitMix64(seed)
    states: list[CardState] = [game.initial()]
    while not isinstance(states[-1].reason, NeedMove):
        draws = states[-1].legal(RANDOM)
        drawn = draws[nature.below(len(draws))]
        noops = [states[-1].legal(role)[0] for role in game.players]
        states.append(states[-1].play((*noops, drawn)))
    reason = states[-1].reason
    assert isinstance(reason, NeedMove)
    return Knowledge.after(states, reason.player), reason.options


@pytest.mark.spec("card-games-fcdl", 65)
def test_a_decision_tells_its_worlds_values_and_instances() -> None:
    thinker = HeuristicThinker(KINGS_AND_JACKS, USUAL)
    decision = thinker.decide_in(_worlds(3), 0, why=True)
    told = explain(thinker.judge, decision)
    data = json.loads(json.dumps(told.as_json()))
    assert data["option"] == format_term(decision.option)
    assert len(data["worlds"]) == 3
    assert data["worlds"][1]["hands"] == {"1": ["card(4,diamonds)", "card(3,spades)"]}
    assert set(data["values"]) == {"card(9,hearts)", "card(queen,hearts)"}
    for option in data["values"]:  # the mean of the worlds, and what was reached plus all shares in each
        each = [world["values"][option] for world in data["worlds"]]
        assert data["values"][option] == pytest.approx(sum(each) / 3)
        for number, value in enumerate(each):
            shares = [
                one["share"]
                for one in data["instances"]
                if one["world"] == number and one["option"] == option
            ]
            assert sum(shares) == pytest.approx(value)  # nobody has lost anything yet
    words = told.in_words()
    assert "3 possible worlds" in words
    assert "potential model: [card(3,diamonds), card(2,spades)]" in words
    assert f"{format_term(decision.option)}: {decision.values[decision.option]}" in words
    with pytest.raises(ValueError, match="why=True"):
        explain(thinker.judge, thinker.decide_in(_worlds(2), 0))


@pytest.mark.spec("card-games-fcdl", 65)
def test_the_only_move_needs_no_worlds() -> None:
    thinker = HeuristicThinker(TRUMPS)
    decision = CardDecision(0, Term("pass"), {}, (), 0.0)
    assert explain(thinker.judge, decision).in_words() == "pass is the only move."


def test_the_same_seed_decides_the_same() -> None:
    knowledge, options = _first_choice(TRUMPS, seed=4)
    first, second = (HeuristicThinker(TRUMPS, USUAL, seed=9).decide(knowledge, options) for _ in range(2))
    assert (first.option, first.values) == (second.option, second.values)


@pytest.mark.alone
def test_a_move_with_twenty_worlds_takes_under_a_fifth_of_a_second() -> None:
    knowledge, options = _first_choice(TRUMPS, seed=5)
    assert len(options) == 7
    thinker = HeuristicThinker(TRUMPS)
    begin = time.process_time()
    decision = thinker.decide(knowledge, options)
    assert time.process_time() - begin < 0.2
    assert len(decision.worlds) == 20


@pytest.mark.spec("card-games-fcdl", 68)
def test_every_deal_is_played_from_every_seat_with_the_same_cards() -> None:
    rows = list(paired_games(TRUMPS, "legal", "random", deals=3, seed=1))
    assert [(deal, seat) for deal, seat, _ in rows] == [(at // 2, at % 2) for at in range(6)]
    assert rows == list(paired_games(TRUMPS, "legal", "random", deals=3, seed=1))
    ends = [play_game(TRUMPS, _pair(seat), deal=77) for seat in (0, 1)]
    dealt = [_dealt(end) for end in ends]  # type: ignore[arg-type]
    assert dealt[0] == dealt[1]
    # A player against itself: what one seat wins, the other loses, deal by deal.
    for deal in range(2):
        points = [one for number, _, one in paired_games(TRUMPS, "legal", "legal", 2, 3) if number == deal]
        assert sum(points) == 1


def _pair(seat: int) -> dict[Term, Player]:
    names = ("legal", "random") if seat == 0 else ("random", "legal")
    return {role: make_player(name, 3) for role, name in zip(TRUMPS.players, names, strict=True)}


def _dealt(end: CardState) -> frozenset[Term]:
    """All cards that were played: the dealt ones."""
    return frozenset(end.position.cards(Term("discard")))


@pytest.mark.spec("card-games-fcdl", 68)
def test_standings_count_draws_half_and_say_how_sure_they_are() -> None:
    standing = PairedStanding([1.0] * 60 + [0.5] * 20 + [0.0] * 20)
    assert standing.share == 0.7
    assert standing.interval == pytest.approx((0.6042, 0.7811), abs=1e-4)  # Wilson, 70 of 100
    assert standing.as_json()["drawn"] == 20
    halves = PairedStanding([1.0] * BLOCK + [0.0] * BLOCK)
    assert halves.deviation == pytest.approx(0.5**0.5)


WORLDS = [1, 2, 5, 10, 20, 40, 80]


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 69)
def test_a_sweep_looks_at_as_many_worlds_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deals for every number of worlds, and the points are those of the games."""
    looked: list[int] = []
    decide = HeuristicThinker.decide

    def watched(self: HeuristicThinker, *args: object, **more: object) -> CardDecision:
        found: CardDecision = decide(self, *args, **more)  # type: ignore[arg-type]
        looked.append(len(found.worlds))
        return found

    monkeypatch.setattr(HeuristicThinker, "decide", watched)
    seen = {}
    for count, standing in sweep_worlds(TRUMPS, "hyper_heur:time_limit=60", "random", WORLDS, 1, seed=1):
        seen[count], looked[:] = max(looked), []
        if count <= 2:
            own = f"hyper_heur:time_limit=60,n_worlds={count}"
            again = [points for _, _, points in paired_games(TRUMPS, own, "random", 1, seed=1)]
            assert standing.points == again
            looked.clear()
    assert seen == {count: count for count in WORLDS}


@pytest.mark.spec("card-games-fcdl", 69)
def test_the_table_of_worlds_has_a_rate_and_a_deviation_for_1_to_80_worlds() -> None:
    """As it was measured, and as the page shows it; the first block of one row is played again."""
    root = Path(__file__).parents[3]
    sweeps = json.loads((root / "bench" / "results" / "cards-strength.json").read_text())["sweeps"]
    page = (root / "docs" / "cards-strength.md").read_text(encoding="utf-8")
    assert set(sweeps) == {f"{game}: hyper_heur v random" for game in ("trumps", "kings_and_jacks")}
    for title, rows in sweeps.items():
        shown = page.partition(f"{title}, by the number of worlds:")[2].split("\n\n")[1].splitlines()[2:]
        assert sorted(map(int, rows)) == WORLDS
        for count, line in zip(WORLDS, shown, strict=True):
            row = rows[str(count)]
            assert row["games"] >= 200
            assert row["won"] + row["drawn"] + row["lost"] == row["games"]
            assert row["share"] == (row["won"] + row["drawn"] / 2) / row["games"]
            assert row["wilson"] == pytest.approx(
                wilson_interval(row["share"] * row["games"], row["games"]), abs=1e-4
            )
            assert 0 < row["deviation"] < 0.2
            low, high = row["wilson"]
            assert line == (
                f"| {count} | {row['share']:.1%} | {low:.1%} to {high:.1%} "
                f"| {row['deviation']:.3f} | {row['games']} |"
            )


@pytest.mark.long
def test_crazy_eights_is_played_ahead_of_random() -> None:
    standing = compare(CRAZY_EIGHTS, "hyper_heur:n_worlds=3", "random", deals=8, seed=2)
    assert standing.interval[0] > 0.5


def test_players_of_charts_say_so_in_other_games() -> None:
    from ludorum.engine.load import load_game

    game = load_game("tictactoe")
    with pytest.raises(ValueError, match="flow charts"):
        make_player("hyper_heur").start(game, game.info.players[0], 1.0)
