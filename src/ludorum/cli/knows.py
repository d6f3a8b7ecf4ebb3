"""``ludorum knows``: what a role knows in a match, and why it does not know more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..rules.terms import format_term
from .circuit_game import load_with_circuit
from .common import (
    NO,
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    need_logic,
    print_json,
    readable_errors,
)

if TYPE_CHECKING:
    from ..engine.game import Game, JointMove
    from ..knowledge.complete_knower import CompleteKnower, Why
    from ..knowledge.follow_match import KnownStep
    from ..rules.terms import Term

COMPILE_SECONDS = 60.0
MOST_LISTED = 12
"""Facts that a line lists."""


def run(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option("--role", help="whose knowledge; without it the first's")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="the match; without it a random one of --seed")
    ] = None,
    step: Annotated[int | None, typer.Option("--step", min=0, help="stop after so many steps")] = None,
    why: Annotated[
        str | None,
        typer.Option("--why", metavar="FACT", help="a fact, '(legal MOVE)', terminal or '(goal 100)'"),
    ] = None,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a role knows in a match, from its own moves and percepts alone, and prove it.

    Everything that follows from the rules is found: what is not known cannot be known, and --why shows two
    courses of the match that look the same to the role. Exit 1: the fact of --why is not known, or the role
    cannot know its legal moves, which is a fault of the rules.
    """
    from ..knowledge.complete_knower import CompleteKnower
    from ..knowledge.follow_match import follow_match

    with readable_errors(as_json):
        need_logic(game)
        loaded, _ = load_with_circuit(game, lenient, COMPILE_SECONDS)
        own = loaded.info.players[0] if role is None else loaded.role(role)
        if loaded.rules is not None and not loaded.rules.has_hidden_information:
            raise ValueError(f"{loaded.name} hides nothing: every role knows the whole state in every step")
        moves = _moves(loaded, record, seed)[:step]
        knower = CompleteKnower(loaded, own)
        if why is not None:
            for _ in follow_match(loaded, knower, moves):
                pass
            raise typer.Exit(_explain(loaded, knower, why, as_json))
        steps = list(follow_match(loaded, knower, moves))
        raise typer.Exit(_report(loaded, own, steps, as_json))


def _moves(game: Game, record: Path | None, seed: int) -> list[JointMove]:
    """The joint moves of a record, or of a random match."""
    if record is None:
        return [state.joint for state in game.playout(seed) if state.joint is not None]
    from ..arena.records.fields import read_text
    from ..arena.records.publisher import open_record

    match = open_record(read_text(record), str(record))
    return list(match.record.seated(game.roles).moves)


def _report(game: Game, role: Term, steps: Sequence[KnownStep], as_json: bool) -> int:
    at_fault = [step.number for step in steps if not step.knows_legal]
    if as_json:
        print_json(
            {
                "game": game.name,
                "role": format_term(role),
                "steps": [step.as_json() for step in steps],
                "legal_unknown_after": at_fault,
            }
        )
        return NO if at_fault else 0
    typer.echo(f"{game.name}: what {format_term(role)} knows")
    for step in steps:
        _print_step(step)
    if at_fault:
        typer.echo(
            f"A fault of the rules: after step {at_fault[0]} {format_term(role)} cannot know its "
            "legal moves. --why '(legal MOVE)' shows two courses that look the same."
        )
    return NO if at_fault else 0


def _print_step(step: KnownStep) -> None:
    if step.move is None:
        typer.echo("at the start")
    else:
        heard = ", ".join(map(format_term, step.percepts)) or "nothing"
        typer.echo(f"step {step.number}: plays {format_term(step.move)}, perceives {heard}")
    open_facts = step.possible_facts - step.known_facts
    _print_terms("known   ", step.known_facts)
    if open_facts:
        _print_terms("possible", open_facts)
    if step.terminal.value == "true":
        typer.echo(f"  the match is over; goal {_goal(step)}")
        return
    if step.terminal.value == "unknown":
        typer.echo("  the match may be over")
    sure, maybe = len(step.known_legal), len(step.possible_legal)
    noun = "move" if sure == 1 else "moves"
    typer.echo(
        f"  legal    {sure} {noun} known" + (f", {maybe - sure} more possible" if maybe > sure else "")
    )


def _goal(step: KnownStep) -> str:
    if step.goal is not None:
        return str(step.goal)
    return "unknown: " + " or ".join(map(str, sorted(step.possible_goals)))


def _print_terms(label: str, terms: Iterable[Term]) -> None:
    from ..knowledge.follow_match import texts

    listed = texts(terms)
    more = f" and {len(listed) - MOST_LISTED} more" if len(listed) > MOST_LISTED else ""
    typer.echo(f"  {label} {' '.join(listed[:MOST_LISTED]) or 'nothing'}{more}")


def _explain(game: Game, knower: CompleteKnower, text: str, as_json: bool) -> int:
    found = _why(knower, text)
    known = found.truth.value != "unknown"
    if as_json:
        print_json(
            {
                "game": game.name,
                "role": format_term(knower.role),
                "step": knower.step,
                "fact": text,
                "truth": found.truth.value,
                "holds": _course(found.holds),
                "fails": _course(found.fails),
            }
        )
        return 0 if known else NO
    name = format_term(knower.role)
    if known:
        typer.echo(
            f"{name} knows after step {knower.step} that {text} is {found.truth.value}: no course of the"
        )
        typer.echo("match that agrees with its moves and percepts says otherwise. One of them:")
    else:
        typer.echo(f"{name} cannot know {text} after step {knower.step}: these courses look the same to it.")
    for label, course in (("true", found.holds), ("false", found.fails)):
        if course is not None:
            typer.echo(f"{text} is {label} after")
            for number, joint in enumerate(course, 1):
                did = [f"{format_term(r)} {format_term(m)}" for r, m in zip(game.roles, joint, strict=True)]
                typer.echo(f"  {number}. {', '.join(did)}")
    return 0 if known else NO


def _why(knower: CompleteKnower, text: str) -> Why:
    from ..rules.kif import parse_term
    from ..rules.terms import Term

    asked = parse_term(text)
    if asked.signature == ("terminal", 0):
        return knower.why_terminal()
    first = asked.args[0] if len(asked.args) == 1 else None
    if not isinstance(first, Term):
        return knower.why_fact(asked)
    match asked.name:
        case "legal":
            return knower.why_legal(first)
        case "goal" if format_term(first).isdigit():
            return knower.why_goal(int(format_term(first)))
    return knower.why_fact(first if asked.name == "true" else asked)


def _course(course: tuple[JointMove, ...] | None) -> list[list[str]] | None:
    return None if course is None else [[format_term(move) for move in joint] for joint in course]
