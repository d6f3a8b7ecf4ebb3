import { type ReactElement, useState } from "react";
import { asApiError } from "../api/resource";
import type { RoleView } from "../api/types";
import type { Stepping } from "../match/useStepping";
import { colourClass, knownPoints } from "./shares";
import { analyse } from "./useAnalysis";

interface ValueCurveProps {
  match: string;
  roles: RoleView[];
  replay: Stepping;
}

/** How the worth of the match went for each role, from step to step; a click goes to that step. */
export function ValueCurve({ match, roles, replay }: ValueCurveProps): ReactElement {
  const [points, setPoints] = useState<{ step: number; values: Record<string, number> }[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const { steps } = replay;
  const draw = async (): Promise<void> => {
    setBusy(true);
    setTrouble("");
    setPoints([]);
    try {
      for (const step of steps) {
        const { values } = await analyse(match, step);
        setPoints((before) => [...before, { step, values }]);
      }
    } catch (caught) {
      setTrouble(asApiError(caught).message);
    } finally {
      setBusy(false);
    }
  };
  const last = Math.max(1, steps.length - 1);
  const x = (at: number): number => 4 + (292 * at) / last;
  const y = (value: number): number => 76 - (72 * value) / 100;
  // Of two roles whose worths are both known at every step, one curve tells all.
  const isWhole = points.every(({ values }) => roles.every(({ role }) => values[role] !== undefined));
  const shown = roles.length === 2 && isWhole ? roles.slice(0, 1) : roles;
  return (
    <div className="curve">
      {points.length > 0 && (
        <svg viewBox="0 0 300 80" role="img" aria-label={wordsOf(points, roles)}>
          <line className="axis" x1="4" x2="296" y1={y(50)} y2={y(50)} />
          {shown.map((role, at) => (
            <polyline
              key={role.role}
              className={colourClass(role.role, at)}
              points={knownPoints(points, role.role)
                .map(([n, value]) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`)
                .join(" ")}
            />
          ))}
          <line className="now" x1={x(replay.at)} x2={x(replay.at)} y1="2" y2="78" />
          {points.map((point, n) => (
            <rect
              key={point.step}
              className="touch"
              x={x(n) - 146 / last}
              width={292 / last}
              y="0"
              height="80"
              onClick={() => replay.goToStep(point.step)}
            />
          ))}
        </svg>
      )}
      {points.length > 0 && shown[0] && (
        <p className="quiet">
          Worth for {shown.map((role) => role.label).join(", ")}, 0 to 100
        </p>
      )}
      {(points.length < steps.length || isBusy) && (
        <button type="button" disabled={isBusy} onClick={() => void draw()}>
          {isBusy ? `Step ${points.length} of ${steps.length} …` : "Draw the value curve"}
        </button>
      )}
      {trouble && <p className="remark">{trouble}</p>}
    </div>
  );
}

function wordsOf(points: { step: number; values: Record<string, number> }[], roles: RoleView[]): string {
  const told = roles.flatMap(({ role, label }) => {
    const known = knownPoints(points, role).map(([, value]) => Math.round(value));
    return known.length > 0 ? [`${label} from ${known[0]} to ${known.at(-1)}`] : [];
  });
  return `value curve: ${told.join(", ")}`;
}
