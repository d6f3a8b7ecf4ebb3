/* A board that is played on: pieces slide, places are picked by pointer or by keys. */
import { type KeyboardEvent, type ReactElement, useCallback, useMemo, useRef, useState } from "react";
import type { BoardScene } from "../api/types";
import { meantPlace } from "../choose/selection";
import { type Geometry, geometryOf, HEXAGON, MOST_SIDE_BY_SIDE, placeByKey, stackedAt } from "./geometry";
import { Ground, Mark } from "./Ground";
import { Piece } from "./Piece";
import type { Token } from "./tokens";
import { type Dragged, useDrag } from "./useDrag";
import { useTokens } from "./useTokens";

interface BoardProps {
  board: BoardScene;
  isFlipped: boolean;
  /** Places that can be picked next; nothing can be picked where it is left out. */
  next?: ReadonlySet<number>;
  picked?: readonly number[];
  /** Places of a move that waits for its turn. */
  prepared?: readonly number[] | undefined;
  /** Whether dots show where the first click may go. */
  hasHints?: boolean;
  /** Whether more places follow after this one. */
  canLead?: (place: number) => boolean;
  onPick?: (place: number) => void;
}

const NONE: ReadonlySet<number> = new Set();
const NO_PLACES: readonly number[] = [];

export function Board(props: BoardProps): ReactElement {
  const { board, isFlipped, next = NONE, picked = NO_PLACES, prepared = NO_PLACES, hasHints = true, canLead, onPick } = props;
  const { columns, rows, shape } = board;
  const shapeKey = `${columns.join()}|${rows.join()}|${shape}|${isFlipped}`;
  // Each view brings a new board; its geometry is that of the last one unless its shape has changed.
  const geometry = useMemo(() => geometryOf({ columns, rows, shape }, isFlipped), [shapeKey]);
  const tokens = useTokens(board);
  const meant = useCallback(
    (place: number) => meantPlace(place, next, board.look, columns.length),
    [next, board.look, columns.length],
  );
  const pick = onPick && ((place: number) => onPick(meant(place)));
  const drag = useDrag(geometry, picked, (place) => next.has(place) && (canLead?.(place) ?? false), pick);
  const size = Math.min(0.3, Math.max(0.17, 0.03 * Math.max(columns.length, rows.length)));
  const isPoints = shape === "points";
  const left = isPoints ? 0.12 : shape === "hex" ? 0.7 : 0.5;
  const below = isPoints ? 0.12 : 0.5;
  // Dots say where one may go; where nearly every place is free they would say nothing.
  const hasDots = picked.length > 0 || (hasHints && next.size * 2 < geometry.centres.length - board.absent.length);
  const marks = [...prepared.map((place) => ({ place, kind: "prepared" })), ...picked.map((place) => ({ place, kind: "picked" }))];
  const { dragged, ...pointers } = drag;
  return (
    <svg
      className={`board ${board.look} ${shape}${pick ? " playable" : ""}`}
      viewBox={`${-left} -.08 ${geometry.width + left + 0.12} ${geometry.height + below + 0.08}`}
      style={{
        "--coordinate": `${size}px`,
        "--ratio": (geometry.width + left) / (geometry.height + below),
        "--most": `${5.2 * geometry.width + 3}rem`,
      } as React.CSSProperties}
      {...pointers}
    >
      <g aria-hidden="true">
        <Ground board={board} geometry={geometry} hasLabels />
        {marks.map(({ place, kind }) => {
          const centre = geometry.centres[place];
          return centre && <Mark key={kind + place} centre={centre} board={board} kind={kind} tall={geometry.tall} />;
        })}
        {tokens.map((token) => (
          <Standing key={token.id} token={token} board={board} geometry={geometry} dragged={dragged} />
        ))}
        {hasDots &&
          [...next].map((place) => {
            const centre = geometry.centres[place];
            const isTaken = board.cells[String(place)] !== undefined;
            if (!centre || (isTaken && picked.length === 0)) return null;
            const men = board.cells[String(place)]?.length ?? 0;
            const at = isPoints ? stackedAt(geometry, place, men, men + 1) : centre;
            return (
              <circle
                key={place}
                className={isTaken && !isPoints ? "hint taken" : "hint"}
                r={isTaken && !isPoints ? 0.44 : 0.13}
                cx={at.x}
                cy={at.y}
              />
            );
          })}
      </g>
      <Places board={board} geometry={geometry} isFlipped={isFlipped} next={next} picked={picked} pick={pick} />
    </svg>
  );
}

