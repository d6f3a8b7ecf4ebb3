import type { ReactElement } from "react";
import type { PieceLook } from "../api/types";
import { CHESSMEN, CROSS, CROWN } from "./shapes";

/** A piece around the origin, in a square of side one. */
export function Piece({ piece }: { piece: PieceLook }): ReactElement {
  const isStroked = piece.shape === "cross" || piece.shape === "ring";
  return (
    <g className={`piece ${piece.colour}${isStroked ? " stroked" : ""}`}>
      {shapeOf(piece.shape)}
      {piece.text !== "" && (
        <text className="label" style={{ fontSize: `${piece.text.length > 1 ? 0.62 / piece.text.length : 0.42}px` }}>
          {piece.text}
        </text>
      )}
    </g>
  );
}

function shapeOf(shape: string): ReactElement {
  const man = CHESSMEN[shape];
  if (man) {
    return (
      <g transform="scale(.0098) translate(-50 -52)">
        <path d={man[0]} className="man" />
        <path d={man[1]} className="detail on-man" />
      </g>
    );
  }
  switch (shape) {
    case "disc":
      return (
        <>
          <circle r=".39" />
          <circle r=".29" className="detail" />
        </>
      );
    case "crown":
      return (
        <>
          <circle r=".39" />
          <path d={CROWN} className="detail" />
        </>
      );
    case "cross":
      return <path d={CROSS} />;
    case "ring":
      return <circle r=".28" />;
    case "block":
      return <rect x="-.4" y="-.4" width=".8" height=".8" rx=".1" />;
    default:
      return <rect x="-.38" y="-.38" width=".76" height=".76" rx=".14" />;
  }
}
