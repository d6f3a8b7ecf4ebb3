import { type ReactElement, useState } from "react";
import { type ApiError, send } from "../api/client";
import { asApiError, usePolled } from "../api/resource";
import { Loading, SureButton, Trouble, useTitle } from "../look/parts";
import { gamePath, Go, playerPath } from "../routes";
import { CrossTable } from "./CrossTable";
import { Standings } from "./Standings";
import { roughly, scheduleName, STATES, type TournamentView } from "./tournament";
import { TournamentMatches, TournamentMatchList } from "./TournamentMatches";

const LOOK_SECONDS = 2;

/** One tournament: its standings, its matches, and how far it is. */
export function TournamentPage({ id }: { id: string }): ReactElement {
  const path = `/tournaments/${encodeURIComponent(id)}`;
  const { data, error, reload } = usePolled<TournamentView>(path, LOOK_SECONDS, (view) => view.state === "running");
  useTitle(data?.title ?? "Tournament");
  if (!data && error) {
    return (
      <main className="narrow">
        <h1>Tournament</h1>
        <Trouble error={error} onRetry={reload} />
        <Go to="/tournaments">All tournaments</Go>
      </main>
    );
  }
  if (!data) return <Loading what="the tournament" />;
  return (
    <main className="arena tournament">
      <h1>{data.title}</h1>
      <About view={data} />
      <Progress view={data} onStopped={reload} />
      <section>
        <h2>Standings</h2>
        <Standings rows={data.standings} />
      </section>
      <section>
        <h2>Against each other</h2>
        <CrossTable rows={data.standings} cross={data.cross} />
      </section>
      {data.live.length > 0 && (
        <section aria-labelledby="live">
          <h2 id="live">Played now</h2>
          <TournamentMatchList matches={data.live} />
        </section>
      )}
      <TournamentMatches path={path} version={`${data.state} ${data.done} ${data.live.length}`} />
      <Files path={path} />
    </main>
  );
}

function About({ view }: { view: TournamentView }): ReactElement {
  return (
    <p className="quiet">
      {scheduleName(view.schedule)}
      {view.rounds !== null && ` of ${view.rounds} rounds`} ·{" "}
      {view.games.map((game, at) => (
        <span key={game.id}>
          {at > 0 && ", "}
          <Go to={gamePath(game.id)}>{game.title}</Go>
        </span>
      ))}{" "}
      · {view.seconds} s a move · seed {view.seed} · by <Go to={playerPath(view.owner)}>{view.owner}</Go>
    </p>
  );
}

function Progress({ view, onStopped }: { view: TournamentView; onStopped: () => void }): ReactElement {
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const stop = (): void => {
    send("POST", `/tournaments/${encodeURIComponent(view.id)}/stop`).then(onStopped, (caught: unknown) =>
      setTrouble(asApiError(caught)),
    );
  };
  return (
    <div className="progress">
      <progress value={view.done} max={Math.max(1, view.total)} aria-label="matches that are over" />
      <span>
        <b role="status">{STATES[view.state]}</b>: {view.done} of {view.total} matches
        {view.seconds_left !== null && `, ${roughly(view.seconds_left)} left`}
      </span>
      {view.may_stop && <SureButton words="Stop" sure="Stop the tournament" onSure={stop} />}
      {trouble && <Trouble error={trouble} />}
      {view.why !== "" && <p className="remark">{view.why}</p>}
    </div>
  );
}

function Files({ path }: { path: string }): ReactElement {
  const files = [
    ["records.zip", "Records of all matches (zip)"],
    ["standings.csv", "Standings (CSV)"],
    ["standings.json", "Everything (JSON)"],
  ];
  return (
    <section aria-labelledby="files">
      <h2 id="files">To take along</h2>
      <ul className="files">
        {files.map(([name, words]) => (
          <li key={name}>
            <a href={`/api/v1${path}/${name}`} download>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
