"""Makes the faults of checks."""

from __future__ import annotations

from ...source import Diagnostic, Severity
from ...syntax import Node
from ..sheet import WdlSheet


def fault(
    sheet: WdlSheet, code: str, node: Node, message: str, hint: str, severity: Severity = Severity.ERROR
) -> Diagnostic:
    return Diagnostic(code, severity, node.span, message, hint, sheet.master.source)
