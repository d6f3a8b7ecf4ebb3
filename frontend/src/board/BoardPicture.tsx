import { type ReactElement, useMemo } from "react";
import type { BoardScene } from "../api/types";
import { geometryOf, stackedAt } from "./geometry";
import { Ground } from "./Ground";
import { Piece } from "./Piece";

/** A small board to look at: no labels, nothing to choose, silent for readers. */
export function BoardPicture({ board }: { board: BoardScene }): ReactElement {
  const geometry = useMemo(() => geometryOf(board, false), [board]);
  const edge = 0.06;
  return (
    <svg
      className={`board picture ${board.look}`}
      viewBox={`${-edge} ${-edge} ${geometry.width + 2 * edge} ${geometry.height + 2 * edge}`}
      aria-hidden="true"
    >
      <Ground board={{ ...board, last: [] }} geometry={geometry} hasLabels={false} />
      {Object.entries(board.cells).flatMap(([place, contents]) => {
        const at = Number(place);
        const shown = board.shape === "points" ? contents : contents.slice(0, 1);
        return shown.flatMap((content, slot) => {
          const centre = board.shape === "points" ? stackedAt(geometry, at, slot, shown.length) : geometry.centres[at];
          const piece = board.contents[content];
          return centre && piece
            ? [
                <g key={`${place} ${slot}`} transform={`translate(${centre.x} ${centre.y})`}>
                  <Piece piece={piece} />
                </g>,
              ]
            : [];
        });
      })}
    </svg>
  );
}
