"""``ludorum cards step``: a debugger for flow charts, for people at a terminal and for pipes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from .common import MISUSE, GameArgument, JsonOption, SeedOption, need_chart, print_json, readable_errors

if TYPE_CHECKING:
    from ..cards.show.debugger import Debugger, Walked

HELP = """\
  Enter, s [N]   the next node, or N of them      c        on to the next question
  a ANSWER       answer it: card(7,hearts), pass, a number, or #2 for the second option
  g NODE         on to a node                     u        one node back
  v              all variables                    p [0|1|all]  the table, as a player sees it
  e              to the end                       q        leave"""


def run(
    game: GameArgument,
    steps: Annotated[int, typer.Option("--steps", min=0, help="most nodes; 0: to the end")] = 0,
    view: Annotated[str, typer.Option("--view", help="the viewer: 0, 1, ..., spectator or all")] = "all",
    answers: Annotated[
        str, typer.Option("--answers", help="answers in turn, with ; between; * leaves one to the seed")
    ] = "",
    node: Annotated[int | None, typer.Option("--node", help="show only steps at this node")] = None,
    table: Annotated[bool, typer.Option("--table", help="draw the table in the end")] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="commands line by line, also from a pipe")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Walk through a game node by node: captions, questions, answers and changes."""
    from ..cards.load import load_card_game
    from ..cards.show.debugger import Debugger

    with readable_errors(as_json):
        need_chart(game)
        loaded = load_card_game(game)
        viewer = read_view(view, len(loaded.players))
        script = [one.strip() for one in answers.split(";") if one.strip()]
        walker = Debugger(loaded.machine, seed, script)
        if interactive or (sys.stdin.isatty() and not as_json and not steps and not answers):
            Prompt(walker, viewer).run()
            return
        shown = (one for one in walk(walker, steps) if node in (None, one.node))
        if as_json:
            found = list(shown)
            print_json(as_values(walker, found, viewer))
            return
        for one in shown:  # one by one: where the chart fails, the steps before it have been shown
            typer.echo(step_line(one, viewer))
        if table:
            typer.echo("\n".join(picture_lines(walker, viewer)))
        if walker.is_finished:
            typer.echo(result_line(walker))


SPECTATOR = -1
"""The seat of a spectator: sees no hand and no private pile, and is told what all are told."""


def read_view(view: str, players: int) -> int | None:
    """The viewer that a text names: None sees everything, a spectator what all players see."""
    if view == "all":
        return None
    if view == "spectator":
        return SPECTATOR
    if not view.isdigit() or int(view) >= players:
        raise ValueError(f"--view is all, spectator, or a player from 0 to {players - 1}, not {view!r}")
    return int(view)


def walk(walker: Debugger, steps: int) -> Iterator[Walked]:
    """So many nodes, or all."""
    done = 0
    while not walker.is_finished and (not steps or done < steps):
        done += 1
        yield walker.step()


def step_line(one: Walked, viewer: int | None) -> str:
    """A node in a line: step, node, caption, question and answer, as far as the viewer knows them."""
    text = f"{one.step:4d}  node {one.node:<3d} {one.caption}"
    if one.answer and viewer is None:  # other viewers are told below what they may know of it
        text += f"  <- {one.answer}"
    if one.branch:
        text += f"  {one.branch} -> {one.position.node}"
    if one.changes:
        text += "  => " + ", ".join(f"{name}={value}" for name, value in one.changes.items())
    told = told_of(one, viewer)
    return f"{text}\n{'':16}{told}" if told else text


def told_of(one: Walked, viewer: int | None) -> str:
    from ..cards.language.terms import Term, number
    from ..cards.show.faces import events_text

    seen = [(event, event.seen if viewer is None else event.as_seen_by(viewer)) for event in one.events]
    return events_text(
        Term("event", (number(event.step), number(at), what))
        for at, (event, what) in enumerate(seen)
        if what is not None
    )


def picture_lines(walker: Debugger, viewer: int | None) -> list[str]:
    from ..cards.show.picture import picture

    return picture(walker.position, viewer)


