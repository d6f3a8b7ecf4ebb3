"""Fluents and moves by name and arity: tested but never made, made but never tested, also relations."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import KEYWORDS
from ..near_names import NearNames
from ..quoting import did_you_mean, written
from ..source import Diagnostic, Severity
from ..terms import Signature
from .analysis import ANYTHING, Analysis, Use, signature_of


def lint_fluents(analysis: Analysis) -> Iterator[Diagnostic]:
    tested = _first(use for use in analysis.uses if use.keyword == "true" and not use.in_head)
    made = _first(use for use in analysis.uses if use.keyword in ("init", "next") and use.in_head)
    yield from _never_true(analysis, made)
    yield from _never_tested(analysis, tested, made)
    yield from _never_kept(analysis)
    yield from _never_legal(analysis)
    yield from _mixed(analysis, {**tested, **made})


def _first(uses: Iterator[Use]) -> dict[Signature, Use]:
    found: dict[Signature, Use] = {}
    for use in uses:
        found.setdefault(signature_of(use.term), use)
    return found


def _never_true(analysis: Analysis, made: dict[Signature, Use]) -> Iterator[Diagnostic]:
    if any(signature_of(use.term) == ANYTHING for use in analysis.uses if _makes_anything(use)):
        return
    names = NearNames(name for name, _ in made)
    for use in analysis.uses:
        signature = signature_of(use.term)
        if use.keyword == "true" and not use.in_head and signature != ANYTHING and signature not in made:
            yield analysis.fault(
                "fluent-never-true", Severity.WARNING, use.node,
                f"the fluent {written(signature)} is tested, but no init or next makes it",
                _near(signature, made, names),
            )  # fmt: skip


def _makes_anything(use: Use) -> bool:
    """A variable in `init` or `next` that is not just carried over by ``(true ?f)``."""
    if not use.in_head or use.keyword not in ("init", "next"):
        return False
    kept = {part.term for part in use.rule.body if hasattr(part, "term") and part.term.name == "true"}
    return all(term.args != (use.term,) for term in kept)


def _near(signature: Signature, made: dict[Signature, Use], names: NearNames) -> str:
    same = next((other for other in made if other[0] == signature[0]), None)
    if same is not None:
        return f"did you mean {written(same)}?"
    near = names.near(signature[0])
    return did_you_mean(near) if near else "make it by init or next, or correct the name"


def _never_tested(
    analysis: Analysis, tested: dict[Signature, Use], made: dict[Signature, Use]
) -> Iterator[Diagnostic]:
    # A variable in a test may stand for any fluent, unless the rule only carries fluents over.
    if any(
        use.keyword == "true" and signature_of(use.term) == ANYTHING and not _carries(use)
        for use in analysis.uses
    ):
        return
    for signature, use in made.items():
        if signature != ANYTHING and signature not in tested:
            yield analysis.fault(
                "fluent-never-tested", Severity.NOTE, use.node,
                f"the fluent {written(signature)} is made, but no rule tests it",
                "remove it if nothing is to use it",
            )  # fmt: skip


def _never_kept(analysis: Analysis) -> Iterator[Diagnostic]:
    """A fluent of the first position that is tested at the end of a play, where it can no longer be."""
    made = {
        keyword: _first(use for use in analysis.uses if _makes(use, keyword)) for keyword in ("init", "next")
    }
    if ANYTHING in made["next"]:
        return
    at_the_end = _first(
        use for use in analysis.uses if use.keyword == "true" and use.rule.head.name in ("goal", "terminal")
    )
    for signature, use in made["init"].items():
        if signature in at_the_end and signature not in made["next"]:
            shape = _shape(signature)
            yield analysis.fault(
                "fluent-not-kept", Severity.WARNING, use.node,
                f"the fluent {written(signature)} is gone after the first move: no next makes it",
                f"keep what does not change, as in (<= (next {shape}) (true {shape}))",
            )  # fmt: skip


def _makes(use: Use, keyword: str) -> bool:
    return use.keyword == keyword and use.in_head


def _shape(signature: Signature) -> str:
    name, arity = signature
    return f"({' '.join([name, *(f'?{letter}' for letter in 'abcdefgh'[:arity])])})" if arity else name


def _carries(use: Use) -> bool:
    return use.rule.head.name == "next" and use.rule.head.args == (use.term,)


def _never_legal(analysis: Analysis) -> Iterator[Diagnostic]:
    legal = analysis.made.get("legal", set())
    if ANYTHING in legal or not legal:
        return
    names = NearNames(name for name, _ in legal)
    for use in analysis.uses:
        signature = signature_of(use.term)
        if use.keyword == "does" and not use.in_head and signature != ANYTHING and signature not in legal:
            near = names.near(signature[0])
            yield analysis.fault(
                "move-never-legal", Severity.WARNING, use.node,
                f"the move {written(signature)} is tested, but no legal rule allows it",
                did_you_mean(near) if near else "add a legal rule, or correct the name",
            )  # fmt: skip


def _mixed(analysis: Analysis, fluents: dict[Signature, Use]) -> Iterator[Diagnostic]:
    relations = {edge.body: edge.atom.node for edge in reversed(analysis.edges)}
    relations |= {known: rules[0].head_node for known, rules in analysis.ruleset.by_signature.items()}
    for signature, use in fluents.items():
        other = relations.get(signature)
        if other is not None and signature[0] not in KEYWORDS:
            yield analysis.fault(
                "fluent-and-relation", Severity.WARNING, use.node,
                f"{written(signature)} is a fluent here and an ordinary relation in line "
                f"{analysis.line(other)}: the two have nothing to do with each other",
                "use two names, or `true` in both places",
            )  # fmt: skip
