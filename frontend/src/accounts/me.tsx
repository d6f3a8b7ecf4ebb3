/* Who visits: asked once, known to all pages. */
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { fetchMe, send } from "../api/client";
import type { User } from "../api/types";

interface Visitor {
  user: User | null;
  isKnown: boolean;
  refresh: () => Promise<void>;
  signOut: () => Promise<void>;
}

const Context = createContext<Visitor>({
  user: null,
  isKnown: false,
  refresh: () => Promise.resolve(),
  signOut: () => Promise.resolve(),
});

export function VisitorProvider({ children }: { children: ReactNode }): ReactElement {
  const [user, setUser] = useState<User | null>(null);
  const [isKnown, setKnown] = useState(false);
  const visitor = useMemo<Visitor>(() => {
    const refresh = async (): Promise<void> => {
      setUser((await fetchMe()).user);
      setKnown(true);
    };
    const signOut = async (): Promise<void> => {
      await send("DELETE", "/session");
      await refresh();
    };
    return { user, isKnown, refresh, signOut };
  }, [user, isKnown]);
  useEffect(() => {
    visitor.refresh().catch(() => setKnown(true));
  }, []);
  return <Context.Provider value={visitor}>{children}</Context.Provider>;
}

export function useVisitor(): Visitor {
  return useContext(Context);
}
