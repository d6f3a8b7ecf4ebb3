"""Worlds by clingo: the answer sets of ``hyperplay.lp`` are the worlds that agree with the percepts.

The usual enumeration goes from one answer set to the nearest next and yields nearly identical worlds. Random
ones need ``--enum-mode=record`` with restarts and random decisions, and a new seed now and then; even so they
are only nearly uniform. ``worlds.Sampler`` is exact, and quicker; this is its oracle, and the thesis' way.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import clingo

from ...asp.control import ground, make_control
from ..language.terms import Term
from ..worlds.history import History
from ..worlds.knowledge import Knowledge
from ..worlds.shares import Share
from ..worlds.unknowns import Item, unknowns_of
from .history_facts import card_text, history_facts

PROGRAM = Path(__file__).with_name("hyperplay.lp")
RANDOM_OPTIONS = ("--enum-mode=record", "--restart-on-model", "--rand-freq=1", "--sign-def=rnd")


def every_world(knowledge: Knowledge) -> Iterator[History]:
    """All worlds, each once."""
    return _Solver(knowledge).models(["--models=0"])


def random_worlds(knowledge: Knowledge, count: int, seed: int, *, block: int = 10) -> list[History]:
    """Random worlds, so many of one search and its seed; those of one search are all different.

    clingo's preferences depend on the order in which it reads the cards, so each search has one of its own.
    """
    solver = _Solver(knowledge)
    chance = Random(seed)
    found: list[History] = []
    while len(found) < count:
        some = min(block, count - len(found))
        options = [*RANDOM_OPTIONS, f"--seed={chance.randrange(1, 2**31)}", f"--models={some}"]
        worlds = list(solver.models(options, chance))
        if not worlds:
            break
        found += worlds
    return found


class _Solver:
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.unknowns = unknowns_of(knowledge)
        self.facts = history_facts(knowledge)
        self.names = {card_text(card): card for card in knowledge.story.cards}

    def models(self, options: list[str], chance: Random | None = None) -> Iterator[History]:
        control, remarks = make_control(*options)
        facts = self.facts.text.splitlines(keepends=True)
        if chance is not None:
            chance.shuffle(facts)
        ground(control, remarks, [PROGRAM.read_text(encoding="utf-8"), *facts])
        with control.solve(yield_=True) as handle:
            for model in handle:
                history = self._history(model)
                if all(map(history.agrees, self.unknowns.tests)):
                    yield history

    def _history(self, model: clingo.Model) -> History:
        """The draw by which every hidden card came: those that a hand has after a draw and had not before."""
        held: dict[tuple[int, int], set[Term]] = {}
        for atom in model.symbols(atoms=True):
            if atom.name == "has":
                at, who, card = atom.arguments
                held.setdefault((at.number, who.number), set()).add(self.names[str(card)])
        hands = []
        for owner in self.unknowns.owners:
            index = int(str(owner.place.args[0].args[0]))  # type: ignore[union-attr]
            items = {(item.card, item.generation): item for item in self.unknowns.items}
            items |= {(item.card, item.generation): item for left in owner.left for item in left}
            came: dict[Item, int] = {}
            for number, draw in enumerate(owner.draws):
                step = self.facts.draw_steps[owner.place, draw.time]
                new = held.get((step, index), set()) - held.get((step - 1, index), set())
                came.update((items[card, draw.generation], number) for card in new)
            hands.append(came)
        return History(self.knowledge, self.unknowns, Share(tuple(hands), {}))
