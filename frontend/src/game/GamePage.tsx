import { type ReactElement, Suspense, lazy, useState } from "react";
import { useResource } from "../api/resource";
import type { GameText, PlayerLine } from "../api/types";
import { GamePicture } from "../lobby/GamePicture";
import { playersText } from "../lobby/Lobby";
import { Loading, Trouble, useTitle } from "../look/parts";
import { Go } from "../routes";
import { FaultList } from "./FaultList";
import { NewMatchForm } from "./NewMatchForm";

const ReportPanel = lazy(() => import("../understand/ReportPanel").then((m) => ({ default: m.ReportPanel })));

/** One game: its rules, a new match, a report. */
export function GamePage({ id }: { id: string }): ReactElement {
  const { data: game, error, reload } = useResource<GameText>(`/games/${encodeURIComponent(id)}`);
  const players = useResource<PlayerLine[]>("/players");
  const [hasReport, setReport] = useState(false);
  useTitle(game?.title ?? "Game");
  if (error) {
    return (
      <main className="narrow">
        <h1>No such game</h1>
        <Trouble error={error} onRetry={reload} />
        <Go to="/">All games</Go>
      </main>
    );
  }
  if (!game) return <Loading what="the game" />;
  return (
    <main className="game-page">
      <div className="game-about">
        <h1>{game.title}</h1>
        <p className="quiet">
          {playersText(game)} · {game.language}
          {game.owner ? ` · by ${game.owner}` : ""}
        </p>
        {game.summary !== "" && <p className="summary">{game.summary}</p>}
        <GamePicture game={game} isSeen />
        {game.faults.length > 0 && (
          <details open={game.faults.some((fault) => fault.severity === "error")}>
            <summary>{game.faults.length} remarks on the rules</summary>
            <FaultList faults={game.faults} />
          </details>
        )}
        <details className="rules">
          <summary>The rules as they are written</summary>
          <pre tabIndex={0} aria-label="rules">
            {game.rules}
          </pre>
        </details>
        {game.realtime ? null : hasReport ? (
          <Suspense fallback={<Loading what="the report" />}>
            <ReportPanel game={game} />
          </Suspense>
        ) : (
          <section className="report-offer">
            <h2>For designers</h2>
            <p className="quiet">Quick games by chance show how long it lasts, who is favoured and how much there is to choose.</p>
            <button type="button" onClick={() => setReport(true)}>
              Make a report
            </button>
          </section>
        )}
      </div>
      <aside>
        {players.error && <Trouble error={players.error} onRetry={players.reload} />}
        {!players.data && !players.error && <Loading what="players" />}
        {players.data && <NewMatchForm game={game} players={players.data} />}
        <p>
          <Go to={`/leaderboard?game=${encodeURIComponent(game.id)}`}>Leaderboard of {game.title}</Go>
        </p>
      </aside>
    </main>
  );
}
