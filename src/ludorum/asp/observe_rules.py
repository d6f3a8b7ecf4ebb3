"""Read ground rules from clingo while it grounds: at machine speed if possible, else by Python calls."""

from __future__ import annotations

import importlib
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


def observe_rules(control: clingo.Control, native: bool = True) -> RulesObserver:
    """Have the control's ground rules collected instead of solved."""
    if native:
        collector = RuleCollector()
        try:
            _register(control, collector)
            return _NativeObserver(collector)
        except (ImportError, AttributeError, TypeError):
            pass  # another clingo than the ones we know: its inside may look different
    observer = _PythonObserver()
    control.register_observer(observer, replace=True)
    return observer


class RulesObserver(Protocol):
    """What was observed; ask once grounding is done."""

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

    def rules(self) -> ObservedRules:
        heads, ends, body, inputs = self.collector.take()
        return ObservedRules(heads, ends, body, np.unique(inputs))


class _PythonObserver(clingo.Observer):
    def __init__(self) -> None:
        self.heads: list[int] = []
        self.ends: list[int] = []
        self.body: list[int] = []
        self.inputs: set[int] = set()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if choice:
            self.inputs.update(head)
        else:
            self.heads += head  # exactly one: no rule of ours is a disjunction or a constraint
            self.body += body
            self.ends.append(len(self.body))

    def rules(self) -> ObservedRules:
        columns = (self.heads, self.ends, self.body, sorted(self.inputs))
        return ObservedRules(*(np.array(column, np.int32) for column in columns))
