import { describe, expect, it } from "vitest";
import { unpacked } from "../src/recorded/unpack";

describe("packed values", () => {
  it("are the lists, objects and texts that they were made of", () => {
    // What `ludorum.pages.packed` makes of [{"a": "One. Two.", "b": [7, null]}, {"a": "One. Two.", "b": []}].
    const parts = ["One. ", "Two.", [0, 1], { "": 2 }, 7, null, [4, 5], { a: 3, b: 6 }, [], { a: 3, b: 8 }, [7, 9]];
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
    const found = unpacked(["x", JSON.parse('{"__proto__": 0}')]) as object;
    expect(Object.keys(found)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });
});
