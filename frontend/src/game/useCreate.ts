import { useState } from "react";
import { useVisitor } from "../accounts/me";
import { type ApiError, send } from "../api/client";
import { asApiError } from "../api/resource";
import type { CreatedMatch, NewMatch } from "../api/types";
import { goTo, matchPath } from "../routes";
import { keepLinks } from "./newMatch";

/** Makes a match and goes there. */
export function useCreate(): { create: (match: NewMatch) => void; isBusy: boolean; error: ApiError | null } {
  const { user, refresh } = useVisitor();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const create = (match: NewMatch): void => {
    setBusy(true);
    setError(null);
    send<CreatedMatch>("POST", "/matches", match).then(
      ({ id, links }) => {
        keepLinks(id, links ?? {});
        if (!user) void refresh();
        goTo(matchPath(id));
      },
      (caught: unknown) => {
        setError(asApiError(caught));
        setBusy(false);
      },
    );
  };
  return { create, isBusy, error };
}
