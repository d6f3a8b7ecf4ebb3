"""A player whose method fails goes on by the next best one, never by chance, and says so."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import START, ErrorCode, Match
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.spectator import published_json
from ludorum.arena.tournament import Played, TournamentPlan
from ludorum.arena.tournament.report import report_page
from ludorum.arena.tournament.result import SeatFault
from ludorum.arena.tournament.summary import summarise
from ludorum.cards.heuristic import HeuristicThinker
from ludorum.cards.machine.game import CardGame
from ludorum.cards.mind.mind import CardMind
from ludorum.cli.arena_text import result_text
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.players import Player, RandomPlayer, make_player
from ludorum.players.card_player import CardPlayer
from ludorum.players.searching import SearchPlayer
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.decision import Decision, Follower, Searcher
from tests.arena.test_spectator import published
from tests.arena.tournament.plans import DUEL, names, pretend


class Unanalysed(CardGame):
    """A chart whose analysis fails."""


class Undecided(CardGame):
    """A chart of which nothing can be decided."""


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minds of these charts fail; those of others think."""

    def mind(game: CardGame, role: Term, seed: int) -> Follower:
        if isinstance(game, Unanalysed):
            raise KeyError("no analysis of this chart")
        found = CardMind(game, role, seed)
        return Stumbling(found) if isinstance(game, Undecided) else found

    monkeypatch.setattr("ludorum.cards.mind.mind.CardMind", mind)


class Stumbling:
    def __init__(self, follower: Follower) -> None:
        self._follower = follower

    def observe(self, percepts: Iterable[Term], move: Term | None) -> None:
        self._follower.observe(percepts, move)

    def decide(self, budget: Budget) -> Decision:
        raise ZeroDivisionError("of all worlds")


class Unthinking(CardPlayer):
    """A player whose pseudo-heuristics cannot be made."""

    def _make_thinker(self, game: CardGame) -> HeuristicThinker:
        raise KeyError("no analysis of this chart")


def chart(kind: type[CardGame]) -> CardGame:
    game = load_game("higher_card")
    assert isinstance(game, CardGame)
    return kind(game.chart, game.name, game.machine.config)


def played(game: Game, player: Player, seconds: float) -> Match:
    first, *others = game.info.players
    players = {first: player} | {role: RandomPlayer(2) for role in others}
    return play_match(Match(game, 3), players, 60.0, start_seconds=seconds)


SAID = "plays by plain search over worlds: KeyError: 'no analysis of this chart'"


@pytest.mark.parametrize("seconds", [0.0, 60.0])
@pytest.mark.parametrize("name", ["champion:playouts=20", "mcts:playouts=20"])
def test_a_champion_without_an_analysis_searches_worlds(name: str, seconds: float) -> None:
    player = make_player(name, 1)
    match = played(chart(Unanalysed), player, seconds)
    assert [(fault.step, fault.code, fault.text) for fault in match.faults] == [
        (START, ErrorCode.FALLBACK, f"{player.name} {SAID}")
    ]
    assert match.errors[0][0] == f"FB {player.name} {SAID}"
    assert match.replaced == 0
    assert match.is_over
    assert record_faults(published_json(published(match))) == []
    again = Match.resumed(chart(CardGame), match.record())
    assert again.faults == match.faults


@pytest.mark.long
def test_the_world_search_finds_what_is_best() -> None:
    """The highest card of a hand wins the most; by chance it would be played once in a while."""
    game = chart(Unanalysed)
    match = Match(game, 3)
    role = game.info.players[0]
    player = make_player("champion:playouts=300", 1)
    player.start(game, role, 0.0)
    while len(match.state.legal(role)) < 2:
        player.observe(position_of(match.state, role))
        match.play({one: match.state.legal(one)[0] for one in game.info.players})
    sound = make_player("champion:playouts=300", 1)
    sound.start(chart(CardGame), role, 0.0)
    for state in match.states[:-1]:
        sound.observe(position_of(state, role))
    position = position_of(match.state, role)
    assert player.choose(position, 60.0) is sound.choose(position, 60.0)
    assert player.decision is not None
    assert player.decision.playouts == 300
    assert (player.fallback, sound.fallback) == (SAID, "")


def test_a_player_that_fails_later_goes_on_with_all_it_has_heard() -> None:
    player = make_player("champion:playouts=20", 1)
    match = played(chart(Undecided), player, 0.0)
    (fault,) = match.faults
    assert fault.text == "champion plays by plain search over worlds: ZeroDivisionError: of all worlds"
    assert (fault.code, fault.step > 0, match.is_over) == (ErrorCode.FALLBACK, True, True)


@pytest.mark.long
def test_pseudo_heuristics_that_cannot_be_made_are_replaced() -> None:
    match = played(chart(CardGame), Unthinking(1), 0.0)
    (fault,) = match.faults
    assert (fault.step, fault.code, fault.text) == (START, ErrorCode.FALLBACK, f"hyper_heur {SAID}")
    assert match.is_over


class Failing:
    """A searcher that fails at its first question."""

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        raise ArithmeticError("no sum")

    def forget(self) -> None:
        pass


def broken(game: Game, role: Term, seconds: float) -> Searcher:
    raise MemoryError("too large")


@pytest.mark.parametrize(
    ("make", "why"), [(broken, "MemoryError: too large"), (lambda *_: Failing(), "ArithmeticError: no sum")]
)
@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_a_search_that_fails_is_replaced_by_tree_search(make: object, why: str, seconds: float) -> None:
    game = load_game("tictactoe")
    state = game.parse_state(
        "((cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b)"
        " (cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control xplayer))"
    )
    player = SearchPlayer("odd", make, 1, Budget(playouts=200))  # type: ignore[arg-type]
    player.start(game, game.roles[0], seconds)
    assert str(player.choose(position_of(state, game.roles[0]), 60.0)) == "(mark 1 3)"
    assert player.fallback == f"plays by Monte Carlo tree search: {why}"


def fell_back(seat: int) -> SeatFault:
    return SeatFault(START, seat, ErrorCode.FALLBACK, f"p0 {SAID}")


def test_tournaments_tell_of_players_that_fell_back() -> None:
    plan = TournamentPlan((DUEL,), names(2), 2)
    rounds, results = pretend(plan, lambda fixture: (100, 0))
    fixtures = tuple(rounds[0])
    told = {
        one.match_id: replace(results[one.match_id], faults=(fell_back(one.players.index("p0")),))
        for one in fixtures
    }
    summary = summarise(Played(plan, fixtures, told))
    note = f"Not by its own method in 2 matches: p0 {SAID}"
    assert summary.notes == [note]
    assert summary.lapses == ()
    assert json.loads(json.dumps(summary.as_json()))["notes"] == [note]
    assert note in result_text(summary)
    assert "faults;" not in result_text(summary)
    assert "Not by its own method in 2 matches" in report_page(summary)
