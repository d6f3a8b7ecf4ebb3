import { describe, expect, it } from "vitest";
import { unpacked } from "../src/recorded/unpack";

describe("packed values", () => {
  it("are the lists, objects and texts that they were made of", () => {
    // What `ludorum.pages.packed` makes of [{"a": "One. Two.", "b": [7, null]}, {"a": "One. Two.", "b": []}].
    const parts = [
      ...["a", "b", [0, 1], "One. ", "Two.", [3, 4], { text: 5 }, 7, null, [7, 8], [-3, 6, 9]],
      ...[[], [-3, 6, 11], [10, 12]],
    ];
    expect(unpacked(parts)).toEqual([
      { a: "One. Two.", b: [7, null] },
      { a: "One. Two.", b: [] },
    ]);
  });

  it("share what is the same, so that nothing is drawn anew for it", () => {
    const [one, other] = unpacked([7, [0], [1, 1]]) as object[];
    expect(one).toBe(other);
  });

  it("may have names that the language uses itself", () => {
    const found = unpacked(["__proto__", [0], "x", [-2, 2]]) as object;
    expect(Object.keys(found)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });
});
