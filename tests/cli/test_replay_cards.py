"""Card games in ``ludorum replay``: cards by their faces, deals folded, no score for nature."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.cli.replay_cards import events_said
from ludorum.cli.replay_data import match_data
from ludorum.cli.replay_folds import folds_of
from ludorum.cli.replay_frames import open_reel
from ludorum.cli.replay_html import replay_page
from ludorum.cli.terminal.replay_app import ReplayApp
from ludorum.rules.kif import parse_term
from tests.cli.random_matches import played
from tests.cli.test_replay import Elements, run


def trumps(folder: Path) -> tuple[Path, list[str]]:
    """A match of trumps, and the lines that were printed while it was played."""
    path = folder / "trumps.json"
    options = ["--players", "random", "--seed", "3", "--record", str(path)]
    return path, CliRunner().invoke(app, ["match", "trumps", *options]).output.splitlines()


@pytest.mark.long
def test_a_card_table_is_drawn_with_faces(tmp_path: Path) -> None:
    path, lines = trumps(tmp_path)
    _, start, deal, *steps = re.split(r"\n\n", run(str(path)))
    assert start.startswith("  0. start\n")
    assert deal.startswith(" 16. the cards are dealt, step 1 to 16\nplayer0  score 0  ")
    assert deal.endswith("\npack     ▒ x38\ntrumps ♦"), "what a player must know, and no counter of the chart"
    assert "=" not in "".join([start, deal, *steps])
    # What is played lies there until the trick is over, and then for one step more; lines of the match agree.
    for line, step in zip(lines[1:15], steps[:14], strict=True):
        assert step.startswith(line)
    first, second = lines[1].split()[-1], lines[2].split()[-1]
    assert lines[1] == f" 17. player1 {first}"
    assert f"\ntrick  player1 {first}\n" in steps[0]
    assert f"\ntrick taken  player1 {first}, player0 {second}\n" in steps[1]
    # Nature deals, and gets nothing for it.
    (result,) = (line for line in lines if line.startswith("over after 30 steps: player0 "))
    assert "random" not in result
    assert steps[-1].strip() == result
    assert "noop" not in "".join(steps)
    # For programs all is as it was recorded.
    found = json.loads(run(str(path), "--json"))["steps"][17]
    assert found["moves"]["player0"] == "noop"
    assert found["told"]["player0"].startswith("(event ")


@pytest.mark.long
def test_a_player_is_shown_backs_of_cards_he_has_not_seen(tmp_path: Path) -> None:
    path, _ = trumps(tmp_path)
    whole, seen = (re.split(r"\n\n", run(str(path), *more)) for more in ([], ["--role", "player1"]))
    assert "player0  score 0  ▒▒▒▒▒▒▒\n" in seen[2]
    hands = [line.split("score 0  ")[1] for line in whole[2].splitlines() if "score" in line]
    assert f"player1 (you)  score 0  {hands[1]}\n" in seen[2]
    assert not [card for card in hands[0].split() if card in seen[2]]
    assert seen[2].startswith(" 15. the cards are dealt, step 1 to 15\n"), (
        "the last is the trump, which all see"
    )


def test_deals_and_other_runs_of_chance_are_folded() -> None:
    poker = open_reel(played("leduc_poker", 3))
    deal = folds_of(poker)[0]
    assert (deal.first, deal.last, deal.text) == (1, 2, "the cards are dealt")
    assert folds_of(open_reel(played("tictactoe", 1))) == ()
    dice = open_reel(played("transit", 1))
    assert all(fold.text != "the cards are dealt" for fold in folds_of(dice))
    colours = open_reel(played("four_colours", 3))
    texts = [fold.text for fold in folds_of(colours)]
    assert texts[0] == "the cards are dealt"
    assert set(texts[1:]) <= {f"{count} cards are drawn" for count in range(2, 6)}


@pytest.mark.long
def test_nature_has_no_score_and_no_seat() -> None:
    for name in ("leduc_poker", "trumps"):
        reel = open_reel(played(name, 3))
        assert "random" in dict(reel.goals), "the record has it"
        page = Elements(replay_page(reel))
        assert [role["role"] for role in match_data(reel)["roles"]] == list(reel.roles[:-1])
        shown = ", ".join(f"{role}: random" for role in reel.roles if role != "random")
        assert page.texts["title"].strip() == f"{name}: {shown}"
        assert [tag for tag, attributes in page.tags if attributes.get("class") == "goal"] == ["b", "b"]


def test_what_happens_at_cards_is_told_once_and_by_the_fullest_account() -> None:
    moved = "(moved (hand (player 0)) (pile passing (player 0))"
    told = [
        parse_term(f"(event 8 0 {moved}))"),
        parse_term(f"(event 8 0 {moved} (card 7 spades)))"),
        parse_term("(event 9 0 (drew (player 1)))"),
        parse_term("(event 9 1 (drew (player 1)))"),
        parse_term("(event 9 2 (moved (pile passing (player 0)) (hand (player 1)) (card 7 spades)))"),
        parse_term("(event 9 3 (played (player 1) (card king hearts)))"),
        parse_term("(event 9 4 (branch 22 true))"),
    ]
    assert events_said(told) == [
        "player0 puts 7♠ on the pile passing",
        "player1 draws 2 cards",
        "7♠ goes from player0's pile passing to player1's hand",
        "player1 plays K♥",
    ]


@pytest.mark.long
def test_the_same_match_gives_the_same_bytes() -> None:
    for name in ("hearts", "kuhn_poker", "chess"):
        pages = [replay_page(open_reel(played(name, 5))) for _ in range(2)]
        assert pages[0] == pages[1]


def lines_of(name: str, view: int = 0) -> list[tuple[int, int, str]]:
    """The lines of moves of a random match, as one of the viewers reads them."""
    moves = match_data(open_reel(played(name, 1)))["views"][view]["moves"]
    return [(line["first"], line["step"], line["words"]) for line in moves]


@pytest.mark.long
def test_a_page_says_what_is_done_with_a_card() -> None:
    deal, *rows = lines_of("hearts")
    assert deal == (1, 52, "52 cards dealt")
    assert [(first, step) for first, step, _ in rows] == [(step, step) for step in range(53, 117)]
    assert [words.split(" ")[1] for _, _, words in rows[:12]] == ["passes"] * 12
    assert [words.split(" ")[1] for _, _, words in rows[12:]] == ["plays"] * 52
    assert lines_of("oh_hell")[1] == (6, 6, "player0 chooses 0")


def test_a_page_has_the_view_of_each_player_and_none_of_nature() -> None:
    match = match_data(open_reel(played("hearts", 1)))
    views = {view["role"]: view for view in match["views"]}
    assert list(views) == [None, "player0", "player1", "player2", "player3"]
    dealt = {role: view["steps"][52]["scene"]["cards"]["hands"] for role, view in views.items()}
    everything = [[card["words"] for card in hand["hand"]["cards"]] for hand in dealt.pop(None)]
    assert [len(hand) for hand in everything] == [13] * 4
    assert len({card for hand in everything for card in hand}) == 52
    for at, hands in enumerate(dealt.values()):
        seen = [hand["hand"]["cards"] for hand in hands]
        assert [hand is None for hand in seen] == [other != at for other in range(4)]
        assert [card["words"] for card in seen[at]] == everything[at]
    # What a player was never told stays hidden at the end as well.
    last = views["player0"]["steps"][-1]["scene"]
    assert last["is_hidden"] is True
    assert [match["views"][at]["words"] for at in (0, 1)] == ["everything", "what player0 knew"]


@pytest.mark.long
def test_on_the_screen_the_deal_is_one_step() -> None:
    async def steps() -> list[str]:
        screen = ReplayApp(open_reel(played("hearts", 1)))
        told = []
        async with screen.run_test(size=(100, 30)) as pilot:
            for key in ("right", "right", "left", "left", "pagedown"):
                await pilot.press(key)
                told.append(str(screen.words["log"].render()).splitlines()[0])
        return told

    dealt, passes, *back, later = asyncio.run(steps())
    assert dealt == " 52. the cards are dealt"
    assert passes.startswith(" 53. player0 ")
    assert back == [dealt, "  0. start"]
    assert later.startswith(" 61. "), "ten steps, the deal counts for one"