interface StandingProps {
  token: Token;
  board: BoardScene;
  geometry: Geometry;
  dragged: Dragged | null;
}

function Standing({ token, board, geometry, dragged }: StandingProps): ReactElement | null {
  const piece = board.contents[token.content];
  const isPoints = board.shape === "points";
  const men = board.cells[String(token.place)]?.length ?? 0;
  const isTop = isPoints ? token.slot === men - 1 : token.slot === 0;
  const isDragged = dragged?.place === token.place && isTop;
  const lies = isPoints ? stackedAt(geometry, token.place, token.slot, men) : geometry.centres[token.place];
  const centre = isDragged ? dragged.at : lies;
  if (!piece || !centre) return null;
  const row = Math.floor(token.place / board.columns.length);
  const style = { transform: `translate(${centre.x}px, ${centre.y}px)`, "--drop": `${-row - 1}px` };
  const corner = `translate(${(0.56 - 0.28 * token.slot).toFixed(2)} .28) scale(.46)`;
  return (
    <g className={`token${isDragged ? " dragged" : ""}`} style={style as React.CSSProperties}>
      <g className={token.isNew ? "enters" : ""}>
        {isPoints || token.slot === 0 ? (
          <Piece piece={isPoints && isTop && men > MOST_SIDE_BY_SIDE ? { ...piece, text: String(men) } : piece} />
        ) : (
          <g className="badge" transform={corner}>
            <Piece piece={piece} />
          </g>
        )}
      </g>
    </g>
  );
}

interface PlacesProps {
  board: BoardScene;
  geometry: Geometry;
  isFlipped: boolean;
  next: ReadonlySet<number>;
  picked: readonly number[];
  pick: ((place: number) => void) | undefined;
}

/** One invisible cell a place: what readers hear, keys walk over and pointers touch. */
function Places({ board, geometry, isFlipped, next, picked, pick }: PlacesProps): ReactElement {
  const { centres, tall } = geometry;
  const absent = useMemo(() => new Set(board.absent), [board.absent]);
  const first = centres.findIndex((_, place) => !absent.has(place));
  const [focused, setFocused] = useState<number | null>(null);
  const stop = focused ?? [...next].sort((a, b) => a - b)[0] ?? first;
  const layer = useRef<SVGGElement>(null);
  const columns = board.columns.length;

  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.key === "Enter" || event.key === " ") && pick) {
      event.preventDefault();
      pick(place);
      return;
    }
    const to = placeByKey(event.key, place, board, isFlipped);
    if (!/^(Arrow|Home$|End$)/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setFocused(to);
    layer.current?.querySelector<SVGGElement>(`[data-at="${to}"]`)?.focus();
  };

  return (
    <g ref={layer} role="grid" aria-label="board" aria-readonly={!pick}>
      {board.rows.map((name, row) => (
        <g key={name + row} role="row">
          {board.columns.map((_, column) => {
            const place = row * columns + column;
            const centre = centres[place];
            if (!centre || absent.has(place)) return null;
            return (
              <g
                key={place}
                role="gridcell"
                tabIndex={place === stop ? 0 : -1}
                aria-label={wordsOf(board, place, next.has(place) && pick !== undefined)}
                aria-selected={picked.includes(place)}
                data-at={place}
                data-place={board.names[place]}
                className={next.has(place) ? "place next" : "place"}
                transform={`translate(${centre.x} ${centre.y})`}
                onFocus={() => setFocused(place)}
                onKeyDown={(event) => onKeyDown(event, place)}
              >
                {board.shape === "hex" ? (
                  <polygon points={HEXAGON} />
                ) : (
                  <rect x="-.5" y={-tall / 2} width="1" height={tall} rx=".06" />
                )}
              </g>
            );
          })}
        </g>
      ))}
    </g>
  );
}

/** What a reader hears of a place: `e4, white pawn, can be chosen`. */
export function wordsOf(board: BoardScene, place: number, canBeChosen: boolean): string {
  const contents = board.cells[String(place)] ?? [];
  const here =
    board.shape === "points" && contents.length > 0
      ? [`${contents.length} ${board.contents[contents[0] ?? -1]?.words ?? ""}`]
      : contents.map((content) => board.contents[content]?.words ?? "");
  return [
    board.names[place] ?? String(place),
    ...(here.length > 0 ? here : [board.is_unknown ? "unknown" : "empty"]),
    ...(board.last.includes(place) ? ["last move"] : []),
    ...(canBeChosen ? ["can be chosen"] : []),
  ].join(", ");
}
