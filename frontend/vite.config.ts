import { defineConfig } from "vite";

// `npm run dev` shows the page while it is written; the API comes from a `ludorum serve` beside it.
const server = process.env["LUDORUM_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  build: {
    outDir: "../src/ludorum/web/page",
    emptyOutDir: true,
    // Browsers since 2024: light-dark() in the style sheet stays as it is.
    target: ["chrome123", "firefox120", "safari17.5"],
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    // Icons stay files: the page's policy allows no data in scripts.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
