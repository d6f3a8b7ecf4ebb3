"""``ludorum solve``: the exact value of a game or a state, with a strategy that can be checked."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..rules.terms import format_term
from ..solve.equilibrium.method import RegretMethod
from .circuit_game import load_with_circuit
from .common import (
    NO,
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    memory_option,
    print_json,
    readable_errors,
    seconds_option,
)
from .completion import complete_from
from .progress import shown_progress
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..rules.terms import Term
    from ..solve.equilibrium.find import Equilibrium
    from ..solve.values.check_strategy import StrategyCheck
    from ..solve.values.solution import Solution
    from ..solve.values.strategy import Strategy

MOST_SETS = 24
"""Information sets whose strategies are printed."""
MOST_MEGABYTES = 1 << 26
"""Most memory that tables can address: 64 terabytes."""


@dataclass(frozen=True)
class _Wanted:
    """What is wanted of an equilibrium."""

    method: RegretMethod
    within: float
    iterations: int | None
    seed: int


def run(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option("--role", help="whose value comes first, whose strategy")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", help="facts of the state, which all roles are taken to know: '((cell 1 1 x) ...)'"
        ),
    ] = None,
    seconds: Annotated[float, seconds_option("for the whole answer")] = 60.0,
    strategy: Annotated[
        Path | None, typer.Option("--strategy", help="write the role's strategy here, and check it")
    ] = None,
    memory: Annotated[
        float | None,
        memory_option(
            "of the table of states; without it an eighth of the machine's, 2048 at most", 1, MOST_MEGABYTES
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=0, max=2, help="2: both searches at once; 0: as there are cores")
    ] = 0,
    opened: Annotated[
        bool,
        typer.Option("--open", help="where something is hidden: the value of the game with all of it open"),
    ] = False,
    equilibrium: Annotated[
        bool,
        typer.Option(
            "--equilibrium",
            help="mixed strategies from which deviating gains little",
        ),
    ] = False,
    within: Annotated[
        float, typer.Option("--within", min=0.0, max=100.0, help="points that deviating may gain at most")
    ] = 0.1,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="of --equilibrium: cfr+, cfr, mccfr (external sampling) or outcome (sampling)",
            autocompletion=complete_from(*RegretMethod),
        ),
    ] = RegretMethod.CFR_PLUS.value,
    iterations: Annotated[
        int | None, typer.Option("--iterations", min=1, help="of --equilibrium, at most")
    ] = None,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Solve a game: its value for each role, the best moves, and how that was proved.

    A game that hides something from a player is refused, unless --open asks for the open game instead, or
    --equilibrium for strategies that do not need to know what is hidden (in games with small trees).
    """
    if equilibrium:
        with readable_errors(as_json):
            if role is not None or strategy is not None or opened:
                raise ValueError(
                    "--equilibrium has strategies of all roles: leave out --role, --strategy, --open"
                )
            if method not in list(RegretMethod):
                raise ValueError(f"no method {method!r}; there are {', '.join(RegretMethod)}")
        wanted = _Wanted(RegretMethod(method), within, iterations, seed)
        _run_equilibrium(game, state, seconds, wanted, lenient, as_json)
        return
    from ..search.budget import Budget
    from ..solve.values.prover import ProverConfig, usual_table_bytes
    from ..solve.values.solve_game import SolveConfig, solve_game

    check = None
    limit_seconds(seconds)
    with readable_errors(as_json):
        loaded, left = load_with_circuit(game, lenient, seconds)
        if strategy is not None and not strategy.parent.is_dir():
            raise ValueError(f"there is no folder {strategy.parent} to write the strategy to")
        config = SolveConfig(
            prover=ProverConfig(
                table_bytes=usual_table_bytes() if memory is None else int(memory * 2**20),
                threads=threads or min(2, os.cpu_count() or 1),
            ),
            strategies=strategy is not None,
            opened=opened,
        )
        with shown_progress("states", as_json, seconds=left) as report:
            found = solve_game(
                loaded,
                None if state is None else loaded.parse_state(state),
                None if role is None else loaded.role(role),
                Budget(seconds=left),
                config,
                report,
            )
        limit_seconds(None)  # the solution is written, and its strategy checked, however long that takes
        if strategy is not None and found.solved:
            check = _write(loaded, _chosen(found, role, loaded), strategy)
    if as_json:
        shown = found.as_json()
        if check is not None:
            shown["check"] = check.as_json()
        print_json(shown)
    else:
        _print(found, check, strategy)
    wanting = strategy is not None and (check is None or not (check.holds and check.complete))
    raise typer.Exit(0 if found.solved and not wanting else NO)


