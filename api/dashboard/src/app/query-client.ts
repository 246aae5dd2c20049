// How server state is fetched: what retries, and what is left to the reader to retry.
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/problem";

const MOST_RETRIES = 2;

/** Only failures that may pass on their own are retried. */
export function mayRetry(failures: number, error: unknown) {
  if (failures >= MOST_RETRIES) return false;
  return error instanceof ApiError && (error.status === 0 || error.status === 503 || error.status === 504);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: mayRetry, refetchOnWindowFocus: true },
  },
});
