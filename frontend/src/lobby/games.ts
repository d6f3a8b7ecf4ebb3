import type { GameLine } from "../api/types";

export type KindFilter = "all" | GameLine["kind"];

export const KINDS: readonly (readonly [KindFilter, string])[] = [
  ["all", "All"],
  ["board", "Boards"],
  ["cards", "Cards"],
  ["puzzle", "Puzzles"],
  ["other", "Others"],
];

/** Games that many know come first, then the alphabet. */
const KNOWN = ["connect_four", "chess", "othello", "hearts", "tictactoe", "hex", "english_draughts", "crazy_eights"];

/** The games that match a query, best first: those whose title begins with it, then contains it, then the others. */
export function sortGames(games: readonly GameLine[], query: string, kind: KindFilter): GameLine[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (game: GameLine): number => {
    if (words.length === 0) {
      const at = KNOWN.indexOf(game.id);
      return at < 0 ? KNOWN.length : at;
    }
    const title = game.title.toLowerCase();
    return title.startsWith(words[0] ?? "") ? 0 : words.every((word) => title.includes(word)) ? 1 : 2;
  };
  return games
    .filter((game) => kind === "all" || game.kind === kind)
    .filter((game) => {
      const all = `${game.title} ${game.id} ${game.summary} ${game.language} ${game.realtime ? "realtime" : ""}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .sort((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title));
}