def result_line(walker: Debugger) -> str:
    from ..cards.machine.outcome import goals, scores

    end = walker.position
    why = " by the limit on decisions" if end.is_broken_off else ""
    return (
        f"over{why} after {end.step} steps and {end.decisions} decisions: "
        f"scores {' '.join(map(str, scores(end)))}, goals {' '.join(map(str, goals(end)))}"
    )


def as_values(walker: Debugger, found: list[Walked], viewer: int | None) -> dict[str, object]:
    from ..cards.machine.outcome import goals, scores
    from ..cards.show.picture import all_variables, seen_by

    end = walker.position
    return {
        "steps": [_step_values(one, viewer) for one in found],
        "node": end.node,
        "finished": end.is_finished,
        "scores": list(scores(end)),
        "goals": list(goals(end)) if end.is_finished else None,
        "variables": all_variables(end),
        "table": seen_by(end, viewer),
    }


def _step_values(one: Walked, viewer: int | None) -> dict[str, object]:
    values = {**one.as_json(), "told": told_of(one, viewer)}
    return values if viewer is None else {**values, "asked": None, "answer": None}


class Prompt:
    """Commands line by line."""

    def __init__(self, walker: Debugger, viewer: int | None) -> None:
        self.walker = walker
        self.viewer = viewer
        self.failed = False

    def run(self) -> None:
        from ..cards.language.faults import CardsError

        typer.echo(f"{self.walker.machine.rules.players} players. Type ? for help.")
        while True:
            self._ask()
            try:
                line = input("cards> ").strip()
            except EOFError:
                break
            if line in ("q", "quit"):
                break
            try:
                self._do(*(line.split(maxsplit=1) or ["s"]))
                self.failed = False
            except (CardsError, ValueError) as error:
                self.failed = True
                typer.echo(str(error))
        if self.failed and not sys.stdin.isatty():  # a script that ends with a fault has failed
            raise typer.Exit(MISUSE)

    def _ask(self) -> None:
        from ..cards.machine.reasons import NeedMove
        from ..cards.show.debugger import question_text

        if self.walker.is_finished:
            typer.echo(result_line(self.walker))
            return
        position = self.walker.position
        caption = self.walker.machine.rules.caption(position.node)
        typer.echo(f"at node {position.node}: {caption}")
        reason = self.walker.question()
        if isinstance(reason, NeedMove) and self.viewer not in (None, reason.player):
            typer.echo(f"  it asks player({reason.player})")
        elif reason is not None:
            typer.echo(f"  it asks for {question_text(reason)}")

    def _do(self, word: str, rest: str = "") -> None:
        from ..cards.machine.reasons import NeedMove, NeedRandom

        walker = self.walker
        match word:
            case "?" | "help":
                typer.echo(HELP)
            case "s":
                self._go(int(rest or 1), lambda: False)
            case "a":
                if not isinstance(walker.question(), NeedMove | NeedRandom):
                    raise ValueError("nothing is asked here: s goes on")
                self._show(walker.step(rest))
            case "c":
                self._go(1, lambda: False)
                self._go(0, lambda: walker.question() is not None)
            case "g":
                target = int(rest)
                self._go(1, lambda: False)
                self._go(0, lambda: walker.position.node == target)
            case "e":
                self._go(0, lambda: False)
            case "u":
                walker.back()
            case "v":
                from ..cards.show.picture import all_variables

                for name, value in all_variables(walker.position).items():
                    typer.echo(f"  {name} = {value}")
            case "p":
                viewer = read_view(rest, walker.machine.rules.players) if rest else self.viewer
                typer.echo("\n".join(picture_lines(walker, viewer)))
            case _:
                typer.echo(f"there is no command {word}\n{HELP}")

    def _go(self, most: int, stop: Callable[[], bool]) -> None:
        done = 0
        while not self.walker.is_finished and not stop() and (not most or done < most):
            self._show(self.walker.step())
            done += 1

    def _show(self, one: Walked) -> None:
        typer.echo(step_line(one, self.viewer))
