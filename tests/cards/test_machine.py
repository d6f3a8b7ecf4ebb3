"""The machine by small charts: variables, functions, statements, what it asks for and what it refuses."""

from __future__ import annotations

from random import Random

import pytest

from ludorum.cards.compiled import CompiledCards
from ludorum.cards.language.captions import parse_condition
from ludorum.cards.language.config import MachineConfig
from ludorum.cards.language.deck import RANKS, fits, standard_pack
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.terms import PASS, Term, format_term
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.evaluate import evaluate
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.host import Host, format_trace
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.outcome import goals
from ludorum.cards.machine.position import DISCARD, STACK, hand, opening
from ludorum.cards.machine.reasons import (
    Finished,
    MaxStep,
    NeedMove,
    NeedRandom,
    NeedShuffle,
    Publish,
)
from tests.cards.small_charts import cards, finish, machine, stacked, stop, value

SHORT_GAMES = MachineConfig(most_decisions=50)
THESIS = ("trumps", "kings_and_jacks", "crazy_eights_simple", "higher_card")


def term(text: str) -> str:
    """The value of an expression at the start of a game of two."""
    return format_term(evaluate(parse_condition(text), opening(0, 2)))


@pytest.mark.spec("card-games-fcdl", 8)
def test_a_text_shows_the_values_of_names() -> None:
    chart = machine('trumps=hearts\npublish("#{trumps}~has been chosen as~trumps.")')
    _, reason = chart.advance(chart.start())
    assert reason == Publish(2, "hearts has been chosen as trumps.")
    scores = machine('publish("#{score(player(0))} to #{score(player(1))}, #{middle(player(0))}")')
    assert scores.advance(scores.start())[1] == Publish(1, "0 to 0, empty")


@pytest.mark.spec("card-games-fcdl", 9)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3!=4", "true"),
        ("3!=3", "false"),
        ("3<=3", "true"),
        ("4<=3", "false"),
        ("3>=3", "true"),
        ("2>=3", "false"),
        ("!(3<4)", "false"),
        ("hearts!=spades", "true"),
        ("abs(3-7)", "4"),
        ("abs(7-3)", "4"),
        ("-3+5", "2"),
        ("-7%3", "2"),
        ("-7/2", "-4"),
        ("2*3+4", "10"),
        ("min(3,2)+max(3,2)", "5"),
    ],
)
def test_extension_signs_are_evaluated(text: str, expected: str) -> None:
    assert term(text) == expected


@pytest.mark.spec("card-games-fcdl", 11)
def test_a_play_without_a_fitting_card_names_node_player_and_template() -> None:
    chart = machine("Shuffle\nDeal(1)\nplayCard(player(1),card(any,hearts))")
    with pytest.raises(CardsError) as found:
        finish(chart, [stacked("2h", "3c")])
    assert found.value.node == 3
    assert "node 3" in str(found.value)
    assert "player(1)" in str(found.value)
    assert "card(any,hearts)" in str(found.value)


