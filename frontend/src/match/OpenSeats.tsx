import { type ReactElement, useState } from "react";
import { useVisitor } from "../accounts/me";
import { type ApiError, send } from "../api/client";
import { asApiError } from "../api/resource";
import type { MatchView } from "../api/types";
import { keptLinks } from "../game/newMatch";
import { CopyButton, Trouble } from "../look/parts";

interface OpenSeatsProps {
  view: MatchView;
  token: string | null;
  onSeated: () => void;
}

/** Seats that wait for a person: links to send for those who sit already, a button for those who come. */
export function OpenSeats({ view, token, onSeated }: OpenSeatsProps): ReactElement | null {
  const { user, refresh } = useVisitor();
  const [error, setError] = useState<ApiError | null>(null);
  const open = view.roles.filter((role) => role.kind === "open");
  if (open.length === 0) return null;
  const links = keptLinks(view.id);
  const canSit = view.viewer === null;
  const sit = (role: string): void => {
    send("POST", `/matches/${encodeURIComponent(view.id)}/seat`, { role, ...(token ? { token } : {}) }).then(
      () => {
        if (!user) void refresh();
        onSeated();
      },
      (caught: unknown) => setError(asApiError(caught)),
    );
  };
  return (
    <div className="open-seats">
      {open.map(({ role, label }) => {
        const link = links[role];
        return (
          <div key={role} className="open-seat">
            {canSit ? (
              <button type="button" className="primary" onClick={() => sit(role)}>
                Sit down as {label}
              </button>
            ) : link ? (
              <>
                <span>Send this link to play with {label}:</span>
                <input readOnly value={new URL(link, location.href).href} aria-label={`link for ${label}`} onFocus={(e) => e.target.select()} />
                <CopyButton text={new URL(link, location.href).href} words="Copy" />
              </>
            ) : (
              <span>Nobody sits at {label} yet.</span>
            )}
          </div>
        );
      })}
      {error && <Trouble error={error} />}
    </div>
  );
}
