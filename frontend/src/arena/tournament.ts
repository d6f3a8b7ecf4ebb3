/* Tournaments as the server tells them, and their words. */

export type ScheduleKind = "round-robin" | "gauntlet" | "swiss" | "elimination" | "ladder";
export type TournamentState = "running" | "over" | "stopped" | "failed";

export interface TournamentLine {
  id: string;
  title: string;
  owner: string;
  state: TournamentState;
  schedule: ScheduleKind;
  games: { id: string; title: string }[];
  players: string[];
  done: number;
  total: number;
  created: number;
}

export interface StandingLine {
  place: number;
  player: string;
  rating: number | null;
  low: number | null;
  high: number | null;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  note: string;
}

export interface TournamentMatch {
  id: string;
  game: { id: string; title: string };
  round: number;
  players: string[];
  roles: string[];
  state: "live" | "over" | "stopped";
  goals: number[] | null;
}

export type Cross = ({ points: number; matches: number } | null)[][];

export interface TournamentView extends TournamentLine {
  why: string;
  matches: number;
  rounds: number | null;
  seconds: number;
  opening: number;
  seed: number;
  seconds_left: number | null;
  may_stop: boolean;
  standings: StandingLine[];
  cross: Cross;
  live: TournamentMatch[];
}

export interface NewTournament {
  title: string;
  games: string[];
  players: string[];
  schedule: ScheduleKind;
  matches: number;
  rounds: number | null;
  seconds: number;
  opening: number;
  seed?: number;
}

export const SCHEDULES: { kind: ScheduleKind; name: string; words: string }[] = [
  { kind: "round-robin", name: "Round robin", words: "Everybody meets everybody." },
  { kind: "gauntlet", name: "Gauntlet", words: "The first player meets every other one, and these do not meet." },
  { kind: "ladder", name: "Ladder", words: "The first player meets every other one alone, which takes all other seats." },
  { kind: "swiss", name: "Swiss", words: "In each round, players with similar points meet. Games for two only." },
  { kind: "elimination", name: "Knockout", words: "Who loses a meeting is out. Games for two only." },
];

export const STATES: Record<TournamentState, string> = {
  running: "running",
  over: "over",
  stopped: "stopped",
  failed: "failed",
};

export function scheduleName(kind: ScheduleKind): string {
  return SCHEDULES.find((one) => one.kind === kind)?.name ?? kind;
}

/** A rough time in words. */
export function roughly(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3600)} h`;
}

export function points(count: number): string {
  return count % 1 === 0 ? String(count) : `${Math.floor(count) || ""}½`;
}

export function matchResult(match: TournamentMatch): string {
  if (match.state === "live") return "is played";
  if (match.state === "stopped") return "stopped";
  return match.goals ? match.goals.join(" : ") : "no result";
}
