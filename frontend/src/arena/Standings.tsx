import type { ReactElement } from "react";
import { Go, playerPath } from "../routes";
import { Interval } from "./Interval";
import { points, type StandingLine } from "./tournament";

/** Points and ratings, best first. */
export function Standings({ rows }: { rows: StandingLine[] }): ReactElement {
  const low = Math.min(...rows.map((row) => row.low ?? Infinity));
  const high = Math.max(...rows.map((row) => row.high ?? -Infinity));
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label="standings">
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Player</th>
            <th scope="col">Points</th>
            <th scope="col">Won – drawn – lost</th>
            <th scope="col">Rating</th>
            <th scope="col">95 % interval</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.player}>
              <td>{row.place}</td>
              <td>
                <Go to={playerPath(row.player)}>{row.player}</Go> {row.note !== "" && <small className="quiet">{row.note}</small>}
              </td>
              <td>
                <b>{points(row.points)}</b>
              </td>
              <td>
                {row.wins} – {row.draws} – {row.losses}
              </td>
              <td>{row.rating === null ? "" : Math.round(row.rating)}</td>
              <td>
                {row.rating !== null && row.low !== null && row.high !== null && (
                  <Interval row={{ rating: row.rating, low: row.low, high: row.high }} low={low} high={high} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
