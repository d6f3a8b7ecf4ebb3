"""Match XML in both dialects: the elements stylesheets look for, and nothing a role may not know."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from ludorum._core import SplitMix64
from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match, Reply
from ludorum.arena.records.role_view import role_view
from ludorum.arena.records.spectator import PublishedMatch, publish
from ludorum.arena.records.xml_dresden import dresden_files, dresden_xml
from ludorum.arena.records.xml_ggp import ggp_files, ggp_xml
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from tests.arena.test_spectator import published, rich_match
from tests.small_games import COIN, coin, door

OFFERED = tuple(map(parse_term, ("(go (to a) b)", "wait")))
LEFT, GUESSER, RANDOM, NOOP = map(parse_term, ("left", "guesser", "random", "noop"))


def test_the_dialect_of_ggp() -> None:
    text = ggp_xml(role_view(published(rich_match()), door()))
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<match>\n<matchId>kiosk.1</matchId>\n')
    root = ElementTree.fromstring(text)
    assert [goal.text for goal in root.findall("goalValues")] == ["100", "100"]
    assert [role.text for role in root.findall("gameRoleNames")] == ["left", "right"]
    assert root.findtext("isCompleted") == "true"
    actions = [[action.text for action in move.findall("action")] for move in root.findall("history/move")]
    assert actions == [["push", "wait"], ["push", "push"]]
    states = root.findall("herstory/state")
    assert len(states) == 3
    facts = [[child.text for child in fact] for fact in states[1].findall("fact")]
    assert facts == [["closed"], ["step", "1"]]
    assert [child.tag for child in states[1].findall("fact")[1]] == ["relation", "argument"]
    errors = [[error.text or "" for error in row] for row in root.findall("errorHistory/errors")]
    assert errors == [["", "CE refused"], ["IL fly", ""], ["TO", ""]]
    assert not [element.tag for element in root if element.tag.startswith("x-")]


def test_a_file_a_state_for_stylesheets_that_draw_all_facts_they_find() -> None:
    match = published(rich_match())
    files = ggp_files(role_view(match, door()))
    assert list(files) == ["match.xml", "step_1.xml", "step_2.xml", "step_3.xml"]
    assert files["step_3.xml"] == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<match>\n<state>\n<fact>\n<relation>open</relation>\n'
        "</fact>\n<fact>\n<relation>step</relation>\n<argument>2</argument>\n</fact>\n</state>\n</match>\n"
    )


def test_the_dialect_of_dresden() -> None:
    view = role_view(published(rich_match()), door(), LEFT)
    files = dresden_files(view, 'style "A".xsl')
    assert list(files) == ["step_1.xml", "step_2.xml", "finalstate.xml"]
    assert files["step_2.xml"] == (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
        '<?xml-stylesheet type="text/xsl" href=\'style "A".xsl\'?>\n'
        '<!DOCTYPE match SYSTEM "viewmatch.dtd">\n'
        "<match>\n<match-id>kiosk.1</match-id>\n<sight-of>LEFT</sight-of>\n<role>LEFT</role>\n"
        "<role>RIGHT</role>\n<player>PLAYER LEFT</player>\n<player>PLAYER RIGHT</player>\n"
        "<timestamp>1600000001000</timestamp>\n<startclock>10</startclock>\n<playclock>0</playclock>\n"
        "<history>\n<step>\n<step-number>1</step-number>\n<move>PUSH</move>\n<move>WAIT</move>\n</step>\n"
        "</history>\n<state>\n<fact>\n<prop-f>CLOSED</prop-f>\n</fact>\n<fact>\n<prop-f>STEP</prop-f>\n"
        "<arg>1</arg>\n</fact>\n</state>\n</match>\n"
    )
    final = ElementTree.fromstring(files["finalstate.xml"])
    assert [reward.text for reward in final.findall("scores/reward")] == ["100", "100"]
    assert final.find("playclock") is None


def test_a_person_who_plays_is_offered_moves() -> None:
    view = role_view(published(rich_match()), door(), LEFT)
    root = ElementTree.fromstring(dresden_xml(view, 0, legal=OFFERED, chosen=Term("wait"), confirmed=True))
    assert [number.text for number in root.findall("legalmoves/move/move-number")] == ["0", "1"]
    nested = root.find("legalmoves/move/move-term/arg")
    assert nested is not None
    assert (nested.findtext("prop-f"), nested.findtext("arg")) == ("TO", "A")
    assert root.findtext("chosenmove/move-term/prop-f") == "WAIT"
    assert root.find("chosenmove/confirmed") is not None


def coin_match(game: ReferenceGame, seed: int) -> PublishedMatch:
    ticks = iter(range(100))
    match = Match(game, seed, match_id="m", now=lambda: next(ticks))
    while not match.is_over:
        match.settle({GUESSER: Reply(match.state.legal(GUESSER)[0])})
    return publish(match.record(), Clocks(1, 1), ("random", "me"), rules=game)


@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall", "krieg_tictactoe", "leduc_poker"])
def test_roles_that_cannot_tell_matches_apart_are_shown_the_same_bytes(name: str) -> None:
    """Non-interference: equal own moves and percepts, equal pages, whatever else happened."""
    game = load_game(name)
    views: dict[object, set[str]] = {}
    hidden: dict[object, set[object]] = {}
    for seed in range(60):
        match = first_steps(game, seed, 2)
        for role in game.info.players:
            record = match.record
            seat = game.roles.index(role)
            known = (
                role,
                tuple(joint[seat] for joint in record.moves),
                tuple(row[seat] for row in record.percepts if row is not None),
            )
            view = role_view(match, game, role)
            pages = "".join((*dresden_files(view).values(), *ggp_files(view).values()))
            views.setdefault(known, set()).add(pages)
            hidden.setdefault(known, set()).add(record.states)
    assert all(len(pages) == 1 for pages in views.values())
    assert any(len(states) > 1 for states in hidden.values())  # there was something to hide


def first_steps(game: Game, seed: int, steps: int) -> PublishedMatch:
    """The first steps of a random match that is not over, under the same name and clock as all others."""
    ticks = iter(range(100))
    match = Match(game, seed, match_id="m", now=lambda: next(ticks))
    chooser = SplitMix64(seed)
    for _ in range(steps):
        legal = {role: match.state.legal(role) for role in game.info.players}
        moves = {role: own[chooser.below(len(own))] for role, own in legal.items()}
        match.settle({role: Reply(move) for role, move in moves.items()})
        if match.is_over:
            match.take_back()
            break
    return publish(match.record(), Clocks(1, 1), tuple(map(str, game.roles)), rules=game)


def test_nature_and_onlookers_see_all() -> None:
    game = coin()
    match = coin_match(game, 0)
    for role in (None, RANDOM):
        text = dresden_xml(role_view(match, game, role), 1)
        assert "<sight-of>RANDOM</sight-of>" in text
        assert "<move>(TOSS " in text
        assert "<prop-f>COIN</prop-f>" in text


def test_rules_choose_what_a_page_shows() -> None:
    rules = COIN + "(<= (sees_xml guesser (at ?p)) (true (phase ?p)))"
    game = ReferenceGame(parse_kif(rules), "coin")
    view = role_view(coin_match(game, 1), game, GUESSER)
    root = ElementTree.fromstring(dresden_xml(view, 1))
    facts = [[child.text for child in fact] for fact in root.findall("state/fact")]
    assert facts == [["AT", "CALL"]]


def test_only_the_own_goal_is_told_where_things_are_hidden() -> None:
    game = coin()
    view = role_view(coin_match(game, 2), game, GUESSER)
    final = ElementTree.fromstring(dresden_files(view)["finalstate.xml"])
    rewards = [reward.text for reward in final.findall("scores/reward")]
    assert rewards[0] is None
    assert rewards[1] in ("0", "100")


def test_signs_that_xml_cannot_hold() -> None:
    odd = replace(published(rich_match()), player_names=("a<b>&\x00\ud800", "ä€😀"))
    view = role_view(odd, door())
    for text in (ggp_xml(view), dresden_xml(view, 0)):
        assert text.isascii()
        root = ElementTree.fromstring(text)
        names = [element.text for element in root if element.tag in ("player", "playerNamesFromHost")]
        assert [name.lower() for name in names if name] == ["a<b>&\ufffd\ufffd", "ä€😀"]


def test_a_role_that_is_none() -> None:
    with pytest.raises(GameError, match="has no role 'nobody'"):
        role_view(published(rich_match()), door(), Term("nobody"))
