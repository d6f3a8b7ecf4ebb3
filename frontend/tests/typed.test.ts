import { expect, test } from "vitest";
import type { MoveChoice } from "../src/api/types";
import { matchTyped } from "../src/choose/typed";

const choice = (words: string, writings: string[] = [], move = words): MoveChoice => ({
  move,
  words,
  writings,
  places: [],
  card: null,
  waits: false,
});

const CHESS = [
  choice("pawn e2 to e4", ["e2e4", "e4"], "(move white pawn e 2 e 4)"),
  choice("knight g1 to f3", ["g1f3", "Nf3"], "(move white knight g 1 f 3)"),
  choice("pawn b4 takes c3", ["b4c3", "bxc3"], "(move white pawn b 4 c 3)"),
  choice("bishop b4 takes c3", ["b4xc3", "Bxc3"], "(move white bishop b 4 c 3)"),
];

const exact = (text: string): string | undefined => matchTyped(CHESS, text).exact?.words;

test("coordinates, short forms and words name a move", () => {
  expect(exact("e2e4")).toBe("pawn e2 to e4");
  expect(exact("e2-e4")).toBe("pawn e2 to e4");
  expect(exact(" E2 E4 ")).toBe("pawn e2 to e4");
  expect(exact("Nf3")).toBe("knight g1 to f3");
  expect(exact("nf3")).toBe("knight g1 to f3");
  expect(exact("(move white knight g 1 f 3)")).toBe("knight g1 to f3");
});

test("capital letters decide where nothing else does", () => {
  expect(exact("bxc3")).toBe("pawn b4 takes c3");
  expect(exact("Bxc3")).toBe("bishop b4 takes c3");
});

test("a part of the words names a move when no other has it", () => {
  expect(exact("knight")).toBe("knight g1 to f3");
  expect(exact("takes c3")).toBeUndefined();
  expect(matchTyped(CHESS, "takes c3").possible).toHaveLength(2);
});

test("nothing typed leaves everything possible and names nothing", () => {
  expect(matchTyped(CHESS, "  ")).toEqual({ exact: null, possible: CHESS });
  expect(matchTyped(CHESS, "zz")).toEqual({ exact: null, possible: [] });
});

test("moves that the text begins come before those that only contain it", () => {
  const drops = [choice("column 14"), choice("4 of them"), choice("drop 4", ["4"])];
  expect(matchTyped(drops, "4").exact?.words).toBe("drop 4");
  expect(matchTyped(drops, "4").possible.map((one) => one.words)).toEqual(["drop 4", "4 of them", "column 14"]);
});
