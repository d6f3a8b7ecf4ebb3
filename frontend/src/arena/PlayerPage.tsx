import type { ReactElement } from "react";
import { useResource } from "../api/resource";
import type { PlayerPageView } from "../api/types";
import { MatchList } from "../lobby/MatchList";
import { Empty, Loading, Trouble, useTitle } from "../look/parts";
import { gamePath, Go } from "../routes";

/** A person or a program: ratings and the last matches. */
export function PlayerPage({ name }: { name: string }): ReactElement {
  useTitle(name);
  const { data, error, reload } = useResource<PlayerPageView>(`/players/${encodeURIComponent(name)}`);
  if (error) {
    return (
      <main className="narrow">
        <h1>{name}</h1>
        <Trouble error={error} onRetry={reload} />
      </main>
    );
  }
  if (!data) return <Loading what="the player" />;
  return (
    <main className="arena">
      <h1>
        {data.name} {data.kind === "player" && <span className="tag">program</span>}
      </h1>
      {data.summary && <p className="summary">{data.summary}</p>}
      <section aria-labelledby="ratings">
        <h2 id="ratings">Ratings</h2>
        {(data.ratings ?? []).length === 0 ? (
          <Empty>No rated match yet.</Empty>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Game</th>
                <th scope="col">Rating</th>
                <th scope="col">Interval</th>
                <th scope="col">Matches</th>
              </tr>
            </thead>
            <tbody>
              {data.ratings.map((row) => (
                <tr key={row.game}>
                  <td>
                    <Go to={gamePath(row.game)}>{row.title}</Go>
                  </td>
                  <td>
                    <b>{Math.round(row.rating)}</b>
                  </td>
                  <td>
                    {Math.round(row.low)}–{Math.round(row.high)}
                  </td>
                  <td>{row.matches}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section aria-labelledby="recent">
        <h2 id="recent">Last matches</h2>
        <MatchList matches={data.recent ?? []} error={null} empty="No match yet." />
      </section>
    </main>
  );
}
