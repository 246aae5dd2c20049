// Runs the journeys of search and repositories against the mock, which knows no other people, for work on the dashboard without a server: `npm run build && npm run e2e:mock`.
import { spawn } from "node:child_process";
import { startMock } from "./server.mjs";

const password = "correct horse battery staple";
const { url, close } = await startMock({ password });
const env = { ...process.env, QUARRY_E2E_URL: url, QUARRY_E2E_EMAIL: process.env.QUARRY_E2E_EMAIL ?? "ada@example.com", QUARRY_E2E_PASSWORD: password, QUARRY_E2E_REPOSITORY: "/srv/git/search-journeys.git" };
const journeys = spawn(process.execPath, ["--test", "--test-concurrency=1", "e2e/journeys/dashboard.test.mjs"], { stdio: "inherit", env });
journeys.on("exit", (code) => {
  close();
  process.exitCode = code ?? 1;
});
