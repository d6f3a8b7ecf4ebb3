"""``ludorum show``: the spec sheet of a game."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..engine.game import Game, GameInfo
from ..engine.load import DEFAULT_ENGINE
from ..engine.observe import PlayTally
from ..rules.library import Sheet
from ..rules.terms import Term
from .common import (
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    print_json,
    readable_errors,
)
from .progress import shown_progress
from .realtime_text import refuse_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.circuit_report import CircuitReport
    from ..evaluate import Structure
    from ..rules.ruleset import Ruleset

MOST_RULES = 3000
"""The most rules of a sheet in which structures are looked for: that takes some seconds."""


def run(
    game: GameArgument,
    steps: Annotated[
        int, typer.Option("--steps", min=0, help="random moves played to observe the game")
    ] = 60,
    circuit: Annotated[
        Path | None, typer.Option("--circuit", help="draw the circuit into this SVG file and print its sizes")
    ] = None,
    prove: Annotated[
        float, typer.Option("--prove", min=0, help="seconds for proofs of what is otherwise only observed")
    ] = 0.0,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what is known of a game: roles, kind, sizes, engine, structures, each with its status."""
    from ..engine.load import make_game
    from ..engine.observe import observed_info, sample_play
    from ..rules.library import find_sheet

    with readable_errors(as_json):
        sheet = find_sheet(game)
        if sheet.is_realtime:
            refuse_options(circuit=circuit, prove=prove, lenient=lenient)
            spec = realtime_spec(sheet, seed)
            print_json(spec) if as_json else print_spec(spec)
            return
        start = time.perf_counter()
        loaded = make_game(sheet, lenient=lenient)
        built = time.perf_counter() - start
        with shown_progress("moves", as_json, total=steps) as report:
            sample = sample_play(loaded, steps, seed, report)
        info = observed_info(loaded, sample, sheet.info.length)
        if prove and loaded.rules is None:
            raise ValueError(f"{sheet.name} is a flow chart: proofs need rules in logic, leave --prove out")
        if prove:
            info = proved_info(loaded, info, prove)
        sizes = None if circuit is None else draw(sheet, lenient, circuit)
    spec = spec_sheet(sheet, loaded, info, sample, built)
    found = structures_in(loaded)
    if as_json:
        spec["recognised"] = None if found is None else [each.as_json() for each in found]
        print_json(spec if sizes is None else {**spec, "circuit": {"file": str(circuit), **sizes.as_json()}})
    else:
        print_spec(spec)
        print_structures(found)
        if sizes is not None:
            typer.echo(f"\ncircuit, drawn in {circuit}\n{sizes}")


def structures_in(game: Game) -> list[Structure] | None:
    """What people recognise in rules in logic, found without names; None where there are too many rules."""
    from ..evaluate import find_structures

    if game.rules is None:
        return []
    if len(game.rules.rules) > MOST_RULES:
        return None
    return find_structures(game.rules, game.initial().facts())


def print_structures(found: Sequence[Structure] | None) -> None:
    """The structures below a heading, if there are any."""
    from .structure_text import structure_lines

    if found is None:
        typer.echo(f"\nno boards or pieces looked for: there are more than {MOST_RULES} rules")
        return
    if found:
        typer.echo("\nrecognised, whatever its names")
    for line in structure_lines(found):
        typer.echo(f"  {line}")


def proved_info(game: Game, info: GameInfo, seconds: float) -> GameInfo:
    """The info with proofs instead of observations."""
    from ..search.budget import Budget
    from ..solve.prove.game_info import ASKED, info_with
    from ..solve.prove.prove import prove

    assert game.rules is not None
    return info_with(info, prove(game.rules, ASKED, Budget(seconds=seconds), name=game.name))


def draw(sheet: Sheet, lenient: bool, path: Path) -> CircuitReport:
    """Build the circuit of a sheet, and draw it into a file; returns the report on it."""
    from ..engine.circuit_report import report_circuit
    from ..engine.draw_circuit import draw_circuit
    from ..engine.load import load_rules

    found = report_circuit(load_rules(sheet, lenient))
    path.write_text(draw_circuit(found.circuit, sheet.info.title or sheet.name), encoding="utf-8")
    return found


def spec_sheet(
    sheet: Sheet, game: Game, info: GameInfo, sample: PlayTally, built: float
) -> dict[str, object]:
    """The spec sheet as plain values."""
    text, sizes, structures = _of_rules(game.rules) if game.rules is not None else _of_chart(game)
    return {
        "name": sheet.name,
        "title": sheet.info.title,
        "rules": sheet.info.rules,
        "language": sheet.language,
        "version": hashlib.sha256(text.encode()).hexdigest()[:12],
        "roles": [str(role) for role in game.roles],
        "players": [str(role) for role in info.players],
        "nature": [str(role) for role in info.chance_roles],
        "info": {
            "chance_role": None if info.chance_role is None else str(info.chance_role),
            "perfect_information": info.perfect_information.as_json(),
            "simultaneous": info.simultaneous.as_json(),
            "turn_taking": info.turn_taking.as_json(),
            "realtime": info.realtime.as_json(),
            "zero_sum": info.zero_sum.as_json(),
            "constant_sum": info.constant_sum.as_json(),
            "maximum_length": info.maximum_length.as_json(),
        },
        "sizes": {
            **sizes,
            "initial_facts": len(game.initial().facts()),
            "legal_at_start": [len(game.initial().legal(role)) for role in game.roles],
            "sampled_states": sample.states,
            "sampled_plays": sample.plays,
            "mean_branching": round(sum(sample.branching) / len(sample.branching), 1)
            if sample.branching
            else None,
            "longest_seen": sample.longest,
        },
        "engine": {
            "name": DEFAULT_ENGINE if game.rules is not None else "chart machine",
            "build_s": round(built, 3),
        },
        "structures": structures,
    }


