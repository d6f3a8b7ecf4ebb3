/* What people do at a match beside moving: offers, pauses, resigning, sharing. */
import type { ReactElement } from "react";
import type { Message } from "../api/live";
import type { MatchView, OfferKind } from "../api/types";
import { Icon } from "../look/icons";
import { CopyButton, IconButton, SureButton } from "../look/parts";
import { isOver } from "./Status";

interface ActionsProps {
  view: MatchView;
  step: number | null;
  /** Whether the viewer has turned the board around. */
  isTurned: boolean;
  onTurn: () => void;
  send: (message: Message) => Promise<boolean>;
}

const OFFER_WORDS: Record<OfferKind, string> = {
  draw: "a draw",
  takeback: "to take the last move back",
  rematch: "a rematch",
  pause: "a pause",
  resume: "to go on",
};

export function Actions({ view, step, isTurned, onTurn, send }: ActionsProps): ReactElement {
  const over = isOver(view);
  const isPlayer = view.viewer !== null;
  const offered = (what: OfferKind): boolean => view.offers.some((offer) => offer.what === what && offer.by === view.viewer);
  const offer = (what: OfferKind): void => void send({ type: "offer", what });
  // A program agrees to no draw.
  const hasOpponent = view.roles.some((role) => role.kind === "person" && role.role !== view.viewer);
  const address = `${location.origin}/match/${encodeURIComponent(view.id)}${step === null ? "" : `?step=${step}`}`;
  return (
    <div className="actions" role="group" aria-label="actions">
      {isPlayer && !over && view.phase !== "open" && (
        <>
          {!view.game.hides && !view.game.chance && !view.realtime && (
            <button type="button" disabled={offered("takeback") || view.moves.length === 0} onClick={() => offer("takeback")}>
              {offered("takeback") ? "Takeback asked" : "Take back"}
            </button>
          )}
          {hasOpponent && !view.realtime && (
            <button type="button" disabled={offered("draw")} onClick={() => offer("draw")}>
              {offered("draw") ? "Draw offered" : "Offer draw"}
            </button>
          )}
          {!view.realtime && (
            <button
              type="button"
              disabled={offered("pause") || offered("resume")}
              onClick={() => void send({ type: view.phase === "paused" ? "resume" : "pause" })}
            >
              {offered("pause") ? "Pause asked" : offered("resume") ? "Resume asked" : view.phase === "paused" ? "Resume" : "Pause"}
            </button>
          )}
          <SureButton
            words={
              <>
                <Icon name="flag" /> Resign
              </>
            }
            sure="Resign now"
            onSure={() => void send({ type: "resign" })}
          />
        </>
      )}
      {isPlayer && over && !view.rematch && (
        <button type="button" className="primary" disabled={offered("rematch")} onClick={() => offer("rematch")}>
          {offered("rematch") ? "Rematch offered" : "Rematch"}
        </button>
      )}
      <span className="gap" />
      {view.scene.board && view.scene.board.look !== "holes" && (
        <IconButton icon="flip" name="Turn the board around" onClick={onTurn} isPressed={isTurned} />
      )}
      <CopyButton
        text={address}
        words={
          <>
            <Icon name="link" /> {step === null ? "Share" : "Share this position"}
          </>
        }
      />
      {over && (
        <a className="button" href={`/api/v1/matches/${encodeURIComponent(view.id)}/record`} download={`${view.id}.json`}>
          Record
        </a>
      )}
    </div>
  );
}

/** Offers that the viewer can answer. */
export function Offers({ view, send }: { view: MatchView; send: (message: Message) => Promise<boolean> }): ReactElement {
  const others = view.viewer === null ? [] : view.offers.filter((offer) => offer.by !== view.viewer);
  const label = (role: string): string => view.roles.find((one) => one.role === role)?.label ?? role;
  return (
    <>
      {others.map(({ what, by }) => (
        <div key={what + by} className="offer" role="alert">
          <span>
            {label(by)} offers {OFFER_WORDS[what]}.
          </span>
          <button type="button" className="primary" onClick={() => void send({ type: "answer", what, accept: true })}>
            Accept
          </button>
          <button type="button" onClick={() => void send({ type: "answer", what, accept: false })}>
            Decline
          </button>
        </div>
      ))}
    </>
  );
}
