/* A position, drawn: its board, its card table, and everything else that holds as facts. */
import type { ReactElement } from "react";
import type { FactGroup, MatchView, Scene } from "../api/types";
import { Board } from "../board/Board";
import { CardTable } from "../cards/CardTable";
import type { Chooser } from "../choose/useChooser";

interface SceneViewProps {
  scene: Scene;
  view: MatchView;
  isFlipped: boolean;
  /** Null where nothing can be chosen. */
  chooser: Chooser | null;
}

export function SceneView({ scene, view, isFlipped, chooser }: SceneViewProps): ReactElement {
  const labels = Object.fromEntries(view.roles.map((role) => [role.role, role.label]));
  const facts = scene.facts.filter((group) => group.entries.length > 0 && group.name !== "to move");
  const isBare = !scene.board && !scene.cards;
  return (
    <>
      {scene.board && (
        <Board
          board={scene.board}
          isFlipped={isFlipped && scene.board.look !== "holes"}
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
          playable={chooser?.cards ?? new Set()}
          picked={chooser?.picked.card ?? null}
          onPick={chooser?.pickCard}
        />
      )}
      {scene.told.length > 0 && (
        <ul className="told" aria-label="what you were told">
          {scene.told.map((text, at) => (
            <li key={at}>{text}</li>
          ))}
        </ul>
      )}
      {facts.length > 0 && <Facts facts={facts} isMain={isBare} />}
      {isBare && facts.length === 0 && (
        <p className="empty">
          {scene.is_hidden ? "The rules hide this position from you." : "Nothing holds in this position that could be drawn."}
        </p>
      )}
    </>
  );
}

/** Facts by their relation, beside the board or, without one, as the picture itself. */
function Facts({ facts, isMain }: { facts: FactGroup[]; isMain: boolean }): ReactElement {
  const list = (
    <dl className={isMain ? "facts main" : "facts"}>
      {facts.map((group, at) => (
        <div key={group.name + at}>
          {group.name !== "" && <dt>{group.name}</dt>}
          <dd>
            {group.entries.map((entry, number) => (
              <span key={entry + number}>{entry === "" ? "yes" : entry}</span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (isMain) return list;
  const isShort = facts.reduce((sum, group) => sum + group.entries.length, 0) <= 12;
  return (
    <details className="what-else" open={isShort}>
      <summary>What else holds</summary>
      {list}
    </details>
  );
}
