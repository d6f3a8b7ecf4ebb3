"""Bytecode, tables and rules that no compiler has written are refused: what runs them trusts them."""

from __future__ import annotations

import signal
import struct
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from ludorum._core import CardKernel, Lanes
from ludorum._core.kernels import Datalog
from ludorum.cards.compiled.cards import CompiledCards
from ludorum.cards.compiled.operations import OPERATIONS
from ludorum.cards.load import load_card_game
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game

PARTS = CompiledCards(load_card_game("higher_card").chart).parts
KERNEL = CardKernel(PARTS)
TABLE = KERNEL.run(KERNEL.start(), 1)
CODE = PARTS["code"]
assert isinstance(CODE, list)
OP = {name: number for number, name in enumerate(OPERATIONS)}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ([OP["jump"], 10**6], "an address that is not there"),
        ([OP["jump"], -1], "a way back that leads to no node"),
        ([OP["jump"], 0], "a way back that leads to no node"),
        ([OP["jump"]], "ends in the middle"),
        ([OP["node"]], "ends in the middle"),
        ([OP["add"], OP["end"]], "lacks a value"),
        ([OP["push"], 0, OP["push"], 0, OP["node"], 1, OP["end"]], "values left over"),
        ([OP["mask_or"], OP["end"]], "lacks a set of cards"),
        ([OP["load"], 10**6, OP["end"]], "a slot that is not there"),
        ([OP["push"], 0, OP["store_at"], 0, -1, OP["end"]], "a slot that is not there"),
        ([OP["push"], 0, OP["place_pile"], 10**6, OP["end"]], "a pile that is not there"),
        ([OP["push"], 8 * 10**6, OP["cards"], OP["end"]], "a value serves as a place"),
        (
            [OP["push"], 0, OP["place_among"], 1, 1, 0, 10**6, OP["cards"], OP["end"]],
            "a value serves as a place",
        ),
        ([OP["push"], 0, OP["place_among"], 1, 10**6, 0, 0, OP["end"]], "no length|none|ends in the middle"),
        ([OP["push"], (10**6 << 3) | 2, OP["rank"], OP["end"]], "a place serves as a value"),
        ([OP["push"], 4, OP["jump_false"], 6, OP["push"], 0, OP["end"]], "leave different values"),
        ([10**6], "an operation that is none"),
        ([], "no length"),
    ],
)
def test_code_that_would_leave_its_memory_is_refused(code: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        CardKernel(PARTS | {"code": code})


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 0},
        {"players": -1},
        {"places": 2**31 - 1},
        {"kind_of": []},
        {"kind_of": [10**6]},
        {"rank_codes": [-8]},
        {"suit_of": [-4]},
        {"stack": 0},
        {"pack": 10**6},
        {"score": 10**6},
        {"index": -1},
        {"bottom": 0},
        {"recycle_slot": 10**6},
        {"points": []},
        {"initial": []},
        {"templates": -1},
    ],
)
def test_programs_whose_parts_do_not_fit_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not a program|too many cards"):
        CardKernel(PARTS | wrong)


def changed(head: int, number: int) -> bytes:
    return TABLE[: 4 * head] + struct.pack("<i", number) + TABLE[4 * head + 4 :]


HEADS = ("pc", "node", "steps", "alone", "decisions", "status", "fault", "broken_off", "who")


@pytest.mark.parametrize("number", [-1, 10**6])
@pytest.mark.parametrize("head", ["pc", "status", "who"])
@pytest.mark.parametrize("use", ["run", "options", "unpack", "playouts"])
def test_tables_that_no_game_has_are_refused(head: str, number: int, use: str) -> None:
    given: dict[str, tuple[int, ...]] = {"run": (1,), "playouts": (1, 1)}
    with pytest.raises(ValueError, match="no table of this game"):
        getattr(KERNEL, use)(changed(HEADS.index(head), number), *given.get(use, ()))


