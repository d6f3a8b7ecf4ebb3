import type { ReactElement } from "react";
import type { MatchView } from "../api/types";

/** What is going on, in one sentence. */
export function statusText(view: MatchView): string {
  const label = (role: string): string => view.roles.find((one) => one.role === role)?.label ?? role;
  switch (view.phase) {
    case "choice":
      return view.asked || "It is your move.";
    case "waiting": {
      if (view.realtime) return view.asked;
      const waited = view.to_move.map(label);
      if (waited.length === 0) return "Waiting …";
      return view.is_thinking ? `${waited.join(" and ")} is thinking …` : `Waiting for ${waited.join(" and ")}.`;
    }
    case "paused":
      return "The match is paused.";
    case "open":
      return "Waiting for someone to sit down.";
    case "stuck":
      return "The rules allow no move here: the match cannot go on.";
    case "resigned":
    case "over":
      return view.how === "stopped" && view.asked ? view.asked : resultText(view, openingOf(view));
  }
}

function openingOf(view: MatchView): string {
  const ender = view.roles.find((role) => role.role === view.ended_by)?.label;
  if (view.how === "time" && ender) return `${ender} is out of time`;
  if (view.phase === "resigned" || view.how === "resigned") return ender ? `${ender} has resigned` : "Resigned";
  if (view.how === "draw") return "A draw was agreed";
  return "The game is over";
}

function resultText(view: MatchView, opening: string): string {
  if (!view.result) return `${opening}.`;
  const label = (role: string): string => view.roles.find((one) => one.role === role)?.label ?? role;
  const entries = Object.entries(view.result);
  const best = Math.max(...entries.map(([, goal]) => goal));
  const winners = entries.filter(([, goal]) => goal === best).map(([role]) => role);
  if (entries.length === 1) return `${opening}: ${best} of 100.`;
  if (view.how === "draw") return `${opening}.`;
  if (winners.length === entries.length) return `${opening}: a draw.`;
  if (view.viewer !== null && winners.includes(view.viewer)) {
    return winners.length === 1 ? `${opening}: you win!` : `${opening}: you share the win.`;
  }
  return `${opening}: ${winners.map(label).join(" and ")} ${winners.length === 1 ? "wins" : "win"}.`;
}

export function isOver(view: MatchView): boolean {
  return view.result !== null || ["over", "resigned", "stuck"].includes(view.phase);
}

export function Status({ view }: { view: MatchView }): ReactElement {
  return <p className={`status ${view.phase}`}>{statusText(view)}</p>;
}
