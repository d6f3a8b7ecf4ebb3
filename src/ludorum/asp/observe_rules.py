"""Read ground rules from clingo while it grounds: at machine speed if possible, else by Python calls."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import clingo
import numpy as np
import numpy.typing as npt

from .._core import RuleCollector

IntArray = npt.NDArray[np.int32]


@dataclass(frozen=True)
class ObservedRules:
    """Ground rules in clingo's numbers: atoms from 1, a negated literal has a minus sign."""

    heads: IntArray
    ends: IntArray
    """Where the body of each rule ends in ``body``."""
    body: IntArray
    inputs: IntArray
    """Heads of choice rules, each once."""


def observe_rules(
    control: clingo.Control, native: bool = True, most_rules: int = sys.maxsize
) -> RulesObserver:
    """Collect the control's ground rules instead of solving them; grounding fails after ``most_rules``."""
    if native:
        collector = RuleCollector(most_rules)
        try:
            _register(control, collector)
            return _NativeObserver(collector)
        except (ImportError, AttributeError, TypeError):
            pass  # an unknown version of clingo, whose internals may differ
    observer = _PythonObserver(most_rules)
    control.register_observer(observer, replace=True)
    return observer


class RulesObserver(Protocol):
    """The observed rules, complete once grounding is done."""

    @property
    def is_full(self) -> bool:
        """Whether the limit of rules was reached, which stops grounding."""

    def rules(self) -> ObservedRules: ...


def _register(control: clingo.Control, collector: RuleCollector) -> None:
    inside: Any = importlib.import_module("clingo._internal")  # not a typed interface
    _ffi, _lib = inside._ffi, inside._lib
    observer = _ffi.new("clingo_ground_program_observer_t*")
    kind: Any = _ffi.typeof(observer.rule)
    observer.rule = _ffi.cast(kind, collector.callback)
    data = _ffi.cast("void*", collector.data)
    inside._handle_error(_lib.clingo_control_register_observer(control._rep, observer, True, data))


class _NativeObserver:
    def __init__(self, collector: RuleCollector) -> None:
        self.collector = collector

    @property
    def is_full(self) -> bool:
        return self.collector.is_full

    def rules(self) -> ObservedRules:
        heads, ends, body, inputs = self.collector.take()
        return ObservedRules(heads, ends, body, np.unique(inputs))


class _PythonObserver(clingo.Observer):
    def __init__(self, most_rules: int) -> None:
        self.left = most_rules
        self.heads: list[int] = []
        self.ends: list[int] = []
        self.body: list[int] = []
        self.inputs: set[int] = set()

    @property
    def is_full(self) -> bool:
        return self.left == 0

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if self.is_full:
            raise RuntimeError("more rules than were asked for")
        self.left -= 1
        if choice:
            self.inputs.update(head)
        else:
            self.heads += head  # exactly one: translated rules have no disjunctions or constraints
            self.body += body
            self.ends.append(len(self.body))

    def rules(self) -> ObservedRules:
        columns = (self.heads, self.ends, self.body, sorted(self.inputs))
        return ObservedRules(*(np.array(column, np.int32) for column in columns))
