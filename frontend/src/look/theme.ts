/* Light or dark: what the machine prefers, until the visitor chooses. */
import { useState } from "react";

export type Theme = "auto" | "light" | "dark";

const KEY = "ludorum-theme";

function stored(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "auto";
  } catch {
    return "auto";
  }
}

export function applyTheme(theme: Theme = stored()): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Whether the page is dark now, and a switch that turns that around and is remembered. */
export function useTheme(): [boolean, () => void] {
  const [theme, setTheme] = useState(stored);
  const isDark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const turn = (): void => {
    const next = isDark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage the choice holds until the page is left.
    }
    applyTheme(next);
    setTheme(next);
  };
  return [isDark, turn];
}
