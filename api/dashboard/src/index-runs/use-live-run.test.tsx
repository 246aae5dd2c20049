import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { runFixture } from "@/testing/fixtures";
import { renderInApp } from "@/testing/render";
import { useLiveRun } from "./use-live-run";

const running = runFixture({ state: "running", stage: "batch", files_total: 10 });

function Probe() {
  const run = useLiveRun(running);
  return <output>{`${run.state} ${run.files_done}`}</output>;
}

/** A server with these events for the run, and `current` for whoever asks. */
function serve({ events, current }: { events: () => Response; current: object }) {
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input);
    return url.endsWith("/events") ? events() : Response.json(current);
  });
}

afterEach(() => vi.unstubAllGlobals());

it("follows the events of a run to its end", async () => {
  const event = (name: string, parts: object) => `event: ${name}\ndata: ${JSON.stringify({ ...running, ...parts })}\n\n`;
  const finished = { ...running, state: "succeeded", stage: "done", files_done: 10 };
  serve({ events: () => new Response(event("progress", { files_done: 4 }) + event("done", finished)), current: finished });
  renderInApp(<Probe />);
  expect(await screen.findByText("succeeded 10")).toBeInTheDocument();
});

it("asks again when events do not get through", async () => {
  serve({ events: () => new Response("no", { status: 502 }), current: { ...running, files_done: 7 } });
  renderInApp(<Probe />);
  expect(await screen.findByText("running 7", {}, { timeout: 4_000 })).toBeInTheDocument();
});
