import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// `npm run dev` serves the dashboard and passes API calls on to a running server.
const server = process.env.QUARRY_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [babel({ plugins: ["@lingui/babel-plugin-lingui-macro"] }), react(), lingui()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api/v1": server, "/api/openapi.json": server } },
  build: {
    assetsDir: "assets",
    // The content security policy allows fonts and images from files, not from data URLs in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Swagger UI, which only the page of the API loads, is one large chunk.
    chunkSizeWarningLimit: 1500,
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
