import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "./app/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { activateLocale, preferredLocale } from "./app/locale";
import { shareNonce } from "./app/nonce";

shareNonce();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
await activateLocale(preferredLocale());
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
