/* Pieces with an identity, so that one that moved slides from place to place instead of vanishing. */
import type { BoardScene } from "../api/types";

export interface Token {
  id: number;
  /** The number of its content in the scene. */
  content: number;
  place: number;
  /** 0 in the middle of the place, 1, 2 ... for those in its corner; on points the height in the stack. */
  slot: number;
  /** Whether it came while the board was looked at. It stays so: a movement once begun is not cut short. */
  isNew: boolean;
}

/** More pieces than this do not slide: the position is another one, not the next. */
const MOST_MOVED = 8;

type Shown = Pick<BoardScene, "cells" | "contents" | "columns" | "shape">;

/** The tokens of a scene: those that stayed, those that moved (the nearest of their kind), and new ones. */
export function nextTokens(before: readonly Token[], board: Shown): Token[] {
  const wanted = slotsOf(board);
  const left = new Set(before);
  const found = new Map<(typeof wanted)[number], Token>();
  for (const want of wanted) {
    const same = [...left].find((token) => token.place === want.place && token.content === want.content);
    if (!same) continue;
    left.delete(same);
    found.set(want, same);
  }
  const missing = wanted.filter((want) => !found.has(want));
  if (missing.length <= MOST_MOVED) {
    const pairs = missing
      .flatMap((want) => [...left].map((token) => ({ want, token, cost: apart(token.place, want.place, board) })))
      .filter(({ want, token }) => token.content === want.content)
      .sort((a, b) => a.cost - b.cost);
    for (const { want, token } of pairs) {
      if (found.has(want) || !left.has(token)) continue;
      left.delete(token);
      found.set(want, token);
    }
  }
  let fresh = before.reduce((most, token) => Math.max(most, token.id), 0);
  // In the order of their numbers: elements that change their order in the page would lose their movement.
  return wanted
    .map((want) => ({ ...want, id: found.get(want)?.id ?? ++fresh, isNew: found.get(want)?.isNew ?? true }))
    .sort((a, b) => a.id - b.id);
}

function apart(one: number, other: number, board: Shown): number {
  const width = board.columns.length;
  return Math.hypot((one % width) - (other % width), Math.floor(one / width) - Math.floor(other / width));
}

/** On points, men stand on each other. Elsewhere the first content of a place that is no remark stands in its middle, all others in its corner. */
function slotsOf(board: Shown): { content: number; place: number; slot: number }[] {
  return Object.entries(board.cells).flatMap(([place, contents]) => {
    if (board.shape === "points") return contents.map((content, slot) => ({ content, place: Number(place), slot }));
    const middle = contents.findIndex((content) => !board.contents[content]?.remark);
    let corner = 0;
    return contents.map((content, at) => ({ content, place: Number(place), slot: at === middle ? 0 : ++corner }));
  });
}
