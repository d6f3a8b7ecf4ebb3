import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import type { MatchView, MoveChoice } from "../api/types";
import { areAllButtons, MoveButtons } from "../choose/MoveButtons";
import { MoveFinder } from "../choose/MoveFinder";
import { placelessMoves } from "../choose/selection";
import { useChooser } from "../choose/useChooser";
import { Loading, Trouble, useTitle } from "../look/parts";
import { gamePath, Go, goTo, tournamentPath } from "../routes";
import { EvaluationBar } from "../understand/EvaluationBar";
import { useAnalysis } from "../understand/useAnalysis";
import { Understanding } from "../understand/Understanding";
import { Actions, Offers } from "./Actions";
import { Chat } from "./Chat";
import { TableDice } from "./Facts";
import { Faults } from "./Faults";
import { Moves } from "./Moves";
import { OpenSeats } from "./OpenSeats";
import { Prepared } from "./Prepared";
import { GameClock } from "./GameClock";
import { SceneNotes, SceneView } from "./SceneView";
import { Seats, split } from "./Seats";
import { Speaker } from "./Speaker";
import { isOver, Status } from "./Status";
import { type LiveMatch, useMatch } from "./useMatch";
import { usePremoves } from "./usePremoves";
import { type Replay, useReplay } from "./useReplay";
import { useSteppingKeys } from "./useStepping";

interface MatchPageProps {
  id: string;
  seat: string | null;
  startStep: string | null;
}

export function MatchPage({ id, seat, startStep }: MatchPageProps): ReactElement {
  const match = useMatch(id, seat);
  useTitle(match.view ? titleOf(match.view) : "Match");
  if (match.error && !match.view) {
    return (
      <main className="narrow">
        <h1>This match cannot be shown</h1>
        <Trouble error={match.error} onRetry={match.reconnect} />
        <Go to="/">All games</Go>
      </main>
    );
  }
  if (!match.view) return <Loading what="the match" />;
  const start = startStep !== null && /^\d+$/.test(startStep) ? Number(startStep) : null;
  return <Match match={match} view={match.view} seat={seat} startStep={start} />;
}

function titleOf(view: MatchView): string {
  return view.phase === "choice" ? `● Your move – ${view.game.title}` : view.game.title;
}

function spectatorWords(count: number): string {
  return count === 1 ? "1 spectator" : `${count} spectators`;
}

interface MatchProps {
  match: LiveMatch;
  view: MatchView;
  seat: string | null;
  startStep: number | null;
}

const NO_CHOICES: MoveChoice[] = [];

