import type { ReactElement } from "react";
import { useResource } from "../api/resource";
import type { GameLine, RatingLine } from "../api/types";
import { Empty, Field, Loading, Trouble, useTitle } from "../look/parts";
import { Go, goTo, playerPath } from "../routes";
import { Interval } from "./Interval";

/** Ratings with their intervals, of one game or of all. */
export function Leaderboard({ game }: { game: string | null }): ReactElement {
  useTitle("Leaderboard");
  const query = game ? `?game=${encodeURIComponent(game)}` : "";
  const { data, error, reload } = useResource<{ rows: RatingLine[] }>(`/leaderboard${query}`);
  const games = useResource<GameLine[]>("/games");
  const low = Math.min(...(data?.rows ?? []).map((row) => row.low));
  const high = Math.max(...(data?.rows ?? []).map((row) => row.high));
  return (
    <main className="arena">
      <div className="finder">
        <h1>Leaderboard</h1>
        <Field label="Game">
          {(id) => (
            <select
              id={id}
              value={game ?? ""}
              onChange={({ target }) => goTo(`/leaderboard${target.value ? `?game=${encodeURIComponent(target.value)}` : ""}`)}
            >
              <option value="">all games</option>
              {games.data?.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Go to="/remotes" className="button">
          Players by URL
        </Go>
      </div>
      {error && <Trouble error={error} onRetry={reload} />}
      {!data && !error && <Loading what="ratings" />}
      {data?.rows.length === 0 && <Empty>No rated match has been finished yet.</Empty>}
      {data && data.rows.length > 0 && (
        <div className="scrolls" tabIndex={0} role="region" aria-label="ratings">
          <table>
            <thead>
              <tr>
                <th scope="col">#</th>
                <th scope="col">Player</th>
                <th scope="col">Rating</th>
                <th scope="col">95 % interval</th>
                <th scope="col">Matches</th>
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={row.name}>
                  <td>{row.rank}</td>
                  <td>
                    <Go to={playerPath(row.name)}>{row.name}</Go> {row.kind === "player" && <span className="tag">program</span>}
                  </td>
                  <td>
                    <b>{Math.round(row.rating)}</b>
                  </td>
                  <td>
                    <Interval row={row} low={low} high={high} />
                  </td>
                  <td>{row.matches}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </main>
  );
}
