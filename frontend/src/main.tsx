import "./styles/base.css";
import "./styles/board.css";
import "./styles/cards.css";
import "./styles/match.css";
import "./styles/pages.css";
import { createRoot } from "react-dom/client";
import { VisitorProvider } from "./accounts/me";
import { App } from "./app";
import { applyTheme } from "./look/theme";

applyTheme();
const root = document.getElementById("page");
if (root) {
  createRoot(root).render(
    <VisitorProvider>
      <App />
    </VisitorProvider>,
  );
}
