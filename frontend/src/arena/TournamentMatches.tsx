import { type ReactElement, useEffect, useState } from "react";
import { useResource } from "../api/resource";
import { Empty, Pages, Trouble } from "../look/parts";
import { Go, matchPath } from "../routes";
import { matchResult, type TournamentMatch } from "./tournament";

interface Answer {
  matches: TournamentMatch[];
  pages: number;
}

/** All matches of a tournament so far; read again when `version` changes. */
export function TournamentMatches({ path, version }: { path: string; version: string }): ReactElement {
  const [page, setPage] = useState(1);
  const { data, error, reload } = useResource<Answer>(`${path}/matches?page=${page}`);
  useEffect(reload, [version, reload]);
  return (
    <section aria-labelledby="matches">
      <h2 id="matches">Matches</h2>
      {error && <Trouble error={error} onRetry={reload} />}
      {data?.matches.length === 0 && <Empty>None has begun yet.</Empty>}
      {data && <TournamentMatchList matches={data.matches} />}
      {data && <Pages page={page} pages={data.pages} onGo={setPage} />}
    </section>
  );
}

export function TournamentMatchList({ matches }: { matches: TournamentMatch[] }): ReactElement {
  return (
    <ul className="matches">
      {matches.map((match) => (
        <li key={match.id}>
          <Go to={matchPath(match.id)}>
            <b>{match.game.title}</b>
            <span className="quiet">{match.players.join(" – ")}</span>
            <span className="tag">{matchResult(match)}</span>
          </Go>
        </li>
      ))}
    </ul>
  );
}
