"""Valid calls of what builds, runs and searches circuits, for the fuzzer to spoil."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

from ludorum import _core
from ludorum.engine import network as engine_network
from ludorum.engine.circuit import Circuit
from ludorum.engine.network import make_network
from ludorum.rules.kif import parse_kif
from tests.core.fuzz_calls import Call, Pools
from tests.core.test_no_fluents import ENDLESS
from tests.core.value_parts import atoms_network, value_parts
from tests.engine.kernel_games import compile_here
from tests.engine.random_networks import random_circuit
from tests.small_games import CIRCLE, COIN, DOOR


@cache
def circuits() -> tuple[Circuit, ...]:
    sheets = tuple(compile_here(parse_kif(sheet)).circuit for sheet in (CIRCLE, DOOR, COIN, ENDLESS))
    made = (*sheets, *(random_circuit(seed) for seed in range(6)))
    return (*made, *(weighted(circuit, most) for circuit in made for most in (3, 2**31 - 1)))


def weighted(circuit: Circuit, most: int) -> Circuit:
    """The circuit with other odds for each of its moves."""
    weights = np.random.default_rng(most).integers(1, most, len(circuit.moves), np.int32, endpoint=True)
    return replace(circuit, weights=weights)


class CircuitCalls(Pools):
    def network(self) -> Any:
        return self.one("network", lambda: make_network(self.random.choice(circuits())))

    def single(self) -> Any:
        return self.one("single", lambda: _core.Single(self.network(), "auto"))

    def state(self, network: Any) -> bytes:
        return self.random.randbytes((network.fluents + 7) // 8)

    def rows(self, network: Any) -> Any:
        count = self.random.choice([0, 1, 3, 70])
        shape = (count, (network.fluents + 7) // 8)
        return np.frombuffer(self.random.randbytes(shape[0] * shape[1]), np.uint8).reshape(shape)

    def moves(self, network: Any, count: int) -> Any:
        return np.full((count, network.roles), -1, np.int32)

    def stop(self) -> Any:
        return self.random.choice([None, None, lambda: False, lambda: True, lambda: 1 // 0])

    # The calls.

    def call_numbers(self) -> Call:
        return Call("SplitMix64", lambda seed, n: _core.SplitMix64(seed).below(n), {"seed": 1, "n": 3})

    def call_machine(self) -> Call:
        values = [("input", [0]), ("input", [64]), ("all", [0, 2]), ("choice", [0, 2, 4])]
        given = {
            "machine": self.random.choice(["avx512", "avx2", "aarch64"]),
            "values": values,
            "outputs": [(4, 128)],
        }
        return Call("write_machine_code", _core.write_machine_code, given)

    def call_measure(self) -> Call:
        return Call("load_nanoseconds", _core.load_nanoseconds, {"bytes": 8192}, sizes=("bytes",))

    def call_build_gates(self) -> Call:
        arrays = {
            "heads": [0, 1, 2],
            "body_offsets": [0, 1, 3, 3],
            "body": [2, 4, 6],
            "atoms": [-1, -1, -1, 2],
        }
        given: dict[str, Any] = {name: np.array(values, np.int32) for name, values in arrays.items()}
        return Call("build_gates", _core.build_gates, given | {"first_gate": 3}, sizes=("first_gate",))

    def call_optimise(self) -> Call:
        circuit = self.random.choice(circuits())
        first_gate = len(circuit.fluents) + len(circuit.moves) + 1
        gates = {
            "gate_offsets": np.asarray(circuit.gate_offsets, np.int32),
            "gate_literals": np.asarray(circuit.gate_literals, np.int32),
        }
        loops = np.array([gate for loop in circuit.loops for gate in loop], np.int32)
        outputs = np.asarray(circuit.next, np.int32)
        legal = np.asarray(circuit.legal, np.int32)
        looped = {"first_gate": first_gate, **gates, "loops": loops}
        phases = {"state_outputs": legal, "goal_outputs": outputs[:0], "next_outputs": outputs}
        calls: list[tuple[str, Any, dict[str, Any]]] = [
            (
                "extract_gates",
                _core.extract_gates,
                looped | {"outputs": outputs, "pairs": True, "sets": True},
            ),
            ("gate_phases", _core.gate_phases, looped | phases),
            ("find_latches", _core.find_latches, looped | {"next": outputs}),
            (
                "gate_order",
                _core.gate_order,
                looped | {"phases": np.zeros(len(gates["gate_offsets"]) - 1, np.int32)},
            ),
            (
                "sweep_gates",
                _core.sweep_gates,
                {
                    "fluents": len(circuit.fluents),
                    "moves_of_roles": np.array([len(own) for own in circuit.role_moves], np.int32),
                    **gates,
                    "legal": legal,
                    "outputs": outputs,
                    "rules": 255,
                },
            ),
        ]
        name, function, given = self.random.choice(calls)
        return Call(name, function, given, sizes=("first_gate", "fluents"))

    def call_network(self) -> Call:
        circuit = self.random.choice(circuits())
        parts: dict[str, Any] = {}

        def take(**given: Any) -> Any:
            parts.update(given)
            return usual(**given)

        usual = _core.Network
        with patch.object(engine_network, "Network", take):
            make_network(circuit)
        return Call("Network", _core.Network, parts, self.keeper("network"), sizes=("fluents",))

    def call_foresee(self) -> Call:
        function = self.random.choice([_core.foresee_gates, _core.outlook_gates])
        return Call("foresee_gates", function, {"network": self.network(), "most_literals": 10_000})

    def call_make_lanes(self) -> Call:
        given = {"network": self.network(), "lanes": 0, "instruction_set": "", "plan": "", "native": True}
        return Call("Lanes", lambda **all: (_core.Lanes(**all), all["network"]), given, self.keeper("lanes"))

    def call_lanes(self) -> Call:
        network = self.network()
        lanes, network = self.one("lanes", lambda: (_core.Lanes(network), network))
        rows = self.rows(network)
        played: dict[str, Any] = {"seed": 1, "threads": 2, "max_steps": 20, "weights": None}
        if self.random.random() < 0.3:
            played["weights"] = np.ones(network.moves, np.float32)
        moved = {"states": rows, "moves": self.moves(network, len(rows)), "threads": 1, "check": False}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("playouts", played | {"count": 100, "seconds": None}),
            ("playouts_from", played | {"states": rows, "per_state": 2}),
            ("expand", {"states": rows, "threads": 1}),
            ("step", moved),
            ("sees", moved),
            ("walk", {"steps": 3, "seed": 1}),
        ]
        name, given = self.random.choice(calls)
        return Call(f"Lanes.{name}", getattr(lanes, name), given, sizes=("steps",))

    def call_make_single(self) -> Call:
        return Call(
            "Single", _core.Single, {"network": self.network(), "mode": "auto"}, self.keeper("single")
        )

    def call_single(self) -> Call:
        network = self.network()
        single = _core.Single(network, self.random.choice(["auto", "full", "incremental"]))
        if self.random.random() < 0.5:
            single.set_names(lambda number: f"m{number}", np.arange(network.fluents, dtype=np.int64))
        state = self.state(network)
        joint = {"state": state, "moves": [-1] * network.roles}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("set_names", {"name": str, "hashes": np.arange(network.fluents, dtype=np.int64)}),
            ("legal", {"state": state, "role": 0}),
            ("legal_names", {"state": state, "role": 0}),
            *((name, joint) for name in ("first_illegal", "successor", "play", "percepts")),
            *((name, {"state": state}) for name in ("terminal", "goals", "goal_values", "hash")),
            ("playouts", {"count": 5, "seconds": None, "seed": 1, "max_steps": 30, "state": state}),
        ]
        name, given = self.random.choice(calls)
        return Call(f"Single.{name}", getattr(single, name), given)

    def call_row_index(self) -> Call:
        if self.random.random() < 0.2:
            given: dict[str, Any] = {"bytes": self.random.choice([0, 1, 3, 9])}
            return Call("RowIndex", _core.RowIndex, given, self.keeper("index"))
        index = self.one("index", lambda: _core.RowIndex(3))
        rows = np.frombuffer(self.random.randbytes(21), np.uint8).reshape(7, 3)
        name = self.random.choice(["add", "find", "rows"])
        given = {"first": 0, "most": 2} if name == "rows" else {"rows": rows}
        return Call(f"RowIndex.{name}", getattr(index, name), given)

    def call_settings(self) -> Call:
        settings = self.one("settings", _core.MctsSettings)
        names = [name for name in dir(settings) if not name.startswith("_")]
        name = self.random.choice(names)

        def put(value: Any) -> None:
            setattr(settings, name, value)

        return Call(f"MctsSettings.{name}", put, {"value": getattr(settings, name)})

    def call_make_tree(self) -> Call:
        network = self.network()
        given = {
            "evaluators": _core.Single(network).evaluators,
            "chance": self.random.choice([[], [0]]),
            "highest": [100] * network.roles,
            "constant_sum": -1,
            "observe": True,
            "seed": 1,
            "memory_bytes": 1 << 20,
            "settings": self.one("settings", _core.MctsSettings),
            "foresight": None,
        }
        return Call(
            "MctsTree",
            lambda **given: (_core.MctsTree(**given), network),
            given,
            self.keeper("tree"),
            sizes=("memory_bytes",),
        )

    def call_tree(self) -> Call:
        if not self.pools.get("tree"):
            return self.call_make_tree()
        tree, network = self.random.choice(self.pools["tree"])
        state = self.state(network)
        searched = {"state": state, "role": 0, "seconds": None, "playouts": 200, "nodes": None, "threads": 2}
        if self.random.random() < 0.4 and network.fluents > 2:
            searched["values"] = _core.StateValues(**value_parts(atoms_network(network.fluents)))
            searched["spreads"] = [_core.Spread([(0.0, 100.0, 1.0, [40.0, 60.0])])] * network.roles
        calls: list[tuple[str, dict[str, Any]]] = [
            ("search", searched | {"stopped": self.stop()}),
            ("look", {"state": state}),
            ("forget", {}),
        ]
        name, given = self.random.choice(calls)
        return Call(f"MctsTree.{name}", getattr(tree, name), given)

    def call_alphabeta(self) -> Call:
        network = self.network()
        single = _core.Single(network)
        kernel = {"evaluators": single.evaluators, "table_bytes": 1 << 14}
        searched = {
            "state": self.state(network),
            "role": 0,
            "first_depth": 1,
            "deepening": 1,
            "max_depth": 3,
            "window": 10.0,
            "extensions": 1,
            "every_value": False,
            "any_win": False,
            "nodes": 500,
            "seconds": None,
            "stop": self.stop(),
            "weights": None,
            "bias": 0.0,
            "playouts": 2,
            "seed": 1,
            "longest": 20,
            "is_quiet": self.random.choice([None, lambda _: False]),
            "evaluate": self.random.choice([None, lambda _: 50.0, lambda _: "x"]),
        }
        if self.random.random() < 0.3:
            searched["weights"] = np.ones(network.fluents)
        if self.random.random() < 0.3 and network.fluents > 2:
            searched["values"] = _core.StateValues(**value_parts(atoms_network(network.fluents)))
            searched["spread"] = self.random.choice([None, _core.Spread([(0.0, 100.0, 1.0, [40.0, 60.0])])])

        def search(evaluators: Any, table_bytes: Any, **given: Any) -> object:
            return _core.AlphaBetaKernel(evaluators, table_bytes).search(**given)

        return Call("AlphaBetaKernel.search", search, kernel | searched, sizes=("table_bytes",))

    def call_values(self) -> Call:
        if self.random.random() < 0.5:
            return Call("StateValues", _core.StateValues, value_parts(), self.keeper("values"))
        values = self.one("values", lambda: _core.StateValues(**value_parts()))
        if self.random.random() < 0.5:
            return Call("StateValues.value", values.value, {"state": self.random.randbytes(1), "role": 0})
        rows = np.frombuffer(self.random.randbytes(70), np.uint8).reshape(70, 1)
        return Call("StateValues.values", values.values, {"states": rows, "role": 0})

    def call_spread(self) -> Call:
        if self.random.random() < 0.5:
            intervals = [(0.0, 50.0, 0.1, [1.0, 2.0]), (50.0, 100.0, 0.2, [])]
            return Call("Spread", _core.Spread, {"intervals": intervals}, self.keeper("spread"))
        spread = self.one("spread", lambda: _core.Spread([(0.0, 100.0, 1.0, [40.0, 60.0])]))
        return Call("Spread.place", spread.place, {"value": 30.0})

    def call_proof(self) -> Call:
        network = self.network()
        single = _core.Single(network)
        size = network.fluents + network.moves
        given = {
            "evaluators": single.evaluators,
            "table_bytes": 1 << 14,
            "state": self.state(network),
            "role": 0,
            "threshold": 50,
            "depth_first": True,
            "played_depth": 1,
            "look_ahead": True,
            "nodes": 500,
            "seconds": None,
            "stop": self.stop(),
            "renamings": [[*range(network.fluents), *range(network.moves)]],
            "outlook": self.single().evaluators if self.random.random() < 0.3 else None,
            "seen": 0,
        }
        if size and self.random.random() < 0.5:
            shuffled = list(range(network.fluents)), list(range(network.moves))
            for part in shuffled:
                self.random.shuffle(part)
            given["renamings"] = [[*shuffled[0], *shuffled[1]]]

        def prove(
            evaluators: Any,
            table_bytes: Any,
            renamings: Any,
            outlook: Any,
            played_depth: Any,
            seen: Any,
            **asked: Any,
        ) -> None:
            kernel = _core.ProofKernel(evaluators, table_bytes)
            kernel.set_symmetries(renamings)
            if outlook is not None:
                kernel.set_outlook(outlook)
            answer = kernel.prove(**asked, played_depth=played_depth)
            kernel.strategy(**asked, proved=bool(answer))
            kernel.seen_goals(seen)
            kernel.forget()

        return Call("ProofKernel", prove, given, sizes=("table_bytes",))

    def call_nested(self) -> Call:
        network = self.network()
        given = {
            "evaluators": _core.Single(network).evaluators,
            "state": self.state(network),
            "seed": 1,
            "playouts": 50,
            "seconds": None,
            "stop": self.stop(),
            "iterations": 3,
            "learning": 1.0,
            "longest": 10,
            "first_level": 1,
            "last_level": 2,
        }
        return Call("nested_rollouts", _core.nested_rollouts, given)

    def call_regrets(self) -> Call:
        """Nature draws, and a player chooses without knowing what; or two players choose at once."""
        sets = self.random.choice([[-1, 0, 0], [0, 1, 1]])
        given: dict[str, Any] = {
            "player": np.array([min(0, sets[0]), sets[1], sets[2], -2, -2, -2, -2], np.int32),
            "first_edge": np.array([0, 2, 4, 6, 6, 6, 6, 6], np.int32),
            "child": np.arange(1, 7, dtype=np.int32),
            "weight": np.array(self.random.choices([1, 2, 2**31], k=6), np.int64),
            "information_set": np.array([*sets, -1, -1, -1, -1], np.int32),
            "set_offsets": np.arange(0, 2 * max(sets) + 3, 2, dtype=np.int32),
            "values": np.arange(7.0 * (max(sets) + 1)).reshape(7, -1),
            "seed": 1,
            "iterations": 20,
            "plus": self.random.random() < 0.5,
            "simultaneous": self.random.random() < 0.5,
            "exploration": 0.6,
            "profile": np.full(2 * max(sets) + 2, 0.5),
            "stop": self.stop(),
        }

        def run(
            iterations: Any,
            plus: Any,
            simultaneous: Any,
            exploration: Any,
            profile: Any,
            stop: Any,
            **tree: Any,
        ) -> None:
            kernel = _core.RegretKernel(**tree)
            kernel.run_full(iterations, plus=plus, simultaneous=simultaneous, stop=stop)
            kernel.run_external(iterations, stop=stop)
            kernel.run_outcome(iterations, exploration=exploration, stop=stop)
            kernel.worth(profile)

        return Call("RegretKernel", run, given)

    def call_information(self) -> Call:
        """Any sheet, with percepts or without, searched by a role that may be anywhere."""
        network = self.network()
        rows = self.rows(network)
        made: dict[str, Any] = {
            "evaluators": _core.Single(network).evaluators,
            "chance": self.random.choice([[], [0]]),
            "sees_roles": np.arange(network.percepts, dtype=np.int32) % max(1, network.roles),
            "everyone": self.random.random() < 0.5,
            "exploration": 0.7,
            "random_others": self.random.choice([0.0, 0.5]),
            "max_steps": 20,
            "games_a_leaf": 2,
            "batch": self.random.choice([0, 1, 3]),
            "memory_bytes": self.random.choice([0, 1 << 12, 1 << 20]),
        }
        begun: dict[str, Any] = {
            "role": network.roles - 1,
            "states": rows,
            "weights": np.ones(len(rows)),
            "views": np.zeros((len(rows), self.random.choice([0, network.roles])), np.uint64),
            "seed": 1,
        }
        asked: dict[str, Any] = {
            "moves": np.array([network.moves - 1], np.int32),
            "values": np.array([50.0]),
            "visits": 3,
            "descents": 40,
            "nodes": None,
            "seconds": None,
            "stop": self.stop(),
            "looked": 0,
            "view": 0,
            "past": [(0, [0])],
        }

        def search(
            moves: Any, values: Any, visits: Any, looked: Any, view: Any, past: Any, **given: Any
        ) -> None:
            kernel = _core.InformationTree(**{name: given[name] for name in made})
            kernel.begin(**{name: given[name] for name in begun})
            if visits:
                kernel.trust(moves, values, visits)
            limits = {name: given[name] for name in ("descents", "nodes", "seconds", "stop")}
            kernel.grow(**limits)
            kernel.look(looked, view, past)
            kernel.grow(**limits)

        return Call("InformationTree", search, made | begun | asked, sizes=("memory_bytes",))

    def call_clingo(self) -> Call:
        """What these are given are addresses: they cannot be spoilt without harm."""
        if self.random.random() < 0.5:
            return Call("RuleCollector.take", _core.RuleCollector().take, {})
        given = {"atoms": 0, "functions": [0] * self.random.randrange(10)}
        return Call("AtomReader", _core.AtomReader, given, fixed=("atoms", "functions"))
