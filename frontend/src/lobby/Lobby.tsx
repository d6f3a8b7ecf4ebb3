import { type ReactElement, useDeferredValue, useMemo, useState } from "react";
import { useResource } from "../api/resource";
import type { GameLine, MatchLine, PlayerLine } from "../api/types";
import { firstOpponent, quickMatch } from "../game/newMatch";
import { useCreate } from "../game/useCreate";
import { Icon } from "../look/icons";
import { Empty, Loading, Trouble, useTitle } from "../look/parts";
import { gamePath, Go } from "../routes";
import { BoardPicture } from "../board/BoardPicture";
import { GamePicture } from "./GamePicture";
import { HERO } from "./hero";
import { KINDS, sortGames, type KindFilter } from "./games";
import { MatchList } from "./MatchList";

/** All games, open matches, and a first move within seconds. */
export function Lobby(): ReactElement {
  useTitle("");
  const games = useResource<GameLine[]>("/games");
  const players = useResource<PlayerLine[]>("/players");
  const { create, isBusy, error } = useCreate();
  const [query, setQuery] = useState("");
  const [kind, setKind] = useState<KindFilter>("all");
  const wanted = useDeferredValue(query);
  const shown = useMemo(() => sortGames(games.data ?? [], wanted, kind), [games.data, wanted, kind]);
  const play = (game: GameLine): void => create(quickMatch(game, firstOpponent(game, players.data ?? [])));
  const first = games.data?.find((game) => game.id === "connect_four") ?? games.data?.[0];

  return (
    <main className="lobby">
      <section className="hero">
        <div>
          <h1>Play any game whose rules are written down</h1>
          <p>
            {games.data ? `${games.data.length} games` : "Games"} to play against programs, friends or just to watch. Or{" "}
            <Go to="/new">bring your own rules</Go>.
          </p>
          {first && (
            <button type="button" className="primary big" disabled={isBusy} onClick={() => play(first)}>
              Play {first.title} now
            </button>
          )}
        </div>
        {first && (
          <div className="hero-picture">
            <BoardPicture board={HERO} />
          </div>
        )}
      </section>
      {error && <Trouble error={error} />}

      <section aria-labelledby="all-games">
        <div className="finder">
          <h2 id="all-games">Games</h2>
          <label className="search">
            <Icon name="search" />
            <span className="hidden">Search games</span>
            <input
              type="search"
              placeholder="Search games"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </label>
          <div className="kinds" role="group" aria-label="kinds of games">
            {KINDS.map(([name, words]) => (
              <button key={name} type="button" aria-pressed={kind === name} onClick={() => setKind(name)}>
                {words}
              </button>
            ))}
          </div>
        </div>
        {games.error && <Trouble error={games.error} onRetry={games.reload} />}
        {games.isLoading && !games.data && <Loading what="games" />}
        {games.data && shown.length === 0 && (
          <Empty>
            No game has “{wanted}” in its name. <Go to="/new">Write its rules?</Go>
          </Empty>
        )}
        <ul className="games">
          {shown.map((game) => (
            <li key={game.id} className="game">
              <Go to={gamePath(game.id)} className="game-link">
                <GamePicture game={game} />
                <span className="game-words">
                  <b>{game.title}</b>
                  <small>{game.summary}</small>
                </span>
              </Go>
              <div className="game-foot">
                <span className="quiet">{playersText(game)}</span>
                <button type="button" disabled={isBusy} onClick={() => play(game)} aria-label={`Play now: ${game.title}`}>
                  Play now
                </button>
              </div>
            </li>
          ))}
        </ul>
      </section>
      <Matches />
    </main>
  );
}

/** What is to be known before a game is chosen. */
export function playersText(game: Pick<GameLine, "seats" | "realtime" | "hides" | "chance">): string {
  const seats = game.seats === 1 ? "1 player" : `${game.seats} players`;
  const kinds = [game.realtime ? "realtime" : "", game.hides ? "hidden" : "", game.chance ? "chance" : ""];
  return [seats, ...kinds].filter(Boolean).join(" · ");
}

function Matches(): ReactElement {
  const open = useResource<{ matches: MatchLine[] }>("/matches?state=open");
  const live = useResource<{ matches: MatchLine[] }>("/matches?state=live");
  return (
    <div className="columns">
      <section aria-labelledby="open-matches">
        <h2 id="open-matches">Open seats</h2>
        <MatchList matches={open.data?.matches} error={open.error} empty="Nobody is waiting for a second player." />
      </section>
      <section aria-labelledby="live-matches">
        <h2 id="live-matches">Being played</h2>
        <MatchList matches={live.data?.matches} error={live.error} empty="No match is being played just now." />
      </section>
    </div>
  );
}
