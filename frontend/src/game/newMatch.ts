/* What is asked of the server for a new match. */
import type { GameLine, NewMatch, PlayerLine } from "../api/types";

const ELSEWHERE = "remote:";

/** Whether a program is at another machine and reached by the GGP protocol. */
export const isElsewhere = (player: Pick<PlayerLine, "name">): boolean => player.name.startsWith(ELSEWHERE);

/** The programs that can play a game: those of the server, and those elsewhere, which read rule sheets only. */
export function programsFor(
  game: Pick<GameLine, "hides" | "language" | "realtime">,
  players: readonly PlayerLine[],
): { here: PlayerLine[]; elsewhere: PlayerLine[] } {
  const fitting = players.filter((player) => (game.realtime ? player.for_realtime : !game.hides || player.for_hidden));
  return {
    here: fitting.filter((player) => !isElsewhere(player)),
    elsewhere: game.language === "fcdl" ? [] : fitting.filter(isElsewhere),
  };
}

/** The player against which a visitor begins at once: the champion, which suits every game. */
export function firstOpponent(game: Pick<GameLine, "hides" | "language" | "realtime">, players: readonly PlayerLine[]): string {
  const { here } = programsFor(game, players);
  const champion = here.find((player) => player.name === "champion");
  return (champion ?? here[0])?.name ?? "champion";
}

/** A match that begins at once: the visitor in the first seat, one player in all others. */
export function quickMatch(game: GameLine, opponent: string): NewMatch {
  const seats = Object.fromEntries(game.roles.map((role, at) => [role, at === 0 ? "me" : `player:${opponent}`]));
  return { game: game.id, seats, clock: { base: null, increment: 0 }, think: 1, chat: false };
}

export const CLOCKS = [
  { words: "No clock", base: null, increment: 0 },
  { words: "3 min + 2 s a move", base: 180, increment: 2 },
  { words: "5 min + 5 s a move", base: 300, increment: 5 },
  { words: "10 min + 10 s a move", base: 600, increment: 10 },
  { words: "30 min + 20 s a move", base: 1800, increment: 20 },
] as const;

const LINKS = "ludorum-links:";

/** Keeps the links of open seats for this tab: the server tells them once. */
export function keepLinks(match: string, links: Record<string, string>): void {
  try {
    if (Object.keys(links).length > 0) sessionStorage.setItem(LINKS + match, JSON.stringify(links));
  } catch {
    // Without storage the match page shows no links.
  }
}

export function keptLinks(match: string): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(LINKS + match) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}
