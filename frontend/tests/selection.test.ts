import { describe, expect, test } from "vitest";
import type { MoveChoice } from "../src/api/types";
import { matching, meantPlace, nextPlaces, NOTHING, pickCard, pickPlace, placelessMoves } from "../src/choose/selection";

const card = (words: string) => ({ rank: "7", suit: "♠", colour: "black", words });
const choice = (move: string, places: number[], more: Partial<MoveChoice> = {}): MoveChoice => ({
  move,
  words: move,
  writings: [],
  places,
  card: null,
  waits: false,
  ...more,
});

describe("moves by places", () => {
  const knight = [choice("b1a3", [57, 40]), choice("b1c3", [57, 42]), choice("e2e4", [52, 36])];

  test("a first place leaves the moves that begin there, and their next places", () => {
    const { picked, chosen } = pickPlace(knight, NOTHING, 57);
    expect(chosen).toBeNull();
    expect(matching(knight, picked).map((one) => one.move)).toEqual(["b1a3", "b1c3"]);
    expect([...nextPlaces(knight, picked)]).toEqual([40, 42]);
  });

  test("the last place decides, and nothing stays picked", () => {
    const first = pickPlace(knight, NOTHING, 57);
    expect(pickPlace(knight, first.picked, 42)).toEqual({ picked: NOTHING, chosen: knight[1], menu: [] });
  });

  test("a piece with one move is not moved by touching it", () => {
    expect(pickPlace(knight, NOTHING, 52)).toEqual({ picked: { places: [52], card: null }, chosen: null, menu: [] });
  });

  test("another first place begins anew, the same one is put back, any other place as well", () => {
    const first = pickPlace(knight, NOTHING, 57);
    expect(pickPlace(knight, first.picked, 52).picked.places).toEqual([52]);
    expect(pickPlace(knight, first.picked, 57).picked).toEqual(NOTHING);
    expect(pickPlace(knight, first.picked, 3).picked).toEqual(NOTHING);
    expect(pickPlace(knight, NOTHING, 3).picked).toEqual(NOTHING);
  });

  test("promotions to the same place are a menu", () => {
    const pawn = [choice("e8q", [12, 4]), choice("e8n", [12, 4]), choice("d8q", [12, 3])];
    const first = pickPlace(pawn, NOTHING, 12);
    const second = pickPlace(pawn, first.picked, 4);
    expect(second.chosen).toBeNull();
    expect(second.menu.map((one) => one.move)).toEqual(["e8q", "e8n"]);
  });

  test("a move that may end or go on waits for a word or for the next place", () => {
    const jumps = [choice("one", [1, 10]), choice("two", [1, 10, 19])];
    const first = pickPlace(jumps, NOTHING, 1);
    const second = pickPlace(jumps, first.picked, 10);
    expect(second.menu.map((one) => one.move)).toEqual(["one"]);
    expect(pickPlace(jumps, second.picked, 19).chosen?.move).toBe("two");
  });

  test("a move of one place is one click", () => {
    const marks = [choice("mark 1 1", [0]), choice("mark 1 2", [1])];
    expect(pickPlace(marks, NOTHING, 1).chosen?.move).toBe("mark 1 2");
  });

  test("a piece can be moved onto a place where another move begins", () => {
    const moves = [choice("a", [1, 2]), choice("b", [2, 3])];
    const first = pickPlace(moves, NOTHING, 1);
    expect(pickPlace(moves, first.picked, 2).chosen?.move).toBe("a");
  });
});

describe("a touch of a board of holes", () => {
  test("means the one place of its column that is free", () => {
    expect(meantPlace(3, new Set([38, 39]), "holes", 7)).toBe(38);
    expect(meantPlace(38, new Set([38, 39]), "holes", 7)).toBe(38);
    expect(meantPlace(0, new Set([38, 39]), "holes", 7)).toBe(0);
    expect(meantPlace(3, new Set([38]), "squares", 7)).toBe(3);
  });
});

describe("moves by cards", () => {
  const plays = [
    choice("play 7s", [], { card: card("seven of spades") }),
    choice("discard eight, hearts", [], { card: card("eight of clubs") }),
    choice("discard eight, spades", [], { card: card("eight of clubs") }),
    choice("pass", [], { waits: true }),
  ];

  test("a card with one move plays it", () => {
    expect(pickCard(plays, NOTHING, "seven of spades").chosen?.move).toBe("play 7s");
  });

  test("a card with more moves asks which, and is put back by a second touch", () => {
    const first = pickCard(plays, NOTHING, "eight of clubs");
    expect(first.chosen).toBeNull();
    expect(first.menu.map((one) => one.move)).toEqual(["discard eight, hearts", "discard eight, spades"]);
    expect(pickCard(plays, first.picked, "eight of clubs").picked).toEqual(NOTHING);
  });

  test("a card that cannot be played does nothing", () => {
    expect(pickCard(plays, NOTHING, "ace of hearts")).toEqual({ picked: NOTHING, chosen: null, menu: [] });
  });

  test("moves without card and place are those for buttons", () => {
    expect(placelessMoves(plays).map((one) => one.move)).toEqual(["pass"]);
  });

  test("a card that goes to a place asks for the place", () => {
    const laid = [choice("a", [4], { card: card("ace") }), choice("b", [5], { card: card("ace") })];
    expect([...nextPlaces(laid, NOTHING)]).toEqual([]);
    const first = pickCard(laid, NOTHING, "ace");
    expect([...nextPlaces(laid, first.picked)]).toEqual([4, 5]);
    expect(pickPlace(laid, first.picked, 5).chosen?.move).toBe("b");
  });
});
