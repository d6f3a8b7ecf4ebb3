import type { ReactElement } from "react";
import type { CardFace } from "../api/types";

/** A card with its face, or its back. Cards without a suit sign show their colour. */
export function Card({ face }: { face: CardFace | null }): ReactElement {
  if (!face) return <span className="card back" role="img" aria-label="a card face down" />;
  const isTinted = face.suit === "" && face.colour !== "" && face.colour !== "black";
  return (
    <span className={`card ${face.colour}${isTinted ? " tint" : ""}`} role="img" aria-label={face.words}>
      {face.suit !== "" ? (
        <>
          <b aria-hidden="true">
            {face.rank}
            <small>{face.suit}</small>
          </b>
          <i aria-hidden="true">{face.suit}</i>
        </>
      ) : (
        <>
          <b className={face.rank.length > 2 ? "word" : ""} aria-hidden="true">
            {face.rank}
          </b>
          {face.rank.length <= 2 && (
            <i className="rank" aria-hidden="true">
              {face.rank}
            </i>
          )}
        </>
      )}
    </span>
  );
}
