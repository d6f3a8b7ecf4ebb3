import type { ReactElement } from "react";
import type { ApiError } from "../api/client";
import type { MatchLine } from "../api/types";
import { Empty, Loading, Trouble } from "../look/parts";
import { Go, matchPath } from "../routes";

interface MatchListProps {
  matches: MatchLine[] | undefined;
  error: ApiError | null;
  empty: string;
}

export function MatchList({ matches, error, empty }: MatchListProps): ReactElement {
  if (error) return <Trouble error={error} />;
  if (!matches) return <Loading what="matches" />;
  if (matches.length === 0) return <Empty>{empty}</Empty>;
  return (
    <ul className="matches">
      {matches.map((match) => (
        <li key={match.id}>
          <Go to={matchPath(match.id)}>
            <b>{match.game.title}</b>
            <span className="quiet">
              {match.roles.map((role) => (role.kind === "open" ? "an open seat" : role.name)).join(" – ")}
            </span>
            <span className="tag">{match.open.length > 0 ? "sit down" : stateText(match)}</span>
          </Go>
        </li>
      ))}
    </ul>
  );
}

function stateText(match: MatchLine): string {
  if (match.result) return Object.values(match.result).join(" : ");
  return `move ${match.step}`;
}
