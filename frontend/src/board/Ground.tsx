/* What lies under the pieces: squares, holes or lines, and the marks of the last move. */
import { memo, type ReactElement } from "react";
import type { BoardScene } from "../api/types";
import { type Geometry, HEXAGON, type Point } from "./geometry";

interface GroundProps {
  board: BoardScene;
  geometry: Geometry;
  hasLabels: boolean;
}

/** The board without its pieces. */
export function Ground({ board, geometry, hasLabels }: GroundProps): ReactElement {
  if (board.shape === "points") return <Points board={board} geometry={geometry} hasLabels={hasLabels} />;
  return (
    <>
      <Squares
        geometry={geometry}
        look={board.look}
        shape={board.shape}
        absent={board.absent.join()}
        columns={board.columns.length}
        isUnknown={board.is_unknown}
      />
      {board.last.map((place) => {
        const centre = geometry.centres[place];
        return centre && <Mark key={place} centre={centre} board={board} kind="last" />;
      })}
      {hasLabels &&
        [...geometry.columnLabels, ...geometry.rowLabels].map((label, at) => (
          <text key={at} className="coordinate" x={label.x} y={label.y}>
            {label.text}
          </text>
        ))}
    </>
  );
}

/** Points as triangles, and between them and at the side the places of men that are not on a point. */
function Points({ board, geometry, hasLabels }: GroundProps): ReactElement {
  const { width, height, tall } = geometry;
  return (
    <>
      <rect className="ground" width={width} height={height} rx=".12" />
      {geometry.centres.map((centre, place) => {
        const isUpper = centre.y < height / 2;
        const edge = isUpper ? 0 : height;
        const name = board.names[place] ?? "";
        const isPoint = /^\d+$/.test(name);
        const isLast = board.last.includes(place);
        const tip = isUpper ? tall : height - tall;
        return (
          <g key={place}>
            {isPoint ? (
              <polygon
                className={place % 2 === (isUpper ? 0 : 1) ? "point" : "point shade"}
                points={`${centre.x - 0.48},${edge} ${centre.x + 0.48},${edge} ${centre.x},${tip}`}
              />
            ) : (
              <rect className="beside" x={centre.x - 0.5} y={isUpper ? 0 : height / 2} width="1" height={height / 2} />
            )}
            {isLast && <Mark centre={centre} board={board} kind="last" tall={tall} />}
            {hasLabels && (
              <text className="coordinate" x={centre.x} y={isUpper ? height / 2 - 0.27 : height / 2 + 0.27}>
                {isPoint ? name : name.split(" ")[0]}
              </text>
            )}
          </g>
        );
      })}
      <rect className="frame" width={width} height={height} rx=".12" />
    </>
  );
}

interface SquaresProps {
  geometry: Geometry;
  look: string;
  shape: string;
  absent: string;
  columns: number;
  isUnknown: boolean;
}

const Squares = memo(function Squares({ geometry, look, shape, absent, columns, isUnknown }: SquaresProps) {
  const missing = new Set(absent === "" ? [] : absent.split(",").map(Number));
  const isWhole = missing.size === 0 && shape === "square";
  return (
    <g className={isUnknown ? "unknown" : ""}>
      {isWhole && (
        <rect
          className="ground"
          width={geometry.width}
          height={geometry.height}
          rx={look === "holes" ? 0.25 : 0.05}
        />
      )}
      {geometry.centres.map((centre, at) =>
        missing.has(at) ? null : (
          <Square
            key={at}
            centre={centre}
            look={look}
            isHex={shape === "hex"}
            isAlone={!isWhole}
            isShade={((at % columns) + Math.floor(at / columns)) % 2 === 1}
          />
        ),
      )}
      {isWhole && look !== "holes" && <rect className="frame" width={geometry.width} height={geometry.height} rx=".05" />}
    </g>
  );
});

interface SquareProps {
  centre: Point;
  look: string;
  isHex: boolean;
  isAlone: boolean;
  isShade: boolean;
}

function Square({ centre, look, isHex, isAlone, isShade }: SquareProps): ReactElement | null {
  const at = `translate(${centre.x.toFixed(4)} ${centre.y.toFixed(4)})`;
  if (isHex) return <polygon className="ground ruled" points={HEXAGON} transform={at} />;
  const box = { x: -0.5, y: -0.5, width: 1, height: 1, transform: at };
  return (
    <>
      {isAlone && <rect className="ground" {...box} />}
      {look === "holes" && <circle className="hole" r=".42" transform={at} />}
      {look === "squares" && isShade && <rect className="shade" {...box} />}
      {look === "lines" && <rect className="ruled" {...box} />}
    </>
  );
}

interface MarkProps {
  centre: Point;
  board: BoardScene;
  kind: string;
  /** How high a place is. */
  tall?: number;
}

/** A mark that fills a place: that of the last move, of what is picked, or of a prepared move. */
export function Mark({ centre, board, kind, tall = 1 }: MarkProps): ReactElement {
  const at = `translate(${centre.x.toFixed(4)} ${centre.y.toFixed(4)})`;
  if (board.shape === "hex") return <polygon className={kind} points={HEXAGON} transform={`${at} scale(.97)`} />;
  if (board.look === "holes") return <circle className={`${kind} round`} r=".45" transform={at} />;
  return <rect className={kind} x="-.5" y={-tall / 2} width="1" height={tall} rx=".06" transform={at} />;
}
