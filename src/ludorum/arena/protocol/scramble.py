"""Scrambling: other names for everything in a game, so that no player can use the meaning of words.

Words that belong to the language, and numbers, stay as they are. The words made up keep the order of the
names they stand for: what a player sorts, or draws by a seed, comes out the same scrambled or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ..._core import SplitMix64
from ...rules.ruleset import And, Atom, Distinct, Formula, Not, Or, Ruleset, with_other_terms
from ...rules.terms import Pattern, Term, Variable
from ...rules.wdl.modules import mangled

KEYWORDS = frozenset(
    {
        *("role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees", "base", "input"),
        *("distinct", "not", "and", "or", "<=", "random", "nil"),
    }
)
_CONSONANTS, _VOWELS = "bcdfghjklmnpqrstvwxyz", "aeiou"
_INTEGER = re.compile(r"-?[0-9]+")
_PLAIN = re.compile(r"[!-'*-:<-{}~]+")
"""Printing ASCII without brackets, semicolons and bars."""


class ScrambleError(ValueError):
    """A word that stands for no name of the game."""


@dataclass(frozen=True)
class Scrambler:
    """A reversible change of names. ``words`` has a word for each name that is changed."""

    words: dict[str, str]
    variables: dict[str, str] = field(default_factory=dict)
    strict: bool = True
    """Whether unknown words are refused on the way back, the original names among them."""

    def term(self, pattern: Pattern) -> Pattern:
        """A term with names replaced by their words."""
        if isinstance(pattern, Variable):
            return Variable(self.variables.get(pattern.name, pattern.name))
        args = tuple(self.term(arg) for arg in pattern.args)
        return Term(self.words.get(pattern.name, pattern.name), args)

    def sentence(self, term: Term) -> Term:
        """A term that is not a variable, with names replaced by their words."""
        changed = self.term(term)
        assert isinstance(changed, Term)
        return changed

    def rules(self, rules: Ruleset) -> Ruleset:
        """Rules with names replaced by their words; comments and layout are dropped."""
        return Ruleset(tuple(with_other_terms(rule, self.term) for rule in rules.rules))

    def back(self, term: Term) -> Term:
        """The term a player means, in any case of letters; ScrambleError for unknown words."""
        return Term(
            self._name(term.name), tuple(self.back(arg) for arg in term.args if isinstance(arg, Term))
        )

    def _name(self, word: str) -> str:
        name = self._names.get(word.lower())
        if name is not None:
            return name
        if self.strict and not _is_kept(word.lower()):
            raise ScrambleError(f"{word[:40]!r} is no word of this match")
        return word

    @cached_property
    def _names(self) -> dict[str, str]:
        return {word.lower(): name for name, word in self.words.items()}


def scrambler_of(rules: Ruleset, seed: int) -> Scrambler:
    """Another word for every name and variable of some rules; the same seed makes the same words."""
    names, variables = _names_of(rules)
    changed = sorted(name for name in names if not _is_kept(name))
    words = _words(changed, names | variables | KEYWORDS, SplitMix64(seed))
    mapping = dict(zip(changed, words, strict=True))
    taken = names | variables | KEYWORDS | set(words)
    more = _words(sorted(variables), taken, SplitMix64(seed + 1))
    return Scrambler(mapping, dict(zip(sorted(variables), more, strict=True)))


def plain_names(rules: Ruleset) -> Scrambler:
    """Changes only names that peers cannot read: names between bars, and names beyond ASCII."""
    names, variables = _names_of(rules)
    odd = [name for name in sorted(names) if not _is_readable(name)]
    odd_variables = [name for name in sorted(variables) if not _is_readable(name)]
    words = dict(_simplified(odd, names | variables | KEYWORDS))
    taken = names | variables | KEYWORDS | set(words.values())
    return Scrambler(words, dict(_simplified(odd_variables, taken)), strict=False)


def names_without_colons(rules: Ruleset) -> Scrambler:
    """Plain names, in which those of modules have no colon, for players that cannot read one."""
    plain = plain_names(rules)
    names, _ = _names_of(rules)
    short = mangled(sorted(names - set(plain.words)) + sorted(plain.words.values()))
    return Scrambler({**plain.words, **short}, plain.variables, strict=False)


def _is_kept(name: str) -> bool:
    return name in KEYWORDS or _INTEGER.fullmatch(name) is not None


def _is_readable(name: str) -> bool:
    return bool(_PLAIN.fullmatch(name)) and name == name.lower() and name[0] not in "?\"'"


def _simplified(names: Iterable[str], taken: Iterable[str]) -> Iterable[tuple[str, str]]:
    used = set(taken)
    for name in names:
        base = re.sub(r"[^a-z0-9_]+", "_", name.lower()).strip("_") or "name"
        word, number = base, 1
        while word in used or not word[0].isalpha():
            number += 1
            word = f"name_{base}_{number}"
        used.add(word)
        yield name, word


def _words(names: list[str], taken: Iterable[str], chance: SplitMix64) -> list[str]:
    """Fresh words in the order of the names; those before ``random``, which stays, sort before it."""
    used = set(taken)
    before = sum(name < "random" for name in names)
    early = _draw(before, _CONSONANTS[: _CONSONANTS.index("r")], used, chance)
    late = _draw(len(names) - before, _CONSONANTS[_CONSONANTS.index("s") :], used, chance)
    return sorted(early) + sorted(late)


def _draw(count: int, first: str, used: set[str], chance: SplitMix64) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        # Longer words where a sheet has more names than there are short words.
        syllables = 3 + len(found) // 500
        word = "".join(
            (first if at == 0 else _CONSONANTS)[chance.below(len(first if at == 0 else _CONSONANTS))]
            + _VOWELS[chance.below(len(_VOWELS))]
            for at in range(syllables)
        )
        if word not in used:
            used.add(word)
            found.append(word)
    return found


def _names_of(rules: Ruleset) -> tuple[set[str], set[str]]:
    names: set[str] = set()
    variables: set[str] = set()

    def look(pattern: Pattern) -> None:
        if isinstance(pattern, Variable):
            variables.add(pattern.name)
            return
        names.add(pattern.name)
        for arg in pattern.args:
            look(arg)

    def look_in(formula: Formula) -> None:
        match formula:
            case Atom(term):
                look(term)
            case Distinct(left, right):
                look(left)
                look(right)
            case Not(body):
                look_in(body)
            case And(parts) | Or(parts):
                for part in parts:
                    look_in(part)

    for rule in rules.rules:
        look(rule.head)
        for formula in rule.body:
            look_in(formula)
    return names, variables