@pytest.mark.spec("card-games-fcdl", 11)
@pytest.mark.parametrize(
    ("body", "node", "words"),
    [
        ("i=suit(middle(player(0)))", 1, "empty is no card"),
        ("i=rankValue(middle(player(1)))", 1, "empty is no card"),
        ("k=0\ni=3%k", 2, "3 % 0"),
        ("k=queen\ni=k+1", 2, "queen is no whole number"),
        ("own(player(0))=1\ni=own(player(1))", 2, "own(player(1)) has no value yet"),
        ("k=7\npickUp(player(k),1)", 2, "no player(7)"),
        ("k=0\ni=random(k)", 2, "no number to draw"),
        ("k=hearts\nk ? 3 : 3", 2, "neither true nor false"),
        ("Shuffle\nDeal(27)", 2, "the pack has 52"),
        ("Shuffle\nDeal(2-5)", 2, "-3 cards"),
        ("i=1\ni=i+1 -> 2\ni=i", 2, "circle"),
        ("i=2\ni=i*i -> 2\ni=i", 2, "beyond"),
        ("i=random(3) -> 1\ni=i", 1, "circle"),  # also where the host is asked on the way
        pytest.param("Shuffle\nDeal(13) -> 1\ni=i", 1, "circle", marks=pytest.mark.long),
        ('publish("again") -> 1\ni=i', 1, "circle"),
        ("Shuffle\nDeal(21)\ni=deadwood(hand(player(0)))", 3, "deadwood of 21 cards"),
        ("Shuffle\nDeal(1)\npickUp(player(0),1-3)", 3, "-2 cards"),
    ],
)
def test_what_cannot_go_on_is_told_at_its_node(body: str, node: int, words: str) -> None:
    from ludorum.cards.language.rules import parse_table
    from ludorum.rules.source import Source

    lines = [f"{at} {line}" for at, line in enumerate(body.splitlines(), start=1)]
    table = "\n".join(["0 start", *lines, f"{len(lines) + 1} end"])
    # Unchecked: some of them are told before the game as well.
    chart = Machine(parse_table(Source("wrong", table)), MachineConfig(most_steps_alone=2000))
    with pytest.raises(CardsError) as found:
        finish(chart)
    assert found.value.node == node
    assert words in str(found.value)


@pytest.mark.spec("card-games-fcdl", 12)
def test_names_nobody_assigned_mean_themselves() -> None:
    end = finish(machine("leader=random(1)\na=hearts\nb=leader\nc=nobody\nd=a"))
    assert [value(end, name) for name in "abcd"] == ["hearts", "0", "nobody", "hearts"]
    assert term("hearts") == "hearts"
    assert term("any") == "any"


@pytest.mark.spec("card-games-fcdl", 12)
def test_variables_are_global_and_may_change_their_type() -> None:
    end = finish(machine("a=1\na=queen\na=card(3,a)\nb=rank(a)"))
    assert value(end, "a") == "card(3,queen)"
    assert value(end, "b") == "3"


@pytest.mark.spec("card-games-fcdl", 13)
def test_arguments_of_a_name_are_evaluated_when_it_is_assigned() -> None:
    end = finish(machine("leader=player(0)\nscore(leader)=1\nleader=player(1)"))
    assert value(end, "score(player(0))") == "1"
    assert value(end, "score(player(1))") == "0"


@pytest.mark.spec("card-games-fcdl", 14)
def test_a_right_side_is_evaluated_in_the_step_before() -> None:
    end = finish(machine("i=1\ni=i+1"))
    assert value(end, "i") == "2"
    swapped = finish(machine("a=1\nb=2\nt=a\na=b\nb=t"))
    assert (value(swapped, "a"), value(swapped, "b")) == ("2", "1")


@pytest.mark.spec("card-games-fcdl", 15)
def test_built_in_variables_after_the_deal() -> None:
    chart = machine("Shuffle\nDeal(7)")
    start = chart.start()
    assert value(start, "numberOfPlayers") == "2"
    assert value(start, "cardsRemaining(player(0))") == "0"
    assert value(start, "score(player(1))") == "0"
    assert value(start, "middle(player(0))") == "empty"
    assert value(start, "passed(player(0))") == "false"
    end = finish(chart)
    assert value(end, "cardsRemaining(player(0))") == "7"
    assert value(end, "cardsRemaining(player(1))") == "7"
    assert value(end, "currentPackIndex") == "14"
    assert value(end, "numberOfCards") == "7"
    assert value(finish(machine("Shuffle\nDeal(5)", players=4)), "currentPackIndex") == "20"


@pytest.mark.spec("card-games-fcdl", 16)
def test_suit_of_a_number_and_of_a_card() -> None:
    assert [term(f"suit({at})") for at in range(4)] == ["clubs", "diamonds", "hearts", "spades"]
    assert term("suit(card(3,diamonds))") == "diamonds"
    assert term("rank(card(3,diamonds))") == "3"
    with pytest.raises(CardsError):
        finish(machine("s=suit(4)"))


