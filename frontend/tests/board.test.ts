import { describe, expect, test } from "vitest";
import type { BoardScene } from "../src/api/types";
import { geometryOf, placeAt, placeByKey, stackedAt } from "../src/board/geometry";
import { nextTokens } from "../src/board/tokens";

const look = (words: string, remark = false) => ({ words, shape: "disc", colour: "red", text: "", remark });
const board = (cells: Record<string, number[]>): Pick<BoardScene, "cells" | "contents" | "columns" | "shape"> => ({
  shape: "square",
  cells,
  contents: [look("white pawn"), look("black pawn"), look("marked", true)],
  columns: ["a", "b", "c"],
});

describe("boards of points", () => {
  const points = geometryOf({ columns: Array(14).fill(""), rows: ["2", "1"], shape: "points" }, false);

  test("two rows of tall places are found wherever they are touched", () => {
    expect([points.width, points.height]).toEqual([14, 11]);
    for (const y of [0.1, 2, 4.9]) expect(placeAt(points, { x: 3.4, y })).toBe(3);
    for (const y of [6.1, 9, 10.9]) expect(placeAt(points, { x: 3.4, y })).toBe(17);
  });

  test("five men lie side by side, more over each other, and all on their point", () => {
    expect([0, 4].map((slot) => stackedAt(points, 0, slot, 5).y)).toEqual([0.5, 4.1]);
    expect([0, 14].map((slot) => stackedAt(points, 14, slot, 15).y.toFixed(2))).toEqual(["10.50", "6.90"]);
  });

  test("of a stack each man is shown", () => {
    const shown = nextTokens([], { ...board({ 3: [0, 0, 0] }), shape: "points" });
    expect(shown.map(({ place, slot }) => [place, slot])).toEqual([[3, 0], [3, 1], [3, 2]]);
  });
});

describe("pieces from one position to the next", () => {
  test("a piece that moved keeps its identity", () => {
    const before = nextTokens([], board({ 0: [0], 8: [1] }));
    const after = nextTokens(before, board({ 3: [0], 8: [1] }));
    expect(after.map(({ id, place }) => [id, place])).toEqual([
      [1, 3],
      [2, 8],
    ]);
  });

  test("a captured piece goes, the one that took it stays itself", () => {
    const before = nextTokens([], board({ 0: [0], 4: [1] }));
    const after = nextTokens(before, board({ 4: [0] }));
    expect(after.map(({ id, place, content }) => [id, place, content])).toEqual([[1, 4, 0]]);
  });

  test("of two that could have moved, the nearer one did", () => {
    const before = nextTokens([], board({ 0: [0], 5: [0] }));
    const after = nextTokens(before, board({ 8: [0], 0: [0] }));
    expect(after.map(({ id, place }) => [id, place])).toEqual([
      [1, 0],
      [2, 8],
    ]);
  });

  test("what was put down is new", () => {
    const before = nextTokens([], board({ 0: [0] })).map((token) => ({ ...token, isNew: false }));
    const after = nextTokens(before, board({ 0: [0], 1: [1] }));
    expect(after.map(({ place, isNew }) => [place, isNew])).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(new Set(after.map((token) => token.id)).size).toBe(2);
  });

  test("another position altogether does not slide", () => {
    const all = (content: number, from: number) =>
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [String(from + at), [content]]));
    const after = nextTokens(nextTokens([], board(all(0, 0))), board(all(0, 20))).map((token) => token.id > 9);
    expect(after).toEqual(Array(9).fill(true));
  });

  test("remarks stand in the corner, also where they are named first", () => {
    const tokens = nextTokens([], board({ 0: [2, 0] }));
    expect(tokens.map(({ content, slot }) => [content, slot])).toEqual([
      [2, 1],
      [0, 0],
    ]);
  });
});

describe("where places lie", () => {
  const square = { columns: ["a", "b", "c"], rows: ["2", "1"], shape: "square" as const };

  test("a square board is read row by row from the top, and flipped from the bottom right", () => {
    expect(geometryOf(square, false).centres[5]).toEqual({ x: 2.5, y: 1.5 });
    expect(geometryOf(square, true).centres[5]).toEqual({ x: 0.5, y: 0.5 });
  });

  test("each row of hexagons lies half a place further right, and neighbours are one apart", () => {
    const { centres } = geometryOf({ ...square, shape: "hex" }, false);
    const apart = (one: number, other: number): number =>
      Math.hypot(centres[one]!.x - centres[other]!.x, centres[one]!.y - centres[other]!.y);
    expect(centres[3]!.x - centres[0]!.x).toBe(0.5);
    for (const [one, other] of [[0, 1], [0, 3], [1, 3]] as const) expect(apart(one, other)).toBeCloseTo(1);
    expect(apart(0, 4)).toBeCloseTo(Math.sqrt(3));
  });
});

describe("arrow keys", () => {
  const shape = { columns: ["a", "b", "c"], rows: ["3", "2", "1"], absent: [4] };

  test("go to the next place that exists, and stop at the edge", () => {
    expect(placeByKey("ArrowRight", 3, shape, false)).toBe(5);
    expect(placeByKey("ArrowDown", 1, shape, false)).toBe(7);
    expect(placeByKey("ArrowUp", 1, shape, false)).toBe(1);
    expect(placeByKey("x", 1, shape, false)).toBe(1);
  });

  test("mean what is seen on a board that is turned around", () => {
    expect(placeByKey("ArrowRight", 1, shape, true)).toBe(0);
    expect(placeByKey("ArrowUp", 0, shape, true)).toBe(3);
    expect(placeByKey("Home", 3, shape, false)).toBe(3);
    expect(placeByKey("Home", 3, shape, true)).toBe(5);
  });
});
