"""Players by name: settings, recipe files, and third parties who register an entry point."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum.engine.load import load_game
from ludorum.engine.sight import position_of
from ludorum.players import Player, describe_players, make_player, player_names, split_names
from ludorum.rules.kif import parse_term

XPLAYER = parse_term("xplayer")


def test_names_and_settings_between_commas() -> None:
    assert split_names("a,b") == ["a", "b"]
    assert split_names("mcts:batch=1,nodes=9,random") == ["mcts:batch=1,nodes=9", "random"]
    assert split_names("mcts:x=1,mcts:y=2") == ["mcts:x=1", "mcts:y=2"]
    assert split_names("mcts:x=1,me=http://a:1, b") == ["mcts:x=1", "me=http://a:1", "b"]


def test_our_own_players_have_names_and_sentences() -> None:
    assert player_names()[:3] == ["legal", "random", "greedy"]
    assert {"mcts", "alphabeta", "champion"} <= set(player_names())
    assert all(describe_players()[name] for name in player_names() if name in describe_players())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("deep", "no player 'deep'; there are legal, random, greedy, legal_knower, alphabeta"),
        ("random:depth=2", "player 'random' has no settings"),
        (
            "mcts:moon=2",
            "player 'mcts' has no setting 'moon'; there are .*exploration, .*nodes, ",
        ),
        ("mcts:exploraton=2", r"has no setting 'exploraton'; did you mean exploration\? there are batch, "),
        (
            "mcts:playout=2",
            r"'playout'; did you mean playouts or playouts_per_leaf\? there are ",
        ),
        ("card_mind:playout=2", r"'card_mind' has no setting 'playout'; did you mean playouts\? there are "),
        ("card_greedy:n_world=2", r"'card_greedy' has no .* 'n_world'; did you mean n_worlds\? there are "),
        ("mcts:fast", "settings are written key=value, not 'fast'"),
        ("mcts:playouts=many", "playouts is a whole number, not 'many'"),
        ("none.toml", r"none\.toml: No such file"),
    ],
)
def test_wrong_names_are_refused_with_the_reason(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(name)


def test_a_recipe_file_is_a_player(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n[[part]]\nuse = "mcts"\nsettings = { exploration = 0.5 }\n')
    player = make_player(f"{path}:playouts=50")
    assert player.name == "mine"
    state = load_game("tictactoe").initial()
    assert player.choose(position_of(state, XPLAYER), 5.0) in state.legal(XPLAYER)


def test_a_recipe_with_an_unknown_method_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text('name = "odd"\n[[part]]\nuse = "magic"\n')
    with pytest.raises(ValueError, match="no method 'magic'; there are alphabeta"):
        make_player(str(path))


THIRD_PARTY = """
from ludorum.players import Player

class Last(Player):
    name = "last"
    def __init__(self, seed):
        self.seed = seed
    def choose(self, position, seconds):
        return position.legal[-1]

def broken(seed):
    raise RuntimeError("no licence")
"""


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that registers players."""
    (tmp_path / "last_player.py").write_text(THIRD_PARTY)
    folder = tmp_path / "last_player-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: last-player\nVersion: 1.0\n")
    points = "last = last_player:Last\nbroken = last_player:broken\nodd = last_player:dict\n"
    (folder / "entry_points.txt").write_text(f"[ludorum.players]\n{points}")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("third_party")
def test_a_third_party_registers_a_player() -> None:
    assert player_names()[-3:] == ["broken", "last", "odd"]
    player = make_player("last", 4)
    assert isinstance(player, Player)
    state = load_game("tictactoe").initial()
    assert player.choose(position_of(state, XPLAYER), 1.0) is state.legal(XPLAYER)[-1]


@pytest.mark.usefixtures("third_party")
@pytest.mark.long
def test_a_broken_third_party_is_named() -> None:
    with pytest.raises(ValueError, match=r"player 'broken' \(last_player:broken\) cannot be made: no lic"):
        make_player("broken")
    with pytest.raises(ValueError, match=r"player 'odd' \(last_player:dict\)"):
        make_player("odd")