@pytest.mark.spec("card-games-fcdl", 17)
def test_ranks_have_an_order() -> None:
    values = [int(term(f"rankValue(card({rank},clubs))")) for rank in RANKS]
    assert values == list(range(2, 15))
    assert [term(f"rankValue({rank})") for rank in ("jack", "queen", "king", "ace")] == [
        "11",
        "12",
        "13",
        "14",
    ]


@pytest.mark.spec("card-games-fcdl", 18)
@pytest.mark.parametrize(
    ("suit", "rank"), [("hearts", "5"), ("spades", "8"), ("any", "any"), ("clubs", "any")]
)
def test_templates_of_crazy_eights_by_a_table_of_all_cards(suit: str, rank: str) -> None:
    template = evaluate(
        parse_condition(f"union(card(any,{suit}),union(card({rank},any),card(8,any)))"), opening(0, 2)
    )
    table = [
        (str(one.args[1]) == suit or suit == "any")
        or (str(one.args[0]) == rank or rank == "any")
        or str(one.args[0]) == "8"
        for one in standard_pack()
    ]
    assert [fits(one, template) for one in standard_pack()] == table
    assert sum(table) == {"5": 13 + 3 + 3, "8": 13 + 3, "any": 52}[rank]


@pytest.mark.spec("card-games-fcdl", 19)
def test_what_a_hand_has_and_what_a_card_is() -> None:
    chart = machine(
        """Shuffle
        Deal(2)
        a=playerHas(player(0),card(any,hearts))
        b=playerHas(player(0),card(any,spades))
        c=playerHas(player(1),card(king,any))
        d=playerHas(player(1),card(king,hearts))
        e=cardInstanceOf(card(8,clubs),card(8,any))
        f=cardInstanceOf(card(8,clubs),card(any,hearts))
        g=cardInstanceOf(card(8,clubs),union(card(any,hearts),card(any,clubs)))"""
    )
    end = finish(chart, [stacked("2h", "kc", "3d", "4c")])
    assert [value(end, name) for name in "abcdefg"] == [
        "true", "false", "true", "false", "true", "false", "true",
    ]  # fmt: skip


@pytest.mark.spec("card-games-fcdl", 20)
def test_random_numbers_are_uniform_and_replayed() -> None:
    chart = machine("i=random(6)")
    counts = [0] * 6
    for seed in range(600):
        host = Host(chart, seed)
        for position, _ in host.play():
            end = position
        (answer,) = host.answers
        assert value(end, "i") == str(answer)
        counts[int(value(end, "i"))] += 1
        assert value(finish(chart, host.answers), "i") == value(end, "i")
    chi_square = sum((count - 100) ** 2 / 100 for count in counts)
    assert chi_square < 20.5  # 5 degrees of freedom, 0.1 %


@pytest.mark.spec("card-games-fcdl", 20)
def test_two_draws_of_the_same_size_in_one_statement_are_one() -> None:
    for seed in range(20):
        assert value(finish(machine("i=random(6)-random(6)"), seed=seed), "i") == "0"


@pytest.mark.spec("card-games-fcdl", 21)
@pytest.mark.parametrize("players", [1, 2, 3, 4, 6])
def test_shuffled_cards_are_dealt_in_turn_without_repetition(players: int) -> None:
    chart = machine("Shuffle\nDeal(7)", players)
    _, reason = chart.advance(chart.start())
    assert isinstance(reason, NeedShuffle)
    assert len(set(reason.cards)) == 52
    order = tuple(Host(chart, 5).shuffled(reason.cards))
    end = finish(chart, [order])
    for index in range(players):
        assert set(end.cards(hand(index))) == set(order[index : 7 * players : players])
    with pytest.raises(CardsError, match="52 cards"):
        chart.supply(chart.advance(chart.start())[0], order[1:])


