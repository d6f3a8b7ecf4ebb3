/* A recorded match: everything is here, and nothing is asked of a server. */
import { type ReactElement, useId, useMemo, useState } from "react";
import type { MatchView, RoleView } from "../api/types";
import { IconButton } from "../look/parts";
import { Moves } from "../match/Moves";
import { TableDice } from "../match/Facts";
import { SceneNotes, SceneView } from "../match/SceneView";
import { Seats, split } from "../match/Seats";
import { stepsOf } from "../match/useReplay";
import { useStepping, useSteppingKeys } from "../match/useStepping";
import { Faults, StepNotes } from "./notes";
import { Slider } from "./Slider";
import type { RecordedMatch, RecordedView } from "./types";
import { stepOfAddress, useAddressOfStep } from "./useAddressOfStep";

interface RecordedProps {
  match: RecordedMatch;
  /** Whether the match is the whole page: its address names the step then. Others are opened at their end. */
  isPage: boolean;
}

/** The step at which a match begins for those who look at it: after the deal, where it begins with one. */
function startOf(view: RecordedView): number {
  const first = view.moves[0];
  return first && first.first === 1 && first.step > 1 ? first.step : 0;
}

type SceneMatch = Pick<MatchView, "viewer" | "roles" | "to_move" | "result" | "phase" | "is_thinking">;

/** What the parts of the match page need to know of a match. */
function asView(match: RecordedMatch, view: RecordedView, at: number): SceneMatch {
  const isLast = at === view.steps.length - 1;
  const known = match.roles.filter((role) => role.goal !== null).map((role) => [role.role, role.goal] as const);
  const toMove = view.steps[at]?.scene.facts.find((group) => group.name === "to move");
  return {
    viewer: view.role,
    roles: match.roles.map((role): RoleView => ({ ...role, kind: "player", is_here: true, clock: null })),
    to_move: isLast ? [] : (toMove?.entries ?? []),
    result: isLast && known.length > 0 ? (Object.fromEntries(known) as Record<string, number>) : null,
    phase: isLast ? "over" : "waiting",
    is_thinking: false,
  };
}

export function Recorded({ match, isPage }: RecordedProps): ReactElement | null {
  const [seenBy, setSeenBy] = useState(0);
  const view = match.views[seenBy];
  return view ? <Seen match={match} view={view} isPage={isPage} seenBy={seenBy} onSeenBy={setSeenBy} /> : null;
}

interface SeenProps extends RecordedProps {
  view: RecordedView;
  seenBy: number;
  onSeenBy: (view: number) => void;
}

function Seen({ match, view, isPage, seenBy, onSeenBy }: SeenProps): ReactElement | null {
  const last = view.steps.length - 1;
  const id = useId();
  const [isFlipped, setFlipped] = useState(false);
  const steps = useMemo(() => stopsOf(view), [view]);
  const stepping = useStepping(steps, last, isPage ? (stepOfAddress() ?? startOf(view)) : null);
  useSteppingKeys(stepping, isPage ? { isPage } : { within: ".recorded" });
  useAddressOfStep(stepping, isPage);
  const at = Math.min(stepping.step ?? last, last);
  const shown = view.steps[at];
  const said = wordsOf(view, at);
  if (!shown) return null;
  const { scene } = shown;
  const asked = asView(match, view, at);
  // The first role sits at its side of the board, whoever looks on.
  const { above, below } = split({ viewer: null, roles: asked.roles }, isFlipped);
  return (
    <div className={`match recorded${scene.cards ? " with-cards" : ""}`}>
      <section className="stage" aria-label="position">
        {!scene.cards && <Seats roles={above} view={asked} since={0} />}
        <div className="drawn">
          <div className="scene">
            <SceneView scene={scene} view={asked} isFlipped={isFlipped} chooser={null} />
          </div>
        </div>
        {(!scene.cards || asked.result) && <Seats roles={scene.cards ? asked.roles : below} view={asked} since={0} />}
        <Slider view={view} at={at} said={said} onStep={stepping.goToStep} />
        <section className="hidden" aria-label="position in words">
          {scene.spoken}
        </section>
      </section>
      <div className="notes">
        <StepNotes step={shown} said={said} />
        {scene.board && <TableDice facts={scene.facts} />}
        <SceneNotes scene={scene} moves={view.moves.filter((line) => line.step <= at)} />
      </div>
      <aside className="side">
        <div className="ask">
          <p className="status">{match.result}</p>
          {match.views.length > 1 && (
            <div className="seen-by">
              <label htmlFor={id}>Show</label>
              <select id={id} value={seenBy} onChange={(event) => onSeenBy(Number(event.target.value))}>
                {match.views.map((one, number) => (
                  <option key={number} value={number}>
                    {one.words}
                  </option>
                ))}
              </select>
            </div>
          )}
        </div>
        <Faults view={view} onStep={stepping.goToStep} />
        <Moves moves={view.moves} replay={stepping} />
        {scene.board && scene.board.look !== "holes" && (
          <div className="actions" role="group" aria-label="actions">
            <IconButton icon="flip" name="Turn the board around" onClick={() => setFlipped(!isFlipped)} isPressed={isFlipped} />
          </div>
        )}
      </aside>
    </div>
  );
}

/** Steps that are stopped at: the lines of moves, and faults wherever they happened. */
function stopsOf(view: RecordedView): number[] {
  const faults = view.steps.flatMap((step, at) => (step.faults.length > 0 ? [at] : []));
  const all = new Set([...stepsOf(view.moves, view.steps.length - 1), ...faults]);
  return [...all].sort((one, other) => one - other);
}

/** The line of moves that tells of a step. */
function wordsOf(view: RecordedView, at: number): string {
  return view.moves.find((line) => line.first <= at && at <= line.step)?.words ?? "";
}
