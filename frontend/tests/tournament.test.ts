import { expect, test } from "vitest";
import { matchResult, points, roughly, scheduleName } from "../src/arena/tournament";

test("times are rough", () => {
  expect([0.2, 42, 89, 100, 5000, 5500, 36000].map(roughly)).toEqual([
    "about 1 s",
    "about 42 s",
    "about 89 s",
    "about 2 min",
    "about 83 min",
    "about 2 h",
    "about 10 h",
  ]);
});

test("half points are written as such", () => {
  expect([0, 0.5, 1, 2.5].map(points)).toEqual(["0", "½", "1", "2½"]);
});

test("a match has its result in words", () => {
  const match = { id: "m", game: { id: "g", title: "G" }, round: 1, players: [], roles: [], goals: null };
  expect(matchResult({ ...match, state: "live" })).toBe("is played");
  expect(matchResult({ ...match, state: "stopped" })).toBe("stopped");
  expect(matchResult({ ...match, state: "over" })).toBe("no result");
  expect(matchResult({ ...match, state: "over", goals: [100, 0] })).toBe("100 : 0");
  expect(scheduleName("elimination")).toBe("Knockout");
});