@pytest.mark.spec("card-games-fcdl", 22)
def test_options_are_the_hand_filtered_by_the_template() -> None:
    chart = machine("Shuffle\nDeal(5)\nplayCard(player(0),union(card(any,hearts),card(king,any)))")
    deal = stacked("2h", "3c", "kc", "4c", "9h", "5c", "ad", "6c", "kh", "7c")
    position, reason = stop(chart, [deal], ask=True)
    assert isinstance(reason, NeedMove)
    assert reason.player == 0
    assert set(reason.options) == set(cards("2h", "kc", "9h", "kh"))
    assert format_term(reason.template or Term("none")) == "union(card(any,hearts),card(king,any))"
    assert not reason.may_pass
    for wrong in (*cards("ad", "3c", "qs"), PASS, None, "2h"):
        with pytest.raises(CardsError, match="not allowed"):
            chart.supply(position, wrong)
    end = finish(chart, [deal, *cards("kc")])
    assert value(end, "middle(player(0))") == "card(king,clubs)"
    assert value(end, "cardsRemaining(player(0))") == "4"
    assert cards("kc")[0] not in end.cards(hand(0))


@pytest.mark.spec("card-games-fcdl", 23)
def test_passing_is_always_offered_and_remembered() -> None:
    chart = machine(
        """Shuffle
        Deal(2)
        playCardOrPass(player(0),card(any,any))
        playCardOrPass(player(0),card(2,any))"""
    )
    deal = stacked("2h", "3c", "2d", "4c")
    _, reason = stop(chart, [deal], ask=True)
    assert isinstance(reason, NeedMove)
    assert reason.may_pass
    assert set(reason.options) == {*cards("2h", "2d"), PASS}
    passed, _ = stop(chart, [deal, PASS], ask=True)
    assert value(passed, "passed(player(0))") == "true"
    assert value(passed, "cardsRemaining(player(0))") == "2"
    again = finish(chart, [deal, PASS, *cards("2d")])
    assert value(again, "passed(player(0))") == "false"
    both = finish(chart, [deal, *cards("2d"), PASS])
    assert value(both, "passed(player(0))") == "true"
    assert value(both, "middle(player(0))") == "card(2,diamonds)"
    nothing = stop(chart, [stacked("3h", "3c", "4d", "4c"), PASS], ask=True)[1]
    assert isinstance(nothing, NeedMove)
    assert nothing.options == (PASS,)


@pytest.mark.spec("card-games-fcdl", 24)
def test_who_picks_up_gets_the_next_cards() -> None:
    chart = machine("Shuffle\nDeal(1)\npickUp(player(1),3)")
    end = finish(chart, [stacked("2h", "3c", "4d", "5d", "6d")])
    assert set(end.cards(hand(1))) == set(cards("3c", "4d", "5d", "6d"))
    assert value(end, "cardsRemaining(player(1))") == "4"
    assert value(end, "cardsRemaining(player(0))") == "1"
    assert value(end, "currentPackIndex") == "5"


SHORT = """Pack.use(card(any,hearts))
Shuffle
Deal(5)
playCard(player(0),card(any,any))
playCard(player(1),card(any,any))
Stack.empty
playCard(player(0),card(any,any))
pickUp(player(1),8)"""
HEARTS = tuple(one for one in standard_pack() if str(one.args[1]) == "hearts")


@pytest.mark.spec("card-games-fcdl", 25)
def test_a_pack_that_is_used_up_is_made_anew() -> None:
    answers = [HEARTS, HEARTS[0], HEARTS[1], HEARTS[2], (HEARTS[1], HEARTS[0])]
    end = finish(machine(SHORT), answers)
    # Three were left; the two of the first round come back, the card in the middle does not.
    assert value(end, "cardsRemaining(player(1))") == str(4 + 3 + 2)
    assert value(end, "currentPackIndex") == "2"
    assert end.cards(STACK) == (HEARTS[2],)
    assert end.cards(DISCARD) == ()
    assert Term("packRecycled") in [event.seen for event in end.events]


