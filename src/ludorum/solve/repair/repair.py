"""Propose, try, choose, validate: until the rules can be played or no proposal left to try helps.

Every proposal is tried alone: which symptoms go, and which come. The solver chooses the sets of proposals
that cost least together with what they leave wrong; each set is made, checked and played. Symptoms that
show only once others are gone (a text that cannot be read cannot be played) are mended in the next round.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...rules.identity import rules_id
from ...rules.reader import rule_language
from ...rules.source import Source
from ...show.markup import element, markup, report
from . import costs
from .choose import Option, choose
from .focus import Focus
from .generators import proposals
from .play import play
from .proposal import Edit, Proposal, apply_edits
from .sheet import TextUnderRepair
from .symptoms import Symptom, changes, static_symptoms, weight_of
from .validate import all_symptoms, can_be_played, refusals

ROUNDS = 5
TRIES = 8
"""Sets of a round that are made and played."""
TRIALS = 400
"""Proposals of a round that are tried alone."""
PLAYED_TRIALS = 90
"""Proposals of a round that are tried by playing."""
PLAYED_WORK = 1_500_000
"""Legal moves met in all these games, after which no other is tried: amazons has 100,000 in one game."""
OPTIONS = 30
"""Proposals among which the solver chooses."""
OFFERS = 5
"""Most repairs that are shown where they cost the same."""


@dataclass(frozen=True)
class Change:
    """One proposal that was applied, and where."""

    reason: str
    line: int
    column: int
    cost: int

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"

    def as_json(self) -> dict[str, object]:
        return {"line": self.line, "column": self.column, "reason": self.reason, "cost": self.cost}


@dataclass(frozen=True)
class Offer:
    """A sheet after changes that belong together."""

    before: Source
    after: Source
    changes: tuple[Change, ...]
    symptoms: tuple[Symptom, ...] = ()
    """What is still wrong."""

    @property
    def cost(self) -> int:
        return sum(change.cost for change in self.changes)

    @property
    def score(self) -> int:
        """The cost of the changes and the weight of the symptoms left: offers are ranked by it."""
        return self.cost + weight_of(self.symptoms)

    @property
    def left(self) -> list[str]:
        """The symptoms left, for people."""
        return [symptom.words for symptom in _hard(self.symptoms)]

    @property
    def diff(self) -> str:
        """The changes as a unified diff."""
        lines = difflib.unified_diff(
            self.before.text.splitlines(keepends=True),
            self.after.text.splitlines(keepends=True),
            self.before.name,
            f"{self.before.name} (mended)",
        )
        return "".join(lines)


@dataclass(frozen=True)
class Mended:
    """A sheet, the repair that is offered first, and those that cost the same."""

    before: Source
    offers: tuple[Offer, ...] = ()
    left: list[str] = field(default_factory=list)
    """The symptoms that the first offer leaves; all of them where there is no offer."""

    @property
    def after(self) -> Source:
        return self.offers[0].after if self.offers else self.before

    @property
    def made(self) -> tuple[Change, ...]:
        return self.offers[0].changes if self.offers else ()

    @property
    def diff(self) -> str:
        return self.offers[0].diff if self.offers else ""

    def _repr_html_(self) -> str:
        """The repair in a notebook: each change with its reason, the diff, and what is left wrong."""
        rows = [(f"line {change.line}", change.reason) for change in self.made]
        rows += [("not mended", fault) for fault in self.left]
        title = f"{self.before.name}: {'mended' if self.made else 'nothing to mend'}"
        return markup(report(title, rows, *([element("pre", {}, self.diff)] if self.diff else [])))


def mend(source: Source) -> Mended:
    """The sheet with the likeliest changes after which it can be played."""
    if rule_language(source) != "kif":
        raise ValueError("repair reads KIF; `ludorum format --to kif` writes a Prolog sheet as KIF")
    sheet = TextUnderRepair(source)
    first = now = Offer(source, source, (), tuple(all_symptoms(sheet.reading)))
    offers: tuple[Offer, ...] = ()
    for _ in range(ROUNDS):
        if not _hard(now.symptoms):
            break
        found = _round(TextUnderRepair(now.after), now)
        if not found or found[0].score >= now.score:
            break
        offers = tuple(_different(offer for offer in found if offer.score == found[0].score))[:OFFERS]
        now = offers[0]
    offers = tuple(offer for offer in offers if not _is_over_at_start(offer))
    return Mended(source, offers, (offers[0] if offers else first).left)


def _is_over_at_start(offer: Offer) -> bool:
    """Whether the game is over at the start, which rules out a repair, whatever else it mends."""
    return any(symptom.code == "over-at-start" for symptom in offer.symptoms)


def _different(offers: Iterable[Offer]) -> list[Offer]:
    """The offers that differ in meaning: of two that differ in variable names or order, the first."""
    known: dict[str, Offer] = {}
    for offer in offers:
        reading = TextUnderRepair(offer.after).reading
        known.setdefault(offer.after.text if reading.unread else rules_id(reading.rules), offer)
    return list(known.values())


def _hard(symptoms: Sequence[Symptom]) -> list[Symptom]:
    return [symptom for symptom in symptoms if symptom.weight >= costs.HARD]


def _round(sheet: TextUnderRepair, now: Offer) -> list[Offer]:
    """The repairs of a round that pass, the best first; where none passes, those that improve the sheet."""
    static = static_symptoms(sheet.reading)
    found: list[tuple[Offer, bool]] = []
    if _hard(static):
        found = _made_by_reading(sheet, now, static)
    played = [symptom for symptom in now.symptoms if symptom.span is None]
    if _hard(played) and not any(passed and not _played(offer) for offer, passed in found):
        focus = Focus(sheet, tuple(now.symptoms if not _hard(static) else played))
        options = list(_tried_by_play(sheet, focus, static, played))
        found += _made(sheet, now, [*static, *played], options)
    found.sort(key=lambda each: (not each[1], each[0].score))
    passing = [offer for offer, passed in found if passed]
    better = [offer for offer, _ in found if offer.score < now.score]
    return passing or better


def _made_by_reading(sheet: TextUnderRepair, now: Offer, static: list[Symptom]) -> list[tuple[Offer, bool]]:
    """Repairs of the symptoms that reading and checking show."""
    focus = Focus(sheet, tuple(static))
    options = list(_tried(sheet, focus, static))
    found = _made(sheet, now, static, options)
    all_mended = any(_weight(static, option) >= weight_of(_hard(static)) for option in options)
    if all_mended and all(offer.left for offer, _ in found):
        # The best reading does not play, so a slightly less likely one was meant.
        options = list(_tried(sheet, focus, static, slack=costs.SLIP))
        found = _made(sheet, now, static, options)
    return found


def _played(offer: Offer) -> list[Symptom]:
    return [symptom for symptom in _hard(offer.symptoms) if symptom.span is None]


def _tried(sheet: TextUnderRepair, focus: Focus, static: list[Symptom], slack: int = 0) -> Iterator[Option]:
    """Each proposal tried alone, by reading and checking, up to ``slack`` above the cost of a full repair."""
    # Soft symptoms mostly stay: once a proposal removes all hard ones, none that costs more by itself can
    # come out cheaper.
    questions = weight_of(static) - weight_of(_hard(static))
    most: int | None = None
    for proposal in proposals(sheet, focus)[:TRIALS]:
        if most is not None and proposal.cost > most:
            return
        after = static_symptoms(sheet.after(proposal.edits))
        option = _option(static, after, proposal)
        if option is None:
            continue
        if not _hard(after):
            limit = proposal.cost + weight_of(after) - questions + costs.OPEN_QUESTION + slack
            most = limit if most is None else min(most, limit)
        yield option


def _tried_by_play(
    sheet: TextUnderRepair, focus: Focus, static: list[Symptom], played: list[Symptom]
) -> Iterator[Option]:
    """Each proposal tried alone, by playing as well."""
    work = 0
    for proposal in _in_turn(proposals(sheet, focus))[:PLAYED_TRIALS]:
        if work > PLAYED_WORK:
            return
        reading = sheet.after(proposal.edits)
        after = static_symptoms(reading)
        if weight_of(after) > weight_of(static) + costs.SUSPICION or not can_be_played(reading, after):
            continue
        seen = play(reading.rules)
        work += seen.work
        option = _option([*static, *played], [*after, *seen.symptoms], proposal)
        if option is not None:
            yield option


def _in_turn(found: list[Proposal]) -> list[Proposal]:
    """The proposals in turns, the cheapest of each kind, then the second: no kind crowds out the others."""
    seen: Counter[str] = Counter()
    ranked = []
    for proposal in found:
        ranked.append((seen[proposal.kind], proposal.cost, proposal))
        seen[proposal.kind] += 1
    return [proposal for _, _, proposal in sorted(ranked, key=lambda each: each[:2])]


def _option(before: list[Symptom], after: list[Symptom], proposal: Proposal) -> Option | None:
    gone, new = changes(before, after)
    cost = proposal.cost + weight_of(new)
    if weight_of(gone) <= cost:
        return None
    missing = list(gone)
    mends = set()
    for number, symptom in enumerate(before):
        if symptom in missing:
            missing.remove(symptom)
            mends.add(number)
    return Option(proposal, frozenset(mends), cost)


def _made(
    sheet: TextUnderRepair, now: Offer, symptoms: list[Symptom], options: list[Option]
) -> list[tuple[Offer, bool]]:
    """The sets the solver chooses, made and validated, until none can cost less than the best that passes."""
    total = weight_of(symptoms)
    options = sorted(options, key=lambda each: each.cost + total - _weight(symptoms, each))[:OPTIONS]
    tried: list[frozenset[int]] = []
    found: list[tuple[Offer, bool]] = []
    best: int | None = None
    for _ in range(TRIES):
        chosen = choose(symptoms, options, tried)
        if chosen is None:
            break
        tried.append(chosen)
        estimate = sum(options[number].cost for number in chosen)
        mended = frozenset[int]().union(*(options[number].mends for number in chosen))
        estimate += sum(symptom.weight for number, symptom in enumerate(symptoms) if number not in mended)
        if best is not None and estimate > best:
            break
        offer, passed = _try_set(sheet, now, [options[number].proposal for number in chosen])
        found.append((offer, passed))
        if passed:
            score = offer.cost - now.cost + weight_of(offer.symptoms)
            best = score if best is None else min(best, score)
    return found


def _weight(symptoms: list[Symptom], option: Option) -> int:
    return sum(symptoms[number].weight for number in option.mends)


def _try_set(sheet: TextUnderRepair, now: Offer, made: list[Proposal]) -> tuple[Offer, bool]:
    made = sorted(made, key=lambda each: each.start)
    edits: tuple[Edit, ...] = tuple(edit for proposal in made for edit in proposal.edits)
    after = TextUnderRepair(apply_edits(sheet.source, edits))
    symptoms = all_symptoms(after.reading)
    new = tuple(
        Change(proposal.reason, *sheet.source.position(proposal.start), proposal.cost) for proposal in made
    )
    offer = Offer(now.before, after.source, (*now.changes, *new), tuple(symptoms))
    return offer, not refusals(sheet, edits, after.reading, symptoms)
