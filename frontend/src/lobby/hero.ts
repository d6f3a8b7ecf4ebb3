/* A position of connect four for the head of the lobby. */
import type { BoardScene } from "../api/types";

const ROWS = [".......", ".......", "....y..", "..yrr..", ".ryyr..", "yrryryr"];
const SIDES = ["red", "yellow"];

export const HERO: BoardScene = {
  columns: [..."1234567"],
  rows: [..."654321"],
  shape: "square",
  look: "holes",
  names: [],
  absent: [],
  contents: SIDES.map((colour) => ({ words: colour, shape: "disc", colour, text: "", remark: false })),
  cells: Object.fromEntries(
    [...ROWS.join("")].flatMap((sign, at) => (sign === "." ? [] : [[String(at), [sign === "r" ? 0 : 1]]])),
  ),
  last: [],
  is_unknown: false,
};
