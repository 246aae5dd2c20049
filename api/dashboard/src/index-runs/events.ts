// The progress events of one index run.
import { readEvents } from "@/api/event-stream";
import { toApiError } from "@/api/problem";
import { session } from "@/api/session";
import type { IndexRunResponse } from "@/api/types";

/** Calls `onProgress` for each event, and returns true when the stream said that the run is over. */
export async function followIndexRun(
  indexRunId: string,
  onProgress: (run: IndexRunResponse) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const url = new URL(`/api/v1/index-runs/${indexRunId}/events`, location.origin);
  const request = new Request(url, { headers: { Accept: "text/event-stream" }, signal });
  const response = await session.authorizedFetch(request);
  if (!response.ok || !response.body) throw toApiError(response, await response.text());
  for await (const event of readEvents(response.body)) {
    const run = parseRun(event.data);
    if (run) onProgress(run);
    if (event.event === "done") return true;
  }
  return false;
}

function parseRun(data: string): IndexRunResponse | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && "stage" in value ? (value as IndexRunResponse) : null;
  } catch {
    return null;
  }
}
