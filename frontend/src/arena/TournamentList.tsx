import { type ReactElement, useState } from "react";
import { useVisitor } from "../accounts/me";
import { usePolled } from "../api/resource";
import { Empty, Loading, Pages, Trouble, useTitle } from "../look/parts";
import { Go, tournamentPath } from "../routes";
import { scheduleName, STATES, type TournamentLine } from "./tournament";

const LOOK_SECONDS = 5;

interface Answer {
  tournaments: TournamentLine[];
  pages: number;
}

/** All tournaments, the newest first. */
export function TournamentList(): ReactElement {
  useTitle("Tournaments");
  const [page, setPage] = useState(1);
  const { user } = useVisitor();
  const { data, error, reload } = usePolled<Answer>(`/tournaments?page=${page}`, LOOK_SECONDS, (answer) =>
    answer.tournaments.some((one) => one.state === "running"),
  );
  return (
    <main className="arena">
      <div className="finder">
        <h1>Tournaments</h1>
        {user && !user.is_guest ? (
          <Go to="/tournaments/new" className="button primary">
            New tournament
          </Go>
        ) : (
          <span>
            <Go to="/sign-up">Sign up</Go> to make one.
          </span>
        )}
      </div>
      {error && <Trouble error={error} onRetry={reload} />}
      {!data && !error && <Loading what="tournaments" />}
      {data?.tournaments.length === 0 && <Empty>No tournament has been made yet.</Empty>}
      {data && (
        <ul className="matches">
          {data.tournaments.map((one) => (
            <li key={one.id}>
              <Go to={tournamentPath(one.id)}>
                <b>{one.title}</b>
                <span className="quiet">
                  {scheduleName(one.schedule)} · {one.players.length} players · by {one.owner}
                </span>
                <span className="tag">
                  {STATES[one.state]}, {one.done} of {one.total}
                </span>
              </Go>
            </li>
          ))}
        </ul>
      )}
      {data && <Pages page={page} pages={data.pages} onGo={setPage} />}
    </main>
  );
}
