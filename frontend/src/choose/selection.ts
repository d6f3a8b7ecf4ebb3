/* Moves chosen by places and cards: what is picked so far, what can follow, and when a move is decided. */
import type { MoveChoice } from "../api/types";

export interface Picked {
  places: readonly number[];
  /** The words of the card that was picked. */
  card: string | null;
}

export const NOTHING: Picked = { places: [], card: null };

export interface Outcome {
  picked: Picked;
  chosen: MoveChoice | null;
  /** Moves between which only words decide: promotions, or a move that may end here or go on. */
  menu: MoveChoice[];
}

/** The moves that begin with what is picked. */
export function matching(choices: readonly MoveChoice[], picked: Picked): MoveChoice[] {
  return choices.filter(
    (choice) =>
      (picked.card === null || choice.card?.words === picked.card) &&
      (choice.places.length > 0 || picked.places.length === 0) &&
      picked.places.every((place, at) => choice.places[at] === place),
  );
}

/** The places that can be picked next. */
export function nextPlaces(choices: readonly MoveChoice[], picked: Picked): Set<number> {
  const found = new Set<number>();
  for (const choice of matching(choices, picked)) {
    if (picked.card === null && choice.card !== null) continue;
    const place = choice.places[picked.places.length];
    if (place !== undefined) found.add(place);
  }
  return found;
}

/** The cards that can be picked, by their words. */
export function playableCards(choices: readonly MoveChoice[]): Set<string> {
  return new Set(choices.flatMap((choice) => (choice.card ? [choice.card.words] : [])));
}

/** Moves that neither a place nor a card names: they need buttons. */
export function placelessMoves(choices: readonly MoveChoice[]): MoveChoice[] {
  return choices.filter((choice) => choice.places.length === 0 && choice.card === null);
}

/**
 * Picks a place after those picked before. A place that cannot follow begins anew, and one that is picked
 * already is put back.
 */
export function pickPlace(choices: readonly MoveChoice[], picked: Picked, place: number): Outcome {
  if (nextPlaces(choices, picked).has(place)) {
    return resolved(choices, { ...picked, places: [...picked.places, place] });
  }
  const isPutBack = picked.places.at(-1) === place;
  if (!isPutBack && nextPlaces(choices, NOTHING).has(place)) {
    return resolved(choices, { places: [place], card: null });
  }
  return { picked: NOTHING, chosen: null, menu: [] };
}

/** Picks a card; picking it again puts it back. */
export function pickCard(choices: readonly MoveChoice[], picked: Picked, words: string): Outcome {
  if (picked.card === words || !playableCards(choices).has(words)) return { picked: NOTHING, chosen: null, menu: [] };
  return resolved(choices, { places: [], card: words });
}

function resolved(choices: readonly MoveChoice[], picked: Picked): Outcome {
  const left = matching(choices, picked);
  const complete = left.filter((choice) => choice.places.length === picked.places.length);
  const only = complete.length === 1 && left.length === 1 ? complete[0] : undefined;
  if (only) return { picked: NOTHING, chosen: only, menu: [] };
  return { picked, chosen: null, menu: complete };
}

/**
 * The place that a click means: itself, or on a board of holes the only place of its column that can be picked,
 * since a piece falls there wherever the column is touched.
 */
export function meantPlace(place: number, next: ReadonlySet<number>, look: string, width: number): number {
  if (next.has(place) || look !== "holes") return place;
  const column = [...next].filter((other) => other % width === place % width);
  return column.length === 1 ? (column[0] ?? place) : place;
}
