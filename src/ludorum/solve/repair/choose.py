"""The cheapest set of changes, chosen by the solver: what they cost, and what is left wrong after them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import clingo

from ...asp.control import ground, make_control
from .proposal import Proposal, overlap
from .symptoms import Symptom

_PROGRAM = """
{ make(P) : proposal(P) }.
mended(F) :- make(P), mends(P,F).
:- make(P), make(Q), conflict(P,Q).
% A change that mends nothing the others leave is no part of a minimal set.
needed(P) :- make(P), mends(P,F), not make(Q) : mends(Q,F), Q != P.
:- make(P), not needed(P).
:- tried(T), make(P) : member(T,P); not make(P) : proposal(P), not member(T,P).
#minimize { C,p,P : make(P), cost(P,C) ; W,f,F : fault(F,W), not mended(F) }.
#show make/1.
#defined conflict/2. #defined tried/1. #defined member/2. #defined mends/2. #defined fault/2.
#defined proposal/1. #defined cost/2.
"""


@dataclass(frozen=True)
class Option:
    """A proposal that was tried alone, which symptoms it mends, and its cost with those it adds."""

    proposal: Proposal
    mends: frozenset[int]
    cost: int


def choose(
    symptoms: Sequence[Symptom], options: Sequence[Option], tried: Sequence[frozenset[int]]
) -> frozenset[int] | None:
    """The numbers of the options that cost least with the symptoms left; None where all sets have been tried.

    The empty set does not count.
    """
    facts = [f"fault({number},{symptom.weight})." for number, symptom in enumerate(symptoms)]
    for number, option in enumerate(options):
        facts.append(f"proposal({number}). cost({number},{option.cost}).")
        facts += [f"mends({number},{fault})." for fault in sorted(option.mends)]
        facts += [
            f"conflict({number},{other})."
            for other in range(number)
            if overlap(option.proposal, options[other].proposal)
        ]
    for number, members in enumerate([frozenset[int](), *tried]):
        facts.append(f"tried({number}).")
        facts += [f"member({number},{each})." for each in sorted(members)]
    control, remarks = make_control("0", "--opt-mode=opt")
    ground(control, remarks, [_PROGRAM, "\n".join(facts)])
    best: frozenset[int] | None = None

    def keep(model: clingo.Model) -> None:
        nonlocal best
        best = frozenset(atom.arguments[0].number for atom in model.symbols(shown=True))

    control.solve(on_model=keep)
    return best