function Match({ match, view, seat, startStep }: MatchProps): ReactElement {
  const { send } = match;
  const [turned, setTurned] = useState(false);
  const isSecond = view.viewer !== null && view.roles[1]?.role === view.viewer;
  const isFlipped = isSecond !== turned;
  const replay = useReplay(view.id, view.moves, view.step, startStep);
  const analysis = useAnalysis(view.id, replay.step ?? view.step);
  const isPremove = view.phase === "waiting" && !view.realtime;
  const canChoose = (view.phase === "choice" || isPremove) && replay.step === null && (view.realtime !== null || match.sentStep !== view.step);
  const premoves = usePremoves(view);
  const choices = !canChoose ? NO_CHOICES : isPremove ? premoves.choices : view.choices;
  const chooser = useChooser(view.step, choices, (choice) => {
    if (isPremove) void send({ type: "premove", move: choice.move });
    else void send({ type: "move", step: view.step, move: choice.move });
  });
  useSteppingKeys(replay);
  useRematch(view);

  const shown = replay.step === null ? view.scene : (replay.shown?.scene ?? view.scene);
  const { above, below } = split(view, turned);
  const prepared = isPremove ? choices.find((choice) => choice.move === view.premove) : undefined;
  const placeless = useMemo(() => placelessMoves(choices), [choices]);
  const over = isOver(view);
  const hasCompany = view.roles.some((role) => role.kind !== "player" && role.role !== view.viewer);
  return (
    <main className={`match${shown.cards ? " with-cards" : ""}`}>
      <h1 className="hidden">{view.game.title}</h1>
      <Speaker view={view} />
      <section className="stage" aria-label="position">
        <Banners match={match} view={view} replay={replay} />
        {!shown.cards && <Seats roles={above} view={view} since={match.since} />}
        <div className="drawn">
          {analysis.isOn && <EvaluationBar values={analysis.result?.values ?? null} roles={view.roles} isFlipped={isFlipped} />}
          <div className="scene">
            <SceneView
              scene={shown}
              view={view}
              isFlipped={isFlipped}
              chooser={choices.length > 0 ? chooser : null}
              prepared={prepared?.places}
            />
          </div>
        </div>
        {(!shown.cards || over || view.roles.some((role) => role.clock || role.kind === "open" || role.remark)) && (
          <Seats roles={shown.cards ? view.roles : below} view={view} since={match.since} />
        )}
      </section>
      <div className="notes">
        <SceneNotes scene={shown} moves={replay.step === null ? view.moves : []} isWatching={view.viewer === null} />
      </div>
      <aside className="side">
        <div className="ask">
          <p className="game-name">
            <Go to={gamePath(view.game.id)}>{view.game.title}</Go>
            {view.viewer === null && <span className="tag">watching</span>}
            {view.spectators > 0 && <span className="tag">{spectatorWords(view.spectators)}</span>}
          </p>
          <Status view={view} />
          {view.realtime && <GameClock clock={view.realtime} />}
          {shown.board && <TableDice facts={shown.facts} />}
          {view.tournament && (
            <p>
              <Go to={tournamentPath(view.tournament)}>To the tournament</Go>
            </p>
          )}
          {view.rematch && (
            <Go to={view.rematch} className="button primary">
              Go to the rematch
            </Go>
          )}
          <Prepared view={view} wordsOf={premoves.wordsOf} send={send} />
          <Offers view={view} send={send} />
          <OpenSeats view={view} token={seat} onSeated={match.reconnect} />
          <MoveButtons
            placeless={placeless}
            menu={chooser.menu}
            isPremove={isPremove}
            onChoose={chooser.choose}
            onClear={chooser.clear}
          />
        </div>
        {choices.length > 0 && (
          <MoveFinder choices={choices} isPremove={isPremove} isShort={areAllButtons(choices, placeless)} onChoose={chooser.choose} />
        )}
        <Moves moves={view.moves} replay={replay} />
        <Faults notes={view.notes ?? []} faults={view.faults ?? {}} />
        <Actions view={view} step={replay.step} isTurned={turned} onTurn={() => setTurned(!turned)} send={send} />
        {!view.realtime && <Understanding view={view} analysis={analysis} replay={replay} isOver={over} />}
        {view.chat && (hasCompany || view.chat.length > 0) && (
          <Chat lines={view.chat} canWrite={view.viewer !== null} onSay={(text) => send({ type: "chat", text })} />
        )}
      </aside>
    </main>
  );
}

/** Small banners: a lost connection, a refused message, a look back. */
function Banners({ match, view, replay }: { match: LiveMatch; view: MatchView; replay: Replay }): ReactElement {
  return (
    <>
      {match.link === "lost" && (
        <p className="banner warn" role="status">
          The connection is lost. Reconnecting …
        </p>
      )}
      {match.trouble !== "" && (
        <p className="banner warn" role="alert">
          {match.trouble}{" "}
          <button type="button" className="plain" onClick={match.forgetTrouble}>
            OK
          </button>
        </p>
      )}
      {replay.step !== null && (
        <p className="banner" role="status">
          Step {replay.step} of {view.step}{" "}
          <button type="button" className="plain" onClick={() => replay.goToStep(null)}>
            back to the present
          </button>
        </p>
      )}
    </>
  );
}

/** A rematch that comes while a player looks on opens by itself. */
function useRematch(view: MatchView): void {
  const before = useRef(view.rematch);
  useEffect(() => {
    if (view.rematch !== null && before.current === null && view.viewer !== null) goTo(view.rematch);
    before.current = view.rematch;
  }, [view.rematch, view.viewer]);
}
