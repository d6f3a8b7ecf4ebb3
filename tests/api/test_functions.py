"""The functions of the package take names and texts, and what they return shows itself in notebooks."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludorum
from ludorum.api.check import CheckReport
from ludorum.engine.errors import GameError
from ludorum.rules.terms import Term

FORGED = """
(role <b>) (init (at 1)) (legal <b> &lt)
(<= (next (at 2)) (does <b> &lt)) (<= terminal (true (at 2))) (goal <b> 50)
"""


def rows(shown: object) -> list[list[str]]:
    """The cells of the tables that an object shows in a notebook; well-formed, or this fails."""
    tree = ElementTree.fromstring(shown._repr_html_())  # type: ignore[attr-defined]
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]


def title(shown: object) -> str:
    tree = ElementTree.fromstring(shown._repr_html_())  # type: ignore[attr-defined]
    return tree.findtext("div/strong") or ""


def test_a_solution_shows_values_and_moves() -> None:
    found = ludorum.solve_game("nim", role="left")
    assert title(found) == "nim: solved"
    assert rows(found)[0] == ["value for left", str(found.values[Term("left")])]
    assert found.mover is not None
    assert ["best for left", " ".join(map(str, found.best))] in rows(found)


def test_a_state_is_solved_from_its_text() -> None:
    game = ludorum.load_game("tictactoe", "compiled")
    state = game.initial()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state = state.play({"xplayer" if move[6] == "1" else "oplayer": move})
    found = ludorum.solve_game(game, state=str(state))
    assert found.values[Term("xplayer")] == 100
    assert found.best == (ludorum.engine.game.parse_move("(mark 1 3)"),)  # type: ignore[attr-defined]


def test_verdicts_are_found_by_number_and_by_name() -> None:
    found = ludorum.prove_game("tictactoe", "turn-taking", "terminates")
    assert [one.property for one in found] == ["turn-taking", "terminates"]
    assert found["terminates"] is found[1] is found[1:][0]
    assert [row[:2] for row in rows(found)] == [
        ["property", "status"], ["turn-taking", "proved"], ["terminates", "proved"],
    ]  # fmt: skip
    assert rows(found[0])[0] == ["status", "proved"]
    with pytest.raises(KeyError, match="playable was not asked for; there are turn-taking, terminates"):
        found["playable"]


def test_a_plan_shows_its_moves() -> None:
    found = ludorum.find_plan("buttons")
    assert found
    assert found.goal == 100
    assert rows(found)[: len(found.moves) + 1] == [
        ["step", "moves"], *([str(at), str(joint[0])] for at, joint in enumerate(found.moves, 1)),
    ]  # fmt: skip
    assert repr(found) == f"<buttons: {found.role} has 100 after {len(found.moves)} moves>"


def test_a_match_takes_players_by_role_in_order_or_one_for_all() -> None:
    first = ludorum.play_match("tictactoe", {"oplayer": "legal", "xplayer": "random"}, seconds=30, seed=3)
    second = ludorum.play_match("tictactoe", ["random", "legal"], seconds=30, seed=3)
    third = ludorum.play_match("tictactoe", "legal", seconds=30)
    assert first.state == second.state
    assert third.is_over
    goals = [
        ["goal of xplayer", str(third.state.goal("xplayer"))],
        ["goal of oplayer", str(third.state.goals()[1])],
    ]
    assert rows(third) == [["steps", str(len(third.states) - 1)], *goals]
    own = ludorum.play_match("tictactoe", [ludorum.make_player("legal"), "legal"], seconds=30)
    assert own.state == third.state


@pytest.mark.parametrize("players", [["random"], [], {"xplayer": "random"}])
def test_a_match_with_too_few_players_is_refused(players: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^tictactoe needs one player for each of xplayer, oplayer$"):
        ludorum.play_match("tictactoe", players)


@pytest.mark.long
def test_a_tournament_shows_a_line_for_each_player() -> None:
    found = ludorum.play_tournament("tictactoe", ["greedy", "random"], matches=4, seconds=30, seed=1)
    assert title(found) == "tictactoe"
    assert [row[0] for row in rows(found)] == ["player", *(score.player for score in found.scores)]
    again = ludorum.play_tournament("tictactoe", ["greedy", "random"], matches=4, seconds=30, seed=1)
    assert again.as_json() == found.as_json()


def test_faults_of_a_sheet_are_listed(tmp_path: Path) -> None:
    sheet = tmp_path / "bad.kif"
    sheet.write_text("(role x) (init (p 1)) (legal x go) (<= terminal (true (p ?y)) (not (true (p ?z))))")
    found = ludorum.check_rules(str(sheet))
    assert not found
    assert found.errors
    assert rows(found)[0] == ["place", "severity", "code", "fault", "hint"]
    assert len(rows(found)) == 1 + len(found.faults)
    assert str(found).splitlines()[0].startswith(f"{sheet}: ")
    assert ludorum.check_rules("nim", fast=True)
    assert rows(CheckReport("nim", ())) == [["faults", "none"]]


def test_a_repair_shows_its_diff(tmp_path: Path) -> None:
    sheet = tmp_path / "slip.kif"
    text = (Path(__file__).parents[2] / "games/gdl/nim.kif").read_text(encoding="utf-8")
    sheet.write_text(text.replace("(<= terminal", "(<= termnal", 1), encoding="utf-8")
    found = ludorum.repair_rules(str(sheet))
    assert found.offers
    tree = ElementTree.fromstring(found._repr_html_())
    assert tree.findtext("pre") == found.diff
    assert title(found) == f"{sheet}: mended"
    assert title(ludorum.repair_rules("nim")).endswith("nim.kif: nothing to mend")


@pytest.mark.long
def test_an_explanation_lists_features_with_weights() -> None:
    found = ludorum.explain_game("tictactoe", games=20, seed=1)
    assert rows(found)[0][:2] == ["feature", "here"]
    assert len(rows(found)) == 1 + len(found.features) + 2
    assert found == ludorum.explain_game("tictactoe", games=20, seed=1)


def test_flow_charts_are_refused_by_what_needs_logic() -> None:
    for ask in (ludorum.prove_game, ludorum.find_plan, ludorum.explain_game):
        with pytest.raises(GameError, match=r"^hearts is a flow chart: "):
            ask("hearts")
    with pytest.raises(ValueError, match=r"^hearts is a flow chart: repair reads rules in logic$"):
        ludorum.repair_rules("hearts")


def test_the_library_and_the_players_are_listed() -> None:
    assert {"tictactoe", "hearts", "hex_11"} <= set(ludorum.list_games())
    assert all(ludorum.list_games().values())
    assert {"random", "mcts", "champion"} <= set(ludorum.list_players())


def test_a_decision_shows_its_choices() -> None:
    from ludorum.search import Budget, Mcts

    state = ludorum.load_game("tictactoe").initial()
    found = Mcts(state.game).search(state, state.game.role("xplayer"), Budget(playouts=200))
    assert title(found) == f"xplayer plays {found.move}"
    shown = rows(found)
    assert shown[0] == ["move", "value", "kind", "visits"]
    assert [row[0] for row in shown[1 : 1 + len(found.choices)]] == [str(one.move) for one in found.choices]


def test_playouts_show_their_means() -> None:
    found = ludorum.playouts("tictactoe", 1000, seed=1)
    assert title(found) == "1000 playouts of tictactoe"
    assert rows(found)[0] == ["mean goal of xplayer", f"{found.means()['xplayer']:.2f}"]
    game = ludorum.load_game("nim")
    assert ludorum.playouts(game, 5, seed=1).goals.shape == (5, 2)


def test_names_of_a_sheet_cannot_become_markup(tmp_path: Path) -> None:
    sheet = tmp_path / "forged.kif"
    sheet.write_text(FORGED)
    game = ludorum.load_game(str(sheet))
    state = game.initial()
    assert rows(game)[0] == ["roles", "<b>"]
    assert ["<b> may", "&lt"] in rows(state)
    assert ["goal of <b>", "50"] in rows(state.play("&lt"))
    for shown in (game._repr_html_(), state._repr_html_(), state.svg()):
        assert "<b>" not in shown
