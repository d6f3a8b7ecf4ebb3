import type { ReactElement } from "react";
import type { RoleView } from "../api/types";
import { colourClass, shares } from "./shares";

interface EvaluationBarProps {
  values: Record<string, number> | null;
  roles: RoleView[];
  isFlipped: boolean;
}

/** A bar beside the board: how the worth of the position is shared. The first role is below, as on the board. */
export function EvaluationBar({ values, roles, isFlipped }: EvaluationBarProps): ReactElement {
  const names = roles.map((role) => role.role);
  const parts = values ? shares(values, names) : names.map(() => 1 / names.length);
  const free = 1 - parts.reduce((one, other) => one + other, 0);
  const known = roles.filter((role) => values?.[role.role] !== undefined);
  const words = known.map((role) => `${role.label} ${Math.round(values?.[role.role] ?? 0)}`).join(", ") || "not known yet";
  const firstUnknown = values ? names.findIndex((name) => values[name] === undefined) : -1;
  const order = names.map((_, at) => at);
  if (!isFlipped) order.reverse();
  if (names.length === 1) {
    const value = (values?.[names[0] ?? ""] ?? 0) / 100;
    return (
      <div className="evaluation" role="img" aria-label={`evaluation: ${words}`} title={words}>
        <span className="share free" style={{ flexGrow: 1 - value }} />
        <span className="share of-0" style={{ flexGrow: value }} />
      </div>
    );
  }
  return (
    <div className={`evaluation${values ? "" : " waiting"}`} role="img" aria-label={`evaluation: ${words}`} title={words}>
      {order.map((at) => (
        <Share key={names[at]} part={parts[at] ?? 0} kind={colourClass(names[at] ?? "", at)} free={at === firstUnknown ? free : 0} />
      ))}
    </div>
  );
}

/** The part of one role, and the part of nobody where it lies on this role's side. */
function Share({ part, kind, free }: { part: number; kind: string; free: number }): ReactElement {
  return (
    <>
      {free > 0 && <span className="share free" style={{ flexGrow: free }} />}
      <span className={`share ${kind}`} style={{ flexGrow: part }} />
    </>
  );
}