def test_every_bit_of_a_table_may_be_wrong() -> None:
    refusals = []
    for at in range(8 * len(TABLE)):
        table = bytearray(TABLE)
        table[at // 8] ^= 1 << (at % 8)
        try:
            KERNEL.playouts(bytes(table), 1, 1)
        except ValueError as refusal:
            refusals.append(str(refusal))
    assert refusals
    assert all("no table of this game" in refusal for refusal in refusals)


def test_a_card_is_in_one_place() -> None:
    parts = KERNEL.unpack(KERNEL.start())
    places = [[0], [0], *parts["places"][2:]]
    with pytest.raises(ValueError, match="a card is in two places"):
        KERNEL.pack(0, parts["slots"], places, 0, {})


def machine() -> Datalog:
    made = Datalog()
    made.make_term(0, [])
    made.add_relation(1, True, True, 1, 1, -1, True)
    return made


def relations(made: Datalog) -> list[int]:
    arities = ((1, True, True), (2, True, False), (2, False, False), (1, False, False), (2, False, False))
    ends = ((2, False, False), (0, False, False))
    return [
        made.add_relation(arity, stored, unwrapped, 10 + number, 1, -1, True)
        for number, (arity, stored, unwrapped) in enumerate((*arities, *ends))
    ]


def answering() -> Datalog:
    made = Datalog()
    made.make_term(0, [])
    made.start(relations(made), [0], [0])
    return made


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: machine().make_term(-1, []), "functors"),
        (lambda: machine().make_term(2**31 - 1, []), "functors"),
        (lambda: machine().make_term(0, [0]), "always as many arguments"),
        (lambda: machine().make_term(5, [7]), "no such term"),
        (lambda: machine().make_term(5, [0] * 1001), "from 0 to 1000 arguments"),
        (lambda: machine().term(9), "term"),
        (lambda: machine().add_facts(3, [0]), "no such relation"),
        (lambda: machine().add_facts(0, [-1]), "no such term"),
        (lambda: machine().add_rule(0, -1, []), "variables"),
        (lambda: machine().add_rule(0, 1, [0, 1]), "no such variable"),
        (lambda: machine().add_rule(0, 0, [2, 6, 1] * 5000 + [1, 0]), "1000"),
        (lambda: machine().set_number(-1, 3), "no such term"),
        (lambda: machine().set_limits(float("nan"), 1, 1, 1, 1), "seconds"),
        (lambda: machine().start([0] * 7, [], []), "another number of arguments"),
        (lambda: machine().start([9] * 7, [], []), "no such relation"),
        (lambda: answering().rows(0, b"\xff\xff\xff\xff"), "no such fact"),
        (lambda: answering().rows(-1, b""), "no such relation"),
        (lambda: answering().rows(0, b"\0"), "32-bit"),
        (lambda: answering().playouts(1, float("nan"), 0, 1), "seconds"),
        (lambda: answering().playouts(1, 1.0, 0, -2), "longest"),
        (lambda: machine().rows(0, b""), "start"),
    ],
)
def test_rules_that_would_leave_their_memory_are_refused(call: Callable[[], object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        call()


def test_facts_of_a_started_machine_need_another_start() -> None:
    made = answering()
    made.add_facts(1, [])
    with pytest.raises(ValueError, match="start"):
        made.rows(0, b"")


MANY = 2**50
"""Games that no machine lives long enough for."""


class Heard(Exception):
    pass


def hear(_number: int, _frame: FrameType | None) -> None:
    raise Heard


@pytest.fixture
def alarm() -> Any:
    before = signal.signal(signal.SIGALRM, hear)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize(
    "play",
    [
        lambda: load_game("tictactoe", "lifted").measure_playouts(MANY),  # type: ignore[attr-defined]
        lambda: KERNEL.random_games(MANY, 1),
        lambda: KERNEL.playouts(TABLE, MANY, 1),
    ],
    ids=["lifted", "cards", "from a table"],
)
def test_endless_play_is_interrupted(play: Callable[[], object]) -> None:
    with pytest.raises(Heard):
        play()


@pytest.mark.slow
def test_lanes_of_a_large_game_are_interrupted(request: pytest.FixtureRequest) -> None:
    """To build them takes seconds, in stages that are short."""
    game = load_game("amazons", "compiled")
    assert isinstance(game, CompiledGame)
    request.getfixturevalue("alarm")
    with pytest.raises(Heard):
        Lanes(game.network)
