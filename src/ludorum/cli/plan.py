"""``ludorum plan``: the shortest way to the best end of a game that its rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..rules.kif import parse_term
from ..rules.terms import Term
from .common import (
    NO,
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    need_logic,
    print_json,
    readable_errors,
    seconds_option,
)
from .progress import shown_progress
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..engine.game import Game, JointMove
    from ..solve.explain_no_plan import MissingCondition
    from ..solve.portfolio import PlanTask, WayResult


def run(
    game: GameArgument,
    role: Annotated[str | None, typer.Option("--role", help="whose plan; the first role by default")] = None,
    past: Annotated[
        str | None,
        typer.Option("--from", metavar="RECORD", help="plan on from where a recorded match stopped"),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            "--after", metavar="MOVES", help='joint moves made so far: "(mark 2 2) noop, noop (mark 1 1)"'
        ),
    ] = None,
    value: Annotated[
        int | None, typer.Option("--value", min=0, max=100, help="at least this value, not the highest")
    ] = None,
    longest: Annotated[int | None, typer.Option("--longest", min=1, help="no plan with more moves")] = None,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="go on until no shorter plan can exist")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="say how many plans are as short and as good")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="say why there is no (better) plan")] = False,
    seconds: Annotated[float, seconds_option("for the whole answer", least=0.01)] = 60.0,
    way: Annotated[
        str | None, typer.Option("--way", help="only `logic`, `search`, `any-order`, `parts` or `bound`")
    ] = None,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find a plan: moves of all roles that bring one of them the most, as if all others helped."""
    limit_seconds(seconds * (1 + count + explain))  # each of these has as much time
    with readable_errors(as_json):
        need_logic(game)
        from ..engine.load import load_game
        from ..search.budget import Budget, Stopwatch
        from ..solve.planner import LONGEST
        from ..solve.portfolio import PlanTask, best_plan

        watch = Stopwatch(Budget(seconds=seconds))
        played = load_game(game, "auto", lenient)
        who = played.roles[0] if role is None else played.role(role)
        made = _moves_made(played, past, moves)
        task = PlanTask(
            played,
            who,
            _state_after(played, made),
            None if value is None else (value,),
            longest or LONGEST,
            seed,
            shortest,
        )
        ways = None if way is None else (way,)
        # Reading the rules counts, up to half of the time, so that some is left.
        left = max(watch.seconds_left or 0.0, seconds / 2)
        with shown_progress("plans", as_json, seconds=left) as bar:
            found = best_plan(task, Budget(seconds=left), ways, None if bar is None else bar.tell)
        more = _count(task, found[0], seconds) if count else None
        reasons = _reasons(task, made, found[0], seconds) if explain else None
    if as_json:
        print_json(_as_json(task, found, more, reasons))
    else:
        _print(task, found, more, reasons)
    if found[0].answer is None or found[0].answer.plan is None:
        raise typer.Exit(NO)


def _moves_made(game: Game, record: str | None, moves: str | None) -> tuple[JointMove, ...]:
    if record is not None:
        from .match_text import find_record

        return find_record(record, None).record.moves
    if moves is None:
        return ()
    return tuple(_joint_move(game, text) for text in moves.split(","))


def _joint_move(game: Game, text: str) -> JointMove:
    moves = tuple(move for move in parse_term(f"(x {text})").args if isinstance(move, Term))
    if len(moves) != len(game.roles):
        raise ValueError(f"--after: {text.strip()!r} has {len(moves)} moves for {len(game.roles)} roles")
    return moves


def _state_after(game: Game, moves: tuple[JointMove, ...]) -> frozenset[Term] | None:
    if not moves:
        return None
    state = game.initial()
    for joint in moves:
        state = state.play(joint)
    return state.facts()


def _count(task: PlanTask, found: WayResult, seconds: float) -> int | None:
    """How many plans are as short and as good as the one found; None where the time was too short."""
    from ..search.budget import Budget
    from ..solve.horizon import OutOfTime, Unrolled
    from ..solve.planner import Planner

    if found.answer is None or found.answer.plan is None:
        return None
    try:
        return Planner(Unrolled(task.rules, task.state)).count_plans(
            found.answer.plan, Budget(seconds=seconds)
        )
    except OutOfTime:
        return None


def _reasons(
    task: PlanTask, past: tuple[JointMove, ...], found: WayResult, seconds: float
) -> list[MissingCondition] | None:
    """Why nothing better exists; None where that was not asked for."""
    from ..search.budget import Budget
    from ..solve.explain_no_plan import NoPlan, explain_no_plan

    wanted = 100 if task.values is None else task.values[0]
    plan = None if found.answer is None else found.answer.plan
    if plan is not None and plan.goal >= wanted:
        return None
    return explain_no_plan(NoPlan(task.rules, task.role, wanted, past, task.longest), Budget(seconds=seconds))


def _as_json(
    task: PlanTask, found: list[WayResult], more: int | None, reasons: list[MissingCondition] | None
) -> dict[str, object]:
    from ..solve.portfolio import proved_bound

    best = found[0]
    plan = None if best.answer is None else best.answer.plan
    return {
        "game": task.game.name,
        "role": str(task.role),
        "goal": None if plan is None else plan.goal,
        "length": None if plan is None else len(plan),
        "moves": None if plan is None else [[str(move) for move in joint] for joint in plan.moves],
        "optimal": plan is not None and plan.optimal,
        "shortest": plan is not None and plan.shortest,
        "proved": best.answer is not None and best.answer.complete,
        "bound": proved_bound(found),
        "way": best.way,
        "method": best.method or best.way,
        "seconds": None if best.answer is None else best.answer.seconds,
        "trouble": {each.way: each.trouble for each in found if each.trouble},
        "count": more,
        "reasons": None if reasons is None else [reason.as_json() for reason in reasons],
    }


def _print(
    task: PlanTask, found: list[WayResult], more: int | None, reasons: list[MissingCondition] | None
) -> None:
    from ..solve.portfolio import proved_bound

    best = found[0]
    for each in found:
        if each.trouble:
            typer.echo(f"{each.way}: {each.trouble}", err=True)
    answer = best.answer
    plan = None if answer is None else answer.plan
    if answer is None or plan is None:
        typer.echo(_no_plan(task, answer is not None and answer.complete))
    else:
        for number, joint in enumerate(plan.moves, 1):
            typer.echo(f"{number:3d}  {'  '.join(map(str, joint))}")
        limit = proved_bound(found)
        best_there_is = "the best there is" if plan.optimal else f"nothing brings more than {limit}"
        how_short = "no plan is shorter" if plan.shortest else "perhaps not the shortest"
        typer.echo(
            f"{task.role} has {plan.goal} after {len(plan)} moves: {best_there_is}; {how_short} "
            f"({best.way}, {answer.seconds:.2f} s)"
        )
    if more is not None:
        typer.echo(f"{more} plan{'' if more == 1 else 's'} of this length and value")
    for reason in reasons or ():
        typer.echo(f"- {reason.text}")
    if reasons == []:
        typer.echo("Why there is nothing better was not found in the time; more --seconds may help.")


def _no_plan(task: PlanTask, sure: bool) -> str:
    from ..engine.endless_growth import endless_growth

    if sure:
        return "There is no such plan."
    growth = endless_growth(task.rules, task.game.name)
    if growth:
        return f"No plan was found, and more time may not help: {growth}"
    return "No plan was found in the time."
