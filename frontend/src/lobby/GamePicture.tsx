import { type ReactElement, useEffect, useRef, useState } from "react";
import { get } from "../api/client";
import type { GameLine, Scene } from "../api/types";
import { BoardPicture } from "../board/BoardPicture";
import { Card } from "../cards/Card";

const held = new Map<string, Promise<Scene | null>>();

function startOf(game: string): Promise<Scene | null> {
  const found =
    held.get(game) ??
    get<{ scene: Scene }>(`/games/${encodeURIComponent(game)}/start`).then(
      ({ scene }) => scene,
      () => null,
    );
  held.set(game, found);
  return found;
}

/** The start of a game, fetched when it comes into sight; a sign of its kind where there is no board. */
export function GamePicture({ game, isSeen = false }: { game: GameLine; isSeen?: boolean }): ReactElement {
  const frame = useRef<HTMLSpanElement>(null);
  const [scene, setScene] = useState<Scene | null>(null);
  useEffect(() => {
    if (game.kind === "cards") return;
    let isWanted = true;
    const load = (): void => void startOf(game.id).then((scene) => isWanted && setScene(scene));
    if (isSeen || !frame.current) {
      load();
      return () => {
        isWanted = false;
      };
    }
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watcher.disconnect();
        load();
      },
      { rootMargin: "200px" },
    );
    watcher.observe(frame.current);
    return () => {
      isWanted = false;
      watcher.disconnect();
    };
  }, [game.id, game.kind, isSeen]);
  return (
    <span ref={frame} className={`game-picture of-${game.kind}`} aria-hidden="true">
      {scene?.board ? <BoardPicture board={scene.board} /> : <Sign game={game} />}
    </span>
  );
}

const FACES = [
  { rank: "K", suit: "♠", colour: "black", words: "" },
  { rank: "Q", suit: "♥", colour: "red", words: "" },
  { rank: "7", suit: "♣", colour: "black", words: "" },
];

function Sign({ game }: { game: GameLine }): ReactElement {
  if (game.kind === "cards") {
    return (
      <span className="sign-cards">
        {FACES.map((face) => (
          <Card key={face.rank} face={face} />
        ))}
      </span>
    );
  }
  return <span className="sign">{game.title.slice(0, 1).toUpperCase()}</span>;
}