def _run_equilibrium(
    name: str,
    state: str | None,
    seconds: float,
    wanted: _Wanted,
    lenient: bool,
    as_json: bool,
) -> None:
    from ..search.budget import Budget
    from ..solve.equilibrium.find import find_equilibrium

    limit_seconds(seconds)
    with readable_errors(as_json):
        game, left = load_with_circuit(name, lenient, seconds)
        start = None if state is None else game.parse_state(state)
        with shown_progress("nodes", as_json, seconds=left) as bar:
            found = find_equilibrium(
                game,
                start,
                wanted.within,
                wanted.iterations,
                Budget(seconds=left),
                report=None if bar is None else bar.tell,
                method=wanted.method,
                seed=wanted.seed,
            )
    if as_json:
        print_json(found.as_json())
    else:
        _print_equilibrium(found)
    raise typer.Exit(0 if found.found else NO)


def _print_equilibrium(found: Equilibrium) -> None:
    for role, value in found.values.items():
        typer.echo(f"{format_term(role)}: {value:.4f}, and at most {found.gains[role]:.4f} more by deviating")
    for one, chances in found.sets[:MOST_SETS]:
        mixed = ", ".join(
            f"{format_term(move)} {chance:.3f}" for move, chance in zip(one.moves, chances, strict=True)
        )
        typer.echo(f"  {one} -> {mixed}")
    if len(found.sets) > MOST_SETS:
        typer.echo(f"  and {len(found.sets) - MOST_SETS} information sets more (--json has them)")
    if found.is_start_given:
        typer.echo("from the given state, which all roles are taken to know")
    work = f"{found.iterations} iterations, {found.nodes} nodes, {found.seconds:.2f} s"
    typer.echo(f"by {found.method.full_name}: {work}")
    if not found.found:
        typer.echo(f"not within {found.within:g} points; more --iterations or --seconds may do", err=True)


def _chosen(found: Solution, role: str | None, game: Game) -> Strategy | None:
    """The strategy of the given role; else that of the role with the highest guaranteed value."""
    if role is not None:
        return found.strategies.get(game.role(role))
    own: list[Term] = sorted(found.strategies, key=lambda each: -found.values[each])
    return found.strategies[own[0]] if own else None


def _write(game: Game, chosen: Strategy | None, path: Path) -> StrategyCheck | None:
    from ..solve.values.check_strategy import check_strategy

    if chosen is None:
        return None
    chosen.save(path)
    return check_strategy(game, chosen)


def _print(found: Solution, check: StrategyCheck | None, path: Path | None) -> None:
    if not found.solved:
        typer.echo(f"{found.game}: {found.note}")
        for role, (low, high) in found.bounds.items():
            typer.echo(f"  {format_term(role)}: between {low} and {high}")
        more = "; more --seconds or --memory may do" if found.is_limited else ""
        typer.echo(f"  {found.nodes} states, {found.seconds:.2f} s{more}")
        return
    for role, value in found.values.items():
        typer.echo(f"{format_term(role)}: {_shown(value)}")
    if found.note:
        typer.echo(found.note)
    if found.mover is not None and found.best:
        listed = " ".join(format_term(move) for move in found.best)
        typer.echo(f"best for {format_term(found.mover)}: {listed}")
    for role, own in found.mixtures.items():
        mixed = ", ".join(f"{format_term(move)} {_shown(weight)}" for move, weight in own.items())
        typer.echo(f"{format_term(role)} mixes: {mixed}")
    typer.echo(f"by {found.method.value}: {found.nodes} states, {found.seconds:.2f} s")
    if path is not None and check is None:
        typer.echo("no strategy: no role has anything to keep here, or time was over", err=True)
    elif path is not None and check is not None:
        verdict = "holds" if check.holds and check.complete else f"does not hold: {check.fault}"
        typer.echo(f"strategy in {path}: checked in {check.states} states, {check.ends} ends: it {verdict}")


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.4f})"
