// An index run as it goes: by events, or by asking again where events do not get through.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { IndexRunResponse } from "@/api/types";
import { followIndexRun } from "./events";
import { isActive } from "./progress";
import { indexRunQuery, useRefreshRepository } from "./queries";

const POLL_MS = 1_500;

/** A proxy that holds events back looks like a silent run; after this long the run is asked for as well. */
const SILENCE_MS = 5_000;

export function useLiveRun(latest: IndexRunResponse): IndexRunResponse {
  const [polling, setPolling] = useState(false);
  const queryClient = useQueryClient();
  const refresh = useRefreshRepository(latest.repository_id);
  const query = useQuery({
    ...indexRunQuery(latest.id),
    initialData: latest,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => (polling && isActive(state.data) ? POLL_MS : false),
  });
  const run = query.data;
  const active = isActive(run);

  useEffect(() => {
    if (!active) return;
    const stop = new AbortController();
    const silence = setTimeout(() => setPolling(true), SILENCE_MS);
    const { queryKey } = indexRunQuery(latest.id);
    const onProgress = (next: IndexRunResponse) => {
      clearTimeout(silence);
      setPolling(false);
      queryClient.setQueryData(queryKey, next);
    };
    followIndexRun(latest.id, onProgress, stop.signal)
      .then((finished) => (finished ? queryClient.invalidateQueries({ queryKey }) : setPolling(true)))
      .catch(() => {
        if (!stop.signal.aborted) setPolling(true);
      });
    return () => {
      clearTimeout(silence);
      stop.abort();
    };
  }, [active, latest.id, queryClient]);

  useEffect(() => {
    // The repository may know of the run's end, or of another attempt at it, before the events do.
    void queryClient.invalidateQueries({ queryKey: indexRunQuery(latest.id).queryKey });
  }, [latest.id, latest.state, latest.attempts, queryClient]);

  useEffect(() => {
    // The repository, its branches and its snapshots change when a run ends.
    if (!active && isActive(latest)) void refresh();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `refresh` is new on every render
  }, [active, latest.id]);

  return run;
}
