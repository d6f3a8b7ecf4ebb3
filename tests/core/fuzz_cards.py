"""Valid calls of the kernels of card games and of the lifted evaluator, for the fuzzer to spoil."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

from ludorum import _core
from ludorum._core import kernels
from ludorum.cards.compiled.cards import CompiledCards
from ludorum.cards.heuristic import USUAL
from ludorum.cards.heuristic.compiled_judge import CompiledJudge
from ludorum.cards.heuristic.scheme import analysis_of
from ludorum.cards.load import load_card_game
from ludorum.cards.worlds.dealing import dealing_of
from ludorum.engine import lifted_program
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from tests.cards.worlds.test_dealing import knowledges
from tests.core.fuzz_calls import Call, Pools
from tests.small_games import CIRCLE, COIN, DOOR


class Recorder:
    """A ``Datalog`` that remembers how it was told its rules."""

    def __init__(self) -> None:
        self.core = kernels.Datalog()
        self.told: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.core, name)
        if not callable(method):
            return method

        def call(*given: Any) -> Any:
            self.told.append((name, given))
            return method(*given)

        return call


DATALOG_NAMES = {
    "make_term": ("functor", "args"),
    "term": ("term",),
    "add_relation": ("arity", "stored", "unwrapped", "functor", "lifetime", "component", "reached"),
    "add_facts": ("relation", "atoms"),
    "add_rule": ("relation", "variables", "code"),
    "set_number": ("term", "number"),
    "set_limits": ("seconds", "rows", "terms", "bytes", "depth", "steps"),
    "start": ("questions", "roles", "initial"),
    "materialise": ("relations",),
    "rows": ("relation", "facts", "does"),
    "next": ("facts", "does"),
    "playouts": ("count", "seconds", "seed", "longest", "facts"),
}


@cache
def told_rules() -> tuple[list[tuple[str, tuple[Any, ...]]], ...]:
    """What a lifted game tells the evaluator, call by call."""
    found = []
    for sheet in (DOOR, COIN, CIRCLE):
        recorder = Recorder()
        with patch.object(lifted_program, "Datalog", lambda recorder=recorder: recorder):
            LiftedGame(parse_kif(sheet)).measure_playouts(3, longest=5)
        found.append(recorder.told)
    return tuple(found)


@cache
def card_games() -> tuple[CompiledJudge, ...]:
    found = []
    for name in ("higher_card", "trumps"):
        game = load_card_game(name)
        found.append(CompiledJudge(game, analysis_of(game.chart), USUAL))
    return tuple(found)


@cache
def dealings() -> tuple[tuple[Any, bytes, dict[str, object]], ...]:
    found = []
    for name in ("trumps", "crazy_eights_simple"):
        game = load_card_game(name)
        compiled = CompiledCards(game.chart)
        for knowledge in knowledges(game, 1, range(2, 8, 3)):
            dealing = dealing_of(knowledge, compiled, Random(1))
            if dealing is not None:
                found.append((compiled.kernel, dealing.table, dealing.as_dict()))
    return tuple(found)


class CardCalls(Pools):
    def call_make_cards(self) -> Call:
        judge = self.random.choice(card_games())
        return Call("CardKernel", _core.CardKernel, {"program": judge.cards.parts}, self.keeper("cards"))

    def call_cards(self) -> Call:
        kernel = self.one("cards", lambda: _core.CardKernel(self.random.choice(card_games()).cards.parts))
        table = kernel.start()
        if self.random.random() < 0.8:
            table = kernel.run(table, self.random.randrange(1000))
        for _ in range(self.random.randrange(12)):
            options = kernel.options(table)
            if not options:
                break
            table = kernel.answer(table, self.random.choice(options), self.random.randrange(1000))
        parts = kernel.unpack(table)
        shown = {"slots": parts["slots"], "places": parts["places"], "decisions": 0, "templates": {}}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("run", {"state": table, "seed": 1}),
            ("answer", {"state": table, "option": next(iter(kernel.options(table)), 0), "seed": 1}),
            ("options", {"state": table}),
            ("unpack", {"state": table}),
            ("pack", shown | {"pc": parts["pc"]}),
            ("random_games", {"count": 3, "seed": 1}),
            ("playouts", {"state": table, "count": 3, "seed": 1}),
            ("leads", {"world": table, "answers": [0, -1, 1], "seed": 1}),
            (
                "ismcts",
                {
                    "worlds": [table, table],
                    "iterations": 30,
                    "seed": 1,
                    "halving": self.random.random() < 0.5,
                },
            ),
        ]
        name, given = self.random.choice(calls)
        return Call(f"CardKernel.{name}", getattr(kernel, name), given)

    def call_dealing(self) -> Call:
        kernel, table, dealing = self.random.choice(dealings())
        if self.random.random() < 0.5:
            given = {"world": table, "dealing": dealing, "count": 3, "pool": 5, "seed": 1}
            return Call("CardKernel.deal", kernel.deal, given)
        numbers = {
            "exploration": 0.7,
            "random_others": 0.1,
            "margin_weight": 0.5,
            "margin_scale": 1.0,
            "greedy": 0.3,
            "points_worth": 1.0,
            "cards_worth": 0.5,
            "longest": 50,
            "lead_scale": 5.0,
            "pool": 5,
        }
        given = {
            "worlds": [table],
            "iterations": 50,
            "seed": 1,
            "dealing": dealing,
            "halving": True,
            **numbers,
        }
        return Call("CardKernel.ismcts", kernel.ismcts, given)

    def call_judge(self) -> Call:
        judge = self.random.choice(card_games())
        table = judge.cards.kernel.run(judge.cards.kernel.start(), self.random.randrange(1000))
        valuation = judge.valuation
        name = self.random.choice(["value", "instances", "outcomes"])
        given = {"program": judge.cards.parts, "valuation": valuation, "state": table, "me": 0}
        if name == "outcomes":
            given |= {"seed": 1, "keep_states": True}

        def ask(program: Any, valuation: Any, **asked: Any) -> object:
            return getattr(_core.CardJudge(program, valuation), name)(**asked)

        return Call(f"CardJudge.{name}", ask, given)

    def call_preferences(self) -> Call:
        judge = self.random.choice(card_games())
        kernel = judge.cards.kernel
        table = kernel.run(kernel.start(), self.random.randrange(1000))
        given = {"worlds": [table], "judge": judge.kernel, "seed": 1}
        if self.random.random() < 0.5:
            return Call("CardKernel.preferences", kernel.preferences, given)
        given = {
            "state": table,
            "worlds": [table],
            "judge": judge.kernel,
            "points_worth": 1.0,
            "cards_worth": 0.5,
        }
        return Call("CardKernel.policy_weights", kernel.policy_weights, given)

    def call_chain(self) -> Call:
        acts = [0, 0, 2, -1, -1, 0, 0, 1, 0, -1, 1, 2, 4, 1, 0, 0, 9]
        trace = {
            "cards": [[0, 0, 1], [1, 0, 2]],
            "places": 3,
            "sets": [[0]],
            "points": [[1, 2]],
            "acts": acts,
        }
        given = {"trace": trace, "seed": 1, "count": 2}
        return Call("CardChain", lambda trace, seed, count: _core.CardChain(trace, seed).draw(count), given)


class DatalogCalls(Pools):
    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.datalog: tuple[Any, list[tuple[str, tuple[Any, ...]]]] = (kernels.Datalog(), [])

    def call_datalog(self) -> Call:
        """The next call of what a game tells: mutated calls leave rules that no game has."""
        machine, left = self.datalog
        if not left:
            machine, left = kernels.Datalog(), list(self.random.choice(told_rules()))
            self.datalog = (machine, left)
        name, given = left.pop(0)
        if self.random.random() < 0.02:
            return Call("Datalog.profile", machine.profile, {})
        return Call(
            f"Datalog.{name}", getattr(machine, name), dict(zip(DATALOG_NAMES[name], given, strict=False))
        )
