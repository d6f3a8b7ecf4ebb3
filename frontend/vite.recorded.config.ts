import { defineConfig } from "vite";

// Replays and reports are files of their own: one script and one style sheet, which Python puts into each.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/ludorum/pages/built",
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"],
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: "src/recorded/main.tsx",
      output: { format: "iife", entryFileNames: "recorded.js", assetFileNames: "recorded.[ext]" },
    },
  },
});
