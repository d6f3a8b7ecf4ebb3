"""Pages and files for a role: what it may not know changes no byte of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import ErrorCode, Match
from ludorum.arena.records.publisher import Publisher, write_record
from ludorum.arena.records.role_view import role_view
from ludorum.arena.records.spectator import PublishedMatch, publish
from ludorum.arena.records.xml_dresden import dresden_files
from ludorum.arena.records.xml_ggp import ggp_files
from ludorum.cli.app import app
from ludorum.cli.replay_data import match_data
from ludorum.cli.replay_frames import as_seen_by, make_reel
from ludorum.cli.replay_html import replay_page
from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.rules.terms import Term, format_term
from tests.arena.protocol.test_non_interference import GAMES, game_of, moves_of, pairs
from tests.cli.random_matches import played


def published(game: Game, role: Term, line: list[State], seed: int) -> PublishedMatch:
    """A line as a record; whoever else plays has made other mistakes in every one."""
    match = Match(game, seed, match_id="m1", now=lambda: 1000.0)
    for joint in moves_of(line):
        for other in game.info.players:
            if other is not role:
                match.note(other, ErrorCode.ILLEGAL, f"secret {seed}")
        match._append(joint)
    return publish(match.record(), Clocks(1, 1), ("somebody",) * len(game.roles), rules=game)


@pytest.mark.parametrize("name", ["coin", "trumps", "go_fish", *GAMES])
def test_what_a_role_may_not_know_changes_no_byte_of_its_pages(name: str) -> None:
    game = game_of(name)
    compared = 0
    for role in game.info.players:
        pair = next(pairs(game, role), None)
        if pair is None:
            continue
        if pair[0][-1].is_terminal or pair[1][-1].is_terminal:
            # At its end a match tells its scores; what led there is still hidden.
            pair = (pair[0][:-1], pair[1][:-1])
        if moves_of(pair[0]) == moves_of(pair[1]):
            continue
        compared += 1
        one, two = (published(game, role, line, seed) for seed, line in enumerate(pair))
        assert one != two
        for files in (dresden_files, ggp_files):
            assert files(role_view(one, game, role)) == files(role_view(two, game, role))
        own = format_term(role)
        seen = [as_seen_by(make_reel(match, game), game, own) for match in (one, two)]
        assert match_data(seen[0]) == match_data(seen[1])
        assert replay_page(seen[0]) == replay_page(seen[1])
    assert compared or name == "monty_hall"


def test_a_record_that_breaks_its_rules_is_shown_to_no_role() -> None:
    match, game = played("kuhn_poker"), load_game("kuhn_poker")
    states = match.record.states
    broken = replace(match, record=replace(match.record, states=(*states[:2], states[1], *states[3:])))
    reel = make_reel(broken, game)
    (everything,) = match_data(reel)["views"]
    assert everything["role"] is None
    with pytest.raises(ValueError, match="the record breaks the rules, so what bob saw cannot be told"):
        match_data(as_seen_by(reel, game, "bob"))


def test_the_comparison_can_fail() -> None:
    game = game_of("coin")
    role = game.roles[1]
    one, two = next(pairs(game, role))
    first, second = published(game, role, one, 0), published(game, role, two, 1)
    everything = [replay_page(make_reel(match, game)) for match in (first, second)]
    assert everything[0] != everything[1]
    renamed = replace(first, player_names=("a", "b"))
    assert dresden_files(role_view(renamed, game, role)) != dresden_files(role_view(first, game, role))


def test_what_is_shown_of_a_match_that_goes_on_does_not_tell_what_nature_will_draw(tmp_path: Path) -> None:
    """Whoever knows the seed knows the dice to come."""
    seed, game = 987_654_321, load_game("tictactoe")
    match = Match(game, seed, match_id="m1")
    match.play({role: match.state.legal(role)[0] for role in game.roles})
    file = tmp_path / "match.json"
    write_record(Publisher(Clocks(1, 1), ("a", "b")).version(match), file)
    assert str(seed) in file.read_text()  # the host's own file: it could not go on without
    shown = [CliRunner().invoke(app, ["replay", str(file), *words]).output for words in ([], ["--json"])]
    page, folder = tmp_path / "match.html", tmp_path / "xml"
    assert CliRunner().invoke(app, ["replay", str(file), "--html", str(page)]).exit_code == 0
    assert CliRunner().invoke(app, ["replay", str(file), "--xml", str(folder)]).exit_code == 0
    shown += [path.read_text() for path in (page, *folder.rglob("*.xml"))]
    assert len(shown) > 4
    assert not [text for text in shown if str(seed) in text]
