/* A position, drawn: its board, its card table, and everything else that holds as facts. */
import type { ReactElement } from "react";
import type { FactGroup, MatchView, MoveLine, Scene } from "../api/types";
import { Board } from "../board/Board";
import { CardTable } from "../cards/CardTable";
import type { Chooser } from "../choose/useChooser";
import { Facts } from "./Facts";

interface SceneViewProps {
  scene: Scene;
  view: Pick<MatchView, "roles" | "to_move" | "phase">;
  isFlipped: boolean;
  /** Null where nothing can be chosen. */
  chooser: Chooser | null;
  /** The places of a move that waits for its turn. */
  prepared?: readonly number[] | undefined;
}

export function SceneView({ scene, view, isFlipped, chooser, prepared }: SceneViewProps): ReactElement {
  const labels = Object.fromEntries(view.roles.map((role) => [role.role, role.label]));
  const names = Object.fromEntries(view.roles.map((role) => [role.role, role.kind === "open" ? "" : role.name]));
  return (
    <>
      {scene.board && (
        <Board
          board={scene.board}
          isFlipped={isFlipped && scene.board.look !== "holes" && scene.board.look !== "points"}
          prepared={prepared}
          hasHints={view.phase === "choice"}
          {...(chooser && {
            next: chooser.next,
            picked: chooser.picked.places,
            canLead: chooser.canLead,
            onPick: chooser.pickPlace,
          })}
        />
      )}
      {scene.cards && (
        <CardTable
          table={scene.cards}
          toMove={view.to_move}
          labels={labels}
          names={names}
          playable={chooser?.cards ?? new Set()}
          picked={chooser?.picked.card ?? null}
          onPick={chooser?.pickCard}
        />
      )}
      {!scene.board && !scene.cards && <Bare scene={scene} />}
    </>
  );
}

/** Facts that are told beside the picture; the dice of a board game lie beside the board. */
function factsOf(scene: Scene): FactGroup[] {
  const facts = scene.facts.filter((group) => scene.board === null || group.dice.length === 0);
  return facts.filter((group) => group.entries.length > 0 && group.name !== "to move");
}

/** A position without a board and cards: its facts are the picture. */
function Bare({ scene }: { scene: Scene }): ReactElement {
  const facts = factsOf(scene);
  if (facts.length > 0) return <Facts facts={facts} isMain />;
  return (
    <p className="facts main">
      {scene.is_hidden ? "The rules hide this position from you." : "Nothing holds in this position that could be drawn."}
    </p>
  );
}

interface SceneNotesProps {
  scene: Scene;
  moves: readonly MoveLine[];
  /** Whether the viewer has no seat at a match that runs. */
  isWatching?: boolean;
}

/** What is said below the picture: what the viewer was told, and facts that are not in the picture. */
export function SceneNotes({ scene, moves, isWatching = false }: SceneNotesProps): ReactElement {
  const listed = new Set(moves.slice(-4).map((line) => line.words));
  const told = scene.told.filter((text) => !listed.has(text));
  const facts = scene.board || scene.cards ? factsOf(scene) : [];
  return (
    <>
      {told.length > 0 && (
        <ul className="told" aria-label="what you were told">
          {told.map((text, at) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      )}
      {facts.length > 0 && <Facts facts={facts} isMain={false} />}
      {isWatching && scene.is_hidden && (
        <p className="quiet">Spectators see what all players know. The rest is shown when the match is over.</p>
      )}
    </>
  );
}
