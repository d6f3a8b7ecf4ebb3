import type { ReactElement } from "react";
import type { MatchView, RoleView } from "../api/types";
import { Clock } from "./Clock";

interface SeatsProps {
  roles: RoleView[];
  view: Pick<MatchView, "viewer" | "to_move" | "result" | "phase" | "is_thinking">;
  since: number;
}

/** The people and programs at the match, with their clocks and, at its end, what they got. */
export function Seats({ roles, view, since }: SeatsProps): ReactElement {
  const best = Math.max(...Object.values(view.result ?? {}));
  return (
    <ul className="seats">
      {roles.map((role) => {
        const isTurn = view.to_move.includes(role.role) && view.result === null && view.phase !== "open";
        const goal = view.result?.[role.role] ?? null;
        return (
          <li key={role.role} className={`seat${isTurn ? " turn" : ""}${goal !== null && goal === best ? " won" : ""}`}>
            <i
              className={`here ${role.kind === "player" ? "program" : role.is_here ? "yes" : "no"}`}
              title={role.kind === "open" ? "nobody sits here yet" : role.is_here ? "here" : "away"}
            />
            <b className="role">{role.label}</b>
            <span className="name">
              {role.kind === "open" ? "waiting for a person" : role.name}
              {role.role === view.viewer && <span className="you"> (you)</span>}
              {role.remark && <small className="remark">{role.remark}</small>}
              {isTurn && view.is_thinking && role.kind === "player" && <span className="thinking"> thinking</span>}
            </span>
            {goal !== null && <b className="goal">{goal}</b>}
            {role.clock && <Clock clock={role.clock} since={since} />}
          </li>
        );
      })}
    </ul>
  );
}

/** Others above the board and the viewer below, unless the board was turned; a spectator sees the first role below. */
export function split(view: Pick<MatchView, "viewer" | "roles">, isTurned: boolean): { above: RoleView[]; below: RoleView[] } {
  const mine = view.viewer ?? view.roles[0]?.role;
  const below = view.roles.filter((role) => role.role === mine);
  const above = view.roles.filter((role) => role.role !== mine);
  return isTurned && above.length === 1 ? { above: below, below: above } : { above, below };
}
