import { describe, expect, test } from "vitest";
import { agoText, reachText } from "../src/arena/answered";
import { errorOf } from "../src/api/client";
import { waitBefore } from "../src/api/live";
import type { GameLine, MatchView, PlayerLine } from "../src/api/types";
import { firstOpponent, programsFor, quickMatch } from "../src/game/newMatch";
import { sortGames } from "../src/lobby/games";
import { playersText } from "../src/lobby/Lobby";
import { faultsText } from "../src/match/Faults";
import { statusText } from "../src/match/Status";
import { clockText, secondsLeft, untilNextTick } from "../src/match/ticking";
import { stepsOf } from "../src/match/useReplay";
import { colourClass, knownPoints, shares } from "../src/understand/shares";

describe("clocks", () => {
  test("a running clock loses what has passed, one that stands does not", () => {
    expect(secondsLeft({ left: 58.2, running: true }, 1200)).toBeCloseTo(57);
    expect(secondsLeft({ left: 58.2, running: false }, 1200)).toBe(58.2);
    expect(secondsLeft({ left: 1, running: true }, 5000)).toBe(0);
  });

  test("are written as people read them", () => {
    expect([3723, 307, 60, 59.2, 10, 9.44, 0.05, 0].map(clockText)).toEqual([
      "1:02:03", "5:07", "1:00", "1:00", "0:10", "0:09.4", "0:00.0", "0:00.0",
    ]);
  });

  test("are drawn again when their text changes", () => {
    expect(untilNextTick(58.2)).toBeCloseTo(200);
    expect(untilNextTick(58)).toBeCloseTo(1000);
    expect(untilNextTick(5.25)).toBeCloseTo(50);
  });
});

test("the waits before new tries double up to eight seconds", () => {
  expect([0, 1, 2, 3, 10].map((tries) => waitBefore(tries, 0.5))).toEqual([400, 800, 1600, 3200, 8000]);
  expect(waitBefore(0, 0)).toBe(300);
});

test("the steps of a replay are the start, the lines and the present, each once", () => {
  const line = (step: number) => ({ step, words: "" });
  expect(stepsOf([line(53), line(54), line(56)], 56)).toEqual([0, 53, 54, 56]);
  expect(stepsOf([], 0)).toEqual([0]);
  expect(stepsOf([line(1)], 2)).toEqual([0, 1, 2]);
});

test("a role named by a colour has it", () => {
  expect(["red", "alice", "black"].map(colourClass)).toEqual(["by-red", "of-1", "by-black"]);
});

test("a bar is shared by worth, equally where nothing is worth anything", () => {
  expect(shares({ a: 75, b: 25 }, ["a", "b"])).toEqual([0.75, 0.25]);
  expect(shares({ a: 0, b: 0 }, ["a", "b"])).toEqual([0.5, 0.5]);
  expect(shares({ b: 30 }, ["a", "b"])).toEqual([0, 0.3]);
  expect(knownPoints([{ values: { b: 30 } }, { values: { a: 1 } }, { values: { b: 40 } }], "b")).toEqual([[0, 30], [2, 40]]);
});

const game = (id: string, more: Partial<GameLine> = {}): GameLine => ({
  id, title: id.replaceAll("_", " "), language: "gdl", roles: ["red", "yellow"], summary: "", hides: false,
  chance: false, seats: 2, kind: "board", realtime: false, ...more,
});

describe("programs elsewhere", () => {
  const player = (name: string, more: Partial<PlayerLine> = {}): PlayerLine => ({ name, summary: "", for_hidden: true, ...more });
  const names = (players: PlayerLine[]): string[] => players.map((one) => one.name);

  test("stand apart, and play sheets only that they can read", () => {
    const players = [player("champion"), player("remote:Old", { for_hidden: false }), player("remote:Sancho")];
    const open = programsFor(game("chess"), players);
    expect([names(open.here), names(open.elsewhere)]).toEqual([["champion"], ["remote:Old", "remote:Sancho"]]);
    expect(names(programsFor(game("krieg_tictactoe", { hides: true }), players).elsewhere)).toEqual(["remote:Sancho"]);
    expect(names(programsFor(game("hearts", { language: "fcdl" }), players).elsewhere)).toEqual([]);
    expect(firstOpponent(game("chess"), [player("remote:Sancho"), player("mcts")])).toBe("mcts");
  });

  test("play in realtime where they can, as those of the server do", () => {
    const players = [player("mcts"), player("remote:Old"), player("remote:Quick", { for_realtime: true }), player("random", { for_realtime: true })];
    const pursuit = game("pursuit", { realtime: true });
    expect(names(programsFor(pursuit, players).here)).toEqual(["random"]);
    expect(names(programsFor(pursuit, players).elsewhere)).toEqual(["remote:Quick"]);
    expect(firstOpponent(pursuit, players)).toBe("random");
  });

  test("answered some time ago, or cannot be reached", () => {
    expect([0, 59, 60, 200, 3600, 86400, 200000].map((ago) => agoText(1000000 - ago, 1000000))).toEqual([
      "just now", "just now", "1 minute ago", "3 minutes ago", "1 hour ago", "1 day ago", "2 days ago",
    ]);
    const remote = { answered: 820, is_reachable: true, is_playing: false };
    expect(reachText(remote, 1000)).toBe("answered 3 minutes ago");
    expect(reachText({ ...remote, is_reachable: false }, 1000)).toBe("not reachable, answered 3 minutes ago");
    expect(reachText({ ...remote, is_playing: true }, 1000)).toBe("playing");
  });

  test("have their faults counted by role", () => {
    expect(faultsText({ red: 2, yellow: 1 })).toBe("Faults of programs: red 2, yellow 1");
  });
});

