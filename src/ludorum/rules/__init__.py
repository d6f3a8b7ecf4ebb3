"""Rule languages: text in, checked ``Ruleset`` out. Imports nothing from the rest of Ludorum.

``parse_rules`` reads KIF or Prolog syntax into rules made of terms; ``read_rules`` does the same and hands
back the faults instead of raising them. Every language has a printing twin, and ``format_text`` lays a sheet
out anew with its comments. Checks live in ``rules.check``, repairs in ``rules.repair``, meaning-preserving
rewrites in ``rules.normalise``, the sheets that come with Ludorum in ``rules.library``.
"""

from .dependencies import Dependencies
from .format import format_as, format_text
from .kif import parse_kif, parse_pattern, parse_term, read_kif
from .prolog import format_prolog, format_prolog_term, parse_prolog, read_prolog
from .reader import parse_rules, read_rules, rule_language
from .ruleset import RANDOM, And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset, format_kif, format_rule
from .source import Diagnostic, RulesError, Severity, Source, Span
from .syntax import decode_source, load_source
from .terms import Pattern, Signature, Term, Variable, format_term

__all__ = [
    "RANDOM",
    "And",
    "Atom",
    "Dependencies",
    "Diagnostic",
    "Distinct",
    "Formula",
    "Not",
    "Or",
    "Pattern",
    "Rule",
    "RulesError",
    "Ruleset",
    "Severity",
    "Signature",
    "Source",
    "Span",
    "Term",
    "Variable",
    "decode_source",
    "format_as",
    "format_kif",
    "format_prolog",
    "format_prolog_term",
    "format_rule",
    "format_term",
    "format_text",
    "load_source",
    "parse_kif",
    "parse_pattern",
    "parse_prolog",
    "parse_rules",
    "parse_term",
    "read_kif",
    "read_prolog",
    "read_rules",
    "rule_language",
]