def realtime_spec(sheet: Sheet, seed: int) -> dict[str, object]:
    """The spec sheet of a realtime game, with what a random match of it was like."""
    from ..arena.world import RealtimeGame
    from ..arena.world.as_game import RealtimeState
    from ..arena.world.realtime_match import TICKS_PER_SECOND
    from ..engine.load import load_realtime

    master = load_realtime(sheet)
    assert master is not None
    game = RealtimeGame(master.sheet)
    start, *states = game.playout(seed)
    last = states[-1] if states else start
    assert isinstance(last, RealtimeState)
    text, sizes, structures = _of_rules(master.sheet.master)
    tick = master.sheet.settings.tick / TICKS_PER_SECOND
    return {
        "name": sheet.name,
        "title": sheet.info.title,
        "rules": sheet.info.rules,
        "language": sheet.language,
        "version": hashlib.sha256(text.encode()).hexdigest()[:12],
        "players": [str(role) for role in game.roles],
        "nature": [],
        "info": {
            "perfect_information": game.info.perfect_information.as_json(),
            "realtime": game.info.realtime.as_json(),
        },
        "sizes": {
            **sizes,
            "initial_facts": len(start.facts()),
            "legal_at_start": [len(start.legal(role)) for role in game.roles],
            "seconds_of_a_tick": tick,
            "sampled_states": 1 + len(states),
            "sampled_seconds": round(last.at.clock * tick, 2),
        },
        "structures": structures,
    }


def _of_rules(rules: Ruleset) -> tuple[str, dict[str, int], dict[str, list[str]]]:
    """The size and the structures of rules in logic."""
    sizes = {
        "rules": sum(1 for rule in rules.rules if rule.body),
        "facts": sum(1 for rule in rules.rules if not rule.body),
        "relations": len(rules.by_signature),
    }
    structures = {
        "fluents": _argument_names(rules, ("init", "next"), 0),
        "moves": _argument_names(rules, ("legal",), 1),
        "percepts": _argument_names(rules, ("sees",), 1),
    }
    return str(rules), sizes, structures


def _of_chart(game: Game) -> tuple[str, dict[str, int], dict[str, list[str]]]:
    """The same of a flow chart."""
    from ..cards.language.language import DECISIONS
    from ..cards.language.rules import ChoiceNode, Statement, format_rules
    from ..cards.language.terms import format_term
    from ..cards.machine.game import CardGame

    assert isinstance(game, CardGame)
    nodes = game.chart.nodes.values()
    actions = [node.action for node in nodes if isinstance(node, Statement)]
    sizes = {
        "nodes": len(game.chart.nodes),
        "choices": sum(isinstance(node, ChoiceNode) for node in nodes),
        "decisions": sum(action.name in DECISIONS for action in actions),
    }
    structures = {
        "statements": sorted({action.name for action in actions}),
        "variables": sorted({format_term(action.args[0]) for action in actions if action.name == "assign"}),
    }
    return format_rules(game.chart), sizes, structures


def _argument_names(rules: Ruleset, relations: tuple[str, ...], position: int) -> list[str]:
    """The terms at an argument of some relations' heads, as name/arity: the fluents, moves or percepts."""
    found = {
        f"{argument.name}/{argument.arity}"
        for rule in rules.rules
        if rule.head.name in relations and len(rule.head.args) > position
        for argument in [rule.head.args[position]]
        if isinstance(argument, Term)
    }
    return sorted(found)


def print_spec(spec: dict[str, object]) -> None:
    typer.echo(f"{spec['title'] or spec['name']}")
    if spec["rules"]:
        typer.echo(f"  {spec['rules']}")
    typer.echo(f"{'name':<20} {spec['name']} ({spec['language']}, version {spec['version']})")
    for key in ("players", "nature"):
        if spec[key]:
            typer.echo(f"{key:<20} {' '.join(spec[key])}")  # type: ignore[arg-type]
    info, sizes, structures = spec["info"], spec["sizes"], spec["structures"]
    assert isinstance(info, dict)
    assert isinstance(sizes, dict)
    assert isinstance(structures, dict)
    for key, entry in info.items():
        if isinstance(entry, dict):
            typer.echo(f"{key.replace('_', ' '):<20} {_value(entry['value'])} ({entry['status']})")
    for key, value in sizes.items():
        typer.echo(f"{key.replace('_', ' '):<20} {_value(value)}")
    for key, names in structures.items():
        if names:
            typer.echo(f"{key:<20} {' '.join(names)}")


def _value(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