@pytest.mark.spec("card-games-fcdl", 25)
@pytest.mark.parametrize("how", ["config", "chart"])
def test_a_pack_that_is_used_up_stays_so(how: str) -> None:
    if how == "config":
        chart = machine(SHORT, config=MachineConfig(recycle=False))
    else:
        chart = machine("recycle=false\n" + SHORT)
    end = finish(chart, [HEARTS, HEARTS[0], HEARTS[1], HEARTS[2]])
    assert value(end, "cardsRemaining(player(1))") == str(4 + 3)
    assert value(end, "currentPackIndex") == "13"
    assert set(end.cards(DISCARD)) == {HEARTS[0], HEARTS[1]}


@pytest.mark.spec("card-games-fcdl", 26)
def test_the_stack_is_collected() -> None:
    chart = machine(
        """Shuffle
        Deal(2)
        playCard(player(0),card(any,any))
        playCard(player(1),card(any,any))
        a=middle(player(0))
        Stack.empty""",
        players=3,
    )
    end = finish(chart)
    assert value(end, "a") != "empty"
    assert [value(end, f"middle(player({index}))") for index in range(3)] == ["empty"] * 3
    assert len(end.cards(DISCARD)) == 2
    assert end.cards(STACK) == ()


@pytest.mark.spec("card-games-fcdl", 27)
def test_endless_passing_ends_as_a_draw() -> None:
    chart = machine(
        """Shuffle
        Deal(1)
        playCardOrPass(player(0),card(any,any))
        passed(player(0)) ? 3 : 5"""
    )
    host = Host(chart)
    end, _ = list(host.play(lambda position, reason: PASS))[-1]
    assert end.decisions == 1000
    assert end.is_broken_off
    assert goals(end) == (50, 50)
    short = machine(
        "Shuffle\nDeal(1)\nplayCardOrPass(player(0),card(any,any))\npassed(player(0)) ? 3 : 5",
        config=MachineConfig(most_decisions=7),
    )
    assert list(Host(short).play(lambda position, reason: PASS))[-1][0].decisions == 7


def test_a_game_at_its_limit_is_valued_as_it_stands() -> None:
    chart = machine(
        """decisionLimit=12
        Shuffle
        Deal(1)
        playCardOrPass(player(0),card(any,any))
        score(player(0))=score(player(0))+1
        passed(player(0)) ? 4 : 7""",
        config=MachineConfig(most_decisions=5),  # only where the chart says nothing
    )
    end, _ = list(Host(chart).play(lambda position, reason: PASS))[-1]
    assert end.decisions == 12
    assert end.is_broken_off
    assert value(end, "score(player(0))") == "11"
    assert goals(end) == (100, 0)
    assert CardGame(chart.rules, "limited").decision_limit == 12
    found = CompiledCards(chart.rules).random_games(400, 3)
    assert found.broken_off == 0  # a random player soon plays its card
    config = MachineConfig(recycle=False)
    passing = CompiledCards(chart.rules, config)
    table = passing.kernel.run(passing.kernel.start(), 1)
    while passing.kernel.unpack(table)["status"] == 1:
        table = passing.kernel.answer(table, -1, 1)
    last = passing.kernel.unpack(table)
    assert (last["decisions"], last["broken_off"], last["goals"]) == (12, 1, [100, 0])


REORDERED = """Pack.use(card(any,hearts))
Shuffle
Deal(5)
playCard(player(1),card(any,any))
playCard(player(0),card(any,any))
playCard(player(1),card(any,any))
playCard(player(0),card(any,any))
before=top(stack)
pickUp(player(1),4)
after=top(stack)"""


def test_a_new_pack_leaves_the_stack_in_its_order() -> None:
    """Player 0 played last: its card lies on top before and after, though player 0 comes first in turn."""
    answers = [HEARTS, HEARTS[1], HEARTS[0], HEARTS[3], HEARTS[2], (HEARTS[0], HEARTS[1])]
    end = finish(machine(REORDERED), answers)
    assert end.cards(STACK) == (HEARTS[3], HEARTS[2])
    assert value(end, "before") == value(end, "after") == "card(4,hearts)"
    assert value(end, "cardsRemaining(player(1))") == "7"  # five, less two, and three and one picked up


