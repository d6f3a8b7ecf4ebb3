"""The cheapest set of proposals that mends every fault, chosen by the solver."""

from __future__ import annotations

from collections.abc import Sequence

import clingo

from ...asp.control import ground, make_control
from .proposal import Proposal, Survey, overlap

_PROGRAM = """
{ make(P) : proposal(P) }.
mended(F) :- make(P), mends(P,F).
:- fault(F), not mended(F), mendable(F).
mendable(F) :- mends(P,F).
:- make(P), make(Q), conflict(P,Q).
:- tried(T), make(P) : member(T,P); not make(P) : proposal(P), not member(T,P).
#minimize { C,P : make(P), cost(P,C) }.
#show make/1.
#defined conflict/2. #defined tried/1. #defined member/2. #defined mends/2. #defined fault/1.
#defined proposal/1. #defined cost/2.
"""


def choose(survey: Survey, tried: Sequence[frozenset[Proposal]]) -> frozenset[Proposal] | None:
    """A set that costs least among those not tried yet; None where all have been. Empty sets do not count."""
    facts = [f"fault({number})." for number, _ in enumerate(survey.faults)]
    for number, proposal in enumerate(survey.proposals):
        facts.append(f"proposal({number}). cost({number},{proposal.cost}).")
        facts += [f"mends({number},{survey.faults.index(fault)})." for fault in proposal.mends]
        facts += [
            f"conflict({number},{other})."
            for other in range(number)
            if overlap(proposal, survey.proposals[other])
        ]
    for number, members in enumerate([frozenset[Proposal](), *tried]):
        facts.append(f"tried({number}).")
        facts += [
            f"member({number},{survey.proposals.index(each)})."
            for each in members
            if each in survey.proposals
        ]
    control, remarks = make_control("0", "--opt-mode=opt")
    ground(control, remarks, [_PROGRAM, "\n".join(facts)])
    best: list[int] | None = None

    def keep(model: clingo.Model) -> None:
        nonlocal best
        best = sorted(atom.arguments[0].number for atom in model.symbols(shown=True))

    control.solve(on_model=keep)
    return None if best is None else frozenset(survey.proposals[number] for number in best)
