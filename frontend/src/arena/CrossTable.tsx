import type { ReactElement } from "react";
import { type Cross, points, type StandingLine } from "./tournament";

/** The points of each player against each other. */
export function CrossTable({ rows, cross }: { rows: StandingLine[]; cross: Cross }): ReactElement {
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label="cross table">
      <table className="cross">
        <thead>
          <tr>
            <th scope="col">Points of</th>
            {rows.map((row) => (
              <th key={row.player} scope="col">
                against {row.player}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.player}>
              <th scope="row">{row.player}</th>
              {(cross[at] ?? []).map((cell, other) => (
                <td key={rows[other]?.player}>{cell === null ? "–" : cell.matches === 0 ? "" : `${points(cell.points)} / ${cell.matches}`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