describe("the lobby", () => {
  test("known games come first, then the alphabet", () => {
    const ids = sortGames([game("amazons"), game("chess"), game("zebra"), game("connect_four")], "", "all");
    expect(ids.map((one) => one.id)).toEqual(["connect_four", "chess", "amazons", "zebra"]);
  });

  test("a search finds titles first, then what is said of a game", () => {
    const games = [game("amazons", { summary: "queens as in chess" }), game("chess"), game("hex")];
    expect(sortGames(games, "chess", "all").map((one) => one.id)).toEqual(["chess", "amazons"]);
    expect(sortGames(games, "chess", "cards")).toEqual([]);
  });

  test("a game says how many play it, and whether by the clock", () => {
    expect(playersText(game("chess"))).toBe("2 players");
    expect(playersText(game("pursuit", { realtime: true }))).toBe("2 players · realtime");
    expect(playersText(game("snap", { realtime: true, hides: true, chance: true, seats: 1 }))).toBe(
      "1 player · realtime · hidden · chance",
    );
    expect(sortGames([game("chess"), game("pursuit", { realtime: true })], "realtime", "all").map((one) => one.id)).toEqual([
      "pursuit",
    ]);
  });

  test("the first opponent suits games that hide something", () => {
    const player = (name: string, for_hidden = false): PlayerLine => ({ name, summary: "", for_hidden });
    const players = [player("mcts"), player("legal", true), player("champion", true)];
    expect(firstOpponent(game("chess"), players)).toBe("champion");
    expect(firstOpponent(game("hearts", { hides: true }), players)).toBe("champion");
    expect(firstOpponent(game("hearts", { hides: true }), [player("mcts"), player("legal", true)])).toBe("legal");
    expect(quickMatch(game("chess"), "mcts").seats).toEqual({ red: "me", yellow: "player:mcts" });
  });
});

describe("what is going on, in words", () => {
  const role = (name: string) => ({
    role: name, label: name, kind: "person" as const, name, is_here: true, clock: null, goal: null,
  });
  const view = (more: Partial<MatchView>): MatchView => ({
    id: "m", game: { id: "g", title: "g", hides: false, chance: false }, viewer: "red", roles: [role("red"), role("yellow")], step: 3,
    phase: "choice", to_move: ["red"], is_thinking: false,
    scene: { board: null, cards: null, facts: [], told: [], is_hidden: false, spoken: "" },
    choices: [], asked: "", moves: [], offers: [], premove: null, dropped: null, spectators: 0,
    chat: null, result: null, rematch: null, tournament: null, realtime: null, ...more,
  });

  test("the question of the game stands where there is one", () => {
    expect(statusText(view({ asked: "Choose a card to pass." }))).toBe("Choose a card to pass.");
    expect(statusText(view({}))).toBe("It is your move.");
    expect(statusText(view({ phase: "waiting", to_move: ["yellow"] }))).toBe("Waiting for yellow.");
    expect(statusText(view({ phase: "waiting", to_move: ["yellow"], is_thinking: true }))).toBe("yellow is thinking …");
  });

  test("the end is told from the viewer's side", () => {
    const over = (red: number, yellow: number, viewer: string | null = "red"): string =>
      statusText(view({ phase: "over", viewer, result: { red, yellow } }));
    expect(over(100, 0)).toBe("The game is over: you win!");
    expect(over(0, 100)).toBe("The game is over: yellow wins.");
    expect(over(50, 50)).toBe("The game is over: a draw.");
    expect(over(100, 0, null)).toBe("The game is over: red wins.");
  });
});

test("errors have words even where the server sends none", () => {
  expect(errorOf({ error: { code: "busy", message: "Too many matches.", hint: "End one." } }, 409)).toMatchObject({
    message: "Too many matches.", hint: "End one.", status: 409, code: "busy",
  });
  expect(errorOf(null, 502).message).toBe("The server made a mistake.");
  expect(errorOf("<html>", 404).message).toBe("There is nothing at this address.");
});