@pytest.mark.parametrize("seed", range(6))
def test_both_machines_leave_the_same_on_the_stack(seed: int) -> None:
    rules = machine(REORDERED).rules
    compiled = CompiledCards(rules)
    table = compiled.kernel.run(compiled.kernel.start(), seed)
    played: list[Term] = []
    chance = Random(seed)
    while compiled.kernel.unpack(table)["status"] == 1:
        name, option = chance.choice(sorted(compiled.options(table).items()))
        played.append(name)
        table = compiled.kernel.answer(table, option, seed)
    end = compiled.position_of(table)
    variables, places = end["variables"], end["places"]
    assert isinstance(variables, dict)
    assert isinstance(places, dict)
    assert places[STACK] == tuple(played[2:])
    assert variables[Term("before")] is variables[Term("after")] is played[3]


def test_a_card_turned_up_on_the_stack_stays_there() -> None:
    """Nobody has played the topmost card, so it is in no middle; what lies below it is drawn again."""
    chart = machine(
        """Pack.use(card(any,hearts))
        Shuffle
        Deal(5)
        move(pack,stack,2)
        before=top(stack)
        pickUp(player(0),3)
        after=top(stack)"""
    )
    end = finish(chart, [HEARTS, (HEARTS[10],)])
    assert end.cards(STACK) == (HEARTS[11],)
    assert value(end, "before") == value(end, "after")
    assert value(end, "cardsRemaining(player(0))") == "7"


@pytest.mark.spec("card-games-fcdl", 28)
def test_a_scripted_game_stops_for_every_reason() -> None:
    chart = machine(
        """i=random(3)
        Shuffle
        Deal(1)
        publish("go")
        playCard(player(0),card(any,any))"""
    )
    position, reason = chart.advance(chart.start(), 1)
    assert reason == MaxStep(1)
    position, reason = chart.advance(position)
    assert reason == NeedRandom(1, 3)
    position, reason = chart.advance(chart.supply(position, 2))
    assert isinstance(reason, NeedShuffle)
    assert reason.step == 2
    position, reason = chart.advance(chart.supply(position, stacked("2h", "3h")))
    assert reason == Publish(4, "go")
    position, reason = chart.advance(chart.supply(position, None))
    assert isinstance(reason, NeedMove)
    assert (reason.step, reason.player, reason.options) == (5, 0, cards("2h"))
    position, reason = chart.advance(chart.supply(position, cards("2h")[0]))
    assert reason == Finished(6)
    with pytest.raises(CardsError):
        chart.supply(position, None)


def trace(name: str, seed: int, max_steps: int) -> list[str]:
    """All stops of a random game for a reason of the host's, whatever the limit on steps."""
    host = Host(load_card_game(name, SHORT_GAMES).machine, seed)
    return [
        f"{format_trace(position)} {reason}"
        for position, reason in host.play(max_steps=max_steps)
        if not isinstance(reason, MaxStep)
    ]


@pytest.mark.spec("card-games-fcdl", 29)
@pytest.mark.parametrize("name", THESIS)
def test_the_limit_on_steps_changes_nothing(name: str) -> None:
    for seed in range(2):
        assert trace(name, seed, 1) == trace(name, seed, 5) == trace(name, seed, 1000) == trace(name, seed, 0)


@pytest.mark.spec("card-games-fcdl", 30)
@pytest.mark.parametrize("name", THESIS)
def test_a_game_is_known_by_its_seed_and_by_its_answers(name: str) -> None:
    chart = load_card_game(name, SHORT_GAMES).machine
    for seed in range(2):
        host = Host(chart, seed)
        first = [(format_trace(position), reason) for position, reason in host.play()]
        assert first == [(format_trace(position), reason) for position, reason in Host(chart, seed).play()]
        position, answers, again = chart.start(), list(host.answers), []
        while True:
            position, reason = chart.advance(position)
            again.append((format_trace(position), reason))
            if not answers:
                break
            position = chart.supply(position, answers.pop(0))
        assert first == again
    assert trace(name, 0, 0) != trace(name, 1, 0)
