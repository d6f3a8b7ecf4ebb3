"""Fold facts and impossible atoms out of ground rules.

clingo folds what lower strata decide. All that depends on the state is one stratum for it (``next`` feeds
``true``), so atoms without rules, and atoms that are facts, stay in bodies there; this pass removes them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Instances:
    """Ground rules as arrays; a literal is ``2 * atom + (1 if negated)``. ``facts`` are atoms always true."""

    heads: IntArray
    offsets: IntArray
    body: IntArray
    facts: IntArray
    atom_count: int


def simplify(instances: Instances, inputs: IntArray) -> Instances:
    """The same rules without literals whose value is known; ``inputs`` are atoms no rule defines.

    Each round finds the atoms that became facts or lost their last rule; it ends when there are none.
    """
    heads, body = instances.heads, instances.body
    rule_of = np.repeat(np.arange(len(heads), dtype=np.int32), np.diff(instances.offsets))
    count = instances.atom_count
    is_fact = np.zeros(count, bool)
    is_fact[instances.facts] = True
    is_input = np.zeros(count, bool)
    is_input[inputs] = True
    while True:
        lengths = np.bincount(rule_of, minlength=len(heads))
        is_fact[heads[lengths == 0]] = True
        has_rule = np.zeros(count, bool)
        has_rule[heads] = True
        is_false = ~(has_rule | is_input | is_fact)
        atoms, negated = body >> 1, (body & 1).astype(bool)
        holds = np.where(negated, is_false[atoms], is_fact[atoms])
        fails = np.where(negated, is_fact[atoms], is_false[atoms])
        keep_rule = ~is_fact[heads]
        keep_rule[rule_of[fails]] = False
        if keep_rule.all() and not holds.any():
            break
        heads, rule_of, body = _select(heads, rule_of, body, keep_rule, ~holds)
    offsets = np.zeros(len(heads) + 1, np.int32)
    np.cumsum(np.bincount(rule_of, minlength=len(heads)), out=offsets[1:])
    return Instances(heads, offsets, body, np.flatnonzero(is_fact).astype(np.int32), count)


def _select(
    heads: IntArray, rule_of: IntArray, body: IntArray, keep_rule: BoolArray, keep_literal: BoolArray
) -> tuple[IntArray, IntArray, IntArray]:
    new_number = (np.cumsum(keep_rule) - 1).astype(np.int32)
    keep_literal = keep_literal & keep_rule[rule_of]
    return heads[keep_rule], new_number[rule_of[keep_literal]], body[keep_literal]
