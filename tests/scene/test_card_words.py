"""Card games in the words of card players."""

from itertools import islice

import pytest
from typer.testing import CliRunner

from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.show.faces import face
from ludorum.cards.show.picture import named_suits
from ludorum.cli.app import app
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.scene.card_moment import events_seen
from ludorum.scene.card_words import happened, prompt_of, trick_of


def states_of(name: str, steps: int) -> list[State]:
    game = load_game(name)
    assert isinstance(game, CardGame)
    return list(islice(game.playout(3), steps + 1))


def said(states: list[State], at: int) -> str:
    state = states[at]
    assert isinstance(state, CardState)
    return happened(events_seen(state, 0), 0)


def cards_of(states: list[State], length: int) -> list[tuple[int, str]]:
    return [(at, face(card)) for at, card in trick_of(states[:length], 0).plays]


def test_a_deal_is_one_line_and_others_cards_are_no_news() -> None:
    hearts = states_of("hearts", 66)
    assert [said(hearts, at) for at in range(52)] == [""] * 52
    assert said(hearts, 52) == "you are dealt 10♥ 7♠ A♥ 9♣ 6♥ 2♥ J♥ Q♦ 10♠ 2♠ J♦ 7♥ 4♥"
    assert said(hearts, 53) == "you pass on 4♥"
    assert said(hearts, 56) == "player1 passes on"
    assert said(hearts, 64) == "player3 passes on; you get K♦ A♦ 8♣"
    assert said(hearts, 65) == "player2 plays 2♣"


def test_the_trick_lies_there_until_the_next_card_is_played() -> None:
    hearts = states_of("hearts", 70)
    assert cards_of(hearts, 68) == [(2, "2♣"), (3, "4♣"), (0, "8♣")]
    assert not trick_of(hearts[:68], 0).is_taken
    assert cards_of(hearts, 69) == [(2, "2♣"), (3, "4♣"), (0, "8♣"), (1, "K♣")]
    assert (trick_of(hearts[:69], 0).is_taken, trick_of(hearts[:69], 0).winner) == (True, 1)
    assert cards_of(hearts, 70) == [(1, "5♣")]


@pytest.mark.parametrize(
    ("name", "at", "prompt"),
    [
        ("hearts", 52, "Choose a card to pass."),
        ("hearts", 66, "Play a card."),
        ("crazy_eights", 20, "Play a card, or pass."),
        ("cheat", 44, "Choose believe or doubt."),
        ("oh_hell", 5, "Choose the bid: 0 or 1."),
        ("casino", 14, "Choose a card from the pile table, or pass."),
        ("gin_rummy", 18, "Choose a card for the pile open."),
        ("go_fish", 17, "Choose whom: player0 or player1."),
        ("crazy_eights", 19, "Choose the suit: clubs, diamonds, hearts or spades."),
    ],
)
def test_what_is_asked_is_said_in_card_words(name: str, at: int, prompt: str) -> None:
    state = states_of(name, at)[-1]
    assert isinstance(state, CardState)
    assert prompt_of(state, state.legal(state.asked)) == prompt


def test_only_named_suits_are_told_of_all_variables() -> None:
    during, after = states_of("oh_hell", 9)[-1], states_of("oh_hell", 5)[-1]
    assert isinstance(during, CardState)
    assert isinstance(after, CardState)
    assert named_suits(during.position) == [("lead suit", "♥"), ("trumps", "♦")]
    assert named_suits(after.position) == [("trumps", "♦")]
    assert during.ascii().splitlines()[-2:] == ["lead suit ♥", "trumps ♦"]


def test_the_text_of_a_state_has_no_inner_variables_of_the_chart() -> None:
    (start,) = states_of("hearts", 0)
    players = [f"player{at}  score 0" for at in range(4)]
    assert start.ascii().splitlines() == [*players, "pack     ▒ x52"]
    assert "s ♣" not in states_of("sevens", 60)[-1].ascii().splitlines()
    assert states_of("four_colours", 40)[-1].ascii().splitlines()[-1].startswith("last colour ")


def test_places_have_words_and_an_empty_pack_is_no_place() -> None:
    casino, hearts = states_of("casino", 40)[-1], states_of("hearts", 60)[-1]
    assert [line.split("  ")[0] for line in casino.ascii().splitlines()] == [
        "player0",
        "player1",
        "table",
        "won of player0",
        "won of player1",
        "pack",
    ]
    assert "pack" not in hearts.ascii()


def test_cards_with_names_of_several_words_have_commas_between_them() -> None:
    colours = states_of("four_colours", 20)[-1]
    assert ", " in colours.ascii().splitlines()[0]
    assert ", " not in states_of("hearts", 52)[-1].ascii()


def test_cards_that_are_not_seen_are_counted() -> None:
    maid = said(states_of("old_maid", 28), 27)
    assert "a card a card" not in maid
    assert " cards" in maid


def test_a_game_of_pure_chance_tells_which_cards_are_turned_up() -> None:
    done = CliRunner().invoke(app, ["play", "war", "--seed", "1"])
    lines = done.stdout.splitlines()
    assert "player0 turns up 2♣" in lines
    assert "player1 turns up Q♠; player1 takes 2♣ Q♠" in lines
    assert "chooses" not in done.stdout  # nobody has a choice
