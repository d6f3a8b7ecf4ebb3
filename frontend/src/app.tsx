import type { ReactElement } from "react";
import { AccountPage } from "./accounts/AccountPage";
import { useVisitor } from "./accounts/me";
import { Leaderboard } from "./arena/Leaderboard";
import { NewTournamentPage } from "./arena/NewTournamentPage";
import { PlayerPage } from "./arena/PlayerPage";
import { Remotes } from "./arena/Remotes";
import { TournamentList } from "./arena/TournamentList";
import { TournamentPage } from "./arena/TournamentPage";
import { GamePage } from "./game/GamePage";
import { NewRules } from "./game/NewRules";
import { Lobby } from "./lobby/Lobby";
import { Empty, IconButton, useTitle } from "./look/parts";
import { useTheme } from "./look/theme";
import { MatchPage } from "./match/MatchPage";
import { Go, playerPath, useAddress } from "./routes";

export function App(): ReactElement {
  const address = useAddress();
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Header path={address.pathname} />
      <div id="content" tabIndex={-1}>
        <Page address={address} />
      </div>
    </>
  );
}

function Page({ address }: { address: URL }): ReactElement {
  const [, place = "", rest = ""] = address.pathname.split("/");
  const name = decoded(rest);
  switch (place) {
    case "":
    case "games":
      return <Lobby />;
    case "game":
      return <GamePage key={name} id={name} />;
    case "match":
      return (
        <MatchPage
          key={name}
          id={name}
          seat={address.searchParams.get("seat")}
          startStep={address.searchParams.get("step")}
        />
      );
    case "new":
      return <NewRules />;
    case "leaderboard":
      return <Leaderboard game={address.searchParams.get("game")} />;
    case "remotes":
      return <Remotes />;
    case "tournaments":
      return name === "new" ? <NewTournamentPage game={address.searchParams.get("game")} /> : <TournamentList />;
    case "tournament":
      return <TournamentPage key={name} id={name} />;
    case "player":
      return <PlayerPage key={name} name={name} />;
    case "sign-in":
      return <AccountPage key="in" isNew={false} />;
    case "sign-up":
      return <AccountPage key="up" isNew />;
    default:
      return <Nothing />;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function Nothing(): ReactElement {
  useTitle("Not found");
  return (
    <main className="narrow">
      <h1>There is no such page</h1>
      <Empty>
        The address may be misspelt. <Go to="/">All games</Go>
      </Empty>
    </main>
  );
}

const PAGES = [
  ["/", "Games"],
  ["/new", "Your rules"],
  ["/leaderboard", "Ratings"],
  ["/tournaments", "Tournaments"],
] as const;

function Header({ path }: { path: string }): ReactElement {
  const [isDark, turn] = useTheme();
  const { user, isKnown, signOut } = useVisitor();
  return (
    <header className="top">
      <Go to="/" className="brand">
        <img src="/icon.svg" alt="" width="26" height="26" />
        <span>Ludorum</span>
      </Go>
      <nav aria-label="pages">
        {PAGES.map(([to, words]) => (
          <Go key={to} to={to} className={path === to ? "current" : ""}>
            {words}
          </Go>
        ))}
      </nav>
      <div className="visitor">
        <IconButton icon={isDark ? "sun" : "moon"} name={isDark ? "Light colours" : "Dark colours"} onClick={turn} />
        {user && !user.is_guest ? (
          <>
            <Go to={playerPath(user.name)} className="user">
              {user.name}
            </Go>
            <button type="button" className="plain" onClick={() => void signOut()}>
              Sign out
            </button>
          </>
        ) : (
          isKnown && (
            <>
              {user && <span className="user quiet">{user.name}</span>}
              <Go to="/sign-in" className="button">
                Sign in
              </Go>
            </>
          )
        )}
      </div>
    </header>
  );
}
