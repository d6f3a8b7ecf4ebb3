"""Where changes are looked for: the forms in which symptoms show, or all where only play shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...rules.keywords import KEYWORDS
from . import costs
from .sheet import TextUnderRepair
from .symptoms import Symptom

MOST_MAKERS = 8


@dataclass(frozen=True)
class Focus:
    """The symptoms of a sheet and the numbers of the forms they point to."""

    sheet: TextUnderRepair
    symptoms: tuple[Symptom, ...]

    @cached_property
    def forms(self) -> frozenset[int]:
        """Forms with a symptom that justifies a change; all forms where no such symptom has a place."""
        hard = [symptom for symptom in self.symptoms if symptom.weight >= costs.HARD]
        found = {
            number
            for number, form in enumerate(self.sheet.forms)
            if _within(form.node.span.start, form.node.span.end, hard)
        }
        if found and all(symptom.span is not None for symptom in hard):
            return frozenset(found | self._makers(hard))
        return frozenset(range(len(self.sheet.forms)))

    def _makers(self, hard: list[Symptom]) -> set[int]:
        """Forms that define what a symptom is about, where they are few: the slip may be there."""
        starts = {symptom.span.start for symptom in hard if symptom.span is not None}
        about = {
            (spot.text, spot.arity)
            for spot in self.sheet.all_spots()
            if spot.role == "relation" and spot.whole.span.start in starts and spot.text not in KEYWORDS
        }
        found: set[int] = set()
        for relation in about:
            makers = [
                number
                for number, spots in enumerate(self.sheet.spots)
                if spots and spots[0].in_head and (spots[0].text, spots[0].arity) == relation
            ]
            found.update(makers if len(makers) <= MOST_MAKERS else ())
        return found

    @cached_property
    def only_play(self) -> bool:
        """Whether only play shows that something is wrong."""
        return all(symptom.span is None for symptom in self.symptoms if symptom.weight >= costs.HARD)

    @cached_property
    def codes(self) -> frozenset[str]:
        return frozenset(symptom.code for symptom in self.symptoms)


def _within(start: int, end: int, symptoms: Iterable[Symptom]) -> bool:
    return any(s.span is not None and start <= s.span.start and s.span.end <= end for s in symptoms)
